"""What the search of the site looks in: an entry for each page, each section, each public name and each term, read from the finished pages.

The file has the form that Quarto gives it (objectID, href, title, section, text), and members of our own: `code`, `key` (what is set in bold, and
the purpose of a page), `kind`, `main` and `half`. `theme/search.js` does the search.
"""

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path

from tools.site import navigation, stage

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LEFT_OUT = {"script", "style", "nav", "button", "title"}
LEFT_OUT_CLASSES = {"actions", "anchorjs-link"}
APART = {"p", "li", "td", "th", "tr", "dt", "dd", "div", "summary", "br", "h1", "h2", "h3", "h4", "pre", "section", "figcaption", "text", "desc"}


class Pieces(HTMLParser):
    """A page as pieces: each begins at a heading with an address, or at an entry of the reference, and has prose and code."""

    def __init__(self):
        super().__init__()
        self.stack: list[tuple[str, set[str]]] = []  # (tag, its classes)
        self.pieces: list[dict] = []
        self.current: dict = {}
        self.title = ""

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        classes = (found.get("class") or "").split()
        if tag == "main":
            self.begin("")
        if self.pieces and tag == "section" and found.get("id"):
            self.begin(found["id"], name=found["id"] if "api" in classes else "")
        if self.pieces and tag == "tr" and (found.get("id") or "").startswith("term-"):
            self.begin(found["id"], term=True)
        if self.pieces and tag in APART:
            self.add("\0" if tag == "td" and self.current["term"] else " ")
        if tag not in VOID:
            self.stack.append((tag, set(classes)))

    def handle_endtag(self, tag):
        if self.pieces and tag in APART:
            self.add(" ")
        if tag == "table" and self.current.get("term"):
            self.current = self.pieces[0]
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def begin(self, anchor: str, name: str = "", term: bool = False):
        """Begin a piece."""
        self.current = {"anchor": anchor, "heading": "", "name": name, "term": term, "text": [], "code": [], "key": []}
        self.pieces.append(self.current)

    def handle_data(self, data):
        tags = {tag for tag, _ in self.stack}
        if "h1" in tags and not self.title:
            self.title = data.strip()
        if "main" in tags and not tags & LEFT_OUT and not self.is_control():
            self.add(data)

    def is_control(self) -> bool:
        """Whether what is read now is a button of the page, and no text of it."""
        classes = set().union(*(found for _, found in self.stack))
        return bool(classes & LEFT_OUT_CLASSES) or ("imports" in classes and any(tag == "summary" for tag, _ in self.stack))

    def add(self, data: str):
        """Put a text where it belongs: the heading of a piece, its code, or its prose."""
        tags = {tag for tag, _ in self.stack}
        piece = self.current
        if (piece["term"] and "th" in tags) or (tags & {"h2", "h3", "h4"} and not piece["name"] and not "".join(piece["text"]).strip()):
            piece["heading"] += data
        elif "h1" not in tags:
            piece["code" if "pre" in tags else "text"].append(data)
            if "pre" not in tags and data.strip() and ("strong" in tags or any("purpose" in classes for _, classes in self.stack)):
                piece["key"].append(f"{data} ")


def plain(parts: list[str] | str) -> str:
    """Words with single blanks, and formulas without their commands."""
    text = re.sub(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", lambda match: formula(match[1] or match[2] or ""), "".join(parts), flags=re.S)
    return " ".join(text.split())


def meaning_first(parts: list[str]) -> str:
    """A term: what it is, and then its names in other languages."""
    *names, meaning = "".join(parts).split("\0")
    return plain(f"{meaning} ({'; '.join(name.strip() for name in names if name.strip())})")


def words(parts: list[str]) -> str:
    """Each word of code once: enough to find it by, and the file stays small."""
    return " ".join(dict.fromkeys(re.findall(r"[^\W\d]\w+", "".join(parts))))


def formula(tex: str) -> str:
    """A formula as a line of text: what stands in a list of results."""
    text = re.sub(r"\\(?:mathrm|mathbf|text|operatorname|hat|big|Big|left|right)\b", "", tex)
    text = re.sub(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", text)
    return re.sub(r"\\([a-zA-Z]+)", r"\1", re.sub(r"[{}]|\\[,;!: ]", "", text))


def entries(path: Path, known: stage.Book, main_names: set[tuple[str, str]], half: str) -> list[dict]:
    """The entries of one page."""
    parser = Pieces()
    parser.feed(path.read_text(encoding="utf-8"))
    found, notebook = [], {stage.page_name(one.name) for one in known.notebooks}
    for piece in parser.pieces:
        text, code, heading = meaning_first(piece["text"]) if piece["term"] else plain(piece["text"]), words(piece["code"]), plain(piece["heading"])
        module, _, name = piece["name"].rpartition(".")
        href = path.name + (f"#{piece['anchor']}" if piece["anchor"] else "")
        entry = {"objectID": href, "href": href, "title": parser.title, "section": heading, "text": text, "code": code, "kind": "section", "main": False}
        entry |= {"key": plain([said for said in piece["key"] if not said.startswith("Pitfall")]), "half": half}
        if name:
            where = "bleu_lit" if module == "__init__" else f"bleu_lit.{module.removesuffix('.__init__')}"
            text = re.sub(r"^(function|class|value)\s+", "", text)
            entry |= {"title": name, "section": where, "text": text, "kind": "name", "main": (module, name) in main_names}
        elif piece["term"] or (path.stem == "questions" and heading.endswith("?")):
            entry |= {"kind": "term" if piece["term"] else "question"}
        elif not piece["anchor"]:
            entry |= {"kind": "page" if path.stem in notebook else "lookup"}
        if text or code or heading:
            found.append(entry)
    return found


def front_door_names(known: stage.Book) -> set[tuple[str, str]]:
    """The names that `import bleu_lit` gives, with the module that defines them."""
    cell = next((found.cell for (module, name), found in known.definitions.items() if (module, name) == ("__init__", "__all__")), None)
    names = set(ast.literal_eval(cell.tree.body[0].value)) if cell else set()
    first = {}
    for module, name in known.definitions:
        if name in names:
            first.setdefault(name, module)
    return {(module, name) for name, module in first.items()}


def write_index(out: Path, known: stage.Book) -> int:
    """Write `search.json`; the number of entries."""
    names = front_door_names(known)
    inside = {stage.page_name(name.removesuffix(".qmd")) for _, pages in navigation.sections("workshop") for name in pages}
    paths = [path for path in sorted(out.glob("*.html")) if path.stem != "404"]
    found = [entry for path in paths for entry in entries(path, known, names, "workshop" if path.stem in inside else "book")]
    (out / "search.json").write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return len(found)
