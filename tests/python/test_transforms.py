"""Gradients, compilation, checkpoints, random numbers, profiles and kernels of one's own."""

import asyncio
import collections
import faulthandler
import gc
import threading
import weakref

import numpy as np
import pytest
import tessera as ts

Pair = collections.namedtuple("Pair", "a b")


def test_gradients_over_nested_structures():
    params = {"layers": [Pair(ts.array([1.0, 2.0]), ts.array(3.0)), (ts.array([4.0]), None)], "scale": ts.array(2.0)}

    def loss(p, x, power=2):
        first, (w, nothing) = p["layers"]
        assert nothing is None
        return ((first.a * x + first.b).sum() * w[0] + p["scale"]) ** power / 1.0

    x = ts.array([1.0, 1.0])
    value, gradient = ts.value_and_grad(loss)(params, x)
    # s = (1 + 3) + (2 + 3) = 9, t = 9 * 4 + 2 = 38
    assert value.item() == 38.0**2
    assert isinstance(gradient["layers"][0], Pair) and gradient["layers"][1][1] is None
    assert gradient["layers"][0].a.tolist() == [2 * 38 * 4.0] * 2 and gradient["layers"][0].b.item() == 2 * 38 * 4 * 2
    assert gradient["layers"][1][0].tolist() == [2 * 38 * 9.0] and gradient["scale"].item() == 76.0
    assert ts.grad(loss)(params, x, power=1)["scale"].item() == 1.0


def test_argnums_and_aux():
    f = lambda x, y: ((x * y).sum(), {"sum": (x + y)})  # noqa: E731
    (gx, gy), aux = ts.grad(f, argnums=(0, 1), has_aux=True)(ts.array([2.0]), ts.array([3.0]))
    assert gx.tolist() == [3.0] and gy.tolist() == [2.0] and aux["sum"].tolist() == [5.0]
    assert ts.grad(lambda x, y: (x * y).sum(), argnums=-1)(ts.array([2.0]), ts.array([3.0])).tolist() == [2.0]
    with pytest.raises(ValueError, match="argument 5 was asked for, and 1 were given"):
        ts.grad(lambda x: x.sum(), argnums=5)(ts.array([2.0]))


def test_second_derivatives_and_vjp_jvp():
    x = ts.array([0.5, 2.0])
    second = ts.grad(lambda x: ts.grad(lambda x: (x**3).sum())(x).sum())(x)
    np.testing.assert_allclose(second.numpy(), 6 * x.numpy(), rtol=1e-6)
    out, (g,) = ts.vjp(lambda x: {"y": ts.exp(x)}, [x], {"y": ts.array([1.0, 0.0])})
    np.testing.assert_allclose(g.numpy(), [np.exp(0.5), 0], rtol=1e-6)
    out, change = ts.jvp(lambda x: [x * x, ts.sin(x)], [x], [ts.array([1.0, 0.0])])
    np.testing.assert_allclose(change[1].numpy(), [np.cos(0.5), 0], rtol=1e-6)


def test_exceptions_pass_through():
    def bad(x):
        raise KeyError("mine")

    for call in (ts.grad(bad), ts.compile(bad), ts.checkpoint(bad), lambda x: ts.vjp(bad, [x], x)):
        with pytest.raises(KeyError, match="mine"):
            call(ts.ones(2))


def test_backward():
    w, b = ts.array([1.0, 2.0], requires_grad=True), ts.array(0.5, requires_grad=True)
    assert w.grad is None and w.requires_grad
    ((w * w).sum() + b).backward()
    assert w.grad.tolist() == [2.0, 4.0] and b.grad.item() == 1.0
    ((w * 3).sum()).backward()
    assert w.grad.tolist() == [5.0, 7.0]
    with ts.no_grad():
        w -= 0.1 * w.grad
        assert not (w * 2).requires_grad
    assert w.requires_grad and w.grad.tolist() == [5.0, 7.0]  # as it was until it is set to zero
    (w.sum()).backward()
    assert w.grad.tolist() == [6.0, 8.0]
    w.zero_grad()
    assert w.grad is None
    (w * ts.array([1.0, 10.0])).backward(ts.array([1.0, 1.0]))
    assert w.grad.tolist() == [1.0, 10.0]
    assert not w.detach().requires_grad and not ts.stop_gradient(w).requires_grad

    @ts.no_grad()
    def plain():
        return (w * 2).requires_grad

    assert plain() is False


