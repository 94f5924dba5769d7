#!/usr/bin/env python3
"""Writes the binding of the ops from the public headers: generate.py FOLDER makes ops_*.cpp, the stubs _core/*.pyi and _table.py there.

Every op of the catalog is bound with its parameters and defaults; option structs become keyword arguments. A declaration that
this script does not understand, or an op of docs/ops.md without one, ends it with a message.
"""

import ast
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import names  # noqa: E402
from headers import Headers, bound_functions, catalog, fail, write_changed, ROOT  # noqa: E402

FILES = 6  # of C++, so that they compile side by side


class PythonHeaders(Headers):
    def describe(self, where, parameter):
        inner = parameter["inner"]
        if "names" in parameter:
            stub = "Literal[" + ", ".join(f'"{n}"' for n in parameter["names"]) + "]"
        elif "fields" in parameter:
            stub = ""
        elif inner in names.TYPES:
            stub = names.TYPES[inner]
        else:
            fail(f"{where}: the type '{parameter['cpp']}' of '{parameter['name']}' has no row in TYPES.")
        if (inner != parameter["cpp"] or (inner == "Tensor" and parameter["default"] == "{}")) and "None" not in stub:
            stub += " | None"
        return {**parameter, "stub": stub}


def families():
    """op -> its family in docs/ops.md."""
    out, family = {}, ""
    for line in (ROOT / "docs/ops.md").read_text().splitlines():
        if line.startswith("## "):
            family = line[3:]
        elif match := re.match(r"\| `([^`]+)` \|", line):
            out[match.group(1)] = family
    return out


def flat(function):
    """The arguments in Python's order: options become arguments of their own."""
    out = []
    for p in function["params"]:
        out += [{**f, "of": p["name"]} for f in p["fields"]] if "fields" in p else [p]
    return out


def python_name(op, family, argument, torch):
    if torch:
        return names.TORCH_OF.get(op, {}).get(argument) or names.TORCH.get(argument) or rename(op, family, argument)
    return rename(op, family, argument)


def rename(op, family, argument):
    own = names.OF_OP.get(op, {}).get(argument)
    if own:
        return own
    if family == "Elementwise" and argument in names.OPERANDS:
        return names.OPERANDS[argument]
    return names.ARGUMENTS.get(argument, argument)


def cpp_type(parameter):
    cpp = parameter["cpp"]
    if cpp == "std::string_view":
        return "std::string"
    return "linalg::MatrixNorm" if cpp == "MatrixNorm" else cpp


def python_default(parameter):
    """The default as Python writes it."""
    default = parameter["default"]
    if default in ("{}", ""):
        return "None"
    if default in ("true", "false"):
        return default.capitalize()
    if "::k" in default:
        return '"' + re.sub(r"(?<!^)(?=[A-Z])", "_", default.split("::k")[1]).lower() + '"'
    if default in ("f32", "i32"):
        return {"f32": "float32", "i32": "int32"}[default]
    return repr(eval(default, {"__builtins__": {}}))  # a number of our own headers


def value(parameter, op, family, torch=False):
    """The C++ expression that reads an argument."""
    name, cpp = parameter["name"], cpp_type(parameter)
    text = f'in.get<{cpp}>({name}, "{python_name(op, family, name, torch)}"'
    if "names" in parameter:
        listed = ", ".join(f'"{n}"' for n in parameter["names"])
        text = f'in.choose<{cpp}>({name}, "{python_name(op, family, name, torch)}", {{{listed}}}'
    if not parameter["default"] or parameter["cpp"].startswith("std::optional"):
        return text + ")"
    default = parameter["default"]
    if default.startswith("MatrixNorm::"):
        default = "linalg::" + default
    default = f"{cpp}{default}" if default.startswith("{") else f"{cpp}({default})"
    return f"{text}, {default})"


def tensors_elsewhere(functions):
    """Marks parameters of an overload that a later one has as a tensor: an array goes there, and is never read to be a number here."""
    for i, f in enumerate(functions):
        later = [flat(g) for g in functions[i + 1:] if g["name"] == f["name"]]
        f["left"] = [a["name"] for at, a in enumerate(flat(f))
                     if a["inner"] != "Tensor" and any(at < len(g) and g[at]["inner"] == "Tensor" for g in later)]


