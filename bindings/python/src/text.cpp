// tessera.text for Python: tokenizers, streaming decoders, chat templates, and vocabularies of GGUF files.
#include <tessera/text.h>

#include "tokens.h"

namespace tessera::python {

namespace {

using text::ChatTemplate;
using text::StreamDecoder;
using text::TokenId;
using text::Tokenizer;

/// UTF-8 of a str, or bytes as they are. The view is valid while the object is.
std::string_view utf8_from(nb::handle h, const char* what, const char* name) {
  if (PyBytes_Check(h.ptr())) {
    const auto bytes = nb::borrow<nb::bytes>(h);
    return {bytes.c_str(), bytes.size()};
  }
  if (!PyUnicode_Check(h.ptr())) {
    raise(PyExc_TypeError, std::string(what) + ": " + name + " is " + kind_text(h) + "; a str is expected.");
  }
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(h.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    raise(PyExc_ValueError, std::string(what) + ": " + name + " has surrogates, which no UTF-8 text has.");
  }
  return {data, static_cast<std::size_t>(size)};
}

TokenId id_from(nb::handle h, const char* what) {
  const std::int64_t id = integer_from(h, what, "id");
  if (id < 0 || id > std::int64_t{0xFFFFFFFF}) {
    raise(PyExc_ValueError,
          std::string(what) + ": the id " + std::to_string(id) + " was given; 0 to 2^32 - 1 is expected.");
  }
  return static_cast<TokenId>(id);
}

}  // namespace

std::vector<TokenId> ids_from(nb::handle h, const char* what) {
  std::vector<TokenId> out;
  for (nb::handle each : nb::iter(h)) out.push_back(id_from(each, what));
  return out;
}

nb::list list_of(const std::vector<TokenId>& ids) {
  nb::list out;
  for (const TokenId id : ids) out.append(id);
  return out;
}

namespace {

/// Offsets in characters, as those of Python's strings are; a token that ends inside a character ends before it.
nb::list character_offsets(std::string_view text, const std::vector<std::pair<std::size_t, std::size_t>>& offsets) {
  std::vector<std::size_t> characters(text.size() + 1);  // that begin before each byte
  for (std::size_t i = 0; i < text.size(); ++i) {
    characters[i + 1] = characters[i] + ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80 ? 1 : 0);
  }
  nb::list out;
  for (const auto& [begin, end] : offsets) out.append(nb::make_tuple(characters.at(begin), characters.at(end)));
  return out;
}

std::optional<TokenId> optional_id(nb::handle values, const char* name) {
  const nb::object value = nb::borrow<nb::dict>(values).get(name, nb::none());
  return value.is_none() ? std::nullopt : std::optional(id_from(value, "tokenizer_json"));
}

std::optional<bool> optional_flag(nb::handle values, const char* name) {
  const nb::object value = nb::borrow<nb::dict>(values).get(name, nb::none());
  return value.is_none() ? std::nullopt : std::optional(nb::cast<bool>(value));
}

/// A GgufVocabulary of a dict with its members.
text::GgufVocabulary vocabulary_from(const nb::dict& values) {
  constexpr const char* kWhat = "tokenizer_json";
  text::GgufVocabulary out;
  const auto texts = [&](const char* name) {
    std::vector<std::string> list;
    for (nb::handle each : nb::iter(values[name])) list.emplace_back(utf8_from(each, kWhat, name));
    return list;
  };
  out.model = utf8_from(values["model"], kWhat, "model");
  out.pre = utf8_from(values["pre"], kWhat, "pre");
  out.tokens = texts("tokens");
  out.merges = texts("merges");
  for (nb::handle each : nb::iter(values["scores"])) out.scores.push_back(nb::cast<float>(each));
  for (nb::handle each : nb::iter(values["token_type"])) {
    out.token_type.push_back(static_cast<std::int32_t>(integer_from(each, kWhat, "token_type")));
  }
  out.bos = optional_id(values, "bos");
  out.eos = optional_id(values, "eos");
  out.unknown = optional_id(values, "unknown");
  out.separator = optional_id(values, "separator");
  out.padding = optional_id(values, "padding");
  out.cls = optional_id(values, "cls");
  out.mask = optional_id(values, "mask");
  out.add_bos = optional_flag(values, "add_bos");
  out.add_eos = optional_flag(values, "add_eos");
  out.add_space_prefix = optional_flag(values, "add_space_prefix");
  out.remove_extra_whitespaces = optional_flag(values, "remove_extra_whitespaces");
  out.precompiled_charsmap = utf8_from(values["precompiled_charsmap"], kWhat, "precompiled_charsmap");
  return out;
}

void bind_tokenizer(nb::module_& m) {
  nb::class_<Tokenizer>(m, "Tokenizer", "A tokenizer of Hugging Face's format, tokenizer.json.")
      .def("__init__",
           [](Tokenizer* self, const nb::bytes& path) {
             const std::string file(path.c_str(), path.size());
             const nb::gil_scoped_release release;
             new (self) Tokenizer(std::filesystem::path(file));
           })
      .def_static("_from_json",
                  [](nb::handle json) { return Tokenizer::from_json(utf8_from(json, "Tokenizer", "the JSON text")); })
      .def("_encode",
           [](const Tokenizer& t, nb::handle text, bool add_special_tokens) {
             const std::string_view utf8 = utf8_from(text, "encode", "the text");
             std::vector<TokenId> ids;
             {
               const nb::gil_scoped_release release;
               ids = t.encode(utf8, {add_special_tokens});
             }
             return list_of(ids);
           })
      .def("_encode_with_offsets",
           [](const Tokenizer& t, nb::handle text, bool add_special_tokens) {
             const std::string_view utf8 = utf8_from(text, "encode_with_offsets", "the text");
             text::Encoding encoding;
             {
               const nb::gil_scoped_release release;
               encoding = t.encode_with_offsets(utf8, {add_special_tokens});
             }
             return nb::make_tuple(list_of(encoding.ids), character_offsets(utf8, encoding.offsets));
           })
      .def("_decode",
           [](const Tokenizer& t, nb::handle ids, bool skip_special_tokens) {
             const std::vector<TokenId> all = ids_from(ids, "decode");
             const nb::gil_scoped_release release;
             return t.decode(all, {skip_special_tokens});
           })
      .def("_token_to_id",
           [](const Tokenizer& t, nb::handle token) -> nb::object {
             const std::optional<TokenId> id = t.token_to_id(utf8_from(token, "token_to_id", "the token"));
             return id ? nb::cast(*id) : nb::none();
           })
      .def("_id_to_token",
           [](const Tokenizer& t, nb::handle id) -> nb::object {
             const std::optional<std::string> token = t.id_to_token(id_from(id, "id_to_token"));
             return token ? nb::cast(*token) : nb::none();
           })
      .def("_is_special", [](const Tokenizer& t, nb::handle id) { return t.is_special(id_from(id, "is_special")); })
      .def_prop_ro("vocab_size", [](const Tokenizer& t) { return t.vocab_size(); })
      .def_prop_ro("special_tokens", [](const Tokenizer& t) { return list_of(t.special_tokens()); });
}

}  // namespace

