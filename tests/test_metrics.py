"""The choices of the neighbours: what each takes, what its signature says of it, and what is said of one that it has not."""

import math
import subprocess
import sys
from dataclasses import fields
from enum import Enum
from fractions import Fraction

import pytest

from bleu_lit.chrf import ChrF
from bleu_lit.core import BleuInputError, MissingExtraError, SettingsError, StatisticsError, UnknownNameError
from bleu_lit.meteor import Meteor, Parameters
from bleu_lit.metric import METRICS, Bleu, MetricScore, chosen_metrics, metric, metric_signature, option_names
from bleu_lit.models import in_batches
from bleu_lit.nist import Nist
from bleu_lit.rouge import Rouge
from bleu_lit.settings import PAPER, PRESETS, SACREBLEU, SIGNATURE_VERSION, signature
from bleu_lit.ter import Ter

CANDIDATES = ["The Äpfel fell, off the tree.", "it's raining again in the Valley"]
REFERENCES = [["the äpfel fell off the Tree ."], ["It's raining again in the valley"]]
NAMES = ["chrf", "chrf++", "ter", "nist", "rouge1", "rouge2", "rougel", "rougelsum"]


@pytest.mark.parametrize("name", [*NAMES, "meteor"])
def test_every_signature_ends_with_a_version(name):
    if name == "meteor":
        pytest.importorskip("snowballstemmer")
    found = metric(name)
    for line in (found.signature(2), found.score(CANDIDATES, REFERENCES).signature):
        assert line.split("|")[-1] == f"version:{SIGNATURE_VERSION}" and line.count("version:") == 1
    assert metric("bleu").signature(2) == signature(SACREBLEU, 2)


def test_signatures_say_what_sacrebleu_says():
    metrics = pytest.importorskip("sacrebleu.metrics")
    for ours, theirs in ((ChrF(), metrics.CHRF()), (ChrF(word_order=2, lowercase=True), metrics.CHRF(word_order=2, lowercase=True))):
        theirs.corpus_score(["a"], [["a"]])
        parts = theirs.get_signature().format().split("|")
        assert [part for part in ours.signature(1).split("|") if not part.startswith(("metric:", "version:"))] == parts[:-1]


