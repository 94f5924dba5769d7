"""Special points of every op that has a gradient, each with its call in Tessera and in PyTorch.

Nothing is imported but NumPy: make_gradient_points.py runs the calls with PyTorch, test_gradient_points.py with Tessera. A call is an
expression of x, y, z (the operands that gradients are taken for), X (tessera or torch), F (its nn.functional), and T, I and B, which make
constants: floats of the operands' dtype, integers and bool.
"""

import itertools
import zlib

import numpy as np

inf = float("inf")
POINTS = [0.0, -0.0, 0.5, -0.5, 1, -1, 3, -3, 20, -20, 88, -88, 100, -100, 1e4, -1e4, inf, -inf]
PAIRS = [0.0, -0.0, 1, -1, 2.5, -100, inf, -inf]

ROWS = {}  # op of the catalog -> its cases
NO_COUNTERPART = {
    "gumbel_softmax": "It draws random numbers; the softmax around them has its row.",
    "alibi": "It has no operands: it makes a constant from sizes.",
}


class Case:
    def __init__(self, ours, theirs, inputs):
        self.ours, self.theirs = ours, theirs
        # Numbers that float32 holds, so that both precisions start from the same.
        self.inputs = [np.asarray(np.asarray(a, np.float32), np.float64) for a in inputs]

    def key(self):
        """Changes with all that PyTorch's numbers depend on."""
        text = self.theirs + "".join(f"{a.shape}{a.tobytes().hex()}" for a in self.inputs)
        return f"{zlib.crc32(text.encode()):08x}"


def weights(shape, order):
    """What the elements of a result (order 1) or of a gradient (order 2) are multiplied by: exact in any float, and never 0."""
    i = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    return ((7 * i) % 11 - 5.5) / 4 if order == 1 else ((5 * i) % 7 - 3.25) / 2


def row(op, ours, *inputs, torch=None):
    ROWS.setdefault(op, []).append(Case(ours, torch or ours, inputs))


def unary(names, *extra, points=POINTS, call="X.{}(x)", torch=None):
    for name in names.split():
        row(name, call.format(name), list(points) + list(extra), torch=torch and torch.format(name))


def binary(names, *extra, points=PAIRS, call="X.{}(x, y)", torch=None):
    a, b = zip(*(list(itertools.product(points, points)) + list(extra)))
    for name in names.split():
        row(name, call.format(name), a, b, torch=torch and torch.format(name))


# ---- Elementwise ----

unary("negative abs sign square sin cos tan sinh cosh tanh asinh atan exp expm1 erf erfc sigmoid floor round trunc positive", 1.5, -2.5)
unary("ceil", 1.5, torch="torch.ceil(x)")
unary("real conj", call="X.{}(x)")
unary("imag", torch="x * 0", points=[0.0, 1, -3])
unary("log log2 log10 sqrt rsqrt reciprocal log1p", 1e-30, 1e30)
unary("asin acos atanh erfinv", 0.999, -0.999, 0.25, points=[0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, inf, -inf])
unary("acosh", points=[1, 1.5, 20, 88, 1e4, inf, 0.5, 0.0])
unary("lgamma digamma", points=[0.5, 1, 1.5, 2, 3, 20, 88, 100, 1e4, -0.5, -2.5, 1e-3])
unary("softsign", call="F.softsign(x)", points=POINTS[:-2])
row("cast", "X.cast(x, X.float16)", [0.0, -0.0, 1, -3, 1e4, inf, -inf], torch="x.to(X.float16).to(x.dtype)")
row("nan_to_num", "X.nan_to_num(x)", POINTS + [float("nan")])

