// CSV files and streams of tokens: fields, quotes, labels, windows, and what is refused with file and line.
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "data/support.h"

namespace tessera::test {
namespace {

using data::Array;
using data::CsvKind;
using data::CsvOptions;
using data::DatasetPtr;

class CsvTest : public DataTest {
 protected:
  DatasetPtr csv(std::string_view text, const CsvOptions& options = {}) const {
    return data::from_csv(write("größe.csv", text), options);
  }
  Error sample_error(std::string_view text, const CsvOptions& options, std::int64_t i) const {
    const DatasetPtr dataset = csv(text, options);
    const Error e = error_of([&] { (void)dataset->get(i); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse);
    expect_text(e, "größe.csv', line ");
    return e;
  }
  Error open_error(std::string_view text, const CsvOptions& options = {}) const {
    return error_of([&] { (void)csv(text, options); });
  }
};

float number(const data::Dataset& dataset, std::int64_t i, const char* field) {
  return dataset.get(i)[field].values<float>()[0];
}

TEST_F(CsvTest, ColumnsAreFieldsOfFloats) {
  for (const char* text : {"a,b\n1,2.5\n-3e2, 4 \n", "a,b\r\n1,2.5\r\n-3e2,4\r\n",
                           "\xEF\xBB\xBF"
                           "a,b\n1,2.5\n\n-3e2,+4",
                           "\"a\",\"b\"\n\"1\",2.5\n-300,\"4\"\n\n\n"}) {
    const DatasetPtr dataset = csv(text);
    ASSERT_EQ(dataset->size(), 2) << text;
    EXPECT_EQ(dataset->get(0)["a"].shape(), Shape());
    EXPECT_EQ(number(*dataset, 0, "b"), 2.5F);
    EXPECT_EQ(number(*dataset, 1, "a"), -300);
    EXPECT_EQ(number(*dataset, 1, "b"), 4);
    EXPECT_TRUE(dataset->classes().empty());
  }
}

TEST_F(CsvTest, JoinedColumnsIntegersAndLabels) {
  const std::string_view text =
      "length;width;species;year\n"
      "1.5;2;setosa;9223372036854775807\n"
      "3;4;\"vir;gin\"\"ica\";-5\n"
      "5;6;\"two\nlines\";0\n"
      "7;8;setosa;0\n";
  const DatasetPtr dataset = csv(text, {.delimiter = ';',
                                        .fields = {{.name = "x", .columns = {"width", "length"}},
                                                   {.name = "species", .kind = CsvKind::kLabel},
                                                   {.name = "year", .kind = CsvKind::kInteger},
                                                   {.name = "one", .columns = {"width"}}}});
  ASSERT_EQ(dataset->size(), 4);
  EXPECT_EQ(dataset->get(0)["x"].shape(), Shape({2}));
  EXPECT_EQ(dataset->get(0)["one"].shape(), Shape({1}));
  EXPECT_EQ(dataset->get(0)["x"].values<float>()[1], 1.5F);
  EXPECT_EQ(dataset->get(0)["year"].values<std::int64_t>()[0], std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(dataset->classes().at("species"), (std::vector<std::string>{"setosa", "two\nlines", "vir;gin\"ica"}));
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < 4; ++i) labels.push_back(dataset->get(i)["species"].values<std::int32_t>()[0]);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{0, 2, 1, 0}));
  // Line breaks in quotes count as lines of the file.
  expect_text(Error(ErrorKind::kValue, dataset->name(2)), "größe.csv, line 4");
  expect_text(Error(ErrorKind::kValue, dataset->name(3)), "größe.csv, line 6");
}

TEST_F(CsvTest, NamesCanBeGiven) {
  const DatasetPtr dataset = csv("1,2\n3,4\n", {.names = {"a", "b"}});
  EXPECT_EQ(dataset->size(), 2);
  EXPECT_EQ(number(*dataset, 1, "b"), 4);
  EXPECT_EQ(csv("", {.names = {"a"}})->size(), 0);
  EXPECT_EQ(csv("a,b\n")->size(), 0);
}

TEST_F(CsvTest, NumbersThatAreNotFinite) {
  const DatasetPtr dataset = csv("a\nnan\ninf\n-inf\n3.4e38\n-0\n1e-300\n");
  EXPECT_TRUE(std::isnan(number(*dataset, 0, "a")));
  EXPECT_EQ(number(*dataset, 2, "a"), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::signbit(number(*dataset, 4, "a")));
  EXPECT_EQ(number(*dataset, 5, "a"), 0);
}

TEST_F(CsvTest, BadLinesAreErrorsOfTheirSamples) {
  const std::string_view text = "a,b\n1,2\n3\n5,6,7\n8,x\n,9\n\"1,2\n";
  expect_text(sample_error(text, {}, 1), "line 3, has 1 columns; 2 are expected");
  expect_text(sample_error(text, {}, 2), "line 4, has 3 columns; 2 are expected");
  const Error number = sample_error(text, {}, 3);
  expect_text(number, "line 5, has 'x' in the column 'b'; a number that f32 has is expected");
  EXPECT_EQ(number.fields().line, 5);
  expect_text(sample_error(text, {}, 4), "line 6, has '' in the column 'a'");
  expect_text(sample_error(text, {}, 5), "line 7, has a quoted column that does not end");
  expect_text(sample_error("a\n\"1\"2\n", {}, 0), "quoted column");
  for (const char* bad : {"1e39", "1e400", "0x10", "1 2", "--1", "+-1", "1,", "e", "nanx"}) {
    const std::string line = std::string("a\n\"") + bad + "\"\n";
    (void)sample_error(line, {}, 0);
  }
  const CsvOptions integers{.fields = {{.name = "a", .kind = CsvKind::kInteger}}};
  for (const char* bad : {"9223372036854775808", "1.0", "", "1e3"}) {
    expect_text(sample_error(std::string("a\n\"") + bad + "\"\n", integers, 0), "an integer of 64 bits");
  }
  // The loader leaves them out.
  data::DataLoader loader(csv(text), {.batch = 10, .skip_bad = true});
  testing::internal::CaptureStderr();
  EXPECT_EQ((*loader.next())["a"].to_vector<float>(), (std::vector<float>{1}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("5 samples left out so far"), std::string::npos);
}

/// The values of "a", or -line of samples that are refused.
std::vector<float> values_or_lines(const data::Dataset& dataset) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    try {
      values.push_back(number(dataset, i, "a"));
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
      values.push_back(static_cast<float>(-e.fields().line));
    }
  }
  return values;
}

