"""Neural networks: modules with PyTorch's names, arguments and defaults, and tessera.nn.functional."""

from tessera._module import LoadReport, Module
from tessera.nn import functional, init
from tessera.nn._activations import (CELU, ELU, GELU, GLU, Hardshrink, Hardsigmoid, Hardswish, Hardtanh, Identity, LeakyReLU, LogSigmoid,
                                     LogSoftmax, Mish, PReLU, ReLU, ReLU6, RReLU, SELU, Sigmoid, SiLU, Softmax, Softmin, Softplus, Softshrink,
                                     Softsign, Tanh, Tanhshrink, Threshold)
from tessera.nn._containers import ModuleDict, ModuleList, Sequential
from tessera.nn._layers import (AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AvgPool1d, AvgPool2d, BatchNorm1d,
                                BatchNorm2d, BatchNorm3d, Bilinear, Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d, Dropout, Embedding,
                                Flatten, GroupNorm, InstanceNorm1d, InstanceNorm2d, LayerNorm, Linear, MaxPool1d, MaxPool2d, PixelShuffle,
                                PixelUnshuffle, RMSNorm, Unflatten, Upsample)
from tessera.nn._lora import lora, lora_parameters, merge_lora
from tessera.nn._sequences import (ALiBi, GRU, KvCache, LSTM, MultiheadAttention, RNN, RoPE, TransformerDecoder, TransformerDecoderLayer,
                                   TransformerEncoder, TransformerEncoderLayer)
from tessera.nn._summary import Summary, SummaryRow, summary

MultiHeadAttention = MultiheadAttention
