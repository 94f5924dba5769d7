"""What Python calls things: arguments as the array API standard or PyTorch have them, results, and the types in stubs."""

# For every op; then for single ones. `axes` becomes `axis` wherever one axis or several can be given.
ARGUMENTS = {"axes": "axis", "deviation": "std", "classes": "num_classes"}
OF_OP = {
    "linspace": {"count": "num"},
    "eye": {"rows": "n_rows", "cols": "n_cols", "diagonal": "k"},
    "full": {"value": "fill_value"},
    "concat": {"parts": "arrays"},
    "stack": {"parts": "arrays"},
    "meshgrid": {"axes": "arrays", "matrix_order": "ij"},
    "split": {"parts": "indices_or_sections", "sizes": "indices_or_sections"},
    "permute": {"order": "axes"},
    "roll": {"shifts": "shift"},
    "rot90": {"times": "k"},
    "repeat": {"times": "repeats"},
    "tile": {"times": "repetitions"},
    "pad": {"widths": "pad_width", "value": "constant_value"},
    "clip": {"low": "min", "high": "max"},
    "clamp": {"low": "min", "high": "max"},
    "triu": {"diagonal": "k"},
    "tril": {"diagonal": "k"},
    "diagonal": {"axis_a": "axis1", "axis_b": "axis2"},
    "trace": {"axis_a": "axis1", "axis_b": "axis2"},
    "tensordot": {"axes": "axes"},
    "dropout": {},
    "softshrink": {"lambda": "lambd"},
    "hardshrink": {"lambda": "lambd"},
    "random::multinomial": {"count": "num_samples"},
    "linalg::matrix_norm": {"order": "ord"},
    "linalg::vector_norm": {"p": "ord"},
}
# Operands of elementwise functions of two arguments.
OPERANDS = {"a": "x1", "b": "x2"}

# torch.nn.functional's words, for the functions of tessera.nn.functional.
TORCH = {"x": "input", "logits": "input", "axis": "dim", "kernel": "kernel_size", "slope": "weight", "at": "threshold",
         "low": "min_val", "high": "max_val", "groups": "groups", "size": "size", "factor": "upscale_factor",
         "log_probabilities": "input", "columns": "input"}
TORCH_OF = {
    "leaky_relu": {"slope": "negative_slope"},
    "pixel_unshuffle": {"factor": "downscale_factor"},
    "cosine_similarity": {"a": "x1", "b": "x2"},
    "cosine_embedding_loss": {"a": "input1", "b": "input2"},
    "group_norm": {"groups": "num_groups"},
    "fold": {"size": "output_size"},
    "rrelu": {"low": "lower", "high": "upper"},
    "gumbel_softmax": {"logits": "logits"},
}
# Families of the catalog whose ops are functions of neural networks, and ops of others that are.
TORCH_FAMILIES = ["Activations", "Losses", "Convolution", "Pooling", "Normalization"]
TORCH_OPS = ["sigmoid", "tanh", "softsign"]
# tessera/nn/functional.py has these by hand, since PyTorch's arguments mean something else or are more.
BY_HAND = {"gelu", "gelu_tanh", "softmax", "log_softmax", "softmin", "layer_norm", "rms_norm", "batch_norm", "batch_norm_training",
           "instance_norm", "cross_entropy", "nll_loss", "max_pool1d", "max_pool2d", "max_pool1d_with_indices",
           "max_pool2d_with_indices", "avg_pool1d", "avg_pool2d", "adaptive_avg_pool", "adaptive_max_pool", "global_avg_pool",
           "global_max_pool", "interpolate", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d", "kl_div",
           "binary_cross_entropy", "binary_cross_entropy_with_logits", "swiglu", "geglu", "unfold", "fold", "group_norm",
           "local_response_norm", "normalize", "glu", "softplus", "threshold", "hardtanh", "gumbel_softmax", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss",
           "cosine_similarity", "cosine_embedding_loss", "hinge_embedding_loss", "triplet_margin_loss"}

# They read values of their arguments at the call, as all that run on the CPU only do: other threads go on meanwhile.
WAITS = {"nonzero", "masked_select", "unique", "bincount", "allclose", "index", "index_set", "index_add", "quantize"}

# Struct -> (name, fields) of the named tuple.
RESULTS = {
    "Indexed": ("Indexed", ["values", "indices"]),
    "Unique": ("Unique", ["values", "inverse", "counts"]),
    "BatchNorm": ("BatchNorm", ["result", "mean", "var"]),
    "QrResult": ("QRResult", ["Q", "R"]),
    "SlogdetResult": ("SlogdetResult", ["sign", "logabsdet"]),
    "SvdResult": ("SVDResult", ["U", "S", "Vh"]),
    "EighResult": ("EighResult", ["eigenvalues", "eigenvectors"]),
}

# C++ type -> the type in a stub.
TYPES = {
    "Tensor": "TensorLike",
    "Shape": "int | Sequence[int]",
    "Axes": "int | Sequence[int] | None",
    "std::vector<int>": "int | Sequence[int]",
    "std::vector<std::int64_t>": "int | Sequence[int]",
    "std::vector<double>": "Sequence[float]",
    "DType": "DTypeLike",
    "Device": "DeviceLike",
    "double": "float",
    "int": "int",
    "std::int64_t": "int",
    "bool": "bool",
    "std::vector<Tensor>": "Sequence[TensorLike]",
    "std::vector<Slice>": "Sequence[builtins.slice]",
    "std::vector<std::pair<std::int64_t, std::int64_t>>": "Sequence[tuple[int, int]]",
    "std::vector<At>": "Index",
    "std::string_view": "str",
    "PerAxis": "int | Sequence[int]",
    "Padding": "int | str | Sequence[int] | Sequence[tuple[int, int]]",
}
