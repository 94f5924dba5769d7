"""The code of the pages runs, block after block, as a reader would type it."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def run(page):
    """The number of blocks."""
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    return len(blocks)


def test_the_python_page(capsys):
    assert run("python.md") >= 9
    assert "right" in capsys.readouterr().out


def test_the_decoder_of_the_page_on_state():
    assert run("guide/state.md") == 1


def test_the_page_on_compiled_functions(capsys):
    assert run("guide/compile.md") == 1
    assert float(capsys.readouterr().out.split()[-1]) < 2e-3
    example = (DOCS.parent / "examples" / "fit_sine_plain.cpp").read_text()
    program = re.search(r"^```cpp\n(.*?)^```", (DOCS / "guide/compile.md").read_text(), re.M | re.S).group(1)
    assert program in example


def test_the_page_on_files():
    assert run("guide/files.md") == 1


def test_the_pages_on_training():
    assert run("training-python.md") >= 7
    example = (DOCS.parent / "examples" / "classifier.cpp").read_text()
    blocks = re.findall(r"^```cpp\n(.*?)^```", (DOCS / "training.md").read_text(), re.M | re.S)
    lines = [line.strip() for line in example.split("\n")]
    assert len(blocks) >= 7
    for block in blocks:  # the program that the tests compile and run
        wanted = [line.strip() for line in block.rstrip("\n").split("\n")]
        assert any(lines[i:i + len(wanted)] == wanted for i in range(len(lines))), block


def test_the_page_on_text(capsys):
    import pytest
    import tessera as ts

    if ts.text.library().error:
        pytest.skip(ts.text.library().error)
    assert run("guide/text.md") == 1
    assert capsys.readouterr().out == "[1, 3, 6]\nab b\n<user>Hi<assistant>\n"
    example = (DOCS.parent / "examples" / "tokens.cpp").read_text()
    program = re.search(r"^```cpp\n(.*?)^```", (DOCS / "guide/text.md").read_text(), re.M | re.S).group(1)
    assert program in example


def test_the_page_on_language_models():
    example = (DOCS.parent / "examples" / "chat.cpp").read_text()
    program = re.search(r"^```cpp\n(.*?)^```", (DOCS / "llm.md").read_text(), re.M | re.S).group(1)
    assert program in example


def test_the_python_of_the_page_on_language_models(tmp_path, monkeypatch):
    import pytest
    import tessera as ts
    import test_llm

    if ts.text.library().error:
        pytest.skip(ts.text.library().error)
    test_llm.folder_with_text("llama", tmp_path / "SmolLM2-135M-Instruct")
    monkeypatch.chdir(tmp_path)
    assert run("llm.md") == 1


def test_the_readme(capsys):
    assert run("../README.md") == 2
    assert float(capsys.readouterr().out.split()[-1]) < 1e-3
