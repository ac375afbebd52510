"""The page of the documents: which they are, what each says, where it is told, and what shows it; and the page with the code of the tests that do."""

import ast
import html
import re
from functools import cache

from tools import book, claims
from tools.site import stage

KINDS = {
    "definition": "Definitions",
    "derivation": "Derivations",
    "example": "Worked examples",
    "claim": "Claims",
    "analogy": "Analogies",
    "recommendation": "Recommendations",
    "system": "Systems and other metrics",
}
LATER = '<span class="later">not told yet</span>'
# number: the title that it bears, its language, and what it is
DOCUMENTS = {
    "000": ("BLEU", "Spanish", "the definition in the words of mathematics: the set of n-grams, the substring count, and a family of scores with weights"),
    "001": ("BLEU", "Spanish", "a short encyclopedia article: precision and its faults, by small examples"),
    "002": ("BLEU Score/es", "Spanish", "a survey: history, the corpus, smoothing, variants, limits, how to report"),
    "003": ("BLEU (Bilingual Evaluation Understudy) (BG)", "Bulgarian", "an encyclopedia article: method, use, criticism, alternatives"),
    "004": ("BLEU", "German", "an encyclopedia article with the worked example that gives 0.5411"),
}
# What of a statement is a formula, and how it is written as one.
FORMULAS = {
    "000-03": {"N_i references; N_i": "$N_i$ references; $N_i$", "M candidates": "$M$ candidates"},
    "000-04": {"G_n(y)": "$G_n(y)$", "y = y_1…y_K": r"$y = y_1 \cdots y_K$", "K - n + 1": "$K - n + 1$"},
    "000-05": {"G_2(abab) = {ab, ba}": r"$G_2(abab) = \{ab, ba\}$"},
    "000-06": {"C(s, y)": "$C(s, y)$", "of s as": "of $s$ as", "of y": "of $y$"},
    "000-07": {"C(ab, abcbab) = 2": r"$C(ab, abcbab) = 2$"},
    "000-08": {
        "p_n: sum over segments of min(C in candidate, max over references) over sum of C in candidate":
            r"$p_n = \dfrac{\sum_i \sum_{s \in G_n(\hat y_i)} \min\big(C(s, \hat y_i),\ \max_j C(s, y_i^{(j)})\big)}"
            r"{\sum_i \sum_{s \in G_n(\hat y_i)} C(s, \hat y_i)}$",
    },
    "000-10": {"sum over G_n of C(s, y)": r"$\sum_{s \in G_n(\hat y)} C(s, y)$"},
    "000-11": {"candidate aba, reference abababa, n = 2": "candidate $aba$, reference $abababa$, $n = 2$"},
    "000-12": {"one ab": "one $ab$"},
    "000-14": {"[0, 1]": "$[0, 1]$"},
    "000-15": {"n-substring": "$n$-substring"},
    "000-19": {"BP = exp(-(r/c - 1)^+)": r"$\mathrm{BP} = e^{-(r/c - 1)^+}$"},
    "000-20": {"r <= c": r"$r \le c$"},
    "000-21": {"r > c": "$r > c$", "exp(1 - r/c)": "$e^{1 - r/c}$"},
    "000-22": {"c is": "$c$ is"},
    "000-23": {"r is": "$r$ is"},
    "000-24": {"parameter w,": "parameter $w$,", "1, 2, 3, …": r"$1, 2, 3, \ldots$"},
    "000-25": {"BLEU_w = BP exp(sum w_n ln p_n)": r"$\mathrm{BLEU}_w = \mathrm{BP} \cdot \exp\big(\sum_n w_n \ln p_n\big)$"},
    "000-26": {"times BP": r"times $\mathrm{BP}$"},
    "000-28": {"w_1 = … = w_4 = 1/4": r"$w_1 = \cdots = w_4 = \tfrac14$"},
    "001-04": {"4/6": "$4/6$"},
    "001-05": {"3/6": "$3/6$"},
    "001-06": {"the x 6": r"*the* $\times\,6$", "6/6": "$6/6$"},
    "001-07": {"the x 6": r"*the* $\times\,6$", "2/6": "$2/6$"},
    "001-09": {"2/2 = 1": "$2/2 = 1$"},
    "001-10": {"PB = 1": r"$\mathrm{PB} = 1$", "c > r": "$c > r$", "exp(1 - r/c)": "$e^{1 - r/c}$"},
    "001-11": {"w_n": "$w_n$", "1/N": "$1/N$"},
    "001-12": {"BLEU = PB exp(sum_{n=1}^{N} w_n log P_n)": r"$\mathrm{BLEU} = \mathrm{PB} \cdot \exp\big(\sum_{n=1}^{N} w_n \log P_n\big)$"},
    "002-03": {
        "count_clip(g) = min(count(g, C), max_i count(g, R_i))":
            r"$\mathrm{count}_{\mathrm{clip}}(g) = \min\big(\mathrm{count}(g, C),\ \max_i \mathrm{count}(g, R_i)\big)$",
    },
    "002-04": {"the x 7": r"*the* $\times\,7$", "2/7": "$2/7$"},
    "002-08": {"BP on": r"$\mathrm{BP}$ on", "r is": "$r$ is"},
    "002-12": {"p_n": "$p_n$"},
    "003-01": {"p_n": "$p_n$"},
    "003-04": {"BP = 1": r"$\mathrm{BP} = 1$", "c > r": "$c > r$", "exp(1 - r/c)": "$e^{1 - r/c}$", "c <= r": r"$c \le r$"},
    "004-02": {"n consecutive": "$n$ consecutive"},
    "004-06": {"c >= r": r"$c \ge r$", "c < r": "$c < r$"},
    "004-07": {"p_n": "$p_n$"},
    "004-08": {"w_n": "$w_n$", "N = 4, w = 1/4": r"$N = 4$, $w = \tfrac14$", "BP (p1 p2 p3 p4)^(1/4)": r"$\mathrm{BP} \cdot (p_1\, p_2\, p_3\, p_4)^{1/4}$"},
    "004-10": {"c = 8": "$c = 8$"},
    "004-12": {"p1 = 6/8": r"$p_1 = \tfrac68$"},
    "004-13": {"p2 = 4/7": r"$p_2 = \tfrac47$"},
    "004-14": {"p3 = 3/6": r"$p_3 = \tfrac36$"},
    "004-15": {"p4 = 2/5": r"$p_4 = \tfrac25$"},
    "004-16": {"r = 7, BP = 1": r"$r = 7$, $\mathrm{BP} = 1$", "BP < 1": r"$\mathrm{BP} < 1$"},
    "004-17": {
        "(3/4 · 4/7 · 1/2 · 2/5)^(1/4) = (3/35)^(1/4) = 0.5411 = BLEU":
            r"$\big(\tfrac34 \cdot \tfrac47 \cdot \tfrac12 \cdot \tfrac25\big)^{1/4} = \big(\tfrac{3}{35}\big)^{1/4} = 0.5411 = \mathrm{BLEU}$",
    },
}  # fmt: skip


