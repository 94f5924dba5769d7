"""python -m tessera: the command line, such as `python -m tessera doctor`."""

import os
import subprocess
import sys


def main() -> int:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tessera")
    for folder in [os.path.dirname(os.path.abspath(__file__))] + list(sys.modules["tessera"].__path__):
        program = os.path.join(folder, "bin", "tessera")
        if os.path.exists(program):
            break
    else:
        print(f"tessera: the command line is not there: {program}.", file=sys.stderr)
        return 1
    return subprocess.run([program, *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
