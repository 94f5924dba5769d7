#!/usr/bin/env python3
"""Checks that each public header compiles by itself and exports what it declares: headers_test.py COMPILER."""

import concurrent.futures
import re
import subprocess
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"


def problems_of(compiler, header):
    """What is wrong with a header, as lines of text."""
    text = header.read_text(encoding="utf-8")
    problems = []
    for namespace in re.findall(r"^namespace .*tessera.*\{", text, re.MULTILINE):
        if namespace != "namespace TESSERA_API tessera {":
            problems.append(f"'{namespace}' must be 'namespace TESSERA_API tessera {{', or nothing in it is exported")
    # As users with the strictest habits compile; hidden visibility shows types that are less visible than their users.
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fvisibility=hidden", f"-I{INCLUDE}"]
    source = f'#include "{header.relative_to(INCLUDE)}"\n' * 2
    run = subprocess.run([compiler, *flags, "-fsyntax-only", "-x", "c++", "-"], input=source, text=True,
                         capture_output=True, check=False)
    if run.returncode != 0:
        problems.append(f"does not compile by itself:\n{run.stderr}")
    for name in re.findall(r'#\s*include\s*([<"].*[>"])', text):
        if not re.fullmatch(r'<[a-z0-9_]+>|"tessera/(?:members/|nn/|optim/|llm/)?[a-z0-9_]+\.h"', name):
            problems.append(f"includes {name}; public headers use the standard library's and tessera/ only")
    return problems


def main():
    # Those of members/ are the ends of other headers.
    headers = [h for h in sorted((INCLUDE / "tessera").rglob("*.h")) if h.parent.name != "members"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda h: problems_of(sys.argv[1], h), headers))
    for header, problems in zip(headers, results):
        for problem in problems:
            print(f"{header.relative_to(INCLUDE)}: {problem}")
    print(f"{len(headers)} headers, {sum(map(len, results))} problems")
    return 1 if any(results) or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
