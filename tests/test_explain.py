"""Explanations: the same numbers as the score, the figures of the documents, and no token that breaks a page."""

import html
import json
import math
import re
import shutil
import subprocess
import unicodedata
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_lit.bleu import stats_of_segment
from bleu_lit.blocks import PALETTE, markdown_code, markdown_span, mathml, visible
from bleu_lit.core import BleuInputError, MissingReferenceError, SegmentTypeError, SettingsError, StatisticsError, StringForListError
from bleu_lit.corpus import CorpusDerivation, explain_corpus
from bleu_lit.engine import segment_rows
from bleu_lit.explain import EXAMPLES, STEPS, Derivation, explain
from bleu_lit.parts import adding_up, ngram_credits, order_shares
from bleu_lit.precision import clipped_counts, plain_precision
from bleu_lit.report import compare
from bleu_lit.score import sentence_bleu
from bleu_lit.settings import MTEVAL, NLTK, PAPER, SACREBLEU, parse_signature
from bleu_lit.smoothing import SMOOTHING

NASTY = {
    "script": "<script>alert(1)</script>",
    "ampersand": "&amp;",
    "pipe": "a|b",
    "dollar": "$x$",
    "display": "$$",
    "backtick": "`code`",
    "backticks": "``",
    "star": "*bold*",
    "underscore": "_it_",
    "bracket": "[link](javascript:alert)",
    "image": "![x](y)",
    "backslash": r"\frac",
    "parenthesis": r"\(x\)",
    "environment": r"\begin{align}",
    "newline": "line\nbreak",
    "return": "a\rb",
    "tab": "a\tb",
    "separator": "a\u2028b",
    "next line": "a\x85b",
    "escape": "\x1b[2J",
    "csi": "\x9b31m",
    "bell": "\x07",
    "nul": "\x00",
    "delete": "\x7f",
    "rtl mark": "\u200f",
    "rtl override": "\u202eabc",
    "isolate": "\u2067abc",
    "zero width": "a\u200bb",
    "bom": "\ufeff",
    "variation": "a\ufe0f",
    "surrogate": "\ud800",
    "hebrew": "שלום",
    "wide": "漢字",
    "combining": "\u0301",
    "blank": "New York",
    "empty": "",
    "template": "{{< include x >}}",
    "citation": "@someone",
    "autolink": "https://example.org",
    "quotes": "\"'",
    "tilde": "~~x~~",
    "cell": "</code>|",
}


