"""Writes functional_points.json: what PyTorch gives for the calls of functional_points.py.

    python make_functional_points.py [file]

A result is [dtype, shape, numbers] for each tensor, or the text of the error.
"""

import json
import pathlib
import sys
import warnings

import numpy as np
import torch

from functional_points import CALLS, numbers, parts

NAMES = {"F": torch.nn.functional, "inf": float("inf"), "nan": float("nan"), "f16": torch.float16, "f32": torch.float32,
         "D": lambda *shape, seed=0: torch.tensor(numbers(*shape, seed=seed), dtype=torch.float32), "P": lambda *shape, seed=0: torch.tensor(parts(*shape, seed=seed), dtype=torch.float32),
         "T": lambda v: torch.tensor(v, dtype=torch.float32), "H": lambda v: torch.tensor(v, dtype=torch.float16), "I": lambda v: torch.tensor(v, dtype=torch.int64),
         "U": lambda v: torch.tensor(v, dtype=torch.uint8), "B": lambda v: torch.tensor(v, dtype=torch.bool)}


def number(v):
    v = float(f"{v:.9g}")
    return int(v) if np.isfinite(v) and v == int(v) and abs(v) < 1e9 and not (v == 0 and np.signbit(v)) else v


def result(call):
    try:
        out = eval(call, dict(NAMES))  # noqa: S307
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:160]
    tensors = out if isinstance(out, tuple) else (out,)
    return [[str(t.dtype).removeprefix("torch."), list(t.shape), [number(v) for v in t.detach().to(torch.float64).ravel().tolist()]] for t in tensors]


def main():
    warnings.simplefilter("ignore")
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent / "functional_points.json"
    made = {"torch": torch.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}
    rows = {call: result(call) for call in CALLS}
    lines = [f"{json.dumps(call)}: {json.dumps(rows[call], separators=(',', ':'))}" for call in rows]
    target.write_text('{"made with": ' + json.dumps(made) + ',\n"calls": {\n' + ",\n".join(lines) + "}}\n")
    failed = [(call, r) for call, r in rows.items() if isinstance(r, str)]
    print(f"{len(rows)} calls, of which PyTorch refuses {len(failed)}; {target.stat().st_size} bytes")
    for call, r in failed:
        print(f"  {call}: {r}")


if __name__ == "__main__":
    main()
