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
from shared import ROOT, SHARED

from bleu_lit import core
from bleu_lit.conformance import STAGES, bleu_lit_results, clauses, disputes, run_vector, vectors

FOLDER = ROOT / "bleu_lit" / "vectors" / "v1"
SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
FILES = [path for path in sorted(FOLDER.rglob("*.json")) if path.name not in ("schema.json", "clauses.json", "retired.json")]
SUITE = vectors()
SCORED = [vector for vector in SUITE if "error" not in vector.expect]
each_vector = pytest.mark.parametrize("vector", SUITE, ids=lambda vector: vector.id)
each_scored = pytest.mark.parametrize("vector", SCORED, ids=lambda vector: vector.id)


# ---- The data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_follow_the_schema(path):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kind = "disputed" if path.parent.name == "disputed" else "vector"
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
    assert {vector.id for vector in SUITE} == {entry["id"] for path, entry in entries if path.parent.name != "disputed"} - retired


def test_every_clause_has_vectors_and_a_reason_is_never_given_twice():
    assert {vector.clause for vector in SUITE} == set(clauses())
    twice = [why for why, count in Counter(vector.why for vector in SUITE).items() if count > 1]
    assert not twice, twice


def test_a_line_of_json_holds_a_whole_vector():
    for path in FILES:
        for entry in json.loads(path.read_text(encoding="utf-8")):
            line = json.dumps(entry, ensure_ascii=True)
            assert "\n" not in line
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
        return (segment.lower() if vector.full_settings["lowercase"] else segment).split()

    return [cut(segment) for segment in vector.input["candidates"]], [[cut(segment) for segment in group] for group in vector.input["references"]]


@each_scored
def test_expected_stages_agree_with_the_oracle(vector):
    said, expect = vector.full_settings, vector.expect
    weights = [Fraction(w) for w in said["weights"]] if "weights" in said else None
    value = Fraction(said["smooth_value"]) if "smooth_value" in said else None
    order, rule = said["max_order"], said["reference_length"]

    def score(stats):
        return exact_bleu.score(stats, weights, said["smooth"], value, said["effective_order"])

    if "statistics" in vector.input:
        numbers = vector.input["statistics"]
        stats = exact_bleu.Statistics(numbers["candidate_length"], Fraction(numbers["reference_length"]), tuple(numbers["matched"]), tuple(numbers["total"]))
    else:
        candidates, references = tokens_of(vector)
        if said["level"] == "mean":
            singles = [exact_bleu.statistics([c], [r], order, rule) for c, r in zip(candidates, references, strict=True)]
            assert exact_bleu.written(exact_bleu.mean_of([score(stats) for stats in singles])) == expect["score"]["exact"]
            return
        stats = exact_bleu.statistics(candidates, references, order, rule)
        assert expect["total"] == list(stats.total)
        assert expect["matched"] == list(stats.matched)
        assert expect["candidate_length"] == stats.c
        assert Fraction(expect["reference_length"]) == stats.r
        for n, grams in expect.get("ngrams", {}).items():
            assert grams == {" ".join(gram): count for gram, count in exact_bleu.runs(exact_bleu.deck(candidates[0], int(n)))}
    assert expect["precisions"] == [f"{m}/{t}" for m, t in zip(stats.matched, stats.total, strict=True)]
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
    wanted = [*vector.expect["tokens"]["candidates"], *(tokens for group in vector.expect["tokens"]["references"] for tokens in group)]
    assert [tool(text.strip()).split() for text in texts] == wanted


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


# ---- Mutants: a BLEU with one fault departs

FAULTS = {  # fault → a clause whose vectors must notice
    "unclipped": "clipping",
    "clip by the sum over references": "clipping",
    "clip by the first reference": "clipping",
    "each n-gram once": "clipping",
    "occurrences do not overlap": "n-grams",
    "shortest reference": "reference-length",
    "longest reference": "reference-length",
    "tie to the longer": "reference-length",
    "tie to the first listed": "reference-length",
    "closest to the whole corpus": "reference-length",
    "linear penalty": "brevity",
    "inverted penalty": "brevity",
    "no penalty": "brevity",
    "long candidates pay": "brevity",
    "penalty per segment": "brevity",
    "mean of segment precisions": "corpus-sums",
    "arithmetic mean": "combination",
    "no root": "combination",
    "weights ignored": "weights",
    "zero orders skipped": "zero-order",
    "a tiny number for zero": "zero-order",
    "at least one n-gram per segment": "corpus-sums",
    "absent orders skipped": "short-candidate",
    "effective order drops zero matches": "effective-order",
    "effective order keeps the weights": "effective-order",
    "effective order ignored": "effective-order",
    "add-k at order 1": "smoothing",
    "exp by the order's number": "smoothing",
    "floor without division": "smoothing",
    "floor for absent orders": "short-candidate",
    "smoothing ignored": "smoothing",
    "smoothing without a matching unigram": "smoothing",
    "empty candidates dropped": "empty",
    "absent references are empty": "absent-references",
    "empty references are absent": "empty",
    "always lowercase": "case",
    "never lowercase": "clipping",
    "corpus score for the mean": "levels",
    "unequal lists are cut": "errors",
    "percent": "scale",
    "float noise": "scale",
}


