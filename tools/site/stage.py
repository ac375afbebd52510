"""Stage the notebooks as Markdown pages that Quarto and smalldocs render alike.

A page leaves this module with everything decided that the two would decide differently: its address, the numbers of its equations, the links to other
pages, the labels of its definitions. Equations are numbered by notebook, so that (12.3) names one equation of the whole book.
"""

import ast
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from tools import book

ANCHOR = r"eq-[a-z0-9]+(?:-[a-z0-9]+)*"
DISPLAY = rf"\$\$(?P<tex>.+?)\$\$(?:[ \t]*\n?[ \t]*\{{#(?P<anchor>{ANCHOR})\}})?"
FENCED = r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[`~]*[ \t]*$"
HIDDEN = ("hide", "hide_cell")
LITE = "lite/notebooks/index.html?path="
LAB = "lite/lab/index.html?path=welcome.ipynb"
MARK = r"^\s*# claim: [\d, -]+$"
FOR_TOOLS = r"[ \t]*#[ \t]*(?:noqa\b|fmt:|type: ignore\b)[^#\n]*(?=#|$)"
WIDTH = 76  # characters of a printed line that fit beside the sidebar
FOLD = 20  # lines of a definition beyond its head that a page shows unfolded


@dataclass(frozen=True)
class Equation:
    """One display equation of the book."""

    anchor: str
    number: str  # "12.3": the third of notebook 12
    page: str  # the page's name, "brevity"
    tex: str
    section: str  # the heading above it

    @property
    def href(self) -> str:
        """Its address, from any page."""
        return f"{self.page}.html#{self.anchor}"


@dataclass(frozen=True)
class Definition:
    """One exported name, where the book defines it."""

    name: str
    module: str  # "brevity"
    page: str
    section: str  # title of the section
    section_id: str  # its anchor, or ""
    cell: book.Cell

    @property
    def anchor(self) -> str:
        return f"def-{self.name}"

    @property
    def href(self) -> str:
        """The address of its source."""
        return f"{self.page}.html#{self.anchor}"


@dataclass
class Book:
    """What pages need to know of each other."""

    notebooks: list[book.Notebook]
    lite: bool  # whether the notebooks run in the browser
    equations: dict[str, Equation] = field(default_factory=dict)
    definitions: dict[tuple[str, str], Definition] = field(default_factory=dict)  # by (module, name)


def page_name(notebook: str) -> str:
    """`12_brevity.ipynb` is the page `brevity`; `91___main__.ipynb` is `main`."""
    return re.sub(r"^\d\d_", "", notebook.removesuffix(".ipynb")).strip("_")


def title_and_purpose(notebook: book.Notebook) -> tuple[str, str]:
    """The title and the line of purpose in the first cell."""
    lines = [line for line in notebook.cells[0].source.splitlines() if line.strip()]
    title = re.sub(r"\s*\{[^}]*\}$", "", lines[0].lstrip("# ").strip())
    purpose = " ".join(line.lstrip("> ").strip() for line in lines[1:] if line.startswith(">"))
    return title, purpose


def slug(title: str) -> str:
    """The anchor of a heading, by Pandoc's rule."""
    text = re.sub(r"[^\w\s.-]", "", re.sub(r"[`*$\\{}]", "", title)).strip().lower()
    return re.sub(r"^[^a-z]+", "", re.sub(r"\s+", "-", text)) or "section"


@cache
def sections(notebook: str) -> tuple[tuple[str, str], ...]:
    """The sections of a notebook as (title, anchor), in their order; each has an anchor, written or made from its title."""
    found, taken = [], set()
    for cell in book.read(book.NBS / notebook).cells:
        if cell.kind != "markdown":
            continue
        for line in book.without_code(cell.source, inline=False).splitlines():
            heading = re.match(r"^(#{2,6})[ \t]+(.+?)[ \t]*(?:\{([^}]*)\})?[ \t]*$", line)
            if not heading:
                continue
            written = re.search(r"#([\w-]+)", heading[3] or "")
            anchor = written[1] if written else slug(heading[2])
            number, base = 1, anchor
            while anchor in taken:
                anchor, number = f"{base}-{number}", number + 1
            taken.add(anchor)
            found.append((heading[2].strip(), anchor))
    return tuple(found)


def section_anchor(notebook: str, section: str) -> str:
    """The anchor of a section; empty for the top of the page."""
    return next((anchor for title, anchor in sections(notebook) if title == section), "")