def said(claim: claims.Claim) -> str:
    """What a document says, as Markdown with its formulas set."""
    changes = FORMULAS.get(claim.id, {})
    for phrase in changes:
        if phrase not in claim.text:
            raise ValueError(f"{claim.id} says {claim.text!r}, which does not hold {phrase!r}. Mend FORMULAS in {__file__}")
    if not changes:
        return escaped(claim.text)
    pattern = "|".join(re.escape(phrase) for phrase in sorted(changes, key=len, reverse=True))
    pieces = re.split(f"({pattern})", claim.text)
    return "".join(changes[piece] if i % 2 else escaped(piece) for i, piece in enumerate(pieces))


def escaped(text: str) -> str:
    """Words as Markdown that shows just them."""
    return re.sub(r"([\\`*_{}\[\]<>$|#])", r"\\\1", text)


def table(known: stage.Book) -> str:
    """Every statement of the documents, with the section that tells it and the cell or test that shows it."""
    pages = {notebook.name: stage.page_name(notebook.name) for notebook in known.notebooks}
    rows: dict[str, list[str]] = {}
    for claim, marks in claims.rows():
        told = unique(place(mark, pages) for mark in marks if mark.notebook)
        shown = unique(shown_by(mark, pages) for mark in marks if mark.home in ("cell", "test"))
        number = f'<div role="rowheader" class="claim-id"><a href="#claim-{claim.id}">{claim.id}</a></div>'
        nothing = "told, not run: an analogy" if claim.kind == "analogy" and told else "—"
        head = f'<div role="row" class="claim" id="claim-{claim.id}">{number}<div role="cell">'
        where = f'<div role="cell"><span class="claim-label">told in </span>{listed(told) or LATER}</div>'
        more = f'</div>{where}<div role="cell"><span class="claim-label">shown by </span>{listed(shown) or nothing}</div></div>'
        rows.setdefault(claim.kind, []).append("\n\n".join([stage.raw(head), said(claim), stage.raw(more)]))
    titles = "".join(f'<div role="columnheader">{title}</div>' for title in ("id", "what the document says", "where it is told", "what shows it"))
    parts = []
    for kind in sorted(rows, key=list(KINDS).index):
        parts += [f"## {KINDS[kind]} {{#{kind}}}"]
        parts += [stage.raw(f'<div class="claims" role="table" aria-label="{KINDS[kind]}"><div role="row" class="claims-head">{titles}</div>')]
        parts += [*rows[kind], stage.raw("</div>")]
    total = sum(len(found) for found in rows.values())
    return "\n\n".join([f"They make {total} statements about BLEU, in all.", *parts])


