"""Block dtypes, against blocks that are decoded here by the definition of Q8_0."""

import numpy as np
import pytest
import tessera as ts

DTYPES = ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k", "q3_k", "q4_k", "q5_k", "q6_k", "iq4_nl", "iq4_xs", "mxfp4"]


def q8_0(rows, k, seed):
    """Random blocks of Q8_0, and the matrix that they stand for: a scale in float16 and 32 signed bytes each."""
    rng = np.random.default_rng(seed)
    scales = rng.uniform(0.01, 0.1, (rows, k // 32)).astype(np.float16)
    quants = rng.integers(-127, 128, (rows, k // 32, 32)).astype(np.int8)
    blocks = np.concatenate([scales[..., None].view(np.uint8), quants.view(np.uint8)], axis=-1)
    return blocks.tobytes(), (scales[..., None].astype(np.float32) * quants).reshape(rows, k)


def test_blocks_of_a_file():
    blocks, matrix = q8_0(5, 64, 1)
    q = ts.from_blocks(ts.q8_0, blocks, (5, 64))
    assert (q.dtype, q.shape, q.nbytes) == (ts.q8_0, (5, 64), 5 * 2 * 34)
    assert "q8_0" in repr(q)
    assert np.array_equal(ts.dequantize(q).numpy(), matrix)
    assert np.array_equal(q.astype(ts.float32).numpy(), matrix)
    assert ts.dequantize(q, ts.float16).dtype == ts.float16
    assert np.array_equal(ts.dequantize(ts.from_blocks("q8_0", np.frombuffer(blocks, np.uint8), [5, 64])).numpy(), matrix)
    assert ts.to_blocks(q) == blocks
    assert ts.to_blocks(q[1:3]) == blocks[2 * 34:6 * 34]
    assert np.array_equal(ts.take(q, ts.array([4, 0]), axis=0).astype(ts.float32).numpy(), matrix[[4, 0]])


def test_every_dtype_has_its_name():
    for name in DTYPES:
        dtype = getattr(ts, name)
        assert (dtype.name, dtype.kind, repr(dtype)) == (name, "block", "tessera." + name)
        assert dtype == getattr(ts, name) and hash(dtype) == hash(getattr(ts, name)) and dtype != ts.float32


@pytest.mark.parametrize("rows", [1, 3, 20])
def test_products(rows):
    blocks, matrix = q8_0(7, 96, 2)
    q = ts.from_blocks(ts.q8_0, blocks, (7, 96))
    x = np.random.default_rng(3).standard_normal((rows, 96)).astype(np.float32)
    # On the CPU few rows are rounded to 8 bits in blocks of 32: by 1/254 of the largest element at most.
    largest = np.abs(x).reshape(rows, 3, 32).max(-1) if rows <= 8 and ts.current_device().id == "cpu" else np.zeros((rows, 3))
    bound = largest @ np.abs(matrix).reshape(7, 3, 32).sum(-1).T / 254 + 1e-3 + 1e-4 * np.abs(x @ matrix.T)
    assert (np.abs((ts.array(x) @ q.T).numpy() - x @ matrix.T) <= bound).all()
    assert (np.abs(ts.nn.functional.linear(ts.array(x), q).numpy() - x @ matrix.T) <= bound).all()
    gradient = ts.grad(lambda v: (v @ q.T).sum())(ts.array(x))
    assert np.allclose(gradient.numpy(), np.broadcast_to(matrix.sum(0), x.shape), rtol=1e-4, atol=1e-3)
    compiled = ts.compile(lambda v, w: v @ w.T)
    assert (np.abs(compiled(ts.array(x), q).numpy() - x @ matrix.T) <= bound).all()


def test_quantize():
    w = np.random.default_rng(4).standard_normal((4, 64)).astype(np.float32)
    for dtype, step in [(ts.q8_0, 127), (ts.q4_0, 8)]:
        q = ts.quantize(w, dtype)
        assert np.abs(ts.dequantize(q).numpy() - w).max() <= np.abs(w).max() * (0.51 / step + 2**-11) * (1 if step == 127 else 2)


@pytest.mark.parametrize("dtype, bound", [(ts.q2_k, 0.3), (ts.q3_k, 0.16), (ts.q4_k, 0.08), (ts.q5_k, 0.04), (ts.q6_k, 0.02), (ts.iq4_nl, 0.08), (ts.iq4_xs, 0.08)])
def test_quantize_by_search(dtype, bound):
    w = np.random.default_rng(5).standard_normal((4, 512)).astype(np.float32)
    error = ts.dequantize(ts.quantize(w, dtype)).numpy() - w
    assert np.sqrt((error**2).mean() / (w**2).mean()) < bound
    w[2, 7] = np.inf
    with pytest.raises(ValueError, match="element 1031 is inf"):
        ts.quantize(w, dtype)


def test_quantize_in_compiled_functions():
    w = np.random.default_rng(6).standard_normal((8, 64)).astype(np.float32)
    blocks = ts.compile(lambda v: ts.quantize(v * 2, ts.q4_1))
    assert ts.to_blocks(blocks(ts.array(w))) == ts.to_blocks(ts.quantize(w * 2, ts.q4_1))
    w[3, 40] = np.nan  # the second block of a row
    assert (np.isnan(ts.dequantize(ts.quantize(w, ts.q8_0)).numpy()) == ((np.arange(8) == 3)[:, None] & (np.arange(64) >= 32))).all()


def test_bad_input():
    blocks, _ = q8_0(2, 32, 5)
    q = ts.from_blocks(ts.q8_0, blocks, (2, 32))
    with pytest.raises(TypeError, match="'q3_x', which is no type"):
        ts.from_blocks("q3_x", blocks, (2, 32))
    with pytest.raises(TypeError, match="a block dtype is expected"):
        ts.from_blocks(ts.float32, blocks, (2, 32))
    with pytest.raises(ValueError, match="68 bytes"):
        ts.from_blocks(ts.q8_0, blocks, (4, 32))
    with pytest.raises(TypeError, match="the blocks are"):
        ts.from_blocks(ts.q8_0, [1, 2], (2, 32))
    with pytest.raises(ValueError, match=r"\[3, 16\]"):
        ts.zeros((3, 16)) @ q.T
    for refused in [lambda: q + 1, lambda: ts.softmax(q), lambda: q.sum(), lambda: q.numpy(), lambda: q.tolist(), lambda: memoryview(q),
                    lambda: ts.zeros_like(q), lambda: ts.zeros((2, 32), dtype=ts.q8_0)]:
        with pytest.raises((TypeError, BufferError), match="q8_0"):
            refused()
