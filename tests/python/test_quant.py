"""Weights in blocks of a few bits, against blocks that are decoded here by the definition of their format."""

import numpy as np
import pytest
import tessera as ts


def q8_0(rows, k, seed):
    """Random blocks of Q8_0, and the matrix that they stand for: a scale in float16 and 32 signed bytes each."""
    rng = np.random.default_rng(seed)
    scales = rng.uniform(0.01, 0.1, (rows, k // 32)).astype(np.float16)
    quants = rng.integers(-127, 128, (rows, k // 32, 32)).astype(np.int8)
    blocks = np.concatenate([scales[..., None].view(np.uint8), quants.view(np.uint8)], axis=-1)
    return blocks.tobytes(), (scales[..., None].astype(np.float32) * quants).reshape(rows, k)


def test_blocks_of_a_file():
    blocks, matrix = q8_0(5, 64, 1)
    q = ts.QuantizedTensor.from_blocks("Q8_0", blocks, (5, 64))
    assert (q.format, q.shape, q.nbytes) == ("Q8_0", (5, 64), 5 * 64 + 5 * 2 * 2)
    assert "Q8_0 [5, 64]" in repr(q)
    assert np.array_equal(ts.dequantize(q).numpy(), matrix)
    assert ts.dequantize(q, ts.float16).dtype == ts.float16
    assert np.array_equal(ts.dequantize(ts.QuantizedTensor.from_blocks("Q8_0", np.frombuffer(blocks, np.uint8), [5, 64])).numpy(), matrix)


@pytest.mark.parametrize("rows", [1, 3, 20])
def test_products(rows):
    blocks, matrix = q8_0(7, 96, 2)
    q = ts.QuantizedTensor.from_blocks("Q8_0", blocks, (7, 96))
    x = np.random.default_rng(3).standard_normal((rows, 96)).astype(np.float32)
    assert np.allclose(ts.quantized_matmul(x, q).numpy(), x @ matrix.T, rtol=1e-4, atol=1e-3)
    gradient = ts.grad(lambda v: ts.quantized_matmul(v, q).sum())(ts.array(x))
    assert np.allclose(gradient.numpy(), np.broadcast_to(matrix.sum(0), x.shape), rtol=1e-4, atol=1e-3)


def test_quantize():
    w = np.random.default_rng(4).standard_normal((4, 64)).astype(np.float32)
    for name, step in [("Q8_0", 127), ("Q4_0", 8)]:
        q = ts.QuantizedTensor.quantize(w, name)
        assert np.abs(ts.dequantize(q).numpy() - w).max() <= np.abs(w).max() * (0.51 / step + 2**-11) * (1 if step == 127 else 2)


def test_bad_input():
    blocks, _ = q8_0(2, 32, 5)
    with pytest.raises(ValueError, match="the format is 'Q3_X'; expected one of Q4_0"):
        ts.QuantizedTensor.from_blocks("Q3_X", blocks, (2, 32))
    with pytest.raises(ValueError, match="68 bytes"):
        ts.QuantizedTensor.from_blocks("Q8_0", blocks, (4, 32))
    with pytest.raises(TypeError, match="the blocks are"):
        ts.QuantizedTensor.from_blocks("Q8_0", [1, 2], (2, 32))
    with pytest.raises(ValueError, match=r"\[3, 16\]"):
        ts.quantized_matmul(ts.zeros((3, 16)), ts.QuantizedTensor.from_blocks("Q8_0", blocks, (2, 32)))
    with pytest.raises(TypeError):
        ts.quantized_matmul(ts.zeros((3, 32)), ts.zeros((2, 32)))
