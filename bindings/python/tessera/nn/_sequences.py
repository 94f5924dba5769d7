"""Attention, transformer layers and recurrent layers, with PyTorch's arguments and defaults."""

from __future__ import annotations

from typing import Any

from tessera._core import Tensor
from tessera._creation import zeros
from tessera._errors import ArgumentTypeError
from tessera._module import Module
from tessera.nn._layers import LayerNorm
from tessera.nn._native import Native, Part


class RoPE(Native):
    """Rotary position embedding of x [.., L, D], at the positions 0, 1, .. or at given ones."""

    def __init__(self, base: float = 10000.0, scaling: float = 1.0, interleaved: bool = False) -> None:
        self._make(base=base, scaling=scaling, interleaved=interleaved)

    def forward(self, input: Any, positions: Any = None) -> Tensor:
        return self._call([input] if positions is None else [input, positions])[0]


class ALiBi(Native):
    """Adds a bias of slope(head) (key - query) to scores [.., heads, Lq, Lk]."""

    def __init__(self, num_heads: int) -> None:
        self._make(num_heads=num_heads)


class KvCache(Module):
    """Keys and values of the tokens so far, [B, kv heads, context, D], and how many there are. MultiheadAttention.cache() makes one;
    in a compiled step it is part of the state: compile(step, state=[cache])."""

    k: Tensor
    v: Tensor
    position: Tensor

    def __init__(self, batch: int, kv_heads: int, context: int, size: int, dtype: Any = None, device: Any = None) -> None:
        for name in ("k", "v"):
            self.register_buffer(name, zeros((batch, kv_heads, context, size), dtype=dtype or "float32", device=device))
        self.register_buffer("position", zeros((1,), dtype="int32", device=device))


class MultiheadAttention(Native):
    """Attention of [L, N, E], or [N, L, E] with batch_first. Returns the result only, without weights.

    `mask` is added to the scores, or True where a query attends to a key. With kv_heads fewer heads of keys and values than of
    queries; with rope, positions are rotated into queries and keys.

    >>> import tessera as ts
    >>> attention = ts.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> attention(ts.ones((1, 4, 8)), is_causal=True).shape
    (1, 4, 8)
    >>> list(attention.state_dict())
    ['in_proj_weight', 'in_proj_bias', 'out_proj.weight', 'out_proj.bias']
    """

    in_proj_weight: Tensor
    in_proj_bias: Tensor | None = None
    out_proj: Module

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, kdim: int | None = None, vdim: int | None = None,
                 batch_first: bool = False, kv_heads: int | None = None, rope: bool = False, rope_base: float = 10000.0, dtype: Any = None,
                 device: Any = None) -> None:
        self._make(dtype, device, embed_dim=embed_dim, num_heads=num_heads, dropout=dropout, bias=bias, kdim=kdim, vdim=vdim,
                   batch_first=batch_first, kv_heads=kv_heads, rope=rope, rope_base=rope_base)

    def forward(self, query: Any, key: Any = None, value: Any = None, *, mask: Any = None, is_causal: bool = False, window: int = 0,
                lengths: Any = None) -> Tensor:
        key = query if key is None else key
        value = key if value is None else value
        return self._call([query, key, value], [dict(mask=mask, is_causal=is_causal, window=window, lengths=lengths)])[0]

    def cache(self, batch: int, context: int) -> KvCache:
        """An empty cache for this module, in the dtype and on the device of its parameters."""
        o, weight = self._options, self.out_proj.weight
        return KvCache(batch, o["kv_heads"] or o["num_heads"], context, o["embed_dim"] // o["num_heads"], weight.dtype, weight.device)

    def decode(self, input: Any, cache: KvCache) -> Tensor:
        """Causal self-attention of new tokens over all tokens so far, which the cache then contains.

        >>> import tessera as ts
        >>> attention = ts.nn.MultiheadAttention(8, 2, batch_first=True, rope=True).eval()
        >>> cache, x = attention.cache(1, 16), ts.random.normal((1, 3, 8))
        >>> step = ts.compile(lambda x: attention.decode(x, cache), state=[attention, cache])
        >>> parts = [step(x[:, i:i + 1]) for i in range(3)]
        >>> ts.allclose(ts.concat(parts, axis=1), attention(x, is_causal=True), atol=1e-5), step.traces
        (True, 1)
        """
        if not isinstance(cache, KvCache):
            raise ArgumentTypeError(f"decode: {cache!r} of type {type(cache).__name__} was given; a KvCache is expected.")
        tensors = self._tensors(self._held())
        result, cache.k, cache.v, cache.position = self._native.decode(tensors, self.training, input, [cache.k, cache.v, cache.position])
        return result


class _TransformerLayer(Native):
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: str = "relu",
                 layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True, dtype: Any = None,
                 device: Any = None) -> None:
        self._make(dtype, device, d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward, dropout=dropout, activation=activation,
                   layer_norm_eps=layer_norm_eps, batch_first=batch_first, norm_first=norm_first, bias=bias)