def columns(text: str) -> int:
    return sum(0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def code_elements(markdown: str) -> list[str]:
    """What a reader sees in the code elements."""
    return [html.unescape(found) for found in re.findall("<code>(.*?)</code>", markdown)]


class Fragment(HTMLParser):
    """The text of a fragment, whose elements must be closed in order and be among those that we write."""

    void = ("input", "br")

    def __init__(self):
        super().__init__()
        self.open, self.text, self.tags, self.attributes = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text.append(data)


HTML_TAGS = {"section", "style", "h3", "h4", "span", "p", "ul", "li", "div", "code", "bdi", "table", "thead", "tbody", "tr", "th", "td"}
MATH_TAGS = {"math", "mrow", "mi", "mn", "mo", "msub", "msup", "mfrac", "mtext", "mspace"}


def well_formed(page: str) -> Fragment:
    """Read a fragment, and check that it is one of ours."""
    reader = Fragment()
    reader.feed(page)
    reader.close()
    assert not reader.open and reader.tags <= HTML_TAGS | MATH_TAGS
    assert not [name for name in reader.attributes if name.startswith("on") or name in ("href", "src", "style")]
    assert all(line.isprintable() for line in page.split("\n"))
    return reader


def balanced(source: str) -> None:
    """Check that LaTeX source closes what it opens, and uses only the commands that we mean."""
    plain = re.sub(r"\\[#$%&_{}\\]", "", source)
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") == plain.count("#") == plain.count("~") == plain.count("|") == 0
    assert [line[:1] for line in plain.splitlines() if "%" in line] == ["%"] * 2 and plain.count("%") == 2  # what the preamble needs
    commands = set(re.findall(r"\\[A-Za-z]+", plain))
    known = "par noindent textbf medskip begin end item texttt small ttfamily raggedright hspace hline endhead linewidth frac tfrac left right qquad quad"
    known += " approx cdot infty mathrm text textbackslash textasciicircum textasciitilde textless textgreater textbar textasciigrave symbol"
    known += " ensuremath langle rangle textvisiblespace circ usepackage setmonofont begingroup endgroup footnotesize"
    known += " tabcolsep multicolumn allowbreak noalign smallskip textendash textquotesingle"
    assert commands <= {f"\\{name}" for name in known.split()}, commands
    stack = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", source):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack and source.count(r"\[ ") == source.count(r" \]")
    assert "^" not in re.sub(r"\\\[ .*? \\\]", "", plain)


# ---- The examples of the documents


def test_german_line_by_line():
    # claim: 004-10, 004-11, 004-12, 004-13, 004-14, 004-15, 004-16, 004-17, 004-18
    lines = [line.strip() for line in EXAMPLES["german"].explain().text(width=100).splitlines()]
    expected = [
        "candidate, 8 tokens: die die stürzen geben die schuld dem baum",
        "reference 1, 10 tokens: alle leute welche stürzen geben die schuld dem nächsten baum",
        "reference 2, 7 tokens: wer stürzt gibt die schuld einem baum",
        "order 1: 8 n-grams, 6 distinct",
        "order 1: 6 of 8 credited",
        "3      1      1      1  ref 1         1  clipped  die",
        "1      0      0      0  –             0  missed  dem baum",
        "p_1 = 6/8 = 0.75   (plain 8/8)",
        "p_2 = 4/7 ≈ 0.5714   (plain 4/7)",
        "p_3 = 3/6 = 0.5   (plain 3/6)",
        "p_4 = 2/5 = 0.4   (plain 2/5)",
        "candidate: c = 8",
        "reference 1: 10 tokens, 2 away",
        "reference 2: 7 tokens, 1 away",
        "r = 7: the length closest to c = 8",
        "BP = 1, since c > r (8 > 7)",
        "w_n = 1/4 for n = 1, 2, 3, 4",
        "p_n     ln p_n  w_n  w_n · ln p_n  part",
        "6/8  -0.287682  1/4     -0.071920  order 1",
        "4/7  -0.559616  1/4     -0.139904  order 2",
        "3/6  -0.693147  1/4     -0.173287  order 3",
        "2/5  -0.916291  1/4     -0.229073  order 4",
        "0.000000  brevity: ln BP",
        "-0.614184  sum: ln BLEU",
        "BLEU = exp(-0.614184) ≈ 0.5411",
        "G = (6/8 · 4/7 · 3/6 · 2/5)^(1/4) = (3/35)^(1/4) ≈ 0.5411",
        "BLEU = BP · G = 1 · (3/35)^(1/4) ≈ 0.5411",
    ]
    places = [lines.index(line) for line in expected]
    assert places == sorted(places)
    headings = [line for line in lines if re.match(r"\d\w? ", line) and line.split(":")[0].split(" ", 1)[1] in (*STEPS, "Smooth")]
    assert [line.split(":")[0] for line in headings] == [f"{number} {name}" for number, name in enumerate(STEPS, 1)]


def test_german_page():
    page = EXAMPLES["german"].explain().markdown()
    for part in [
        r"p_{1} = \frac{6}{8} = 0.75",
        r"p_{2} = \frac{4}{7} \approx 0.5714",
        r"p_{3} = \frac{3}{6} = 0.5",
        r"\left(\frac{6}{8} \cdot \frac{4}{7} \cdot \frac{3}{6} \cdot \frac{2}{5}\right)^{1/4} = \left(\tfrac{3}{35}\right)^{1/4} \approx 0.5411",
        "| <code>die</code> | 3 | 1 | 1 | 1 | ref 1 | 1 | clipped |",
        "| <code>dem baum</code> | 1 | 0 | 0 | 0 | – | 0 | missed |",
    ]:
        assert part in page
    assert page.count("$$") % 2 == 0


@pytest.mark.parametrize(
    ("name", "counts"),
    [("paper-1", [(17, 18), (10, 17)]), ("paper-2", [(8, 14), (1, 13)]), ("the-the", [(2, 7)]), ("german", [(6, 8), (4, 7), (3, 6), (2, 5)])],
)
def test_published_counts(name, counts):
    # claim: 002-04
    found = EXAMPLES[name].explain()
    assert [(step.matched, step.total) for step in found.orders][: len(counts)] == counts
    assert EXAMPLES[name].source


def test_plain_precision_stands_beside():
    # claim: 001-03
    found = EXAMPLES["the-the"].explain()
    assert "p_1 = 2/7 ≈ 0.2857   (plain 7/7)" in found.text(100)
    for name in EXAMPLES:
        found = EXAMPLES[name].explain()
        for step in found.orders:
            assert Fraction(step.plain_matched, step.total) == plain_precision(found.candidate, found.references, step.n)


def test_zero_has_its_reason():
    found = EXAMPLES["paper-2"].explain()
    assert found.value == 0.0
    assert found.notes[0].startswith("the score is 0 because")
    assert "the score is 0 because" in found.text(200) and "the score is 0 because" in found.markdown()


# ---- The same numbers as everywhere else

TOKENS = st.sampled_from(["a", "b", "c", "the", "<b>", "\u200f", "", 7])
SEGMENT = st.lists(TOKENS, max_size=9)
TEXT = st.one_of(st.text(max_size=30), st.lists(st.sampled_from("the cat sat on a mat . , it's".split()), max_size=12).map(" ".join))
LENGTHS = st.sampled_from(["closest", "shortest", "average"])
WEIGHTS = st.sampled_from([None, [1], [0, 1], [0.5, 0.5], [0.1, 0.3, 0.5, 0.1], ["1/3", "1/3", "1/3"], [0.333, 0.333, 0.334], [0.2] * 5])
CHOICES = {"smooth": st.sampled_from(list(SMOOTHING)), "reference_length": LENGTHS, "effective_order": st.booleans(), "weights": WEIGHTS}


def check(found, candidate, references, settings, changes):
    """What must hold of every derivation."""
    score = sentence_bleu(candidate, references, settings, **changes)
    assert math.copysign(1, found.value) == 1
    assert (found.value, found.exact, found.signature, found.notes) == (score.value, score.exact, score.signature, score.notes)
    row = tuple(found.stats.row)
    group = [reference for reference in references if reference is not None]
    assert row == tuple(segment_rows([candidate], [group], found.settings)[0])
    assert row == stats_of_segment(found.candidate, found.references, found.settings.counted_orders, found.settings.reference_length).row
    for step in found.orders:
        table = clipped_counts(found.candidate, found.references, step.n)
        assert [(s.ngram, (s.count, s.bound, s.credited)) for s in step.ngrams] == [(ngram, tuple(counts)) for ngram, counts in table.items()]
        for s in step.ngrams:
            counts = s.reference_counts
            assert (s.bound_by is None) == (s.bound == 0)
            if s.bound:
                assert counts[s.bound_by] == s.bound > max(counts[: s.bound_by], default=0)
    used = tuple((step.smoothed or Fraction(0), step.weight) for step in found.orders if step.weight)
    assert used == found.exact.factors or (found.value == 0 and found.settings.effective_order and set(used) <= {(0, weight) for _, weight in used})
    assert sum(weight for _, weight in used) == (1 if used else 0)
    if found.settings.effective_order and not any(found.score.smoothed_precisions):  # no smoothing applies: absent is what has no n-gram
        assert all(step.total for step in found.orders if step.weight)
    parts = [*found.logs.orders, found.logs.brevity]
    if found.value:
        assert sum(map(Fraction, parts)) == Fraction(found.logs.total)
        assert math.isclose(math.exp(found.logs.total), found.value, rel_tol=1e-14)
    else:
        assert not found.logs.finite and any(part.is_infinite() for part in parts)
    for width in (50, 80):
        lines = found.text(width=width, full=True).split("\n")
        assert all(columns(line) <= width for line in lines if line != visible(found.signature, " "))
        assert all(line.isprintable() for line in lines)
    page = found.markdown(full=True)
    assert all(line.isprintable() for line in page.split("\n"))
    assert page.count("$") == 4 * len(re.findall(r"^\$\$[^$]+\$\$$", page, re.M))
    assert json.loads(found.to_json()) == found.to_dict()
    again = Derivation.from_json(found.to_json())
    assert again == found and again.text(80) == found.text(80) and again.to_json() == found.to_json()
    well_formed(found.html(full=True))
    balanced(found.latex(full=True))


@given(SEGMENT, st.lists(st.one_of(SEGMENT, st.none()), max_size=3), SEGMENT, st.fixed_dictionaries({}, optional=CHOICES))
def test_tokens_agree_with_the_score(candidate, references, last, changes):
    references = [*references, last]
    check(explain(candidate, references, **changes), candidate, references, None, changes)


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), st.sampled_from([None, SACREBLEU, PAPER, NLTK, "mteval"]), st.fixed_dictionaries({}, optional=CHOICES))
def test_text_agrees_with_the_score(candidate, references, settings, changes):
    check(explain(candidate, references, settings, **changes), candidate, references, settings, changes)


