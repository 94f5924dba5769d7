"""Values and gradients against torch.autograd on a few hundred sampled cases; skipped where PyTorch is not installed."""

import numpy as np
import pytest
import tessera as ts

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

# name -> (a function of a namespace and of tensors, how many, what they are drawn from)
ONE = {
    name: (lambda xp, x, name=name: getattr(xp, name)(x))
    for name in "exp expm1 sin cos tan sinh cosh tanh asinh atan erf sigmoid square abs negative relu".split() if name not in ("relu",)
}
POSITIVE = {name: (lambda xp, x, name=name: getattr(xp, name)(x)) for name in "log log2 log10 log1p sqrt rsqrt reciprocal lgamma".split()}
TWO = {
    "add": lambda xp, x, y: x + y, "subtract": lambda xp, x, y: x - y, "multiply": lambda xp, x, y: x * y,
    "divide": lambda xp, x, y: x / (y * y + 1), "power": lambda xp, x, y: (x * x + 0.5) ** y, "maximum": lambda xp, x, y: xp.maximum(x, y),
    "minimum": lambda xp, x, y: xp.minimum(x, y), "hypot": lambda xp, x, y: xp.hypot(x, y), "atan2": lambda xp, x, y: xp.atan2(x, y),
    "logaddexp": lambda xp, x, y: xp.logaddexp(x, y), "where": lambda xp, x, y: xp.where(x > y, x * x, y * 3), "outer": lambda xp, x, y: x[..., None] * y[..., None, :],
}
SHAPED = {
    "sum": lambda xp, x: x.sum(-1), "mean": lambda xp, x: x.mean(0), "max": lambda xp, x: x.max(-1) if xp is ts else x.max(-1).values,
    "prod": lambda xp, x: xp.prod(x, -1) if xp is torch else ts.prod(x, axis=-1), "var": lambda xp, x: x.var(-1) if xp is ts else x.var(-1, correction=0),
    "softmax": lambda xp, x: xp.softmax(x, -1), "log_softmax": lambda xp, x: xp.log_softmax(x, -1), "logsumexp": lambda xp, x: xp.logsumexp(x, -1),
    "cumsum": lambda xp, x: xp.cumsum(x, -1), "flip": lambda xp, x: xp.flip(x, (0,)), "slice": lambda xp, x: x[..., 1:] * x[..., :-1],
    "index": lambda xp, x: x[[0, 0]] ** 2, "matmul": lambda xp, x: x @ x.swapaxes(-1, -2) if xp is torch else x @ x.mT,
    "sort": lambda xp, x: xp.sort(x, -1) if xp is ts else xp.sort(x, -1).values, "reshape": lambda xp, x: (x.reshape(-1) * 2).reshape(x.shape),
    "norm": lambda xp, x: (x * x).sum(-1) ** 0.5, "triu": lambda xp, x: xp.triu(x), "std": lambda xp, x: x.std(-1) if xp is ts else x.std(-1, correction=0),
}
SHAPES = [(3,), (2, 3), (4, 1), (2, 3, 4)]
CASES = [(n, f, 1, s, False) for n, f in ONE.items() for s in SHAPES] + [(n, f, 1, s, True) for n, f in POSITIVE.items() for s in SHAPES] + [
    (n, f, 2, s, False) for n, f in TWO.items() for s in SHAPES] + [(n, f, 1, s, False) for n, f in SHAPED.items() for s in [(2, 3), (3, 3), (2, 3, 4)]]


@pytest.mark.parametrize("name,function,count,shape,positive", CASES, ids=[f"{c[0]}-{'x'.join(map(str, c[3]))}" for c in CASES])
def test_gradient(name, function, count, shape, positive):
    draw = np.random.default_rng(sum(map(ord, name)) + len(shape))
    data = [draw.normal(size=shape).astype(np.float32) for _ in range(count)]
    if positive:
        data = [np.abs(d) + 0.3 for d in data]
    theirs = [torch.tensor(d, requires_grad=True) for d in data]
    ours = [ts.array(d, requires_grad=True) for d in data]
    y, z = function(torch, *theirs), function(ts, *ours)
    y.sin().sum().backward()
    ts.sin(z).sum().backward()
    np.testing.assert_allclose(z.detach().numpy(), y.detach().numpy(), rtol=2e-5, atol=2e-5)
    for a, b in zip(ours, theirs):
        np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=2e-4, atol=2e-5)


def test_there_are_a_few_hundred():
    assert len(CASES) >= 180