def write_function(function, index, last, family, torch=False):
    arguments = flat(function)
    op = function["name"]
    listed = ", ".join(f"nb::handle {a['name']}" for a in arguments)
    out = [f"nb::object op_{index}({listed}) {{", f'  Call in("{op.split("::")[-1]}", {"true" if last else "false"});']
    out += [f"  Call::leave_arrays({name});" for name in function["left"]]
    call = []
    for p in function["params"]:
        if "fields" in p:
            fields = ", ".join(f".{f['name']} = {value(f, op, family, torch)}" for f in p["fields"])
            out.append(f"  const {p['cpp']} {p['name']}_{{{fields}}};")
        else:
            cpp = cpp_type(p)
            out.append(f"  const {cpp} {p['name']}_ = {value(p, op, family, torch)};")
        call.append(p["name"] + "_")
    call = f"tessera::{op}({', '.join(call)})"
    if function["waits"]:
        call = f"in.wait([&] {{ return {call}; }})"
    kind = function["returns"]
    if kind in ("tensor", "list", "bool"):
        out.append(f"  return in.give({call});")
    else:
        out.append(f"  auto result = {call};")
        members = ", ".join(f"std::move(result.{n})" for n in kind)
        name = f'"{names.RESULTS[function["struct"]][0]}"' if function["struct"] in names.RESULTS else "nullptr"
        out.append(f"  return in.give_named({name}, {{{members}}});")
    return out + ["}", ""]


def signature(function, family, torch=False):
    """def name(arguments) -> result, as stubs have it."""
    op = function["name"]
    parts = []
    for a in flat(function):
        text = f"{python_name(op, family, a['name'], torch)}: {a['stub']}"
        if a["default"]:
            default = python_default(a)
            if default == "None" and "None" not in text:
                text += " | None"
            text += f" = {default}"
        parts.append(text)
    kind = function["returns"]
    result = {"tensor": "Tensor", "list": "list[Tensor]", "bool": "bool"}.get(kind if isinstance(kind, str) else "", "")
    if not result:
        result = names.RESULTS[function["struct"]][0] if function["struct"] in names.RESULTS else "tuple[Tensor, Tensor]"
    return f"def {op.split('::')[-1]}({', '.join(parts)}) -> {result}"


def examples():
    """op -> its example, from examples.txt: blocks of ">>>" lines and what they print, each headed by the op's name."""
    out, name = {}, ""
    for line in (HERE / "examples.txt").read_text().splitlines():
        if line.startswith("# "):
            continue
        if line.startswith("== "):
            name = line[3:].strip()
        elif line.strip():
            out.setdefault(name, []).append(line)
    return {k: "\n".join(v) for k, v in out.items()}


def docstring(function, shown, torch=False):
    text = function["text"]
    space, _, name = function["name"].rpartition("::")
    if not text:
        text = {"Elementwise": f"Elementwise {name}; operands broadcast and promote."}.get(function["family"], "")
    example = shown.get(function["name"], "")
    if torch:  # arguments by name have other names there
        example = "" if re.search(r"\w=", example) else example.replace(f"ts.{name}(", f"ts.nn.functional.{name}(")
    return (text + ("\n\n" if text and example else "") + example).strip()


