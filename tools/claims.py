"""Where each statement of the documents is shown: the marks in notebooks and tests, held against tests/claims.tsv.

A mark is a comment line `# claim: 000-05, 000-06` in an executed, not exported code cell of a notebook, or in a test function. In a markdown cell it is
`<!-- claim: 000-02 -->`, allowed for analogies only, which have nothing to execute.
"""

import ast
import csv
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from tools import book

TABLE = book.ROOT / "tests" / "claims.tsv"
IDS = r"\d{3}-\d{2}(?:\s*,\s*\d{3}-\d{2})*"


@dataclass(frozen=True)
class Claim:
    """One statement of one document."""

    id: str
    kind: str  # definition, derivation, example, claim, analogy, recommendation or system
    text: str  # what the document says, in our words
    how: str  # how it is shown


@dataclass(frozen=True)
class Mark:
    """One place that says it shows a claim."""

    claim: str  # the id
    home: str  # "cell" (executed), "prose" or "test"
    notebook: str  # file name, empty for a test
    section: str  # of the notebook, empty for a test
    place: str  # for people
    cell: str = ""  # the id of the cell, empty for a test


def claims() -> dict[str, Claim]:
    """The table, by id."""
    with open(TABLE, encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {row[0]: Claim(*row) for row in rows[1:]}


def comments(code: str) -> list[tuple[int, str]]:
    """The comments of Python code as (line number, text); a string that looks like a comment is none."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def marked(comment: str) -> list[str] | None:
    """The ids in a comment; None if it is no mark; `ValueError` if it looks like one and cannot be read."""
    if not re.match(r"#+\s*claims?\b\s*[:\d]", comment, re.I):
        return None
    found = re.fullmatch(rf"# claim: ({IDS})\s*", comment)
    if not found:
        raise ValueError(f"{comment!r} is not written as a mark is: # claim: 000-05, 000-06")
    return [part.strip() for part in found[1].split(",")]


def cell_marks(cell: book.Cell) -> tuple[list[Mark], list[str]]:
    """The marks of one cell, and what is wrong with them."""
    marks, faults = [], []
    if cell.kind == "code":
        texts, home = [text for _, text in comments(cell.python)], "cell"
    else:
        texts = [f"# {text.strip()}" for text in re.findall(r"<!--(\s*claim.*?)-->", book.without_code(cell.source), re.S)]
        home = "prose"
    for text in texts:
        try:
            ids = marked(text)
        except ValueError as error:
            faults.append(f"{cell.place}: {error}")
            continue
        marks += [Mark(name, home, cell.notebook, cell.section, cell.place, cell.id) for name in ids or []]
    if marks and cell.exported:
        faults.append(f"{cell.place}: a mark in an exported cell. A definition shows nothing; put the mark into the cell that runs the example")
    if marks and cell.kind == "code" and not cell.executed:
        faults.append(f"{cell.place}: a mark in a cell that test runs leave out. Put it into one that is executed")
    return marks, faults


def test_file_marks(path: Path) -> tuple[list[Mark], list[str]]:
    """The marks of one test file, and what is wrong with them."""
    marks, faults = [], []
    code = path.read_text(encoding="utf-8")
    name = f"tests/{path.name}"
    functions = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    for line, text in comments(code):
        try:
            ids = marked(text)
        except ValueError as error:
            faults.append(f"{name}:{line}: {error}")
            continue
        if not ids:
            continue
        around = next((node.name for node in functions if node.lineno <= line <= (node.end_lineno or 0)), None)
        if around is None:
            faults.append(f"{name}:{line}: a mark outside every test function. Put it inside the test that shows the claim")
        marks += [Mark(claim, "test", "", "", f"{name}::{around}") for claim in ids]
    return marks, faults


test_file_marks.__test__ = False  # pytest, this is no test


def collect() -> tuple[list[Mark], list[str]]:
    """Every mark of the project, and every fault of a mark."""
    known = claims()
    found = [cell_marks(cell) for notebook in book.notebooks() for cell in notebook.cells]
    found += [test_file_marks(path) for path in sorted((book.ROOT / "tests").glob("*.py"))]
    marks = [mark for part, _ in found for mark in part]
    faults = [fault for _, part in found for fault in part]
    faults += [f"{mark.place}: there is no claim {mark.claim} in tests/claims.tsv" for mark in marks if mark.claim not in known]
    faults += [
        f"{mark.place}: {mark.claim} is of kind {known[mark.claim].kind}; prose is enough for an analogy only. Mark an executed cell"
        for mark in marks
        if mark.home == "prose" and mark.claim in known and known[mark.claim].kind != "analogy"
    ]
    return marks, faults


def rows() -> list[tuple[Claim, list[Mark]]]:
    """Each claim with its marks, in the order of the table; for reports and the site."""
    marks, _ = collect()
    return [(claim, [mark for mark in marks if mark.claim == claim.id]) for claim in claims().values()]
