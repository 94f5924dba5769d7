"""Where the progress of a run is shown: a line of a terminal, an output of a notebook, or plain lines of sys.stdout."""

from __future__ import annotations

import sys
from typing import Any

_CLEAR = "\r\033[K"  # in front of a line that replaces the one before it


def _in_notebook() -> bool:
    """Whether cells show rich output: IPython with a kernel."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython  # type: ignore[import-not-found, unused-ignore]

    return hasattr(get_ipython(), "kernel")


class Output:
    """Takes the text of the extension's progress. `terminal`: whether lines are to replace the one before them."""

    def __init__(self) -> None:
        self._notebook = _in_notebook()
        self._handle: Any = None
        self._text = ""
        isatty = getattr(sys.stdout, "isatty", None)
        self.terminal = self._notebook or bool(isatty is not None and isatty())

    def __call__(self, text: str) -> None:
        if self._notebook:
            self._show(text)
        elif sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _show(self, text: str) -> None:
        """The line is one output of the cell, which is updated; lines that stay are printed."""
        if text.endswith("\n"):
            sys.stdout.write(text.removeprefix(_CLEAR))
            return
        line = text.removeprefix(_CLEAR)
        if line:
            self._text = line  # at the end, when the line is cleared, the last one stays
        if self._handle is None:
            from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

            self._handle = display({"text/plain": self._text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": self._text}, raw=True)
