#!/usr/bin/env python3
"""Checks that #include lines follow the arrows between the folders: src/, include/, apps/, bindings/, examples/."""

import re
import sys
import tempfile
from pathlib import Path

# Folder of src/ -> the folders right below it; a folder may include everything further down too.
BELOW = {
    "base": [],
    "kernels": [],
    "graph": ["base"],
    "ops": ["graph"],
    "autograd": ["ops"],
    "schedule": ["ops"],
    "codegen": ["schedule", "kernels"],
    "runtime": ["codegen"],
    "api": ["runtime", "autograd"],
    # These stand on the public API alone; io and text also on base/os, for files and libraries.
    "io": ["base"],
    "text": ["base"],
    "nn": [],
    "optim": ["nn"],
    "llm": ["nn", "io", "text"],
    "data": ["io"],
    "train": ["nn", "optim", "io", "data"],
}
# Public headers that folders below api/ may include, with the lowest folder that may; all others need api/ or above.
PUBLIC_LEVEL = {
    "dtype.h": "base",
    "shape.h": "base",
    "error.h": "base",
    "device_info.h": "base",
    "raw_bytes.h": "base",
    "export.h": "base",
}
ABOVE_API = {"api", "io", "text", "nn", "optim", "llm", "data", "train", "apps", "bindings", "examples"}
# Headers of operating systems: POSIX, Linux, macOS, Windows.
SYSTEM = (
    r"((sys|arpa|linux|mach|mach-o|net|netinet)/.*|(dirent|dlfcn|fcntl|glob|grp|poll|pthread|pwd|sched|semaphore|signal|spawn|"
    r"strings|syslog|termios|unistd|utime|direct|fileapi|handleapi|io|libloaderapi|memoryapi|process|processthreadsapi|"
    r"windows|Windows|winsock2)\.h|csignal)"
)
# Headers of packages and of the system -> where they may appear (a path below the root; "src" means all of it).
EXTERNAL = [
    (r"(webgpu/)?(webgpu|wgpu|tessera_wgpu)\.h", ["src/runtime/webgpu", "providers"]),
    (r"tessera_text\.h", ["src/text", "providers"]),
    (r"tessera_image\.h", ["src/data", "providers"]),
    (r"tessera_mpi\.h", ["src/api/distributed", "providers"]),
    (r"mpi\.h", ["providers/mpi"]),
    (r"fmt/.*", ["src", "apps"]),
    (r"hwy/.*", ["src/base", "src/ops", "src/runtime"]),
    (r"(oneapi/dnnl/)?dnnl.*\.hp?p?", ["src/runtime/cpu"]),
    (r"Eigen/.*", ["src/ops/linalg/decompose"]),
    (r"nlohmann/.*", ["src/runtime", "src/api", "src/io", "src/llm", "src/text", "src/train", "apps", "bindings"]),
    (r"CLI/.*", ["apps"]),
    (r"(nanobind|emscripten)/.*", ["bindings"]),
    # Systems differ in base/os alone. The command line sees only public headers, and asks the terminal by itself.
    (r"(unistd\.h|csignal)", ["src/base/os", "apps/terminal.cpp"]),
    (SYSTEM, ["src/base/os"]),
    (r"(immintrin|arm_neon|cxxabi|execinfo)\.h", ["src/base", "src/runtime"]),
]
# Folders that say what is computed and how it is split, but leave the WGSL to codegen/ and kernels/; except: expressions
# of the elementwise table.
WITHOUT_WGSL = ["src/graph", "src/ops", "src/autograd", "src/schedule"]
MAY_HAVE_WGSL = ["src/ops/elementwise/elementwise.cpp"]
WGSL = re.compile(r"@compute|@group\(|@builtin\(|var<(storage|workgroup|private|uniform)|-> ?vec[234]<|\bfn \w+\(|bitcast<(u32|i32|f32)>")
STANDARD = re.compile(r"[a-z0-9_]+")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TREES = ["src", "include", "apps", "bindings", "examples"]


def closure(folder):
    """The folder and everything below it."""
    seen, todo = set(), [folder]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += BELOW[name]
    return seen