def test_default_is_that_of_sentence_bleu():
    assert "eff:yes" in explain("a b", ["a b"]).signature
    assert explain("a b", ["a b"]).value == 1.0
    assert explain("a b", ["a b"], SACREBLEU).value == 0.0


def test_effective_order_shares_the_weight():
    found = explain("a b", ["a b"], weights=[0.1, 0.3, 0.5, 0.1])
    assert [step.weight for step in found.orders] == [Fraction(1, 4), Fraction(3, 4), 0, 0]
    assert "orders 3, 4 have no n-gram and are dropped" in found.text(100)
    assert "order 2 has weight 0" in explain("a b", ["a b"], weights=[1, 0]).text(100)


# ---- Lengths


@pytest.mark.parametrize(
    ("lengths", "method", "r", "words"),
    [
        ([10, 7], "closest", 7, "closest to c = 8"),
        ([10, 6], "closest", 6, "6 and 10 are equally close to c = 8, and the shorter counts"),
        ([6, 6], "closest", 6, "closest to c = 8"),
        ([10, 2], "shortest", 2, "shortest"),
        ([10, 7], "average", Fraction(17, 2), "the average of 10 and 7"),
        ([9], "closest", 9, "only reference"),
    ],
)
def test_reason_of_the_reference_length(lengths, method, r, words):
    # claim: 004-05
    found = explain(["a"] * 8, [["a"] * length for length in lengths], reference_length=method)
    assert (found.reference_lengths, found.distances) == (tuple(lengths), tuple(abs(length - 8) for length in lengths))
    assert found.reference_length == r
    assert words in found.reason and f"r = {r}: " in found.text(200)


