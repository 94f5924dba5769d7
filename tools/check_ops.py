#!/usr/bin/env python3
"""Checks that every public function on tensors has a row in docs/ops.md, and that the page is what `tessera ops` prints.

usage: tools/check_ops.py [path of the command `tessera` [path of libtessera.so]]
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ["ops.h", "math.h", "activations.h", "norms.h", "losses.h", "index.h", "sort.h", "conv.h", "attention.h", "linalg.h", "random.h", "quant.h"]
# Made of bytes of the host, as the constructors of Tensor are.
NOT_OPS = {"from_blocks"}
# A declaration at the beginning of a line that gives a tensor, several, or a struct of them.
DECLARATION = re.compile(
    r"^(?:Tensor|std::vector<Tensor>|std::pair<Tensor, Tensor>|Indexed|Unique|BatchNorm|\w+Result|bool) (\w+)\(", re.M
)
NAMESPACE = re.compile(r"^namespace (\w+) \{|^\}  // namespace (\w+)", re.M)


def declared():
    """Qualified names of the functions, with the header of each."""
    names = {}
    for header in HEADERS:
        text = (ROOT / "include/tessera" / header).read_text()
        inner, marks = "", []
        for match in NAMESPACE.finditer(text):
            if match.group(1):
                inner = match.group(1) + "::"
            elif match.group(2) + "::" == inner:
                inner = ""
            marks.append((match.start(), inner))
        for match in DECLARATION.finditer(text):
            if match.group(1) in NOT_OPS:
                continue
            prefix = ""
            for at, name in marks:
                if at < match.start():
                    prefix = name
            names[prefix + match.group(1)] = header
    return names


def main():
    page = (ROOT / "docs/ops.md").read_text()
    listed = set(re.findall(r"^\| `([^`]+)` \|", page, re.M))
    problems = [
        f"{name} of include/tessera/{header} has no row in the catalog (next to its definition in src/api/ops)."
        for name, header in sorted(declared().items())
        if name not in listed
    ]
    known = set(declared()) | {"cast"}
    problems += [f"{name} is in docs/ops.md, but no header declares it." for name in sorted(listed - known)]
    on_cpu = len(re.findall(r"\| CPU \|", page))
    if on_cpu > 25:
        problems.append(f"{on_cpu} ops run on the CPU only; at most 25 should.")
    if len(sys.argv) > 1:
        printed = subprocess.run([sys.argv[1], "ops"], capture_output=True, text=True, check=True).stdout
        if printed != page:
            problems.append("docs/ops.md is not what `tessera ops` prints: run `tessera ops > docs/ops.md`.")
    if len(sys.argv) > 2:
        symbols = subprocess.run(["nm", "-DC", "--defined-only", sys.argv[2]], capture_output=True, text=True, check=True)
        exported = set(re.findall(r" T tessera::([\w:]+)\(", symbols.stdout))
        problems += [f"libtessera.so does not export {name}." for name in sorted(declared()) if name not in exported]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
