"""What the generated pages hold: the table of the documents' statements, the notation, the first example."""

import html
import re

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
# What a symbol is called in the code, and what it stands for. Its equation is looked up in the notebooks.
NOTATION = [
    (r"\hat y,\ \hat S", "`candidate`, `candidates`", "the text that is judged, one segment or a corpus of M segments", ""),
    (r"y,\ S", "`references`", "the texts that it is compared with; `references[i]` belong to `candidates[i]`", ""),
    ("M", "`len(candidates)`, S in shapes", "the number of segments", ""),
    ("N_i", "`len(references[i])`, R in shapes", "the number of references of segment $i$", ""),
    ("n", "`n`", "the order of an n-gram: its length in tokens", ""),
    ("N", "`max_order`, N in shapes", "the largest order that takes part", ""),
    ("G_n(y)", "`ngram_set(y, n)`", "the set of n-grams of $y$", "eq-ngram-set"),
    ("C(s, y)", "`substring_count(s, y)`", "how often $s$ stands in $y$; occurrences may overlap", "eq-substring-count"),
    ("p_n", "`corpus_precision`, `score.precisions[n - 1]`", "modified precision of order n: `matched / total`", "eq-corpus-precision"),
    ("c", "`candidate_length`", "tokens of all candidates", "eq-candidate-length"),
    ("r", "`reference_length`", "effective reference length: one reference's tokens per segment, summed", "eq-reference-length"),
    (r"\mathrm{BP}", "`brevity_penalty`", "the factor that a corpus shorter than its references pays", "eq-bp"),
    ("w_n", "`weights[n - 1]`", "the weight of order n; weights sum to 1", "eq-weights"),
    (r"\mathrm{BLEU}_w", "`bleu_w`, `corpus_bleu(…).exact`", "the weighted geometric mean of the precisions times the penalty", "eq-bleu"),
]


def documents(known: stage.Book) -> str:
    """Every statement of the documents, with the section that tells it and the test or cell that shows it."""
    pages = {notebook.name: stage.page_name(notebook.name) for notebook in known.notebooks}
    rows: dict[str, list[str]] = {}
    for claim, marks in claims.rows():
        told = unique(place(mark, pages) for mark in marks if mark.notebook)
        shown = unique(shown_by(mark, pages) for mark in marks if mark.home in ("cell", "test"))
        cells = [
            f'<th scope="row" id="claim-{claim.id}"><a href="#claim-{claim.id}">{claim.id}</a></th>',
            f"<td>{html.escape(claim.text)}</td>",
            f"<td>{'<br>'.join(told) or LATER}</td>",
            f"<td>{'<br>'.join(shown) or ('told, not run: an analogy' if claim.kind == 'analogy' and told else '—')}</td>",
        ]
        rows.setdefault(claim.kind, []).append(f"<tr>{''.join(cells)}</tr>")
    parts = []
    titles = ("id", "what the document says", "where it is told", "what shows it")
    head = "<thead><tr>" + "".join(f'<th scope="col">{title}</th>' for title in titles) + "</tr></thead>"
    for kind in sorted(rows, key=list(KINDS).index):
        table = f'<table class="table claims">{head}<tbody>{"".join(rows[kind])}</tbody></table>'
        table = f'<div class="table-scroll" tabindex="0" role="region" aria-label="{KINDS[kind]}">{table}</div>'
        parts += [f"## {KINDS[kind]} {{#{kind}}}", stage.raw(table)]
    total = sum(len(found) for found in rows.values())
    return "\n\n".join([f"{total} statements in all.", *parts])


def unique(found) -> list[str]:
    """The texts without repeats, in their order."""
    return list(dict.fromkeys(text for text in found if text))


def place(mark: claims.Mark, pages: dict[str, str]) -> str:
    """The section of a mark, linked."""
    anchor = stage.section_anchor(mark.notebook, mark.section)
    title = stage.plain(mark.section)
    return f'<a href="{pages[mark.notebook]}.html{f"#{anchor}" if anchor else ""}">{html.escape(title)}</a>'