class _Encoder(Native):
    def forward(self, src: Any, mask: Any = None, is_causal: bool = False) -> Tensor:
        return self._call([src], [dict(mask=mask, is_causal=is_causal)])[0]


class _Decoder(Native):
    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_is_causal: bool = False,  # type: ignore[override]
                memory_is_causal: bool = False) -> Tensor:
        return self._call([tgt, memory], [dict(mask=tgt_mask, is_causal=tgt_is_causal), dict(mask=memory_mask, is_causal=memory_is_causal)])[0]


class TransformerEncoderLayer(_TransformerLayer, _Encoder):
    """Self-attention and two linear layers, each with a residual connection and a norm. activation: "relu", "gelu" or "silu".

    >>> import tessera as ts
    >>> ts.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(ts.ones((1, 4, 8)), is_causal=True).shape
    (1, 4, 8)
    """


class TransformerDecoderLayer(_TransformerLayer, _Decoder):
    """As the encoder's layer, with attention to the encoder's result `memory` between."""


def _copies(stack: Native, layer: Native, norm: Native | None) -> None:
    """Gives each layer the parameters of the one given, as in PyTorch."""
    initial = {f"layers.{i}.{name}": t for i in range(stack._options["num_layers"]) for name, t in layer.state_dict().items()}
    if norm is not None:
        initial |= {f"norm.{name}": t for name, t in norm.state_dict().items()}
    for (place, key), name in zip(stack._held(), stack._names):
        place[key] = initial[name]._copy()


class TransformerEncoder(_Encoder):
    """Copies of a layer, each with the layer's initial parameters, and an optional norm at the end."""

    layers: Part

    def __init__(self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: LayerNorm | None = None) -> None:
        _check(encoder_layer, TransformerEncoderLayer, norm)
        self._make(encoder_layer=encoder_layer._native, num_layers=num_layers, norm=None if norm is None else norm._native)
        _copies(self, encoder_layer, norm)


class TransformerDecoder(_Decoder):
    """Copies of a layer, each with the layer's initial parameters, and an optional norm at the end."""

    layers: Part

    def __init__(self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: LayerNorm | None = None) -> None:
        _check(decoder_layer, TransformerDecoderLayer, norm)
        self._make(decoder_layer=decoder_layer._native, num_layers=num_layers, norm=None if norm is None else norm._native)
        _copies(self, decoder_layer, norm)


def _check(layer: Any, expected: type[Native], norm: Any) -> None:
    for given, kind in ((layer, expected), (norm, LayerNorm)):
        if not isinstance(given, kind) and (given is not None or kind is expected):
            raise ArgumentTypeError(f"{given!r} of type {type(given).__name__} was given; a {kind.__name__} is expected.")


class _Recurrent(Native):
    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
                 dropout: float = 0.0, bidirectional: bool = False, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers, bias=bias, batch_first=batch_first,
                   dropout=dropout, bidirectional=bidirectional)

    def forward(self, input: Any, hx: Any = None) -> tuple[Tensor, Any]:
        output, state = self._call([input] if hx is None else [input, hx])
        return output, state


class RNN(_Recurrent):
    """h = tanh(W x + b + U h + c) over [L, N, in]; returns the results for all steps and the last h."""

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh", bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers, nonlinearity=nonlinearity, bias=bias,
                   batch_first=batch_first, dropout=dropout, bidirectional=bidirectional)


class LSTM(_Recurrent):
    """Long short-term memory over [L, N, in]; returns the results for all steps and the last (h, c).

    >>> import tessera as ts
    >>> output, (h, c) = ts.nn.LSTM(3, 4)(ts.zeros((5, 2, 3)))
    >>> output.shape, h.shape, c.shape
    ((5, 2, 4), (1, 2, 4), (1, 2, 4))
    """

    def forward(self, input: Any, hx: Any = None) -> tuple[Tensor, Any]:
        output, h, c = self._call([input] if hx is None else [input, *hx])
        return output, (h, c)


class GRU(_Recurrent):
    """Gated recurrent units over [L, N, in]; returns the results for all steps and the last h."""
