"""Finish the rendered pages: what neither renderer does, and the check that every link leads somewhere."""

import html
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools import book
from tools.site import search, stage

CODE = re.compile(r"(<pre[^>]*>)(.*?)(</pre>)", re.S)
SOURCE = re.compile(r'(<pre[^>]*class="(?:sourceCode|wraps)[^>]*><code[^>]*>)(.*?)(</code>)', re.S)


def finish(out: Path) -> int:
    """Finish every page; their number."""
    known = stage.survey(book.notebooks(), lite=False)
    paths = sorted(out.glob("*.html"))
    for path in paths:
        text = path.read_text(encoding="utf-8")
        path.write_text(finished(text, known), encoding="utf-8")
    search.write_index(out, known)
    shutil.rmtree(out / "site_libs" / "fuse", ignore_errors=True)
    return len(paths)


def finished(text: str, known: stage.Book) -> str:
    """One page: names of equations in code are links, wide things scroll in their boxes, and controls have names and roles."""
    text = CODE.sub(lambda match: match[1] + linked(match[2], known) + match[3], text)
    text = SOURCE.sub(lambda match: match[1] + in_lines(match[2]) + match[3], text)
    text = re.sub(r"<code>(?:[a-z#]+:[^<|\s]*\|){2}[^<]*</code>", lambda match: match[0].replace("|", "|<wbr>"), text)  # signatures break between their parts
    text = re.sub(r"<pre(?![^>]*tabindex)", '<pre tabindex="0"', text)
    text = re.sub(r"<table(?![^>]*(?:parts-table|claims))([^>]*)>", r'<div class="table-scroll" tabindex="0" role="region" aria-label="Table"><table\1>', text)
    text = re.sub(r"(<table(?![^>]*(?:parts-table|claims))[^>]*>.*?</table>)", r"\1</div>", text, flags=re.S)
    text = re.sub(r'<script[^>]*src="[^"]*site_libs/fuse/[^"]*"[^>]*></script>', "", text)  # search.js searches
    # smalldocs gives links of the sidebar that fold a section the role of a landmark, and no way to reach them by keyboard.
    text = re.sub(r'<a([^>]*?)role="navigation"([^>]*)>', r'<a\1role="button" tabindex="0"\2>', text)
    text = re.sub(r'(<div class="terms">.*?</table>)', lambda match: with_terms(match[1]), text, flags=re.S)
    text = re.sub(r"(<body[^>]*>)", r'\1<a class="skip-link" href="#quarto-document-content">Skip to the text</a>', text, count=1)
    text = re.sub(r"<main(?![^>]*tabindex)", '<main tabindex="-1"', text, count=1)
    text = re.sub(r'(class="nav-link"[^>]*>bleu_lit\.)(?=\w+</a>)', r"\1<wbr>", text)  # long names of modules break there
    folds = 'class="sidebar-item-text sidebar-link text-start" data-bs-toggle="collapse"'
    return text.replace(f"<a {folds}", f'<a href="#" {folds}')


def with_terms(table: str) -> str:
    """The table of terms, each row with an address and a heading."""

    def row(match: re.Match) -> str:
        term = match[1]
        return f'<tr id="{stage.slug("term " + re.sub("<[^>]*>", "", term).replace(",", ""))}"><th scope="row">{term}</th>'

    return re.sub(r"<tr>\s*<td[^>]*>(.*?)</td>", row, table, flags=re.S)


def in_lines(code: str) -> str:
    """Code as HTML, each line an element of its own that can be set in where it goes on below; what spans lines is closed and opened again."""
    open_tags: list[str] = []
    lines = []
    for line in code.rstrip("\n").split("\n"):
        before = "".join(open_tags)
        for tag in re.findall(r"<[^>]*>", line):
            if tag.startswith("</"):
                open_tags.pop()
            else:
                open_tags.append(tag)
        after = "".join(f"</{re.match(r'<([a-z]+)', tag)[1]}>" for tag in reversed(open_tags))
        blanks = len(text := re.sub(r"<[^>]*>", "", line)) - len(text.lstrip(" "))
        style = f' style="--in:{min(blanks, 16)}"' if blanks else ""
        lines.append(f'<span class="line"{style}>{before}{line}{after}</span>')
    return "\n".join(lines)


def linked(code: str, known: stage.Book) -> str:
    """Code as HTML whose names of equations lead to the equations."""

    def link(match: re.Match) -> str:
        equation = known.equations.get(match[0])
        return f'<a class="eq-link" href="{equation.href}" title="Equation {equation.number}">{match[0]}</a>' if equation else match[0]

    return re.sub(rf"(?<![\w\"#-]){stage.ANCHOR}(?![\w-])", link, code)


class Links(HTMLParser):
    """The anchors of a page, and the addresses that it names."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links, self.assets = set(), [], []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get("id"):
            if found["id"] in self.anchors:
                self.links.append(("twice", found["id"]))
            self.anchors.add(found["id"])
        if tag == "a" and found.get("href") is not None:
            self.links.append(("link", found["href"]))
        for name in ("src", "href"):
            if tag in ("script", "img", "link", "source", "iframe") and found.get(name):
                self.assets.append(found[name])


def read_page(path: Path) -> Links:
    """The links and anchors of one page."""
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def check_links(out: Path) -> list[str]:
    """Every internal link that leads nowhere, every anchor that is there twice, and everything that a page loads from another host."""
    found = {path.name: read_page(path) for path in sorted(out.glob("*.html"))}
    faults = []
    for name, page in found.items():
        for kind, address in page.links:
            if kind == "twice":
                faults.append(f"{name}: the anchor {address} is there twice")
            elif fault := leads_nowhere(out, found, name, address):
                faults.append(f"{name}: {address}: {fault}")
        for address in page.assets:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if parts.scheme != "data":
                    faults.append(f"{name}: loads {address} from another host")
            elif not (out / unquote(parts.path)).exists():
                faults.append(f"{name}: loads {address}, which is not there")
    return faults


def leads_nowhere(out: Path, found: dict[str, Links], name: str, address: str) -> str:
    """Why an internal address leads nowhere; empty if it leads somewhere or to another host."""
    parts = urlsplit(html.unescape(address))
    if parts.scheme or parts.netloc or address in ("", "#"):
        return ""
    target = unquote(parts.path) or name
    path = out / target
    if not (path / "index.html" if path.is_dir() else path).exists():
        return "no such file"
    if parts.fragment and target in found and unquote(parts.fragment) not in found[target].anchors:
        return "no such anchor"
    return ""