TEST_F(CsvTest, AQuoteTooManyIsOneBadLine) {
  // Line 3 is bad; it took the rest of the file with it, or the lines up to the next quote.
  const std::vector<float> one_bad{1, -3, 3, 4};
  for (const char* text :
       {"a,b\n1,1\n\"2,2\n3,3\n4,4\n", "a,b\n1,1\n2,\"2\n3,3\n4,4", "a,b\r\n1,1\r\n2,\"2\r\n3,3\r\n4,4\r\n",
        "a,b\n1,1\n\"2,2\n3,3\n4,\"4\"\n", "a,b\n1,1\n\"2,2\n\"3\",3\n\"4\",4\n", "a,b\n1,1\n2,\"\n3,3\n4,4\n",
        "a,b\n1,1\n\"2\"2,2\n\"3\",3\n4,4\n", "a,b\n1,1\n\"2\"\r,\"2\n3,3\n4,4\n"}) {
    const DatasetPtr dataset = csv(text);
    EXPECT_EQ(values_or_lines(*dataset), one_bad) << text;
    expect_text(error_of([&] { (void)dataset->get(1); }), "line 3, has a quoted column that does not end with a quote");
    data::DataLoader loader(dataset, {.batch = 10, .skip_bad = true});
    testing::internal::CaptureStderr();
    EXPECT_EQ((*loader.next())["a"].to_vector<float>(), (std::vector<float>{1, 3, 4})) << text;
    EXPECT_EQ(loader.state().skipped, 1);
    testing::internal::GetCapturedStderr();
  }
  // Lines in front of the bad one, of one record, are lines of their own, and so are those behind it.
  EXPECT_EQ(values_or_lines(*csv("a,b\n1,\"x\ny\"\"\n2,\"z\"z\n3,3\n")), (std::vector<float>{-2, -3, -4, 3}));
  // What is closed in time is one sample, whatever is in the quotes.
  const std::string_view good = "a,b,c\n1,\"x\n\"\"y\r\nz,\",\"\"\r\n2,\"\"\"\",\"\n\"\n";
  const CsvOptions options{
      .fields = {{.name = "a"}, {.name = "b", .kind = CsvKind::kLabel}, {.name = "c", .kind = CsvKind::kLabel}}};
  const DatasetPtr dataset = csv(good, options);
  EXPECT_EQ(values_or_lines(*dataset), (std::vector<float>{1, 2}));
  EXPECT_EQ(dataset->classes().at("b"), (std::vector<std::string>{"\"", "x\n\"y\r\nz,"}));
  EXPECT_EQ(dataset->classes().at("c"), (std::vector<std::string>{"", "\n"}));
  // Quotes that swallow lines and are closed are a record, which says how many lines it has.
  expect_text(sample_error("a,b\n\"1,1\n2,2\n3\",3,3\n", {}, 0), "line 2, has 3 columns in 3 lines; 2 are expected");
}

