"""How long each notebook takes to read: the aim is a quarter of an hour.

    python tools/reading.py [NOTEBOOK…]

Words of prose at 200 a minute, a display equation as ten words; lines of code at 30 a minute, without blank lines and directives. A long text that a name
stands for, such as a style sheet or a table of Unicode, is a line: nobody reads it through. Outputs are not counted; they are looked at beside the code. It
is a simple measure, made to compare pages with each other.
"""

import ast
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book

WORDS, LINES = 200, 30  # a minute


def words(cell: book.Cell) -> int:
    """The words of prose in a markdown cell."""
    text = re.sub(r"\$\$.*?\$\$", " equation" * 10, book.without_code(cell.source, inline=False), flags=re.S)
    text = re.sub(r"\]\([^)]*\)|<[^>]*>|\{#[^}]*\}", " ", text)
    return sum(re.search(r"\w", word) is not None for word in text.split())


def lines(cell: book.Cell) -> int:
    """The lines of code in a code cell."""
    read = [line for line in cell.source.splitlines() if line.strip() and not re.match(r"\s*#\s*(\||claim:)", line)]
    texts = [node for node in cell.tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]
    return len(read) - sum(node.end_lineno - node.lineno for node in texts)


def minutes(notebook: book.Notebook) -> float:
    """How long a notebook takes to read."""
    prose = sum(words(cell) for cell in notebook.cells if cell.kind == "markdown")
    return prose / WORDS + sum(lines(cell) for cell in notebook.cells if cell.kind == "code") / LINES


def main() -> None:
    named = {Path(name).name for name in sys.argv[1:]}
    chosen = sorted((found for found in book.notebooks() if not named or found.name in named), key=minutes, reverse=True)
    book.say(f"{minutes(notebook):5.1f} min  {len(notebook.cells):3} cells  {notebook.name}" for notebook in chosen)


if __name__ == "__main__":
    main()
