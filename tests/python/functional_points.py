"""Calls of tessera.nn.functional whose results make_functional_points.py writes down with PyTorch, and test_functional_points.py compares.

Nothing is imported but NumPy. A call is an expression of F (nn.functional), D(*shape), which makes floats that all precisions hold, P(*shape) with
floats from 0.25 to 0.75, T, I, U and B, which make tensors of float32, int64, uint8 and bool, H (float16), and `inf` and `nan`. A result is a tensor, or several.
"""

import numpy as np


def numbers(*shape, seed=0):
    """From -2.5 to 2.5, no two alike close to each other, never 0."""
    i = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    return ((7 * i + 3 * seed) % 20 - 9.5) / 4


def parts(*shape, seed=0):
    """From 0.25 to 0.75."""
    i = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    return 0.25 + ((5 * i + seed) % 17) / 32


SPECIAL = "T([-inf, -100., -3., -1., -0.5, -0., 0., 0.5, 1., 3., 6., 20., 25., 100., inf, nan])"
UNARY = ["relu", "relu6", "elu", "selu", "celu", "leaky_relu", "gelu", "silu", "mish", "softplus", "softsign", "tanh", "sigmoid", "tanhshrink", "logsigmoid",
         "hardsigmoid", "hardswish", "hardtanh", "hardshrink", "softshrink", "rrelu"]