void bind_text(nb::module_& m) {
  bind_tokenizer(m);
  nb::class_<StreamDecoder>(m, "_StreamDecoder")
      .def("__init__", [](StreamDecoder* self, const Tokenizer& tokenizer,
                          bool skip_special_tokens) { new (self) StreamDecoder(tokenizer, {skip_special_tokens}); })
      .def("push", [](StreamDecoder& d, nb::handle id) { return d.push(id_from(id, "push")); })
      .def("finish", &StreamDecoder::finish);
  nb::class_<ChatTemplate>(m, "_ChatTemplate")
      .def("__init__",
           [](ChatTemplate* self, nb::handle source, const std::string& bos_token, const std::string& eos_token) {
             new (self) ChatTemplate(utf8_from(source, "ChatTemplate", "the template"), bos_token, eos_token);
           })
      .def_static(
          "from_folder",
          [](const nb::bytes& folder) { return ChatTemplate::from_folder(std::string(folder.c_str(), folder.size())); })
      .def("apply", [](const ChatTemplate& t, nb::handle messages, bool add_generation_prompt, const std::string& tools,
                       const std::string& variables) {
        const std::string_view json = utf8_from(messages, "apply", "the messages");
        const nb::gil_scoped_release release;
        return t.apply(json, {add_generation_prompt, tools, variables});
      });
  m.def("_tokenizer_json", [](const nb::dict& values) { return text::tokenizer_json(vocabulary_from(values)); });
  m.def("_text_library", [] {
    const text::LibraryInfo info = text::library();
    return nb::make_tuple(info.path, info.version, info.error);
  });
}

}  // namespace tessera::python