binary("add subtract multiply divide atan2 maximum minimum logaddexp hypot xlogy copysign", (3, 3), (0.5, -4), (1e18, 1e18))
row("hypot", "X.hypot(x, y)", [3, 1e25, 5], [4, 1e25, 0])
row("logaddexp", "X.logaddexp(x, y)", [0, 88, -88, 1e4, -1e4, 100], [0, 88, -88, 1e4, -1e4, -100])
row("xlogy", "X.xlogy(x, y)", [0, 0, 2, 0, 3, 1], [0, -1, 0, float("nan"), 0.5, 1e-30])
binary("power", (3, 3), (0.5, -4), (0.5, 0), (-2, 2), (-2, 3), (0, 2), (0, 0.5), (4, 0.5), (0, -1), points=PAIRS[:-2], torch="torch.pow(x, y)")
row("power", "x ** 2", POINTS)
row("power", "x ** 3", POINTS)
row("power", "x ** 0.5", [0, 1, 4, 1e4])
row("power", "x ** 0", POINTS)
row("power", "x ** 1", POINTS)
row("power", "x ** -1", POINTS)
row("power", "2.0 ** x", [0, -0.0, 1, -1, 20, -20, 100, -100])
binary("remainder fmod", (7, 2), (-7, 2), (7, -2), (6, 3), points=[1, -1, 2.5, -100, 0.0])
binary("floor_divide", (7, 2), (-7, 2), (6, 3), points=[1, -1, 2.5, -100], torch="torch.floor_divide(x.detach(), y.detach())")
row("nextafter", "X.nextafter(x, y)", [0, 1, -1, 3], [1, 1, 0, inf], torch="x + 0 * y.nan_to_num(posinf=1)")
row("where", "X.where(x > y, x * x, y)", [0, 1, 2, inf, -inf], [0, 1, -2, 1, 3])
row("where", "X.where(x > 0, x, y)", [0, -0.0, 1, inf, -inf], [1, 2, inf, inf, 4])

BOUNDS = [0.5, -0.5, 1, -1, 2, -2, 0.0, -0.0, 1e4, inf, -inf]
for op in ("clamp", "clip"):
    row(op, f"X.{op}(x, -1, 1)", BOUNDS)
    row(op, "X.clip(x, min=-1)", BOUNDS, torch=f"X.{op}(x, min=-1)")
    row(op, "X.clip(x, max=1)", BOUNDS, torch=f"X.{op}(x, max=1)")
    row(op, f"X.{op}(x, y, z)", [0, 1, -1, 2, -2, 3, 0, 1], [-1, -1, -1, -1, -1, 3, 2, 1], [1, 1, 1, 1, 1, 3, 1, 1])
row("clamp", "X.clip(x, y)", [0, 1, -1, 2], [1, 1, 1, 1], torch="X.clamp(x, y)")

# ---- Activations ----

unary("relu relu6 gelu silu elu selu celu leaky_relu rrelu softplus mish hardtanh hardsigmoid hardswish logsigmoid tanhshrink softshrink hardshrink",
      6, -6, 2, -2, 5.9, 12, -12, 1e-3, -1e-3, call="F.{}(x)")
row("gelu_tanh", "F.gelu(x, approximate='tanh')", POINTS + [6, -6, 2, -2])
row("elu", "F.elu(x, alpha=0.5)", POINTS)
row("celu", "F.celu(x, alpha=0.5)", POINTS)
row("leaky_relu", "F.leaky_relu(x, 0.25)", POINTS)
row("hardtanh", "F.hardtanh(x, -0.5, 3)", POINTS)
row("threshold", "F.threshold(x, 1, 20)", POINTS)
row("softshrink", "F.softshrink(x, 0.0)", POINTS)
row("hardshrink", "F.hardshrink(x, 1.0)", POINTS)
row("prelu", "F.prelu(x, y)", POINTS[:-2], [0.25])
row("prelu", "F.prelu(x, y)", [[[0, -0.0], [1, -1]], [[0, 2], [-3, 0]]], [0.25, 0])
row("dropout", "F.dropout(x, 0.5, training=False)", POINTS)
row("glu", "F.glu(x)", [[0, 0, 0, -0.0], [1, -1, 100, -100], [1, 3, -1e4, 1], [1, 0, -inf, inf]])
row("swiglu", "F.silu(x) * y", POINTS[:-2], [1, 0, 2, -1] * 4)
row("geglu", "F.gelu(x) * y", POINTS[:-2], [1, 0, 2, -1] * 4)

LINES = [[0, 0, 0], [1, 1, 1], [1, 2, 3], [-0.0, 0, -20], [88, -88, 0], [100, 100, 1], [1e4, -1e4, 1e4], [0, -inf, 1], [0, -inf, -inf]]
DEAD = [[-inf, -inf, -inf]]
HOT = [[inf, 0, 1], [inf, inf, 0], [inf, -inf, 0]]
for op in ("softmax", "log_softmax"):
    row(op, f"X.{op}(x, -1)", LINES)
    row(op, f"X.{op}(x, -1)", [[5.0]])
    row(op, f"X.{op}(x, -1)", DEAD)
