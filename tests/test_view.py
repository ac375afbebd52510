"""The picture of an explanation: the same counts, no token that breaks it, nothing that only a colour tells."""

import html
import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_explain import NASTY, relative_luminance

from bleu_lit.blocks import PALETTE, text_columns, visible
from bleu_lit.core import BleuInputError, OrderError
from bleu_lit.corpus import explain_corpus
from bleu_lit.corpus_explorer import CorpusExplorer
from bleu_lit.explain import EXAMPLES, explain
from bleu_lit.view import MARK_STYLES, View, candidate_marks, direction, reference_marks, view

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = st.sampled_from(["a", "b", "the", "<b>", "שלום", "\u202e", "", "漢字", "x" * 70, 7])
SEGMENT = st.lists(TOKENS, max_size=14)
GERMAN = EXAMPLES["german"].explain()


class Page(HTMLParser):
    """What a fragment holds; its elements must be closed in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.found, self.text = [], [], []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag != "input":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text.append(data)

    def all(self, tag):
        return [attributes for found, attributes in self.found if found == tag]


def drawn(d, n, width=760):
    """The picture as an element tree, which must be well formed and within its frame."""
    source = view(d, n).svg(width)
    assert source.isprintable()
    tree = ET.fromstring(source)
    frame = [float(side) for side in tree.get("viewBox").split()]
    for text in tree.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x")) <= frame[2] and 0 <= float(text.get("y")) <= frame[3]
    for path in tree.iter(f"{SVG}path"):
        line = re.fullmatch(r"M([\d.]+) ([\d.]+)H([\d.]+)", path.get("d"))
        if line:
            left, top, right = map(float, line.groups())
            assert 0 <= left < right <= frame[2] and 0 <= top <= frame[3]
    return tree


# ---- Marks


@given(SEGMENT, st.lists(SEGMENT, min_size=1, max_size=3), st.integers(1, 4))
def test_marks_are_the_counts(candidate, references, n):
    d = explain(candidate, references)
    step, marks = d.orders[n - 1], candidate_marks(d, n)
    assert [mark.start for mark in marks] == list(range(step.total))
    assert all(mark.ngram == d.candidate[mark.start : mark.start + n] for mark in marks)
    found = Counter(mark.status for mark in marks)
    assert (found["credited"], found.total()) == (step.matched, step.total)
    assert found["missed"] == sum(s.count for s in step.ngrams if not s.bound)
    gave = Counter()
    for j, reference in enumerate(d.references):
        for mark in reference_marks(d, n, j):
            assert mark.ngram == reference[mark.start : mark.start + n]
            gave[mark.ngram] += mark.status == "gave"
    assert all(gave[s.ngram] == s.credited for s in step.ngrams)


@given(SEGMENT, st.lists(SEGMENT, min_size=1, max_size=2), st.integers(1, 4), st.sampled_from([100, 340, 760]))
def test_pictures_hold_for_every_text(candidate, references, n, width):
    d = explain(candidate, references)
    tree = drawn(d, n, width)
    texts = "".join(text.text or "" for text in tree.iter(f"{SVG}text"))
    for token in {*d.candidate, *(token for reference in d.references for token in reference)}:
        assert visible(token) in texts
    page = view(d, n).html()
    assert all(line.isprintable() for line in page.split("\n"))
    reader = Page(page)
    assert {tag for tag, _ in reader.found} <= set("section style h3 fieldset legend input label div p span bdi i svg path details summary ul li code".split())


def test_one_status_each():
    d = EXAMPLES["the-the"].explain()
    assert [mark.status for mark in candidate_marks(d, 1)] == ["credited"] * 2 + ["clipped"] * 5
    assert [mark.status for mark in reference_marks(d, 1, 0)] == ["gave", "gave"]
    assert [mark.status for mark in reference_marks(d, 1, 1)] == ["also"]
    few = explain("a b", ["a a a b"], max_order=1)
    assert [mark.status for mark in reference_marks(few, 1, 0)] == ["gave", "also", "also", "gave"]


@pytest.mark.parametrize("order", [0, 5, -1, True, "2", None, 1.0])
def test_orders_that_are_none(order):
    for call in (lambda: view(GERMAN, order), lambda: View(GERMAN, order), lambda: candidate_marks(GERMAN, order), lambda: reference_marks(GERMAN, order, 0)):
        with pytest.raises(OrderError, match="from 1 to 4"):
            call()


# ---- More than colour


def test_kinds_differ_without_colour():
    seen = {(style.path, style.dashes, style.width) for name, style in MARK_STYLES.items() if name != "gave"}
    assert len(seen) == len(MARK_STYLES) - 1
    assert len({style.path for name, style in MARK_STYLES.items() if name != "gave"}) == len(MARK_STYLES) - 1  # the sign alone is enough
    assert MARK_STYLES["gave"][:4] == MARK_STYLES["credited"][:4]


@pytest.mark.parametrize("scheme", PALETTE)
def test_marks_stand_out_from_the_paper(scheme):
    paper = relative_luminance(PALETTE[scheme]["paper"])
    for style in MARK_STYLES.values():
        light, dark = sorted((paper, relative_luminance(PALETTE[scheme][style.colour])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_pictures_are_described():
    tree = drawn(GERMAN, 2)
    assert tree.get("role") == "img"
    assert tree[0].tag == f"{SVG}title" and tree[0].text == "2-grams: p_2 = 4/7 ≈ 0.5714, 4 credited, 0 clipped, 3 missed"
    assert tree[1].tag == f"{SVG}desc"
    assert tree[1].text == view(GERMAN, 2).description()
    assert "Credited: stürzen geben; geben die; die schuld; schuld dem. Missed: die die; die stürzen; dem baum." in tree[1].text
    none = explain("a", ["a"])
    assert "the candidate has none" in view(none, 3).description() and "0/0" in view(none, 3).svg()


def test_signs_stand_once_for_each_ngram():
    tree = drawn(GERMAN, 3, 340)
    signs = Counter(path.get("d") for path in tree.iter(f"{SVG}path") if path.get("transform"))
    marks = Counter(mark.status for mark in (*candidate_marks(GERMAN, 3), *(m for j in range(2) for m in reference_marks(GERMAN, 3, j))))
    legend = 1
    assert signs[MARK_STYLES["missed"].path] == marks["missed"] + legend
    assert signs[MARK_STYLES["credited"].path] == marks["credited"] + marks["gave"] + legend
    assert signs[MARK_STYLES["also"].path] == marks["also"] + legend


# ---- Dark and light


def test_both_schemes():
    for source in (view(GERMAN).svg(), view(GERMAN).html()):
        assert "prefers-color-scheme:dark" in source and '[data-theme="dark"]' in source and ".quarto-dark" in source
        assert PALETTE["dark"]["paper"] in source and PALETTE["light"]["paper"] in source
        assert "<script" not in source and "url(" not in source and "@import" not in source
        assert set(re.findall(r"https?://[\w./]+", source)) <= {"http://www.w3.org/2000/svg"}


# ---- HTML


def test_tabs_need_no_script():
    source = view(GERMAN, 3).html()
    page = Page(source)
    radios, labels = page.all("input"), page.all("label")
    assert [radio["type"] for radio in radios] == ["radio"] * 4
    assert len({radio["name"] for radio in radios}) == 1 and len({radio["id"] for radio in radios}) == 4
    assert [label["for"] for label in labels] == [radio["id"] for radio in radios]
    assert ["checked" in radio for radio in radios] == [False, False, True, False]
    for radio, n in zip(radios, range(1, 5), strict=True):
        assert f"#{radio['id']}:checked~.blv-{n}" in source
    panels = [attributes for attributes in page.all("div") if "blv-panel" in attributes.get("class", "")]
    assert len(panels) == 4 and page.found.index(("input", radios[-1])) < page.found.index(("div", panels[0]))
    other = Page(view(EXAMPLES["paper-1"].explain()).html())
    assert not {radio["id"] for radio in radios} & {radio["id"] for radio in other.all("input")}
    assert 'name="blv-second"' in view(GERMAN).html("second") and '"blv-&lt;' in view(GERMAN).html("<")


def test_marks_of_a_page():
    page = Page(view(explain("a b a", ["a b"], max_order=1)).html())
    assert [attributes.get("class") for attributes in page.all("i")][:5] == ["credited s e", "credited s e", "clipped s e", "gave s e", "gave s e"]
    assert "the 1-grams of the candidate as a list" in "".join(page.text)
    assert "a clipped: 2 in the candidate, 1 in reference 1, 1 credited" in "".join(page.text)


def test_many_orders():
    d = explain("a b c d", ["a b c d"], max_order=12)
    assert len(Page(view(d, 1).html()).all("input")) == 9
    assert len(Page(view(d, 12).html()).all("input")) == 10
    assert len(Page(view(explain("a b", ["a b"], smooth="average")).html()).all("input")) == 4  # the fifth is only for the smoothing


# ---- Tokens


@pytest.mark.parametrize("name", NASTY)
def test_no_token_breaks_a_view(name):
    token = NASTY[name]
    d = explain([token, "a", token], [[token, "b"]], max_order=2)
    plain = explain(["x", "a", "x"], [["x", "b"]], max_order=2)
    for n in (1, 2):
        tree, other = drawn(d, n, 2000), drawn(plain, n, 2000)
        assert Counter(element.tag for element in tree.iter()) == Counter(element.tag for element in other.iter())
        assert visible(token) in [text.text for text in tree.iter(f"{SVG}text")]
    page, other = Page(view(d).html()), Page(view(plain).html())
    assert [tag for tag, _ in page.found] == [tag for tag, _ in other.found]
    assert visible(token) in page.text


def test_long_texts_wrap():
    d = explain(" ".join(f"word{i}" for i in range(80)), ["word1 word2 " + "x" * 300])
    tree = drawn(d, 4)
    rows = {text.get("y") for text in tree.iter(f"{SVG}text")}
    assert len(rows) > 20
    for text in tree.iter(f"{SVG}text"):
        if text.get("text-anchor") == "middle":
            half = text_columns(text.text) * 9.1 / 2
            assert float(text.get("x")) - half >= 0 and float(text.get("x")) + half <= 760


def test_text_from_right_to_left():
    assert direction(["שלום"]) == direction(["مرحبا", "a"]) == "rtl"
    assert direction(["a", "שלום", "bcd"]) == direction(["12"]) == direction([3]) == "ltr"
    d = explain("החתול ישב על השטיח", ["החתול יושב על השטיח", "the cat sat"])
    texts = [text for text in drawn(d, 1).iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    first, second = texts[0], texts[1]
    assert (first.text, first.get("direction")) == ("החתול", "rtl") and float(first.get("x")) > float(second.get("x"))
    flows = [attributes["dir"] for attributes in Page(view(d).html()).all("div") if "dir" in attributes]
    assert flows[:3] == ["rtl", "rtl", "ltr"]
    assert view(d).html().count("<bdi>החתול</bdi>") >= 2


def test_jupyter_shows_the_picture():
    assert GERMAN.orders and view(GERMAN, 2)._repr_svg_() == view(GERMAN, 2).svg()
    assert view(GERMAN, 2) == view(GERMAN, 2) != view(GERMAN, 1)
    assert html.unescape("p_2 = 4/7") in view(GERMAN, 2).svg()


@pytest.mark.parametrize("wrong", [2, -1, True, 1.0, "0", None, 10**30], ids=repr)
def test_a_reference_or_a_segment_that_is_not_there_is_told(wrong):
    """Two of each are there, numbered 0 and 1; a negative number is no place from the end."""
    two, texts = explain("the cat sat", ["the cat ran", "a cat sat"]), {"a": ["x y", "z"], "b": ["x z", "z"]}
    corpus, explorer = explain_corpus(texts["a"], [["x"], ["y"]]), CorpusExplorer(texts, [["x y"], ["z"]])
    for call, place in ((lambda i: reference_marks(two, 1, i), "reference"), (corpus.segment, "index"), (explorer.explain, "segment")):
        assert call(0) and call(1)
        with pytest.raises(BleuInputError, match="from 0 to 1") as caught:
            call(wrong)
        assert caught.value.where == place and caught.value.fix
    for call in (lambda n: candidate_marks(two, n), lambda n: reference_marks(two, n, 0), lambda n: view(two, n)):
        if type(wrong) is not int or wrong != 2:
            with pytest.raises(OrderError, match="order: expected an order from 1 to 4"):
                call(wrong)
