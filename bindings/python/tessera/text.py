"""Text and tokens: tokenizers, streaming decoders and chat templates of language models.

The implementation is the library tessera_text, which is loaded at the first use; without it everything here raises UnsupportedError.
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from tessera import _core
from tessera._errors import ArgumentTypeError


class LibraryInfo(NamedTuple):
    """Where the library tessera_text is, or why there is none."""

    path: str
    version: str
    error: str


def library() -> LibraryInfo:
    """The library that tokenizers and templates are in; without one, `error` says why."""
    return LibraryInfo(*_core._text_library())


def _path(source: Any, what: str) -> bytes:
    try:
        return os.fsencode(source)
    except TypeError:
        raise ArgumentTypeError(f"{what}: {source!r} of type {type(source).__name__} was given; a path is expected.") from None


def _ids(ids: Any, what: str) -> Iterable[Any]:
    ids = ids.tolist() if hasattr(ids, "tolist") else ids
    if isinstance(ids, (str, bytes)) or not hasattr(ids, "__iter__"):
        raise ArgumentTypeError(f"{what}: ids of type {type(ids).__name__} were given; integers are expected.")
    return ids


class Encoding(NamedTuple):
    """The tokens of a text, and where each begins and ends in it, in characters."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class Tokenizer:
    """A tokenizer of Hugging Face's format: a path of a tokenizer.json or of a folder with one.

    Ids are those of the package `tokenizers`. Truncation and padding of the file are disabled.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._core = _core.Tokenizer(_path(path, "Tokenizer"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Tokenizer:
        """From the text of a tokenizer.json."""
        return cls._of(_core.Tokenizer._from_json(text))

    @classmethod
    def _of(cls, core: _core.Tokenizer) -> Tokenizer:
        made = cls.__new__(cls)
        made._core = core
        return made

    def encode(self, text: str, *, add_special_tokens: bool = True) -> list[int]:
        """The ids of a text."""
        return self._core._encode(text, add_special_tokens)

    def encode_with_offsets(self, text: str, *, add_special_tokens: bool = True) -> Encoding:
        """The ids of a text, and where each token begins and ends."""
        return Encoding(*self._core._encode_with_offsets(text, add_special_tokens))

    def decode(self, ids: Any, *, skip_special_tokens: bool = True) -> str:
        """The text of ids: a list, an array or a tensor. Bytes that are no UTF-8 become U+FFFD."""
        return self._core._decode(_ids(ids, "decode"), skip_special_tokens)

    def token_to_id(self, token: str) -> int | None:
        """The id of a token, or None."""
        return self._core._token_to_id(token)

    def id_to_token(self, id: int) -> str | None:
        """The token as the vocabulary has it, or None."""
        return self._core._id_to_token(id)

    def is_special(self, id: int) -> bool:
        """Whether an id is that of a special token."""
        return self._core._is_special(id)

    @property
    def vocab_size(self) -> int:
        """The number of tokens, added ones included."""
        return self._core.vocab_size

    @property
    def special_tokens(self) -> list[int]:
        """Ids of the added tokens that are special."""
        return self._core.special_tokens


class StreamDecoder:
    """Decodes ids one by one, without half characters: the texts together are `tokenizer.decode` of all ids."""

    def __init__(self, tokenizer: Tokenizer, *, skip_special_tokens: bool = True) -> None:
        self._core = _core._StreamDecoder(tokenizer._core, skip_special_tokens)

    def push(self, id: int) -> str:
        """The text that is complete with this token; empty inside a character."""
        return self._core.push(id)

    def finish(self) -> str:
        """What is left: an incomplete character becomes U+FFFD."""
        return self._core.finish()


class ChatTemplate:
    """A chat template: Jinja with the settings, filters and functions of Hugging Face's apply_chat_template.

    >>> import tessera as ts
    >>> template = ts.text.ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")  # doctest: +SKIP
    >>> template.apply([{"role": "user", "content": "Hi"}])  # doctest: +SKIP
    '<user>Hi'
    """

    def __init__(self, source: str, *, bos_token: str = "", eos_token: str = "") -> None:
        self._core = _core._ChatTemplate(source, bos_token, eos_token)

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str]) -> ChatTemplate:
        """That of a model's folder: chat_template.jinja, else the one of tokenizer_config.json."""
        return cls._of(_core._ChatTemplate.from_folder(_path(folder, "ChatTemplate")))

    @classmethod
    def _of(cls, core: _core._ChatTemplate) -> ChatTemplate:
        made = cls.__new__(cls)
        made._core = core
        return made

    def apply(self, messages: Sequence[Mapping[str, Any]] | str, *, add_generation_prompt: bool = False,
              tools: Sequence[Mapping[str, Any]] | None = None, **variables: Any) -> str:
        """The prompt for messages: dicts, or a JSON list. Further keywords are variables of the template."""
        text = messages if isinstance(messages, str) else _json(list(messages), "messages")
        return self._core.apply(text, add_generation_prompt, "" if tools is None else _json(list(tools), "tools"),
                                _json(variables, "variables") if variables else "")


def _json(value: Any, what: str) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as error:
        raise ArgumentTypeError(f"apply: the {what} are no JSON: {error}.") from None


def tokenizer_json(*, model: str, tokens: Sequence[str], pre: str = "", scores: Sequence[float] = (), token_type: Sequence[int] = (),
                   merges: Sequence[str] = (), bos: int | None = None, eos: int | None = None, unknown: int | None = None,
                   separator: int | None = None, padding: int | None = None, cls: int | None = None, mask: int | None = None,
                   add_bos: bool | None = None, add_eos: bool | None = None, add_space_prefix: bool | None = None,
                   remove_extra_whitespaces: bool | None = None, precompiled_charsmap: bytes = b"") -> str:
    """The tokenizer.json of a GGUF vocabulary: the members of its metadata under tokenizer.ggml."""
    return _core._tokenizer_json(dict(locals()))
