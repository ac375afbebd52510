"""Pictures: their tables against a computation of another kind, and SVG that every parser takes, whatever the labels say."""

import math
import re
from collections import Counter
from fractions import Fraction
from importlib.resources import files
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_lit.bleu import BleuStats
from bleu_lit.core import BleuInputError, LengthMismatchError
from bleu_lit.corpus import explain_corpus
from bleu_lit.explain import EXAMPLES, explain
from bleu_lit.plots import (
    Picture,
    brevity_picture,
    brevity_table,
    distribution_picture,
    distribution_rows,
    distribution_table,
    interval_picture,
    interval_table,
    length_picture,
    length_rows,
    length_table,
    precision_picture,
    precision_table,
)
from bleu_lit.score import corpus_bleu
from bleu_lit.tokens import tokenize
from bleu_lit.view import candidate_marks, reference_marks, view, view_html, view_svg

NASTY = ["<script>alert(1)</script>", "a & b", "]]>", "-->", '"', "'", "\x00\x1b[2J", "\ud800", "\u202egnp", "", "漢字", "\ufffe", "a\nb", "x" * 500]
DRAWN = [brevity_picture, precision_picture, length_picture, distribution_picture, interval_picture]


def demo(name: str) -> list[str]:
    return (files("bleu_lit") / "data" / "demo" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def demo_corpus() -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    return {"A": demo("system_a"), "B": demo("system_b")}, list(zip(demo("ref_a"), demo("ref_b"), strict=True))


def parsed(picture: Picture) -> ElementTree.Element:
    """The picture as XML, with what every picture must have."""
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("role") == "img"
    assert root.find("{*}title").text
    assert root.find("{*}desc").text
    assert "max-width:100%" in root.get("style")
    assert not root.findall(".//{*}script")
    assert not [element for element in root.iter() if any(name.startswith("on") or "href" in name for name in element.attrib)]
    return root


def words_of(root: ElementTree.Element) -> list[str]:
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


# ---- Without data, with one row, with many


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_a_picture_without_data_says_so_or_is_an_empty_curve(draw):
    picture = draw([])
    root = parsed(picture)
    assert picture.table == ()
    if draw is not brevity_picture:
        assert "no data" in words_of(root)
        assert root.find("{*}desc").text == "no data"


@pytest.mark.parametrize("count", [1, 2, 7, 300])
def test_pictures_of_any_size(count):
    names = [f"system {i}" for i in range(count)]
    intervals = interval_picture(interval_table({name: (i / 400, i / 500, i / 350) for i, name in enumerate(names)}))
    assert len(parsed(intervals).findall(".//{*}circle")) == count
    systems = {name: ["a b c d e", "f g h i"] for name in names}
    references = [["a b c d e"], ["f g x i j k"]]
    for picture in (length_picture(length_table(systems, references)), distribution_picture(distribution_table(systems, references))):
        parsed(picture)
    points = brevity_picture(brevity_table({name: BleuStats(i + 1, 100, (0,), (i + 1,)) for i, name in enumerate(names)}))
    assert len(parsed(points).findall(".//{*}circle")) == count


@pytest.mark.parametrize("name", NASTY, ids=ascii)
def test_any_text_may_be_a_label(name):
    systems = {name: ["a b", "c"], "other": ["a", "c"]}
    references = [["a b"], ["d"]]
    table = length_table(systems, references)
    assert {row["system"] for row in table} == {name, "other"}
    pictures = [length_picture(table), distribution_picture(distribution_table(systems, references)), interval_picture(interval_table({name: (0.5, 0.4, 0.6)}))]
    for picture in pictures:
        parsed(picture)
        picture.svg.encode("utf-8")


@given(st.text(max_size=30), st.floats(0, 1), st.floats(0, 0.2))
def test_interval_pictures_are_well_formed_for_every_name_and_number(name, value, half):
    root = parsed(interval_picture(interval_table({name: (value, value - half, value + half)})))
    places = [float(circle.get("cx")) for circle in root.findall(".//{*}circle")]
    assert all(160 <= place <= 510 for place in places)
    assert f"{100 * value:.2f} %" in words_of(root)


def test_a_label_that_is_cut_is_whole_in_the_picture():
    picture = interval_picture(interval_table({"a name that is far too long for its place": (0.5, None, None)}))
    cut = next(element for element in parsed(picture).iter("{http://www.w3.org/2000/svg}text") if element.text.endswith("…"))
    assert cut.find("{*}title").text == "a name that is far too long for its place"


def test_parts_differ_without_colour():
    root = parsed(precision_picture(precision_table(EXAMPLES["german"].explain())))
    bars = root.findall("{*}rect")
    looks = {(rect.get("fill") != "none", rect.get("stroke-dasharray") is not None) for rect in bars}
    assert looks == {(True, False), (False, False), (False, True)}
    assert {"credited", "clipped", "missed"} <= set(words_of(root))


# ---- The numbers


def parts_by_hand(candidate: list[str], references: list[list[str]], n: int) -> tuple[int, int, int]:
    """Credited, clipped and missed, occurrence by occurrence: each takes one from the reference that has most of it, while there is one."""
    grams = [tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1)]
    in_references = [Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)) for reference in references]
    left = {gram: max(counter[gram] for counter in in_references) for gram in grams}
    known = {gram for gram, count in left.items() if count}
    credited = clipped = missed = 0
    for gram in grams:
        if gram not in known:
            missed += 1
        elif left[gram]:
            left[gram] -= 1
            credited += 1
        else:
            clipped += 1
    return credited, clipped, missed


