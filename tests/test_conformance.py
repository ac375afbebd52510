"""The conformance vectors are sound, bleu_lit meets them, and a broken BLEU does not."""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracles import exact_bleu
from oracles.vector_texts import prepared
from shared import ROOT, SHARED, needs_data

from bleu_lit import core
from bleu_lit.conformance import STAGES, bleu_lit_results, clauses, disputes, file_vectors, opened, run_vector, settings_of, vectors
from bleu_lit.score import corpus_bleu
from bleu_lit.settings import parse_signature

FOLDER = ROOT / "bleu_lit" / "vectors" / "v1"
SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
FILES = [
    path for path in sorted(FOLDER.rglob("*.json")) if path.name not in ("schema.json", "clauses.json", "retired.json", "specification.json", "mutants.json")
]
KINDS = {"disputed": "disputed", "files": "fileVector"}  # folder → definition in the schema
SUITE = vectors()
SCORED = [vector for vector in SUITE if "error" not in vector.expect]
each_vector = pytest.mark.parametrize("vector", SUITE, ids=lambda vector: vector.id)
each_scored = pytest.mark.parametrize("vector", SCORED, ids=lambda vector: vector.id)


# ---- The data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_follow_the_schema(path):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kind = KINDS.get(path.parent.name, "vector")
    validator = jsonschema.Draft202012Validator({"$schema": SCHEMA["$schema"], "$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    entries = json.loads(path.read_text(encoding="utf-8"))
    faults = [f"{entry.get('id')}: {error.json_path}: {error.message[:200]}" for entry in entries for error in validator.iter_errors(entry)]
    assert not faults, "\n".join(faults)
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(entries)


def test_schema_refuses_what_is_malformed():
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator({"$schema": SCHEMA["$schema"], "$ref": "#/$defs/vector", "$defs": SCHEMA["$defs"]})
    good = json.loads((FOLDER / "clipping.json").read_text(encoding="utf-8"))[0]
    assert validator.is_valid(good)
    for change in (
        {"id": "Not A Slug"},
        {"why": ""},
        {"source": {"title": "x"}},
        {"settings": {"smoothing": "none"}},
        {"settings": {"smooth": "flor"}},
        {"expect": {"score": 0.5}},
        {"expect": {"score": {"exact": "1/2", "tolerance": "0", "printed": "0.5"}}},
        {"expect": {"matched": [-1]}},
        {"input": {"candidates": "a b", "references": [["a b"]], "tokenized": False}},
        {"surprise": 1},
    ):
        assert not validator.is_valid({**good, **change}), change


def test_ids_are_unique_and_files_are_by_clause():
    entries = [(path, entry) for path in FILES for entry in json.loads(path.read_text(encoding="utf-8"))]
    twice = [name for name, count in Counter(entry["id"] for _, entry in entries).items() if count > 1]
    assert not twice, f"ids used twice: {twice}"
    for path, entry in entries:
        assert entry["clause"] in clauses(), entry["id"]
        assert path.parent.name == "disputed" or entry["clause"] == path.stem, entry["id"]
    retired = {entry["id"] for entry in json.loads((FOLDER / "retired.json").read_text(encoding="utf-8"))}
    assert {vector.id for vector in SUITE} == {entry["id"] for path, entry in entries if path.parent.name not in KINDS} - retired
    assert {vector.id for vector in file_vectors()} == {entry["id"] for path, entry in entries if path.parent.name == "files"} - retired
    assert len(SUITE) + len(file_vectors()) + len(disputes()) >= 670


def test_every_clause_has_vectors_and_a_reason_is_never_given_twice():
    assert {vector.clause for vector in (*SUITE, *file_vectors())} == set(clauses())
    twice = [why for why, count in Counter(vector.why for vector in (*SUITE, *file_vectors(), *disputes())).items() if count > 1]
    assert not twice, twice


def test_a_line_of_json_holds_a_whole_vector():
    for path in FILES:
        for entry in json.loads(path.read_text(encoding="utf-8")):
            line = json.dumps(entry, ensure_ascii=True)
            assert "\n" not in line
            assert line.isascii()
            assert json.loads(line) == entry


@each_scored
def test_printed_digits_justify_the_tolerance(vector):
    for stage in ("brevity_penalty", "score"):
        number = vector.expect.get(stage)
        if number is None or "printed" not in number:
            continue
        true, printed, tolerance = exact_bleu.as_decimal(number["exact"]), Decimal(number["printed"]) / number["scale"], Decimal(number["tolerance"])
        unit = Decimal(1).scaleb(Decimal(number["printed"]).as_tuple().exponent) / number["scale"]
        gap = true - printed
        if number["rounding"] == "rounded":
            assert abs(gap) <= unit / 2 + Decimal("1e-16")
            assert tolerance <= max(unit / 2, Decimal("1e-12"))
        elif number["rounding"] == "truncated":
            assert 0 <= gap < unit
            assert tolerance <= unit
        else:
            limit = {"float32": Decimal("1e-7"), "float64": Decimal("1e-12")}[number["rounding"]]
            assert abs(gap) <= limit
            assert tolerance <= limit


def test_errata_keep_both_numbers():
    errata = [vector for vector in SUITE if vector.erratum]
    assert len(errata) >= 12
    for vector in errata:
        slip = vector.erratum
        assert slip["stage"] in vector.expect, vector.id
        if slip["stage"] == "precisions":
            assert slip["true"] == ", ".join(vector.expect["precisions"][: slip["true"].count("/")]) or slip["true"] in vector.expect["precisions"], vector.id
            assert slip["printed"] != slip["true"]
            continue
        expected = vector.expect[slip["stage"]]
        assert slip["true"] == expected["exact"], vector.id
        printed = Decimal(slip["printed"]) / slip["scale"]
        assert abs(printed - exact_bleu.as_decimal(slip["true"])) > Decimal("0.004"), f"{vector.id}: the misprint is no misprint"
        if "explained" in slip:
            unit = Decimal(1).scaleb(Decimal(slip["printed"]).as_tuple().exponent) / slip["scale"]
            assert abs(printed - exact_bleu.as_decimal(slip["explained"])) <= max(unit, Decimal("1e-12")), vector.id


def test_published_stages_are_expected_and_recalled_ones_are_said():
    for vector in SUITE:
        assert set(vector.published) <= set(vector.expect), vector.id
        assert vector.source["provenance"] in ("read", "mirror", "recalled", "derived", "own"), vector.id
        if vector.source["provenance"] == "own":
            assert not vector.published, vector.id
    for vector in SUITE:
        printed = {stage for stage in ("brevity_penalty", "score") if "printed" in vector.expect.get(stage, {})}
        assert printed <= set(vector.published), vector.id


# ---- The oracle, which is not the package


def test_the_oracle_does_not_know_the_package():
    for name in ("exact_bleu.py", "make_vectors.py", "vector_tables.py"):
        text = (ROOT / "tests" / "oracles" / name).read_text(encoding="utf-8")
        assert "import bleu_lit" not in text, name
        assert "from bleu_lit" not in text, name


def tokens_of(vector) -> tuple[list, list]:
    """What is counted: given tokens, the expected ones, or a plain split."""
    if "tokens" in vector.expect:
        return vector.expect["tokens"]["candidates"], vector.expect["tokens"]["references"]

    def cut(segment):
        if segment is None or not isinstance(segment, str):
            return segment
        return prepared(segment, vector.settings).split()

    references = [[cut(segment) for segment in group] for group in vector.input["references"]]
    if vector.settings.get("blank_references") == "absent":
        references = [[tokens or None for tokens in group] for group in references]
    return [cut(segment) for segment in vector.input["candidates"]], references


@each_scored
def test_expected_stages_agree_with_the_oracle(vector):
    said, expect = vector.full_settings, vector.expect
    weights = [Fraction(w) for w in said["weights"]] if "weights" in said else None
    value = Fraction(said["smooth_value"]) if "smooth_value" in said else None
    order, rule = said["max_order"], said["reference_length"]
    more = order + exact_bleu.EXTRA_ORDERS.get(said["smooth"], 0)

    def score(stats):
        return exact_bleu.score(stats, weights, said["smooth"], value, said["effective_order"])

    if "statistics" in vector.input:
        numbers = vector.input["statistics"]
        stats = exact_bleu.Statistics(numbers["candidate_length"], Fraction(numbers["reference_length"]), tuple(numbers["matched"]), tuple(numbers["total"]))
    else:
        candidates, references = tokens_of(vector)
        if said["level"] == "mean":
            singles = [exact_bleu.statistics([c], [r], more, rule) for c, r in zip(candidates, references, strict=True)]
            assert exact_bleu.written(exact_bleu.mean_of([score(stats) for stats in singles])) == expect["score"]["exact"]
            return
        stats = exact_bleu.statistics(candidates, references, more, rule)
        assert expect["total"] == list(stats.total[:order])
        assert expect["matched"] == list(stats.matched[:order])
        assert expect["candidate_length"] == stats.c
        assert Fraction(expect["reference_length"]) == stats.r
        for n, grams in expect.get("ngrams", {}).items():
            assert grams == {" ".join(gram): count for gram, count in exact_bleu.runs(exact_bleu.deck(candidates[0], int(n)))}
    assert expect["precisions"] == [f"{m}/{t}" for m, t in zip(stats.matched, stats.total, strict=True)][: len(expect["precisions"])]
    if "smoothed_precisions" in expect:
        assert [None if p is None else str(p) for p in exact_bleu.smoothed(stats, said["smooth"], value)] == expect["smoothed_precisions"]
    if "brevity_penalty" in expect:
        assert exact_bleu.written(exact_bleu.brevity(stats.c, stats.r)) == expect["brevity_penalty"]["exact"]
    assert exact_bleu.written(score(stats)) == expect["score"]["exact"]


@pytest.mark.parametrize("vector", [vector for vector in SCORED if "tokens" in vector.expect], ids=lambda vector: vector.id)
def test_expected_tokens_are_sacrebleus(vector):
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU

    name = vector.full_settings["tokenize"]
    tool = BLEU(tokenize=name, effective_order=True).tokenizer
    texts = [*vector.input["candidates"], *(text for group in vector.input["references"] for text in group)]
    texts = [None if text is None else prepared(text, vector.settings).rstrip() for text in texts]
    wanted = [*vector.expect["tokens"]["candidates"], *(tokens for group in vector.expect["tokens"]["references"] for tokens in group)]
    assert [None if text is None else tool(text).split() for text in texts] == wanted


def sacrebleu_can(vector) -> bool:
    """Whether sacreBLEU has every setting of a vector with text."""
    said = vector.full_settings
    plain = not {"weights", "normalize", "blank_references"} & set(vector.settings) and isinstance(said["lowercase"], bool)
    return plain and said["smooth"] in ("none", "floor", "add-k", "exp") and said["reference_length"] == "closest" and said["level"] in ("corpus", "sentence")


@pytest.mark.parametrize(
    "vector", [vector for vector in SCORED if sacrebleu_can(vector) and not vector.input.get("tokenized", True)], ids=lambda vector: vector.id
)
def test_expected_scores_are_sacrebleus(vector):
    """A second program, written by others, gives the same number wherever it has the settings."""
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU

    said = vector.full_settings
    tool = BLEU(
        tokenize=said["tokenize"], lowercase=said["lowercase"], smooth_method=said["smooth"], max_ngram_order=said["max_order"],
        smooth_value=float(said["smooth_value"]) if "smooth_value" in said else None, effective_order=said["effective_order"],
    )  # fmt: skip
    width = max(map(len, vector.input["references"]))
    streams = zip(*([*group, *[None] * (width - len(group))] for group in vector.input["references"]), strict=True)
    found = tool.corpus_score(vector.input["candidates"], [list(stream) for stream in streams])
    stated = vector.expect["score"]
    if said["smooth"] == "add-k":  # sacreBLEU adds to the very lists that it reports
        found.counts, found.totals = vector.expect["matched"], vector.expect["total"]
    assert abs(Decimal(found.score) / 100 - exact_bleu.as_decimal(stated["exact"])) < Decimal("1e-12")
    assert (found.counts, found.totals, found.sys_len, found.ref_len) == tuple(
        vector.expect[stage] for stage in ("matched", "total", "candidate_length", "reference_length")
    )


def test_published_examples_are_all_used():
    path = SHARED / "published_examples.jsonl"
    if not path.is_file():
        pytest.skip(f"{path.name} is not at {SHARED} (set BLEU_LIT_SHARED)")
    command = [sys.executable, str(ROOT / "tests" / "oracles" / "make_vectors.py"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env={**os.environ, "BLEU_LIT_SHARED": str(SHARED)})
    assert run.returncode == 0, f"the tables and the vectors differ; vectors are added, not edited:\n{run.stdout}{run.stderr}"


# ---- bleu_lit


@each_vector
def test_bleu_lit_meets_every_vector(vector):
    # claim: 000-05, 000-07, 000-11, 001-04, 001-05, 001-07, 001-09, 004-10, 004-12, 004-13, 004-14, 004-15, 004-17
    departures = run_vector(vector)
    assert not departures, "\n".join(map(str, departures))


@pytest.mark.parametrize("vector", [vector for vector in SUITE if "error" in vector.expect], ids=lambda vector: vector.id)
def test_refusals_are_of_the_kind_that_is_named(vector):
    words = "".join(part.capitalize() for part in vector.expect["error"].split("-"))
    with pytest.raises(getattr(core, f"{words}Error")):
        bleu_lit_results(vector)


@pytest.mark.parametrize("vector", [vector for vector in file_vectors() if vector.clause == "lines"], ids=lambda vector: vector.id)
def test_bleu_lit_reads_the_lines_of_files(vector):
    assert not run_vector(opened(vector))


@needs_data
@pytest.mark.parametrize("vector", [vector for vector in file_vectors() if vector.clause == "corpora"], ids=lambda vector: vector.id)
def test_bleu_lit_meets_the_published_corpora(vector):
    text = opened(vector, SHARED / "data")
    score = corpus_bleu(text.input["candidates"], text.input["references"], settings_of(vector))
    stages = ("total", "matched", "candidate_length", "reference_length", "precisions", "brevity_penalty")
    assert not vector.check({**{stage: getattr(score, stage) for stage in stages}, "score": score.value})


def test_a_corpus_of_another_text_is_refused(tmp_path):
    vector = next(vector for vector in file_vectors() if vector.clause == "corpora")
    with pytest.raises(core.FileInputError, match="nothing of that name"):
        opened(vector, tmp_path)
    for file in (vector.input["files"]["candidates"], *vector.input["files"]["references"]):
        (tmp_path / file["name"]).parent.mkdir(exist_ok=True)
        (tmp_path / file["name"]).write_text("another text\n", encoding="utf-8")
    with pytest.raises(core.FileInputError, match="SHA-256"):
        opened(vector, tmp_path)


SIGNED = [vector for vector in SUITE if "signature" in vector.expect]


@pytest.mark.parametrize("vector", SIGNED, ids=lambda vector: vector.id)
def test_a_signature_gives_its_settings_back(vector):
    settings = settings_of(vector)
    assert parse_signature(vector.expect["signature"]) == settings


def test_settings_that_differ_have_signatures_that_differ():
    by_signature = {}
    for vector in SIGNED:
        by_signature.setdefault(vector.expect["signature"].partition("|")[2], set()).add(settings_of(vector))
    assert all(len(settings) == 1 for settings in by_signature.values())
    assert len(SIGNED) >= 30


def test_bleu_lit_says_which_tradition_it_follows():
    follows = {}
    for dispute in disputes():
        try:
            results = {"score": bleu_lit_results(dispute.under())["score"]}
        except core.BleuInputError as error:
            results = {"error": str(error)}
        follows[dispute.id.removeprefix("bleu/disputed/")] = dispute.agreeing(results)
    assert follows["chen-cherry-4"] == follows["chen-cherry-6"] == ("paper", "nltk")
    assert follows["chen-cherry-5"] == follows["chen-cherry-7"] == ("paper",)
    assert follows["floor-without-a-match"] == ("sacrebleu",)
    assert follows["weights-that-sum-to-0.99"] == ("bleu_lit",)
    assert follows["tie-of-lengths"] == ("paper", "sacrebleu", "nltk", "mteval")
    assert follows["identical-corpus-with-a-short-segment"] == ("paper", "sacrebleu", "nmt")
    alone = [name for name, found in follows.items() if "paper" in disputed_named(name).traditions and "paper" not in found]
    assert alone == ["case"]  # the paper folds case; here it is kept unless asked for
    assert all(found for found in follows.values())


def disputed_named(name: str):
    return next(dispute for dispute in disputes() if dispute.id == f"bleu/disputed/{name}")


def test_every_answer_of_a_tradition_says_how_it_came_about():
    for dispute in disputes():
        assert not dispute.provenance or set(dispute.provenance) == set(dispute.traditions), dispute.id
    assert sum(bool(dispute.provenance) for dispute in disputes()) >= 20


def test_scores_are_the_exact_ones_to_the_last_digits():
    """The tolerance of a printed number is wide; bleu_lit itself is held to one unit in the last place."""
    for vector in SCORED:
        exact, got = Fraction(exact_bleu.as_decimal(vector.expect["score"]["exact"])), bleu_lit_results(vector)["score"]
        assert abs(Fraction(got) - exact) <= Fraction(math.ulp(float(exact))), vector.id


# ---- How results are compared


def vector_named(name: str):
    return next(vector for vector in SUITE if vector.id == name)


def test_integers_match_exactly_and_in_any_container():
    seven = vector_named("bleu/papineni-2002/seven-the")
    for matched in ([2, 0], (2, 0), [2.0, 0.0], [Fraction(2), 0]):
        assert not seven.check({"matched": matched})
    for matched in ([2, 1], [2], [2, 0, 0], "2", 2, None, [float("nan"), 0], [2.001, 0]):
        assert [departure.stage for departure in seven.check({"matched": matched})] == ["matched"], matched


def test_numpy_arrays_and_scalars_are_numbers():
    numpy = pytest.importorskip("numpy")
    seven, german = vector_named("bleu/papineni-2002/seven-the"), vector_named("bleu/wikipedia-de/sentence")
    assert not seven.check({"matched": numpy.array([2, 0]), "total": numpy.array([7, 6], dtype="int32"), "score": numpy.float64(0)})
    assert not german.check({"score": numpy.float32(0.5410823), "brevity_penalty": numpy.float32(1)})


def test_precisions_may_be_fractions_texts_or_floats():
    german = vector_named("bleu/wikipedia-de/sentence")
    for precisions in (["6/8", "4/7", "1/2", "2/5"], [Fraction(3, 4), Fraction(4, 7), Fraction(1, 2), Fraction(2, 5)], [0.75, 4 / 7, 0.5, 0.4]):
        assert not german.check({"precisions": precisions})
    assert german.check({"precisions": [0.75, 0.5714, 0.5, 0.4]})
    assert german.check({"precisions": ["3/4", "4/7", "1/2", "two fifths"]})
    short = vector_named("bleu/rules/one-token")
    for nothing in (None, 0, 0.0):
        assert not short.check({"precisions": [1, nothing, nothing, nothing]})
    assert short.check({"precisions": [1, 1, 1, 1]})


def test_real_numbers_match_within_their_tolerance():
    first = vector_named("bleu/nltk/candidate-1")  # printed 0.5045, cut
    assert not first.check({"score": 0.5045666840058485})
    assert not first.check({"score": 0.5045})
    for wrong in (0.5044, 0.5047, 50.45, float("nan"), float("inf"), None, "many", True):
        assert [departure.stage for departure in first.check({"score": wrong})] == ["score"], wrong
    zero = vector_named("bleu/nltk/candidate-2")
    assert not zero.check({"score": 0.0})
    assert zero.check({"score": 5e-324})
    one = vector_named("bleu/rules/perfect-is-exactly-one")
    assert one.check({"score": 1.0000000000000002})
    assert one.check({"score": 0.9999999999999999})


def test_the_first_departing_stage_comes_first():
    german = vector_named("bleu/wikipedia-de/sentence")
    wrong = {"score": 0.6, "matched": [8, 4, 3, 2], "reference_length": 10, "total": [8, 7, 6, 5]}
    assert [departure.stage for departure in german.check(wrong)] == ["matched", "reference_length", "score"]
    first = str(german.check(wrong)[0])
    assert "expected 6, 4, 3, 2, got 8, 4, 3, 2" in first
    assert german.why in first
    assert list(STAGES)[:4] == ["tokens", "ngrams", "total", "matched"]


def test_a_refusal_and_a_crash_are_told_from_a_score():
    unequal, german = vector_named("bleu/errors/fewer-references"), vector_named("bleu/wikipedia-de/sentence")
    assert not run_vector(unequal, lambda vector: {"error": "lists of different length"})
    assert [departure.stage for departure in run_vector(unequal, lambda vector: {"score": 1.0})] == ["error"]
    assert [departure.stage for departure in run_vector(german, lambda vector: 1 // 0)] == ["error"]
    assert not run_vector(unequal, lambda vector: 1 // 0)
    assert german.check({})[0].got == "none of these stages"
    with pytest.raises(core.UnknownNameError, match="Did you mean 'score'"):
        german.check({"scores": 1.0})