def shown_by(mark: claims.Mark, pages: dict[str, str]) -> str:
    """The test, or the cell that runs with every test run."""
    if mark.home == "test":
        name = re.sub(r"^tests/(\S+?)[:, ].*?(test_\w+).*$", r"\1::\2", mark.place)
        return f"<code>{breakable(name)}</code>"
    return f"a cell of <code>{breakable(mark.notebook)}</code>"


def breakable(name: str) -> str:
    """A long name as HTML that may be broken where its words meet."""
    return re.sub(r"(::|_|/)", r"\1<wbr>", html.escape(name))


def notation(known: stage.Book) -> str:
    """The symbols beside their names in the code."""
    lines = ["| symbol | in the code | what it is | defined in |", "|---|---|---|---|"]
    for symbol, code, meaning, anchor in NOTATION:
        equation = known.equations.get(anchor)
        where = f"[({equation.number})]({equation.page}.qmd#{equation.anchor})" if equation else ""
        lines.append(f"| ${symbol}$ | {code} | {meaning} | {where} |")
    return "\n".join(lines)


def equations(known: stage.Book) -> str:
    """Every numbered equation of the book, with the definitions whose docstrings name it."""
    named: dict[str, list[stage.Definition]] = {}
    for definition in known.definitions.values():
        for anchor in re.findall(rf"(?<![\w-]){stage.ANCHOR}", definition.cell.source):
            if anchor in known.equations and definition not in named.setdefault(anchor, []):
                named[anchor].append(definition)
    parts, page = [], ""
    for equation in known.equations.values():
        if equation.page != page:
            page = equation.page
            title = next(stage.title_and_purpose(notebook)[0] for notebook in known.notebooks if stage.page_name(notebook.name) == page)
            parts.append(f"### {title} {{#equations-{page}}}")
        public = [found for found in named.get(equation.anchor, []) if not found.name.startswith("_")]
        code = ", ".join(f"[`{found.name}`](reference.qmd#{found.module}.{found.name})" for found in public)
        link = f'<a class="equation-number" href="{equation.href}" aria-label="Equation {equation.number}">({equation.number})</a>'
        parts += [stage.raw('<div class="equation">'), f"$${' '.join(equation.tex.split())}$$", stage.raw(f"{link}</div>")]
        if code:
            parts.append(f"[In the code: {code}]{{.in-code}}")
    return "\n\n".join(parts)


def first_example() -> str:
    """One small corpus, scored while the site is built."""
    import bleu_lit

    candidates = ["The cat sat on the mat.", "It rained all day."]
    references = [["The cat is on the mat.", "The cat sat on a mat."], ["It was raining all day."]]
    score = bleu_lit.corpus_bleu(candidates, references)
    rows = "".join(
        f'<tr><th scope="row">p<sub>{n}</sub></th><td>{matched}/{total}</td><td><span class="bar" style="--part:{matched / total:.4f}"></span></td></tr>'
        for n, (matched, total) in enumerate(zip(score.matched, score.total, strict=True), 1)
    )
    texts = "".join(
        f'<dt class="of-candidate">candidate</dt><dd>{html.escape(candidate)}</dd>'
        + "".join(f"<dt>reference</dt><dd>{html.escape(text)}</dd>" for text in group)
        for candidate, group in zip(candidates, references, strict=True)
    )
    return (
        f'<div class="first-example"><dl class="texts">{texts}</dl>'
        f'<div class="scored"><p class="what">corpus BLEU</p><p class="percent">{score.percent:.2f}<span> %</span></p>'
        f'<p class="exact">exactly {html.escape(str(score.exact))}</p>'
        f'<table class="parts-table"><caption class="visually-hidden">Matched n-grams of all, for each order</caption><tbody>{rows}</tbody></table>'
        f'<p class="signature"><code>{html.escape(score.signature)}</code></p></div></div>'
    )


def fill(text: str, known: stage.Book) -> str:
    """Put what is generated in the place of `<!-- site: name -->`."""
    from tools.site import reference

    makers = {"documents": documents, "notation": notation, "equations": equations, "reference": reference.markdown}
    return re.sub(r"<!-- site: (\w+) -->", lambda match: makers[match[1]](known), text)


def sources() -> list:
    """The pages that are written by hand, `nbs/*.qmd`; a name with `_` in front is a part of another."""
    return sorted(path for path in book.NBS.glob("*.qmd") if not path.name.startswith("_"))
