"""scan and loop over nested structures, against loops in Python."""

import collections
import operator

import numpy as np
import pytest
import tessera as ts

State = collections.namedtuple("State", "h c")


def some(shape, phase):
    return ts.array((0.6 * np.sin(1.3 * np.arange(int(np.prod(shape))) + phase)).reshape(shape).astype(np.float32))


WEIGHTS = {"x": some((3, 16), 1), "h": some((4, 16), 2), "b": [some((16,), 3)]}


def lstm(w, state, x):
    i, f, g, o = ts.split(x["in"] @ w["x"] + state.h @ w["h"] + w["b"][0], 4, axis=-1)
    c = ts.sigmoid(f) * state.c + ts.sigmoid(i) * ts.tanh(g)
    h = ts.sigmoid(o) * ts.tanh(c)
    return State(h, c), {"h": h, "mean": (h.mean(), None)}


def by_hand(f, carry, xs, steps):
    ys = []
    for t in steps:
        carry, y = f(carry, ts.tree_map(operator.itemgetter(t), xs))
        ys.append((t, y))
    return carry, [y for _, y in sorted(ys, key=operator.itemgetter(0))]


@pytest.mark.parametrize("reverse, every, unroll, called", [(False, 1, 1, 1), (False, 3, 1, 1), (True, 2, 1, 1), (False, 100, 1, 1),
                                                            (True, 1, 3, 4), (False, 1, 0, 7)])
def test_an_lstm_over_structures(reverse, every, unroll, called):
    xs = {"in": some((7, 2, 3), 4)}
    start = State(some((2, 4), 5), some((2, 4), 6))
    calls = []

    def loss(w, start, xs, scanned):
        def cell(state, x):
            calls.append(scanned)
            return lstm(w, state, x)

        if scanned:
            last, ys = ts.scan(cell, start, xs, reverse=reverse, checkpoint_every=every, unroll=unroll)
            assert isinstance(last, State) and ys["mean"][1] is None and ys["h"].shape == (7, 2, 4)
            h, mean = ys["h"], ys["mean"][0]
        else:
            last, rows = by_hand(cell, start, xs, range(6, -1, -1) if reverse else range(7))
            h, mean = ts.stack([r["h"] for r in rows]), ts.stack([r["mean"][0] for r in rows])
        return (last.c * some((2, 4), 7)).sum() + (h * some((7, 2, 4), 8)).sum() + (mean * some((7,), 9)).sum()

    value, gradients = ts.value_and_grad(loss, argnums=(0, 1, 2))(WEIGHTS, start, xs, True)
    assert calls == [True] * called
    expected, others = ts.value_and_grad(loss, argnums=(0, 1, 2))(WEIGHTS, start, xs, False)
    np.testing.assert_allclose(value.item(), expected.item(), rtol=1e-5)
    assert isinstance(gradients[1], State)
    ts.tree_map(lambda g: g.eval(), gradients)
    for got, wanted in [(gradients[0]["x"], others[0]["x"]), (gradients[0]["h"], others[0]["h"]), (gradients[0]["b"][0], others[0]["b"][0]),
                        (gradients[1].h, others[1].h), (gradients[1].c, others[1].c), (gradients[2]["in"], others[2]["in"])]:
        np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=2e-5, atol=2e-6)


def test_captured_parameters_and_second_gradients():
    w = ts.array([0.5, 0.25], requires_grad=True)
    last, _ = ts.scan(lambda c, x: (c * w + x, None), ts.zeros(2), ts.ones(3, 2))
    last.sum().backward()
    np.testing.assert_allclose(w.grad.numpy(), 1 + 2 * np.array([0.5, 0.25]))  # 1 + w + w^2
    assert w.requires_grad and not w.grad.requires_grad
    second = ts.grad(lambda w: ts.grad(lambda w: ts.scan(lambda c, x: (c * w + x, None), ts.zeros(()), ts.ones(3))[0])(w))(ts.array(0.5))
    assert second.item() == 2.0
    with ts.no_grad():
        assert not ts.scan(lambda c, x: (c * w + x, None), ts.zeros(2), ts.ones(3, 2))[0].requires_grad


def test_lengths_and_trip_counts():
    powers = ts.scan(lambda c, x: (c * 2, c), ts.array(1.0), length=5)[1]
    assert powers.tolist() == [1.0, 2.0, 4.0, 8.0, 16.0]
    last, ys = ts.scan(lambda c, x: (c, {"a": x, "b": None}), [ts.array(1.0)], ts.zeros((0, 2)))
    assert last[0].item() == 1.0 and ys["a"].shape == (0, 2) and ys["b"] is None
    assert ts.loop(4, lambda step, c: {"n": c["n"] + step}, {"n": ts.array(0)})["n"].item() == 6
    assert ts.loop(np.int64(4), lambda step, c: c + step, ts.array(0)).item() == 6
    assert ts.loop(ts.array([1, 2, 1]).sum(), lambda step, c: c + step, ts.array(0)).item() == 6
    inside = ts.compile(lambda x: ts.loop(4, lambda step, c: c + step, x))
    assert [inside(ts.array(i)).item() for i in (0, 1)] == [6, 7] and inside.traces == 1
    nested = ts.scan(lambda c, x: (ts.scan(lambda d, y: (d + y, None), c, x)[0], c), ts.array(0.0), ts.ones((3, 2)))
    assert nested[0].item() == 6.0 and nested[1].tolist() == [0.0, 2.0, 4.0]