def test_compile():
    calls = []

    @ts.compile
    def step(params, x, rate, mode="a"):
        calls.append(mode)
        grad = ts.grad(lambda p: ((p["w"] * x) ** 2).sum())(params)
        return {"w": params["w"] - rate * grad["w"]}, x.sum()

    params = {"w": ts.array([1.0, 2.0])}
    for rate in (0.1, 0.01, 0.001):
        params, total = step(params, ts.ones(2), ts.array(rate))
    assert calls == ["a"] and step.traces == 1 and total.item() == 2.0
    expected = np.array([1.0, 2.0]) * 0.8 * 0.98 * 0.998
    np.testing.assert_allclose(params["w"].numpy(), expected, rtol=1e-5)
    step(params, ts.ones(2), ts.array(0.1), mode="b")
    assert calls == ["a", "b"]
    twice = ts.compile(donate_argnums=0)(lambda x: x * 2)
    x = ts.ones(1000)
    x.eval()
    assert twice(x).sum().item() == 2000.0
    with pytest.raises(ValueError, match="donated"):
        x.numpy()


def test_dynamic_axes():
    calls = []

    def f(x, state, scale=1.0):
        calls.append(x.shape[0])
        n = x.shape[0]
        mask = ts.arange(n).reshape(n, 1) >= ts.arange(n)
        scores = ts.where(mask, x @ x.T, -1e9)
        return {"y": ts.softmax(scores, axis=-1) @ x + state["a"].mean() * scale}, [s.sum() for s in state.values()]

    compiled = ts.compile(f, dynamic_axes={0: {0: "length"}, 1: {0: "length"}})

    def check(n):
        x = ts.array(np.sin(np.arange(n * 4.0)).reshape(n, 4).astype(np.float32))
        state = {"a": x * 2, "b": x + 1}
        got, expected = compiled(x, state), f(x, state)
        calls.pop()
        np.testing.assert_allclose(got[0]["y"].numpy(), expected[0]["y"].numpy(), atol=1e-5)
        np.testing.assert_allclose([s.item() for s in got[1]], [s.item() for s in expected[1]], rtol=1e-5)

    check(5)
    first = len(calls)
    for n in range(2, 30):
        check(n)
    assert compiled.traces == 1 and len(calls) == first
    compiled(ts.ones((3, 4)), {"a": ts.ones((3, 4)), "b": ts.ones((3, 4))}, scale=2.0)
    assert compiled.traces == 2, "numbers are part of the signature"

    own = ts.compile(dynamic_axes={0: [0], -1: (0,)})(lambda a, b: (ts.outer(a, b), b.sum()))
    for a, b in [(3, 5), (4, 4), (9, 2)]:
        outer, total = own(ts.ones(a), ts.ones(b))
        assert outer.shape == (a, b) and total.item() == b
    assert own.traces == 1


def test_dynamic_axes_that_vary_in_structure(capfd):
    parts = ts.compile(lambda x: [x[i] * 2 for i in range(x.shape[0])], dynamic_axes={0: {0: "n"}})
    for n in (3, 5, 2, 3):
        assert [t.item() for t in parts(ts.arange(n))] == [2 * i for i in range(n)]
    assert parts.traces == 3
    assert capfd.readouterr().err.count("traced for each size of its dynamic axes (n)") == 1


def test_dynamic_axes_that_are_wrong():
    x = ts.ones((2, 3))
    for axes, kind, message in [
        ({0: {2: "n"}}, ValueError, "axis from -2 to 1 is expected"),
        ({3: {0: "n"}}, ValueError, "argument 3 was asked for, and 1 were given"),
        ({0: {0: ""}}, ValueError, "empty name"),
        ({0: {0: "n", 1: "n"}}, ValueError, "sizes 2 .* and 3"),
        ({0: {0: 5}}, TypeError, "expected is"),
        ({0: 1}, TypeError, "expected is"),
        ([0], TypeError, "expected is"),
    ]:
        with pytest.raises(kind, match=message):
            ts.compile(lambda x: x * 2, dynamic_axes=axes)(x)


@pytest.fixture
def watchdog():
    """A deadlock ends the process instead of stopping it for good."""
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def test_gradients_see_through_compiled_functions():
    cube = ts.compile(lambda x: x * x * x)
    x = ts.array([1.0, 2.0])
    assert cube(x).tolist() == [1.0, 8.0] and cube.traces == 1
    for transform in (lambda f: f, ts.checkpoint, ts.compile):
        assert ts.grad(lambda x: transform(cube)(x).sum())(x).tolist() == [3.0, 12.0]
    assert ts.vjp(cube, [x], ts.ones(2))[1][0].tolist() == [3.0, 12.0]
    assert ts.jvp(cube, [x], [ts.ones(2)])[1].tolist() == [3.0, 12.0]
    slope = ts.compile(ts.grad(lambda x: cube(x).sum()))
    assert slope(x).tolist() == slope(x).tolist() == [3.0, 12.0]
    assert ts.grad(lambda x: slope(x).sum())(x).tolist() == [6.0, 12.0]
    w = ts.array([1.0, 2.0], requires_grad=True)
    (cube(w) + w).sum().backward()
    assert w.grad.tolist() == [4.0, 13.0]
    model = ts.compile(lambda x: (x * w * w).sum())
    with ts.no_grad():
        assert model(x).item() == 9.0
    w.grad = None
    model(x).backward()
    assert w.grad.tolist() == [2.0, 8.0]


