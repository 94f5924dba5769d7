"""Reads the public headers for the generators of bindings: ops with their parameters, defaults, options, results and texts."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ["ops.h", "math.h", "activations.h", "norms.h", "losses.h", "index.h", "sort.h", "conv.h", "attention.h", "linalg.h", "random.h", "quant.h"]

# Made of bytes of the host, as the constructors of Tensor are: bindings have them by hand.
NOT_OPS = {"from_blocks"}

RETURNS = r"Tensor|std::vector<Tensor>|std::pair<Tensor, Tensor>|Indexed|Unique|BatchNorm|\w+Result|bool"
DECLARATION = re.compile(rf"^({RETURNS}) (\w+)\(([^;]*?)\);", re.M | re.S)
NAMESPACE = re.compile(r"^namespace (\w+) \{|^\}  // namespace (\w+)", re.M)
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.M | re.S)
ENUM = re.compile(r"^enum class (\w+) : [\w:]+ \{(.*?)\};", re.M | re.S)


def fail(text):
    sys.exit(f"{Path(sys.argv[0]).name}: {text}")


def snake(enumerator):
    """kChannelsFirst -> channels_first"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", enumerator[1:]).lower()


def split_commas(text):
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "<({[" and 1 or (c in ">)}]" and -1 or 0)
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def text_of(raw, start, end):
    """What the comments say about the declaration from `start` to `end`: those above it, and the one behind it."""
    lines = []
    for line in reversed(raw[:start].splitlines()):
        if not line.startswith("///"):
            break
        lines.insert(0, line[3:].strip())
    behind = re.match(r";?[ ]*// (.*)", raw[end:])
    if behind:
        lines.append(behind.group(1).strip())
    return " ".join(lines)


class Headers:
    """`describe` of a subclass adds to each parameter what its language needs."""

    files = HEADERS

    def __init__(self):
        self.structs, self.enums, self.functions = {}, {}, []
        texts = {}
        for header in self.files:
            text = re.sub(r"//.*", "", (ROOT / "include/tessera" / header).read_text())
            raw = (ROOT / "include/tessera" / header).read_text()
            texts[header] = (text, raw)
            for name, body in STRUCT.findall(text):
                self.structs[name] = body
            for name, body in ENUM.findall(text):
                self.enums[name] = [snake(e.split("=")[0].strip()) for e in body.split(",") if e.strip()]
        for header, (text, raw) in texts.items():
            marks, inner = [], ""
            # Blanks instead of comments, so that places are those of the raw text.
            plain = re.sub(r"//(?! namespace).*", lambda m: " " * len(m.group()), raw)
            for match in NAMESPACE.finditer(plain):
                inner = match.group(1) + "::" if match.group(1) else ("" if match.group(2) + "::" == inner else inner)
                marks.append((match.start(), inner))
            for match in DECLARATION.finditer(plain):
                if match.group(2) in NOT_OPS:
                    continue
                space = ""
                for at, name in marks:
                    if at < match.start():
                        space = name
                function = self.function(space + match.group(2), match.group(1), match.group(3))
                self.functions.append({**function, "text": text_of(raw, match.start(), match.end())})

    def describe(self, where, parameter):
        """`parameter` has name, cpp, inner (without std::optional), default; names for an enum, fields for a struct."""
        return parameter

    def function(self, name, returns, parameters):
        params = [self.parameter(name, p) for p in split_commas(" ".join(parameters.split()))]
        return {"name": name, "params": params, "returns": self.results(returns), "struct": returns}

    def parameter(self, where, text):
        declaration, _, default = text.partition(" = ")
        match = re.fullmatch(r"(?:const )?(.+?)&? (\w+)", declaration.strip())
        if not match:
            fail(f"{where}: the parameter '{text}' is not understood.")
        return self.typed(where, match.group(1).strip(), match.group(2), default.strip())

    def typed(self, where, cpp, name, default):
        optional = re.fullmatch(r"std::optional<(.+)>", cpp)
        inner = optional.group(1) if optional else cpp
        out = {"name": name, "cpp": cpp, "default": default, "inner": inner}
        if inner in self.enums:
            out["names"] = self.enums[inner]
        elif inner in self.structs and inner != "Slice":
            out["fields"] = [self.field(where, f) for f in self.structs[inner].split(";") if f.strip()]
        return self.describe(where, out)

    def field(self, where, text):
        declaration, _, default = " ".join(text.split()).partition(" = ")
        cpp, _, name = declaration.strip().rpartition(" ")
        return self.typed(where, cpp, name, default.strip() or "{}")

    def results(self, returns):
        """None: one tensor; "bool"; "list"; else the names of the members."""
        if returns in ("Tensor", "bool"):
            return returns.lower()
        if returns == "std::vector<Tensor>":
            return "list"
        if returns.startswith("std::pair"):
            return ["first", "second"]
        names = []
        for field in self.structs_of(returns).split(";"):
            match = re.fullmatch(r"Tensor ([\w, ]+)", " ".join(field.split()))
            if match:
                names += [n.strip() for n in match.group(1).split(",")]
        return names or fail(f"{returns} holds no tensors.")

    def structs_of(self, name):
        return self.structs.get(name) or fail(f"the struct {name} is not declared in the headers.")


def catalog():
    """The ops of docs/ops.md: name -> where it runs."""
    page = (ROOT / "docs/ops.md").read_text()
    rows = re.findall(r"^\| `([^`]+)` \|.*\| (\S[^|]*) \| \w[^|]* \| \w* ?\|$", page, re.M)
    if len(rows) < 100:
        fail("docs/ops.md has fewer than 100 rows: its form has changed.")
    return dict(rows)


def bound_functions(headers, ops):
    """The overloads of all ops of the catalog, by name; ends the program where one has no declaration."""
    missing = sorted(set(ops) - {f["name"] for f in headers.functions})
    if missing:
        fail(f"no declaration was found for {', '.join(missing)}.")
    return sorted((f for f in headers.functions if f["name"] in ops), key=lambda f: f["name"])


def write_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