def test_draws_are_those_of_a_loop():
    def walk(c, x):
        c = c + ts.random.normal((4,))
        return c, ts.nn.functional.dropout(c, 0.5)

    ts.random.seed(3)
    last, ys = ts.scan(walk, ts.zeros(4), length=5)
    after = ts.random.normal((2,)).numpy()
    ts.random.seed(3)
    c = ts.zeros(4)
    rows = []
    for _ in range(5):
        c, y = walk(c, None)
        rows.append(y.numpy())
    np.testing.assert_allclose(last.numpy(), c.numpy(), rtol=1e-6)
    np.testing.assert_allclose(ys.numpy(), rows, rtol=1e-6)
    np.testing.assert_array_equal(after, ts.random.normal((2,)).numpy())
    assert len(np.unique(np.diff(ys.numpy(), axis=0))) > 4


X = ts.ones((4, 3))
C = ts.ones(3)


@pytest.mark.parametrize("call, message", [
    (lambda: ts.scan(lambda c, x: (c, None), C), "neither xs nor a length"),
    (lambda: ts.scan(lambda c, x: (c, None), C, [X, ts.ones(5)]), r"xs 0 has shape \[4, 3\] and xs 1 has shape \[5\]"),
    (lambda: ts.scan(lambda c, x: c, C, X), r"a pair \(carry, y\) is expected"),
    (lambda: ts.scan(lambda c, x: (c, None), [1.0], X), "1.0 of type float was given in carry"),
    (lambda: ts.scan(lambda c, x: (c, "a"), C, X), "'a' of type str as y"),
    (lambda: ts.scan(lambda c, x: ((c, c), None), C, X), "the structure of the given one is expected"),
    (lambda: ts.scan(lambda c, x: (c[:2], None), C, X), r"f32 \[2\] as carry 0, which was given as f32 \[3\]"),
    (lambda: ts.scan(lambda c, x: (c, None), C, X, checkpoint_every=0), "checkpoint_every is 0"),
    (lambda: ts.scan(3, C, X), "a function is expected"),
    (lambda: ts.loop(2.5, lambda i, c: c, C), "2.5 of type float was given as the number of steps"),
    (lambda: ts.loop(C, lambda i, c: c, C), r"the number of steps is f32 \[3\]"),
    (lambda: ts.loop(-1, lambda i, c: c, C), "-1 steps were given"),
])
def test_errors(call, message):
    with pytest.raises(ts.Error, match=message):
        call()


def test_the_number_of_steps_is_read_at_each_call_of_a_compiled_function():
    total = ts.compile(lambda n: ts.loop(n, lambda i, c: c + i, C))
    for n in (0, 1, 5):
        assert total(ts.array(n)).tolist() == [1 + n * (n - 1) / 2] * 3
    assert total.traces == 1


def test_an_error_of_the_function_comes_through():
    def bad(c, x):
        raise KeyError("mine")

    for call in (lambda: ts.scan(bad, C, X), lambda: ts.loop(3, bad, C)):
        with pytest.raises(KeyError, match="mine"):
            call()
    assert ts.scan(lambda c, x: (c + x, None), C, X)[0].tolist() == [5.0] * 3


def test_integers_steer_and_embeddings_are_captured():
    table, w = some((10, 4), 1), some((4, 4), 2)
    tokens = ts.array(np.random.default_rng(0).integers(0, 10, (6, 3)).astype(np.int32))

    def loss(p, scanned, **options):
        def step(c, t):
            h, n, flag = c
            h = ts.where(n % 2 == 0, ts.tanh(h @ p[1] + p[0][t]), h)
            return (h, n + 1, ~flag), (h.argmax(-1), h)

        carry = (ts.zeros((3, 4)), ts.array(0), ts.array(True))
        if scanned:
            (h, n, flag), (best, hs) = ts.scan(step, carry, tokens, **options)
        else:
            (h, n, flag), rows = by_hand(step, carry, tokens, range(6))
            best, hs = (ts.stack([r[i] for r in rows]) for i in (0, 1))
        return (h**2).sum() + (hs * 0.3).sum(), (n, flag, best)

    (value, aux), expected = ts.value_and_grad(lambda p: loss(p, False), has_aux=True)([table, w])
    for options in ({}, {"checkpoint_every": 2}, {"unroll": 4}, {"unroll": 2, "checkpoint_every": 4}):
        for transform in (lambda f: f, ts.compile, ts.checkpoint):
            got = ts.grad(lambda p: transform(lambda p: loss(p, True, **options)[0])(p))([table, w])
            for g, e in zip(got, expected):
                np.testing.assert_allclose(g.numpy(), e.numpy(), rtol=2e-5, atol=1e-6)
        again, others = loss([table, w], True, **options)
        np.testing.assert_allclose(again.item(), value.item(), rtol=1e-5)
        assert [x.tolist() for x in others] == [x.tolist() for x in aux]


def test_gradients_inside_of_the_function():
    x = some((5, 4), 3)

    def descend(w, row):
        return w - 0.1 * ts.grad(lambda v: ((v * row) ** 2).sum())(w), None

    def last(w, scanned):
        return (ts.scan(descend, w, x) if scanned else by_hand(descend, w, x, range(5)))[0].sum()

    w = ts.ones(4)
    for f in (last, lambda w, scanned: ts.grad(lambda v: last(v, scanned))(w)):
        np.testing.assert_allclose(f(w, True).numpy(), f(w, False).numpy(), rtol=1e-5)


def test_training_from_segment_to_segment_holds_no_history():
    w = ts.array(some((8, 8), 1).numpy(), requires_grad=True)
    x = some((32, 4, 8), 2)
    h = ts.zeros((4, 8))
    held = []
    for _ in range(8):
        h, _ys = ts.scan(lambda h, row: (ts.tanh(h @ w + row), h), h, x)
        (h**2).sum().backward()
        h = h.detach()
        with ts.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
        del _ys
        held.append(w.device.memory_stats()["in_use"])
    assert len(set(held[2:])) == 1, held