def place(function):
    return function["name"].rpartition("::")[0] or "ops"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    ops = catalog()
    functions = bound_functions(PythonHeaders(), ops)
    # Numbers before tensors: a number would do for a tensor too.
    functions.sort(key=lambda f: (f["name"], sum(p["inner"] == "Tensor" for p in f["params"])))
    tensors_elsewhere(functions)
    family_of = families()
    shown = examples()
    unknown = set(shown) - {f["name"] for f in functions}
    if unknown:
        fail(f"examples.txt has examples of {', '.join(sorted(unknown))}, which are no ops.")
    entries = []  # (function, module, torch)
    last_of = {f["name"]: i for i, f in enumerate(functions)}
    for i, f in enumerate(functions):
        f["family"] = family_of[f["name"]]
        f["waits"] = f["name"] in names.WAITS or ops[f["name"]].strip() == "CPU"
        f["last"] = last_of[f["name"]] == i
        entries.append((f, place(f), False))
        torch = f["family"] in names.TORCH_FAMILIES or f["name"] in names.TORCH_OPS
        if torch and f["name"] not in names.BY_HAND:
            entries.append((f, "functional", True))

    per_file = (len(entries) + FILES - 1) // FILES
    for n in range(FILES):
        part = list(enumerate(entries))[n * per_file:(n + 1) * per_file]
        out = [f"// Written by generate.py: a part of the ops.", '#include "call.h"', "",
               "namespace tessera::python {", "", "namespace {", ""]
        for i, (f, _, torch) in part:
            out += write_function(f, i, f["last"], f["family"], torch)
        out += ["}  // namespace", "", f"void bind_ops_{n}(Modules& m) {{"]
        for i, (f, module, torch) in part:
            arguments = "".join(
                f', nb::arg("{python_name(f["name"], f["family"], a["name"], torch)}")' + (".none() = nb::none()" if a["default"] else ".none()")
                for a in flat(f))
            sig = json.dumps(signature(f, f["family"], torch))
            doc = json.dumps(docstring(f, shown, torch))
            out.append(f'  m.{module}.def("{f["name"].split("::")[-1]}", &op_{i}{arguments}, nb::sig({sig}), {doc});')
        out += ["}", "", "}  // namespace tessera::python", ""]
        write_changed(folder / f"ops_{n}.cpp", "\n".join(out))
    calls = "\n".join(f"  bind_ops_{n}(m);" for n in range(FILES))
    declarations = "\n".join(f"void bind_ops_{n}(Modules& m);" for n in range(FILES))
    results = "\n".join(f'  in.add_result("{n}", {{{", ".join(json.dumps(x) for x in fields)}}});'
                        for n, fields in names.RESULTS.values())
    write_changed(folder / "ops_all.cpp", f"""// Written by generate.py: all parts of the ops, and the types of their results.
#include "call.h"

namespace tessera::python {{

{declarations}

void bind_ops(Modules& m) {{
{calls}
}}

void bind_results(Results& in) {{
{results}
}}

}}  // namespace tessera::python
""")
    write_stubs(folder, entries, shown)


def defined(path):
    """The names that a file of Python defines."""
    out = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            out.add(node.name)
        elif isinstance(node, ast.Assign):
            out |= {n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    return out


def write_stubs(folder, entries, shown):
    head = ('"""Written by generate.py: the ops as the headers declare them."""\n\n'
            "import builtins\nfrom typing import Any, Literal, NamedTuple, Sequence, overload\n\n"
            "from tessera._types import DeviceLike, DTypeLike, Index, TensorLike\n"
            "from tessera._core import Tensor, DType\n\n"
            "float32: DType\nint32: DType\n\n")
    for module in ("ops", "linalg", "random", "functional"):
        own = [(f, torch) for f, m, torch in entries if m == module]
        count = {}
        for f, _ in own:
            count[f["name"]] = count.get(f["name"], 0) + 1
        text = head
        used = {f["struct"] for f, _ in own} & set(names.RESULTS)
        for struct in sorted(used):
            name, fields = names.RESULTS[struct]
            text += f"class {name}(NamedTuple):\n" + "".join(f"    {x}: Tensor\n" for x in fields) + "\n"
        for f, torch in own:
            if count[f["name"]] > 1:
                text += "@overload\n"
            text += signature(f, f["family"], torch) + ": ...\n"
        (folder / "_core").mkdir(exist_ok=True)
        write_changed(folder / "_core" / f"{module}.pyi", text)
    for module, *sources in (("ops", "_creation.py", "_functions.py"), ("linalg", "linalg.py"), ("functional", "nn/functional.py", "nn/_losses.py", "nn/_resample.py")):
        own = set().union(*(defined(HERE / "tessera" / source) for source in sources))
        listed = sorted({f["name"].rpartition("::")[2] for f, m, _ in entries if m == module} - own)
        write_changed(folder / f"_public_{module}.py",
                      '"""Written by generate.py: the ops that no file of the package defines anew."""\n\n'
                      f"from tessera._core.{module} import (\n" + "".join(f"    {n} as {n},\n" for n in listed) + ")\n")
    # What the tests compare with the catalog and the headers.
    table, kinds = {}, {}
    for f, module, torch in entries:
        if not torch:
            table.setdefault(f["name"], []).append(
                [[a["name"], python_name(f["name"], f["family"], a["name"], False)] for a in flat(f)])
            kinds.setdefault(f["name"], []).append([a["inner"] for a in flat(f)])
    write_changed(folder / "_table.py", '"""Written by generate.py: op -> [[name in C++, name in Python] of each overload], and their types."""\n\n'
                  f"TABLE: dict[str, list[list[list[str]]]] = {json.dumps(table, indent=1)}\n"
                  f"TYPES: dict[str, list[list[str]]] = {json.dumps(kinds)}\n")


if __name__ == "__main__":
    main()
