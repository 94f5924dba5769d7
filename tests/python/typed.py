"""Code as people write it, for the type checker: mypy must understand all of it, and the wrong lines at its end must be wrong."""

import tessera as ts
import tessera.nn.functional as F

x: ts.Tensor = ts.array([[1.0, 2.0], [3.0, 4.0]])
y: ts.Tensor = ts.softmax(x @ x.T + 1, axis=-1)
z: ts.Tensor = F.relu(F.linear(x, ts.eye(2)))
shape: tuple[int, ...] = y.shape
number: float = float(y.sum().item())
kind: ts.DType = y.dtype
values, indices = ts.topk(y, 1)
w: ts.Tensor = values
parts: list[ts.Tensor] = ts.split(y, 2)
q = ts.linalg.qr(x)
same: bool = ts.allclose(x, y)
for row in x:
    r: ts.Tensor = row[0]

ts.softmax(x, axis="a")  # type: ignore[arg-type]
ts.no_such_function(x)  # type: ignore[attr-defined]
ts.conv2d(x, x, strid=2)  # type: ignore[call-arg]
