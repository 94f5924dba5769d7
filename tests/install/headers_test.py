#!/usr/bin/env python3
"""Checks that each public header compiles by itself and exports what it declares: headers_test.py COMPILER."""

import concurrent.futures
import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"
# As users with the strictest habits compile; hidden visibility shows types that are less visible than their users.
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Winvalid-pch", "-Werror", "-fvisibility=hidden", f"-I{INCLUDE}"]
# Compiled once, for the headers that include it themselves: what they see of it is the same, and it is most of their time.
SHARED = INCLUDE / "tessera/tensor.h"


@functools.cache
def included(header):
    """The public headers that a header includes, directly or not."""
    found = set()
    for name in re.findall(r'^#include "(.*)"', header.read_text(encoding="utf-8"), re.MULTILINE):
        # The members of Tensor, at the end of headers, include those headers again.
        if name.startswith("tessera/members/") or not (INCLUDE / name).exists():
            continue
        found |= {INCLUDE / name} | included(INCLUDE / name)
    return found


def problems_of(compiler, shared, header):
    """What is wrong with a header, as lines of text."""
    text = header.read_text(encoding="utf-8")
    problems = []
    for namespace in re.findall(r"^namespace .*tessera.*\{", text, re.MULTILINE):
        if namespace != "namespace TESSERA_API tessera {":
            problems.append(f"'{namespace}' must be 'namespace TESSERA_API tessera {{', or nothing in it is exported")
    source = f'#include "{header.relative_to(INCLUDE)}"\n' * 2
    before = ["-include", shared] if SHARED in included(header) else []
    run = subprocess.run([compiler, *FLAGS, *before, "-fsyntax-only", "-x", "c++", "-"], input=source, text=True,
                         capture_output=True, check=False)
    if run.returncode != 0:
        problems.append(f"does not compile by itself:\n{run.stderr}")
    for name in re.findall(r'#\s*include\s*([<"].*[>"])', text):
        if not re.fullmatch(r'<[a-z0-9_]+>|"tessera/(?:members/|nn/|optim/|llm/|data/|train/)?[a-z0-9_]+\.h"', name):
            problems.append(f"includes {name}; public headers use the standard library's and tessera/ only")
    return problems


def main():
    # Those of members/ are the ends of other headers.
    headers = [h for h in sorted((INCLUDE / "tessera").rglob("*.h")) if h.parent.name != "members"]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        shared = Path(folder) / "shared.h"
        shared.write_text(f'#include "{SHARED.relative_to(INCLUDE)}"\n', encoding="utf-8")
        subprocess.run([sys.argv[1], *FLAGS, "-x", "c++-header", shared, "-o", f"{shared}.gch"], check=False)
        results = list(pool.map(lambda h: problems_of(sys.argv[1], shared, h), headers))
    for header, problems in zip(headers, results):
        for problem in problems:
            print(f"{header.relative_to(INCLUDE)}: {problem}")
    print(f"{len(headers)} headers, {sum(map(len, results))} problems")
    return 1 if any(results) or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