row("softmin", "F.softmin(x, dim=-1)", LINES[:-2])

# ---- Movement and indexing: nothing special but zeros, places that repeat, and none ----

M = [[0, 1, 2], [-3, 0.5, inf]]
N = [[4, 5, 6], [7, 8, 9]]
row("reshape", "X.reshape(x, (3, 2))", M)
row("permute", "X.permute(x, (1, 0))", M)
row("transpose", "X.transpose(x, 0, 1)", M)
row("broadcast_to", "X.broadcast_to(x, (2, 2, 3))", M)
row("expand_dims", "X.expand_dims(x, axis=1)", M, torch="x.unsqueeze(1)")
row("squeeze", "X.squeeze(x, 0)", [M])
row("flip", "X.flip(x, axis=0)", M, torch="torch.flip(x, (0,))")
row("contiguous", "X.contiguous(x.T)", M, torch="x.T.contiguous()")
row("slice", "X.slice(x, [slice(None), slice(1, None, 2)])", M, torch="x[:, 1::2]")
row("slice", "X.slice(x, [slice(2, 2)])", M, torch="x[2:2]")
row("pad", "F.pad(x, (1, 2))", M)
row("concat", "X.concat([x, y])", M, N)
row("concat", "X.concat([x, y])", M, np.zeros((0, 3)))
row("stack", "X.stack([x, y], 1)", M, N)
row("split", "(lambda a, b, c: X.concat([c, a * a]))(*X.split(x, 3, 0))", [0, 1, 2], torch="(lambda a, b, c: X.concat([c, a * a]))(*X.split(x, 1, 0))")
row("roll", "X.roll(x, 2)", M)
row("rot90", "X.rot90(x)", M)
row("repeat", "X.repeat(x, 2, axis=1)", M, torch="torch.repeat_interleave(x, 2, 1)")
row("tile", "X.tile(x, (2, 2))", M)
row("meshgrid", "(lambda a, b: a * b)(*X.meshgrid(x, y, indexing='ij'))", [0, 1], [2, 3, 0])
row("index", "X.index(x, (slice(None), I([0, 0, 2])))", M, torch="x[:, I([0, 0, 2])]")
row("index", "X.index(x, (slice(5, 5),))", M, torch="x[5:5]")
row("take", "X.take(x, I([2, 0, 2]), 1)", M, torch="torch.index_select(x, 1, I([2, 0, 2]))")
row("take_along_axis", "X.take_along_axis(x, I([[0, 0], [2, 1]]), 1)", M, torch="torch.take_along_dim(x, I([[0, 0], [2, 1]]), 1)")
row("gather", "X.gather(x, 1, I([[0, 0], [2, 1]]))", M)
row("embedding", "F.embedding(I([1, 1, 0]), x)", M)
row("index_set", "X.index_set(x, (I([1]),), y)", M, [[9, 9, 9]], torch="torch.index_put(x, (I([1]),), y)")
row("slice_update", "X.slice_update(x, y, [1], [0])", M, [[9, 9, 9]], torch="torch.slice_scatter(x, y, 0, 1, 2)")
row("slice_update", "X.slice_update(x, y, I([-2]), [1])", M, [[4, 5], [6, 7]], torch="torch.slice_scatter(x, y, 1, 1, 3)")
row("masked_fill", "X.masked_fill(x, B([[1, 0, 0], [0, 0, 1]]), 9.0)", M)
row("index_add", "X.index_add(x, 0, I([1, 1]), y)", M, N)
row("scatter", "X.scatter(x, I([[0, 2], [1, 0]]), y, 1)", M, [[4, 5], [6, 7]], torch="torch.scatter(x, 1, I([[0, 2], [1, 0]]), y)")
row("scatter_add", "X.scatter_add(x, I([[0, 0], [1, 0]]), y, 1)", M, [[4, 5], [6, 7]], torch="torch.scatter_add(x, 1, I([[0, 0], [1, 0]]), y)")
row("masked_select", "X.masked_select(x, B([[1, 0, 0], [0, 0, 1]]))", M)
row("masked_select", "X.masked_select(x, B([[0, 0, 0], [0, 0, 0]]))", M)