CALLS = [f"F.{f}({x})" for f in UNARY for x in (SPECIAL, "D(2, 3)", "T(-0.75)", "T([])", "D(0, 3)")]
CALLS += [
    # ---- Activations with arguments, by position and by name ----
    "F.elu(D(7), 0.5)", "F.celu(D(7), 2.0)", "F.celu(D(7), -1.5)", "F.leaky_relu(D(7), 0.2)", "F.leaky_relu(D(7), negative_slope=-0.5)", "F.gelu(D(7), approximate='tanh')", "F.gelu(D(7), approximate='no')",
    "F.softplus(D(7), 2.0)", "F.softplus(D(7), 2, 1.0)", "F.softplus(D(7), beta=0.5, threshold=0.5)", "F.softplus(D(7), threshold=-1.0)", "F.hardtanh(D(7), -0.5, 1.5)", "F.hardtanh(D(7), max_val=0.25)", "F.hardtanh(D(7), 1.0, -1.0)", "F.hardtanh(I([-3, 0, 3]), -1, 2)",
    "F.hardshrink(D(7), 1.0)", "F.hardshrink(D(7), -1.0)", "F.softshrink(D(7), 1.0)", "F.softshrink(D(7), -1.0)", f"F.threshold({SPECIAL}, 0.5, 7.0)", "F.threshold(D(2, 3), -0.5, -9.0)",
    "F.threshold(I([1, 2, 3]), 1, 9)", "F.threshold(T(1.), 2., 3.)", "F.rrelu(D(7), 0.25, 0.75)", "F.rrelu(D(7), 0.75, 0.25)", "F.rrelu(D(7), 0.5, 0.5, True)", "F.relu(I([-1, 0, 2]))", "F.relu6(I([-1, 0, 9]))",
    "F.prelu(D(2, 3, 2), T([0.25]))", "F.prelu(D(2, 3, 2), T([0.25, 0.5, 2.]))", "F.prelu(D(2, 3), T([0.25, 0.5, 2.]))", "F.prelu(T(-2.), T([0.25]))", "F.prelu(T(-2.), T(0.25))", "F.prelu(D(3), T(0.25))",
    "F.prelu(D(3), T([0.25]))", "F.prelu(D(3), T([0.25, 0.5, 2.]))", "F.prelu(D(2, 3), T([0.25, 0.5]))", "F.prelu(T(-2.), T([0.25, 0.5]))", "F.prelu(D(0, 3), T([0.25, 0.5, 2.]))",
    "F.glu(D(2, 4))", "F.glu(D(4, 2), 0)", "F.glu(D(4, 3), dim=0)", "F.glu(D(2, 3))", "F.glu(T(1.))",
    "F.softmax(D(2, 3), 1)", "F.softmax(D(2, 3), dim=0)", "F.softmax(T(2.), 0)", "F.softmax(T(2.), dim=-1)", "F.softmax(T(2.), 1)", "F.softmax(D(0, 3), 1)", "F.softmax(D(3, 0), 1)", "F.softmax(D(2, 3), dim=2)",
    "F.softmax(I([1, 2]), 0, dtype=f32)", "F.softmax(D(2, 3), -1, dtype=f16)", "F.softmax(T([-inf, -inf]), 0)", "F.softmax(T([inf, 1.]), 0)", "F.log_softmax(D(2, 3), 1)", "F.log_softmax(T(2.), 0)",
    "F.log_softmax(D(2, 3), dim=-1, dtype=f16)", "F.log_softmax(T([-inf, 0., 1e4]), 0)", "F.softmin(D(2, 3), 1)", "F.softmin(T(2.), 0)", "F.softmin(D(2, 3), dim=0)",
    # Without a dim: 0 for ranks 0, 1 and 3, else 1.
    "F.softmax(D(3))", "F.softmax(D(2, 3))", "F.softmax(D(2, 3, 2))", "F.softmax(D(2, 3, 2, 2))", "F.log_softmax(D(2, 3, 2))", "F.softmin(D(2, 3, 2))",
    "F.dropout(D(2, 3), 0.5, False)", "F.dropout(D(2, 3), 0.0)", "F.dropout(D(2, 3), 1.0)", "F.dropout(D(2, 3), 1.5)", "F.dropout(D(2, 3), -0.5)", "F.dropout(D(2, 3), p=0.25, training=False)",
    "F.gumbel_softmax(D(2, 3), hard=True).sum(-1)", "F.gumbel_softmax(D(2, 3), 0.5, True, 1e-10, 0).sum(0)", "F.gumbel_softmax(T([0., -1e9])).round()", "F.gumbel_softmax(T([1e9, 1e9]), hard=True).sum()",
    # ---- Linear layers and embeddings ----
    "F.linear(D(2, 3), D(4, 3), D(4))", "F.linear(D(3), D(4, 3))", "F.linear(D(2, 3), D(3))", "F.linear(D(2, 2, 3), D(4, 3))", "F.linear(D(0, 3), D(4, 3), D(4))", "F.linear(D(2, 3), D(4, 2))", "F.linear(D(2, 0), D(4, 0), D(4))",
    "F.embedding(I([[0, 2], [1, 1]]), D(3, 4))", "F.embedding(I(2), D(3, 4))", "F.embedding(I([0, 2]), D(3, 4), 2)", "F.embedding(I([0, 2]), D(3, 4), -1)", "F.embedding(I([0, 2]), D(3, 4), 5)", "F.embedding(I([]), D(3, 4))",
    "F.one_hot(I([0, 2]))", "F.one_hot(I([0, 2]), 4)", "F.one_hot(I(2), 4)", "F.one_hot(I([[0], [1]]), num_classes=2)", "F.one_hot(I([]), 3)", "F.one_hot(I([]))",
    # ---- Attention ----
    "F.scaled_dot_product_attention(D(1, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2))", "F.scaled_dot_product_attention(D(3, 4), D(5, 4, seed=1), D(5, 4, seed=2))",
    "F.scaled_dot_product_attention(D(2, 3, 4), D(2, 5, 4, seed=1), D(2, 5, 4, seed=2))", "F.scaled_dot_product_attention(D(2, 1, 2, 3, 4), D(2, 1, 2, 5, 4, seed=1), D(2, 1, 2, 5, 4, seed=2))",
    "F.scaled_dot_product_attention(D(1, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), is_causal=True)", "F.scaled_dot_product_attention(D(1, 2, 5, 4), D(1, 2, 3, 4, seed=1), D(1, 2, 3, 4, seed=2), is_causal=True)",
    "F.scaled_dot_product_attention(D(1, 2, 4, 4), D(1, 2, 4, 4, seed=1), D(1, 2, 4, 4, seed=2), is_causal=True)", "F.scaled_dot_product_attention(D(1, 4), D(5, 4, seed=1), D(5, 4, seed=2), is_causal=True)",
    "F.scaled_dot_product_attention(D(2, 3, 4), D(2, 5, 4, seed=1), D(2, 5, 4, seed=2), is_causal=True, scale=0.25)",
    "F.scaled_dot_product_attention(D(1, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), D(3, 5))", "F.scaled_dot_product_attention(D(1, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), D(3, 5) > 0)",
    "F.scaled_dot_product_attention(D(1, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), D(2, 1, 5))", "F.scaled_dot_product_attention(D(2, 2, 3, 4), D(2, 2, 5, 4, seed=1), D(2, 2, 5, 4, seed=2), D(2, 1, 3, 5) > 0, scale=0.5)",
    "F.scaled_dot_product_attention(D(3, 4), D(5, 4, seed=1), D(5, 4, seed=2), D(3, 5), is_causal=True)", "F.scaled_dot_product_attention(D(3, 4), D(3, 4, seed=1), D(3, 4, seed=2), B([[True, True, False], [False, False, False], [True, True, True]]))",
    "F.scaled_dot_product_attention(D(1, 4, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), enable_gqa=True)", "F.scaled_dot_product_attention(D(1, 4, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2), is_causal=True, enable_gqa=True)",
    "F.scaled_dot_product_attention(D(1, 4, 3, 4), D(1, 3, 5, 4, seed=1), D(1, 3, 5, 4, seed=2), enable_gqa=True)", "F.scaled_dot_product_attention(D(1, 4, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2))",
    "F.scaled_dot_product_attention(D(1, 4, 3, 4), D(1, 1, 5, 4, seed=1), D(1, 1, 5, 4, seed=2))", "F.scaled_dot_product_attention(D(2, 2, 3, 4), D(1, 2, 5, 4, seed=1), D(1, 2, 5, 4, seed=2))",
    "F.scaled_dot_product_attention(D(2, 3, 4), D(2, 5, 4, seed=1), D(2, 5, 6, seed=2))", "F.scaled_dot_product_attention(D(2, 3, 4), D(2, 5, 4, seed=1), D(2, 5, 6, seed=2), is_causal=True)",
    "F.scaled_dot_product_attention(D(2, 3, 4), D(2, 5, 3), D(2, 5, 4))", "F.scaled_dot_product_attention(D(2, 0, 4), D(2, 5, 4), D(2, 5, 4))", "F.scaled_dot_product_attention(D(0, 3, 4), D(0, 5, 4), D(0, 5, 4))",
    # ---- Normalisation ----
    "F.layer_norm(D(2, 3, 4), (4,))", "F.layer_norm(D(2, 3, 4), [3, 4], D(3, 4, seed=1), D(3, 4, seed=2))", "F.layer_norm(D(2, 4), (4,), D(4), D(4), 0.5)", "F.layer_norm(D(2, 4), (3,))", "F.layer_norm(D(2, 4), (2, 4), D(8))",
    "F.layer_norm(D(2, 4), ())", "F.layer_norm(D(0, 4), (4,))", "F.layer_norm(T([[5., 5., 5.]]), (3,))", "F.layer_norm(D(4), (4,), None, D(4))",
    "F.rms_norm(D(2, 3, 4), (4,))", "F.rms_norm(D(2, 3, 4), (3, 4), D(3, 4, seed=1))", "F.rms_norm(D(2, 4), (4,), None, 0.5)", "F.rms_norm(D(2, 4) * 1e-4, (4,))", "F.rms_norm(H([1e-3, 2e-3, 3e-3]), (3,))", "F.rms_norm(T([0., 0.]), (2,))",
    "F.rms_norm(D(2, 4), (3,))", "F.batch_norm(D(2, 3, 4), D(3), P(3))", "F.batch_norm(D(2, 3), D(3), P(3), D(3, seed=1), D(3, seed=2), False, 0.1, 0.5)", "F.batch_norm(D(2, 3, 4), None, None, training=True)",
    "F.batch_norm(D(2, 3, 4), None, None)", "F.batch_norm(D(1, 3), None, None, training=True)", "F.batch_norm(D(2, 3, 2, 2), None, None, D(3), D(3), True, 0.1, 0.5)",
    "(lambda m, v: (F.batch_norm(D(2, 3, 4), m, v, training=True, momentum=0.25), m, v))(D(3), P(3))", "F.instance_norm(D(2, 3, 4))", "F.instance_norm(D(2, 3, 2, 2), None, None, D(3), D(3, seed=1), True, 0.1, 0.5)",
    "F.instance_norm(D(2, 3, 1))", "F.instance_norm(D(2, 3, 4), D(3), P(3), use_input_stats=False)", "(lambda m, v: (F.instance_norm(D(2, 3, 4), m, v, momentum=0.25), m, v))(D(3), P(3))",
    "F.group_norm(D(2, 4, 3), 2)", "F.group_norm(D(2, 4, 3), 4, D(4), D(4, seed=1), 0.5)", "F.group_norm(D(2, 4), 2)", "F.group_norm(D(2, 4, 3), 3)", "F.group_norm(D(0, 4, 3), 2)",
    "F.local_response_norm(D(2, 4, 3), 3)", "F.local_response_norm(D(2, 4, 3, 2), 2, 0.5, 0.5, 2.0)", "F.local_response_norm(D(2, 4, 3), 7, alpha=1.0)",
    "F.normalize(D(2, 3))", "F.normalize(D(2, 3), 1.0)", "F.normalize(D(2, 3), p=3, dim=0)", "F.normalize(D(2, 3), dim=-1, eps=10.0)", "F.normalize(D(3), dim=0)", "F.normalize(D(3))", "F.normalize(D(2, 3), p=inf)", "F.normalize(D(2, 3), p=-inf)",
    "F.normalize(D(2, 3), p=0)", "F.normalize(D(2, 3), dim=(0, 1))", "F.normalize(D(2, 3), p=0.5)", "F.normalize(T([[0., 0.]]))", "F.normalize(T(3.), dim=0)", "F.normalize(D(0, 3))",
    # ---- Convolutions ----
    "F.conv1d(D(2, 3, 7), D(4, 3, 3), D(4), 2, 1, 2, 1)", "F.conv1d(D(3, 7), D(4, 3, 3))", "F.conv1d(D(2, 4, 7), D(4, 2, 3), None, 1, 'same', 1, 2)", "F.conv1d(D(2, 3, 8), D(4, 3, 4), padding='same')", "F.conv1d(D(2, 3, 7), D(4, 3, 3), padding='valid', stride=2)",
    "F.conv1d(D(2, 3, 7), D(4, 3, 3), padding='same', stride=2)", "F.conv1d(D(0, 3, 7), D(4, 3, 3))", "F.conv1d(D(2, 3, 2), D(4, 3, 3))", "F.conv2d(D(2, 3, 5, 6), D(4, 3, 2, 3), D(4), (2, 1), (1, 2), (1, 2))", "F.conv2d(D(3, 5, 5), D(4, 3, 3, 3), padding=1)",
    "F.conv2d(D(1, 4, 5, 5), D(4, 1, 3, 3), groups=4, padding='same')", "F.conv2d(D(1, 3, 5, 5), D(4, 2, 3, 3))", "F.conv_transpose1d(D(2, 3, 5), D(3, 4, 3), D(4), 2, 1, 1, 1, 1)", "F.conv_transpose1d(D(2, 4, 5), D(4, 2, 3), None, 2, 1, 0, 2, 2)",
    "F.conv_transpose1d(D(3, 5), D(3, 4, 3), output_padding=1)", "F.conv_transpose2d(D(1, 3, 4, 3), D(3, 2, 3, 2), D(2), (2, 1), (1, 0), (1, 0))", "F.conv_transpose2d(D(1, 4, 3, 3), D(4, 1, 2, 2), groups=2, dilation=2)",
    "F.unfold(D(1, 2, 4, 5), 2)", "F.unfold(D(1, 2, 4, 5), (2, 3), 1, 1, 2)", "F.unfold(D(2, 4, 5), 2, dilation=2)", "F.unfold(D(1, 2, 4, 5), (2, 3), padding=(1, 0), stride=(1, 2))", "F.fold(D(1, 8, 6), (3, 4), 2)", "F.fold(D(8, 6), (3, 4), 2)",
    "F.fold(D(1, 8, 2), (4, 4), (2, 2), 2, 0, (1, 2))", "F.fold(D(1, 8, 5), (3, 4), 2)", "F.pixel_shuffle(D(1, 4, 2, 3), 2)", "F.pixel_shuffle(D(8, 2, 3), 2)", "F.pixel_unshuffle(D(1, 1, 4, 6), 2)", "F.pixel_shuffle(D(1, 3, 2, 3), 2)", "F.pixel_unshuffle(D(1, 1, 3, 6), 2)",
    # ---- Pooling ----
    "F.max_pool1d(D(2, 3, 7), 3)", "F.max_pool1d(D(3, 7), 3, 2, 1, 1, True)", "F.max_pool1d(D(2, 3, 7), 3, 2, 1, 2)", "F.max_pool1d(D(2, 3, 7), 2, return_indices=True)", "F.max_pool1d(D(2, 3, 7), 3, padding=2)", "F.max_pool1d(T([[1., nan, 2., 3.]]), 2)",
    "F.max_pool2d(D(1, 2, 5, 6), (2, 3))", "F.max_pool2d(D(2, 5, 6), 3, 2, 1, 1, True, True)", "F.max_pool2d(D(1, 2, 5, 6), 2, (1, 2), (1, 0), (2, 1))", "F.max_pool2d(D(1, 2, 5, 6), 7)", "F.max_pool2d(D(0, 2, 5, 6), 2)", "F.max_pool2d(D(1, 1, 4, 4), 2, 3, 1, 1, True)",
    "F.avg_pool1d(D(2, 3, 7), 3)", "F.avg_pool1d(D(3, 7), 3, 2, 1, True, False)", "F.avg_pool1d(D(2, 3, 7), 3, 2, 1, True)", "F.avg_pool1d(D(2, 3, 7), 3, 2, 1, False, False)", "F.avg_pool2d(D(1, 2, 5, 6), 2)", "F.avg_pool2d(D(1, 2, 5, 6), 3, 2, 1, True)",
    "F.avg_pool2d(D(1, 2, 5, 6), (2, 3), (1, 2), (1, 1), True, False)", "F.avg_pool2d(D(2, 5, 6), 3, 2, 1, False, True, 4)", "F.avg_pool2d(D(1, 2, 5, 6), 3, 2, 1, True, True, 2)", "F.avg_pool2d(D(1, 2, 5, 6), (2, 3), padding=(0, 1), divisor_override=-3, count_include_pad=False)",
    "F.avg_pool2d(D(1, 2, 5, 6), 2, divisor_override=0)", "F.avg_pool2d(D(1, 2, 5, 6), 3, padding=2)", "F.adaptive_avg_pool1d(D(2, 3, 7), 3)", "F.adaptive_avg_pool1d(D(3, 7), 9)", "F.adaptive_avg_pool2d(D(1, 2, 5, 6), (3, 4))", "F.adaptive_avg_pool2d(D(2, 5, 6), (None, 2))",
    "F.adaptive_avg_pool2d(D(1, 2, 5, 6), 1)", "F.adaptive_avg_pool2d(D(5, 6), 1)", "F.adaptive_max_pool1d(D(2, 3, 7), 3)", "F.adaptive_max_pool2d(D(1, 2, 5, 6), (3, 4))", "F.adaptive_max_pool2d(D(1, 2, 5, 6), (2, None))", "F.adaptive_avg_pool1d(D(2, 3, 7), (2, 2))",
    # ---- Resizing ----
    "F.interpolate(D(1, 2, 5), 8)", "F.interpolate(D(1, 2, 5), scale_factor=2)", "F.interpolate(D(1, 2, 5), scale_factor=1.7)", "F.interpolate(D(1, 2, 5), scale_factor=0.6)", "F.interpolate(D(1, 2, 4, 5), (6, 3))", "F.interpolate(D(1, 2, 4, 5), scale_factor=(2, 0.5))",
    "F.interpolate(D(1, 2, 5), 8, mode='nearest-exact')", "F.interpolate(D(1, 2, 5), scale_factor=1.7, mode='nearest-exact')", "F.interpolate(D(1, 2, 4, 5), (3, 7), mode='nearest-exact')", "F.interpolate(D(1, 2, 5), 8, mode='linear')", "F.interpolate(D(1, 2, 5), 8, None, 'linear', True)",
    "F.interpolate(D(1, 2, 5), 1, mode='linear', align_corners=True)", "F.interpolate(D(1, 2, 5), scale_factor=1.7, mode='linear', align_corners=False)", "F.interpolate(D(1, 2, 5), scale_factor=1.7, mode='linear', recompute_scale_factor=True)",
    "F.interpolate(D(1, 2, 4, 5), (6, 3), mode='bilinear')", "F.interpolate(D(1, 2, 4, 5), (6, 3), mode='bilinear', align_corners=True)", "F.interpolate(D(1, 2, 4, 5), scale_factor=0.7, mode='bilinear')", "F.interpolate(D(1, 2, 4, 5), (6, 3), mode='bicubic')",
    "F.interpolate(D(1, 2, 4, 5), (6, 3), mode='bicubic', align_corners=True)", "F.interpolate(D(1, 2, 4, 5), scale_factor=1.7, mode='bicubic')", "F.interpolate(D(1, 1, 3, 4, 5), (2, 5, 3), mode='trilinear')", "F.interpolate(D(1, 1, 3, 4, 5), (2, 5, 3), mode='trilinear', align_corners=True)",
    "F.interpolate(D(1, 1, 3, 4, 5), (2, 5, 3))", "F.interpolate(D(1, 2, 5), 3, mode='area')", "F.interpolate(D(1, 2, 4, 5), (3, 2), mode='area')", "F.interpolate(D(1, 2, 4, 5), scale_factor=0.5, mode='area')", "F.interpolate(D(1, 2, 4, 5), (6, 3), mode='linear')",
    "F.interpolate(D(1, 2, 5), 8, mode='bilinear')", "F.interpolate(D(1, 2, 5), 8, mode='cubic')", "F.interpolate(D(1, 2, 5), 8, mode='nearest', align_corners=False)", "F.interpolate(D(1, 2, 5))", "F.interpolate(D(1, 2, 5), 8, 2.0)", "F.interpolate(D(1, 2, 5), (8, 8))", "F.interpolate(D(1, 2, 5), 0)",
    "F.interpolate(D(2, 5), 8)", "F.pad(D(2, 3), (1, 2))", "F.pad(D(2, 3), (1, 2, 3, 4), 'constant', 5.0)", "F.pad(D(2, 3), (-1, 2))", "F.pad(D(2, 4), (-1, -2, 1, -1), value=7.0)", "F.pad(D(3), (1, 1))", "F.pad(D(2, 3), (1, 2, 3))", "F.pad(D(2, 3), (1, 2, 3, 4, 5, 6))", "F.pad(D(2, 3), (-2, -2))",
    "F.pad(I([1, 2]), (1, 1))", "F.pad(D(2, 3), ())", "F.pad(D(1, 2, 4), (1, 2), 'reflect')", "F.pad(D(1, 2, 4), (3, 3), mode='reflect')", "F.pad(D(1, 2, 4), (4, 0), mode='reflect')", "F.pad(D(2, 4), (1, 2), mode='reflect')", "F.pad(D(1, 2, 3, 4), (1, 2, 2, 0), mode='reflect')", "F.pad(D(1, 2, 4), (5, 2), mode='replicate')",
    "F.pad(D(1, 2, 3, 4), (1, 2, 3, 4), mode='replicate')", "F.pad(D(1, 2, 4), (1, 4), mode='circular')", "F.pad(D(1, 2, 3, 4), (1, 2, 3, 0), mode='circular')", "F.pad(D(1, 2, 4), (5, 0), mode='circular')", "F.pad(D(1, 2, 4), (1, 1), mode='mirror')",
    # ---- Losses of elements ----
]
for loss in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
    CALLS += [f"F.{loss}(D(2, 3), D(2, 3, seed=1){how})" for how in ("", ", reduction='sum'", ", reduction='none'", ", reduction='max'")]
    CALLS += [f"F.{loss}(D(2, 3), D(3, seed=1))", f"F.{loss}(D(2, 1), D(2, 3, seed=1), reduction='none')", f"F.{loss}(T(1.), T(3.))", f"F.{loss}(D(0, 3), D(0, 3))", f"F.{loss}(D(0, 3), D(0, 3), reduction='sum')", f"F.{loss}(D(2, 3), D(2, 4))"]
    if loss in ("mse_loss", "l1_loss", "huber_loss"):
        CALLS += [f"F.{loss}(D(2, 3), D(2, 3, seed=1), weight=P(2, 3){how})" for how in ("", ", reduction='sum'", ", reduction='none'")] + [f"F.{loss}(D(2, 3), D(2, 3), weight=P(3))"]
    if loss != "huber_loss":
        CALLS += [f"F.{loss}(D(2, 3), D(2, 3, seed=1), {old})" for old in ("size_average=False", "reduce=False", "True, True", "False, True", "False, False", "None, None, 'sum'")]
