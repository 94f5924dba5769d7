"""Runs every example of every docstring of the package, those of the ops included."""

import doctest
import importlib
import pkgutil
import sys

import numpy as np
import tessera as ts
from tessera import _core

np.set_printoptions(legacy=False)
finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
parser = doctest.DocTestParser()
names = ["tessera"] + [m.name for m in pkgutil.walk_packages(ts.__path__, "tessera.") if m.name.split(".")[-1] not in ("_core", "__main__")]
for name in names:
    for test in finder.find(importlib.import_module(name), name):
        if test.examples:
            runner.run(test)
ops = 0
for module in (_core.ops, _core.linalg, _core.random, _core.functional):
    for name, function in vars(module).items():
        if name.startswith("_") or ">>>" not in (function.__doc__ or ""):
            continue
        ops += 1
        runner.run(parser.get_doctest(function.__doc__, {"ts": ts}, f"{module.__name__}.{name}", None, 0))
result = runner.summarize()
print(f"{result.attempted} examples ran, of {ops} ops and the package; {result.failed} failed")
sys.exit(result.failed > 0)
