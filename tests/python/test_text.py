"""tessera.text beside the packages of the field: ids of tokenizers and sentencepiece one for one, templates of jinja2 character for character."""

import datetime
import json
import subprocess
import sys
import time

import pytest
import tessera as ts
import text_cases as cases

pytest.importorskip("tokenizers")
pytest.importorskip("sentencepiece")
pytest.importorskip("jinja2")
pytestmark = pytest.mark.skipif(bool(ts.text.library().error), reason=ts.text.library().error)
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def files():
    return cases.tokenizer_files()


@pytest.fixture(scope="module")
def pairs(files):
    return {name: (ts.text.Tokenizer.from_json(text), cases.reference(text)) for name, text in files.items()}


FAMILIES = ["gpt2", "llama3", "llama2", "bert", "unigram"]


@pytest.mark.parametrize("name", FAMILIES)
def test_ids_offsets_and_text_are_those_of_tokenizers(pairs, name):
    ours, theirs = pairs[name]
    assert ours.vocab_size == theirs.get_vocab_size()
    assert [ours.id_to_token(i) for i in range(ours.vocab_size + 2)] == [theirs.id_to_token(i) for i in range(ours.vocab_size + 2)]
    assert ours.token_to_id("no such token") is None
    specials = sorted(i for i, token in theirs.get_added_tokens_decoder().items() if token.special)
    assert ours.special_tokens == specials and all(map(ours.is_special, specials))
    for text in cases.texts():
        for special in (True, False):
            expected = theirs.encode(text, add_special_tokens=special)
            ids, offsets = ours.encode_with_offsets(text, add_special_tokens=special)
            assert ids == expected.ids == ours.encode(text, add_special_tokens=special), repr(text)
            assert offsets == expected.offsets, repr(text)
            for skip in (True, False):
                assert ours.decode(ids, skip_special_tokens=skip) == theirs.decode(ids, skip_special_tokens=skip), repr(text)


@pytest.mark.parametrize("name", FAMILIES)
def test_streams_are_the_text_and_never_half_a_character(pairs, name):
    ours, _ = pairs[name]
    for text in cases.texts(60, seed=3):
        ids = ours.encode(text)
        for skip in (True, False):
            stream = ts.text.StreamDecoder(ours, skip_special_tokens=skip)
            parts = [stream.push(i) for i in ids]
            whole = ours.decode(ids, skip_special_tokens=skip)
            # Nothing may be held back for long, and no part may have what the whole text has not.
            assert "".join(parts) + stream.finish() == whole, repr(text)
            if "\ufffd" not in text:
                assert not any("\ufffd" in part for part in parts), repr(text)


@pytest.mark.parametrize("name", ["gpt2", "llama2"])
def test_streams_of_every_character_in_bytes(pairs, name):
    """Characters of one to four bytes as tokens of one byte each, one after the other and broken off everywhere."""
    ours, _ = pairs[name]

    def byte(b):
        if name == "llama2":
            return ours.token_to_id(f"<0x{b:02X}>")
        return ours.encode(bytes([b]).decode())[0] if b < 128 else high[b]

    high = {}
    if name == "gpt2":  # the alphabet of byte-level BPE: bytes that are no printable characters follow from U+0100 on
        plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
        others = [b for b in range(256) if b not in plain]
        for b in range(128, 256):
            high[b] = ours.token_to_id(chr(b) if b in plain else chr(256 + others.index(b)))
    text = "aé€👍ß한👩‍🚀\u0301\U0010ffffz"
    data = text.encode()
    for order in (text, text[::-1]):
        stream = ts.text.StreamDecoder(ours)
        out = ""
        for c in order:
            parts = [stream.push(byte(b)) for b in c.encode()]
            assert parts[:-1] == [""] * (len(parts) - 1) and parts[-1] == c, (c, parts)
            out += parts[-1]
        assert out == order and stream.finish() == ""
    for end in range(len(data) + 1):
        stream = ts.text.StreamDecoder(ours)
        out = "".join(stream.push(byte(b)) for b in data[:end])
        whole = data[:end].decode(errors="ignore")
        assert out == whole, end
        rest = stream.finish()
        assert set(rest) <= {"\ufffd"} and bool(rest) == (whole.encode() != data[:end])
        assert stream.push(byte(97)) == "a"
    # Bytes that are never a character: nothing is kept for ever, and what follows is right.
    stream = ts.text.StreamDecoder(ours)
    out = "".join(stream.push(byte(0x80)) for _ in range(500))
    out += stream.push(ours.encode("z", add_special_tokens=False)[-1]) + stream.finish()
    assert out == "\ufffd" * 500 + "z"