def grams(tokens, n, fault):
    found = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    if fault == "occurrences do not overlap":
        text = " ".join(tokens) + " "
        found = Counter({gram: text.count(" ".join(gram) + " ") for gram in found})
    return found


def length_of(c, lengths, rule, fault):
    if fault == "shortest reference" or rule == "shortest":
        return min(lengths)
    if fault == "longest reference":
        return max(lengths)
    if rule == "average":
        return sum(lengths) / len(lengths)
    if fault == "tie to the longer":
        return min(lengths, key=lambda length: (abs(length - c), -length))
    if fault == "tie to the first listed":
        return min(lengths, key=lambda length: abs(length - c))
    return min(lengths, key=lambda length: (abs(length - c), length))


def counted(candidates, references, said, fault):
    """c, r, and for each order matched, total and the segments' own precisions."""
    order = said["max_order"]
    matched, total, singles = [0] * order, [0] * order, [[] for _ in range(order)]
    c, r, penalties, options = 0, 0, [], []
    for candidate, group in zip(candidates, references, strict=fault != "unequal lists are cut"):
        if fault == "empty candidates dropped" and not candidate:
            continue
        group = [[] if ref is None and fault == "absent references are empty" else ref for ref in group]
        group = [ref for ref in group if ref is not None and (ref or fault != "empty references are absent" or len(group) == 1)]
        lengths = [len(ref) for ref in group]
        here = length_of(len(candidate), lengths, said["reference_length"], fault)
        c, r, options = c + len(candidate), r + here, [*options, lengths]
        penalties.append(math.exp(min(0, 1 - here / len(candidate))) if candidate else 0)
        for n in range(1, order + 1):
            own, theirs = grams(candidate, n, fault), [grams(ref, n, fault) for ref in group]
            if fault == "clip by the first reference":
                theirs = theirs[:1]
            join = sum if fault == "clip by the sum over references" else max
            bound = {gram: join(their[gram] for their in theirs) for gram in own}
            if fault == "unclipped":
                bound = {gram: own[gram] if bound[gram] else 0 for gram in own}
            credit = sum(min(own[gram], bound[gram]) for gram in own)
            if fault == "each n-gram once":
                credit = sum(1 for gram in own if bound[gram])
            count = max(1, sum(own.values())) if fault == "at least one n-gram per segment" else sum(own.values())
            matched[n - 1], total[n - 1] = matched[n - 1] + credit, total[n - 1] + count
            if count:
                singles[n - 1].append(credit / count)
    if fault == "closest to the whole corpus" and len({len(lengths) for lengths in options}) == 1:
        r = length_of(c, [sum(column) for column in zip(*options, strict=True)], said["reference_length"], fault)
    return c, r, matched, total, singles, penalties


def smooth_all(matched, total, said, fault):
    method, value = ("none", None) if fault == "smoothing ignored" else (said["smooth"], said.get("smooth_value"))
    found, zeros = [], 0
    for n, (m, t) in enumerate(zip(matched, total, strict=True), 1):
        if method == "floor" and m == 0 and (t or fault == "floor for absent orders"):
            found.append(float(value or 0.1) / (1 if fault == "floor without division" else max(t, 1)))
        elif t == 0:
            found.append(None)
        elif method == "exp" and m == 0:
            zeros += 1
            found.append(1 / (2 ** (n if fault == "exp by the order's number" else zeros) * t))
        elif method == "add-k" and (n > 1 or fault == "add-k at order 1"):
            found.append((m + float(value or 1)) / (t + float(value or 1)))
        elif method == "add-one-all":
            found.append((m + 1) / (t + 1))
        else:
            found.append(m / t)
    return found


