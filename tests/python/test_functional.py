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
        unknown = [a for a in own if a not in theirs]
        wrong += [(name, own, theirs)] if unknown else []
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