# ---- Reductions, scans and sorting ----

TIES = [[0, 0, 0], [0, -0.0, 0], [1, 1, 1], [1, 2, 2], [-1, -2, 3], [0, 2, 3], [0, 0, 3], [-inf, 1, 2], [inf, inf, 1]]
for op in ("sum", "prod", "mean"):
    row(op, f"X.{op}(x, -1)", TIES[:-2] + [[2, 3, 4], [0, 0, 0]])
    row(op, f"X.{op}(x, -1)", TIES[-2:])
    row(op, f"X.{op}(x)", [[0, 1], [2, 3]])
    row(op, f"X.{op}(x)", [0])
for op in ("max", "min"):
    row(op, f"X.{op}(x, -1)", TIES, torch=f"torch.a{op}(x, -1)")
    row(op, f"X.{op}(x)", [[0, 2], [2, 0]])
    row(op, f"X.{op}(x)", [0])
FLAT = [[0, 0, 0], [1, 1, 1], [100, 100, 100], [1, 2, 4], [0, 0, 1e-3], [1e4, 1e4, -1e4]]
for op, name in (("var", "var"), ("stddev", "std")):
    for correction in (0, 1):
        row(op, f"X.{name}(x, axis=-1, correction={correction})", FLAT, torch=f"torch.{name}(x, -1, correction={correction})")
    row(op, f"X.{name}(x, axis=-1, correction=0)", [[5], [0]], torch=f"torch.{name}(x, -1, correction=0)")
    row(op, f"X.{name}(x, axis=-1, correction=1)", [[5], [0]], torch=f"torch.{name}(x, -1, correction=1)")
    row(op, f"X.{name}(x)", [[1, 2], [4, 8]], torch=f"torch.{name}(x, correction=0)")
row("logsumexp", "X.logsumexp(x, -1)", LINES)
row("logsumexp", "X.logsumexp(x, -1)", DEAD)
row("logsumexp", "X.logsumexp(x, -1)", HOT)
row("logsumexp", "X.logsumexp(x, (0, 1))", [[0, 1], [-inf, 88]])
for op in ("cumsum", "cumprod"):
    row(op, f"X.{op}(x, -1)", [[0, 0, 0, 0], [1, 0, 2, 3], [0, 2, 0, 3], [1, 2, 3, 0], [-1, 2, -3, 4]])
    row(op, f"X.{op}(x, -1)", [[0], [2]])
for op in ("cummax", "cummin"):
    row(op, f"X.{op}(x, -1).values", [[0, 1, -1, 2], [3, 2, 1, 0], [-inf, 0, inf, 1]])
    row(op, f"X.{op}(x, -1).values", [[1, 1, 1], [0, -0.0, 0]])
row("logcumsumexp", "X.logcumsumexp(x, -1)", [[0, 0, 0, 0], [1, 100, -100, 88], [-inf, 0, -inf, 1], [1e4, -1e4, 1e4, 3]])
row("logcumsumexp", "X.logcumsumexp(x, -1)", [[-inf, -inf, -inf]])
row("sort", "X.sort(x, -1)", TIES, torch="torch.sort(x, dim=-1, stable=True).values")
row("sort", "X.sort(x, -1, True)", TIES, torch="torch.sort(x, dim=-1, descending=True, stable=True).values")
row("sort_with_indices", "X.sort_with_indices(x).values", TIES, torch="torch.sort(x, dim=-1, stable=True).values")
row("topk", "X.topk(x, 2).values", [[1, 3, 2], [-1, -2, 3], [-inf, 1, 2], [0, -inf, inf]])
row("topk", "X.sum(X.topk(x, 2).values, -1)", [[2, 2, 1], [0, 0, -1]])
MIDDLE = [[0, 0, 0], [1, 1, 1], [1, 2, 4], [3, 1, 2]]
row("median", "X.median(x)", MIDDLE, torch="torch.quantile(x, 0.5, -1)")
row("median", "X.median(x)", [[4, 1, 3, 2], [0, 1, 1, 0]], torch="torch.quantile(x, 0.5, -1)")
row("quantile", "X.quantile(x, 0.25)", MIDDLE, torch="torch.quantile(x, 0.25, -1)")
row("quantile", "X.quantile(x, 1.0)", MIDDLE, torch="torch.quantile(x, 1.0, -1)")