tokens = st.lists(st.sampled_from("abc"), max_size=12)


@given(st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=3)), min_size=1, max_size=3))
def test_precision_parts(segments):
    table = precision_table(explain(candidate, references) for candidate, references in segments)
    for row in table:
        by_hand = [parts_by_hand(candidate, references, row["order"]) for candidate, references in segments]
        assert (row["credited"], row["clipped"], row["missed"]) == tuple(map(sum, zip(*by_hand, strict=True)))
        assert row["total"] == row["credited"] + row["clipped"] + row["missed"]
        assert row["precision"] == (row["credited"] / row["total"] if row["total"] else None)
    parsed(precision_picture(table))


def test_precision_parts_of_the_papers_example():
    table = precision_table(EXAMPLES["the-the"].explain())
    assert table == [{"order": 1, "credited": 2, "clipped": 5, "missed": 0, "total": 7, "precision": 2 / 7}]


def test_an_order_that_only_the_smoothing_looks_at_is_not_shown():
    assert [row["order"] for row in precision_table(explain("a b c", ["a b d"], smooth="average", max_order=2))] == [1, 2]


def test_brevity_table():
    rows = brevity_table({"short": BleuStats(9, 12, (0,), (9,)), "empty": BleuStats(0, 5, (0,), (0,)), "no reference": BleuStats(3, 0, (0,), (3,))})
    assert [row["brevity_penalty"] for row in rows] == [math.exp(1 - 12 / 9), 0.0, 1.0]
    assert [row["ratio"] for row in rows] == [0.75, 0.0, None]


@pytest.mark.parametrize("edges", [(), (10,), (8, 12, 15), (1, 1000)])
def test_length_buckets_hold_every_segment_once_and_are_scored_alone(edges):
    systems, references = demo_corpus()
    table = length_table(systems, references, edges)
    assert len(table) == 2 * (len(edges) + 1)
    for name, candidates in systems.items():
        rows = [row for row in table if row["system"] == name]
        assert sum(row["segments"] for row in rows) == 30
        for row in rows:
            inside = []
            for candidate, group in zip(candidates, references, strict=True):
                first = len(tokenize(group[0]))  # the same for every system, whatever its closest reference is
                if row["from"] <= first and (row["to"] is None or first <= row["to"]):
                    inside.append((candidate, group))
            assert len(inside) == row["segments"]
            assert row["bleu"] == (corpus_bleu(*map(list, zip(*inside, strict=True))).value if inside else None)


def test_one_bucket_is_the_corpus():
    systems, references = demo_corpus()
    assert {row["system"]: row["bleu"] for row in length_table(systems, references, ())} == {
        name: corpus_bleu(candidates, references).value for name, candidates in systems.items()
    }


@pytest.mark.parametrize("edges", [(10, 10), (12, 10), (0,), (-3,), (2.5,), (True,)])
def test_edges_must_rise(edges):
    systems, references = demo_corpus()
    with pytest.raises(BleuInputError, match="edges"):
        length_table(systems, references, edges)


def test_lists_of_other_lengths_are_refused():
    systems, references = demo_corpus()
    for table in (length_table, distribution_table):
        with pytest.raises(LengthMismatchError):
            table({"A": systems["A"][1:]}, references)


@pytest.mark.parametrize("bins", [1, 2, 7, 10])
def test_distribution(bins):
    systems, references = demo_corpus()
    table = distribution_table(systems, references, bins)
    for name, candidates in systems.items():
        values = [explain(candidate, group).value for candidate, group in zip(candidates, references, strict=True)]
        for k, row in enumerate(row for row in table if row["system"] == name):
            last = k == bins - 1
            expected = sum(Fraction(k, bins) <= Fraction(value) and (last or Fraction(value) < Fraction(k + 1, bins)) for value in values)
            assert row["segments"] == expected, row


def test_a_perfect_score_is_in_the_last_bin():
    table = distribution_table({"same": ["a b c d", "x"]}, [["a b c d"], ["y"]], bins=4)
    assert [row["segments"] for row in table] == [1, 0, 0, 1]


@pytest.mark.parametrize("bins", [0, -1, 2.5, True, None])
def test_bins_are_counted(bins):
    with pytest.raises(BleuInputError, match="bins"):
        distribution_table({}, [], bins)


@pytest.mark.parametrize("numbers", [(None, 0.1, 0.2), (0.1, None, 0.2), (0.1, 0.2, None), (0.1, 0.3, 0.2), (math.nan, None, None), (0.1, -math.inf, 0.2)])
def test_intervals_that_are_none(numbers):
    with pytest.raises(BleuInputError, match="low <= high"):
        interval_table({"A": numbers})


