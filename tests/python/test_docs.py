"""The code of docs/python.md runs, block after block, as a reader would type it."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/python.md"


def test_the_page(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 9
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert "right" in capsys.readouterr().out