# ---- Contractions ----

A, C, V = [[0, 1], [-2, 3]], [[1, 0], [4, -0.5]], [1, 0, -2]
row("matmul", "X.matmul(x, y)", A, C)
row("matmul", "X.matmul(x, y)", np.zeros((2, 0)), np.zeros((0, 3)))
row("dot", "X.dot(x, y)", V, [0, 3, 1])
row("vdot", "X.vdot(x, y)", V, [0, 3, 1])
row("outer", "X.outer(x, y)", V, [0, 3])
row("einsum", "X.einsum('ij,jk->k', [x, y])", A, C)
row("einsum", "X.einsum('ii->i', [x])", A)
row("tensordot", "X.tensordot(x, y, axes=1)", A, C, torch="torch.tensordot(x, y, dims=1)")
row("addmm", "X.addmm(x, y, z, beta=2, alpha=0.5)", A, C, [[1, 1], [0, 0]])
row("kron", "X.kron(x, y)", A, C)
row("cross", "X.cross(x, y)", V, [0, 3, 1], torch="torch.linalg.cross(x, y)")
for op in ("triu", "tril", "diagonal", "trace"):
    row(op, f"X.{op}(x)", A)

# ---- Images ----

L = [[[0, 1, 1, -2, 3, 3]]]
W = [[[1, 0, -1]], [[0, 0, 2]]]
I2 = [[[[0, 1, 1, 0], [2, 2, -1, -1], [0, 0, 0, 0], [3, -inf, -inf, 3]]]]
I3 = [[[[0, 1, 1, 0], [2, 2, -1, -1], [0, 0, 0, 0], [3, 4, 5, 3]]]]
K = [[[[1, 0], [0, -1]]]]
row("conv1d", "F.conv1d(x, y, z, padding=1)", L, W, [0, 1])
row("conv1d", "F.conv1d(x, y, None, stride=2, dilation=2)", L, W)
row("conv2d", "F.conv2d(x, y, None, padding=1, stride=2)", I3, K)
row("conv_transpose1d", "F.conv_transpose1d(x, y, None, stride=2)", L, [[[1, 0, -1], [0, 0, 2]]])
row("conv_transpose2d", "F.conv_transpose2d(x, y, None, stride=2)", [[[[0, 1], [2, 3]]]], K)
row("unfold", "F.unfold(x, 2)", I3)
row("fold", "F.fold(x, (3, 3), (2, 2))", [[[1, 2, 3, 4], [0, 0, 0, 0], [1, -1, 1, -1], [5, 6, 7, 8]]])
row("pixel_shuffle", "F.pixel_shuffle(x, 2)", [[[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]]]])
row("pixel_unshuffle", "F.pixel_unshuffle(x, 2)", [[[[0, 1], [2, 3]]]])
row("max_pool1d", "F.max_pool1d(x, 2)", L)
row("max_pool1d", "F.max_pool1d(x, 3, stride=1, padding=1)", L)
row("max_pool1d_with_indices", "F.max_pool1d(x, 2, return_indices=True)[0]", L)
row("max_pool2d", "F.max_pool2d(x, 2)", I2)
row("max_pool2d", "F.max_pool2d(x, 3, stride=1, padding=1)", I2)
row("max_pool2d_with_indices", "F.max_pool2d(x, 2, return_indices=True)[0]", I2)
row("avg_pool1d", "F.avg_pool1d(x, 3, stride=1, padding=1)", L)
row("avg_pool2d", "F.avg_pool2d(x, 2)", I3)
row("adaptive_avg_pool", "F.adaptive_avg_pool1d(x, 4)", L)
row("adaptive_max_pool", "F.adaptive_max_pool1d(x, 4)", L)
row("adaptive_max_pool", "F.adaptive_max_pool1d(x, 2)", L)
row("adaptive_max_pool", "F.adaptive_max_pool2d(x, 2)", I3)
row("adaptive_max_pool", "F.adaptive_max_pool2d(x, 3)", [[[[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0]]]])
row("global_avg_pool", "X.global_avg_pool(x)", L, torch="x.mean(-1, keepdim=True)")
row("global_max_pool", "X.global_max_pool(x)", L, torch="x.amax(-1, keepdim=True)")
row("interpolate", "F.interpolate(x, size=9)", L)
row("interpolate", "F.interpolate(x, size=4, mode='linear', align_corners=False)", L)
row("interpolate", "F.interpolate(x, size=(5, 3), mode='bicubic', align_corners=True)", I3)