def combined(p, c, r, penalties, matched, said, fault):
    order = len(p)
    weights = [float(Fraction(w)) for w in said["weights"]] if "weights" in said and fault != "weights ignored" else [1 / order] * order
    if c == 0 or (not any(matched) and fault not in ("smoothing without a matching unigram", "a tiny number for zero")):
        return 0.0
    pairs = [(x, w) for x, w in zip(p, weights, strict=True) if w]
    if said["effective_order"] and fault != "effective order ignored":
        pairs = [(x, w) for x, w in pairs if x is not None and (x or fault != "effective order drops zero matches")]
        whole = 1 if fault == "effective order keeps the weights" else sum(w for _, w in pairs)
        pairs = [(x, w / whole) for x, w in pairs]
    if fault == "absent orders skipped":
        pairs = [(x, w) for x, w in pairs if x is not None]
    pairs = [(x or 0, w) for x, w in pairs]
    if fault == "zero orders skipped":
        pairs = [(x, w) for x, w in pairs if x]
    if fault == "a tiny number for zero":
        pairs = [(x or 2.3e-308, w) for x, w in pairs]
    penalty = {"linear penalty": min(1, c / r) if r else 1, "no penalty": 1.0, "inverted penalty": math.exp(min(0, 1 - c / r)) if r else 1}.get(
        fault, math.exp(min(0, 1 - r / c))
    )
    if fault == "long candidates pay":
        penalty = math.exp(-abs(1 - r / c))
    if fault == "penalty per segment":
        penalty = sum(penalties) / len(penalties)
    if fault == "arithmetic mean":
        return penalty * sum(x * w for x, w in pairs)
    if any(x == 0 for x, _ in pairs):
        return 0.0
    mean = math.prod(x for x, _ in pairs) if fault == "no root" else math.exp(sum(w * math.log(x) for x, w in pairs))
    return penalty * mean


def small_bleu(vector, fault=None, stages=("total", "matched", "candidate_length", "reference_length", "score")):
    """A plain BLEU of floats, with at most one fault."""
    said = vector.full_settings
    if "statistics" in vector.input:
        numbers = vector.input["statistics"]
        c, r, matched, total = (numbers[key] for key in ("candidate_length", "reference_length", "matched", "total"))
        singles, penalties = [[m / t] if t else [] for m, t in zip(matched, total, strict=True)], [math.exp(min(0, 1 - r / c)) if c else 0]
    else:
        candidates, references = tokens_of(vector)
        if fault == "always lowercase":
            candidates = [[token.lower() for token in tokens] for tokens in candidates]
            references = [[None if tokens is None else [token.lower() for token in tokens] for tokens in group] for group in references]
        if fault == "never lowercase" and said["lowercase"]:
            candidates = [text.split() for text in vector.input["candidates"]]
            references = [[text.split() for text in group] for group in vector.input["references"]]
        if said["level"] == "mean" and fault != "corpus score for the mean":
            scores = [small_score(*counted([one], [group], said, fault), said, fault) for one, group in zip(candidates, references, strict=True)]
            return {"score": sum(scores) / len(scores)}
        c, r, matched, total, singles, penalties = counted(candidates, references, said, fault)
    score = small_score(c, r, matched, total, singles, penalties, said, fault)
    if score > 1 - 1e-9:
        score = 1.0000000000000002 if fault == "float noise" else 1.0
    results = {"total": total, "matched": matched, "candidate_length": c, "reference_length": r, "score": 100 * score if fault == "percent" else score}
    return {stage: results[stage] for stage in stages}


def small_score(c, r, matched, total, singles, penalties, said, fault):
    p = smooth_all(matched, total, said, fault)
    if fault == "mean of segment precisions":
        p = [sum(values) / len(values) if values else None for values in singles]
    return combined(p, c, r, penalties, matched, said, fault)


def test_a_plain_bleu_without_fault_meets_every_vector():
    departures = [departure for vector in SCORED for departure in run_vector(vector, small_bleu)]
    assert not departures, "\n".join(map(str, departures))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed_by_the_clause_that_forbids_it(fault):
    # A refusal passes for any reason, so the vectors of the clause "errors" are asked of the one fault that does not refuse.
    chosen = SUITE if fault == "unequal lists are cut" else SCORED
    killers = [vector for vector in chosen if run_vector(vector, lambda vector: small_bleu(vector, fault))]
    assert FAULTS[fault] in {vector.clause for vector in killers}, f"noticed by {[vector.id for vector in killers][:5]} alone"


@pytest.mark.parametrize("fault", ["unclipped", "shortest reference", "linear penalty", "zero orders skipped"])
def test_a_score_alone_is_enough_to_notice(fault):
    assert [vector for vector in SCORED if run_vector(vector, lambda vector: small_bleu(vector, fault, stages=("score",)))]