TEST_F(CsvTest, QuotesInEveryLineTakeLinearTime) {
  // Each line opens a quote that goes on to the end of the file.
  std::string text = "a,b\n";
  for (int i = 0; i < 500000; ++i) text += "x\",\"y\n";
  const DatasetPtr dataset = csv(text);
  EXPECT_EQ(dataset->size(), 500000);
  EXPECT_EQ(sample_error(text, {}, 499999).fields().line, 500001);
}

TEST_F(CsvTest, ManyColumnsTakeLinearTime) {
  constexpr std::int64_t kColumns = 100000;
  std::string text = "c0";
  for (std::int64_t i = 1; i < kColumns; ++i) text += ",c" + std::to_string(i);
  for (int line = 0; line < 8; ++line) {
    text += "\n0";
    for (std::int64_t i = 1; i < kColumns; ++i) text += ",1";
  }
  const DatasetPtr dataset = csv(text);
  for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(dataset->get(i).fields().size(), static_cast<std::size_t>(kColumns));
  EXPECT_EQ(number(*dataset, 7, "c0"), 0);
  const Error none = error_of([&] { (void)csv(text, {.fields = {{.name = "d"}}}); });
  expect_text(none, "has no column 'd'; it has 100000 columns, such as 'c0', 'c1', ");
  EXPECT_LT(std::string_view(none.what()).size(), 1000U);
  // Columns that nobody expects are counted, and not kept.
  expect_text(sample_error("a\n" + std::string(3'000'000, ',') + "\n", {}, 0), "has 3000001 columns; 1 are expected");
  expect_text(open_error(std::string(3'000'000, ',') + "\n"),
              "line 1, has 3000001 columns; at most 1048576 are expected");
}