def test_ascii_is_a_case_of_its_own():
    """The same as sacreBLEU on texts of which A to Z alone were made small; no signature takes it for another."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    low = [text.translate({code: code + 32 for code in range(65, 91)}) for text in (*CANDIDATES, *(group[0] for group in REFERENCES))]
    theirs = metrics.CHRF().corpus_score(low[:2], [low[2:]]).score
    for by in ("plain", "sacrebleu"):
        found = ChrF(lowercase="ascii", by=by).score(CANDIDATES, REFERENCES)
        assert found.reported == pytest.approx(theirs, abs=1e-9) and "|case:ascii|" in found.signature
    for kind in (ChrF, Ter, Nist, lambda **options: Rouge(tokenize="13a", **options)):
        assert len({kind(lowercase=case).signature() for case in (True, False, "ascii")}) == 3


def test_settings_go_to_the_metrics_that_have_them():
    found, notes = chosen_metrics(["bleu", *NAMES], SACREBLEU.replace(lowercase=True, tokenize="intl", smooth="floor", max_order=3))
    wanted = [Bleu(SACREBLEU.replace(lowercase=True, tokenize="intl", smooth="floor", max_order=3)), ChrF(lowercase=True), ChrF(word_order=2, lowercase=True)]
    wanted += [Ter("intl", True), Nist(3, "intl", True), *(Rouge(kind, tokenize="intl", lowercase=True) for kind in ("1", "2", "L", "Lsum"))]
    assert found == wanted
    said = {note.split(" was ")[0]: note for note in notes}
    assert list(said) == ["chrF2", "chrF2++", "TER", "NIST", "ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"]
    assert "max_order=3, tokenize='intl', smooth='floor':" in said["chrF2"] and "without smooth='floor':" in said["NIST"]


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_stand_for_the_settings_that_they_change(preset):
    found, notes = chosen_metrics(["nist", "chrf"], PRESETS[preset])
    settings = PRESETS[preset]
    usual = Nist()
    assert found[0].lowercase == (settings.lowercase or usual.lowercase) and found[1].lowercase == settings.lowercase
    assert found[0].tokenize == settings.tokenize
    assert any("smooth='none'" in note for note in notes) == (settings.smooth == "none")


def test_named_settings_count_even_if_they_are_the_usual_ones():
    assert chosen_metrics(["ter"])[0] == [Ter()]
    assert chosen_metrics(["ter"], SACREBLEU, ["lowercase"])[0] == [Ter(lowercase=False)]
    assert chosen_metrics(["nist"], SACREBLEU.replace(weights=["1/3", "2/3"]))[0] == [Nist()]  # the order came with the weights
    assert chosen_metrics(["chrf"], SACREBLEU)[1] == []
    assert "blank_references='absent'" in chosen_metrics(["chrf"], SACREBLEU.replace(blank_references="absent"))[1][0]


def test_objects_keep_their_options_and_nothing_comes_twice():
    found, notes = chosen_metrics([ChrF(), Bleu(PAPER), "chrf", "chrF", ChrF(lowercase=True)], SACREBLEU.replace(lowercase=True))
    assert found == [ChrF(), Bleu(PAPER), ChrF(lowercase=True)]
    assert sum("more than once" in note for note in notes) == 2 and sum("keeps its own options" in note for note in notes) == 2


@pytest.mark.parametrize("wrong", [None, 5, "chrf", b"chrf", [1], [None], [Bleu], [["chrf"]], [object()], True])
def test_what_is_no_list_of_metrics(wrong):
    with pytest.raises(SettingsError, match="metrics"):
        chosen_metrics(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_options_name_those_that_exist(name):
    with pytest.raises(UnknownNameError, match=option_names(type(metric(name)))[0]):
        metric(name, beam_width=3)
    with pytest.raises(BleuInputError, match="smooth"):
        metric("bleu", smoth="exp")


ODD = [True, 1.0, "3", None, 10**9, -1, float("nan"), 10**400, [2]]


@pytest.mark.parametrize(
    ("kind", "option", "allowed"),
    [
        (ChrF, "char_order", ()),
        (ChrF, "word_order", ()),
        (ChrF, "beta", ()),
        (Nist, "max_order", ()),
        (lambda **options: Meteor(stem=False, **options), "beam", ()),
        (Rouge, "kind", ("3",)),
        (ChrF, "whitespace", (True,)),
        (ChrF, "eps_smoothing", (True,)),
        (ChrF, "lowercase", (True,)),
        (Ter, "lowercase", (True,)),
        (Nist, "lowercase", (True,)),
        (Rouge, "lowercase", (True,)),
        (Rouge, "stem", (True,)),
        (Meteor, "stem", (True,)),
        (Ter, "tokenize", ()),
        (Nist, "tokenize", ()),
        (Rouge, "tokenize", ()),
        (Rouge, "measure", ()),
        (ChrF, "by", (None,)),
        (Ter, "by", ()),
        (Rouge, "by", (None,)),
        (Bleu, "settings", (None,)),
    ],
)
def test_odd_values_are_refused_by_name(kind, option, allowed):
    for value in ODD:
        if any(value is one or value == one for one in allowed) and not (isinstance(value, float) and True in allowed):
            continue
        with pytest.raises(BleuInputError) as raised:
            kind(**{option: value})
        assert raised.value.expected and raised.value.got and len(str(raised.value)) < 700


@pytest.mark.parametrize(
    "changes", [{"alpha": "x"}, {"alpha": True}, {"beta": float("nan")}, {"beta": "1"}, {"weights": 3}, {"weights": (1, 1, "x")}, {"gains": (1, 2)}]
)
def test_parameters_of_meteor_are_numbers(changes):
    usual = {"name": "mine", "alpha": 0.5, "beta": 1.0, "gamma": 0.5}
    with pytest.raises(SettingsError, match="Parameters"):
        Parameters(**usual | changes)


def test_units():
    assert [metric(name).score(CANDIDATES, REFERENCES).unit for name in ("bleu", "chrf", "ter", "nist")] == ["%", "%", "%", "bits"]
    assert MetricScore("words", 3.0, (3.0,), "metric:words", scale=1).percent is None
    assert MetricScore("share", 0.25, (0.25,), "metric:share").percent == 25 == MetricScore("share", 0.25, (0.25,), "metric:share").to_dict()["percent"]
    assert MetricScore("words", 3.0, (3.0,), "metric:words", scale=1).unit == ""
    assert " bits (higher is better)" in str(Nist().score(CANDIDATES, REFERENCES))


def test_metric_signature_keeps_a_version_that_is_given():
    assert metric_signature("mine", 1, version="mine-2.0", order=3) == "metric:mine|nrefs:1|order:3|version:mine-2.0"


def test_a_missing_stemmer_is_missed_by_meteor():
    program = (
        "import sys; sys.modules['snowballstemmer'] = None\n"
        "from bleu_lit.metric import metric\n"
        "try:\n    metric('meteor')\nexcept ImportError as error:\n    print(type(error).__name__, error)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=True).stdout
    assert told.startswith(f"{MissingExtraError.__name__} METEOR") and "snowballstemmer" in told and "stem=False" in told


def test_every_option_of_a_metric_is_reached_by_its_name():
    for name in NAMES:
        usual = METRICS[name][2]
        assert set(usual) <= set(option_names(type(metric(name)))) and metric(name.upper(), **usual) == metric(name)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("rougel", ["rouge-l", "ROUGE-L", "Rouge_L", "rouge L"]),
        ("rougelsum", ["ROUGE-Lsum", "rouge-l-sum"]),
        ("rouge1", ["ROUGE-1"]),
        ("chrf", ["chrF", "CHRF", "chr-F", "chrF2"]),
        ("chrf++", ["chrF++", "CHRF++", "chrF2++"]),
        ("ter", ["TER"]),
    ],
)
def test_a_metric_is_found_by_any_spelling_and_by_what_its_scores_call_it(name, written):
    for other in written:
        assert metric(other) == metric(name)
    assert metric(metric(name).name) == metric(name)
    assert chosen_metrics([*written, name])[0] == [metric(name)]


def test_a_name_that_no_spelling_leads_to_is_refused_with_the_nearest():
    for wrong in ("rouge-m", "chrf+++", "-", ""):
        with pytest.raises(UnknownNameError, match="metric"):
            metric(wrong)


@pytest.mark.parametrize("case", [False, "ascii"])
def test_a_value_that_a_metric_does_not_have_is_told_and_stops_nothing(case):
    found, notes = chosen_metrics(["rougel", "ter"], SACREBLEU.replace(lowercase=case), ["lowercase"])
    assert found == [Rouge(), Ter(lowercase=case)]
    (note,) = notes
    assert note.startswith(f"ROUGE-L was computed without lowercase={case!r}: ")
    assert "no such choice" not in note  # it has the choice with another tokenizer, and the note says so
    assert "lower case" in note
    assert "tokenize='13a'" in note
    assert chosen_metrics(["rougel"], SACREBLEU.replace(lowercase=case), ["lowercase", "tokenize"]) == ([Rouge(lowercase=case, tokenize="13a")], [])
    with pytest.raises(SettingsError, match="lowercase=True"):
        Rouge(lowercase=case)
    assert chosen_metrics(["rougel"], SACREBLEU.replace(lowercase=case, tokenize="intl"), ["lowercase"])[0] == [Rouge(tokenize="intl", lowercase=case)]


@pytest.mark.parametrize("name", [*NAMES, "bleu", "meteor"])
def test_a_score_of_zero_has_its_reason(name):
    found = metric(name, **{"stem": False} if name == "meteor" else {})
    score = found.score(["xyz", ""], [["a b"], ["c"]])
    if name == "ter":
        assert score.value == 1 and "1 of 2 candidates is empty" in score.notes
    else:
        assert score.value == 0 and any(note.startswith("the score is 0 because") for note in score.notes)
        assert name == "bleu" or "1 of 2 candidates is empty" in score.notes


ROWS = {  # a metric: a row by hand, and its value by the formula
    "chrf": ([4, 2, 2] + [0] * 15, 5 * 0.5 * 1 / (4 * 0.5 + 1)),
    "ter": ([3, 12], 0.25),
    "rouge2": ([1, 0.5, 0.75, 3], 0.25),
    "nist": ([6, 6, 12, 0, 0, 0, 0, 6, 5, 4, 3, 2], 2.0),
    "meteor": ([0] * 18, 0.0),
    "bleu": ([2, 2, 1, 0, 0, 0, 2, 1, 0, 0], 0.0),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_value_of_a_row_is_that_of_a_row(name):
    if name == "meteor":
        pytest.importorskip("snowballstemmer")
    one, (row, value) = metric(name, **({"smooth": "none"} if name == "bleu" else {})), ROWS[name]
    assert one.value_of(row) == one.value_of(tuple(row)) == pytest.approx(value)
    for place in range(len(row)):
        for wrong in (-1, math.nan, math.inf, "1", None, True, 1j, Fraction(-1, 3), *([10**400] if name != "bleu" else [])):  # BLEU counts exactly
            with pytest.raises(StatisticsError):
                one.value_of([*row[:place], wrong, *row[place + 1 :]])
    for wrong in (row[:-1], row[:1], [], [*row, 0], "1234", 5, None, {1: 2}, [row]):
        with pytest.raises(StatisticsError):
            one.value_of(wrong)


def test_a_row_that_no_texts_have_is_refused():
    for name, row in (("rouge1", [0, 0, 0, 0]), ("chrf", [1, 1, 5] + [0] * 15), ("chrf", [1.5, 2, 1] + [0] * 15)):
        with pytest.raises(StatisticsError):
            metric(name).value_of(row)


@pytest.mark.parametrize("name", ["bleu", *NAMES, "meteor"])
def test_progress_is_a_function_or_none(name):
    if name == "meteor":
        pytest.importorskip("snowballstemmer")
    for wrong in (True, False, 0, 5, [], "print"):
        with pytest.raises(SettingsError) as caught:
            metric(name).score(CANDIDATES, REFERENCES, progress=wrong)
        assert caught.value.where == "progress"
        with pytest.raises(SettingsError):
            in_batches([1, 2], [1, 1], 1, list, progress=wrong)  # as the metrics with models run
    done = []
    metric(name).score(CANDIDATES, REFERENCES, progress=done.append)
    assert done[-1] == 2


def as_enum(value: object) -> object:
    """The value as a member of an Enum that is of its type too; other types as they are."""
    return Enum("Member", {"ONLY": value}, type=type(value)).ONLY if type(value) in (str, int) else value


@pytest.mark.parametrize("name", [*NAMES, "meteor"])
def test_members_of_an_enum_are_written_by_their_values(name):
    if name == "meteor":
        pytest.importorskip("snowballstemmer")
    plain = metric(name, **({"tokenize": "13a"} if name != "chrf" and "tokenize" in option_names(type(metric(name))) else {}))
    given = {option.name: as_enum(getattr(plain, option.name)) for option in fields(plain) if option.init}
    made = type(plain)(**given)
    assert made == plain and made.name == plain.name and made.signature(as_enum(2)) == plain.signature(2)
    assert made.score(CANDIDATES, REFERENCES) == plain.score(CANDIDATES, REFERENCES)


@pytest.mark.parametrize("name", ["bleu", *NAMES])
def test_lists_that_change_meanwhile_change_nothing(name):
    """The score is that of the lists as they were given: a perfect one."""
    candidates, references = ["the cat sat on the mat"] * 3, [["the cat sat on the mat"] for _ in range(3)]
    expected = metric(name).score(list(candidates), [list(group) for group in references])

    def change(done):
        for group in references:
            group.append("x")
        references[-1].clear()
        candidates[0] = "y"

    assert metric(name).score(candidates, references, progress=change) == expected


def test_a_set_of_parameters_is_named_by_plain_text():
    plain = Parameters("mine", 0.5, 1, 0.2, 0.5, fewest="crossings")
    given = Parameters(as_enum("mine"), 0.5, as_enum(1), 0.2, 0.5, fewest=as_enum("crossings"))
    assert Meteor(parameters=given, stem=False).signature() == Meteor(parameters=plain, stem=False).signature()