# ---- Normalization ----

NORM = [[0, 0, 0], [1, 1, 1], [100, 100, 100], [1, 2, 4], [1e4, -1e4, 0], [1e-4, 0, -1e-4]]
row("layer_norm", "F.layer_norm(x, (3,), y, z)", NORM, [1, 2, 0], [0, 1, 0])
row("layer_norm", "F.layer_norm(x, (1,))", [[5], [0]])
row("rms_norm", "F.rms_norm(x, (3,), y, 1e-5)", NORM, [1, 2, 0])
row("rms_norm", "F.rms_norm(x, (1,), None, 1e-5)", [[5], [0]])
IMAGE = [[[0, 0], [1, 1], [1, 2], [3, 3]], [[0, 0], [1, 1], [3, 5], [-3, 3]]]
row("batch_norm", "F.batch_norm(x, T([0, 1, 2, 0]), T([0, 1, 0, 4]), y, z)", IMAGE, [1, 2, 0, 1], [0, 1, 0, 0])
row("batch_norm_training", "F.batch_norm(x, None, None, y, z, training=True)", IMAGE, [1, 2, 0, 1], [0, 1, 0, 0])
row("group_norm", "F.group_norm(x, 2, y, z)", IMAGE, [1, 2, 0, 1], [0, 1, 0, 0])
row("instance_norm", "F.instance_norm(x)", IMAGE)
for p in ("2.0", "1.0", "3.0", "float('inf')"):
    row("normalize", f"F.normalize(x, p={p}, dim=-1)", [[0, 0, 0], [0, 0, 2], [1, 1, 1], [1, 2, 4], [1e4, -1e4, 0], [1e-20, 0, 0]])
row("local_response_norm", "F.local_response_norm(x, 3)", IMAGE)

# ---- Attention ----

Q, KEY = [[[[0, 0], [1, 2]]]], [[[[0, 0], [1, -1], [0, 3]]]]
row("scaled_dot_product_attention", "F.scaled_dot_product_attention(x, y, z)", Q, KEY, [[[[1, 0], [0, 0], [2, 5]]]])
row("scaled_dot_product_attention", "F.scaled_dot_product_attention(x, y, z, attn_mask=T([[0, float('-inf'), 0], [0, 0, float('-inf')]]))", Q, KEY,
    [[[[1, 0], [0, 0], [2, 5]]]])
row("scaled_dot_product_attention", "F.scaled_dot_product_attention(x, y, z, attn_mask=B([[1, 0, 1], [0, 0, 0]]))", Q, KEY, [[[[1, 0], [0, 0], [2, 5]]]])
row("scaled_dot_product_attention", "F.scaled_dot_product_attention(x * 100, y * 100, z, is_causal=True)", Q, [[[[0, 0], [1, -1]]]], [[[[1, 0], [2, 5]]]])
row("rope", "X.rope(x)", [[0, 1, 2, 3], [1, 0, -1, 2]], torch="(lambda a, b, c, s: torch.concat([a * c - b * s, a * s + b * c], -1))"
    "(x[:, :2], x[:, 2:], torch.cos(T([[0, 0], [1, 0.01]])), torch.sin(T([[0, 0], [1, 0.01]])))")

# ---- Losses ----