TEST_F(CsvTest, WhatIsRefusedWhenTheFileIsOpened) {
  expect_text(open_error(""), "has no lines");
  EXPECT_EQ(open_error("\n\n").kind(), ErrorKind::kParse);
  EXPECT_EQ(open_error("\"a\n1\n").kind(), ErrorKind::kParse);
  expect_text(open_error("a,a\n1,2\n"), "two columns with the name 'a'");
  expect_text(open_error("a,b\n1,2\n", {.fields = {{.name = "c"}}}), "has no column 'c'; it has 'a', 'b'");
  EXPECT_EQ(open_error("a\n", {.fields = {{.name = "x", .columns = {"b"}}}}).kind(), ErrorKind::kValue);
  EXPECT_EQ(open_error("a\n", {.fields = {{.name = "a"}, {.name = "a"}}}).kind(), ErrorKind::kValue);
  EXPECT_EQ(open_error("a.b\n1\n").kind(), ErrorKind::kValue);
  EXPECT_EQ(open_error("a,\n1,2\n").kind(), ErrorKind::kValue);
  EXPECT_EQ(open_error("a\n", {.delimiter = '"'}).kind(), ErrorKind::kValue);
  const Error missing = error_of([&] { (void)data::from_csv(folder_ / "no.csv"); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  expect_text(missing, "no.csv");
  EXPECT_EQ(error_of([&] { (void)data::from_csv(folder_); }).kind(), ErrorKind::kIo);
}

TEST_F(CsvTest, AnyBytesAreReadOrRefused) {
  const std::string whole = "a,b,c\n1,\"x\"\"y\",2\r\n3,\"\n\",4\n\n5,z,6";
  const CsvOptions options{.fields = {{.name = "a"}, {.name = "b", .kind = CsvKind::kLabel}, {.name = "c"}}};
  const auto read_all = [&](const std::string& text) {
    int rows = 0;
    try {
      const DatasetPtr dataset = csv(text, options);
      for (std::int64_t i = 0; i < dataset->size(); ++i) {
        try {
          (void)dataset->get(i);
          ++rows;
        } catch (const Error& e) {
          EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
        }
      }
    } catch (const Error& e) {
      EXPECT_TRUE(e.kind() == ErrorKind::kParse || e.kind() == ErrorKind::kValue) << e.what();
    }
    return rows;
  };
  EXPECT_EQ(read_all(whole), 3);
  for (std::size_t size = 0; size < whole.size(); ++size) (void)read_all(whole.substr(0, size));
  std::mt19937 random(5);
  const std::string_view marks = "\",\n\r1a\0\xff";
  for (int i = 0; i < 500; ++i) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = marks[random() % marks.size()];
    (void)read_all(text);
  }
}

TEST_F(CsvTest, FortyThreadsReadOneFile) {
  std::string text = "a\n";
  for (int i = 0; i < 500; ++i) text += std::to_string(i) + "\n";
  const DatasetPtr dataset = csv(text);
  std::atomic<int> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 40; ++t) {
      threads.emplace_back([&] {
        for (std::int64_t i = 0; i < 500; ++i) sum += static_cast<int>(number(*dataset, i, "a"));
      });
    }
  }
  EXPECT_EQ(sum, 40 * 124750);
}

class TokensTest : public DataTest {};

template <class V>
std::string bytes_of_tokens(const std::vector<V>& tokens) {
  return {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(V)};
}

std::vector<std::int32_t> tokens_of(const DatasetPtr& dataset, std::int64_t i, const char* field = "tokens") {
  const Array array = dataset->get(i)[field];
  const auto values = array.values<std::int32_t>();
  return {values.begin(), values.end()};
}

TEST_F(TokensTest, WindowsAndTheirTargets) {
  const fs::path file = write("train.bin", bytes_of_tokens(std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 65535}));
  const DatasetPtr dataset = data::from_tokens(file, {.context = 3});
  ASSERT_EQ(dataset->size(), 2);
  EXPECT_EQ(tokens_of(dataset, 1), (std::vector<std::int32_t>{3, 4, 5}));
  EXPECT_EQ(tokens_of(dataset, 1, "targets"), (std::vector<std::int32_t>{4, 5, 6}));
  const DatasetPtr dense = data::from_tokens(file, {.context = 3, .stride = 1});
  ASSERT_EQ(dense->size(), 5);
  EXPECT_EQ(tokens_of(dense, 4, "targets"), (std::vector<std::int32_t>{5, 6, 65535}));
  EXPECT_EQ(data::from_tokens(file, {.context = 7})->size(), 1);
  EXPECT_EQ(data::from_tokens(file, {.context = 1, .stride = std::numeric_limits<std::int64_t>::max()})->size(), 1);
  expect_text(Error(ErrorKind::kValue, dense->name(4)), "train.bin', tokens 4 to 7");
  EXPECT_EQ(data::from_tokens(file, {.context = 3, .offset = 4})->get(0)["tokens"].values<std::int32_t>()[0], 2);
}

