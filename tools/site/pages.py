"""What the generated pages hold: the notation, the first example, where the package can be had."""

import html
import re

from tools import book
from tools.site import documents, navigation, stage, wheel

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


def workshop(known: stage.Book) -> str:
    """Every page of the workshop with its purpose, by sections."""
    return navigation.listing(navigation.sections("workshop"), known.notebooks)


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


# What the optional parts are for, by the name of the extra.
EXTRAS = {
    "tokenizers": "words of Japanese and Korean, and SentencePiece",
    "numpy": "resampling of large test sets, sooner",
    "zstd": "files compressed by zstd",
    "pandas": "columns of a data frame",
    "torch": "BLEU as the objective of a training",
    "learned": "BERTScore, COMET and BLEURT, from models that you have",
    "distributed": "counting on a Dask cluster",
    "neighbours": "other metrics by their own libraries",
}


def install_wheel(known: stage.Book) -> str:
    """The wheel that the site serves, and how to install it."""
    name = wheel.name()
    link = f'<p class="actions"><a class="action action-main" href="download/{name}" download>Download {name}</a></p>'
    text = "Then, in the folder where it was saved:"
    return "\n\n".join([stage.raw(link), text, f"```sh\npip install {name}\n```", "Where this site is served, pip also takes the address of that link."])


def extras(known: stage.Book) -> str:
    """The optional parts: what for, and what they install."""
    lines = ["| part | what it is for | what it installs |", "|---|---|---|"]
    for name, wanted in wheel.extras(wheel.config()).items():
        packages = ", ".join(dict.fromkeys(re.match(r"[\w.-]+", one)[0] for one in wanted))
        lines.append(f"| `{name}` | {EXTRAS.get(name, '')} | {packages} |")
    return "\n".join(lines)


def without_installing(known: stage.Book) -> str:
    """Where the notebooks run in the browser, if they do on this site."""
    if not known.lite:
        return "`make docs` builds this site with notebooks that run in the reader's browser; this copy was built without them."
    button = f'<p class="actions"><a class="action action-run" href="{stage.LAB}">Open the notebooks in your browser</a></p>'
    said = "Every notebook of this site also runs in the browser. Nothing leaves your machine: Python itself is loaded from this site, once."
    return f"{said}\n\n{stage.raw(button)}"


def fill(text: str, known: stage.Book) -> str:
    """Put what is generated in the place of `<!-- site: name -->`."""
    from tools.site import reference

    makers = {
        "documents": documents.table, "articles": lambda known: documents.articles(), "tests": documents.tests, "workshop": workshop,
        "notation": notation, "equations": equations, "reference": reference.markdown, "wheel": install_wheel, "extras": extras, "lite": without_installing,
        "version": lambda known: wheel.config()["version"], "sdist": lambda known: f"bleu_lit-{wheel.config()['version']}.tar.gz",
    }  # fmt: skip
    return re.sub(r"<!-- site: (\w+) -->", lambda match: makers[match[1]](known), text)


def sources() -> list:
    """The pages that are written by hand, `nbs/*.qmd`; a name with `_` in front is a part of another."""
    return sorted(path for path in book.NBS.glob("*.qmd") if not path.name.startswith("_"))