for reduction in ("none", "mean"):
    row("mse_loss", f"F.mse_loss(x, y, reduction='{reduction}')", [0, 1, -1, 1e4, 3], [0, 1, 1, 0, -0.0])
    row("l1_loss", f"F.l1_loss(x, y, reduction='{reduction}')", [0, 1, -1, 1e4, 3], [0, 1, 1, 0, -0.0])
    row("smooth_l1_loss", f"F.smooth_l1_loss(x, y, reduction='{reduction}', beta=0.5)", [0, 0.5, -0.5, 0.25, 1e4, -3], [0, 0, 0, 0, 0, -3])
    row("huber_loss", f"F.huber_loss(x, y, reduction='{reduction}', delta=0.5)", [0, 0.5, -0.5, 0.25, 1e4, -3], [0, 0, 0, 0, 0, -3])
    row("binary_cross_entropy", f"F.binary_cross_entropy(x, T([0, 1, 0, 1, 0.5, 0.5, 0.25, 1]), reduction='{reduction}')", [0, 0, 1, 1, 0, 1, 0.5, 1e-30])
    row("binary_cross_entropy_with_logits", f"F.binary_cross_entropy_with_logits(x, y, reduction='{reduction}')", [0, 0, -0.0, 1e4, -1e4, 88, -100, 100],
        [0, 1, 0.5, 1, 0, 0, 1, 1])
row("binary_cross_entropy", "F.binary_cross_entropy(x, y, reduction='none')", [0.5, 0.25, 1e-3, 0.5], [0, 1, 0.5, 0.25])
row("smooth_l1_loss", "F.smooth_l1_loss(x, y, reduction='none', beta=0.0)", [0, 1, -2], [0, 1, 3])
row("binary_cross_entropy", "F.binary_cross_entropy(x, T([0, 1, 1, 0]), weight=T([2, 3, 0, 1]), reduction='sum')", [0, 1, 0.5, 0.5])
row("binary_cross_entropy_with_logits", "F.binary_cross_entropy_with_logits(x, y, pos_weight=T([2, 3, 0, 1]))", [0, 0, 100, -100], [0, 1, 0, 1])
LOGITS = [[0, 0, 0], [1, 2, 3], [100, -100, 0], [1e4, -1e4, 0], [0, -inf, 1]]
for options in ("", ", label_smoothing=0.1", ", reduction='none'", ", ignore_index=2", ", weight=T([1, 0, 2])"):
    rows = LOGITS[:-1] if "smoothing" in options else LOGITS
    target = [0, 2, 1, 0, 2][:len(rows)]
    row("cross_entropy", f"F.cross_entropy(x, I({target}){options})", rows)
row("cross_entropy", "F.cross_entropy(x, y)", LOGITS[:-1], [[1, 0, 0], [0, 0.5, 0.5], [0, 1, 0], [0.25, 0.25, 0.5]])
row("cross_entropy", "F.cross_entropy(x, I([0, 1]), ignore_index=1, reduction='sum')", [[0, -inf, 1], [5, 5, 5]])
row("nll_loss", "F.nll_loss(x, I([0, 2, 1, 0, 2]))", LOGITS)
row("nll_loss", "F.nll_loss(x, I([0, 2, 1, 0, 2]), ignore_index=2, reduction='sum')", LOGITS)
row("kl_div", "F.kl_div(x, y, reduction='none')", [0, -1, -100, -1e4, 0, -inf], [0, 0.5, 1, 1e-30, 1, 0])
row("kl_div", "F.kl_div(x, y, reduction='sum', log_target=True)", [0, -1, -100, 0], [0, -1, -100, -1e4])
PAIR = ([[0, 0], [0, 0], [1, 2], [3, 4], [-1, -2]], [[0, 0], [1, 2], [0, 0], [3, 4], [1, 2]])
row("cosine_similarity", "F.cosine_similarity(x, y, dim=-1)", *PAIR)
row("cosine_embedding_loss", "F.cosine_embedding_loss(x, y, I([1, -1, 1, -1, 1]), reduction='none')", PAIR[0][1:] + [[1, 0]], PAIR[1][1:] + [[0, 1]])
row("hinge_embedding_loss", "F.hinge_embedding_loss(x, I([1, -1, -1, -1, 1]), reduction='none')", [0, 0, 1, 2, 3])
row("triplet_margin_loss", "F.triplet_margin_loss(x, y, z)", [[0, 0], [1, 2], [1, 1]], [[0, 0], [1, 2], [1, 2]], [[0, 0], [3, 4], [1, 2]])
for space, p in (("X", "1.0"), ("X", "2.0"), ("F", "2.0")):
    row("triplet_margin_loss", f"{space}.triplet_margin_loss(x, y, z, p={p}, eps=0.0)", [[0, 0], [1, 2]], [[0, 0], [1, 2]], [[0, 1], [1, 2]],
        torch=f"F.triplet_margin_loss(x, y, z, p={p}, eps=0.0)")

