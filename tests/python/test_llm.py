"""tessera.llm on the tiny models of tests/llm/models: generations, streams, chats, contexts, scores, embeddings, and what cancels them."""

import copy
import gc
import inspect
import json
import math
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from tessera import llm

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "tests/llm/models"
TEMPLATE = "{% for m in messages %}{{ m.role }} {{ m.content }} {% endfor %}{% if add_generation_prompt %}assistant {% endif %}"
needs_text = pytest.mark.skipif(bool(ts.text.library().error), reason=ts.text.library().error)
PROMPT = [3, 17, 42, 8, 25]


def tokenizer_json():
    """Words w3 to w79, and the roles of chats; decoded with spaces between them."""
    words = ["<unk>", "<s>", "</s>", "user", "assistant", "system", *(f"w{i}" for i in range(6, 80))]
    special = [{"id": i, "content": words[i], "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
               for i in range(3)]
    return json.dumps({"version": "1.0", "added_tokens": special, "pre_tokenizer": {"type": "WhitespaceSplit"},
                       "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": {w: i for i, w in enumerate(words)}}})


def folder_with_text(name, path):
    """A copy of a model with a tokenizer and a chat template."""
    shutil.copytree(MODELS / name, path)
    (path / "tokenizer.json").write_text(tokenizer_json())
    (path / "chat_template.jinja").write_text(TEMPLATE)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return folder_with_text("llama", tmp_path_factory.mktemp("llm") / "llama")


@pytest.fixture(scope="module")
def model(folder):
    """With a tokenizer where the library of tokenizers is there; tests without it use tokens."""
    return llm.load(folder if not ts.text.library().error else MODELS / "llama", dtype="float32")


@pytest.fixture(scope="module")
def whole():
    return llm.Model.load(MODELS / "llama", dtype=ts.float32)


def greedy(whole, prompt, count):
    ids = list(prompt)
    for _ in range(count):
        ids.append(int(ts.argmax(whole(ts.array([ids], dtype=ts.int32))[0, -1]).item()))
    return ids[len(prompt):]


def test_adapters_of_a_model():
    whole, ids = llm.Model.load(MODELS / "llama", dtype=ts.float32), ts.array([PROMPT], dtype=ts.int32)
    before = np.asarray(whole(ids))
    ts.nn.lora(whole, 2, ["*.attention.q", "*.mlp.down"])
    whole.update({name: 0.3 * ts.random.normal(t.shape) for name, t in ts.nn.lora_parameters(whole).items()})
    loss, gradients = ts.value_and_grad(whole, lambda: ts.nn.functional.cross_entropy(whole(ids)[0], ts.array(PROMPT)))()
    assert set(gradients) == set(ts.nn.lora_parameters(whole)) and all(ts.abs(g).max().item() > 0 for g in gradients.values())
    cache = whole.cache(1, 8)
    adapted, decoded = np.asarray(whole(ids)), [np.asarray(whole(ids[:, i:i + 1], cache)) for i in range(5)]
    assert np.abs(adapted - before).max() > 0.1
    np.testing.assert_allclose(np.concatenate(decoded, axis=1), adapted, atol=1e-4)
    ts.nn.merge_lora(whole)
    np.testing.assert_allclose(np.asarray(whole(ids)), adapted, atol=1e-4)


def test_greedy_answers_are_the_largest_logits_of_whole_sequences(model, whole):
    expected = greedy(whole, PROMPT, 8)
    answer = model.generate(PROMPT, max_tokens=8, temperature=0, end_tokens=[])
    assert answer.tokens == expected and answer.finish == "length" and answer.prompt_tokens == 5 and answer.reused_tokens == 0
    assert answer.prefill_seconds > 0 and answer.prefill_rate > 0 and answer.decode_rate > 0
    assert model.generate(ts.array(PROMPT), max_tokens=8, end_tokens=[]).tokens == expected, "greedy is the default"
    ended = model.generate(PROMPT, max_tokens=8, end_tokens=[expected[2]])
    assert ended.tokens == expected[:expected.index(expected[2]) + 1] and ended.finish == "stop"
    nothing = model.generate(PROMPT, max_tokens=0)
    assert nothing.tokens == [] and nothing.text == ""
    full = model.generate(PROMPT, context=model.context(9), end_tokens=[])
    assert full.finish == "length" and len(full.tokens) == 5  # the last one needs no room


