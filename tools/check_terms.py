#!/usr/bin/env python3
"""Checks that code and docs use the field's terms: reports the retired terms of tools/terms.txt in src/, include/, docs/, bindings/ and apps/.

usage: tools/check_terms.py [--count | --self-test]
"""

import re
import sys
import tempfile
from pathlib import Path

TREES = ["src", "include", "docs", "bindings", "apps"]
FILES = ["README.md", "CONTRIBUTING.md"]
SUFFIXES = {".h", ".cpp", ".md", ".py", ".pyi", ".js", ".mjs", ".ts", ".html", ".txt", ".wgsl"}
SKIPPED = {"node_modules", "package-lock.json"}
# A blank of a pattern also matches the end of a line with the comment marks or quotes around it.
GAP = r"(?:[ \t]+|[ \t\"]*\n[ \t]*(?:/{2,3}|\*|#|\")?[ \t]*)"


class Term:
    def __init__(self, pattern, instead, most):
        self.pattern, self.instead, self.most = pattern, instead, most
        self.regex = compiled(pattern)


def compiled(pattern):
    return re.compile(pattern.replace(" ", GAP), re.IGNORECASE)


def read_terms(text):
    """The terms and the allowed phrases; raises ValueError for a line that is neither."""
    terms, allowed = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if line.startswith("allow:"):
                allowed.append(compiled(line.removeprefix("allow:").strip()))
                continue
            pattern, instead, *rest = [field for field in line.split("\t") if field]
            if len(rest) > 1:
                raise ValueError("more than three fields")
            terms.append(Term(pattern, instead, int(rest[0]) if rest else 0))
        except (ValueError, re.error) as error:
            raise ValueError(f"terms.txt:{number}: {error}: expected PATTERN <tab> SAY INSTEAD [<tab> MAX HITS], or allow: PATTERN") from None
    return terms, allowed


def sources(root):
    for tree in TREES:
        for path in sorted((root / tree).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and not SKIPPED & set(path.parts):
                yield path
    for name in FILES:
        if (root / name).is_file():
            yield root / name


def check(root, terms, allowed):
    """Lines "file:line: term → say instead" by term."""
    hits = {term.pattern: [] for term in terms}
    for path in sources(root):
        text = path.read_text(encoding="utf-8")
        for phrase in allowed:
            text = phrase.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        for term in terms:
            for match in term.regex.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                found = " ".join(match[0].split())
                hits[term.pattern].append(f"{path.relative_to(root)}:{line}: {found} → {term.instead}")
    return hits


def problems_of(hits, terms):
    problems = []
    for term in terms:
        found = hits[term.pattern]
        if len(found) > term.most:
            problems += found
            if term.most:
                problems.append(f"{term.pattern}: {len(found)} hits, at most {term.most} are allowed")
    return problems


def self_test():
    """Feeds the checker good and bad trees."""
    rules = "# a comment\nmatrix units?\ttensor cores\n\\bproducts?\\b\tmatmul\t1\nallow: dot products?\n"
    cases = [
        # (files, what the only problem must contain, or None)
        ({"src/a.cpp": "// tensor cores\n"}, None),
        ({"src/a.cpp": "// a dot product\n// a product\n"}, None),
        ({"src/a.cpp": "\n// on Matrix units\n"}, "src/a.cpp:2: Matrix units → tensor cores"),
        ({"docs/a.md": "on matrix\nunits\n"}, "docs/a.md:1: matrix units → tensor cores"),
        ({"include/tessera/a.h": "/// on matrix\n/// units\n"}, "include/tessera/a.h:1: matrix // units → tensor cores"),
        ({"README.md": "matrix unit\n"}, "README.md:1: matrix unit → tensor cores"),
        ({"bindings/web/node_modules/a.js": "// matrix unit\n"}, None),
        ({"tests/a.cpp": "// matrix unit\n"}, None),
        ({"src/a.png": "matrix unit\n"}, None),
        ({"src/a.cpp": "// dot\n// product of products\n"}, None),
    ]
    failed = 0

    def expect(good, what):
        nonlocal failed
        if not good:
            failed += 1
            print(f"self-test failed: {what}")

    terms, allowed = read_terms(rules)
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            problems = problems_of(check(Path(root), terms, allowed), terms)
            good = not problems if expected is None else len(problems) == 1 and expected.replace(" // ", " ") in problems[0].replace(" /// ", " ")
            expect(good, f"{files}\n  expected: {expected}\n  got: {problems}")
    with tempfile.TemporaryDirectory() as root:
        Path(root, "docs").mkdir()
        Path(root, "docs/a.md").write_text("products of a product\n", encoding="utf-8")
        problems = problems_of(check(Path(root), terms, allowed), terms)
        expect(len(problems) == 3 and "2 hits, at most 1" in problems[-1], f"a budget: {problems}")
    for bad in ["only a pattern\n", "(\tunbalanced\n", "a\tb\tnot a number\n", "allow: (\n"]:
        try:
            read_terms(bad)
            expect(False, f"{bad!r} was accepted")
        except ValueError as error:
            expect("terms.txt:1" in str(error), str(error))
    # The real list: ordinary English passes, each retired term is found.
    real, allowed = read_terms((Path(__file__).resolve().parent / "terms.txt").read_text(encoding="utf-8"))
    fine = [
        "UTF-8 is decoded here", "decode a token", "flash decode", "decoding base64", "a dot product", "the Cartesian product", "in production",
        "the product of all elements", "cumulative products", "two columns side by side in the table", "a recent version", "the sum is cut off",
        "it turned out", "the last two axes are transposed", "bring your own data", "the way to the server", "the matrix of units",
        "itertools.product(a, b)", "outer products", "one piece of the file",
    ]
    with tempfile.TemporaryDirectory() as root:
        Path(root, "docs").mkdir()
        Path(root, "docs/a.md").write_text("\n\n".join(fine), encoding="utf-8")
        found = [line for lines in check(Path(root), real, allowed).values() for line in lines]
        expect(not found, f"ordinary English: {found}")
    total = len(cases) + 6
    print(f"self-test: {total - failed} of {total} cases passed")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(__file__).resolve().parent.parent
    terms, allowed = read_terms((root / "tools/terms.txt").read_text(encoding="utf-8"))
    hits = check(root, terms, allowed)
    if sys.argv[1:] == ["--count"]:
        for term in terms:
            print(f"{len(hits[term.pattern]):5} of at most {term.most:3}  {term.pattern}")
        return 0
    problems = problems_of(hits, terms)
    for problem in problems:
        print(problem)
    print(f"terms: {len(problems)} retired terms" if problems else "terms: all in the field's terms")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
