"""Language models: text from a prompt, chats, embeddings and scores, with the words of tessera/llm.h.

The GIL is released while a model computes. Ctrl-C and exceptions of callbacks cancel a generation.
"""

from __future__ import annotations

import atexit
import dataclasses
import os
import weakref
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence

from tessera import _core
from tessera._core import DType, Tensor
from tessera._errors import ArgumentError, ArgumentTypeError
from tessera._module import Module
from tessera.nn._native import Native
from tessera.text import ChatTemplate, Tokenizer, _ids, _json, _path

Config = _core.Config
LayerConfig = _core.LayerConfig
ExpertsConfig = _core.ExpertsConfig
Rope = _core.Rope


class TokenLogprob(NamedTuple):
    """A token and its log-probability."""

    id: int
    logprob: float


class GeneratedToken(NamedTuple):
    """A token of an answer, when it is known."""

    sequence: int
    """The position of its prompt in generate_batch(), or its number in a Batch."""
    id: int
    text: str
    """What is new: whole characters, and nothing that may become a stop string. The texts together are Generation.text."""
    logprob: float | None
    """With logprobs=n."""
    top: list[TokenLogprob]
    """The n most likely tokens, in descending order."""


@dataclasses.dataclass(frozen=True)
class Generation:
    """An answer, how it ended, and how long it took."""

    text: str
    tokens: list[int]
    """With the end token, and those of the stop string."""
    logprobs: list[float]
    top_logprobs: list[list[TokenLogprob]]
    finish: str
    """"stop": an end token or a stop string; "length": max_tokens, or the context is full; "cancelled"."""
    stop: str
    """The stop string that ended it."""
    seed: int
    """With which the same tokens are chosen again."""
    prompt_tokens: int
    reused_tokens: int
    """Of the prompt's tokens, those that the context had."""
    prefill_seconds: float
    decode_seconds: float
    prefill_rate: float
    """Tokens per second: of the prompt's that were computed."""
    decode_rate: float
    """Of the answer's behind the first."""

    def __str__(self) -> str:
        return self.text


class Perplexity(NamedTuple):
    """exp of the mean of the negative log-probabilities of a text's tokens, their sum, and how many there are."""

    value: float
    nll: float
    tokens: int
    windows: int


class GenerationDefaults(NamedTuple):
    """What the files of a model say about generation."""

    sampling: dict[str, Any]
    """Keywords of generate(); greedy (temperature 0) if the files say nothing."""
    sampled: bool
    """Whether they say how to sample."""
    end_tokens: list[int]


def _token(values: tuple[Any, ...]) -> GeneratedToken:
    sequence, id, text, logprob, top = values
    return GeneratedToken(sequence, id, text, logprob, [TokenLogprob(*t) for t in top])


def _generation(values: dict[str, Any]) -> Generation:
    values["top_logprobs"] = [[TokenLogprob(*t) for t in top] for top in values["top_logprobs"]]
    return Generation(**values)


_SAMPLING = ("temperature", "top_k", "top_p", "min_p", "typical_p", "repetition_penalty", "frequency_penalty", "presence_penalty", "logit_bias")