def test_penalty_is_written_with_its_exponent():
    found = explain(["a"] * 8, [["a"] * 9])
    assert "BP = exp(1 - r/c) = exp(1 - 9/8) = exp(-1/8) ≈ 0.8825, since c < r (8 < 9)" in found.text(120)
    assert r"e^{1 - 9/8} = e^{-1/8} \approx 0.8825" in found.markdown()
    assert (found.brevity_exponent, found.brevity_penalty) == (Fraction(-1, 8), math.exp(-1 / 8))
    half = explain(["a"] * 4, [["a"] * 4, ["a"] * 5], reference_length="average")
    assert "exp(1 - (9/2)/4) = exp(-1/8)" in half.text(120)


def test_empty_candidate():
    found = explain("", ["a b"])
    assert found.value == 0.0 and found.brevity_exponent is None
    assert "BP = 0, since the candidate is empty" in found.text(100)
    assert explain("", [""]).brevity_exponent == 0


def test_absent_references_keep_their_numbers():
    found = explain("a b", [None, "", "a b"], blank_references="absent")
    assert (found.positions, len(found.references)) == ((2,), 1)
    assert "reference 3" in found.text(100) and "ref 3" in found.text(100)
    assert explain("a b", [None, "", "a b"]).positions == (1, 2)
    with pytest.raises(MissingReferenceError):
        explain("a b", [" "], blank_references="absent")


# ---- Smoothing


def test_smoothing_is_a_step_only_if_it_changed_something():
    changed = explain("we met at the old station", ["we met at an old station"])
    assert "4b Smooth: exp" in changed.text(100) and "**4b Smooth**" in changed.markdown()
    assert "(was 0/" in changed.text(100)
    for same in (explain("a b c d", ["a b c d"]), explain("x", ["y"]), explain("a b c d x", ["a b c d"], smooth="add-k", smooth_value=0)):
        assert "Smooth" not in same.text(100) and "Smooth" not in same.markdown()
    assert explain("a b c d e", ["a b c d f"], smooth="floor").text(100).count("was") == 0


def test_smoothing_that_looks_beyond_the_last_order():
    found = explain("a b c d e f", ["a b c d e g"], smooth="average")
    assert [step.n for step in found.orders] == [1, 2, 3, 4, 5]
    assert (found.orders[4].smoothed, found.orders[4].weight) == (None, None)
    assert "counted only for the smoothing average" in found.text(100)


def test_unreadable_closed_forms_are_not_printed():
    found = explain("a b c d", ["a b x d"], smooth="length", weights=[0.333, 0.333, 0.334])  # a root of thousandth order, of 40 digits
    assert "The closed form is too long to read" in found.text(100)
    assert max(map(len, found.text(100).splitlines())) < 130
    assert found.to_dict()["closed_form"] is None


# ---- Long tables


def test_long_tables_say_what_they_leave_out():
    candidate = [f"w{i}" for i in range(30)] + ["x"] * 3
    references = [[f"w{i}" for i in range(25)] + ["x"]]
    found = explain(candidate, references, max_order=1)
    lines = found.text(100).splitlines()
    head = next(i for i, line in enumerate(lines) if "n-gram" in line and "count" in line)
    rows = lines[head + 1 : head + 13]
    assert [line.split()[-2] for line in rows[:6]] == ["missed"] * 5 + ["clipped"]
    assert lines[head + 13].strip() == "19 more rows are left out here (19 credited); full=True lists all"
    assert "19 more rows are left out here (19 credited)" in found.markdown()
    for shown in (found.text(100, full=True), found.markdown(full=True)):
        assert "left out" not in shown
        assert all(re.search(rf"\b{token}\b", shown) for token in candidate)
    assert "left out" not in explain(candidate[:12], references, max_order=1).text(100)
    lost = explain([f"v{i}" for i in range(20)], references, max_order=1)
    assert "8 more rows are left out here (8 missed)" in lost.text(100)
    assert [len(step.ngrams) for step in found.orders] == [31] == [len(order["ngrams"]) for order in found.to_dict()["orders"]]


# ---- Tokens that would break a page


@pytest.mark.parametrize("name", NASTY)
def test_no_token_breaks_text(name):
    token = NASTY[name]
    found = explain([token, "a", token], [[token, "b"]], max_order=2)
    plain = explain(["x", "a", "x"], [["x", "b"]], max_order=2)
    lines = found.text(width=100).split("\n")
    assert len(lines) == len(plain.text(width=100).split("\n")) + 2 * (token == "" or " " in token.strip())  # a note of two lines
    assert all(line.isprintable() for line in lines)
    assert "⟨U+" not in plain.text(100)
    if not token.isprintable():
        assert f"⟨U+{next(ord(c) for c in token if not c.isprintable()):04X}⟩" in found.text(100)