def test_a_stream_of_unknown_ids_is_empty_and_quick(pairs):
    ours, _ = pairs["gpt2"]
    stream = ts.text.StreamDecoder(ours)
    assert "".join(stream.push(1_000_000) for _ in range(1000)) == ""
    assert stream.push(ours.encode("hi")[0]) == ours.decode(ours.encode("hi")[:1])


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("letter", ["a", " "])
def test_a_megabyte_of_one_letter(pairs, name, letter):
    """The same ids, in a time that is not much longer than that of the package; tests/text has the whole megabyte."""
    ours, theirs = pairs[name]
    text = letter * (MEGABYTE // 4)
    start = time.process_time()
    expected = theirs.encode(text).ids
    between = time.process_time()
    assert ours.encode(text) == expected
    took = time.process_time() - between
    assert took < 3 * (between - start) + 2, (took, between - start)


def processors():
    plain = dict(add_dummy_prefix=True, remove_extra_whitespaces=False, normalization_rule_name="identity")
    yield "bpe", "llama", dict(byte_fallback=True, **plain), {}
    yield "bpe, no prefix", "llama", dict(byte_fallback=True, **{**plain, "add_dummy_prefix": False}), dict(add_space_prefix=False)
    yield "bpe, unknown characters", "llama", plain, {}
    yield "bpe, runs of spaces", "llama", dict(byte_fallback=True, user_defined_symbols=["▁▁", "▁▁▁▁", "\n\n", "<table>"],
                                               **{**plain, "add_dummy_prefix": False}), dict(add_space_prefix=False)
    yield "unigram", "t5", {}, {}
    yield "unigram, identity", "t5", plain, dict(remove_extra_whitespaces=False)
    yield "unigram, bytes", "t5", dict(byte_fallback=True, **plain), dict(remove_extra_whitespaces=False)


@pytest.mark.parametrize("name,model,options,more", list(processors()), ids=[p[0] for p in processors()])
def test_vocabularies_of_gguf_give_the_ids_of_sentencepiece(name, model, options, more):
    kind = "bpe" if model == "llama" else "unigram"
    theirs = cases.sentencepiece_model(kind, **options)
    user = [theirs.piece_to_id(s) for s in options.get("user_defined_symbols", [])]
    charsmap = {} if "normalization_rule_name" in options else dict(precompiled_charsmap=cases.charsmap_of(theirs))
    vocabulary = cases.vocabulary_of(theirs, model, user_defined=user, eos=theirs.eos_id(), bos=theirs.bos_id(), unknown=theirs.unk_id(), **more, **charsmap)
    ours = ts.text.Tokenizer.from_json(ts.text.tokenizer_json(**vocabulary))
    # Names of special tokens are tokens in ours, and text in sentencepiece.
    names = ["<s>", "</s>", "<unk>", "<0x"]
    for text in cases.texts(200, seed=9):
        if any(n in text for n in names):
            continue
        expected = theirs.encode(text)
        assert ours.encode(text, add_special_tokens=False) == expected, repr(text)
        first, last = ([theirs.bos_id()], []) if model == "llama" else ([], [theirs.eos_id()])
        assert ours.encode(text) == first + expected + last
        if model == "llama" and options.get("byte_fallback"):
            assert ours.decode(expected) == theirs.decode(expected), repr(text)
    for letter in "a ":
        text = letter * (MEGABYTE // 16)
        assert ours.encode(text, add_special_tokens=False) == theirs.encode(text)


def test_vocabularies_of_gguf_with_merges(pairs):
    """Byte-level BPE: what a converter writes for a tokenizer.json gives its ids again."""
    for name, pre in (("gpt2", "gpt-2"), ("llama3", "llama-bpe")):
        _, theirs = pairs[name]
        file = json.loads(theirs.to_str())
        tokens = [theirs.id_to_token(i) for i in range(theirs.get_vocab_size())]
        added = {t["id"]: t for t in file["added_tokens"]}
        kinds = [1 if i not in added else 3 if added[i]["special"] else 4 for i in range(len(tokens))]
        ours = ts.text.Tokenizer.from_json(ts.text.tokenizer_json(
            model="gpt2", pre=pre, tokens=tokens, token_type=kinds, merges=[" ".join(m) for m in file["model"]["merges"]],
            bos=theirs.token_to_id("<s>")))
        for text in cases.texts(100):
            if name == "llama3":
                import unicodedata
                if unicodedata.normalize("NFC", text) != text:
                    continue  # the test's tokenizer normalizes; that of Llama 3 does not
            expected = theirs.encode(text).ids
            assert ours.encode(text) == expected, (name, repr(text))
            assert ours.decode(expected) == theirs.decode(expected)


def test_vocabularies_of_gguf_with_wordpiece(pairs):
    ours_direct, theirs = pairs["bert"]
    tokens = [theirs.id_to_token(i) for i in range(theirs.get_vocab_size())]
    phantom = [t if t.startswith("[") and t.endswith("]") else t[2:] if t.startswith("##") else "▁" + t for t in tokens]
    made = ts.text.tokenizer_json(model="bert", tokens=phantom, token_type=[3 if t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") else 1 for t in tokens])
    ours = ts.text.Tokenizer.from_json(made)
    for text in cases.texts(100):
        assert ours.encode(text) == theirs.encode(text).ids, repr(text)


def test_vocabularies_that_are_wrong():
    good = dict(model="llama", tokens=["<unk>", "<s>", "</s>", "a"], scores=[0, 0, 0, -1], token_type=[2, 3, 3, 1])
    assert ts.text.Tokenizer.from_json(ts.text.tokenizer_json(**good)).encode("a") != []
    for change, error, part in [
            (dict(model="rwkv"), ts.UnsupportedError, "'rwkv' is not known"),
            (dict(model="gpt2", pre="kimi-k9"), ts.UnsupportedError, "'kimi-k9' is not known; the known ones are default, llama-bpe"),
            (dict(tokens=[]), ts.ParseError, "has no tokens"),
            (dict(scores=[]), ts.ParseError, "has no scores"),
            (dict(scores=[0.0]), ts.ParseError, "4 tokens and 1 entries in scores"),
            (dict(scores=[0, 0, 0, float("nan")]), ts.ParseError, "not a finite number"),
            (dict(bos=4), ts.ParseError, "has the bos token 4, and 4 tokens"),
            (dict(tokens=[b"\xff", "b", "c", "d"]), ts.ParseError, "token 0 that is not valid UTF-8"),
            (dict(model="gpt2", merges=["ab"]), ts.ParseError, "merge 0 that is not two tokens"),
            (dict(model="bert"), ts.ParseError, "no unknown token")]:
        with pytest.raises(error, match=part):
            ts.text.tokenizer_json(**{**good, **change})
    with pytest.raises(ts.ParseError, match="is not a valid tokenizer.json"):
        ts.text.Tokenizer.from_json(ts.text.tokenizer_json(model="gpt2", pre="gpt-2", tokens=["a"], merges=["a b"]))


def test_templates_are_those_of_jinja2():
    import jinja2

    compiled = {name: (ts.text.ChatTemplate(source, bos_token="<s>", eos_token="</s>"), cases.jinja(source)) for name, source in cases.TEMPLATES.items()}
    rendered = refused = 0
    for name, _, messages, options in cases.template_cases():
        ours, theirs = compiled[name]
        if not messages and "[::-1]" in cases.TEMPLATES[name]:
            with pytest.raises(ValueError, match="tessera_text failed"):  # minijinja 3.0.5 panics: an Error, not a crash
                ours.apply(messages, **{**options, "tools": None})
            continue
        variables = {**options, "messages": messages, "documents": None, "bos_token": "<s>", "eos_token": "</s>"}
        try:
            expected = theirs.render(**variables)
        except (jinja2.TemplateError, TypeError) as error:
            refused += 1
            with pytest.raises(ValueError) as caught:
                ours.apply(messages, **options)
            if type(error) is jinja2.TemplateError:  # raise_exception
                assert str(error) in str(caught.value)
            continue
        rendered += 1
        assert ours.apply(messages, **options) == expected, (name, messages, options)
    assert rendered > 250 and refused > 20, (rendered, refused)


def test_the_time_of_a_template():
    template = ts.text.ChatTemplate("{{ strftime_now('%d %b %Y %A %B %j %y-%m') }}")
    before = datetime.datetime.now()
    text = template.apply([])
    after = datetime.datetime.now()
    assert text in [t.strftime("%d %b %Y %A %B %j %y-%m") for t in (before, after)]


@pytest.mark.parametrize("what,call,error,part", [
    ("a template that is cut off", lambda: ts.text.ChatTemplate("{% if x %}\n{{ y"), ts.ParseError, "line 2"),
    ("a tag that is not known", lambda: ts.text.ChatTemplate("{% nonsense %}"), ts.ParseError, "nonsense"),
    ("a template that is a number", lambda: ts.text.ChatTemplate(5), TypeError, "a str is expected"),
    ("messages that are no JSON", lambda: ts.text.ChatTemplate("x").apply("[}"), ts.ParseError, "the messages are not valid JSON; a list is expected"),
    ("messages that add a variable", lambda: ts.text.ChatTemplate("x").apply('[],"a":1'), ts.ParseError, "the messages are not valid JSON"),
    ("messages that are an object", lambda: ts.text.ChatTemplate("x").apply("{}"), ts.ParseError, "a list is expected"),
    ("messages of sets", lambda: ts.text.ChatTemplate("x").apply([{"role": {1}}]), TypeError, "are no JSON"),
    ("a message that a template refuses", lambda: ts.text.ChatTemplate("{{ raise_exception('No: ' + 'x') }}").apply([]), ValueError, "No: x"),
    ("an attribute of nothing", lambda: ts.text.ChatTemplate("{{ a.b.c }}").apply([]), ValueError, "line 1"),
    ("an endless template", lambda: ts.text.ChatTemplate("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}").apply([]), ValueError, "fuel"),
    ("no tokenizer", lambda: ts.text.Tokenizer.from_json("{}"), ts.ParseError, "is not a valid tokenizer.json"),
    ("no JSON", lambda: ts.text.Tokenizer.from_json(b"\xff"), ts.ParseError, "is not a valid tokenizer.json"),
    ("no file", lambda: ts.text.Tokenizer("/no/such/file.json"), OSError, "'/no/such/file.json' cannot be read"),
    ("no path", lambda: ts.text.Tokenizer(5), TypeError, "a path is expected"),
    ("no template in a folder", lambda: ts.text.ChatTemplate.from_folder("/no/such/folder"), OSError, "has no chat template"),
])
def test_errors(what, call, error, part):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, ts.Error) and part in str(caught.value), caught.value


def test_errors_of_ids_and_texts(pairs):
    ours, _ = pairs["gpt2"]
    for call, error, part in [(lambda: ours.encode("\ud800"), ValueError, "surrogates"), (lambda: ours.encode(b"a\xffb"), ValueError, "not valid UTF-8 at byte 1"),
                              (lambda: ours.encode(5), TypeError, "a str is expected"), (lambda: ours.decode("abc"), TypeError, "integers are expected"),
                              (lambda: ours.decode([-1]), ValueError, "0 to 2^32 - 1"), (lambda: ours.decode([1.5]), TypeError, "integer")]:
        with pytest.raises(error) as caught:
            call()
        assert part in str(caught.value), caught.value
    assert ours.decode(ts.array([ours.encode("a")[0]])) == "a" and ours.decode([]) == ""


def test_a_folder(tmp_path, files):
    (tmp_path / "tokenizer.json").write_text(files["bert"])
    assert ts.text.Tokenizer(tmp_path).vocab_size == ts.text.Tokenizer(tmp_path / "tokenizer.json").vocab_size
    config = {"bos_token": {"content": "<s>"}, "eos_token": "</s>", "chat_template": "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    messages = [{"role": "user", "content": "Hi"}]
    assert ts.text.ChatTemplate.from_folder(tmp_path).apply(messages) == "<s>Hi</s>"
    named = [{"name": "tool_use", "template": "no"}, {"name": "default", "template": "yes"}]
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({**config, "chat_template": named}))
    assert ts.text.ChatTemplate.from_folder(tmp_path).apply(messages) == "yes"
    (tmp_path / "chat_template.jinja").write_text("{{ eos_token }}{{ tools is none }}")
    assert ts.text.ChatTemplate.from_folder(tmp_path).apply(messages) == "</s>True"


def test_without_the_library():
    code = "import tessera as ts\ntry:\n ts.text.ChatTemplate('x')\nexcept ts.UnsupportedError as e:\n print(e, ts.text.library().error == str(e))"
    import os
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "TESSERA_TEXT_LIBRARY": "/no/such.so"}, check=True)
    assert "/no/such.so" in done.stdout and done.stdout.endswith("True\n"), done
