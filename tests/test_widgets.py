"""The explorer: pure functions against computations of another kind, and the panel turned by a program as a reader would turn it."""

import json
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shared import ROOT

from bleu_lit import corpus_explorer, widgets
from bleu_lit.conformance import Vector, run_vector, vectors
from bleu_lit.core import BleuInputError, MissingExtraError, MissingReferenceError, SegmentTypeError, StringForListError
from bleu_lit.explain import EXAMPLES, Example, explain
from bleu_lit.score import corpus_bleu, sentence_bleu
from bleu_lit.settings import MTEVAL, PAPER, PRESETS, SACREBLEU, Settings
from bleu_lit.tokens import Tokenizer
from bleu_lit.widgets import CorpusExplorer, Explorer, balanced, chosen_settings, differences, gallery, hundredths, matching, python_code, vector_entry

SCHEMA = json.loads((ROOT / "bleu_lit" / "vectors" / "v1" / "schema.json").read_text(encoding="utf-8"))
HOSTILE = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><b>', "&amp;", "\u202eabc", "$x$", "`a`", "a|b", "'''", '"""', "\\"]
CAT, REFERENCES = "The cat sat on the mat.", ("The cat is sitting on the mat.", "A cat sat on the mat.")
STATES = [
    Example(CAT, REFERENCES, SACREBLEU, ""),
    Example(CAT, REFERENCES, PAPER, ""),
    Example(CAT, REFERENCES, MTEVAL, ""),
    Example(CAT, REFERENCES, Settings(weights=["1/2", "1/3", "1/6"], smooth="floor", smooth_value="0.25", tokenize="char"), ""),
    Example(CAT, REFERENCES, Settings(smooth="average", max_order=2, reference_length="average", normalize="NFC"), ""),
    Example(CAT, REFERENCES, Settings(tokenize=Tokenizer("commas", lambda text: text.split(","))), ""),
    Example(CAT, (*REFERENCES, " "), Settings(blank_references="absent", effective_order=True), ""),
    Example("", ("nothing",), Settings(), ""),
    Example("two words", ("other text",), Settings(smooth="length"), ""),
    Example(" ".join(HOSTILE), (" ".join(HOSTILE[::2]), "\u05e9"), Settings(tokenize="none", lowercase=True), ""),
    *EXAMPLES.values(),
]
each_state = pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))


class Page(HTMLParser):
    """The elements and attributes of HTML, each opened and closed."""

    VOID = ("br", "hr", "img", "input", "meta", "link", "rect", "path", "circle")

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.open, self.said = set(), set(), [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)
        if tag in self.VOID:
            self.open.pop()

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data


def harmless(text: str) -> Page:
    page = Page(text)
    assert not page.tags & {"script", "img", "iframe", "b"}
    assert not [name for name in page.attributes if name.startswith("on")]
    return page


# ---- Weights


@given(st.lists(st.integers(0, 100), min_size=1, max_size=9), st.data())
def test_sliders_keep_their_sum(parts, data):
    moved = data.draw(st.integers(0, len(parts) - 1))
    result = balanced(parts, moved)
    assert sum(result) == 100
    assert all(0 <= part <= 100 for part in result)
    if len(parts) > 1:
        assert result[moved] == parts[moved]
    others = [(part, after) for i, (part, after) in enumerate(zip(parts, result, strict=True)) if i != moved]
    for (part, after), (other, other_after) in product(others, repeat=2):
        if part < other:
            assert after <= other_after
    assert balanced(result, moved) == result


@given(st.lists(st.integers(1, 50), min_size=1, max_size=9))
def test_hundredths_are_near_and_add_up(parts):
    weights = [Fraction(part, sum(parts)) for part in parts]
    rounded = hundredths(weights)
    assert sum(rounded) == 100
    assert all(abs(100 * weight - part) < 1 for weight, part in zip(weights, rounded, strict=True))


# ---- Choices