def articles() -> str:
    """The five documents."""
    counts = {number: sum(claim.id.startswith(number) for claim in claims.claims().values()) for number in DOCUMENTS}
    lines = (f"- **{number}** *{escaped(title)}* ({kind}, {counts[number]} statements): {what}" for number, (title, kind, what) in DOCUMENTS.items())
    return "\n".join(lines)


def unique(found) -> list[str]:
    """The texts without repeats, in their order."""
    return list(dict.fromkeys(text for text in found if text))


def listed(items: list[str]) -> str:
    """Places, one a line."""
    return items[0] if len(items) == 1 else f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""


def place(mark: claims.Mark, pages: dict[str, str]) -> str:
    """The section of a mark, linked."""
    anchor = stage.section_anchor(mark.notebook, mark.section)
    title = stage.plain(mark.section)
    return f'<a href="{pages[mark.notebook]}.html{f"#{anchor}" if anchor else ""}">{html.escape(title)}</a>'


def shown_by(mark: claims.Mark, pages: dict[str, str]) -> str:
    """The test, or the cell that runs with every test run; linked to its code."""
    if mark.home == "test":
        file, name = test_name(mark)
        return f'<a href="tests.html#{test_anchor(file, name)}">test: {html.escape(in_words(name))}</a>'
    return f'<a href="{pages[mark.notebook]}.html#{stage.cell_anchor(mark.cell)}">a cell of {html.escape(titles()[mark.notebook])}</a>'


@cache
def titles() -> dict[str, str]:
    """The title of each notebook."""
    return {notebook.name: stage.plain(stage.title_and_purpose(notebook)[0]) for notebook in book.notebooks()}


def in_words(test: str) -> str:
    """The name of a test as a sentence."""
    return test.removeprefix("test_").replace("_", " ")


# ---- The tests that show something


def test_name(mark: claims.Mark) -> tuple[str, str]:
    """File and function of a mark in a test."""
    file, _, name = mark.place.removeprefix("tests/").partition("::")
    return file, name


test_name.__test__ = False  # pytest, this is no test


def test_anchor(file: str, name: str) -> str:
    """The anchor of a test on the page of tests."""
    return f"{file.removesuffix('.py')}-{name}".replace("_", "-")


test_anchor.__test__ = False


@cache
def source_of(file: str) -> tuple[str, ast.Module]:
    """A test file, and its tree."""
    text = (book.ROOT / "tests" / file).read_text(encoding="utf-8")
    return text, ast.parse(text)


def function_code(file: str, name: str) -> tuple[str, int]:
    """The code of a test with its decorators, and the line where it begins."""
    text, tree = source_of(file)
    node = next(found for found in ast.walk(tree) if isinstance(found, ast.FunctionDef) and found.name == name)
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines), first


def tests(known: stage.Book) -> str:
    """The code of every test that shows a statement, file by file."""
    found: dict[str, dict[str, list[str]]] = {}
    for claim, marks in claims.rows():
        for mark in marks:
            if mark.home == "test":
                file, name = test_name(mark)
                found.setdefault(file, {}).setdefault(name, []).append(claim.id)
    parts = []
    for file in sorted(found):
        about = ast.get_docstring(source_of(file)[1]) or ""
        parts += [f"## {file} {{#{file.removesuffix('.py').replace('_', '-')}}}", escaped(" ".join(about.split("\n\n")[0].split()))]
        for name in sorted(found[file], key=lambda name: function_code(file, name)[1]):
            code, line = function_code(file, name)
            ids = ", ".join(f"[{one}](documents.qmd#claim-{one})" for one in dict.fromkeys(found[file][name]))
            code = "\n".join(text for text in code.splitlines() if not re.match(r"^\s*# claim: [\d, -]+$", text))
            parts += [f"### {file.removeprefix('test_').removesuffix('.py').replace('_', ' ')}: {in_words(name)} {{#{test_anchor(file, name)}}}"]
            parts += [f"`tests/{file}`, from line {line}. It shows {ids}.", stage.fenced(code)]
    return "\n\n".join(parts)