def test_streams_are_generations(model):
    expected = model.generate(PROMPT, max_tokens=7, temperature=0.9, seed=5, logprobs=3, end_tokens=[])
    stream = model.stream(PROMPT, max_tokens=7, temperature=0.9, seed=5, logprobs=3, end_tokens=[])
    assert stream.generation is None
    tokens = list(stream)
    assert [t.id for t in tokens] == expected.tokens and "".join(t.text for t in tokens) == expected.text
    assert [t.logprob for t in tokens] == pytest.approx(expected.logprobs, abs=1e-5)
    for token, top in zip(tokens, expected.top_logprobs):
        assert [t.id for t in token.top] == [t.id for t in top] and len(top) == 3
        assert [t.logprob for t in top] == sorted((t.logprob for t in top), reverse=True)
    assert stream.generation.tokens == expected.tokens and stream.generation.seed == expected.seed == 5
    assert next(stream, None) is None
    seen = []
    again = model.generate(PROMPT, max_tokens=7, temperature=0.9, seed=5, end_tokens=[], on_token=seen.append)
    assert [t.id for t in seen] == again.tokens == expected.tokens and seen[0].logprob is None and seen[0].sequence == 0


def threads():
    return len(list(Path("/proc/self/task").iterdir()))


def test_leaving_a_loop_cancels_the_generation(model):
    for _ in range(3):
        context = model.context()
        expected = model.generate(PROMPT, max_tokens=6, end_tokens=[]).tokens
        got = []
        for token in model.stream(PROMPT, context=context, end_tokens=[]):
            got.append(token.id)
            if len(got) == 4:
                break
        del token
        gc.collect()
        assert got == expected[:4]
        assert context.tokens[:8] == [*PROMPT, *got[:3]] and len(context) <= 10  # nothing was computed beyond the next token
        assert model.generate(context.tokens, context=context, max_tokens=1).reused_tokens == len(context) - 1
    with model.stream(PROMPT, context=context, end_tokens=[]) as stream:
        next(stream)
        with pytest.raises(ts.Error, match="a generation uses it") as caught:
            context.truncate(1)
        assert caught.value.kind == "value"
        with pytest.raises(ts.Error, match="close its stream"):
            model.generate(PROMPT, context=context)
    assert stream.generation.finish == "cancelled" and len(stream.generation.tokens) == 1 and list(stream) == []
    context.clear()
    unused = model.stream(PROMPT, context=context)  # never started
    assert unused.generation is None
    del unused
    assert context.tokens == []
    before = threads()
    for _ in range(5):
        next(model.stream(PROMPT, end_tokens=[]))
    gc.collect()
    assert threads() <= before


def test_exceptions_of_callbacks_cancel(model):
    class Enough(Exception):
        pass

    seen = []

    def on_token(token):
        seen.append(token.id)
        if len(seen) == 3:
            raise Enough("three")

    context = model.context()
    with pytest.raises(Enough, match="three"):
        model.generate(PROMPT, context=context, on_token=on_token, end_tokens=[])
    assert len(seen) == 3 and context.tokens[:7] == [*PROMPT, *seen[:2]]
    # A callback runs on the caller's thread without a lock: it may use the model, but not the context.
    inner = []

    def nested(token):
        assert threading.current_thread() is threading.main_thread()
        inner.append(model.generate(PROMPT, max_tokens=1).tokens)
        with pytest.raises(ts.ArgumentError):
            context.tokens

    model.generate(PROMPT, context=context, max_tokens=2, on_token=nested, end_tokens=[])
    assert inner[0] == inner[1] == [seen[0]]