class Checker:
    def __init__(self, root):
        self.root = Path(root)
        self.problems = []
        self.edges = {}  # file -> [(line, included file)], for the search for cycles

    def run(self):
        for tree in TREES:
            for path in sorted((self.root / tree).rglob("*")):
                if path.suffix in (".h", ".cpp") and "node_modules" not in path.parts:
                    self.check_file(path.relative_to(self.root))
        self.find_cycles()
        return self.problems

    def report(self, path, line, text):
        self.problems.append(f"{path}:{line}: {text}")

    def check_file(self, path):
        lines = (self.root / path).read_text(encoding="utf-8").splitlines()
        wgsl = any(path.is_relative_to(p) for p in WITHOUT_WGSL) and str(path) not in MAY_HAVE_WGSL
        for number, text in enumerate(lines, 1):
            if wgsl and not text.lstrip().startswith("//") and WGSL.search(text):
                self.report(path, number, "WGSL belongs to codegen/ and kernels/")
            match = INCLUDE.match(text)
            if match:
                problem = self.check_include(path, number, match[1] == "<", match[2])
                if problem:
                    self.report(path, number, problem)

    def resolve(self, path, name):
        """The file of ours that an include means, or None."""
        for base in ("include", "src", "apps", path.parent):
            if (self.root / base / name).is_file():
                return (self.root / base / name).resolve().relative_to(self.root.resolve())
        return None

    def check_include(self, path, line, angled, name):
        target = self.resolve(path, name)
        if target:
            self.edges.setdefault(path, []).append((line, target))
        if name.startswith("tessera/"):
            return self.check_public(path, name.removeprefix("tessera/"))
        if target and not angled:
            return self.check_ours(path, target)
        return self.check_external(path, name)

    def check_public(self, path, header):
        level = PUBLIC_LEVEL.get(header, "api")
        folder = path.parts[1] if path.parts[0] == "src" else path.parts[0]
        if path.parts[0] == "include":
            folder = PUBLIC_LEVEL.get("/".join(path.parts[2:]), "api")
        if folder in ABOVE_API or level in closure(folder):
            return None
        return f"{folder}/ may not include the public header tessera/{header}, which belongs to {level}/"

    def check_ours(self, path, target):
        if path.parts[0] != "src":
            if target.parts[0] == path.parts[0] != "include":
                return None
            return f"{path.parts[0]}/ sees only the public headers, as \"tessera/...\", not {target}"
        if target.parts[0] != "src":
            return f"src/ may not include {target}; public headers are included as \"tessera/...\""
        source, folder = path.parts[1], target.parts[1]
        if source not in BELOW:
            return f"src/{source}/ has no place in the table of tools/check_layers.py"
        if folder in closure(source):
            return None
        return f"{source}/ may not include {folder}/ ({'/'.join(target.parts[1:])})"

    def check_external(self, path, name):
        if STANDARD.fullmatch(name) and not re.fullmatch(SYSTEM, name):
            return None
        if path.parts[0] in ("include", "examples"):
            return f"{path.parts[0]}/ uses standard headers and tessera/ only, not {name}"
        for pattern, places in EXTERNAL:
            if re.fullmatch(pattern, name):
                if any(path.is_relative_to(place) for place in places):
                    return None
                return f"{name} may be included only in {', '.join(places)}"
        return f"{name} is neither a file of ours nor in the table of packages in tools/check_layers.py"

    def find_cycles(self):
        done, stack = set(), []

        def visit(path):
            stack.append(path)
            for line, target in self.edges.get(path, []):
                if target in stack:
                    if target != path:  # a file may include itself once per SIMD target
                        ring = [str(p) for p in stack[stack.index(target) :] + [target]]
                        self.report(path, line, "include cycle: " + " -> ".join(ring))
                elif target not in done:
                    visit(target)
            done.add(stack.pop())

        for path in list(self.edges):
            if path not in done:
                visit(path)


