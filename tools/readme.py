"""Build README.md from nbs/index.ipynb, or check that it is what the notebook gives.

    python tools/readme.py            write README.md
    python tools/readme.py --check    change nothing; show the difference and end with status 1 if there is one

Markdown cells are taken as they are, code cells become Python blocks, and their kept text outputs text blocks. Cells with `#| hide` are left out; of cells
with `#| echo: false` only the outputs are shown. What only
the site understands goes: anchors `{#…}`, directives `#| …`, marks of claims. Links to notebooks get the folder nbs/.
"""

import argparse
import difflib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book

TARGET = book.ROOT / "README.md"
NOTE = "<!-- Made from nbs/index.ipynb by tools/readme.py: change the notebook, not this file. -->"


def markdown_block(source: str) -> str:
    """A markdown cell as GitHub and package indexes read it."""
    text = re.sub(r"[ \t]*<!--\s*claim:.*?-->\n?", "", source)
    text = re.sub(r"[ \t]*\{#[\w-]+\}", "", text)
    return re.sub(r"(\]\()(?![a-z]+:|/|nbs/|#)([\w-]+\.(?:ipynb|qmd))", r"\1nbs/\2", text).strip()


def fenced(language: str, text: str) -> str:
    """The text in a fence that is longer than any fence in it."""
    longest = max((len(marks) for marks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def code_blocks(cell: book.Cell) -> list[str]:
    """A code cell and its kept text outputs; a cell of `!command` lines is a shell block."""
    lines = [line for line in cell.source.splitlines() if not re.match(r"#\s*\|", line) and not re.match(r"\s*#\s*claim:", line)]
    shell = bool(lines) and all(line.startswith("!") for line in lines if line.strip())
    code = "\n".join(line.removeprefix("!") for line in lines) if shell else "\n".join(lines)
    shown = "".join(text if text.endswith("\n") else f"{text}\n" for output in book.outputs(cell) if (text := book.output_text(output)))
    blocks = [] if re.search(r"^#\s*\|\s*echo:\s*false\b", cell.source, re.M) else [fenced("shell" if shell else "python", code.strip("\n"))]
    return [*blocks, fenced("text", shown.strip("\n"))] if shown.strip() else blocks


def build(notebook: book.Notebook) -> str:
    """The README as text."""
    blocks = [NOTE]
    for cell in notebook.cells:
        if cell.kind == "raw" or re.search(r"^#\s*\|\s*hide\b", cell.source, re.M) or not cell.source.strip():
            continue
        blocks += [markdown_block(cell.source)] if cell.kind == "markdown" else code_blocks(cell)
    return "\n\n".join(block for block in blocks if block) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if README.md is not what the notebook gives")
    arguments = parser.parse_args()
    fresh = build(book.read(book.NBS / "index.ipynb"))
    kept = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
    if not arguments.check:
        if fresh != kept:
            TARGET.write_text(fresh, encoding="utf-8", newline="\n")
        print(f"{TARGET.name}: {'unchanged' if fresh == kept else 'written'}")
        return 0
    difference = difflib.unified_diff(kept.splitlines(), fresh.splitlines(), "README.md", "what nbs/index.ipynb gives", lineterm="")
    print(*difference, sep="\n", end="\n" if fresh != kept else "")
    if fresh != kept:
        print("README.md is not what nbs/index.ipynb gives: run python tools/readme.py", file=sys.stderr)
    return int(fresh != kept)


if __name__ == "__main__":
    sys.exit(main())
