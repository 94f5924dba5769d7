#!/usr/bin/env python3
"""Writes the members of Tensor, include/tessera/members.h and members/: every op of the public headers that takes a tensor first.

usage: tools/members.py [--check]

--check writes nothing, and fails if a file is not what the headers give, or if an op of docs/ops.md has no member without being
in one of the two groups below.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings"))
from headers import HEADERS, RETURNS, Headers, bound_functions, catalog, fail  # noqa: E402

INCLUDE = ROOT / "include/tessera"
# Ops of a namespace (linalg, random) stay in it; these take no tensor first.
WITHOUT_TENSOR = {"alibi", "arange", "concat", "einsum", "empty", "eye", "full", "linspace", "meshgrid", "ones", "stack", "zeros"}
# Tensor declares them itself (include/tessera/tensor.h).
BY_HAND = {"reshape"}
# Overloads for convenience, which bindings do without.
INLINE = re.compile(rf"^inline ({RETURNS}) (\w+)\((const Tensor& [^;{{]*?)\) \{{", re.M | re.S)


class Declared(Headers):
    """The declarations with the header that each is in, and the types that they name."""

    def __init__(self):
        super().__init__()
        texts = {h: re.sub(r"//.*", "", (INCLUDE / h).read_text()) for h in self.files}
        self.types, self.aliases = {}, {}
        for text in texts.values():
            for kind, name in re.findall(r"^(struct|class|enum class) (\w+)(?= (?:\{|:))", text, re.M):
                self.types[name] = f"{kind} {name};" if kind != "enum class" else f"enum class {name} : std::uint8_t;"
            self.aliases |= dict(re.findall(r"^using (\w+) = (.+);", text, re.M))
        flat = {h: " ".join(text.split()) for h, text in texts.items()}
        for function in self.functions:
            text = f" {function['name'].split('::')[-1]}({', '.join(p['declared'] for p in function['params'])});"
            found = [h for h in flat if text in flat[h]]
            function["header"] = found[0] if len(found) == 1 else fail(f"{len(found)} headers declare{text}")
        self.inline = [{**self.function(m[2], m[1], m[3]), "header": h} for h in texts for m in INLINE.finditer(texts[h])]

    def parameter(self, where, text):
        return {**super().parameter(where, text), "declared": text}


def members(headers):
    ops = catalog()
    functions = [f for f in bound_functions(headers, ops) if "::" not in f["name"]]
    found = [f for f in functions if f["params"][0]["cpp"] == "Tensor" and f["name"] not in BY_HAND]
    missing = {name for name in ops if "::" not in name} - {f["name"] for f in found} - BY_HAND - WITHOUT_TENSOR
    if missing:
        fail(f"{', '.join(sorted(missing))} would have no member; add ops that take no tensor first to WITHOUT_TENSOR.")
    return sorted(found + headers.inline, key=lambda f: f["name"])


def declaration(function, default):
    params = [p["declared"] if default else p["declared"].partition(" = ")[0] for p in function["params"][1:]]
    return function["struct"], f"{function['name']}({', '.join(params)}) const"


def class_text(headers, functions):
    rows, used = [], set()
    for f in functions:
        returns, text = declaration(f, False)
        rows.append(f"  [[nodiscard]] {returns} {text};")
        used |= set(re.findall(r"\b[A-Z]\w+", returns + " " + text))
    for alias in used & set(headers.aliases):
        used |= set(re.findall(r"\b[A-Z]\w+", headers.aliases[alias]))
    forward = [headers.types[name] for name in sorted(used & set(headers.types))]
    aliases = [f"using {name} = {headers.aliases[name]};" for name in sorted(used & set(headers.aliases))]
    return "\n".join([
        "// Written by tools/members.py: the ops that take a tensor first, as members of Tensor.", "#pragma once", "",
        "#include <cstdint>", "#include <initializer_list>", "#include <optional>", "#include <utility>", "#include <variant>", "#include <vector>", "",
        '#include "tessera/dtype.h"', '#include "tessera/export.h"', '#include "tessera/shape.h"', "",
        "namespace TESSERA_API tessera {", "", "class Tensor;", *forward, *aliases, "", "namespace detail {", "",
        "/// x.sum({0}) is sum(x, {0}). The header that declares an op defines its member, with the op's default arguments.",
        "class Members {", " public:", *rows, "", " protected:", "  Members() = default;", "", " private:",
        "  [[nodiscard]] const Tensor& self() const;", "};", "", "}  // namespace detail", "}  // namespace tessera", ""])


def definitions_text(header, functions):
    rows = []
    for f in functions:
        returns, text = declaration(f, True)
        names = ["self()"] + [p["name"] for p in f["params"][1:]]
        rows.append(f"inline {returns} Members::{text} {{ return tessera::{f['name']}({', '.join(names)}); }}")
    return "\n".join([
        f"// Written by tools/members.py: the members of Tensor that are ops of tessera/{header}, which includes this at its end.",
        "#pragma once", "", "namespace TESSERA_API tessera {", "namespace detail {", "", *rows, "",
        "}  // namespace detail", "}  // namespace tessera", ""])


def main():
    headers = Declared()
    functions = members(headers)
    texts = {INCLUDE / "members.h": class_text(headers, functions)}
    for header in headers.files:
        own = [f for f in functions if f["header"] == header]
        if own:
            texts[INCLUDE / "members" / header] = definitions_text(header, own)
    formatter = shutil.which("clang-format-19")
    if formatter is None:
        if "--check" in sys.argv:
            print("skipped: clang-format-19 is not installed")
            return 77
        fail("clang-format-19 is not installed.")
    problems = []
    for path, text in texts.items():
        text = subprocess.run([formatter, "--style=file", f"--assume-filename={path}"], input=text, text=True, capture_output=True,
                              check=True).stdout
        if path.exists() and path.read_text() == text:
            continue
        if "--check" in sys.argv:
            problems.append(f"{path.relative_to(ROOT)} is not what the headers give: run tools/members.py.")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    for path in sorted((INCLUDE / "members").glob("*")):
        if path not in texts:
            problems.append(f"{path.relative_to(ROOT)} has no ops any more: delete it.")
        elif f'#include "tessera/members/{path.name}"' not in (INCLUDE / path.name).read_text():
            problems.append(f"include/tessera/{path.name} does not include tessera/members/{path.name} at its end.")
    for problem in problems:
        print(problem)
    print(f"{len(functions)} members, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