def self_test():
    """Feeds the checker good and bad trees."""
    cases = [
        # (files, what the one problem must contain, or None)
        ({"src/base/a.cpp": "#include <vector>\n#include <fmt/format.h>\n"}, None),
        ({"src/graph/a.h": '#include "base/b.h"\n#include "tessera/shape.h"\n', "src/base/b.h": ""}, None),
        ({"src/runtime/webgpu/a.cpp": "#include <webgpu.h>\n"}, None),
        ({"src/api/a.cpp": '#include "tessera/tensor.h"\n#include "base/b.h"\n', "src/base/b.h": ""}, None),
        ({"src/base/a.cpp": '\n#include "graph/b.h"\n', "src/graph/b.h": ""}, "src/base/a.cpp:2: base/ may not include"),
        ({"src/base/a.cpp": '#include "../graph/b.h"\n', "src/graph/b.h": ""}, "src/base/a.cpp:1: base/ may not include"),
        ({"src/graph/a.cpp": '#include "tessera/tensor.h"\n'}, "public header tessera/tensor.h"),
        ({"src/schedule/a.cpp": '#include "tessera/config.h"\n'}, "public header tessera/config.h"),
        ({"src/runtime/a.cpp": "#include <webgpu.h>\n"}, "may be included only in"),
        ({"src/base/os/a.cpp": "#include <fcntl.h>\n#include <sys/mman.h>\n#include <unistd.h>\n"}, None),
        ({"src/base/a.cpp": "#include <dlfcn.h>\n"}, "dlfcn.h may be included only in src/base/os"),
        ({"src/base/oscillator/a.cpp": "#include <sched.h>\n"}, "sched.h may be included only in src/base/os"),
        ({"src/runtime/a.cpp": "#include <sys/file.h>\n"}, "sys/file.h may be included only in src/base/os"),
        ({"src/api/a.cpp": "#include <csignal>\n"}, "csignal may be included only in src/base/os, apps/terminal.cpp"),
        ({"src/io/a.cpp": "#include <windows.h>\n"}, "windows.h may be included only in src/base/os"),
        ({"include/tessera/a.h": "#include <unistd.h>\n"}, "standard headers and tessera/ only"),
        ({"apps/terminal.cpp": "#include <unistd.h>\n"}, None),
        ({"apps/a.cpp": "#include <unistd.h>\n"}, "unistd.h may be included only in src/base/os, apps/terminal.cpp"),
        ({"src/io/a.cpp": '#include "base/b.h"\n#include "tessera/host.h"\n', "src/base/b.h": ""}, None),
        ({"src/io/a.cpp": '#include "graph/b.h"\n', "src/graph/b.h": ""}, "io/ may not include graph/"),
        ({"src/text/a.cpp": '#include <tessera_text.h>\n#include "base/b.h"\n#include "tessera/text.h"\n', "src/base/b.h": ""}, None),
        ({"src/text/a.cpp": '#include "io/b.h"\n', "src/io/b.h": ""}, "text/ may not include io/"),
        ({"src/io/a.cpp": "#include <tessera_text.h>\n"}, "tessera_text.h may be included only in"),
        ({"src/nn/a.cpp": '#include "base/b.h"\n', "src/base/b.h": ""}, "nn/ may not include base/"),
        ({"src/optim/a.cpp": '#include "nn/b.h"\n#include "tessera/ops.h"\n', "src/nn/b.h": ""}, None),
        ({"src/nn/a.cpp": '#include "optim/b.h"\n', "src/optim/b.h": ""}, "nn/ may not include optim/"),
        ({"src/other/a.cpp": '#include "base/b.h"\n', "src/base/b.h": ""}, "has no place in the table"),
        ({"include/tessera/a.h": "#include <fmt/format.h>\n"}, "standard headers and tessera/ only"),
        ({"include/tessera/shape.h": '#include "tessera/tensor.h"\n'}, "public header tessera/tensor.h"),
        ({"apps/a.cpp": '#include "base/b.h"\n', "src/base/b.h": ""}, "apps/ sees only the public headers"),
        ({"src/ops/a.cpp": '#include "kernels/k.h"\n', "src/kernels/k.h": ""}, "ops/ may not include kernels/"),
        ({"src/ops/a.cpp": '#include "runtime/r.h"\n', "src/runtime/r.h": ""}, "ops/ may not include runtime/"),
        ({"src/schedule/a.cpp": '#include "kernels/k.h"\n', "src/kernels/k.h": ""}, "schedule/ may not include kernels/"),
        ({"src/schedule/a.cpp": '#include "codegen/c.h"\n', "src/codegen/c.h": ""}, "schedule/ may not include codegen/"),
        ({"src/schedule/a.cpp": 'text += "fn main() {";\n'}, "src/schedule/a.cpp:1: WGSL belongs to codegen/"),
        ({"src/ops/a/b.cpp": '\ntext = "@group(0) @binding(0) ";\n'}, "src/ops/a/b.cpp:2: WGSL belongs to codegen/"),
        ({"src/ops/a.cpp": "#include <boost/any.hpp>\n"}, "neither a file of ours"),
        ({"src/base/a.h": '#include "base/b.h"\n', "src/base/b.h": '#include "base/a.h"\n'}, "include cycle"),
    ]
    failed = 0
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            problems = Checker(root).run()
        good = not problems if expected is None else len(problems) == 1 and expected in problems[0]
        if not good:
            failed += 1
            print(f"self-test failed: {files}\n  expected: {expected}\n  got: {problems}")
    print(f"self-test: {len(cases) - failed} of {len(cases)} cases passed")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    problems = Checker(Path(__file__).resolve().parent.parent).run()
    for problem in problems:
        print(problem)
    print(f"layering: {len(problems)} violations" if problems else "layering: all includes follow the arrows")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