# ---- Linear algebra ----

S, D = [[4, 1], [1, 3]], [[2, 1], [0, 3]]
row("linalg::cholesky", "X.linalg.cholesky(x)", S)
row("linalg::solve", "X.linalg.solve(x, y)", D, [[1, 0], [0, 2]])
row("linalg::inv", "X.linalg.inv(x)", D)
row("linalg::det", "X.linalg.det(x)", D)
row("linalg::slogdet", "X.linalg.slogdet(x).logabsdet", D)
ZERO = [[0, 0], [0, 0]]
row("linalg::matrix_norm", "X.linalg.matrix_norm(x)", [ZERO, [[3, 0], [0, 4]], [[1, 1], [1, 1]]])
for order in (1, -1, "float('inf')", "float('-inf')"):
    row("linalg::matrix_norm", f"X.linalg.matrix_norm(x, ord={order})", [ZERO, [[3, 0], [0, 4]], [[1, 1], [1, -1]]])
VECTORS = [[0, 0, 0], [3, 0, 4], [1, 1, 1], [-2, 2, 1], [1e-25, 0, 0]]
for order in ("2", "1", "3", "0.5", "0", "float('inf')", "float('-inf')"):
    rows = VECTORS[:4]
    row("linalg::vector_norm", f"X.linalg.vector_norm(x, ord={order}, axis=-1)", rows, torch=f"X.linalg.vector_norm(x, ord={order}, dim=-1)")
row("linalg::vector_norm", "X.linalg.vector_norm(x)", [0, 0])

# ---- Where Tessera differs by choice; docs/conformance.md has the same reasons ----


class Deviation:
    """Of these ops, in these orders, the numbers where `where(operands, k, theirs)` holds are not PyTorch's, but numbers: no NaN."""

    def __init__(self, ops, orders, where, reason):
        self.ops, self.orders, self.where, self.reason = ops.split(), orders, where, reason


def nan(operands, k, theirs):
    return np.isnan(theirs)


def zero(operands, k, theirs):
    """An operand is 0; for one of another size than the first, anywhere."""
    return operands[0].ravel() == 0 if operands[0].size == theirs.size else np.full(theirs.shape, (operands[0] == 0).any())


def zero_row(operands, k, theirs):
    return np.broadcast_to((operands[0] == 0).any(-1, keepdims=True), operands[0].shape).ravel()


DEVIATIONS = [
    Deviation("logsumexp logcumsumexp logaddexp", (1, 2), nan, "Of infinities alone, PyTorch's gradient is NaN. Ours is 0 where all are -inf, and equal operands of logaddexp share."),
    Deviation("xlogy kl_div", (1, 2), nan, "Along a target that is 0, PyTorch gives 0 / 0. Ours is 0, so that targets with zeros can have gradients."),
    Deviation("copysign", (1, 2), nan, "PyTorch divides the result by the magnitude; ours is the sign, which infinities and zeros have, too."),
    Deviation("acosh mish atan2 power prod normalize cosine_similarity triplet_margin_loss linalg::matrix_norm linalg::vector_norm", (2,), nan,
              "PyTorch's second gradient is NaN there, though its first is not. Neither of ours is."),
    Deviation("xlogy", (2,), lambda operands, k, theirs: zero(operands, 0, theirs) & (operands[1].ravel() == 0), "As its first gradient at (0, 0), the second is 0."),
    Deviation("elu selu celu prelu", (2,), zero, "At the kink the second gradient is that of the negative side, as the first is; PyTorch's is 0."),
    Deviation("softplus", (2,), lambda operands, k, theirs: operands[0].ravel() == 20, "PyTorch takes softplus for x from 20 on."),
    Deviation("binary_cross_entropy", (2,), lambda operands, k, theirs: (operands[0].ravel() < 1e-9) | (operands[0].ravel() == 1),
              "The second gradient at probabilities 0 and 1 is that of the first, which is a slope of 1e12; PyTorch's is 0 or 1e24."),
    Deviation("cumprod", (2,), zero_row, "In rows with zeros the second gradient leaves out products past the first zero."),
]