CALLS += [
    "F.smooth_l1_loss(D(2, 3), D(2, 3, seed=1), beta=0.5)", "F.smooth_l1_loss(D(2, 3), D(2, 3, seed=1), beta=0.0)", "F.smooth_l1_loss(D(2, 3), D(2, 3, seed=1), beta=-1.0)", "F.huber_loss(D(2, 3), D(2, 3, seed=1), 'sum', 0.5)", "F.huber_loss(D(2, 3), D(2, 3, seed=1), delta=2.0)",
    "F.huber_loss(D(2, 3), D(2, 3, seed=1), delta=0.0)",
    # ---- Classes ----
    "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]))", "F.cross_entropy(D(3), I(1))", "F.cross_entropy(D(2, 3, 4), I([[0, 1, 2, 0], [1, 1, 0, 2]]))", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), P(3))", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), P(3), reduction='sum')",
    "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), P(3), reduction='none')", "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]))", "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]), P(3))", "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]), reduction='none')", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), ignore_index=1)",
    "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), None, None, 1)", "F.cross_entropy(D(2, 3), I([-100, -100]))", "F.cross_entropy(D(2, 3), I([-100, -100]), reduction='sum')", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), label_smoothing=0.25)", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), P(3), label_smoothing=0.25)",
    "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]), P(3), label_smoothing=0.25)", "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]), P(3), reduction='none', label_smoothing=0.25)", "F.cross_entropy(D(4, 3), I([0, -100, 1, 1]), reduction='sum', label_smoothing=1.0)", "F.cross_entropy(D(4, 3), P(4, 3))",
    "F.cross_entropy(D(4, 3), P(4, 3), P(3))", "F.cross_entropy(D(4, 3), P(4, 3), P(3), reduction='sum', label_smoothing=0.25)", "F.cross_entropy(D(4, 3), P(4, 3), reduction='none')", "F.cross_entropy(D(3), P(3))", "F.cross_entropy(D(2, 3, 4), P(2, 3, 4), label_smoothing=0.25)", "F.cross_entropy(D(4, 3), P(4, 3), ignore_index=1)",
    "F.cross_entropy(D(4, 3), P(4))", "F.cross_entropy(D(4, 3), I([0, 2]))", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), P(4))", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), label_smoothing=1.5)", "F.cross_entropy(D(4, 3), I([0, 2, 1, 3]))", "F.cross_entropy(D(4, 3), I([0, 2, 1, -1]))", "F.cross_entropy(D(0, 3), I([]))",
    "F.cross_entropy(D(0, 3), I([]), reduction='sum')", "F.cross_entropy(D(0, 3), I([]), reduction='none')", "F.cross_entropy(T(1.), I(0))", "F.cross_entropy(T([[inf, 0.]]), I([0]))", "F.cross_entropy(T([[-inf, 0.]]), I([1]))", "F.cross_entropy(T([[-inf, 0.]]), I([0]))", "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), reduction='max')",
    "F.cross_entropy(D(4, 3), I([0, 2, 1, 1]), size_average=False)", "F.cross_entropy(D(2, 200), U([156, 3]))", "F.nll_loss(D(4, 3), I([0, 2, 1, 1]))", "F.nll_loss(D(3), I(1))", "F.nll_loss(D(2, 3, 4), I([[0, 1, 2, 0], [1, 1, 0, 2]]), P(3))", "F.nll_loss(D(4, 3), I([0, -100, 1, 1]), P(3))",
    "F.nll_loss(D(4, 3), I([0, 2, 1, 1]), P(3), None, 1, None, 'sum')", "F.nll_loss(D(4, 3), I([0, -100, 1, 1]), reduction='none')", "F.nll_loss(D(4, 3), I([0, 2, 1, -1]))", "F.nll_loss(D(2, 3), I([-100, -100]))", "F.nll_loss(D(4, 3), I([0, 2, 1, 1]), reduce=False)", "F.nll_loss(D(2, 3, 2, 2), I([[[0, 1], [2, 2]], [[1, 1], [0, 0]]]))",
    # ---- Probabilities ----
    "F.binary_cross_entropy(P(2, 3), P(2, 3, seed=1))", "F.binary_cross_entropy(P(2, 3), P(2, 3, seed=1), P(3))", "F.binary_cross_entropy(P(2, 3), P(2, 3, seed=1), P(2, 1), reduction='sum')", "F.binary_cross_entropy(P(2, 3), P(2, 3, seed=1), reduction='none')", "F.binary_cross_entropy(T([0., 1., 0., 1.]), T([0., 1., 1., 0.]), reduction='none')",
    "F.binary_cross_entropy(P(2, 3), P(3))", "F.binary_cross_entropy(T(0.25), T(1.))", "F.binary_cross_entropy(P(2, 3), P(2, 3, seed=1), None, False)", "F.binary_cross_entropy(P(0, 3), P(0, 3))", "F.binary_cross_entropy_with_logits(D(2, 3), P(2, 3))", "F.binary_cross_entropy_with_logits(D(2, 3), P(2, 3), P(3), reduction='sum')",
    "F.binary_cross_entropy_with_logits(D(2, 3), P(2, 3), pos_weight=P(3))", "F.binary_cross_entropy_with_logits(D(2, 3), P(2, 3), P(2, 3), None, None, 'none', P(3))", "F.binary_cross_entropy_with_logits(T([-100., 100., 0.]), T([1., 0., 1.]), reduction='none')", "F.binary_cross_entropy_with_logits(D(2, 3), P(3))", "F.binary_cross_entropy_with_logits(T(0.5), T(1.))",
    "F.kl_div(D(2, 3), P(2, 3))", "F.kl_div(D(2, 3), P(2, 3), reduction='sum')", "F.kl_div(D(2, 3), P(2, 3), reduction='batchmean')", "F.kl_div(D(2, 3), P(2, 3), reduction='none')", "F.kl_div(D(2, 3), D(2, 3, seed=1), log_target=True)", "F.kl_div(D(2, 3), P(3))", "F.kl_div(D(2, 3), P(3), reduction='batchmean')", "F.kl_div(T(-1.), T(0.5), reduction='batchmean')",
    "F.kl_div(T(-1.), T(0.5))", "F.kl_div(T([-1., -2.]), T([0., 1.]), reduction='none')", "F.kl_div(D(2, 3), P(2, 3), False)", "F.kl_div(D(2, 3), D(2, 3, seed=1), reduction='batchmean', log_target=True)", "F.kl_div(T([-1., -2.]), T([0., -0.5]), reduction='none')",
    # ---- Distances ----
    "F.cosine_similarity(D(2, 3), D(2, 3, seed=1))", "F.cosine_similarity(D(1, 2, 3), D(2, 1, 3, seed=1), -2)", "F.cosine_similarity(D(1, 2, 3), D(2, 1, 3, seed=1), dim=0)", "F.cosine_similarity(D(1, 2, 3), D(2, 1, 3, seed=1), dim=-1)", "F.cosine_similarity(D(2, 3), D(3, seed=1))", "F.cosine_similarity(D(3), D(2, 3, seed=1), -1)",
    "F.cosine_similarity(D(2, 3), D(2, 1, seed=1), 1)", "F.cosine_similarity(D(3), D(3, seed=1), 0)", "F.cosine_similarity(D(3), D(3, seed=1))", "F.cosine_similarity(T(2.), T(-3.), 0)", "F.cosine_similarity(T([[0., 0.]]), D(1, 2))", "F.cosine_similarity(D(2, 3) * 1e-9, D(2, 3, seed=1))", "F.cosine_similarity(D(2, 3), D(2, 3, seed=1), eps=100.0)",
    "F.cosine_similarity(D(2, 3) * 1e12, D(2, 3, seed=1) * 1e12)", "F.cosine_similarity(H([[300., 400.]]), H([[300., 400.]]))", "F.cosine_similarity(D(0, 3), D(0, 3))", "F.cosine_similarity(D(2, 3), D(2, 4))",
    "F.cosine_embedding_loss(D(3, 2), D(3, 2, seed=1), T([1., -1., 1.]))", "F.cosine_embedding_loss(D(3, 2), D(3, 2, seed=1), T([1., -1., 0.]), reduction='none')", "F.cosine_embedding_loss(D(3, 2), D(3, 2, seed=1), T([1., -1., -1.]), 0.25, reduction='sum')", "F.cosine_embedding_loss(D(3), D(3, seed=1), T(-1.))",
    "F.cosine_embedding_loss(D(3, 2), D(3, 2, seed=1), T([[1.], [1.], [1.]]))", "F.cosine_embedding_loss(T([[0., 0.]]), D(1, 2), T([-1.]))", "F.cosine_embedding_loss(D(3, 2), D(3, 2, seed=1), I([1, -1, 1]), 0.5, None, None, 'none')", "F.cosine_embedding_loss(D(3, 2) * 1e-6, D(3, 2, seed=1), T([1., 1., 1.]), reduction='none')",
    "F.hinge_embedding_loss(D(2, 3), T([[1., -1., 1.], [-1., 1., -1.]]))", "F.hinge_embedding_loss(D(3), T([1., -1., 0.]), reduction='none')", "F.hinge_embedding_loss(D(3), T([1., -1., 5.]), 2.0, reduction='sum')", "F.hinge_embedding_loss(T(0.25), T(-1.))", "F.hinge_embedding_loss(T(0.25), T(1.), reduction='none')",
    "F.hinge_embedding_loss(T(0.25), T([1., -1.]), reduction='none')", "F.hinge_embedding_loss(D(2, 3), T([1., -1., 1.]), reduction='none')", "F.hinge_embedding_loss(D(2, 3), T(-1.))", "F.hinge_embedding_loss(D(3), I([1, -1, 1]), 0.5, None, None, 'none')", "F.hinge_embedding_loss(D(0), T([]))",
    "F.triplet_margin_loss(D(2, 3), D(2, 3, seed=1), D(2, 3, seed=2))", "F.triplet_margin_loss(D(2, 3), D(2, 3, seed=1), D(2, 3, seed=2), 2.0, 1, reduction='none')", "F.triplet_margin_loss(D(2, 3), D(2, 3, seed=1), D(2, 3, seed=2), 5.0, 3.0, 0.5, True, reduction='none')", "F.triplet_margin_loss(D(2, 3), D(2, 3, seed=1), D(2, 3, seed=2), p=inf, reduction='sum')",
    "F.triplet_margin_loss(D(3), D(3, seed=1), D(3, seed=2))", "F.triplet_margin_loss(D(2, 3), D(2, 3), D(2, 3))", "F.triplet_margin_loss(D(2, 3), D(3), D(2, 3))", "F.triplet_margin_loss(D(2, 3), D(1, 3, seed=1), D(2, 3, seed=2), reduction='none')", "F.triplet_margin_loss(D(2, 3), D(2, 3, seed=1), D(2, 3, seed=2), swap=True, size_average=False)",
]
