"""Tessera: tensors on WebGPU and on the CPU, with NumPy's functions, gradients and fused kernels.

>>> import tessera as ts
>>> x = ts.array([[1., 2.], [3., 4.]])
>>> (x @ x + 1).tolist()
[[8.0, 11.0], [16.0, 23.0]]
>>> ts.grad(lambda w: (w * w).sum())(x).tolist()
[[2.0, 4.0], [6.0, 8.0]]
"""

import os as _os

from tessera import _core
from tessera._core import (Device, DType, Tensor, bfloat16, bool, complex64, complex128, current_device, eval, float16, float32, float64, int8, int16,
                           int32, int64, iq4_nl, iq4_xs, mxfp4, q2_k, q3_k, q4_0, q4_1, q4_k, q5_0, q5_1, q5_k, q6_k, q8_0, set_device, stop_gradient, uint8,
                           uint16, uint32, uint64)
from tessera._errors import (ArgumentError, ArgumentTypeError, CancelledError, DeviceError, DeviceLostError, DTypeError, Error,
                             FileError, IndexError, LimitError, OutOfMemoryError, ParseError, PeerLostError, ShaderError, ShapeError,
                             UnsupportedError)
from tessera._creation import (__array_namespace_info__, arange, array, asarray, astype, can_cast, e, empty, empty_like, eye,
                               finfo, from_dlpack, full, full_like, iinfo, inf, isdtype, linspace, meshgrid, nan, newaxis, ones,
                               ones_like, pi, result_type, tril, triu, zeros, zeros_like)
from tessera._functions import (all, any, argmax, argmin, argsort, bitwise_invert, bitwise_left_shift, bitwise_right_shift,
                                broadcast_arrays, clip, concat, copysign, count_nonzero, cumulative_prod, cumulative_sum,
                                diff, einsum, expand_dims, flip, matrix_transpose, max, mean, min, moveaxis, nonzero, pad, permute_dims,
                                pow, prod, repeat, reshape, roll, searchsorted, sort, squeeze, stack, std, sum, tensordot,
                                tile, transpose, unique_all, unique_counts, unique_inverse, unique_values, unstack, var, vecdot)
from tessera._public_ops import *  # noqa: F403
from tessera._quant import from_blocks, to_blocks
from tessera._profile import devices, explain, memory_stats, profile, synchronize
from tessera._tensor import install as _install
from tessera._transforms import autocast, checkpoint, compile, custom_vjp, grad, jvp, loop, no_grad, scan, value_and_grad, vjp
from tessera._tree import map_leaves as tree_map
from tessera._wgsl import wgsl_kernel
from tessera import data, distributed, io, linalg, llm, nn, optim, random, text, train
from tessera.io import load, save

__version__ = "0.1.0"
__array_api_version__ = "2024.12"

_install()
_os.register_at_fork(before=_core._before_fork, after_in_child=_core._after_fork_in_child)
