// Targets of data sets and of runs: CSV files, images, the files of a training run and the index of shards.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "data/csv_lines.h"
#include "io/fuzz/targets.h"
#include "io/safetensors/safetensors_shards.h"
#include "tessera/data/image.h"
#include "tessera/io.h"
#include "tessera/tessera.h"
#include "tessera/train/log.h"
#include "tessera/train/run_file.h"

namespace tessera::fuzz {

namespace {

namespace fs = std::filesystem;

/// Every byte is in one record, in order, and so is every line break.
void check_records(std::string_view text) {
  data::CsvRecords records(text, 0, ',');
  std::size_t at = 0;
  std::size_t breaks = 0;
  while (const std::optional<data::CsvRecord> record = records.next()) {
    expect(record->begin == at && record->end >= at && record->end <= text.size(), "a record outside of the text");
    const std::string_view inside = text.substr(at, record->end - at);
    if (inside.find('\n') != std::string_view::npos) {
      expect(data::csv_fields(inside, ',', 4).has_value(), "a bad record of several lines");
    }
    at = record->end;
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size()) expect(text[at++] == '\n', "a record that does not end with its line");
    breaks += record->breaks;
  }
  expect(at == text.size(), "records that end in front of the text");
  const auto all = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  expect(breaks == all || (breaks == all + 1 && !text.ends_with('\n')), "other line breaks");
}

/// Two shards with three tensors, beside which the index is.
struct Shards {
  Shards() {
    const Device cpu = Device::create({.device = "cpu"});
    const Tensor one = Tensor(std::vector<float>{1}, {1}, cpu);
    io::save_safetensors(folder.path() / "a", Tree{{"x", one}, {"y", one}});
    io::save_safetensors(folder.path() / "b", Tree{{"z", one}});
  }
  TemporaryFolder folder;
};

}  // namespace

void csv(std::span<const std::byte> bytes) {
  check_records(text_of(bytes));
  const std::vector<data::CsvOptions> options{
      {},
      {.names = {"a", "b"}, .fields = {{.name = "a", .kind = data::CsvKind::kInteger}, {.name = "b"}}},
      {.delimiter = ';', .names = {"a"}, .fields = {{.name = "a", .kind = data::CsvKind::kLabel}}}};
  for (const data::CsvOptions& o : options) {
    refused(
        [&] {
          const data::DatasetPtr dataset = data::csv_dataset({bytes, nullptr, false}, "fuzz", o);
          for (std::int64_t i = 0; i < dataset->size(); ++i) {
            refused(
                [&] {
                  const data::Sample sample = dataset->get(i);
                  for (const auto& [name, array] : sample.fields()) {
                    expect(array.shape() == Shape() && array.bytes().size() == size_of(array.dtype()), "no number");
                  }
                },
                {ErrorKind::kParse});
          }
        },
        {ErrorKind::kParse, ErrorKind::kValue});
  }
}

void pnm(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  if (text.starts_with("\x89P") || text.starts_with("\xff\xd8")) return;  // of the library tessera_image
  for (const int channels : {0, 1, 3, 4}) {
    refused(
        [&] {
          const data::Array image = data::decode_image(bytes, "fuzz", {.channels = channels, .max_bytes = 1U << 16U});
          expect(image.dtype() == u8 && image.shape().rank() == 3, "no image");
          expect(image.shape()[2] == channels || (channels == 0 && (image.shape()[2] == 1 || image.shape()[2] == 3)),
                 "other channels");
        },
        {ErrorKind::kParse, ErrorKind::kLimit});
  }
}

void run_file(std::span<const std::byte> bytes) {
  refused(
      [&] {
        const auto run = train::RunFile::parse(text_of(bytes), "fuzz");
        expect(run.run.step >= 0, "a step below 0");
        // What was parsed is written and parsed again.
        const std::string text = run.text();
        const auto again = train::RunFile::parse(text, "fuzz");
        expect(again.text() == text && again.run.step == run.run.step && again.run.values == run.run.values &&
                   again.files.size() == run.files.size() && again.maximize == run.maximize,
               "another run");
      },
      {ErrorKind::kParse});
}

void log(std::span<const std::byte> bytes) {
  static const TemporaryFolder folder;
  write_file(folder.path() / "log.jsonl", text_of(bytes));
  refused(
      [&] {
        const std::vector<train::LogLine> lines = train::read_log(folder.path());
        expect(lines.size() <= static_cast<std::size_t>(std::ranges::count(text_of(bytes), '\n')),
               "lines that are not there");
        for (const train::LogLine& line : lines) {
          expect(!line.kind.empty() && is_utf8(line.kind) && is_utf8(line.text), "a line without a kind");
        }
      },
      {ErrorKind::kParse});
}

void shards(std::span<const std::byte> bytes) {
  static const Shards files;
  const fs::path index = files.folder.path() / "index.json";
  write_file(index, text_of(bytes));
  refused(
      [&] {
        const io::SafetensorsShards all(index);
        for (const io::SafetensorsShards::Part& part : all.parts()) {
          expect(part.file < all.files().size() && all.entry(part).name == part.name, "another tensor");
        }
      },
      {ErrorKind::kParse, ErrorKind::kIo});
}

}  // namespace tessera::fuzz