def test_choices_are_settings():
    choices = {
        "tokenize": "char",
        "lowercase": "ascii",
        "max_order": 3,
        "smooth": "add-k",
        "smooth_value": "0.5",
        "effective_order": True,
        "reference_length": "shortest",
    }
    expected = Settings(
        tokenize="char", lowercase="ascii", max_order=3, smooth="add-k", smooth_value=Fraction(1, 2), effective_order=True, reference_length="shortest"
    )
    assert chosen_settings(SACREBLEU, choices) == expected
    assert chosen_settings(SACREBLEU, choices | {"hundredths": [50, 30, 20]}).weights == (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
    assert chosen_settings(Settings(normalize="NFC"), choices).normalize == "NFC"
    assert chosen_settings(expected, {"max_order": 3, "smooth": "add-k", "smooth_value": ""}).smooth_value is None


@pytest.mark.parametrize("value", ["x", "-1", "1/0", "0.", "nan", "1e400"])
def test_a_value_that_is_still_typed_is_refused_or_read(value):
    try:
        settings = chosen_settings(SACREBLEU, {"smooth": "floor", "smooth_value": value})
    except BleuInputError:
        return
    assert settings.smooth_value == Fraction(value)


# ---- The gallery


def test_the_gallery_holds_the_published_examples_and_they_score_as_published():
    assert set(EXAMPLES.values()) <= set(gallery().values())
    by_id = {vector.id: vector for vector in vectors()}
    found = 0
    for label, example in gallery().items():
        vector = by_id.get(label.split(": ")[0])
        if vector:
            found += 1
            value = Fraction(example.explain().value)
            assert abs(value - Fraction(vector.expect["score"]["exact"])) <= max(Fraction(vector.expect["score"]["tolerance"]), Fraction(1, 10**12)), label
    assert found == len(gallery()) - len(EXAMPLES) > 50


# ---- What is taken away


@each_state
def test_the_program_gives_the_same_score(state):
    program = python_code(state)
    run = subprocess.run([sys.executable, "-c", f"{program}print(repr(derivation.value))"], capture_output=True, encoding="utf-8", cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == repr(sentence_bleu(state.candidate, list(state.references), state.settings).value)


@each_state
def test_the_vector_follows_the_schema_and_is_met(state):
    jsonschema = pytest.importorskip("jsonschema")
    entry = json.loads(json.dumps(vector_entry(state)))
    jsonschema.Draft202012Validator({"$schema": SCHEMA["$schema"], "$ref": "#/$defs/vector", "$defs": SCHEMA["$defs"]}).validate(entry)
    assert run_vector(Vector(**{**entry, "published": ()})) == []
    score = Fraction(entry["expect"]["score"]["exact"])
    value = Fraction(sentence_bleu(state.candidate, list(state.references), state.settings).value)
    assert abs(score - value) <= value * Fraction(1, 2**52)


def test_a_vector_whose_numbers_are_wrong_is_not_met():
    entry = vector_entry(STATES[0])
    entry["expect"]["matched"][0] -= 1
    assert run_vector(Vector(**{**entry, "published": ()}))[0].stage == "matched"


def test_a_value_without_a_decimal_has_no_vector():
    with pytest.raises(BleuInputError, match="decimal"):
        vector_entry(Example("a", ("a",), Settings(smooth="floor", smooth_value="1/3"), ""))


# ---- HTML


@each_state
def test_the_parts_are_harmless_html(state):
    d = state.explain()
    page = harmless(widgets.result_html(d))
    assert f"{d.percent:.2f} %" in page.said
    assert d.signature in page.said
    for n in range(1, len(d.orders) + 1):
        page = harmless(widgets.ngrams_html(d, n))
        assert f"{d.orders[n - 1].matched}/{d.orders[n - 1].total}" in page.said or not d.orders[n - 1].total
        assert page.said.count("missed") >= sum(s.status == "missed" for s in d.orders[n - 1].ngrams)
    for function in (widgets.pictures_html, widgets.derivation_html):
        harmless(function(d))
    harmless(widgets.segment_html({"<b>": d, "other": d}))


@pytest.mark.parametrize("token", HOSTILE)
def test_messages_and_summaries_are_escaped(token):
    harmless(widgets.message_html(BleuInputError("text", token)))
    summary = Explorer(token, [token])._repr_markdown_()
    assert "<script>" not in summary
    assert "<img" not in summary
    assert "<b>" not in summary


# ---- Without ipywidgets, and without a front end


def test_an_explorer_is_made_and_shown_without_ipywidgets(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    explorer = Explorer(CAT, REFERENCES)
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/markdown"}
    assert f"{sentence_bleu(CAT, REFERENCES).percent:.2f} %" in bundle["text/markdown"]
    with pytest.raises(MissingExtraError, match=r"'\.\[lab\]'"):
        _ = explorer.widget
    corpus = CorpusExplorer({"A": [CAT], "B": ["The cat"]}, [REFERENCES])
    assert set(corpus._repr_mimebundle_()) == {"text/plain", "text/markdown"}
    with pytest.raises(MissingExtraError, match="ipywidgets"):
        _ = corpus.widget


def test_a_live_front_end_without_ipywidgets_is_told_what_to_install(monkeypatch):
    shell = type("Shell", (), {"kernel": object()})()
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.setitem(sys.modules, "IPython", type("Module", (), {"get_ipython": staticmethod(lambda: shell)}))
    assert "pip install '.[lab]'" in Explorer(CAT, REFERENCES)._repr_mimebundle_()["text/markdown"]


def test_what_cannot_be_explored_is_refused():
    with pytest.raises(StringForListError):
        Explorer(CAT, CAT)
    with pytest.raises(SegmentTypeError, match="join"):
        Explorer(["the", "cat"], [["the", "cat"]])
    with pytest.raises(MissingReferenceError):
        Explorer(CAT, [])
    for systems in ({}, {"A": [CAT]}, {"A": [CAT], "B": [CAT], "C": [CAT]}):
        with pytest.raises(BleuInputError, match="two systems"):
            CorpusExplorer(systems, [REFERENCES])


def test_settings_are_those_of_sentence_bleu():
    assert Explorer(CAT, REFERENCES).derivation.score == sentence_bleu(CAT, REFERENCES)
    assert Explorer(CAT, REFERENCES, "paper", max_order=2).derivation.score == sentence_bleu(CAT, REFERENCES, "paper", max_order=2)


# ---- The panel


@pytest.fixture
def panel():
    pytest.importorskip("ipywidgets")
    return Explorer(CAT, REFERENCES).panel


def shown(panel) -> str:
    return Page(panel.answers.result.value).said


def expect(panel, *segment, **settings):
    score = sentence_bleu(*segment, **settings)
    assert f"{score.percent:.2f} %" in shown(panel)
    assert score.signature in shown(panel)


def test_the_panel_follows_texts(panel):
    expect(panel, CAT, REFERENCES)
    panel.controls["candidate"].value = "The cat sat."
    expect(panel, "The cat sat.", REFERENCES)
    panel.references.add("The cat sat.")
    expect(panel, "The cat sat.", [*REFERENCES, "The cat sat."])
    panel.references.rows.children[0].children[1].click()
    expect(panel, "The cat sat.", [REFERENCES[1], "The cat sat."])
    panel.references.rows.children[1].children[0].value = "A dog."
    expect(panel, "The cat sat.", [REFERENCES[1], "A dog."])


def test_the_panel_follows_every_choice(panel):
    said = {}
    for name, value in [
        ("tokenize", "none"),
        ("lowercase", True),
        ("max_order", 3),
        ("smooth", "floor"),
        ("effective_order", False),
        ("reference_length", "shortest"),
    ]:
        panel.controls[name].value = value
        said[name] = value
        expect(panel, CAT, REFERENCES, **{"effective_order": True} | said)
    panel.controls["smooth_value"].value = "0.5"
    expect(panel, CAT, REFERENCES, **said, smooth_value=0.5)


def test_the_panel_follows_the_sliders(panel):
    panel.controls["uniform"].value = False
    panel.sliders.root.children[0].value = 70
    parts = panel.sliders.parts
    assert parts == [70, 10, 10, 10]
    expect(panel, CAT, REFERENCES, weights=[Fraction(part, 100) for part in parts], effective_order=True)
    panel.controls["max_order"].value = 2
    assert panel.sliders.parts == [50, 50]
    panel.controls["uniform"].value = True
    assert panel.explorer.example.settings.weights is None


def test_weights_that_are_no_hundredths_stay_exact_until_a_slider_moves():
    pytest.importorskip("ipywidgets")
    explorer = Explorer(CAT, REFERENCES, weights=["1/3", "2/3"])
    expect(explorer.panel, CAT, REFERENCES, weights=["1/3", "2/3"], effective_order=True)
    explorer.panel.controls["candidate"].value = "The cat sat."
    assert explorer.example.settings.weights == (Fraction(1, 3), Fraction(2, 3))
    explorer.panel.sliders.root.children[0].value = 40
    assert explorer.example.settings.weights == (Fraction(2, 5), Fraction(3, 5))


def test_the_panel_shows_errors_and_recovers(panel):
    panel.controls["smooth"].value = "floor"
    panel.controls["smooth_value"].value = "<b>"
    assert 'role="alert"' in panel.answers.result.value
    harmless(panel.answers.result.value)
    assert panel.answers.ngrams.value == ""
    panel.controls["smooth_value"].value = "0.1"
    expect(panel, CAT, REFERENCES, smooth="floor", smooth_value=0.1, effective_order=True)
    for row in panel.references.rows.children:
        row.children[1].click()
    assert "reference" in shown(panel)
    assert 'role="alert"' in panel.answers.result.value
    panel.references.add("The cat")
    expect(panel, CAT, ["The cat"], smooth="floor", smooth_value=0.1, effective_order=True)


def test_a_tokenizer_that_is_not_installed_is_a_message(panel, monkeypatch):
    monkeypatch.setattr(widgets, "chosen_settings", lambda *_: (_ for _ in ()).throw(MissingExtraError("ja-mecab", "MeCab", "tokenizers")))
    panel.controls["candidate"].value = "The"
    assert "'.[tokenizers]'" in shown(panel)


def test_every_part_is_written_when_it_is_opened(panel):
    parts = panel.answers.parts
    for i, part in enumerate(parts):
        panel.answers.tabs.selected_index = i
        assert part.value
    assert json.loads(panel.answers.vector.value) == vector_entry(panel.explorer.example)
    assert panel.answers.python.value == python_code(panel.explorer.example)
    panel.answers.tabs.selected_index = 0
    panel.answers.order.value = 3
    assert "n-grams of order 3" in panel.answers.ngrams.value


@pytest.mark.parametrize("label", list(gallery()))
def test_every_example_can_be_loaded(label):
    pytest.importorskip("ipywidgets")
    panel = Explorer().panel
    panel.controls["gallery"].value = gallery()[label]
    score = gallery()[label].explain().score
    assert f"{score.percent:.2f} %" in shown(panel)
    assert score.signature in shown(panel)
    assert panel.read()[:3] == gallery()[label][:3]


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_can_be_chosen(panel, name):
    panel.controls["preset"].value = PRESETS[name]
    expect(panel, CAT, REFERENCES, PRESETS[name])
    panel.controls["candidate"].value = "The cat"
    assert panel.controls["preset"].value == ""
    expect(panel, "The cat", REFERENCES, PRESETS[name])


# ---- Two systems


def demo(name: str) -> list[str]:
    return (ROOT / "bleu_lit" / "data" / "demo" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_differences():
    references = list(zip(demo("ref_a"), demo("ref_b"), strict=True))
    rows = differences({"A": demo("system_a"), "B": demo("system_b")}, references, tokenize="none")
    assert sorted(row["segment"] for row in rows) == list(range(30))
    sizes = [abs(row["difference"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    for row in rows:
        i = row["segment"]
        values = [sentence_bleu(demo(name)[i], references[i], tokenize="none", effective_order=True).value for name in ("system_a", "system_b")]
        assert [row["first"], row["second"]] == values
        assert row["difference"] == values[0] - values[1]


def test_matching_is_by_text_in_any_case():
    rows = [{"segment": 0}, {"segment": 1}, {"segment": 2}]
    texts = [["A Straße", "x"], ["b", "STRASSE"], ["c", "d"]]
    assert [row["segment"] for row in matching(rows, texts, "strasse")] == [0, 1]
    assert matching(rows, texts, "") == rows
    assert matching(rows, texts, ".*") == []


def test_the_corpus_panel():
    pytest.importorskip("ipywidgets")
    references = list(zip(demo("ref_a"), demo("ref_b"), strict=True))
    explorer = CorpusExplorer({"<b>A</b>": demo("system_a"), "B": demo("system_b")}, references)
    assert explorer.scores["B"].value == corpus_bleu(demo("system_b"), references).value
    panel = explorer.panel
    assert "30 of 30" in panel.count.value
    assert [value for _, value in panel.segments.options] == [row["segment"] for row in explorer.rows]
    panel.segments.value = 7
    page = harmless(panel.detail.value)
    for name in ("system_a", "system_b"):
        assert f"{sentence_bleu(demo(name)[7], references[7]).percent:.2f} %" in page.said
    panel.filter.value = "no such text"
    assert "0 of 30" in panel.count.value
    assert panel.detail.value == ""
    harmless(panel.root.children[0].value)


def test_a_corpus_longer_than_the_list_says_so(monkeypatch):
    pytest.importorskip("ipywidgets")
    monkeypatch.setattr(corpus_explorer._CorpusPanel, "most", 3)
    panel = CorpusExplorer({"A": [CAT] * 5, "B": ["The cat"] * 5}, [REFERENCES] * 5).panel
    assert "5 of 5 segments, of which the first 3 are listed" in panel.count.value
    assert len(panel.segments.options) == 3


def test_tokens_can_be_compared_too():
    explorer = CorpusExplorer({"A": [["a", "b"]], "B": [["a", "<b>"]]}, [[["a", "b"]]])
    assert explorer.rows[0]["difference"] > 0
    harmless(widgets.segment_html(explorer.explain(0)))
    pytest.importorskip("ipywidgets")
    explorer.panel.segments.value = 0
    harmless(explorer.panel.detail.value)


def test_a_derivation_without_texts_is_shown():
    harmless(widgets.segment_html({"A": explain(["<script>"], [["<script>"]])}))


def test_two_systems_that_say_the_same_share_one_view():
    same = explain(CAT, REFERENCES)
    page = harmless(widgets.segment_html({"A": same, "B": explain(CAT, REFERENCES)}))
    assert "A and B" in page.said
    assert page.said.count(f"{same.percent:.2f} %") == harmless(widgets.segment_html({"A": same})).said.count(f"{same.percent:.2f} %")
