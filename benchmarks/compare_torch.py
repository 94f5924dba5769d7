#!/usr/bin/env python3
"""Runs `tessera bench` and the same work in PyTorch on CUDA, one after the other, and prints both with their ratio.

    benchmarks/compare_torch.py [--tessera PATH] [--json FILE|-] [--compile] [group ...]

PATH is the tessera binary or a bundle's go.sh; without one the newest usual place is taken. A ratio above 1 means that
Tessera is faster. Needs Python 3.12 and torch. f32 products run without TF32.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNITS = {"gbs": "GB/s", "tflops": "TFLOP/s", "us": "us", "ms": "ms"}
LOWER_IS_BETTER = {"us", "ms"}
COPY_BYTES, COPY_FLOPS = 512 << 20, 1e11  # as apps/bench.cpp: small problems are repeated over inputs of their own


def find_tessera(path):
    """The command that starts tessera."""
    places = [path] if path else [ROOT / "build/bundle/go.sh", ROOT / "build/release/bin/tessera",
                                  ROOT / "build/dev/bin/tessera"]
    for place in (Path(p).resolve() for p in places):
        if place.is_file():
            return [str(place), "tessera"] if place.name == "go.sh" else [str(place)]
    sys.exit(f"compare_torch: no tessera in {', '.join(map(str, places))}; build it, or name it with --tessera.")


def run_tessera(command, groups):
    """The results of `tessera bench` as a list of dicts; its table goes to standard error as it runs."""
    run = subprocess.run([*command, "bench", *groups, "--json", "-"], stdout=subprocess.PIPE, text=True, check=False)
    results = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    if not results:
        sys.exit(f"compare_torch: {' '.join(command)} bench gave no results (exit code {run.returncode}).")
    return results


class Torch:
    """The benchmarks in PyTorch: each method takes a result of tessera's and returns its number in the same unit."""

    def __init__(self, torch):
        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        self.names = {
            "scale_f32": self.scale, "chain6_f32": self.chain6, "chain6_unfused": self.chain6,
            "row_sum_f32": self.row_sum, "col_sum_f32": self.col_sum, "full_sum_f32": self.full_sum,
            "softmax_f32": self.softmax, "softmax_f16": self.softmax, "layer_norm_f32": self.layer_norm,
            "rms_norm_f32": self.rms_norm, "batch_norm_f32": self.batch_norm,
            "gather_rows_f32": self.gather_rows, "gather_rows_f16": self.gather_rows,
            "embedding_gradient_f32": self.embedding_gradient, "transpose_f32": self.transpose, "gemm_f32": self.gemm, "gemm_f16": self.gemm, "gemm_half_sums_f16": self.gemm, "long_sums_f32": self.gemm, "long_sums_f16": self.gemm, "gemv_f32": self.gemv,
            "gemv_f16": self.gemv, "replay_host_us_per_kernel": self.launch, "submit_wait_us": self.submit_wait,
            "read_4_bytes_us": self.read_back, "conv2d_f32": self.conv, "conv2d_f16": self.conv,
            "conv2d_chain_f32": self.conv_chain, "conv2d_chain_f16": self.conv_chain,
            "conv2d_chain_channels_last_f32": self.conv_chain, "conv2d_chain_channels_last_f16": self.conv_chain,
            "conv2d_channels_last_f32": self.conv, "conv2d_channels_last_f16": self.conv, "conv_transpose2d_f32": self.conv_transpose,
            "conv2d_depthwise_f32": self.conv, "max_pool2d_f32": self.max_pool, "avg_pool2d_f32": self.avg_pool,
            "attention_f32": self.attention, "attention_f16": self.attention,
            "attention_step_f16": self.attention_step, "attention_decode_f16": self.attention_decode,
            "sort_f32": self.sort, "argsort_f32": self.argsort,
            "sort_i64": self.sort, "sort_rows_f32": self.sort_rows, "topk_f32": self.topk,
            "scatter_add_f32": self.scatter_add, "cumsum_f32": self.cumsum, "cumsum_rows_f32": self.cumsum_rows,
            "cummax_f32": self.cummax,
        }

    def random(self, *shape, dtype):
        return self.torch.rand(shape, device="cuda", dtype=self.torch.float32).mul_(2).sub_(1).to(dtype)

    def dtype(self, result):
        return self.torch.float16 if result["bench"].endswith("f16") else self.torch.float32

    def seconds(self, work):
        """Seconds of one call on the GPU: batches between two events, the median over the batches."""
        torch = self.torch

        def batch(calls):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(calls):
                work()
            end.record()
            end.synchronize()
            return start.elapsed_time(end) * 1e-3

        batch(3)
        probe = batch(3) / 3
        calls = int(min(max(0.04 / max(probe, 1e-7), 1), 2000))
        samples, spent = [], 0.0
        while (spent < 0.3 or len(samples) < 5) and len(samples) < 500:
            spent += (elapsed := batch(calls))
            samples.append(elapsed / calls)
        return statistics.median(samples)

    def over(self, make_inputs, function, copies=1):
        """Seconds of one problem, with `copies` sets of inputs taken in turn."""
        inputs = [make_inputs() for _ in range(copies)]

        def work():
            for arguments in inputs:
                function(*arguments)

        try:
            return self.seconds(work) / copies
        finally:
            inputs.clear()
            self.torch.cuda.empty_cache()

    @staticmethod
    def copies(size, least):
        return int(min(max(-(-least // size), 1), 16))

    def elementwise(self, result, inputs, function):
        n = result["n"]
        seconds = self.over(lambda: [self.random(n, dtype=self.torch.float32) for _ in range(inputs)], function)
        return 4e-9 * n * (inputs + 1) / seconds

    def scale(self, result):
        return self.elementwise(result, 1, lambda a: a * 2.0)

    def chain6_ops(self, a, b):
        return self.torch.relu((a * b + a) * 0.5 - b) + 1.0

    def chain6(self, result):
        return self.elementwise(result, 2, self.chain6_ops)

    def chain6_compiled(self, result):
        return self.elementwise(result, 2, self.torch.compile(self.chain6_ops))

    def full_sum(self, result):
        n = result["n"]
        return 4e-9 * n / self.over(lambda: [self.random(n, dtype=self.torch.float32)], self.torch.sum)

    def rows(self, result, traffic, function, affine=False):
        m, n, dtype = result["M"], result["N"], self.dtype(result)
        size = traffic * m * n * dtype.itemsize

        def inputs():
            return [self.random(m, n, dtype=dtype)] + [self.random(n, dtype=dtype) for _ in range(2 if affine else 0)]

        return size * 1e-9 / self.over(inputs, function, self.copies(size, COPY_BYTES))

    def row_sum(self, result):
        return self.rows(result, 1, lambda x: x.sum(-1))

    def col_sum(self, result):
        return self.rows(result, 1, lambda x: x.sum(0))

    def softmax(self, result):
        return self.rows(result, 2, lambda x: self.torch.softmax(x, -1))

    def layer_norm(self, result):
        layer_norm = self.torch.nn.functional.layer_norm
        return self.rows(result, 2, lambda x, w, b: layer_norm(x, w.shape, w, b), affine=True)

    def rms_norm(self, result):
        rms_norm = self.torch.nn.functional.rms_norm
        return self.rows(result, 2, lambda x, w, b: rms_norm(x, w.shape, w, 1e-5), affine=True)

    def batch_norm(self, result):
        batch_norm = self.torch.nn.functional.batch_norm
        return self.rows(result, 3, lambda x, w, b: batch_norm(x, None, None, w, b, True), affine=True)

    def gather_rows(self, result):
        m, n, dtype = result["M"], result["N"], self.dtype(result)
        size = 2 * m * n * dtype.itemsize
        return size * 1e-9 / self.over(
            lambda: [self.random(m, n, dtype=dtype), self.torch.randint(m, (m,), device="cuda")],
            lambda x, at: x.index_select(0, at), self.copies(size, COPY_BYTES))

    def embedding_gradient(self, result):
        m, n, torch = result["M"], result["N"], self.torch
        return 1e3 * self.over(lambda: [self.random(m, n, dtype=torch.float32), torch.randint(m, (m,), device="cuda")],
                               lambda x, at: torch.ops.aten.embedding_dense_backward(x, at, m, -1, False))

    def transpose(self, result):
        m, n = result["M"], result["N"]
        seconds = self.over(lambda: [self.random(m, n, dtype=self.torch.float32)], lambda x: x.T.contiguous())
        return 8e-9 * m * n / seconds

    def gemm(self, result):
        m, n, k, dtype = result["M"], result["N"], result["K"], self.dtype(result)
        flops = 2 * m * n * k
        a_turned, b_turned = (c == "t" for c in result["layout"])
        shapes = (k, m) if a_turned else (m, k), (n, k) if b_turned else (k, n)
        seconds = self.over(lambda: [self.random(*shape, dtype=dtype) for shape in shapes],
                            lambda a, b: self.torch.matmul(a.T if a_turned else a, b.T if b_turned else b),
                            self.copies(flops, COPY_FLOPS))
        return flops * 1e-12 / seconds

    def gemv(self, result):
        m, n, k, dtype = result["M"], result["N"], result["K"], self.dtype(result)
        size = (m * k + k * n + m * n) * dtype.itemsize
        transposed = result["layout"] == "nt"
        weights = (n, k) if transposed else (k, n)
        seconds = self.over(lambda: [self.random(m, k, dtype=dtype), self.random(*weights, dtype=dtype)],
                            lambda x, w: self.torch.matmul(x, w.T if transposed else w),
                            self.copies(size, COPY_BYTES))
        return size * 1e-9 / seconds

    def sort_input(self, result):
        x = self.random(result["n"], dtype=self.torch.float32)
        return [(x * 1e18).to(self.torch.int64) if result["bench"].endswith("i64") else x]

    def sort(self, result):
        return 1e3 * self.over(lambda: self.sort_input(result), lambda x: self.torch.sort(x, stable=True))

    def argsort(self, result):
        return 1e3 * self.over(lambda: self.sort_input(result), lambda x: self.torch.argsort(x, stable=True))

    def sort_rows(self, result):
        m, n = result["M"], result["N"]
        return 1e3 * self.over(lambda: [self.random(m, n, dtype=self.torch.float32)],
                               lambda x: self.torch.sort(x, stable=True))

    def topk(self, result):
        m, n, k = result["M"], result["N"], result["k"]
        return 1e3 * self.over(lambda: [self.random(m, n, dtype=self.torch.float32)],
                               lambda x: self.torch.topk(x, k))

    def scatter_add(self, result):
        n = result["n"]
        return 1e3 * self.over(lambda: [self.random(n, dtype=self.torch.float32),
                                        self.torch.randint(n, (n,), device="cuda"),
                                        self.random(n, dtype=self.torch.float32)],
                               lambda x, at, v: x.scatter_add(0, at, v))

    def cumsum(self, result):
        n = result["n"]
        return 8e-9 * n / self.over(lambda: [self.random(n, dtype=self.torch.float32)], lambda x: x.cumsum(0))

    def cumsum_rows(self, result):
        return self.rows(result, 2, lambda x: x.cumsum(1))

    def cummax(self, result):
        n = result["n"]
        return 8e-9 * n / self.over(lambda: [self.random(n, dtype=self.torch.float32)], lambda x: x.cummax(0))

    def memory_format(self, result):
        return self.torch.channels_last if "channels_last" in result["bench"] else self.torch.contiguous_format

    def conv(self, result):
        n, c, edge, o, stride, groups = (result[k] for k in ("N", "C", "HW", "O", "stride", "groups"))
        dtype, torch = self.dtype(result), self.torch
        memory = self.memory_format(result)
        out = (edge - 1) // stride + 1
        flops = 2 * n * o * out * out * c // groups * 9
        size = 8 * n * c * edge * edge
        copies = self.copies(size, COPY_BYTES) if groups > 1 else self.copies(flops, COPY_FLOPS)

        def inputs():
            return [self.random(n, c, edge, edge, dtype=dtype).to(memory_format=memory),
                    self.random(o, c // groups, 3, 3, dtype=dtype).to(memory_format=memory)]

        conv2d = torch.nn.functional.conv2d
        with torch.no_grad():
            seconds = self.over(inputs, lambda x, w: conv2d(x, w, None, stride, 1, 1, groups), copies)
        return size * 1e-9 / seconds if groups > 1 else flops * 1e-12 / seconds

    def conv_chain(self, result):
        n, c, edge = (result[k] for k in ("N", "C", "HW"))
        layers, dtype, functional = 16, self.dtype(result), self.torch.nn.functional

        def inputs():
            shapes = [(n, c, edge, edge)] + [(c, c, 3, 3)] * layers
            return [self.random(*s, dtype=dtype).to(memory_format=self.memory_format(result)) for s in shapes]

        def chain(x, *weights):
            for w in weights:
                x = functional.relu(functional.conv2d(x, w, None, 1, 1)) * 0.05
            return x

        with self.torch.no_grad():
            seconds = self.over(inputs, chain, 1)
        return 2 * n * c * edge * edge * c * 9 * layers * 1e-12 / seconds

    def conv_transpose(self, result):
        n, c, edge, o, stride = (result[k] for k in ("N", "C", "HW", "O", "stride"))
        out = (edge - 1) // stride + 1
        flops = 2 * n * o * out * out * c * 9
        dtype, transpose = self.torch.float32, self.torch.nn.functional.conv_transpose2d
        seconds = self.over(lambda: [self.random(n, o, out, out, dtype=dtype), self.random(o, c, 3, 3, dtype=dtype)],
                            lambda x, w: transpose(x, w, None, stride, 1, stride - 1), self.copies(flops, COPY_FLOPS))
        return flops * 1e-12 / seconds

    def pool(self, result, function):
        n, c, edge = (result[k] for k in ("N", "C", "HW"))
        size = 5 * n * c * edge * edge
        seconds = self.over(lambda: [self.random(n, c, edge, edge, dtype=self.torch.float32)], function,
                            self.copies(size, COPY_BYTES))
        return size * 1e-9 / seconds

    def max_pool(self, result):
        return self.pool(result, lambda x: self.torch.nn.functional.max_pool2d(x, 3, 2, 1))

    def avg_pool(self, result):
        return self.pool(result, lambda x: self.torch.nn.functional.avg_pool2d(x, 2))

    def attention(self, result):
        b, h, n, d, dtype = result["B"], result["H"], result["L"], result["D"], self.dtype(result)
        flops = (2 if result["causal"] else 4) * b * h * n * n * d
        function = self.torch.nn.functional.scaled_dot_product_attention
        seconds = self.over(lambda: [self.random(b, h, n, d, dtype=dtype) for _ in range(3)],
                            lambda q, k, v: function(q, k, v, is_causal=result["causal"]),
                            self.copies(flops, COPY_FLOPS))
        return flops * 1e-12 / seconds

    def attention_step(self, result):
        b, h, n, d, dtype = result["B"], result["H"], result["L"], result["D"], self.dtype(result)
        flops = 3.5 * (2 if result["causal"] else 4) * b * h * n * n * d
        function = self.torch.nn.functional.scaled_dot_product_attention

        def step(q, k, v, gradient):
            q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
            self.torch.autograd.grad(function(q, k, v, is_causal=result["causal"]), (q, k, v), gradient)

        seconds = self.over(lambda: [self.random(b, h, n, d, dtype=dtype) for _ in range(4)], step,
                            self.copies(flops, COPY_FLOPS))
        return flops * 1e-12 / seconds

    def attention_decode(self, result):
        b, h, kv, n, d, dtype = *(result[key] for key in ("B", "H", "Hkv", "L", "D")), self.torch.float16
        size = 4 * b * kv * n * d
        function = self.torch.nn.functional.scaled_dot_product_attention
        seconds = self.over(lambda: [self.random(b, h, 1, d, dtype=dtype), self.random(b, kv, n, d, dtype=dtype),
                                     self.random(b, kv, n, d, dtype=dtype)],
                            lambda q, k, v: function(q, k, v, enable_gqa=True), self.copies(size, COPY_BYTES))
        return size * 1e-9 / seconds

    def host_us(self, work, after):
        """Microseconds of `work` on the host, the median of many."""
        samples = []
        for _ in range(205):
            start = time.perf_counter()
            work()
            samples.append((time.perf_counter() - start) * 1e6)
            after()
        return statistics.median(samples[5:])

    def launch(self, result):
        kernels = result.get("kernels", 150)
        x = self.random(16, 16, dtype=self.torch.float32)

        def work():
            y = x
            for _ in range(kernels):
                y = self.torch.matmul(y, x)

        return self.host_us(work, self.torch.cuda.synchronize) / kernels

    def submit_wait(self, _):
        x = self.random(256, dtype=self.torch.float32)

        def work():
            x.mul(2.0)
            self.torch.cuda.synchronize()

        return self.host_us(work, lambda: None)

    def read_back(self, _):
        x = self.random(1, dtype=self.torch.float32)
        return self.host_us(x.item, lambda: None)


def size_of(result, unit):
    """The fields that say what was measured."""
    return {k: v for k, v in result.items() if k not in ("bench", "device", unit) and not isinstance(v, float)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", help="groups or names of benchmarks; all when there are none")
    parser.add_argument("--tessera", help="the tessera binary, or a bundle's go.sh")
    parser.add_argument("--json", help="also writes one JSON object a line to a file; - is standard output")
    parser.add_argument("--compile", action="store_true", help="adds the chain under torch.compile")
    options = parser.parse_args()

    try:
        import torch
    except ImportError:
        sys.exit("compare_torch: PyTorch is not installed.")
    if not torch.cuda.is_available():
        sys.exit("compare_torch: PyTorch sees no CUDA device.")
    results = run_tessera(find_tessera(options.tessera), options.groups)
    runner = Torch(torch)
    out = sys.stderr if options.json == "-" else sys.stdout
    lines = []

    def compare(name, result, measure):
        unit = next((u for u in UNITS if u in result), None)
        if unit is None:
            return
        try:
            theirs = measure(result)
        except Exception as error:  # PyTorch may lack a compiler or memory: the rest still counts
            print(f"{name:<30} PyTorch failed: {str(error).splitlines()[0]}", file=out)
            return
        ours = result[unit]
        ratio = theirs / ours if unit in LOWER_IS_BETTER else ours / theirs
        size = size_of(result, unit)
        text = " ".join(f"{k}={v}" for k, v in size.items())
        print(f"{name:<30} {text:<36} {ours:>10.4g} {theirs:>10.4g} {UNITS[unit]:<8} {ratio:>6.2f}", file=out, flush=True)
        lines.append({"bench": name, **size, "unit": unit, "tessera": ours, "pytorch": theirs, "ratio": ratio})

    print(f"tessera on {results[0].get('device')}, PyTorch {torch.__version__} on {torch.cuda.get_device_name()}", file=out)
    print(f"{'name':<30} {'size':<36} {'tessera':>10} {'pytorch':>10} {'unit':<8} {'ratio':>6}", file=out)
    for result in results:
        name = result["bench"]
        if "error" in result:
            print(f"{name:<30} tessera failed: {result['error']}", file=out)
            lines.append({"bench": name, "error": result["error"]})
        elif name in runner.names:
            compare(name, result, runner.names[name])
        if options.compile and name == "chain6_f32" and "error" not in result:
            compare("chain6_f32 torch.compile", result, runner.chain6_compiled)
    if options.json:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        if options.json == "-":
            sys.stdout.write(text)
        else:
            Path(options.json).write_text(text)


if __name__ == "__main__":
    main()