@pytest.mark.parametrize("name", NASTY)
def test_no_token_breaks_a_page(name):
    token = NASTY[name]
    found = explain([token, "a", token], [[token, "b"]], max_order=2)
    plain = explain(["x", "a", "x"], [["x", "b"]], max_order=2)
    page, other = found.markdown(), plain.markdown()
    (signature,) = re.findall("\n\n`([^`]*)`\n\n", page)  # by itself, and as it is, to be copied
    assert signature == found.score.signature and "token" not in signature
    page = page.replace(f"`{signature}`", "")
    other = other.replace(f"`{plain.score.signature}`", "")
    assert page.count("|") == other.count("|") and page.count("$") == other.count("$") and page.count("`") == 0
    assert set(re.findall("<.*?>", page)) == {"<code>", "</code>"}
    outside = re.sub("<code>.*?</code>", "", page)
    assert "script" not in outside.replace("description", "")
    written = "".join(re.findall("<code>(.*?)</code>", page))
    assert not re.search(r"[<>|$`*_\[\]\\~@{}!\"']", written), "punctuation stands as character references"
    assert visible(token) in code_elements(page)
    assert found._repr_markdown_() == found.markdown()


@pytest.mark.parametrize("name", NASTY)
def test_no_token_breaks_html_or_latex(name):
    token = NASTY[name]
    found = explain([token, "a", token], [[token, "b"]], max_order=2)
    reader = well_formed(found.html())
    plain = well_formed(explain(["x", "a", "x"], [["x", "b"]], max_order=2).html())
    assert reader.tags == plain.tags and len(reader.attributes) == len(plain.attributes)
    assert visible(token) in "".join(reader.text)
    balanced(found.latex())
    other = explain(["x", "a", "x"], [["x", "b"]], max_order=2).latex()
    assert len(re.findall(r"(?<!\\)&", found.latex())) == len(re.findall(r"(?<!\\)&", other))


@pytest.mark.parametrize("name", ["script", "pipe", "dollar", "escape", "rtl override", "newline"])
def test_texts_as_given_are_escaped_too(name):
    text = f"one {NASTY[name]}  two"
    found = explain(text, [text], tokenize="none")
    assert all(line.isprintable() for line in found.text(100).split("\n"))
    page = found.markdown()
    assert set(re.findall("<.*?>", page)) == {"<code>", "</code>"}
    other = " ".join(f"x{i}" for i in range(len(found.candidate)))
    assert page.count("|") == explain(other, [other], tokenize="none").markdown().count("|")


@given(st.text(max_size=20))
def test_visible_is_printable_and_markdown_gives_it_back(text):
    shown = visible(text)
    assert shown.isprintable() and shown
    assert html.unescape(markdown_code(shown).removeprefix("<code>").removesuffix("</code>")) == shown


def test_right_to_left_rows_keep_their_columns():
    lines = explain(["שלום"], [["שלום"]]).text(100).splitlines()
    row = next(line for line in lines if line.rstrip().endswith("שלום") and "ref 1" in line)
    assert row.index("ref") < row.index("ש")


def test_wide_characters_count_twice():
    found = explain(["漢" * 60], [["漢" * 60]])
    assert all(columns(line) <= 80 for line in found.text(80).split("\n"))
    assert "".join(found.text(80).split()).count("漢") == 3 * 60


def test_tokens_that_are_no_text():
    found = explain([1, (2, 3), 1.5], [[1, (2, 3), 2.5]], max_order=1)
    assert "(2,␣3)" in found.text(100)
    assert found.to_dict()["candidate"]["tokens"] == [1, {"tuple": [2, 3]}, 1.5]


def test_custom_tokenizer_name_is_escaped():
    def words(text):
        return text.split()

    found = explain("a b", ["a b"], tokenize=words)
    page = found.markdown()
    assert "<locals>" in found.score.signature and page.count(span := f"\n\n`{found.score.signature}`\n") == 1  # code, in which < is no mark
    assert set(re.findall("<.*?>", page.replace(span, ""))) == {"<code>", "</code>"}


def rendered_span(text: str) -> str:
    """A line that is one code span, read by the rules of CommonMark 0.31, section 6.1."""
    fence = re.match("`+", text)[0]
    inside = text.removeprefix(fence).removesuffix(fence)
    assert text == fence + inside + fence and not re.search(rf"(?<!`){fence}(?!`)", inside) and inside[:1] != "`" != inside[-1:]
    return inside[1:-1] if inside[:1] == inside[-1:] == " " and inside.strip(" ") else inside


@given(st.text(alphabet="`a| <\\", min_size=1).filter(lambda text: text.strip(" ")))
def test_a_code_span_shows_what_it_was_given(text):
    assert rendered_span(markdown_span(text)) == text


# ---- Input, values