def _sampling(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in _SAMPLING if given[name] is not None}


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a generation, of the local variables of a method."""
    stop = given["stop"]
    if isinstance(stop, (bytes, Mapping)) or not hasattr(stop, "__iter__"):
        raise ArgumentTypeError(f"generate: the argument 'stop' is {stop!r} of type {type(stop).__name__}; a str or a list of them is expected.")
    end = given["end_tokens"]
    return dict(sampling=_sampling(given), max_tokens=given["max_tokens"], seed=given["seed"], stop=[stop] if isinstance(stop, str) else list(stop),
                end_tokens=None if end is None else _ids(end, "generate"), logprobs=given["logprobs"],
                add_special_tokens=bool(given["add_special_tokens"]), skip_special_tokens=bool(given["skip_special_tokens"]))


def _callback(on_token: Callable[[GeneratedToken], Any] | None) -> Callable[[tuple[Any, ...]], Any] | None:
    if on_token is None:
        return None
    if not callable(on_token):
        raise ArgumentTypeError(f"generate: the argument 'on_token' is {on_token!r} of type {type(on_token).__name__}; a function is expected.")
    return lambda values: on_token(_token(values))


def _prompt(prompt: Any, what: str) -> Any:
    return prompt if isinstance(prompt, str) else _ids(prompt, what)


def _many(given: Any, what: str, name: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise ArgumentTypeError(f"{what}: the argument '{name}' is {given!r} of type {type(given).__name__}; a list is expected.")
    return list(given)


def _messages(messages: Any) -> str:
    rows = _many(messages, "chat", "messages")
    for i, message in enumerate(rows):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise ArgumentTypeError(f"chat: message {i} is {message!r}; a dict with a str 'role' and a 'content' is expected.")
    return _json([dict(m) for m in rows], "messages")


def _chat_options(tools: Any, variables: Mapping[str, Any] | None) -> tuple[str, str]:
    return "" if tools is None else _json(list(tools), "tools"), _json(dict(variables), "variables") if variables else ""


class Context:
    """The tokens that a model has seen, with the cache of their keys and values. LanguageModel.context() makes one.

    Of a prompt, the tokens that it has in common with the context are not computed again. One thread at a time may use it; while a
    generation or an open stream does, everything else here is an ArgumentError.
    """

    def __init__(self, core: _core._Context) -> None:
        if not isinstance(core, _core._Context):
            raise ArgumentTypeError("Context: LanguageModel.context() makes one.")
        self._core = core

    @property
    def tokens(self) -> list[int]:
        """The tokens whose keys and values are in the cache. The last token of an answer may not be among them."""
        return self._core.tokens

    @property
    def capacity(self) -> int:
        """The most tokens that it has room for."""
        return self._core.capacity

    def __len__(self) -> int:
        return self._core.size

    def __bool__(self) -> bool:
        return True

    def truncate(self, count: int) -> None:
        """Forgets all but the first `count` tokens."""
        self._core.truncate(count)

    def clear(self) -> None:
        """Forgets all tokens."""
        self._core.truncate(0)

    def save(self, file: str | os.PathLike[str], notes: Mapping[str, str] | None = None) -> None:
        """Writes tokens, keys and values as a safetensors file, with notes of the caller in its metadata."""
        notes = dict(notes or {})
        for key, value in notes.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise ArgumentTypeError(f"save: the note {key!r}: {value!r} was given; a str for a str is expected.")
        self._core.save(_path(file, "save"), notes)

    def restore(self, file: str | os.PathLike[str]) -> dict[str, str]:
        """Replaces the tokens by those of a file, and returns its notes. If the file is of another model, the context is as it was."""
        return self._core.restore(_path(file, "restore"))

    def copy(self) -> Context:
        """A fork: both continue on their own."""
        return Context(self._core.copy())

    def __copy__(self) -> Context:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Context:
        return self.copy()

    def __repr__(self) -> str:
        return f"Context(capacity={self.capacity})"


_streams: weakref.WeakSet[TokenStream] = weakref.WeakSet()


@atexit.register
def _close_streams() -> None:
    for stream in list(_streams):
        stream.close()


class TokenStream:
    """An iterator over the tokens of an answer, which is computed as they are asked for.

    The generation ends with the stream: at its last token, with close() or a with statement, or when nothing refers to it any more, as
    after a for loop that was left early. The context then has what was computed.
    """

    def __init__(self, core: _core._TokenStream) -> None:
        self._core = core
        self._result: Generation | None = None
        _streams.add(self)

    def __iter__(self) -> Iterator[GeneratedToken]:
        return self

    def __next__(self) -> GeneratedToken:
        values = self._core.next()
        if values is None:
            raise StopIteration
        return _token(values)

    def close(self) -> None:
        """Cancels the generation, and waits until it has ended."""
        self._core.close()

    def __enter__(self) -> TokenStream:
        return self

    def __exit__(self, *args: Any) -> None:
        self.close()

    @property
    def generation(self) -> Generation | None:
        """The answer as a whole, once the stream has ended or was closed; None before that."""
        if self._result is None:
            values = self._core.result()
            self._result = None if values is None else _generation(values)
        return self._result


class BatchStep(NamedTuple):
    """What is new after Batch.step()."""

    tokens: list[GeneratedToken]
    """Of the running sequences, one of each at most."""
    finished: list[int]
    """Sequences that have ended: Batch.remove() has their generations."""


class Batch:
    """Sequences that are generated together, each with its own prompt and options: LanguageModel.batch() makes one.

    They join at any time, and leave when they end or are removed. A sequence gets the tokens that it would get alone. Without a free place or
    enough free memory it waits, in the order of add(). One thread at a time may use a batch.

    >>> batch = model.batch(sequences=16)  # doctest: +SKIP
    >>> batch.add("Water boils at", max_tokens=20)  # doctest: +SKIP
    0
    >>> while not batch.empty:  # doctest: +SKIP
    ...     tokens, finished = batch.step()
    ...     answers = {i: batch.remove(i) for i in finished}
    """

    def __init__(self, core: _core._Batch) -> None:
        if not isinstance(core, _core._Batch):
            raise ArgumentTypeError("Batch: LanguageModel.batch() makes one.")
        self._core = core

    def add(self, prompt: str | Iterable[int], *, max_tokens: int | None = None, temperature: float | None = None,
            top_k: int | None = None, top_p: float | None = None, min_p: float | None = None, typical_p: float | None = None,
            repetition_penalty: float | None = None, frequency_penalty: float | None = None, presence_penalty: float | None = None,
            logit_bias: Mapping[int, float] | None = None, seed: int | None = None, stop: str | Sequence[str] = (),
            end_tokens: Iterable[int] | None = None, logprobs: int | None = None, add_special_tokens: bool = True,
            skip_special_tokens: bool = True) -> int:
        """Adds a sequence, with the options of LanguageModel.generate(); returns its number, which counts from 0."""
        return self._core.add(_prompt(prompt, "add"), _options(locals()))

    def step(self) -> BatchStep:
        """Computes a chunk of the prompts of sequences that have joined, and a token of those whose prompts are computed.

        There may be none yet. If it raises, the sequences wait, and the next step computes their tokens anew.
        """
        tokens, finished = self._core.step()
        return BatchStep([_token(t) for t in tokens], finished)

    def remove(self, sequence: int) -> Generation:
        """Takes a sequence out of the batch and returns what it has. One that has not ended is cancelled."""
        return _generation(self._core.remove(sequence))

    @property
    def running(self) -> int:
        """Sequences that have a place. Those that have ended have none."""
        return self._core.running

    @property
    def waiting(self) -> int:
        """Sequences that wait for a place."""
        return self._core.waiting

    @property
    def empty(self) -> bool:
        """Whether none runs or waits."""
        return self.running + self.waiting == 0

    @property
    def capacity(self) -> int:
        """The most tokens of a sequence."""
        return self._core.capacity

    @property
    def free_tokens(self) -> int:
        """Tokens of new sequences that there is memory for."""
        return self._core.free_tokens

    def __repr__(self) -> str:
        return f"Batch(running={self.running}, waiting={self.waiting})"


class LanguageModel:
    """A model with its tokenizer, its chat template and its defaults: llm.load() makes one.

    Threads may use it at the same time, each with its own context.
    """

    def __init__(self, core: _core._LanguageModel) -> None:
        if not isinstance(core, _core._LanguageModel):
            raise ArgumentTypeError("LanguageModel: llm.load(path) loads one.")
        self._core = core

    @staticmethod
    def load(path: str | os.PathLike[str], device: Any = None, dtype: Any = None, context: int | None = None, cache_dtype: Any = None,
             memory: int | None = None, progress: Callable[[int, int, str], Any] | None = None) -> LanguageModel:
        """As llm.load()."""
        for name, value in (("context", context), ("memory", memory)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
                raise ArgumentTypeError(f"load: the argument '{name}' is {value!r} of type {type(value).__name__}; an integer is expected.")
            if value is not None and not 0 < value < 2**63:
                raise ArgumentError(f"load: the argument '{name}' is {value}; at least 1 is expected.")
        return LanguageModel(_core._llm_load(_path(path, "load"), device, dtype, context or 0, cache_dtype, memory or 0, progress))

    @property
    def config(self) -> Config:
        """The sizes and choices of the model."""
        return self._core.config

    @property
    def defaults(self) -> GenerationDefaults:
        """What the files say about generation."""
        return GenerationDefaults(*self._core.defaults)

    @property
    def has_tokenizer(self) -> bool:
        """Whether prompts may be text."""
        return self._core.has_tokenizer

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer; without one, an UnsupportedError."""
        return Tokenizer._of(self._core.tokenizer)

    @property
    def has_chat_template(self) -> bool:
        """Whether chat() works."""
        return self._core.has_chat_template

    @property
    def chat_template(self) -> ChatTemplate:
        """The chat template; without one, an UnsupportedError."""
        return ChatTemplate._of(self._core.chat_template)

    @property
    def traces(self) -> int:
        """Compiled functions so far."""
        return self._core.traces

    def context(self, capacity: int | None = None) -> Context:
        """An empty context of so many tokens; default: those of load()."""
        return Context(self._core.context(capacity))

    def batch(self, sequences: int = 8, *, context: int | None = None, tokens: int | None = None, page_size: int = 16, chunk: int = 512) -> Batch:
        """An empty batch, of sequences that join and leave at any step.

        At most `sequences` run at the same time, each with at most `context` tokens (default: those of load()); there is memory for `tokens` of
        them together (default: sequences * context), in pages of `page_size`. In front of a step at most `chunk` tokens of prompts are computed.
        """
        given = dict(sequences=sequences, context=context, tokens=tokens, page_size=page_size, chunk=chunk)
        for name, value in given.items():
            if value is None and name in ("context", "tokens"):
                continue
            if not isinstance(value, int) or isinstance(value, bool):
                raise ArgumentTypeError(f"batch: the argument '{name}' is {value!r} of type {type(value).__name__}; an integer is expected.")
            if not 0 < value < 2**63:
                raise ArgumentError(f"batch: the argument '{name}' is {value}; at least 1 is expected.")
        return Batch(self._core.batch(sequences, context or 0, tokens or 0, page_size, chunk))

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        """The tokens of a text."""
        return self._core.encode(text, add_special_tokens)

    def generate(self, prompt: str | Iterable[int], *, context: Context | None = None, on_token: Callable[[GeneratedToken], Any] | None = None,
                 max_tokens: int | None = None, temperature: float | None = None, top_k: int | None = None, top_p: float | None = None,
                 min_p: float | None = None, typical_p: float | None = None, repetition_penalty: float | None = None,
                 frequency_penalty: float | None = None, presence_penalty: float | None = None, logit_bias: Mapping[int, float] | None = None,
                 seed: int | None = None, stop: str | Sequence[str] = (), end_tokens: Iterable[int] | None = None, logprobs: int | None = None,
                 add_special_tokens: bool = True, skip_special_tokens: bool = True) -> Generation:
        """The answer to a prompt, which is text or tokens.

        The prompt is the whole text: what the context has of its tokens is kept, and the rest is computed. Afterwards the context has
        prompt and answer. Without a context, the call has one of its own.

        Options of sampling that are not given are those of `defaults`; with top_k, top_p, min_p or typical_p alone, tokens are drawn at
        temperature 1 if the default is greedy. max_tokens: default until the context is full; 0 computes the prompt alone. An answer ends
        with one of `end_tokens` (default: the model's), or in front of the first of the texts in `stop`. With logprobs=n, it has the
        log-probabilities of its tokens and of the n most likely ones at each position. on_token is called with each GeneratedToken on this
        thread; what it raises cancels the generation.

        >>> from tessera import llm
        >>> model = llm.load("Qwen3-0.6B-Q8_0.gguf")  # doctest: +SKIP
        >>> model.generate("Water boils at", max_tokens=20, temperature=0.7, stop=".").text  # doctest: +SKIP
        ' 100 degrees Celsius at sea level'
        """
        return _generation(self._core.generate(_core_of(context), _prompt(prompt, "generate"), _options(locals()), _callback(on_token))[0])

    def stream(self, prompt: str | Iterable[int], *, context: Context | None = None, max_tokens: int | None = None,
               temperature: float | None = None, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None,
               typical_p: float | None = None, repetition_penalty: float | None = None, frequency_penalty: float | None = None,
               presence_penalty: float | None = None, logit_bias: Mapping[int, float] | None = None, seed: int | None = None,
               stop: str | Sequence[str] = (), end_tokens: Iterable[int] | None = None, logprobs: int | None = None,
               add_special_tokens: bool = True, skip_special_tokens: bool = True) -> TokenStream:
        """The tokens of the answer one by one, with the options of generate(). Leaving the loop cancels the generation.

        >>> for token in model.stream("Water boils at", max_tokens=20):  # doctest: +SKIP
        ...     print(token.text, end="", flush=True)
        """
        return TokenStream(self._core.stream(_core_of(context), _prompt(prompt, "stream"), _options(locals())))

    def chat(self, context: Context, messages: Iterable[Mapping[str, Any]], *, on_token: Callable[[GeneratedToken], Any] | None = None,
             tools: Sequence[Mapping[str, Any]] | None = None, variables: Mapping[str, Any] | None = None, max_tokens: int | None = None,
             temperature: float | None = None, top_k: int | None = None, top_p: float | None = None, min_p: float | None = None,
             typical_p: float | None = None, repetition_penalty: float | None = None, frequency_penalty: float | None = None,
             presence_penalty: float | None = None, logit_bias: Mapping[int, float] | None = None, seed: int | None = None,
             stop: str | Sequence[str] = (), end_tokens: Iterable[int] | None = None, logprobs: int | None = None,
             skip_special_tokens: bool = True) -> Generation:
        """The assistant's answer to messages, dicts with "role" and "content", by the chat template and with the options of generate().

        Pass the whole chat each time: of its tokens, those that the context has are not computed again. `tools` are functions for the
        template, `variables` whatever else it reads.

        >>> messages = [{"role": "user", "content": "What is a monad?"}]
        >>> answer = model.chat(context, messages, max_tokens=200)  # doctest: +SKIP
        >>> messages.append({"role": "assistant", "content": answer.text})  # doctest: +SKIP
        """
        add_special_tokens = False
        return _generation(self._core.chat(_required(context, "chat"), _messages(messages), *_chat_options(tools, variables), _options(locals()),
                                           _callback(on_token))[0])

    def stream_chat(self, context: Context, messages: Iterable[Mapping[str, Any]], *, tools: Sequence[Mapping[str, Any]] | None = None,
                    variables: Mapping[str, Any] | None = None, max_tokens: int | None = None, temperature: float | None = None,
                    top_k: int | None = None, top_p: float | None = None, min_p: float | None = None, typical_p: float | None = None,
                    repetition_penalty: float | None = None, frequency_penalty: float | None = None, presence_penalty: float | None = None,
                    logit_bias: Mapping[int, float] | None = None, seed: int | None = None, stop: str | Sequence[str] = (),
                    end_tokens: Iterable[int] | None = None, logprobs: int | None = None, skip_special_tokens: bool = True) -> TokenStream:
        """chat(), token by token."""
        add_special_tokens = False
        return TokenStream(self._core.stream_chat(_required(context, "stream_chat"), _messages(messages), *_chat_options(tools, variables),
                                                  _options(locals())))

    def generate_batch(self, prompts: Iterable[str | Iterable[int]], *, on_token: Callable[[GeneratedToken], Any] | None = None,
                       max_tokens: int | None = None, temperature: float | None = None, top_k: int | None = None, top_p: float | None = None,
                       min_p: float | None = None, typical_p: float | None = None, repetition_penalty: float | None = None,
                       frequency_penalty: float | None = None, presence_penalty: float | None = None,
                       logit_bias: Mapping[int, float] | None = None, seed: int | None = None, stop: str | Sequence[str] = (),
                       end_tokens: Iterable[int] | None = None, logprobs: int | None = None, add_special_tokens: bool = True,
                       skip_special_tokens: bool = True) -> list[Generation]:
        """Answers to several prompts, which are computed together, at most 32 at a time, with the options of generate(). Prompt i has the seed
        `seed + i`."""
        rows = [_prompt(p, "generate_batch") for p in _many(prompts, "generate_batch", "prompts")]
        return [_generation(g) for g in self._core.generate_batch(rows, _options(locals()), _callback(on_token))]

    def logprobs(self, tokens: Iterable[int]) -> list[float]:
        """log p(tokens[i + 1] | tokens[0 .. i]) for each i: one number less than there are tokens, which must fit into a context."""
        return self._core.logprobs(_ids(tokens, "logprobs"))

    def perplexity(self, text: str | Iterable[int], *, context: int | None = None, stride: int | None = None) -> Perplexity:
        """The perplexity of a text or of tokens.

        Windows of `context` tokens (default: the model's, and at most 2048) begin every `stride` tokens (default: half a window); each
        predicts the tokens that no earlier window did. The first token is not predicted.
        """
        for name, value in (("context", context), ("stride", stride)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
                raise ArgumentTypeError(f"perplexity: the argument '{name}' is {value!r} of type {type(value).__name__}; an integer is expected.")
            if value is not None and not 0 < value < 2**63:
                raise ArgumentError(f"perplexity: the argument '{name}' is {value}; at least 1 is expected.")
        return Perplexity(*self._core.perplexity(_prompt(text, "perplexity"), context or 0, stride or 0))

    def embed(self, texts: Iterable[str]) -> Tensor:
        """Embeddings, float32 [texts, width], by the pooling of the model, computed in batches of similar lengths."""
        return self._core.embed(_many(texts, "embed", "texts"))

    def __repr__(self) -> str:
        return f"LanguageModel({self.config!r})"


def _core_of(context: Context | None) -> _core._Context | None:
    return None if context is None else _required(context, "generate")


def _required(context: Any, what: str) -> _core._Context:
    if not isinstance(context, Context):
        raise ArgumentTypeError(f"{what}: the argument 'context' is {context!r} of type {type(context).__name__}; a Context is expected, which "
                                "LanguageModel.context() makes.")
    return context._core


def load(path: str | os.PathLike[str], device: Any = None, dtype: Any = None, context: int | None = None, cache_dtype: Any = None,
         memory: int | None = None, progress: Callable[[int, int, str], Any] | None = None) -> LanguageModel:
    """Loads a model from a folder of Hugging Face or a GGUF file.

    `dtype` is that of the matrices (float32, float16, bfloat16; default: as in the file), `context` the tokens of a context (default: the
    model's, and at most 4096), `cache_dtype` that of keys and values. A model that does not fit into `memory` bytes (default: those that
    the device has left) is an OutOfMemoryError before its weights are loaded. progress(loaded, total, name) is called as weights are loaded,
    with bytes, and at the end with all of them; what it raises ends loading.

    >>> from tessera import llm
    >>> model = llm.load("Qwen3-0.6B-Q8_0.gguf")  # doctest: +SKIP
    >>> context = model.context()  # doctest: +SKIP
    >>> print(model.chat(context, [{"role": "user", "content": "Hello!"}]))  # doctest: +SKIP
    Hello! How can I assist you today?
    """
    return LanguageModel.load(path, device, dtype, context, cache_dtype, memory, progress)


def load_tokenizer(path: str | os.PathLike[str]) -> Tokenizer:
    """The tokenizer of a tokenizer.json, a folder with one, or a GGUF file."""
    return Tokenizer._of(_core._llm_load_tokenizer(_path(path, "load_tokenizer")))


def load_config(folder: str | os.PathLike[str]) -> Config:
    """The config of a folder: its config.json, and for encoders the modules of sentence-transformers."""
    return Config._load(_path(folder, "load_config"))


def parse_config(json: str, name: str = "config.json") -> Config:
    """The config of the text of a config.json; `name` stands for the file in messages."""
    if not isinstance(json, str):
        raise ArgumentTypeError(f"parse_config: {json!r} of type {type(json).__name__} was given; a str is expected.")
    return Config._parse(json, name)


def architectures() -> list[str]:
    """The model types that load() accepts.

    >>> from tessera import llm
    >>> "qwen3" in llm.architectures()
    True
    """
    return _core._llm_architectures()


class ConvertedTensor(NamedTuple):
    """One tensor of a file that convert() wrote."""

    name: str
    shape: tuple[int, ...]
    from_: str
    """The type of the tensor that was read."""
    to: str
    bytes_before: int
    bytes_after: int
    error: float
    """Root mean square, relative to that of the elements."""
    other: bool
    """Rows are not whole blocks of the type that was chosen, so `to` is another one."""


class ConvertProgress(NamedTuple):
    """Bytes that convert() has read, of all, and the tensor that was written last."""

    done: int
    total: int
    tensor: ConvertedTensor | None


def convert(source: str | os.PathLike[str], out: str | os.PathLike[str], type: str = "f16", *, pure: bool = False,
            progress: Callable[[ConvertProgress], object] | None = None) -> list[ConvertedTensor]:
    """Writes a Hugging Face folder, a GGUF file or a safetensors file as a GGUF file with matrices of another type.

    `type` is one of convert_types(). Output weights, or tied embeddings, have at least q6_k, unless `pure`. An exception of `progress` ends the
    conversion, and `out` is not written.
    """
    def report(done: int, total: int, tensor: Any) -> None:
        if progress is not None:
            progress(ConvertProgress(done, total, None if tensor is None else ConvertedTensor(*tensor)))
    written = _core._llm_convert(_path(source, "convert"), _path(out, "convert"), type, pure, None if progress is None else report)
    return [ConvertedTensor(*tensor) for tensor in written]


def convert_types() -> list[str]:
    """The types that convert() writes.

    >>> from tessera import llm
    >>> "q4_k_m" in llm.convert_types()
    True
    """
    return _core._llm_convert_types()


class Cache(Module):
    """Keys and values of a batch of sequences, [batch, kv heads, context, head size] for each layer, and their lengths, int32 [batch].

    Model.cache() makes one; in a compiled step it is part of the state: compile(step, state=[cache]). In q8_0, k and v are int8, and k_scales and
    v_scales have a scale for each block of 32 elements.
    """

    k: list[Tensor]
    v: list[Tensor]
    k_scales: list[Tensor]
    v_scales: list[Tensor]
    lengths: Tensor
    _prototype: Any

    def __init__(self, prototype: Any, named: Sequence[tuple[str, Tensor]]) -> None:
        object.__setattr__(self, "_prototype", prototype)
        for kind in ("k", "v", "k_scales", "v_scales"):
            setattr(self, kind, [tensor for name, tensor in named if name.startswith(f"{kind}.")])
        self.register_buffer("lengths", dict(named)["lengths"])
        object.__setattr__(self, "_buffers", self._buffers | {name for name, _ in named})

    @property
    def batch(self) -> int:
        """The number of sequences."""
        return self.lengths.shape[0]

    @property
    def context(self) -> int:
        """The most tokens of a sequence."""
        return self._prototype.context

    def _tensors(self) -> list[Tensor]:
        return [*self.k, *self.v, *self.k_scales, *self.v_scales, self.lengths]


class Model(Native):
    """A decoder or an encoder as a module: logits of tokens, with a cache or without one, and embeddings.

    >>> import tessera as ts
    >>> model = ts.llm.Model.load("Llama-3.2-1B")  # doctest: +SKIP
    >>> cache = model.cache(1, 4096)  # doctest: +SKIP
    >>> sampler = ts.llm.Sampler(1, model.config.vocabulary, 42, temperature=0.7)  # doctest: +SKIP
    >>> step = ts.compile(lambda ids: sampler(model(ids, cache, last=True)), state=[cache, sampler])  # doctest: +SKIP
    """

    config: Config

    def __init__(self) -> None:
        raise ArgumentTypeError("Model: Model.load(path) loads one.")

    @classmethod
    def load(cls, path: str | os.PathLike[str], device: Any = None, dtype: Any = None,
             progress: Callable[[int, int, str], Any] | None = None) -> Model:
        """From a folder of Hugging Face or a GGUF file. `dtype`: of the matrices; default: as in the file. `progress`: as in llm.load()."""
        made = cls.__new__(cls)
        held, config = _core._llm_load_model(_path(path, "Model.load"), device, dtype, progress)
        made._options = {}
        made._hold(*held)
        made.config = config
        return made

    def cache(self, batch: int, context: int, dtype: DType | None = None) -> Cache:
        """An empty cache for `batch` sequences of at most `context` tokens. `dtype`: a float, or q8_0; default: that of the weights."""
        return Cache(*_core._llm_cache(self._native, self._tensors(self._held()), batch, context, dtype))

    def _run(self, function: str, ids: Any, cache: Cache | None, lengths: Any, last: bool, types: Any) -> Tensor:
        held = None if cache is None else cache._tensors()
        prototype = None if cache is None else cache._prototype
        result, after = _core._llm_call(self._native, self._tensors(self._held()), function, ids, prototype, held, lengths, last, types)
        for tensor, value in zip(held or [], after):
            _core._nn_write(tensor, value, "Cache", "k, v, their scales and lengths")
        return result

    def forward(self, ids: Any, cache: Cache | None = None, *, lengths: Any = None, last: bool = False, types: Any = None) -> Tensor:
        """Logits, float32 [batch, tokens, vocabulary], of tokens [batch, tokens], which follow those of the cache.

        `lengths` [batch] of the tokens of each row are valid; with `last`, the result has the logits of the last valid one alone,
        [batch, vocabulary]. `types` are the segments of BERT.
        """
        return self._run("forward", ids, cache, lengths, last, types)

    def hidden(self, ids: Any, *, lengths: Any = None, types: Any = None) -> Tensor:
        """The states after the last norm, float32 [batch, tokens, width]."""
        return self._run("hidden", ids, None, lengths, False, types)

    def embed(self, ids: Any, *, lengths: Any = None, types: Any = None) -> Tensor:
        """Embeddings of sequences, float32 [batch, width], by the pooling of the config."""
        return self._run("embed", ids, None, lengths, False, types)


class Sampler(Module):
    """Chooses tokens of a batch of sequences on the device; counts, seeds and steps are tensors, part of a compiled step's state.

    Sequence i has the seed `seed + i`. The order of the options is that of the transformers package.

    >>> import tessera as ts
    >>> sampler = ts.llm.Sampler(1, 3, 42, temperature=0)
    >>> sampler(ts.array([[0.1, 2.0, 0.3]])).tolist()
    [[1]]
    """

    seeds: Tensor
    steps: Tensor
    counts: Tensor | None
    seen: Tensor | None

    def __init__(self, batch: int, vocabulary: int, seed: int, *, temperature: float | None = None, top_k: int | None = None,
                 top_p: float | None = None, min_p: float | None = None, typical_p: float | None = None,
                 repetition_penalty: float | None = None, frequency_penalty: float | None = None, presence_penalty: float | None = None,
                 logit_bias: Mapping[int, float] | None = None, device: Any = None) -> None:
        self._sampler = _core._llm_sampler(_sampling(locals()), batch, vocabulary, seed, device)
        for name, tensor in zip(("seeds", "steps", "counts", "seen"), self._sampler.state()):
            self.register_buffer(name, tensor)

    def _state(self) -> list[Tensor | None]:
        return [self.seeds, self.steps, self.counts, self.seen]

    def _keep(self, after: Sequence[Tensor | None]) -> None:
        for tensor, value in zip(self._state(), after):
            if tensor is not None and value is not None:
                _core._nn_write(tensor, value, "Sampler", "seeds, steps, counts and seen")

    def prompt(self, ids: Any, lengths: Any = None) -> None:
        """Adds the tokens of a prompt, [batch, T], to those that the repetition penalty sees; `lengths` [batch] of them are valid."""
        self._keep(self._sampler.prompt(self._state(), ids, lengths))

    def forward(self, logits: Any, mask: Any = None) -> Tensor:
        """Tokens, int32 [batch, 1], for logits [batch, vocabulary]. `mask` is True for tokens that are allowed."""
        tokens, after = self._sampler.call(self._state(), logits, mask)
        self._keep(after)
        return tokens


def sample(logits: Any, uniform: Any, *, temperature: float | None = None, top_k: int | None = None, top_p: float | None = None,
           min_p: float | None = None, typical_p: float | None = None) -> Tensor:
    """Tokens, int32 [batch], for logits [batch, vocabulary] and one uniform number in [0, 1) for each sequence, [batch].

    >>> import tessera as ts
    >>> ts.llm.sample(ts.array([[0.0, 9.0]]), ts.array([0.5]), top_k=1).tolist()
    [1]
    """
    given = dict(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, typical_p=typical_p)
    return _core._llm_sample(logits, uniform, {name: value for name, value in given.items() if value is not None})


def uniform_of(seeds: Any, steps: Any) -> Tensor:
    """Uniform numbers in [0, 1), float32, of seeds (uint32) and steps (int32): the same on every device."""
    return _core._llm_uniform_of(seeds, steps)