def survey(notebooks: list[book.Notebook], lite: bool) -> Book:
    """Number the equations and find the definitions of the whole book."""
    known, counts = Book(notebooks, lite), Counter()
    for notebook in notebooks:
        page, floor = page_name(notebook.name), notebook.number
        for cell in notebook.cells:
            if cell.kind == "markdown":
                for match in re.finditer(DISPLAY, book.without_code(cell.source), re.S):
                    counts[floor] += 1  # notebooks of one floor share its numbers
                    anchor = match["anchor"] or f"eq-{page}-{counts[floor]}"
                    number = str(counts[floor]) if floor is None else f"{floor}.{counts[floor]}"
                    if anchor in known.equations:
                        raise ValueError(f"{cell.place}: the anchor {anchor} is there twice; the first is in {known.equations[anchor].page}. Rename one")
                    known.equations[anchor] = Equation(anchor, number, page, match["tex"].strip(), cell.section)
            elif cell.exported and notebook.module:
                for name in defined_names(cell):
                    where = section_anchor(notebook.name, cell.section)
                    known.definitions[notebook.module, name] = Definition(name, notebook.module, page, cell.section, where, cell)
    return known


def defined_names(cell: book.Cell) -> list[str]:
    """The names that an exported cell gives to its module; imports are none."""
    names = []
    for node in cell.tree.body:
        if hasattr(node, "name"):
            names.append(node.name)
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            if hasattr(target, "id"):
                names.append(target.id)
    return names


# ---- Markdown cells


def outside_code(text: str, change: Callable[[str], str], inline: bool = True) -> str:
    """Change a Markdown text, its fenced code (and inline code, unless told otherwise) left alone."""
    pieces, last = [], 0
    code = rf"{FENCED}|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)" if inline else FENCED
    for match in re.finditer(code, text, re.M | re.S):
        pieces += [change(text[last : match.start()]), match[0]]
        last = match.end()
    return "".join([*pieces, change(text[last:])])


@dataclass
class Walk:
    """One page on its way: equations and headings are taken in their order."""

    known: Book
    notebook: book.Notebook
    page: str
    equations: Iterator[Equation]
    headings: list[tuple[str, str]]


def walk(notebook: book.Notebook, known: Book) -> Walk:
    """Begin a page."""
    name = page_name(notebook.name)
    return Walk(known, notebook, name, iter([found for found in known.equations.values() if found.page == name]), list(sections(notebook.name)))


def prose(source: str, here: Walk) -> str:
    """A markdown cell as the page shows it."""
    text = re.sub(r"[ \t]*<!--\s*claim.*?-->[ \t]*\n?", "", source, flags=re.S)

    def change(part: str) -> str:
        part = re.sub(DISPLAY, lambda match: display(next(here.equations)), part, flags=re.S)
        part = re.sub(rf"@({ANCHOR})\b", lambda match: reference(here.known, match[1], here.page), part)
        return links(part)

    def anchored(part: str) -> str:
        return re.sub(r"^(#{2,6})[ \t]+(.+?)[ \t]*$", lambda match: heading(match[1], match[2], here), part, flags=re.M)

    return pitfalls(outside_code(outside_code(text, change), anchored, inline=False))


def links(markdown: str) -> str:
    """Links to notebooks as links to their pages."""
    return re.sub(r"\]\((?:\./)?([\w-]+\.ipynb)(#[^)\s]*)?\)", lambda match: f"]({page_name(match[1])}.qmd{match[2] or ''})", markdown)


def display(equation: Equation) -> str:
    """A display equation with its anchor and its number, which links to itself."""
    tex = " ".join(equation.tex.split())
    link = f'<a class="equation-number" href="#{equation.anchor}" aria-label="Equation {equation.number}">({equation.number})</a>'
    return "\n\n" + "\n\n".join([raw(f'<div class="equation" id="{equation.anchor}">'), f"$${tex}$$", raw(f"{link}</div>")]) + "\n\n"


def reference(known: Book, anchor: str, page: str) -> str:
    """A cross reference: the equation's number, linked."""
    equation = known.equations.get(anchor)
    if equation is None:
        raise ValueError(f"{page}: @{anchor} names no equation of the book. Write the equation with {{#{anchor}}} or mend the name")
    here = "" if equation.page == page else f"{equation.page}.qmd"
    return f"[Equation {equation.number}]({here}#{anchor})"


def heading(marks: str, title: str, here: Walk) -> str:
    """A heading with its anchor written out, the same in both renderers."""
    title = re.sub(r"\s*\{[^}]*\}$", "", title)
    position = next((i for i, (known, _) in enumerate(here.headings) if known == title), None)
    anchor = slug(title) if position is None else here.headings.pop(position)[1]
    return f"{marks} {title} {{#{anchor}}}"


def pitfalls(text: str) -> str:
    """Set a paragraph that opens with **Pitfall … apart."""
    return re.sub(r"(?:^|(?<=\n\n))(\*\*Pitfall\b.+?)(?=\n\n|\Z)", lambda match: f"::: {{.pitfall}}\n{match[1].rstrip()}\n:::", text, flags=re.S)


