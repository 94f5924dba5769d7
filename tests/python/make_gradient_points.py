"""Writes gradient_points.json: PyTorch's values, gradients and second gradients at the points of gradient_points.py.

    python make_gradient_points.py [file]

Numbers are those of float64. Where PyTorch's float32 differs by more than its precision, as where a step overflows, its numbers are
there too: "32" holds [order, operand, element, number]. Rows that fail are listed with the error instead of numbers.
"""

import json
import pathlib
import sys
import warnings

import numpy as np
import torch

from gradient_points import NO_COUNTERPART, ROWS, weights

HERE = pathlib.Path(__file__).resolve().parent


def namespace(dtype, tensors):
    names = {"X": torch, "torch": torch, "F": torch.nn.functional, "T": lambda v: torch.tensor(v, dtype=dtype),
             "I": lambda v: torch.tensor(v, dtype=torch.int64), "B": lambda v: torch.tensor(v, dtype=torch.bool)}
    return names | dict(zip("xyz", tensors))


def derivatives(y, tensors, order, dtype):
    """The gradients of sum(y * weights), for each of several y, with respect to the tensors; zeros where y does not depend on one."""
    ys = [v for v in y if v.requires_grad]
    if not ys:
        return [torch.zeros_like(t) for t in tensors]
    seeds = [torch.tensor(weights(tuple(v.shape), order), dtype=dtype) for v in ys]
    found = torch.autograd.grad(ys, tensors, seeds, create_graph=order == 1, allow_unused=True)
    return [torch.zeros_like(t) if g is None else g for g, t in zip(found, tensors)]


def run(case, dtype):
    """[[value], [gradient of each operand], [second gradient of each]]; the last is missing where PyTorch has none."""
    tensors = [torch.tensor(a, dtype=dtype, requires_grad=True) for a in case.inputs]
    y = eval(case.theirs, namespace(dtype, tensors))  # noqa: S307
    first = derivatives([y], tensors, 1, dtype)
    orders = [[y], first]
    error = None
    try:
        orders.append(derivatives(first, tensors, 2, dtype))
    except (RuntimeError, NotImplementedError) as e:
        error = str(e).splitlines()[0]
    return [[t.detach().to(torch.float64).numpy(force=True) for t in order] for order in orders], error


def number(v):
    v = float(f"{v:.15g}")
    return int(v) if v == int(v if np.isfinite(v) else 0) and abs(v) < 1e15 and not (v == 0 and np.signbit(v)) else v


def numbers(case):
    result = {"key": case.key()}
    try:
        wide, error = run(case, torch.float64)
    except Exception as e:  # noqa: BLE001
        return result | {"error": f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"}
    result["shape"] = list(wide[0][0].shape)
    result["numbers"] = [[[number(v) for v in a.ravel()] for a in order] for order in wide]
    if error:
        result["no second"] = error
    try:
        narrow, _ = run(case, torch.float32)
        other = []
        for o, (a, b) in enumerate(zip(narrow, wide)):
            for k, (p, q) in enumerate(zip(a, b)):
                for i, (u, v) in enumerate(zip(p.ravel(), q.ravel())):
                    with np.errstate(all="ignore"):
                        if not np.isclose(u, float(np.float32(v)), rtol=1e-4, atol=1e-6, equal_nan=True):
                            other.append([o, k, i, number(u)])
        if other:
            result["32"] = other
    except Exception as e:  # noqa: BLE001
        print("  in float32:", case.theirs, e)
    return result


def main():
    warnings.simplefilter("ignore")
    torch.backends.cuda.enable_flash_sdp(False)  # on the CPU, too: the formula has second gradients
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gradient_points.json"
    rows = {op: [numbers(c) for c in cases] for op, cases in ROWS.items()}
    made = {"torch": torch.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}
    lines = [f" {json.dumps(op)}: [\n" + ",\n".join("  " + json.dumps(c, separators=(",", ":")) for c in cases) + "]" for op, cases in rows.items()]
    target.write_text('{"made with": ' + json.dumps(made) + ',\n"rows": {\n' + ",\n".join(lines) + "}}\n")
    cases = [(op, i, c) for op, list_ in rows.items() for i, c in enumerate(list_)]
    print(f"{len(rows)} ops, {len(cases)} cases, {target.stat().st_size} bytes; no counterpart: {', '.join(NO_COUNTERPART)}")
    for op, i, c in cases:
        if "error" in c:
            print(f"FAILED {op}[{i}] {ROWS[op][i].theirs}: {c['error']}")
        if "no second" in c:
            print(f"no second {op}[{i}] {ROWS[op][i].theirs}: {c['no second']}")


if __name__ == "__main__":
    main()
