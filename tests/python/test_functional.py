"""tessera.nn.functional: PyTorch's names and arguments, against NumPy's arithmetic, and against PyTorch where it is installed."""

import inspect

import numpy as np
import pytest
import tessera as ts
import tessera.nn.functional as F

X = np.linspace(-2, 2, 24, dtype=np.float32).reshape(2, 3, 4)


def test_against_numpy():
    x = ts.array(X)
    e = np.exp(X - X.max(-1, keepdims=True))
    np.testing.assert_allclose(F.softmax(x, dim=-1).numpy(), e / e.sum(-1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(F.relu(x).numpy(), X.clip(0), rtol=1e-6)
    np.testing.assert_allclose(F.leaky_relu(x, negative_slope=0.1).numpy(), np.where(X > 0, X, 0.1 * X), rtol=1e-6)
    n = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(F.layer_norm(x, 4).numpy(), n, rtol=1e-4, atol=1e-5)
    two = X.reshape(2, -1)
    n = ((two - two.mean(-1, keepdims=True)) / np.sqrt(two.var(-1, keepdims=True) + 1e-5)).reshape(X.shape)
    np.testing.assert_allclose(F.layer_norm(x, (3, 4), ts.ones((3, 4)), ts.zeros((3, 4))).numpy(), n, rtol=1e-4, atol=1e-5)
    assert F.pad(ts.ones((1, 2)), (1, 0), value=5).tolist() == [[5.0, 1.0, 1.0]]
    assert F.max_pool1d(x, 2).shape == (2, 3, 2) and F.adaptive_avg_pool1d(x, 2).shape == (2, 3, 2)
    assert F.one_hot(ts.array([0, 2])).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert F.interpolate(x, scale_factor=2).shape == (2, 3, 8)
    assert F.kl_div(ts.zeros((2, 2)), ts.ones((2, 2)), reduction="batchmean").item() == 0.0


def test_batch_norm_changes_the_running_statistics():
    x, mean, var = ts.array(X), ts.zeros(3), ts.ones(3)
    F.batch_norm(x, mean, var, training=True)
    np.testing.assert_allclose(mean.numpy(), 0.1 * X.mean((0, 2)), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(var.numpy(), 0.9 + 0.1 * X.var((0, 2), ddof=1), rtol=1e-4)
    with pytest.raises(ValueError, match="running_mean and running_var are expected"):
        F.batch_norm(x, None, None)


def attention(q, k, v, seen):
    """softmax(q k^T / sqrt(E)) v in float64, where `seen` says which keys each query sees."""
    scores = np.where(seen, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


@pytest.mark.parametrize("lengths", [(3, 5), (5, 3), (4, 4), (1, 6), (6, 1)], ids=str)
@pytest.mark.parametrize("lead", [(), (2,), (2, 3), (2, 1, 3)], ids=str)
def test_causal_attention_begins_at_the_first_key(lengths, lead):
    """Query i sees the keys 0 to i, whatever the lengths are; rows, not columns, decide."""
    length, seen = lengths
    draw = np.random.default_rng(1)
    q, k, v = (draw.normal(size=(*lead, n, 4)) for n in (length, seen, seen))
    mask = np.tril(np.ones((length, seen), bool))
    got = F.scaled_dot_product_attention(*(ts.array(a.astype(np.float32)) for a in (q, k, v)), is_causal=True)
    assert got.shape == (*lead, length, 4)
    np.testing.assert_allclose(got.numpy(), attention(q, k, v, mask), rtol=1e-4, atol=1e-5)
    # The engine's own function lets the last query see the last key.
    if len(lead) == 2 and length <= seen:
        own = ts.scaled_dot_product_attention(*(ts.array(a.astype(np.float32)) for a in (q, k, v)), causal=True)
        np.testing.assert_allclose(own.numpy(), attention(q, k, v, np.tril(np.ones((length, seen), bool), seen - length)), rtol=1e-4, atol=1e-5)


def test_gradients_of_causal_attention():
    draw = np.random.default_rng(2)
    q, k, v = (ts.array(draw.normal(size=(2, n, 4)).astype(np.float32)) for n in (3, 5, 5))
    mask = ts.array(np.tril(np.ones((3, 5), bool)))
    one = ts.grad(lambda q, k, v: ts.sin(F.scaled_dot_product_attention(q, k, v, is_causal=True)).sum(), argnums=(0, 1, 2))(q, k, v)
    two = ts.grad(lambda q, k, v: ts.sin(F.scaled_dot_product_attention(q, k, v, mask)).sum(), argnums=(0, 1, 2))(q, k, v)
    for a, b in zip(one, two):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-5)
    assert not one[1][:, 3:].any().item() and not one[2][:, 3:].any().item()  # nobody sees these keys


def test_attention_with_dropout():
    ts.random.seed(5)
    q, v = ts.zeros((1, 1, 4, 8)), ts.ones((1, 1, 4000, 8))
    k = ts.zeros((1, 1, 4000, 8))
    out = F.scaled_dot_product_attention(q, k, v, dropout_p=0.5)
    assert abs(out.mean().item() - 1) < 0.1 and out.std().item() > 0  # every weight is 0 or twice as large
    assert F.scaled_dot_product_attention(q, k, v, dropout_p=1.0).tolist() == ts.zeros_like(q).tolist()
    with pytest.raises(ValueError, match="dropout_p is 1.5"):
        F.scaled_dot_product_attention(q, k, v, dropout_p=1.5)


def test_cosine_similarity_broadcasts_first():
    draw = np.random.default_rng(3)
    for first, second, dim in [((1, 2, 3), (2, 1, 3), -2), ((1, 2, 3), (2, 1, 3), 0), ((2, 3), (3,), 1), ((3,), (2, 3), 0), ((2, 1), (2, 3), 1)]:
        a, b = draw.normal(size=first), draw.normal(size=second)
        x, y = np.broadcast_arrays(a, b)
        expected = (x * y).sum(dim) / (np.linalg.norm(x, axis=dim) * np.linalg.norm(y, axis=dim))
        got = F.cosine_similarity(ts.array(a.astype(np.float32)), ts.array(b.astype(np.float32)), dim=dim)
        assert got.shape == expected.shape
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_rank_0():
    assert F.hinge_embedding_loss(ts.array(0.25), ts.array(-1.0)).tolist() == 0.75 and F.hinge_embedding_loss(0.25, 1, reduction="none").shape == ()
    assert F.prelu(ts.array(-2.0), ts.array([0.25])).tolist() == -0.5 and F.softmax(ts.array(3.0), dim=0).tolist() == 1.0
    assert F.kl_div(ts.array(0.0), ts.array(1.0), reduction="batchmean").shape == () and F.cosine_similarity(ts.array(2.0), ts.array(-3.0), dim=0).tolist() == -1.0


def test_targets():
    x = ts.array(X[:, :, 0])
    p = ts.softmax(ts.array(X[:, :, 1]), -1)
    expected = -(p.numpy() * np.log(np.exp(X[:, :, 0]) / np.exp(X[:, :, 0]).sum(-1, keepdims=True))).sum(-1)
    np.testing.assert_allclose(F.cross_entropy(x, p).item(), expected.mean(), rtol=1e-5)  # it was refused
    with pytest.raises(IndexError):
        F.cross_entropy(x, ts.array([0, -1])).item()  # it was the last class
    assert F.cross_entropy(ts.zeros((1, 200)), ts.array([156], dtype=ts.uint8)).item() == pytest.approx(np.log(200), rel=1e-5)  # it was ignored
    assert F.embedding(ts.array([0, 1]), ts.ones((3, 2)), padding_idx=1).shape == (2, 2)
    gradient = ts.grad(lambda w: F.embedding(ts.array([0, 1, 1]), w, padding_idx=1).sum())(ts.ones((3, 2)))
    assert gradient.tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_names_and_arguments_are_pytorchs():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    T = torch.nn.functional
    wrong = []
    for name in dir(F):
        ours = getattr(F, name)
        if name.startswith("_") or not callable(ours) or not hasattr(T, name):
            continue
        try:
            theirs = list(inspect.signature(getattr(T, name)).parameters)
        except (TypeError, ValueError):
            continue
        if theirs[:1] == ["args"]:
            continue
        own = list(inspect.signature(ours).parameters) if inspect.isfunction(ours) else [
            p.split(":")[0].strip() for p in ours.__nb_signature__[0][0].split("(", 1)[1].split(",") if ":" in p]
        # The same names in the same order, but for those that docs/python.md says there are not.
        expected = [a for a in theirs if a not in ("inplace", "out")]
        wrong += [(name, own, theirs)] if own != expected else []
    assert not wrong


CASES = {
    "gelu": lambda F, x: F.gelu(x), "gelu_tanh": lambda F, x: F.gelu(x, approximate="tanh"), "silu": lambda F, x: F.silu(x),
    "elu": lambda F, x: F.elu(x, alpha=0.7), "softplus": lambda F, x: F.softplus(x), "mish": lambda F, x: F.mish(x),
    "log_softmax": lambda F, x: F.log_softmax(x, dim=1), "hardswish": lambda F, x: F.hardswish(x), "glu": lambda F, x: F.glu(x, dim=-1),
    "normalize": lambda F, x: F.normalize(x, dim=-1), "avg_pool1d": lambda F, x: F.avg_pool1d(x, 2), "max_pool1d": lambda F, x: F.max_pool1d(x, 3, stride=1, padding=1),
    "group_norm": lambda F, x: F.group_norm(x, 3), "layer_norm": lambda F, x: F.layer_norm(x, (4,)), "logsigmoid": lambda F, x: F.logsigmoid(x),
    "hardtanh": lambda F, x: F.hardtanh(x, min_val=-0.5, max_val=0.5), "softshrink": lambda F, x: F.softshrink(x, lambd=0.3),
    "interpolate": lambda F, x: F.interpolate(x, size=7, mode="linear", align_corners=False), "selu": lambda F, x: F.selu(x),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_against_pytorch(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    theirs = torch.tensor(X, requires_grad=True)
    y = CASES[name](torch.nn.functional, theirs)
    y.sin().sum().backward()
    ours = ts.array(X, requires_grad=True)
    z = CASES[name](F, ours)
    ts.sin(z).sum().backward()
    np.testing.assert_allclose(z.detach().numpy(), y.detach().numpy(), rtol=2e-4, atol=2e-5)
    np.testing.assert_allclose(ours.grad.numpy(), theirs.grad.numpy(), rtol=2e-4, atol=2e-5)
