#!/usr/bin/env python3
"""Writes the binding of the ops from the public headers: generate.py FOLDER makes ops.cpp, ops.js and ops.d.ts there.

Every function on tensors that the catalog knows is bound, with its parameters, defaults and option structs as the headers
declare them. A declaration that this script does not understand, or an op of docs/ops.md without one, ends it with a message.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from headers import Headers, bound_functions, catalog, fail, write_changed  # noqa: E402

# It waits for values and makes a tensor whose bytes have another size: blocks.js.
BY_HAND = {"quantize"}
# They read values of their arguments at the call, which a page cannot wait for; so do those that run on the CPU only.
READS_VALUES = {"nonzero", "masked_select", "unique", "bincount", "allclose"}

# C++ type -> (JavaScript's name for the encoding, reader, TypeScript)
TYPES = {
    "Tensor": ("tensor", "tensor", "Operand"),
    "Shape": ("integers", "shape", "number[]"),
    "Axes": ("integers", "ints", "number | number[]"),
    "std::vector<int>": ("integers", "ints", "number | number[]"),
    "std::vector<std::int64_t>": ("integers", "integers", "number | number[]"),
    "std::vector<double>": ("numbers", "numbers", "number[]"),
    "DType": ("dtype", "dtype", "DType"),
    "double": ("number", "number", "number"),
    "int": ("integer", "integer<int>", "number"),
    "std::int64_t": ("integer", "integer<std::int64_t>", "number"),
    "bool": ("bool", "boolean", "boolean"),
    "std::vector<Tensor>": ("tensors", "tensors", "Tensor[]"),
    "std::vector<Slice>": ("slices", "slices", "Range[]"),
    "std::vector<std::pair<std::int64_t, std::int64_t>>": ("pairs", "pairs", "[number, number][]"),
    "std::vector<At>": ("index", "index", "Index[]"),
    "std::string_view": ("string", "string", "string"),
    "PerAxis": ("integers", "integers", "number | number[]"),
    "Padding": ("padding", "padding", 'number | number[] | [number, number][] | "same" | "valid"'),
}


class WebHeaders(Headers):
    def describe(self, where, parameter):
        inner = parameter.pop("inner")
        if inner == "Device":
            return {**parameter, "type": "device"}
        if inner in TYPES:
            kind, reader, ts = TYPES[inner]
            return {**parameter, "type": kind, "read": f"in.{reader}()", "ts": ts}
        if "names" in parameter:
            names = parameter["names"]
            space = "linalg::" if inner == "MatrixNorm" else ""
            return {**parameter, "type": {"enum": names}, "read": f"in.enumerator<{space}{inner}>()",
                    "ts": " | ".join(f'"{n}"' for n in names)}
        if "fields" in parameter:
            fields = parameter["fields"]
            return {**parameter, "type": {"struct": [[f["name"], f["type"]] for f in fields]}, "read": f"read_{inner}(in)",
                    "ts": "{" + "; ".join(f"{f['name']}?: {f['ts']}" for f in fields) + "}", "struct": inner}
        fail(f"{where}: the type '{parameter['cpp']}' of '{parameter['name']}' has no row in TYPES.")


def write_cpp(functions, structs):
    out = ["// Written by generate.py: one case for each overload of each op.", '#include "arguments.h"', '#include "ops.h"', "",
           "#include <tessera/tessera.h>", "", "namespace tessera::web {", "", "namespace {", ""]
    for name, fields in structs.items():
        out += [f"{name} read_{name}(Arguments& in) {{", f"  {name} out;"]
        out += [f"  if (in.given()) out.{f['name']} = {f['read']};" for f in fields]
        out += ["  return out;", "}", ""]
    out += ["}  // namespace", "", "std::vector<Tensor> call_op(int op, Arguments& in) {", "  switch (op) {"]
    for i, f in enumerate(functions):
        out.append(f"    case {i}: {{")
        names = []
        for p in f["params"]:
            if p["type"] == "device":
                continue
            cpp = p["cpp"] if p["cpp"] != "std::string_view" else "std::string"
            cpp = "linalg::MatrixNorm" if cpp == "MatrixNorm" else cpp
            if p["default"]:
                default = "linalg::" + p["default"] if p["default"].startswith("MatrixNorm::") else p["default"]
                default = f"{cpp}{default}" if default.startswith("{") else f"{cpp}({default})"
                out.append(f"      const {cpp} {p['name']}_ = in.given() ? {cpp}({p['read']}) : {default};")
            else:
                out.append(f"      const {cpp} {p['name']}_ = {p['read']};")
            names.append(p["name"] + "_")
        call = f"tessera::{f['name']}({', '.join(names)})"
        if f["returns"] == "tensor":
            out.append(f"      return {{{call}}};")
        elif f["returns"] == "list":
            out.append(f"      return {call};")
        elif f["returns"] == "bool":
            out.append(f"      return {{full({{}}, Tensor({call}))}};")
        else:
            out.append(f"      auto result = {call};")
            out.append("      return {" + ", ".join(f"std::move(result.{n})" for n in f["returns"]) + "};")
        out.append("    }")
    out += ["    default:", "      return {};", "  }", "}", "", "}  // namespace tessera::web", ""]
    return "\n".join(out)


def write_js(functions, waits):
    rows = []
    for f in functions:
        params = [[p["name"], p["type"], bool(p["default"])] for p in f["params"] if p["type"] != "device"]
        rows.append([f["name"], params, f["returns"], f["name"] in waits])
    lines = ",\n".join("  " + json.dumps(r) for r in rows)
    names = sorted({f["name"] for f in functions if "::" not in f["name"]})
    spaces = sorted({f["name"].split("::")[0] for f in functions if "::" in f["name"]})
    text = ("// Written by generate.py: [name, [[parameter, type, has a default]], results, whether it reads values].\n"
            'import {bind} from "./bind.js";\n\n'
            f"export const table = [\n{lines},\n];\n\nconst ops = bind(table);\n")
    reserved = {"var", "any"}
    for name in names:
        if name in reserved:
            text += f"const {name}_ = ops.{name};\nexport {{{name}_ as {name}}};\n" if name == "var" else f"export const {name} = ops.{name};\n"
        else:
            text += f"export const {name} = ops.{name};\n"
    for space in spaces:
        text += f"export const {space} = ops.{space};\n"
    return text


def write_ts(functions, waits):
    text = ("// Written by generate.py.\n"
            'import type {DType, Index, Operand, Range, Tensor} from "./tensor.js";\n\n')
    spaces, methods = {}, []
    for f in functions:
        params = [p for p in f["params"] if p["type"] != "device"]
        listed = [f"{p['name'] if p['name'] not in ('var', 'function', 'default') else p['name'] + '_'}"
                  f"{'?' if p['default'] else ''}: {p['ts']}" for p in params]
        args = ", ".join(listed)
        results = {"tensor": "Tensor", "list": "Tensor[]", "bool": "boolean"}.get(
            f["returns"] if isinstance(f["returns"], str) else "", None)
        if results is None:
            results = ("[Tensor, Tensor]" if f["returns"] == ["first", "second"]
                       else "{" + "; ".join(f"{n}: Tensor" for n in f["returns"]) + "}")
        if f["name"] in waits:
            results = f"Promise<{results}>"
        space, _, name = f["name"].rpartition("::")
        spaces.setdefault(space, []).append((name, f"({args}): {results}"))
        if not space and params[0]["type"] == "tensor":
            methods.append(f"  {name}({', '.join(listed[1:])}): {results};\n")
    for name, signature in spaces[""]:
        text += f"export function {name}{signature};\n" if name != "var" else f"declare function var_{signature};\nexport {{var_ as var}};\n"
    for space, entries in spaces.items():
        if space:
            text += f"export const {space}: {{\n" + "".join(f"  {n}{s};\n" for n, s in entries) + "};\n"
    return text + "\n/** The ops that take a tensor first. */\nexport interface Methods {\n" + "".join(methods) + "}\n"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    ops = {name: runs for name, runs in catalog().items() if name not in BY_HAND}
    functions = bound_functions(WebHeaders(), ops)
    waits = READS_VALUES | {name for name, runs in ops.items() if runs.strip() == "CPU"}
    structs = {}
    for f in functions:
        for p in f["params"]:
            if "fields" in p:
                structs[p["struct"]] = p["fields"]
    for name, text in [("ops.cpp", write_cpp(functions, structs)), ("ops.js", write_js(functions, waits)),
                       ("ops.d.ts", write_ts(functions, waits))]:
        write_changed(folder / name, text)


if __name__ == "__main__":
    main()