def test_bad_input():
    for call in (
        lambda: explain("a", "a"),
        lambda: explain("a", b"a"),
    ):
        with pytest.raises(StringForListError, match=r"\[reference\]"):
            call()
    wrong = [(None, ["a"]), (["a"], ["a"]), (b"a", ["a"]), (1, ["a"])]
    for candidate, references in [*wrong, *(("a", refs) for refs in ([], None, [None], [["a"]], [1], {"a"}))]:
        with pytest.raises(BleuInputError):
            explain(candidate, references)
    with pytest.raises(BleuInputError, match="lowercase"):
        explain(["a"], [["a"]], lowercase=True)
    for width in (0, -1, "80", 80.0, True):
        with pytest.raises(SettingsError, match="width"):
            explain("a", ["a"]).text(width=width)


def test_generators_and_tuples_of_references():
    assert explain("a b", (text for text in ["a b"])) == explain("a b", ("a b",)) == explain("a b", ["a b"])


def test_it_is_a_value():
    found = EXAMPLES["german"].explain()
    assert found == EXAMPLES["german"].explain()
    with pytest.raises(AttributeError):
        found.candidate = ()
    assert "54.11" in repr(found) and "\n" not in repr(found)
    assert parse_signature(found.signature, [EXAMPLES["german"].settings.tokenize]) == found.settings


def test_dict_holds_the_counts():
    data = json.loads(EXAMPLES["german"].explain().to_json())
    assert [order["precision"] for order in data["orders"]] == ["6/8", "4/7", "3/6", "2/5"]
    assert data["closed_form"] == "(3/35)^(1/4)"
    assert data["brevity"]["reference_length"] == 7 and data["brevity"]["distances"] == [2, 1]
    first = data["orders"][0]["ngrams"][0]
    assert first == {"ngram": ["die"], "count": 3, "reference_counts": [1, 1], "bound": 1, "credited": 1, "bound_by": 0}
    average = explain(["a"] * 4, [["a"] * 4, ["a"] * 5], reference_length="average").to_dict()
    assert average["brevity"]["reference_length"] == "9/2"
    assert json.loads(json.dumps(average)) == average


def test_credits_of_several_references():
    found = {s.ngram: s for s in ngram_credits("aab", ["ab", "aab", "aa"], 1)}
    assert found[("a",)].reference_counts == (1, 2, 2) and found[("a",)].bound_by == 1
    assert found[("b",)].bound_by == 0


# ---- Effective order and a 0


def test_absent_orders_are_dropped_even_if_nothing_matches():
    found = explain("Zhongjian Plaza", ["a market"])
    text = found.text(100)
    assert "w_n = 1/2 for n = 1, 2" in text and "w_n = 1/4" not in text
    assert "G = (0/2 · 0/1)^(1/2) = 0" in text
    assert "orders 3, 4 have no n-gram and are dropped" in text
    assert [step.weight for step in found.orders] == [Fraction(1, 2), Fraction(1, 2), 0, 0]
    strict = explain("Zhongjian Plaza", ["a market"], SACREBLEU).text(100)
    assert "w_n = 1/4 for n = 1, 2, 3, 4" in strict and "G = (0/2 · 0/1 · 0 · 0)^(1/4) = 0" in strict


@pytest.mark.parametrize(("candidate", "weights"), [("", None), ("a", [0, 1])])
def test_no_order_is_left(candidate, weights):
    found = explain(candidate, ["a b"], weights=weights, effective_order=True, smooth="none")
    assert found.value == 0.0 and not found.logs.finite
    assert not any(order_shares(found.score))
    assert "no order is left to take the mean of" in found.text(100)
    assert "G = 0" in found.text(100)


# ---- Logarithms


@given(st.lists(st.decimals(-9, 0, places=12), min_size=1, max_size=9), st.integers(1, 9))
def test_printed_parts_add_up(values, digits):
    *parts, total = adding_up(values, digits)
    assert sum(map(Fraction, parts)) == Fraction(total)
    unit = Fraction(1, 10**digits)
    for value, part in zip(values, parts, strict=True):
        assert abs(Fraction(part) - Fraction(value)) < unit
    assert abs(Fraction(total) - sum(map(Fraction, values))) <= unit / 2
    assert adding_up([*values, Decimal("-Infinity")], digits)[-2:] == ["-∞", "-∞"]


# ---- There and back


def test_tokenizers_come_back_by_name():
    found = EXAMPLES["german"].explain()
    function = EXAMPLES["german"].settings.tokenize
    assert Derivation.from_json(found.to_json(), [function]) == found
    by_name = Derivation.from_json(found.to_json())
    assert by_name.to_json() == found.to_json() and by_name.markdown() == found.markdown()
    assert Derivation.from_json(found.to_json()) == by_name
    with pytest.raises(StatisticsError, match="tokenizers="):
        sentence_bleu("neu", ["neu"], by_name.settings)