# ---- Code cells and their outputs


def raw(content: str) -> str:
    """HTML that passes through both renderers untouched."""
    longest = max((len(run) for run in re.findall(r"`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{{=html}}\n{content}\n{fence}"


def fenced(code: str, language: str = "python", classes: str = "") -> str:
    """Code in a fence that it cannot close."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{{.{language}{classes}}}\n{code}\n{fence}"


def visible_code(cell: book.Cell) -> str:
    """The code without nbdev's directives, without the marks of claims, and without what comments say to tools."""
    lines = [line for line in cell.source.splitlines() if not re.match(r"^#\s*\|", line) and not re.match(MARK, line)]
    return without_words_to_tools("\n".join(lines)).strip("\n")


def without_words_to_tools(code: str) -> str:
    """Code without comments such as `# noqa`; what a comment says after them to readers stays."""
    return re.sub(FOR_TOOLS, lambda match: "  " if code[match.end() : match.end() + 1] == "#" else "", code, flags=re.M)


def is_imports(cell: book.Cell) -> bool:
    """Whether a cell does nothing but import."""
    kinds = {type(node).__name__ for node in cell.tree.body}
    return bool(kinds) and kinds <= {"Import", "ImportFrom"}


def hidden(cell: book.Cell) -> bool:
    """Whether a cell runs, and is not shown."""
    return any(flag in cell.directives for flag in HIDDEN) or cell.directives.get("include") == "false"


def code(cell: book.Cell, known: Book, module: str | None) -> str:
    """A code cell with its outputs."""
    source, options, parts = visible_code(cell), cell.directives, []
    if hidden(cell):
        return ""
    if source and options.get("echo", "true") != "false" and "hide_input" not in options:
        parts.append(shown_code(cell, source, known, module))
    if "hide_output" not in options and options.get("output") != "false":
        parts += [output(found) for found in book.outputs(cell)]
    body = "\n\n".join(part for part in parts if part)
    kind = "exported" if cell.exported else "example"
    anchor = f" #{cell_anchor(cell.id)}" if cell.id and re.search(MARK, cell.source, re.M) else ""
    return f":::: {{{anchor.strip()}{' ' if anchor else ''}.cell .{kind}}}\n\n{body}\n\n::::" if body else ""


def cell_anchor(cell: str) -> str:
    """The anchor of a cell that shows a statement of the documents."""
    return f"cell-{cell}"


def shown_code(cell: book.Cell, source: str, known: Book, module: str | None) -> str:
    """The code of a cell: imports folded, definitions with their name and anchor above, and the body of a long one folded."""
    if is_imports(cell):
        return folded("imports", source)
    block = fenced(source)
    names = [name for name in defined_names(cell) if (module, name) in known.definitions] if cell.exported else []
    if not names:
        return block
    anchors = "".join(f'<span id="def-{name}"></span>' for name in names)
    public = [name for name in names if not name.startswith("_")]
    label = f"bleu_lit.{module}".removesuffix(".__init__")
    if not public:  # a helper: its name and what it does, and the code for those who want it
        summary = f"{label} › {names[0]}" + (f": {said}" if (said := first_sentence(cell)) else "")
        return folded(summary, source, anchors)
    link = f'<a href="reference.html#{module}.{public[0]}">{html.escape(public[0])}</a>'
    lines, head = source.splitlines(), head_of(source)
    if len(lines) - head >= FOLD:
        rest = "\n".join(lines[head:]).strip("\n")
        shown = fenced("\n".join(lines[:head])) if head else ""
        said = f"{len(rest.splitlines())} {'more lines' if head else 'lines'} of code"
        block = f"{shown}\n\n{folded(said, rest)}"
    return "\n\n".join([raw(f'<div class="defines">{anchors}<span class="defines-module">{label}</span> {link}</div>'), block])


def folded(summary: str, source: str, anchors: str = "") -> str:
    """Code that is there for those who want it."""
    said = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(summary))
    return "\n\n".join([raw(f'{anchors}<details class="imports"><summary>{said}</summary>'), fenced(source), raw("</details>")])


def head_of(source: str) -> int:
    """How many lines of a definition say what it is: signature and docstring, and of a class its fields; 0 for a value."""
    node = next((node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)), None)
    if isinstance(node, ast.ClassDef):
        method = next((part for part in node.body if isinstance(part, ast.FunctionDef)), None)
        before = max((part.end_lineno for part in node.body if method is None or part.end_lineno < method.lineno), default=node.lineno)
        return end_of_docstring(method) if method is not None and method.name == "__init__" else before
    return end_of_docstring(node) if node else 0


def end_of_docstring(node: ast.FunctionDef) -> int:
    """The last line of a function's docstring, else of its signature."""
    first = node.body[0]
    return first.end_lineno if ast.get_docstring(node) is not None else first.lineno - 1


def first_sentence(cell: book.Cell) -> str:
    """The first line of the docstring of the cell's first definition."""
    for node in cell.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""


def output(found: dict) -> str:
    """One kept output."""
    if found["output_type"] == "stream":
        kind = "stderr" if found.get("name") == "stderr" else "stdout"
        return raw(f'<div class="cell-output cell-output-{kind}">{shown_text(book.output_text(found).rstrip())}</div>')
    data = {mime: text if isinstance(text, str) else "".join(text) for mime, text in found.get("data", {}).items()}
    if "image/svg+xml" in data:
        return raw(f'<div class="cell-output cell-output-display picture" tabindex="0">{data["image/svg+xml"].strip()}</div>')
    for mime in ("text/markdown", "text/latex"):
        if mime in data:
            return f"::: {{.cell-output .cell-output-display .cell-output-markdown}}\n\n{outside_code(spaced(data[mime]), links)}\n\n:::"
    return raw(f'<div class="cell-output cell-output-display">{shown_text(data.get("text/plain", ""))}</div>')


def shown_text(text: str) -> str:
    """Text as it was printed. Columns scroll where they are too wide; prose goes on below, and so does a long line of prose among columns."""
    lines = text.splitlines()
    in_columns = [bool(re.search(r"\S {2,}\S|│", line)) for line in lines]
    if sum(in_columns) <= len(lines) / 3:
        return f'<pre class="wraps" tabindex="0"><code>{html.escape(text)}</code></pre>'
    shown = [html.escape(line) if columns or len(line) <= WIDTH else prose_line(line) for line, columns in zip(lines, in_columns, strict=True)]
    return '<pre tabindex="0"><code>' + "\n".join(shown) + "</code></pre>"


def prose_line(line: str) -> str:
    """A line of prose that goes on below, set in as far as it was."""
    return f'<span class="line" style="--in:{len(line) - len(line.lstrip())}">{html.escape(line)}</span>'


def spaced(markdown: str) -> str:
    """Markdown whose display equations stand in one line each, which both renderers read."""
    return outside_code(markdown, lambda part: re.sub(r"\$\$(.+?)\$\$", lambda match: f"$${' '.join(match[1].split())}$$", part, flags=re.S))


# ---- Whole pages


def front(title: str, purpose: str, extra: str = "") -> str:
    """The front matter of a page."""
    quoted = {name: text.replace("\\", "\\\\").replace('"', '\\"') for name, text in (("title", title), ("description", plain(purpose)))}
    lines = [f'{name}: "{text}"' for name, text in quoted.items() if text]
    return "\n".join(["---", *lines, *([extra] if extra else []), "---", ""])


def plain(markdown: str) -> str:
    """Markdown as plain words, for a description."""
    return re.sub(r"[`*$\\{}]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown))


def actions(notebook: book.Notebook, lite: bool) -> str:
    """What a reader can do with the page: run it, take it along."""
    run = f'<a class="action action-run" href="{LITE}{notebook.name}">Run this in your browser</a>' if lite else ""
    hint = '<span class="action-hint">JupyterLite opens in this tab; its menu Run has Run All Cells.</span>' if lite else ""
    take = f'<a class="action" href="notebooks/{notebook.name}" download>Download the notebook</a>'
    return raw(f'<p class="actions">{run}{take}{hint}</p>')


def page(notebook: book.Notebook, known: Book) -> str:
    """A notebook as a page of Markdown."""
    title, purpose = title_and_purpose(notebook)
    here = walk(notebook, known)
    anchor = re.match(r"^#[^\n]*\{#([\w-]+)\}", notebook.cells[0].source)
    top = raw(f'<span id="{anchor[1]}"></span>') if anchor else ""  # the title is no heading of the page's text
    parts = [front(title, purpose), top, f"[{purpose}]{{.purpose}}" if purpose else "", actions(notebook, known.lite)]
    rest = re.sub(r"^#[ \t].*?(?:\n|\Z)|^>.*?(?:\n|\Z)", "", notebook.cells[0].source, flags=re.M).strip()
    if rest:
        parts.append(prose(rest, here))
    imports: list[str] | None = []  # those at the top wait for the first cell of other code, so that a page opens with words
    for cell in notebook.cells[1:]:
        if cell.kind == "markdown":
            parts.append(prose(cell.source, here).strip())
        elif cell.kind == "code" and imports is not None and is_imports(cell):
            imports += [] if hidden(cell) else [visible_code(cell)]
        elif cell.kind == "code" and (body := code(cell, known, notebook.module)):
            parts += [folded("imports", "\n\n".join(imports)) if imports else "", body]
            imports = None
    return "\n\n".join(part for part in parts if part) + "\n"