TEST_F(TokensTest, WideTokensAndMemory) {
  const std::vector<std::int32_t> tokens{7, 100000, 2147483647, 0};
  const fs::path file = write("wide.bin", bytes_of_tokens(tokens));
  for (const DType dtype : {i32, u32}) {
    EXPECT_EQ(tokens_of(data::from_tokens(file, {.context = 3, .dtype = dtype}), 0),
              (std::vector<std::int32_t>{7, 100000, 2147483647}));
  }
  EXPECT_EQ(tokens_of(data::from_tokens(tokens, {.context = 2, .stride = 1}), 1, "targets"),
            (std::vector<std::int32_t>{2147483647, 0}));
  // Behind a header of odd length tokens are not aligned.
  const fs::path odd = write("odd.bin", "x" + bytes_of_tokens(tokens));
  EXPECT_EQ(tokens_of(data::from_tokens(odd, {.context = 1, .dtype = i32, .offset = 1}), 1)[0], 100000);
}

TEST_F(TokensTest, TokensOutsideOfTheVocabulary) {
  const DatasetPtr dataset = data::from_tokens({1, 2, 3, 50, 4, 5, 6}, {.context = 2, .vocabulary = 50});
  EXPECT_EQ(dataset->size(), 3);
  EXPECT_EQ(tokens_of(dataset, 0), (std::vector<std::int32_t>{1, 2}));
  const Error e = error_of([&] { (void)dataset->get(1); });
  EXPECT_EQ(e.kind(), ErrorKind::kParse);
  expect_text(e, "has the token 50 at position 3; 0 to 49 is expected");
  EXPECT_EQ(tokens_of(dataset, 2), (std::vector<std::int32_t>{4, 5}));
  EXPECT_EQ(error_of([] { (void)data::from_tokens({1, -1}, {.context = 1})->get(0); }).kind(), ErrorKind::kParse);
  const fs::path file = write("wide.bin", bytes_of_tokens(std::vector<std::uint32_t>{1, 0x80000000U}));
  EXPECT_EQ(error_of([&] { (void)data::from_tokens(file, {.context = 1, .dtype = u32})->get(0); }).kind(),
            ErrorKind::kParse);
}

TEST_F(TokensTest, StreamsThatAreRefused) {
  const auto kind = [&](const std::string& bytes, const data::TokenOptions& options) {
    const Error e = error_of([&] { (void)data::from_tokens(write("t.bin", bytes), options); });
    return e.kind();
  };
  const std::string eight = bytes_of_tokens(std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(kind("", {.context = 1}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 8}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 0}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = std::numeric_limits<std::int64_t>::max()}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 1, .stride = -1}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 1, .vocabulary = -1}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 1, .vocabulary = std::int64_t{1} << 40U}), ErrorKind::kValue);
  EXPECT_EQ(kind(eight, {.context = 1, .dtype = f32}), ErrorKind::kDType);
  EXPECT_EQ(kind(eight, {.context = 1, .offset = 17}), ErrorKind::kParse);
  EXPECT_EQ(kind(eight, {.context = 1, .offset = -1}), ErrorKind::kParse);
  for (std::size_t size = 1; size < eight.size(); size += 2) {
    EXPECT_EQ(kind(eight.substr(0, size), {.context = 1}), ErrorKind::kParse) << size;
  }
  const Error missing = error_of([&] { (void)data::from_tokens(folder_ / "no.bin", {.context = 1}); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  expect_text(missing, "no.bin");
  EXPECT_EQ(error_of([] { (void)data::from_tokens(std::vector<std::int32_t>{}, {.context = 1}); }).kind(),
            ErrorKind::kValue);
}

}  // namespace
}  // namespace tessera::test