def test_data_that_were_changed_are_refused():
    good = explain("a b c", ["a b d"]).to_dict()
    for change in (
        {"value": 0.5},
        {"brevity": good["brevity"] | {"reference_length": 4}},
        {"orders": good["orders"][:-1]},
        {"candidate": {"text": "a b c d", "tokens": ["a", "b", "c", "d"]}},
        {"kind": "corpus"},
        {"signature": good["signature"].replace("exp", "floor[0.10]")},
    ):
        with pytest.raises(StatisticsError, match="follow from the tokens"):
            Derivation.from_dict(good | change)
    for bad in ({}, {"candidate": 1}, [], None, good | {"references": 3}, good | {"candidate": {}}):
        with pytest.raises(BleuInputError):
            Derivation.from_dict(bad)
    with pytest.raises(StatisticsError, match="JSON can hold"):
        Derivation.from_dict(explain([Fraction(1, 2)], [[Fraction(1, 2)]]).to_dict())


def places(data, path=()):
    """The path of every value in plain data."""
    if path:
        yield path
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield from places(data[key], (*path, key))


def put(data, path, value):
    """A copy of plain data with another value in one place."""
    copied = json.loads(json.dumps(data))
    at = copied
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copied


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (Derivation, explain("a b c", ["a b d", None, "a b"])),
        (Derivation, explain(["a", 1.0, True, (1, b"x"), float("inf")], [["a", True]], MTEVAL)),
        (CorpusDerivation, explain_corpus(["a b c x", "c d"], [["a b c y", None], ["c", "d"]])),
    ],
    ids=["text", "tokens", "corpus"],
)
def test_no_value_of_a_record_can_be_changed_in_silence(read, found):
    """Each value of the data, in every depth, by two others; but the place of a reference and the number of kept n-grams may be others."""
    good = found.to_dict()
    assert read.from_json(found.to_json()).to_dict() == good
    for number, path in enumerate(places(good)):
        others = [None, 5, True, "x", {}, [[]], 1.5, {"float": "x"}, {"tuple": 5}, {"bytes": "zz"}, -1, {"tuple": [{}]}]
        free = path[-1] in ("position", "ngrams_kept")
        for value in others[2:] if free else (others[number % len(others)], others[(number + 5) % len(others)]):
            if put(good, path, value) != good:
                with pytest.raises(BleuInputError, match=r"expected .*, got ") as caught:
                    read.from_dict(put(good, path, value))
                assert "Error" not in str(caught.value)
    with pytest.raises(StatisticsError, match="'more'"):
        read.from_dict(good | {"more": 1})


@pytest.mark.parametrize(
    ("read", "found"), [(Derivation, explain("a b c", ["a b d", "a b"])), (CorpusDerivation, explain_corpus(["a b c x", "c d"], [["a b c y"], ["c", "d"]]))]
)
def test_a_number_of_a_record_is_of_its_kind(read, found):
    """JSON tells true from 1, and 1 from 1.0 and "1"; only a float may come back as a whole number, since JavaScript writes 1.0 as 1."""
    good, tried = found.to_dict(), 0
    for path in places(good):
        value = good
        for key in path:
            value = value[key]
        others = [float(value), str(value), *([bool(value)] if value in (0, 1) else [])] if type(value) is int else [str(value)] if type(value) is float else []
        for other in others:
            tried += 1
            with pytest.raises(StatisticsError):
                read.from_dict(put(good, path, other))
        if type(value) is float and value.is_integer():
            assert read.from_dict(put(good, path, int(value))).to_dict() == good
    assert tried > 100


def test_references_stand_where_they_stood():
    good = explain("a b c", ["a b d", "a b"]).to_dict()
    for first, second in ((1, 0), (1, 1), (None, 1), ("x", 1), ([], 1), (True, 2), (-1, 0)):
        changed = put(put(good, ("references", 0, "position"), first), ("references", 1, "position"), second)
        with pytest.raises(StatisticsError, match=r"references.*(whole number|rise)"):
            Derivation.from_dict(changed)


@pytest.mark.parametrize("read", [Derivation, CorpusDerivation])
@pytest.mark.parametrize("text", ["{", "", None, 5, "[" * 100_000, "[]", "{}", "null", "5", b"\xff", '{"a": NaN}'], ids=lambda text: repr(text)[:12])
def test_what_is_no_record_is_refused_in_a_line(read, text):
    with pytest.raises(StatisticsError, match=r"(text|data): expected .*, got .*Give what to_(json|dict) made") as caught:
        read.from_json(text)
    assert len(str(caught.value)) < 400


# ---- Pages


