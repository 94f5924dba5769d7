"""Neural networks: tessera.nn.functional."""

from tessera.nn import functional