def test_interrupts_cancel():
    """Ctrl-C during the computation of a prompt and of tokens: KeyboardInterrupt, and the context can be used again."""
    code = f"""
import os, signal, threading, time
from tessera import llm
model = llm.load({str(MODELS / "llama")!r})
context = model.context()
for on_token in (None, lambda t: None):
    count = 0
    def later():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)
    def endless():
        while True:
            model.generate([3, 4, 5], context=context, end_tokens=[], on_token=on_token)
    thread = threading.Thread(target=later)
    thread.start()
    try:
        endless()
    except KeyboardInterrupt:
        thread.join()
        assert len(model.generate([3, 4, 5], context=context, max_tokens=2, end_tokens=[]).tokens) == 2
        print("interrupted")
stream = model.stream([3, 4, 5], end_tokens=[])  # is closed at the exit
next(stream)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "interrupted\n" * 2, done.stderr


def test_other_threads_run_while_a_model_computes(model):
    counted, ended = 0, threading.Event()

    def work():
        for _ in range(5):
            model.generate(PROMPT, end_tokens=[], max_tokens=20)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 10
    # Several generations of one model at once, each in its own context.
    expected = model.generate(PROMPT, max_tokens=10, temperature=1, seed=3).tokens
    results = []
    workers = [threading.Thread(target=lambda: results.append(model.generate(PROMPT, max_tokens=10, temperature=1, seed=3).tokens)) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert results == [expected] * 4


@needs_text
def test_text_and_stop_strings(model):
    text = "w8 w17 w42"
    ids = model.encode(text)
    assert ids == [8, 17, 42] == model.tokenizer.encode(text) and model.has_tokenizer
    answer = model.generate(text, max_tokens=8, end_tokens=[])
    assert answer.tokens == model.generate(ids, max_tokens=8, end_tokens=[]).tokens and str(answer) == answer.text
    assert answer.text == model.tokenizer.decode(answer.tokens)
    word = model.tokenizer.decode(answer.tokens[3:4])
    for stop in (word, [word, "no such word"]):
        stopped = model.generate(text, max_tokens=8, end_tokens=[], stop=stop)
        assert stopped.finish == "stop" and stopped.stop == word and stopped.text == answer.text[:answer.text.index(word)]
    tokens = list(model.stream(text, max_tokens=8, end_tokens=[], stop=word))
    assert "".join(t.text for t in tokens) == stopped.text


@needs_text
def test_the_second_turn_of_a_chat_computes_new_tokens_only(model):
    context = model.context()
    messages = [{"role": "user", "content": "w9 w30 w31"}]
    first = model.chat(context, messages, max_tokens=6, end_tokens=[])
    assert first.reused_tokens == 0 and first.prompt_tokens == 5 and model.has_chat_template
    messages += [{"role": "assistant", "content": first.text}, {"role": "user", "content": "w50"}]
    second = model.chat(context, messages, max_tokens=6, end_tokens=[])
    assert second.reused_tokens >= first.prompt_tokens + 5
    assert second.tokens == model.chat(model.context(), messages, max_tokens=6, end_tokens=[]).tokens
    prompt = model.chat_template.apply(messages, add_generation_prompt=True)
    assert second.tokens == model.generate(prompt, max_tokens=6, end_tokens=[], add_special_tokens=False).tokens
    stream = model.stream_chat(context, messages, max_tokens=6, end_tokens=[])
    assert [t.id for t in stream] == second.tokens
    for wrong in ("hello", [{"content": "x"}], ["x"], 5):
        with pytest.raises(ts.ArgumentTypeError):
            model.chat(context, wrong)
    with pytest.raises(ts.ArgumentTypeError, match="a Context is expected"):
        model.chat(messages, messages)


def test_batches(model):
    prompts = [PROMPT, [7], list(range(3, 20))]
    alone = [model.generate(p, max_tokens=6, end_tokens=[]).tokens for p in prompts]
    seen = [[], [], []]
    together = model.generate_batch(prompts, max_tokens=6, end_tokens=[], on_token=lambda t: seen[t.sequence].append(t.id))
    assert [g.tokens for g in together] == alone == seen
    drawn = model.generate_batch(prompts, max_tokens=6, temperature=1.0, seed=7, end_tokens=[])
    assert [g.seed for g in drawn] == [7, 8, 9]
    assert drawn[2].tokens == model.generate(prompts[2], max_tokens=6, temperature=1.0, seed=9, end_tokens=[]).tokens
    assert model.generate_batch([]) == []
    with pytest.raises(ts.ArgumentTypeError, match="a list is expected"):
        model.generate_batch("text")


def test_sequences_join_and_leave_a_batch(model):
    jobs = [(PROMPT, dict(max_tokens=6)), ([7], dict(max_tokens=9, temperature=1.0, seed=3)), (list(range(3, 20)), dict(max_tokens=4, logprobs=2))]
    alone = [model.generate(p, end_tokens=[], **o) for p, o in jobs]
    for joins in range(4):
        batch = model.batch(2, page_size=4, chunk=8)
        assert batch.empty and batch.capacity == 64 and batch.free_tokens == 128
        seen, done = {}, {}
        for step in range(100):
            if step % joins == 0 if joins else step == 0:
                for prompt, options in jobs[step // joins:step // joins + 1] if joins else jobs:
                    seen[batch.add(prompt, end_tokens=[], **options)] = []
            tokens, finished = batch.step()
            for token in tokens:
                seen[token.sequence].append(token.id)
            done |= {i: batch.remove(i) for i in finished}
        assert [done[i].tokens for i in range(3)] == [g.tokens for g in alone] == [seen[i] for i in range(3)]
        assert done[2].top_logprobs[0][0].id == alone[2].top_logprobs[0][0].id
    batch = model.batch(1)
    first, second = batch.add(PROMPT), batch.add([5])
    batch.step()
    assert (batch.running, batch.waiting) == (1, 1) and "running=1" in repr(batch)
    assert batch.remove(first).finish == batch.remove(second).finish == "cancelled" and batch.empty
    for call, error in [(lambda: batch.remove(first), ts.ArgumentError), (lambda: batch.remove("x"), ts.ArgumentTypeError),
                        (lambda: batch.add([]), ts.ArgumentError), (lambda: batch.add([5] * 65), ts.ArgumentError),
                        (lambda: batch.add([5], top_p=0), ts.ArgumentError), (lambda: model.batch(0), ts.ArgumentError),
                        (lambda: model.batch(2, tokens=1.5), ts.ArgumentTypeError), (lambda: model.batch(context=65), ts.ArgumentError),
                        (lambda: model.batch(2, tokens=16).add([5] * 17), ts.OutOfMemoryError), (lambda: llm.Batch(5), ts.ArgumentTypeError)]:
        with pytest.raises(error):
            call()


def test_progress_of_loading(folder):
    for load in (llm.load, llm.Model.load):
        seen = []
        load(folder, progress=lambda *values: seen.append(values))
        loaded = [s[0] for s in seen]
        assert loaded == sorted(loaded) and loaded[-1] == seen[-1][1] > 0 and len({s[1] for s in seen}) == 1
        assert len(seen) > 10 and any(s[2].endswith("q_proj.weight") for s in seen)

        def refuse(loaded, total, name):
            raise KeyError("enough")
        with pytest.raises(KeyError, match="enough"):
            load(folder, progress=refuse)


def test_contexts_are_saved_restored_copied_and_truncated(model, tmp_path):
    context = model.context()
    first = model.generate(PROMPT, context=context, max_tokens=6, end_tokens=[])
    assert context.tokens == [*PROMPT, *first.tokens[:5]] and len(context) == 10 and context.capacity == 64
    file = tmp_path / "context.safetensors"
    context.save(file, {"title": "a chat"})
    prompt = [*PROMPT, *first.tokens, 9, 10]
    forks = [context.copy(), copy.copy(context), copy.deepcopy(context)]
    expected = model.generate(prompt, context=context, max_tokens=5, end_tokens=[])
    assert expected.reused_tokens == 10
    for fork in forks:
        assert fork.tokens == [*PROMPT, *first.tokens[:5]]
        assert model.generate(prompt, context=fork, max_tokens=5, end_tokens=[]).tokens == expected.tokens
    other = model.context(32)
    assert other.restore(file) == {"title": "a chat"} and len(other) == 10
    answer = model.generate(prompt, context=other, max_tokens=5, end_tokens=[])
    assert answer.tokens == expected.tokens and answer.reused_tokens == 10
    other.truncate(3)
    assert other.tokens == PROMPT[:3] and "capacity=32" in repr(other)
    other.clear()
    assert other.tokens == [] and len(other) == 0 and other
    for call, error, kind in [(lambda: other.truncate(1), ts.ArgumentError, "value"), (lambda: other.restore(tmp_path / "none"), ts.FileError, "io"),
                              (lambda: other.restore(MODELS / "llama/model.safetensors"), ts.ParseError, "parse"),
                              (lambda: model.context(8).restore(file), ts.ArgumentError, "value"),
                              (lambda: other.save("/no/such/folder/file"), ts.FileError, "io"),
                              (lambda: other.save(file, {"a": 1}), ts.ArgumentTypeError, "value"),
                              (lambda: llm.Context(), TypeError, None), (lambda: llm.LanguageModel(5), ts.ArgumentTypeError, "value")]:
        with pytest.raises(error) as caught:
            call()
        assert kind is None or caught.value.kind == kind


def test_options_of_sampling(model, whole):
    logits = whole(ts.array([PROMPT], dtype=ts.int32))[0, -1].tolist()
    order = sorted(range(len(logits)), key=lambda i: -logits[i])
    first = lambda **options: model.generate(PROMPT, max_tokens=1, end_tokens=[], **options).tokens[0]  # noqa: E731
    assert first(logit_bias={order[5]: 1000.0}) == order[5]
    assert first(logit_bias={order[0]: -math.inf}) == order[1]
    assert {first(top_k=2, seed=s) for s in range(40)} == set(order[:2]), "a filter draws, even if the default is greedy"
    assert {first(top_k=1, temperature=2.0, seed=s) for s in range(5)} == {order[0]}
    assert len({first(temperature=5.0, seed=s) for s in range(20)}) > 5
    assert first(presence_penalty=0.5, temperature=0) == order[0]
    assert model.defaults.end_tokens == [2] and model.defaults.sampled is False and model.defaults.sampling["temperature"] == 0
    seeded = model.generate(PROMPT, max_tokens=5, temperature=1.0, end_tokens=[])
    assert model.generate(PROMPT, max_tokens=5, temperature=1.0, seed=seeded.seed, end_tokens=[]).tokens == seeded.tokens


@pytest.mark.parametrize("options,error,part", [
    (dict(max_tokens=-1), ts.ArgumentError, "max_tokens = -1"), (dict(max_tokens="x"), ts.ArgumentTypeError, "an integer is expected"),
    (dict(temperature=-1), ts.ArgumentError, "temperature"), (dict(temperature="hot"), ts.ArgumentTypeError, "a number is expected"),
    (dict(top_p=0), ts.ArgumentError, "top_p"), (dict(top_k=-1), ts.ArgumentError, "top_k"), (dict(top_k=1.5), ts.ArgumentTypeError, "an integer"),
    (dict(min_p=2), ts.ArgumentError, "min_p"), (dict(seed=-1), ts.ArgumentError, "from 0 to 4294967295"), (dict(seed=2**32), ts.ArgumentError, "seed"),
    (dict(logprobs=1000), ts.ArgumentError, "from 0 to 80"), (dict(logit_bias={80: 1.0}), ts.ArgumentError, "token 80"),
    (dict(logit_bias=[1]), ts.ArgumentTypeError, "a dict"), (dict(stop=5), ts.ArgumentTypeError, "a str or a list"),
    (dict(stop=[5]), ts.ArgumentTypeError, "a str is expected"), (dict(on_token=5), ts.ArgumentTypeError, "a function is expected"),
    (dict(context=5), ts.ArgumentTypeError, "a Context is expected"), (dict(prompt=[]), ts.ArgumentError, "the prompt has no tokens"),
    (dict(prompt=[80]), ts.ArgumentError, "tokens 0 to 79"), (dict(prompt=[-1]), ts.ArgumentError, "the id -1"), (dict(prompt=5), ts.ArgumentTypeError, "integers"),
    (dict(prompt=[1.5]), TypeError, "integer"), (dict(prompt=[5] * 65), ts.ArgumentError, "the prompt has 65 tokens; the context has room for 64"),
    (dict(no_such_option=1), TypeError, "no_such_option")])
def test_wrong_options(model, options, error, part):
    for call in (model.generate, lambda **o: list(model.stream(**o)), lambda prompt, **o: model.generate_batch([prompt], **o)):
        if "on_token" in options and call != model.generate or "context" in options and call != model.generate:
            continue
        with pytest.raises(error, match=part):
            call(**{"prompt": PROMPT, **options})


def test_what_does_not_load(folder, tmp_path):
    for call, error, kind in [(lambda: llm.load(tmp_path / "none"), ts.FileError, "io"), (lambda: llm.load(5), ts.ArgumentTypeError, "value"),
                              (lambda: llm.load(MODELS / "llama", context=65), ts.ArgumentError, "value"),
                              (lambda: llm.load(MODELS / "llama", context=0), ts.ArgumentError, "value"),
                              (lambda: llm.load(MODELS / "llama", context=1.5), ts.ArgumentTypeError, "value"),
                              (lambda: llm.load(MODELS / "llama", memory=1000), ts.OutOfMemoryError, "out_of_memory"),
                              (lambda: llm.load(MODELS / "llama", dtype="no dtype"), TypeError, None),
                              (lambda: llm.load(MODELS / "llama", device="no device"), ts.ArgumentError, "value"),
                              (lambda: llm.parse_config("{"), ts.ParseError, "parse"), (lambda: llm.parse_config('{"model_type": "rwkv"}'), ts.Error, "unsupported"),
                              (lambda: llm.load_tokenizer(tmp_path / "none.gguf"), ts.FileError, "io"),
                              (lambda: llm.load(MODELS / "llama").generate("text"), ts.UnsupportedError, "unsupported"),
                              (lambda: llm.load(MODELS / "llama").tokenizer, ts.UnsupportedError, "unsupported"),
                              (lambda: llm.load(MODELS / "llama").chat_template, ts.UnsupportedError, "unsupported"),
                              (lambda: llm.load(MODELS / "bert").context(), ts.UnsupportedError, "unsupported")]:
        with pytest.raises(error) as caught:
            call()
        assert kind is None or caught.value.kind == kind, caught.value
    half = llm.load(MODELS / "llama", context=16, cache_dtype=ts.float16)
    assert half.context().capacity == 16 and len(half.generate(PROMPT, max_tokens=3, end_tokens=[]).tokens) == 3
    if not ts.text.library().error:
        assert llm.load_tokenizer(folder).encode("w9") == [9]


def test_scores(model, whole):
    ids = list(range(3, 40))
    logits = ts.log_softmax(whole(ts.array([ids], dtype=ts.int32)), axis=-1)[0].tolist()
    expected = [logits[i][ids[i + 1]] for i in range(len(ids) - 1)]
    assert model.logprobs(ids) == pytest.approx(expected, abs=1e-4) and model.logprobs([5]) == []
    p = model.perplexity(ids)
    assert p.tokens == 36 and p.windows == 1 and p.nll == pytest.approx(-sum(expected), abs=1e-2) and p.value == pytest.approx(math.exp(p.nll / 36))
    assert model.perplexity(ids, context=16, stride=8).windows == 4
    for wrong in (dict(context=1), dict(context=16, stride=16), dict(context=0)):
        with pytest.raises(ts.ArgumentError):
            model.perplexity(ids, **wrong)
    if model.has_tokenizer:
        text = " ".join(f"w{i}" for i in range(6, 20))
        assert model.perplexity(text).value == pytest.approx(model.perplexity(list(range(6, 20))).value)


@needs_text
def test_embeddings(tmp_path):
    encoder, module = llm.load(folder_with_text("minilm", tmp_path / "minilm"), dtype="float32"), llm.Model.load(MODELS / "minilm", dtype="float32")
    texts = ["w9 w10", "w20", "w9 w10 w11 w12 w13"]
    got = encoder.embed(texts)
    assert got.shape == (3, encoder.config.width) and got.dtype == ts.float32
    for row, text in zip(got.tolist(), texts):
        assert row == pytest.approx(module.embed([encoder.encode(text)])[0].tolist(), abs=1e-4)
    assert encoder.embed([]).shape == (0, encoder.config.width) and encoder.config.encoder
    for wrong, error in (("w9", ts.ArgumentTypeError), ([5], ts.ArgumentTypeError), ([""], ts.ArgumentError), (["w9 " * 100], ts.ArgumentError)):
        with pytest.raises(error):
            encoder.embed(wrong)
    with pytest.raises(ts.UnsupportedError, match="embed"):
        encoder.generate("w9")


def test_models_are_modules_with_the_logits_of_transformers(whole):
    expected = ts.io.load_safetensors(MODELS / "llama/expected.safetensors")
    ids, logits = expected["ids"], expected["logits"]
    got = whole(ids)
    lengths = expected["lengths"].tolist() if "lengths" in expected else [ids.shape[1]] * ids.shape[0]
    for i, n in enumerate(lengths):
        assert ts.allclose(got[i, :n], logits[i, :n], atol=1e-3, rtol=1e-3)
    cache = whole.cache(1, 32)
    assert cache.batch == 1 and cache.context == 32 and len(cache.k) == len(whole.config.layers) and sorted(cache.buffers()) == sorted(cache.state_dict())
    row = ids[0:1, :4]
    first = whole(row, cache, last=True)
    assert ts.allclose(first, whole(row)[:, -1], atol=1e-4) and cache.lengths.tolist() == [4]
    # A compiled step, whose state is the cache and the sampler.
    sampler = llm.Sampler(1, whole.config.vocabulary, 42, temperature=0)
    token = sampler(first)
    step = ts.compile(lambda t: sampler(whole(t, cache, last=True)), state=[cache, sampler])
    tokens = [token.item()]
    for _ in range(4):
        token = step(token)
        tokens.append(token.item())
    assert tokens == greedy(whole, row[0].tolist(), 5) and step.traces == 1 and cache.lengths.tolist() == [8]
    assert whole.hidden(row).shape == (1, 4, whole.config.width) and whole.embed(row).shape == (1, whole.config.width)
    # Gradients with respect to the weights.
    trained = llm.Model.load(MODELS / "llama", dtype="float32")
    value, gradients = ts.value_and_grad(trained, lambda x: trained(x).square().mean())(row)
    assert set(gradients) == set(trained.parameters()) and value.item() > 0
    ts.optim.SGD(trained, lr=0.1).update(trained, gradients)
    assert ts.value_and_grad(trained, lambda x: trained(x).square().mean())(row)[0].item() < value.item()
    with pytest.raises(ts.ArgumentTypeError, match="Model.load"):
        llm.Model()


def test_samplers():
    logits = ts.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])
    sampler = llm.Sampler(2, 3, 1, temperature=0, repetition_penalty=1000.0)
    assert sampler(logits).tolist() == [[2], [0]] and sampler(logits).tolist() == [[1], [1]] and sampler.steps.tolist() == [2, 2]
    sampler = llm.Sampler(2, 3, 1, temperature=0, repetition_penalty=1000.0)
    sampler.prompt([[2], [1]])
    assert sampler(logits).tolist() == [[1], [0]]
    assert sampler(logits, mask=[[True, False, False]]).tolist() == [[0], [0]]
    plain = llm.Sampler(2, 3, 4)
    numbers = llm.uniform_of(plain.seeds, plain.steps)
    assert plain(logits)[:, 0].tolist() == llm.sample(logits, numbers).tolist() and plain.counts is None
    with pytest.raises(ts.ArgumentError, match="top_p"):
        llm.Sampler(1, 3, 1, top_p=0)


def test_configs(model):
    c = model.config
    text = json.loads((MODELS / "llama/config.json").read_text())
    assert (c.model_type, c.vocabulary, c.width, c.heads, c.kv_heads, c.context) == ("llama", 80, 32, 4, 2, 64)
    assert len(c.layers) == text["num_hidden_layers"] and c.layers[0].window == 0 and c.ropes[0].frequencies and c.experts is None
    assert (c.norm, c.activation, c.placement, c.qk_norm, c.pooling) == ("rms", "silu", "pre", "none", "mean")
    assert c == llm.load_config(MODELS / "llama") == llm.parse_config(json.dumps(text)) and c != llm.load_config(MODELS / "qwen2")
    with pytest.raises(AttributeError):
        c.width = 5
    experts = llm.load_config(MODELS / "mixtral").experts
    assert experts.count > experts.per_token > 0
    kinds = {json.loads(f.read_text())["model_type"] for f in MODELS.glob("*/config.json")}
    assert kinds <= set(llm.architectures())


def test_a_cache_in_8_bits_has_scales():
    model = llm.Model.load(MODELS / "llama")
    ids = np.arange(10).reshape(2, 5)
    wide, narrow = model.cache(2, 16), model.cache(2, 16, ts.q8_0)
    assert (narrow.batch, narrow.context, len(narrow.k_scales), len(wide.k_scales)) == (2, 16, len(narrow.k), 0)
    a, b = (np.asarray(model(ids, cache, last=True)) for cache in (wide, narrow))
    assert 0 < np.linalg.norm(a - b) / np.linalg.norm(a) < 0.03
    step = ts.compile(lambda x: model(x, narrow, last=True), state=[narrow])
    step(ts.asarray([[1], [2]]))
    assert narrow.lengths.tolist() == [6, 6]


def test_convert(tmp_path):
    seen = []
    written = llm.convert(MODELS / "llama", tmp_path / "a.gguf", "q8_0", progress=seen.append)
    assert [t.name for t in written] == [p.tensor.name for p in seen] and seen[-1].done == seen[-1].total > 0
    assert {t.to for t in written} >= {"F32"} and all(t.bytes_after > 0 for t in written)
    assert llm.Model.load(tmp_path / "a.gguf").config.width == llm.Model.load(MODELS / "llama").config.width

    def refuse(progress):
        raise KeyError("enough")
    with pytest.raises(KeyError, match="enough"):
        llm.convert(MODELS / "llama", tmp_path / "b.gguf", progress=refuse)
    assert not (tmp_path / "b.gguf").exists()
    with pytest.raises(ts.ArgumentError, match="q9"):
        llm.convert(MODELS / "llama", tmp_path / "b.gguf", "q9")


def test_every_public_name_of_the_headers_is_bound():
    headers = {p.name: re.sub(r"//[^\n]*", "", p.read_text()) for p in (ROOT / "include/tessera/llm").glob("*.h")}
    text = "\n".join(body for name, body in sorted(headers.items()) if name != "blocks.h")  # whose classes are parts of Model
    while re.search(r"<[^<>\n]*>", text):  # arguments of templates
        text = re.sub(r"<[^<>\n]*>", "", text)
    classes = set(re.findall(r"^(?:class|struct) (\w+)[^;\n]*\{", text, re.M)) | {"Cache"}
    # Members of these are keywords of functions.
    keywords = {"LanguageModelOptions": [llm.load], "GenerateOptions": [llm.LanguageModel.generate, llm.LanguageModel.stream, llm.LanguageModel.generate_batch],
                "SamplingOptions": [llm.LanguageModel.generate, llm.LanguageModel.stream, llm.LanguageModel.chat, llm.Sampler],
                "PerplexityOptions": [llm.LanguageModel.perplexity], "LoadOptions": [llm.Model.load], "ForwardOptions": [llm.Model.forward],
                "ConvertOptions": [llm.convert], "BatchOptions": [llm.LanguageModel.batch]}
    # An exception cancels; the options of sampling are keywords themselves; missing weights raise; pages of a cache are of C++.
    without = {"cancel", "sampling", "report", "sequences"}
    for name, functions in keywords.items():
        body = re.search(rf"^struct {name} \{{(.*?)^\}};", text, re.M | re.S).group(1)
        members = {m for line in re.findall(r"([^;]*);", body) for m in re.findall(r"(\w+)(?: = [^,;]+)?(?:,|$)", line.strip())} - without
        assert members, name
        for function in functions:
            assert members <= set(inspect.signature(function).parameters), (name, function)
    interfaces = {"WeightSource", "LoadedModel"}  # of C++
    assert len(classes) > 15 and [c for c in sorted(classes - set(keywords) - interfaces) if not hasattr(llm, c)] == []
    # What Python does in another way: len(context), no object of C++ inside, load_config() and parse_config(), attributes of modules.
    otherwise = {"Context": {"size", "cache"}, "LanguageModel": {"model"}, "Model": {"dtype", "fields", "embedding", "positions", "types", "embedding_norm", "layers",
                 "norm", "head", "pooler"}, "Config": {"parse", "load"}, "Sampler": {"fields", "options"}}
    for kind in ("Context", "LanguageModel", "Model", "Config", "Sampler", "Generation", "Perplexity", "Batch", "BatchStep", "GeneratedToken", "TokenLogprob", "GenerationDefaults"):
        body = re.search(rf"^(?:class|struct) {kind}\b[^;{{]*\{{(.*?)^\}};", text, re.M | re.S).group(1).partition(" private:")[0]
        functions = set(re.findall(r"^  (?:\[\[nodiscard\]\] )?(?:static |const )*[\w:&]+ (\w+)\(", body, re.M))
        fields = {n for line in re.findall(r"^  (?!using|friend|explicit)[\w:]+ ([\w, ]+?)(?: = [^;]*)?;", body, re.M) for n in line.split(", ")}
        known = set(dir(getattr(llm, kind))) | set(getattr(getattr(llm, kind), "__annotations__", {}))
        assert functions | fields and sorted((functions | fields) - known - {kind, "operator"} - otherwise.get(kind, set())) == [], kind