def test_compiled_functions_draw_anew():
    x = ts.ones(64)

    def masked(x):
        return {"y": ts.nn.functional.dropout(x, 0.5), "noise": ts.random.normal((4,))}

    def run(f):
        ts.random.seed(3)
        return [(r["y"].tolist(), r["noise"].tolist()) for r in (f(x) for _ in range(3))]

    compiled = ts.compile(masked)
    drawn = run(compiled)
    assert drawn == run(compiled) and compiled.traces == 1
    assert [y for y, _ in drawn] == [y for y, _ in run(masked)]
    assert drawn[0] != drawn[1] != drawn[2]
    step = ts.compile(ts.value_and_grad(ts.checkpoint(lambda w: ts.nn.functional.dropout(w, 0.5).sum())))
    for _ in range(3):
        value, gradient = step(x)
        assert value.item() == gradient.sum().item()


def test_compiled_functions_call_themselves(watchdog):
    @ts.compile
    def total(x):
        n = x.shape[0]
        return x if n == 1 else total(x[: n // 2]) + total(x[n // 2 :])

    assert total(ts.array([1.0, 2.0, 3.0, 4.0])).tolist() == [10.0]

    @ts.compile
    def without_end(x):
        return without_end(x + 1)

    with pytest.raises(ValueError, match="calls itself with arguments of the same types and shapes"):
        without_end(ts.ones(2))


def test_others_may_ask_while_a_function_is_traced(watchdog):
    inside, go = threading.Event(), threading.Event()

    @ts.compile
    def slow(x):
        inside.set()
        go.wait()
        return x + 1

    results = []
    thread = threading.Thread(target=lambda: results.append(slow(ts.ones(2)).tolist()))
    thread.start()
    inside.wait()
    assert slow.traces == 0 and slow.kernel_count == 0
    other = threading.Thread(target=lambda: results.append(slow(ts.ones(2)).tolist()))
    other.start()
    go.set()
    thread.join()
    other.join()
    assert results == [[2.0, 2.0]] * 2 and slow.traces == 1 and slow(ts.zeros(2)).tolist() == [1.0, 1.0]


def test_functions_that_are_called_may_use_tensors(watchdog):
    known = ts.compile(lambda x: x * 2)
    uses = []

    def use():
        x = ts.array([1.0, 2.0])
        assert known(x).tolist() == [2.0, 4.0] and known.traces <= 1
        assert ts.compile(lambda x: x + 1)(x).sum().item() == 5.0
        assert ts.grad(lambda x: (x * x).sum())(x).tolist() == [2.0, 4.0]
        assert np.asarray(x + 1).tolist() == [2.0, 3.0]
        ts.memory_stats()
        uses.append(1)

    def using(f):
        def wrapped(*args, **kwargs):
            use()
            return f(*args, **kwargs)

        return wrapped

    x = ts.array([3.0])
    double = using(lambda x: x * 2)
    assert ts.compile(double)(x).item() == 6.0 and ts.grad(double)(x).item() == 2.0
    assert ts.vjp(double, [x], x)[1][0].item() == ts.jvp(double, [x], [x])[1].item() == 6.0
    assert ts.grad(ts.checkpoint(double))(x).item() == 2.0
    assert ts.grad(ts.custom_vjp(double, using(lambda x, y, g: [g[0] * 7])))(x).item() == 7.0
    kernel = ts.wgsl_kernel("reentrant", SOURCE, inputs=[("x", ts.float32)], outputs=["y"], params={"factor": 1.0},
                            gradient=using(lambda x, y, g, p: [g[0] * 5]), cpu=using(lambda x, factor: factor * x * x))
    before = len(uses)
    threads = [threading.Thread(target=lambda: [kernel(x).item() for _ in range(5)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        use()  # with the lock of Python, while others hold those of the engine
    assert len(uses) > before and ts.grad(kernel)(x).item() == 5.0

    async def read():
        value = await (x + 1).numpy_async()
        use()
        return value

    assert asyncio.run(read()).tolist() == [4.0]


def test_checkpoint_and_custom_vjp():
    seen = []

    def layer(x, w):
        seen.append(1)
        return {"y": ts.tanh(x @ w)}

    x, w = ts.random.normal((4, 3)), ts.random.normal((3, 2))
    plain = ts.grad(lambda w: layer(x, w)["y"].sum())(w)
    again = ts.grad(lambda w: ts.checkpoint(layer)(x, w)["y"].sum())(w)
    np.testing.assert_allclose(plain.numpy(), again.numpy(), rtol=1e-6)
    assert len(seen) == 3


def test_nothing_leaks():
    kernel = ts.wgsl_kernel("copy", "@compute @workgroup_size(workgroup_x) fn main(@builtin(global_invocation_id) id: vec3u) "
                            "{ if (id.x < params.result_size) { result[id.x] = x[id.x]; } }", inputs=[("x", ts.float32)],
                            gradient=lambda x, y, g, p: [g[0]], cpu=lambda x: x)

    def work():
        x = ts.random.normal((64, 64))
        function = lambda w: (ts.checkpoint(lambda v: ts.tanh(v @ x))(w) * kernel(w)).sum()  # noqa: E731
        ts.eval(ts.grad(function)(x))
        compiled = ts.compile(lambda w: ts.custom_vjp(lambda v: v * 2, lambda v, r, g: [g[0]])(w) + x)
        compiled(x).eval()
        w = ts.random.normal((64, 64)).requires_grad_()
        function(w).backward()
        with ts.no_grad():
            w -= w.grad
        x[3] = w[2]
        np.asarray(x + 1)
        return weakref.ref(function), weakref.ref(compiled)

    work()
    gc.collect()
    before = ts.memory_stats()["in_use"]
    for _ in range(30):
        gone = work()
    gc.collect()
    assert all(ref() is None for ref in gone)
    assert ts.memory_stats()["in_use"] <= before


def test_random():
    ts.random.seed(5)
    a = ts.random.normal((1000,), mean=2.0, std=3.0).numpy()
    assert abs(a.mean() - 2) < 0.4 and abs(a.std() - 3) < 0.4
    g = ts.random.Generator(3)
    with ts.random.use(g):
        x = ts.random.randint((100,), 0, 10)
    with ts.random.use(ts.random.Generator(3)):
        assert ts.random.randint((100,), 0, 10).tolist() == x.tolist()
    assert sorted(ts.random.permutation(10).tolist()) == list(range(10)) and g.split().seed != g.seed


def test_random_states():
    draw = ts.compile(lambda x: x + ts.random.uniform(x.shape))
    zero = ts.zeros(4)
    draw(zero)
    state = ts.random.get_state()
    first = [draw(zero).tolist(), ts.random.normal(3).tolist(), draw(zero).tolist()]
    ts.random.set_state(state)
    assert [draw(zero).tolist(), ts.random.normal(3).tolist(), draw(zero).tolist()] == first
    g = ts.random.Generator(3)
    with ts.random.use(g):
        ts.random.uniform(2)
        state = g.get_state()
        x = ts.random.uniform(2).tolist()
        g.set_state(state)
        assert ts.random.uniform(2).tolist() == x and g.get_state() == (3, 2)
    g.set_state((2**64 - 1, 2**64 - 1))
    assert g.get_state() == (2**64 - 1, 2**64 - 1)
    with pytest.raises(TypeError):
        ts.random.set_state((-1, 0))


def test_profile(tmp_path):
    with ts.profile() as p:
        (ts.random.normal((64, 64)) @ ts.random.normal((64, 64))).sum().item()
    assert any("matmul" in r["label"] for r in p.records) and "matmul" in p.table() and p.peak_bytes > 0
    p.write_trace(str(tmp_path / "trace.json"))
    import json

    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]


SOURCE = """
@compute @workgroup_size(workgroup_x) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < params.y_size) { y[id.x] = params.factor * x[id.x] * x[id.x]; }
}"""


def test_wgsl_kernel():
    square = ts.wgsl_kernel("scaled_square", SOURCE, inputs=[("x", ts.float32)], outputs=["y"], params={"factor": 1.0},
                            gradient=lambda x, y, g, p: [2 * p["factor"] * x[0] * g[0]], cpu=lambda x, factor: factor * x * x)
    x = ts.array([1.0, 2.0, 3.0])
    assert square(x).tolist() == [1.0, 4.0, 9.0] and square(x, factor=2.0).tolist() == [2.0, 8.0, 18.0]
    assert ts.grad(lambda x: square(x, factor=3.0).sum())(x).tolist() == [6.0, 12.0, 18.0]
    with pytest.raises(ts.Error, match="nothing|unknown|no parameter|factors"):
        square(x, factors=2.0).eval()
    with pytest.raises(TypeError, match="the parameter 'factor' is 'a'"):
        square(x, factor="a")
    with pytest.raises(TypeError, match="among the inputs"):
        ts.wgsl_kernel("bad", SOURCE, inputs=[3])
