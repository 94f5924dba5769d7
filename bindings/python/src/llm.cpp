// tessera.llm for Python: language models and their contexts.
#include "llm.h"

#include <atomic>

#include "files.h"
#include "tokens.h"

namespace tessera::python {

namespace {

using llm::Generation;
using llm::LanguageModel;
using text::TokenId;

/// A context of Python. One thread at a time uses it: others get an exception instead of a race.
struct SharedContext {
  llm::Context context;
  std::atomic<bool> busy = false;
};
using ContextRef = std::shared_ptr<SharedContext>;

struct PythonContext {
  ContextRef shared;
};

/// The only use of a context, while it lives.
class Use {
 public:
  explicit Use(ContextRef shared) : shared_(std::move(shared)) {
    if (shared_->busy.exchange(true)) {
      throw Error(ErrorKind::kValue,
                  "Context: a generation uses it; wait until that has ended, close its stream, or use a copy.");
    }
  }
  ~Use() { shared_->busy = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  llm::Context& operator*() const { return shared_->context; }
  llm::Context* operator->() const { return &shared_->context; }

 private:
  ContextRef shared_;
};

/// f(context) without the GIL.
template <class F>
auto with(const PythonContext& c, const F& f) {
  const Waiting waiting;
  const Use use(c.shared);
  return f(*use);
}

PythonContext shared(llm::Context context) {
  auto made = std::make_shared<SharedContext>();
  made->context = std::move(context);
  return {std::move(made)};
}

/// A batch of Python, used by one thread at a time too.
struct PythonBatch {
  PythonBatch(LanguageModel of, llm::Batch made) : model(std::move(of)), batch(std::move(made)) {}
  LanguageModel model;
  llm::Batch batch;
  std::atomic<bool> busy = false;

  /// f(batch) without the GIL.
  template <class F>
  auto with(const F& f) {
    const Waiting waiting;
    if (busy.exchange(true)) throw Error(ErrorKind::kValue, "Batch: another thread uses it.");
    const auto unused = [](std::atomic<bool>* b) { *b = false; };
    const std::unique_ptr<std::atomic<bool>, decltype(unused)> use(&busy, unused);
    return f(batch);
  }
};

// ---- To Python ----

nb::list list_of(std::span<const llm::TokenLogprob> top) {
  nb::list out;
  for (const llm::TokenLogprob& t : top) out.append(nb::make_tuple(t.id, t.logprob));
  return out;
}

nb::list list_of(const std::vector<float>& values) {
  nb::list out;
  for (const float v : values) out.append(v);
  return out;
}

template <class Token>
nb::tuple give_token(const Token& t) {
  const nb::object logprob = t.logprob ? nb::cast(*t.logprob) : nb::none();
  return nb::make_tuple(t.sequence, t.id, nb::str(t.text.data(), t.text.size()), logprob, list_of(t.top));
}
nb::tuple give(const KeptToken& t) { return give_token(t); }

nb::dict give(const Generation& g) {
  nb::list top;
  for (const std::vector<llm::TokenLogprob>& t : g.top_logprobs) top.append(list_of(t));
  nb::dict out;
  out["text"] = g.text;
  out["tokens"] = python::list_of(g.tokens);
  out["logprobs"] = list_of(g.logprobs);
  out["top_logprobs"] = top;
  out["finish"] = std::string(llm::name(g.finish));
  out["stop"] = g.stop;
  out["seed"] = g.seed;
  out["prompt_tokens"] = g.prompt_tokens;
  out["reused_tokens"] = g.reused_tokens;
  out["prefill_seconds"] = g.prefill_seconds;
  out["decode_seconds"] = g.decode_seconds;
  out["prefill_rate"] = g.prefill_rate();
  out["decode_rate"] = g.decode_rate();
  return out;
}

nb::list give(const std::vector<Generation>& all) {
  nb::list out;
  for (const Generation& g : all) out.append(give(g));
  return out;
}

nb::dict give(const llm::SamplingOptions& s) {
  nb::dict bias;
  for (const auto& [token, value] : s.logit_bias) bias[nb::cast(token)] = nb::cast(value);
  nb::dict out;
  out["temperature"] = s.temperature;
  out["top_k"] = s.top_k;
  out["top_p"] = s.top_p;
  out["min_p"] = s.min_p;
  out["typical_p"] = s.typical_p;
  out["repetition_penalty"] = s.repetition_penalty;
  out["frequency_penalty"] = s.frequency_penalty;
  out["presence_penalty"] = s.presence_penalty;
  out["logit_bias"] = bias;
  return out;
}

// ---- From Python ----

std::vector<std::string> texts_from(nb::handle h, const char* what, const char* name) {
  std::vector<std::string> out;
  for (nb::handle each : nb::iter(h)) {
    if (!PyUnicode_Check(each.ptr())) {
      raise(PyExc_TypeError, std::string(what) + ": " + name + " is " + text_of(each) + " of type " + kind_text(each) +
                                 "; a str is expected.");
    }
    out.push_back(utf8_from(each, what, name));
  }
  return out;
}

/// A prompt: text, or tokens.
struct Prompt {
  std::optional<std::string> text;
  std::vector<TokenId> tokens;

