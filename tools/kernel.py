"""Write the C source of the fast engine from the fenced blocks of its notebooks, or check that it is what they give.

    python tools/kernel.py            write bleu_lit/_kernel*
    python tools/kernel.py --check    compare, change nothing

Every ```c block of a markdown cell in nbs/3*.ipynb belongs to the C source, in the order of the notebooks and cells. A block whose first line is
`/* file: NAME */` continues the file of that name, and so do the blocks after it.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import book

BLOCK = re.compile(r"^```c\n(.*?)^```[ \t]*$", re.M | re.S)
FILE = re.compile(r"/\* file: (_kernel\w*\.[ch]) \*/\n")


def sources() -> dict[str, str]:
    """The C files by name, as the notebooks give them."""
    parts: dict[str, list[str]] = {}
    for path in sorted(book.NBS.glob("3*.ipynb")):
        name = ""
        for cell in book.read(path).cells:
            for block in BLOCK.findall(cell.source) if cell.kind == "markdown" else []:
                if found := FILE.match(block):
                    name, block = found[1], block[found.end() :]
                if not name:
                    sys.exit(f"{cell.place}: the first block of C names no file. Begin it with /* file: _kernel.c */")
                parts.setdefault(name, [f"/* Made by tools/kernel.py from the notebooks. Edit nbs/{path.name}. */\n"]).append(block)
    return {name: "\n".join(blocks) for name, blocks in parts.items()}


def main() -> int:
    made = sources()
    kept = {path.name: path.read_text(encoding="utf-8") for path in sorted(book.PACKAGE.glob("_kernel*.[ch]"))}
    changed = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    if "--check" in sys.argv[1:]:
        if changed:
            print(f"not what the notebooks give: {', '.join(changed)}. Run python tools/kernel.py", file=sys.stderr)
        return int(bool(changed))
    for name in changed:
        path = book.PACKAGE / name
        if name in made:
            path.write_text(made[name], encoding="utf-8", newline="\n")
        else:
            path.unlink()
        print(f"{'wrote' if name in made else 'removed'} bleu_lit/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