def relative_luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", PALETTE)
def test_contrast(scheme):
    colours = PALETTE[scheme]
    for name in ("ink", "muted", "credited", "clipped", "missed"):
        for ground in ("paper", "shade"):
            light, dark = sorted((relative_luminance(colours[name]), relative_luminance(colours[ground])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{name} on {ground}"


def test_html_needs_nothing_else():
    page = EXAMPLES["german"].explain().html()
    assert "<script" not in page and "http" not in page and "url(" not in page and "@import" not in page
    assert "prefers-color-scheme:dark" in page and '[data-theme="dark"]' in page and ".quarto-dark" in page
    reader = well_formed(page)
    assert "dem baum" in "".join(reader.text).replace("dembaum", "dem baum")
    assert page.count('class="bl-title"') == page.count("<table aria-label=") == 5
    assert page.count('scope="row"') == page.count("<tr>") - 5


def test_latex_is_written_as_a_book_would():
    source = EXAMPLES["german"].explain().latex()
    for line in [
        r"\[ p_{1} = \frac{6}{8} = 0.75 \qquad \left(\text{plain } P_{1} = \frac{8}{8}\right) \]",
        r"\raggedright \texttt{die} & 3 & 1 & 1 & 1 & ref 1 & 1 & clipped \\",
        r"\[ \mathrm{BLEU} = \mathrm{BP} \cdot G = 1 \cdot \left(\tfrac{3}{35}\right)^{1/4} \approx 0.5411 \]",
    ]:
        assert line in source.splitlines(), line


def test_mathml_reads_all_that_derivations_write():
    for smooth in SMOOTHING:
        for segment in (("a b c d e", ["a b x d"]), ("a", ["a b"]), ("", ["a"]), ("x", ["y"])):
            page = explain(*segment, smooth=smooth).html()
            assert "\\" not in re.sub(r'alttext="[^"]*"', "", page)
    assert mathml(r"e^{-1/8}") == (
        '<math display="block" alttext="e^{-1/8}"><mrow><msup><mi>e</mi><mrow><mo>−</mo><mn>1</mn><mo>/</mo><mn>8</mn></mrow></msup></mrow></math>'
    )


def test_many_references():
    references = [f"a b {i}" for i in range(12)]
    found = explain("a b c", references)
    assert "in the references" in found.text(100) and "1 1 1 1 1 1 1 1 1 1 1 1" in found.text(100)
    assert all(columns(line) <= 50 for line in found.text(50).splitlines() if line != found.signature)
    assert "ref 12" not in found.text(100).split("3 Clip")[1].split("4 Prec")[0]


PAPERS = {
    "german": lambda: EXAMPLES["german"].explain(),
    "zero": lambda: EXAMPLES["paper-2"].explain(),
    "smoothed": lambda: explain("the cat sat on a mat", ["the cat sat by a mat"], smooth="average", weights=["1/2", "1/4", "1/8", "1/8"]),
    "many references": lambda: explain("the cat sat on the mat", ["the cat x"] * 8),
    "hostile": lambda: explain([*r"# $ % & _ { } ~ ^ \ < > | [ ] \" ' ` -- --- ?` ,, \end{itemize} %".split(), "a b", "x" * 90], [["#", "$x$"]], max_order=2),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_leaves_the_paper(paper, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    preamble = r"\usepackage[T1]{fontenc}\usepackage{amsmath,longtable}"  # as the source asks
    source = "\n".join([r"\documentclass{article}", preamble, r"\begin{document}", PAPERS[paper]().latex(full=True), r"\end{document}"])
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    for _ in range(2):  # a longtable learns its widths in the first run
        run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=tmp_path, capture_output=True, check=False)
        log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
        if "File `" in log and "not found" in log:
            pytest.skip(re.search(r"File `[^']+' not found", log)[0])
        assert run.returncode == 0, log[-2000:]
    assert "Missing character" not in log
    wide = [float(points) for points in re.findall(r"^Overfull \\hbox \(([\d.]+)pt", log, re.M)]
    assert not [points for points in wide if points > 1], "something stands beyond the edge of the page"


@pytest.mark.parametrize("codes", [[0xD800], [0xDFFF], [0xDFFF, 0xD800], [0x103FF]])
def test_half_a_character_comes_back_from_json(codes):
    half = "".join(map(chr, codes))
    for made in (explain(f"a{half} b", [f"a {half}"]), explain_corpus([f"a{half} b"], [[f"a {half}"]])):
        for indent in (None, 2):
            written = made.to_json(indent)
            read = type(made).from_json(written)
            assert written.isascii() and read == made and read.to_dict() == made.to_dict()


def test_two_halves_that_json_would_join_are_refused():
    """JSON writes U+103FF as \\ud800\\udfff (RFC 8259, section 7), so that two halves side by side would be read as that character."""
    assert json.loads(json.dumps("\ud800\udfff")) == "\U000103ff"
    for made in (explain("a \ud800\udfff", ["a"]), explain("a", ["a \ud800\udfff"]), explain_corpus(["a"], [["\ud800\udfffb"]])):
        with pytest.raises(SegmentTypeError, match="side by side"):
            made.to_json()
        assert str(made)
    report = compare({"\ud800\udfff": ["a b", "c"], "b": ["a b", "c"]}, [["a b"], ["d"]], samples=10)
    with pytest.raises(SegmentTypeError, match="side by side"):
        report.json()
