"""Read the notebooks as data: cells with their section, directives and code. The standard library alone."""

import ast
import json
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NBS = ROOT / "nbs"
PACKAGE = ROOT / "bleu_lit"
EXPORTS = ("export", "exports", "exporti")


@dataclass(frozen=True)
class Cell:
    """One cell, and the section of the notebook that it stands in."""

    notebook: str  # file name
    number: int  # from 0
    id: str
    kind: str  # "markdown", "code" or "raw"
    source: str
    section: str  # the nearest heading at or above the cell, without its anchor
    raw: dict  # the cell as it is in the file

    @property
    def place(self) -> str:
        """The cell's place, for a message."""
        return f"nbs/{self.notebook}, cell {self.number} (id {self.id}) in section {self.section!r}"

    @cached_property
    def directives(self) -> dict[str, str]:
        """nbdev's `#| name: value` lines."""
        found = re.findall(r"^#\s*\|\s*([\w-]+):?[ \t]*(.*)$", self.source, re.M) if self.kind == "code" else []
        return {name: value.strip() for name, value in found}

    @property
    def exported(self) -> bool:
        """Whether nbdev writes the cell into a module."""
        return self.kind == "code" and any(name in self.directives for name in EXPORTS)

    @property
    def executed(self) -> bool:
        """Whether a test run executes the cell."""
        skipped = self.directives.get("eval", "").lower() == "false" or any(flag in self.directives for flag in test_flags())
        return self.kind == "code" and not skipped

    @cached_property
    def tree(self) -> ast.Module:
        """The cell's code; lines for the shell or IPython (`!…`, `%…`) are blanked."""
        return ast.parse(self.python)

    @cached_property
    def python(self) -> str:
        """The cell as Python reads it: as it is, or without the lines for the shell or IPython if it has any."""
        try:
            ast.parse(self.source)
        except SyntaxError:
            return re.sub(r"^[ \t]*[!%].*$", "pass", self.source, flags=re.M)
        return self.source


@dataclass(frozen=True)
class Notebook:
    """One notebook of nbs/."""

    path: Path
    raw: dict
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def number(self) -> int | None:
        """The floor of the staircase; None for index."""
        found = re.match(r"(\d\d)_", self.name)
        return int(found[1]) if found else None

    @property
    def module(self) -> str | None:
        """The module that the notebook exports, from its `#| default_exp`."""
        return next((cell.directives["default_exp"] for cell in self.cells if "default_exp" in cell.directives), None)

    @property
    def modules(self) -> set[str]:
        """Every module that some cell is exported to."""
        named = {cell.directives[name].removeprefix("bleu_lit.") for cell in self.cells for name in EXPORTS if cell.directives.get(name)}
        return named | ({self.module} if self.module else set())


def test_flags() -> list[str]:
    """The flags in settings.ini whose cells nbdev's test run leaves out."""
    found = re.search(r"^tst_flags\s*=(.*)$", (ROOT / "settings.ini").read_text(encoding="utf-8"), re.M)
    return found[1].split() if found else []


test_flags.__test__ = False  # pytest, this is no test


def read(path: Path) -> Notebook:
    """Read one notebook."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    cells, section = [], ""
    for number, cell in enumerate(raw["cells"]):
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (titles := headings(source)):
            section = titles[0][1]
        cells.append(Cell(path.name, number, cell.get("id", ""), cell["cell_type"], source, section, cell))
        if cell["cell_type"] == "markdown" and titles:
            section = titles[-1][1]
    return Notebook(path, raw, tuple(cells))


def notebooks() -> list[Notebook]:
    """Every notebook of nbs/, in the order of their names."""
    return [read(path) for path in sorted(NBS.glob("*.ipynb"))]


def headings(markdown: str) -> list[tuple[int, str]]:
    """The headings of a markdown text as (level, title without anchor), fenced code left out."""
    found = re.findall(r"^(#{1,6})[ \t]+(.+?)[ \t]*$", without_code(markdown, inline=False), re.M)
    return [(len(marks), re.sub(r"\s*\{[^}]*\}$", "", title)) for marks, title in found]


def without_code(markdown: str, inline: bool = True) -> str:
    """The markdown text without its fenced code, and without its inline code."""
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1[`~]*[ \t]*$", "", markdown, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text) if inline else text


def outputs(cell: Cell) -> list[dict]:
    """The outputs that are kept in a code cell."""
    return cell.raw.get("outputs", [])


def output_text(output: dict) -> str:
    """What one kept output shows as plain text; empty if it has no such form."""
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return text if isinstance(text, str) else "".join(text)


def say(lines: Iterable[str]) -> None:
    """Print lines; whoever reads them may stop before the end, as `head` does."""
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that nothing is left to be said at the end of the program
