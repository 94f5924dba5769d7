"""What somebody does first with the installed wheel: where it lies, what it computes, the command line, the bundled provider."""

import json
import subprocess
import sys
from pathlib import Path

import tessera as ts

place = Path(ts.__file__).parent
assert Path(sys.argv[1]).resolve() in place.resolve().parents, place
x = ts.array([[1.0, 2.0], [3.0, 4.0]], device="cpu")
assert (x @ x).tolist() == [[7.0, 10.0], [15.0, 22.0]]
assert ts.grad(lambda w: (w * w).sum())(x).tolist() == [[2.0, 4.0], [6.0, 8.0]]
doctor = subprocess.run([sys.executable, "-m", "tessera", "doctor", "--json"], capture_output=True, text=True, timeout=300)
found = json.loads(doctor.stdout)
print(json.dumps(found, indent=1)[:600])
assert doctor.returncode == 0, doctor.stderr
provider = found["provider"]
assert Path(provider["path"]).resolve().is_relative_to(place.resolve()), provider
if list(place.glob("lib/tessera/*tessera_text.*")):
    assert Path(found["text"]["path"]).resolve().is_relative_to(place.resolve()), found["text"]
    assert ts.text.ChatTemplate("{{ messages | length }}").apply([]) == "0"
if list(place.glob("lib/tessera/*tessera_image.*")):
    assert Path(found["image"]["path"]).resolve().is_relative_to(place.resolve()), found["image"]
script = Path(sys.executable).parent / "tessera"
assert subprocess.run([script, "ops"], capture_output=True, text=True, timeout=60).stdout.startswith("# Ops")
print("the wheel works:", ts.__version__, "in", place.name, "with the provider", provider["name"])