def test_intervals_are_ordered_and_kept():
    table = interval_table({"weak": (0.1, 0.05, 0.2), "strong": (Fraction(1, 2), None, None)})
    assert [row["system"] for row in table] == ["strong", "weak"]
    assert table[1] == {"system": "weak", "bleu": 0.1, "low": 0.05, "high": 0.2}


def test_the_numbers_of_intervals_are_on_the_screen_of_a_phone():
    """A report gives a picture 29rem at least, and a phone of 390 px shows 358 px of it: all names and numbers stand in that part, apart from each other."""
    scores = {"a name that is far too long for its place": (1.0, 0.9, 1.0), "B": (0.2801, 0.25, 0.31)}
    picture = interval_picture(interval_table(scores))
    seen = 358 * float(parsed(picture).get("viewBox").split()[2]) / (29 * 16)
    said = {}
    for element in parsed(picture).iter("{http://www.w3.org/2000/svg}text"):
        shown = element.text
        width = 9 * len(shown)  # a letter of 13 px is narrower
        start = float(element.get("x")) - (width if element.get("text-anchor") == "end" else 0)
        if shown.endswith(" %") or shown in scores:
            assert start + width < seen, shown
        said[shown] = float(element.get("x")), float(element.get("y"))
    assert said["B"][0] < said["28.01 %"][0] and said["B"][1] == said["28.01 %"][1]
    first = min(float(x) for x in re.findall(r"M([\d.]+) 38V", picture.svg))
    assert said["100.00 %"][0] + 9 * len("100.00 %") < first  # where the axis begins


def test_a_picture_is_a_value():
    table = interval_table({"A": (0.1, 0.05, 0.2)})
    picture = interval_picture(table)
    assert picture == interval_picture(table)
    assert hash(picture) == hash(interval_picture(table))
    assert picture._repr_svg_() == picture.svg
    assert repr(picture) == "Picture('Scores with their intervals', 1 row)"
    with pytest.raises(AttributeError):
        picture.svg = ""


def test_an_average_reference_length_is_drawn():
    picture = brevity_picture(brevity_table({"average": explain("a b", ["a b c", "a b c d"], reference_length="average")}))
    assert "c = 2, r = 3.5: 0.472" in words_of(parsed(picture))


ONE, SCORE = explain("a b", ["a c"]), corpus_bleu(["a b"], [["a c"]])
WRONG_TABLES = {
    "scores": [lambda: brevity_table([SCORE]), lambda: brevity_table(None)],
    "scores['x']": [lambda: brevity_table({"x": 5}), lambda: brevity_table({"x": None})],
    "systems": [
        lambda: interval_table([(0.3, 0.2, 0.4)]),
        lambda: length_table([["a"]], [["a"]]),
        lambda: distribution_table("ab", [["a"]]),
        lambda: length_rows([(1, 1)], [1]),
        lambda: distribution_rows([0.5]),
    ],
    "x": [lambda numbers=numbers: interval_table({"x": numbers}) for numbers in (5, None, (1, 2), ("a", 0, 1), (0.3, "low", 0.4), (0.3, True, 1))],
    "derivations": [lambda: precision_table([SCORE]), lambda: precision_table(5), lambda: precision_table([ONE, None])],
    "table": [lambda: precision_picture(5), lambda: brevity_picture(None)],
    "table[0]": [lambda picture=picture, wrong=wrong: picture([wrong]) for wrong in ({}, 5) for picture in DRAWN],
    "derivation": [
        lambda: view([1, 2], [[1, 2]]),
        lambda: candidate_marks("text", ["text"]),
        lambda: reference_marks(SCORE, 1, 0),
        lambda: view(explain_corpus(["a b"], [["a c"]])),
        lambda: view_html(None),
        lambda: view_svg(SCORE),
    ],
}


@pytest.mark.parametrize("where", WRONG_TABLES)
def test_what_cannot_be_drawn_is_told_before_it_is_drawn(where):
    for call in WRONG_TABLES[where]:
        with pytest.raises(BleuInputError, match=r"expected .*, got ") as caught:
            call()
        assert caught.value.where == where or where in ("systems", "derivations")
        assert caught.value.fix and len(str(caught.value)) < 300


def test_bins_have_a_bound_and_lengths_belong_to_their_rows():
    for bins in (10_001, 10**30):
        for call in (lambda n: distribution_rows({"a": [0.5]}, n), lambda n: distribution_table({"a": ["x"]}, [["x"]], n)):
            with pytest.raises(BleuInputError, match="bins: expected a whole number from 1 to 10000"):
                call(bins)
    row = (1, 1, 1, 0, 0, 0, 1, 0, 0, 0)
    for lengths in ([], [1, 1, 1]):
        with pytest.raises(LengthMismatchError, match=f"2 rows and {len(lengths)} lengths"):
            length_rows({"a": [row, row]}, lengths)