  [[nodiscard]] std::vector<TokenId> encoded(const LanguageModel& model, bool add_special_tokens) const {
    return text ? model.encode(*text, add_special_tokens) : tokens;
  }
};

Prompt prompt_from(nb::handle h, const char* what) {
  if (PyUnicode_Check(h.ptr())) return {utf8_from(h, what, "the prompt"), {}};
  return {std::nullopt, ids_from(h, what)};
}

/// GenerateOptions of a dict with those that were given.
llm::GenerateOptions options_from(const nb::dict& given, const llm::GenerationDefaults& defaults, const char* what) {
  llm::GenerateOptions out;
  Call call(what);
  const auto at = [&](const char* name) { return given.get(name, nb::none()); };
  const nb::dict sampling = nb::borrow<nb::dict>(given["sampling"]);
  if (nb::len(sampling) > 0) {
    llm::SamplingOptions base = defaults.sampling;
    // Filters mean that tokens are drawn.
    bool drawn = false;
    for (const char* name : {"top_k", "top_p", "min_p", "typical_p"}) drawn = drawn || sampling.contains(name);
    if (drawn && base.temperature == 0) base.temperature = 1;
    out.sampling = sampling_from(sampling, base, what);
  }
  out.max_tokens = call.get<std::optional<std::int64_t>>(at("max_tokens"), "max_tokens");
  if (const nb::object seed = at("seed"); !seed.is_none()) out.seed = seed_from(seed, what);
  if (const nb::object stop = at("stop"); !stop.is_none()) out.stop = texts_from(stop, what, "a stop string");
  if (const nb::object end = at("end_tokens"); !end.is_none()) out.end_tokens = ids_from(end, what);
  out.logprobs = call.get<std::optional<std::int64_t>>(at("logprobs"), "logprobs");
  out.add_special_tokens = nb::cast<bool>(given["add_special_tokens"]);
  out.skip_special_tokens = nb::cast<bool>(given["skip_special_tokens"]);
  return out;
}

// ---- Generations ----

using Job = std::unique_ptr<GenerationThread>;

/// The answer to a prompt, in a context or in one of its own.
Job generate_job(const LanguageModel& model, const PythonContext* context, nb::handle prompt, const nb::dict& given,
                 bool deliver) {
  llm::GenerateOptions options = options_from(given, model.defaults(), "generate");
  // What the thread holds until it has ended.
  auto use = context != nullptr ? std::make_shared<Use>(context->shared) : nullptr;
  return std::make_unique<GenerationThread>(
      [model, use, prompt = prompt_from(prompt, "generate"), options](const llm::OnToken& on_token,
                                                                      const std::stop_token& cancel) mutable {
        options.cancel = cancel;
        const std::vector<TokenId> tokens = prompt.encoded(model, options.add_special_tokens);
        if (use != nullptr) return std::vector{model.generate(**use, tokens, options, on_token)};
        llm::Context own = model.context();
        return std::vector{model.generate(own, tokens, options, on_token)};
      },
      deliver);
}

/// The answer to messages, which are a JSON list: they may have more than roles and contents.
Job chat_job(const LanguageModel& model, const PythonContext& context, nb::handle messages, const std::string& tools,
             const std::string& variables, const nb::dict& given, bool deliver) {
  llm::GenerateOptions options = options_from(given, model.defaults(), "chat");
  auto use = std::make_shared<Use>(context.shared);
  return std::make_unique<GenerationThread>(
      [model, use, json = utf8_from(messages, "chat", "the messages"), tools, variables, options](
          const llm::OnToken& on_token, const std::stop_token& cancel) mutable {
        options.cancel = cancel;
        const text::ChatOptions chat{.add_generation_prompt = true, .tools = tools, .variables = variables};
        // The template has written the special tokens.
        const std::vector<TokenId> tokens = model.encode(model.chat_template().apply(json, chat), false);
        return std::vector{model.generate(**use, tokens, options, on_token)};
      },
      deliver);
}

Job batch_job(const LanguageModel& model, nb::handle prompts, const nb::dict& given, bool deliver) {
  llm::GenerateOptions options = options_from(given, model.defaults(), "generate_batch");
  std::vector<Prompt> all;
  for (nb::handle each : nb::iter(prompts)) all.push_back(prompt_from(each, "generate_batch"));
  return std::make_unique<GenerationThread>(
      [model, all = std::move(all), options](const llm::OnToken& on_token, const std::stop_token& cancel) mutable {
        options.cancel = cancel;
        std::vector<std::vector<TokenId>> tokens;
        tokens.reserve(all.size());
        for (const Prompt& p : all) tokens.push_back(p.encoded(model, options.add_special_tokens));
        return model.generate_batch(tokens, options, on_token);
      },
      deliver);
}

/// Runs a generation to its end, on_token on this thread; what that raises cancels it.
nb::list finished(const Job& job, nb::handle on_token) {
  while (const std::optional<KeptToken> token = job->next()) on_token(give(*token));
  const std::optional<std::vector<Generation>> result = job->result();
  return result ? give(*result) : nb::list();
}

llm::Perplexity perplexity(const LanguageModel& model, nb::handle text, std::int64_t context, std::int64_t stride) {
  std::optional<llm::Perplexity> out;
  GenerationThread thread(
      [&out, model, prompt = prompt_from(text, "perplexity"), context, stride](const llm::OnToken&,
                                                                               const std::stop_token& cancel) {
        out = model.perplexity(prompt.encoded(model, true), {.context = context, .stride = stride, .cancel = cancel});
        return std::vector<Generation>();
      },
      false);
  thread.next();
  return out.value();
}

LanguageModel load_model(const nb::bytes& path, nb::handle device, nb::handle dtype, std::int64_t context,
                         nb::handle cache_dtype, std::uint64_t memory, nb::handle progress) {
  const std::filesystem::path file = path_from(path);
  const auto dtype_of = [](nb::handle h, const char* what) {
    return h.is_none() ? std::nullopt : std::optional(dtype_from(h, what));
  };
  const llm::LanguageModelOptions options{.device = device_from(device, "load"),
                                          .dtype = dtype_of(dtype, "load: the argument 'dtype'"),
                                          .context = context,
                                          .cache_dtype = dtype_of(cache_dtype, "load: the argument 'cache_dtype'"),
                                          .memory = memory,
                                          .progress = progress_from(progress)};
  const Waiting waiting;
  return LanguageModel::load(file, options);
}

void bind_context(nb::module_& m) {
  nb::class_<PythonContext>(m, "_Context")
      .def_prop_ro("tokens",
                   [](const PythonContext& c) {
                     return python::list_of(with(c, [](const llm::Context& x) { return x.tokens(); }));
                   })
      .def_prop_ro("size",
                   [](const PythonContext& c) { return with(c, [](const llm::Context& x) { return x.size(); }); })
      // Never changes.
      .def_prop_ro("capacity", [](const PythonContext& c) { return c.shared->context.capacity(); })
      .def("truncate",
           [](const PythonContext& c, nb::handle count) {
             const std::int64_t n = Call("truncate").get<std::int64_t>(count, "count");
             with(c, [n](llm::Context& x) { x.truncate(n); });
           })
      .def("save",
           [](const PythonContext& c, const nb::bytes& path, const nb::dict& notes) {
             const std::filesystem::path file = path_from(path);
             llm::Context::Notes about;
             for (const auto& [key, value] : notes) {
               about[utf8_from(key, "save", "the key")] = utf8_from(value, "save", "the note");
             }
             with(c, [&](const llm::Context& x) { x.save(file, about); });
           })
      .def("restore",
           [](const PythonContext& c, const nb::bytes& path) {
             const std::filesystem::path file = path_from(path);
             nb::dict out;
             for (const auto& [key, value] : with(c, [&](llm::Context& x) { return x.restore(file); })) {
               out[nb::cast(key)] = nb::cast(value);
             }
             return out;
           })
      .def("copy", [](const PythonContext& c) { return shared(with(c, [](const llm::Context& x) { return x; })); });
}

void bind_batch(nb::module_& m) {
  nb::class_<PythonBatch>(m, "_Batch")
      .def("add",
           [](PythonBatch& b, nb::handle prompt, const nb::dict& given) {
             const llm::GenerateOptions options = options_from(given, b.model.defaults(), "add");
             const Prompt own = prompt_from(prompt, "add");
             return b.with(
                 [&](llm::Batch& x) { return x.add(own.encoded(b.model, options.add_special_tokens), options); });
           })
      .def("step",
           [](PythonBatch& b) {
             const llm::BatchStep step = b.with([](llm::Batch& x) { return x.step(); });
             nb::list tokens;
             for (const llm::GeneratedToken& t : step.tokens) tokens.append(give_token(t));
             nb::list finished;
             for (const std::size_t id : step.finished) finished.append(id);
             return nb::make_tuple(tokens, finished);
           })
      .def("remove",
           [](PythonBatch& b, nb::handle sequence) {
             const auto id = Call("remove").get<std::int64_t>(sequence, "sequence");
             return give(b.with([&](llm::Batch& x) { return x.remove(static_cast<std::size_t>(id)); }));
           })
      .def_prop_ro("running", [](PythonBatch& b) { return b.with([](llm::Batch& x) { return x.running(); }); })
      .def_prop_ro("waiting", [](PythonBatch& b) { return b.with([](llm::Batch& x) { return x.waiting(); }); })
      .def_prop_ro("capacity", [](const PythonBatch& b) { return b.batch.capacity(); })
      .def_prop_ro("free_tokens", [](PythonBatch& b) { return b.with([](llm::Batch& x) { return x.free_tokens(); }); });
}

void bind_language_model(nb::module_& m) {
  nb::class_<LanguageModel>(m, "_LanguageModel")
      .def_prop_ro("config", [](const LanguageModel& l) { return l.config(); })
      .def_prop_ro("defaults",
                   [](const LanguageModel& l) {
                     const llm::GenerationDefaults& d = l.defaults();
                     return nb::make_tuple(give(d.sampling), d.sampled, python::list_of(d.end_tokens));
                   })
      .def_prop_ro("has_tokenizer", &LanguageModel::has_tokenizer)
      .def_prop_ro("has_chat_template", &LanguageModel::has_chat_template)
      .def_prop_ro("tokenizer", [](const LanguageModel& l) { return l.tokenizer(); })
      .def_prop_ro("chat_template", [](const LanguageModel& l) { return l.chat_template(); })
      .def_prop_ro("traces", &LanguageModel::traces)
      .def(
          "context",
          [](const LanguageModel& l, nb::handle capacity) {
            const std::int64_t n = capacity.is_none() ? 0 : Call("context").get<std::int64_t>(capacity, "capacity");
            if (n == 0 && !capacity.is_none()) raise(PyExc_ValueError, "context: a capacity of 0 was given.");
            const Waiting waiting;
            return shared(l.context(n));
          },
          nb::arg("capacity").none())
      .def(
          "batch",
          [](const LanguageModel& l, std::int64_t sequences, std::int64_t context, std::int64_t tokens,
             std::int64_t page_size, std::int64_t chunk) {
            const Waiting waiting;
            return new PythonBatch(l, l.batch({sequences, context, tokens, page_size, chunk}));
          },
          nb::rv_policy::take_ownership)
      .def("encode",
           [](const LanguageModel& l, nb::handle text, bool add_special_tokens) {
             const std::string utf8 = texts_from(nb::make_tuple(text), "encode", "the text")[0];
             const auto ids = [&] {
               const nb::gil_scoped_release release;
               return l.encode(utf8, add_special_tokens);
             }();
             return python::list_of(ids);
           })
      .def(
          "generate",
          [](const LanguageModel& l, const PythonContext* context, nb::handle prompt, const nb::dict& options,
             nb::handle on_token) {
            return finished(generate_job(l, context, prompt, options, !on_token.is_none()), on_token);
          },
          nb::arg("context").none(), nb::arg("prompt"), nb::arg("options"), nb::arg("on_token").none())
      .def(
          "chat",
          [](const LanguageModel& l, const PythonContext& context, nb::handle messages, const std::string& tools,
             const std::string& variables, const nb::dict& options, nb::handle on_token) {
            const bool deliver = !on_token.is_none();
            return finished(chat_job(l, context, messages, tools, variables, options, deliver), on_token);
          },
          nb::arg("context"), nb::arg("messages"), nb::arg("tools"), nb::arg("variables"), nb::arg("options"),
          nb::arg("on_token").none())
      .def(
          "generate_batch",
          [](const LanguageModel& l, nb::handle prompts, const nb::dict& options, nb::handle on_token) {
            return finished(batch_job(l, prompts, options, !on_token.is_none()), on_token);
          },
          nb::arg("prompts"), nb::arg("options"), nb::arg("on_token").none())
      .def(
          "stream",
          [](const LanguageModel& l, const PythonContext* context, nb::handle prompt, const nb::dict& options) {
            return generate_job(l, context, prompt, options, true).release();
          },
          nb::arg("context").none(), nb::arg("prompt"), nb::arg("options"), nb::rv_policy::take_ownership)
      .def(
          "stream_chat",
          [](const LanguageModel& l, const PythonContext& context, nb::handle messages, const std::string& tools,
             const std::string& variables, const nb::dict& options) {
            return chat_job(l, context, messages, tools, variables, options, true).release();
          },
          nb::rv_policy::take_ownership)
      .def("logprobs",
           [](const LanguageModel& l, nb::handle tokens) {
             const std::vector<TokenId> ids = ids_from(tokens, "logprobs");
             const auto values = [&] {
               const Waiting waiting;
               return l.logprobs(ids);
             }();
             return list_of(values);
           })
      .def("perplexity",
           [](const LanguageModel& l, nb::handle text, std::int64_t context, std::int64_t stride) {
             const llm::Perplexity p = perplexity(l, text, context, stride);
             return nb::make_tuple(p.value, p.nll, p.tokens, p.windows);
           })
      .def("embed", [](const LanguageModel& l, nb::handle texts) {
        const std::vector<std::string> all = texts_from(texts, "embed", "a text");
        Tensor out;
        {
          const Waiting waiting;
          out = l.embed(all);
        }
        return python::give(std::move(out));
      });
  m.def("_llm_load", &load_model, nb::arg("path"), nb::arg("device").none(), nb::arg("dtype").none(),
        nb::arg("context"), nb::arg("cache_dtype").none(), nb::arg("memory"), nb::arg("progress").none());
  m.def("_llm_load_tokenizer", [](const nb::bytes& path) {
    const std::filesystem::path file = path_from(path);
    const Waiting waiting;
    return llm::load_tokenizer(file);
  });
}

}  // namespace

llm::SamplingOptions sampling_from(const nb::dict& given, llm::SamplingOptions base, const char* what) {
  Call call(what);
  const auto number = [&](const char* name, double& to) {
    if (given.contains(name)) to = call.get<double>(given[name], name);
  };
  number("temperature", base.temperature);
  number("top_p", base.top_p);
  number("min_p", base.min_p);
  number("typical_p", base.typical_p);
  number("repetition_penalty", base.repetition_penalty);
  number("frequency_penalty", base.frequency_penalty);
  number("presence_penalty", base.presence_penalty);
  if (given.contains("top_k")) base.top_k = call.get<std::int64_t>(given["top_k"], "top_k");
  if (given.contains("logit_bias")) {
    const nb::object bias = given["logit_bias"];
    if (!PyDict_Check(bias.ptr())) {
      raise(PyExc_TypeError, std::string(what) + ": the argument 'logit_bias' is " + text_of(bias) + " of type " +
                                 kind_text(bias) + "; a dict of numbers by token is expected.");
    }
    base.logit_bias.clear();
    for (const auto& [token, value] : nb::borrow<nb::dict>(bias)) {
      base.logit_bias.emplace_back(call.get<std::int64_t>(token, "logit_bias"), call.get<double>(value, "logit_bias"));
    }
  }
  return base;
}

std::uint32_t seed_from(nb::handle h, const char* what) {
  const std::int64_t seed = Call(what).get<std::int64_t>(h, "seed");
  if (!std::in_range<std::uint32_t>(seed)) {
    raise(PyExc_ValueError, std::string(what) + ": the argument 'seed' is " + std::to_string(seed) +
                                "; from 0 to 4294967295 is expected.");
  }
  return static_cast<std::uint32_t>(seed);
}

void bind_llm(nb::module_& m) {
  bind_llm_models(m);
  bind_context(m);
  bind_batch(m);
  nb::class_<GenerationThread>(m, "_TokenStream")
      .def("next",
           [](GenerationThread& t) -> nb::object {
             const std::optional<KeptToken> token = t.next();
             return token ? nb::object(give(*token)) : nb::none();
           })
      .def("close", &GenerationThread::close)
      .def("result", [](GenerationThread& t) -> nb::object {
        const std::optional<std::vector<Generation>> result = t.result();
        return result ? nb::object(give(result->at(0))) : nb::none();
      });
  bind_language_model(m);
}

}  // namespace tessera::python
