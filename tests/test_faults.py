"""A run names what an implementation does wrongly: each fault by one changed line of a starter, two at once, and none where nothing is wrong."""

import json
import re
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracles import plain_bleu

from bleu_lit import causes, conformance, core, faults, faulty, likely, runner, starters, verdict


@pytest.fixture(autouse=True)
def the_same_everywhere(monkeypatch):
    """No published corpora, whatever the environment names; and what a case gives under a fault is counted once for all runs."""
    monkeypatch.delenv("BLEU_LIT_SHARED", raising=False)
    for module in (causes, likely):
        monkeypatch.setattr(module, "Counted", counted_once)


@cache
def _counted(name: str) -> faulty.Counted:
    return faulty.Counted(next(vector for vector in conformance.vectors() if vector.id == name))


def counted_once(vector) -> faulty.Counted:
    return _counted(vector.id) if vector.id in IDS else faulty.Counted(vector)


IDS = {vector.id for vector in conformance.vectors() if "error" not in vector.expect}
SCORED = [vector for vector in conformance.vectors() if "error" not in vector.expect]

TWINS = {  # our name → the same fault of the independent program that tests the suite
    "clips by the sum over the references": "clip by the sum over references",
    "clips by the first reference alone": "clip by the first reference",
    "does not clip": "unclipped",
    "joins the tokens of an n-gram without a separator": "n-grams are joined without a separator",
    "rounds precisions to 4 digits": "precisions rounded to four places",
    "credits each n-gram once": "each n-gram once",
    "counts at least one n-gram of every order in every segment": "at least one n-gram per segment",
    "leaves out the last n-gram of each segment": "the last window is left out",
    "finds n-grams as parts of the text, with str.count": "occurrences are sought among letters",
    "takes the longer of two lengths that are equally close": "tie to the longer",
    "takes the first listed of two lengths that are equally close": "tie to the first listed",
    "reference_length=shortest": "shortest reference",
    "takes the length of the longest reference": "longest reference",
    "compares the length of the whole corpus with that of each list of references": "closest to the whole corpus",
    "has no brevity penalty": "no penalty",
    "rewards long candidates: the penalty goes above 1": "long candidates gain",
    "penalises long candidates too": "long candidates pay",
    "has the two lengths of the penalty the wrong way round": "inverted penalty",
    "takes c/r for the penalty, without the exponential function": "linear penalty",
    "averages the brevity penalties of the segments": "penalty per segment",
    "takes the arithmetic mean of the precisions": "arithmetic mean",
    "takes no root of the product of the precisions": "no root",
    "takes the weights in reverse": "weights in reverse",
    "counts an order longer than the candidate as right": "absent orders count as right",
    "leaves out the orders without a match": "zero orders skipped",
    "averages the precisions of the segments, where counts are to be added": "mean of segment precisions",
}


def near(one, other) -> bool:
    one, other = (list(value) if isinstance(value, (list, tuple)) else [value] for value in (one, other))
    return len(one) == len(other) and all(abs(float(a) - float(b)) < 1e-9 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", TWINS)
def test_a_fault_gives_what_an_independent_program_with_that_fault_gives(name):
    shown = 0
    for vector in SCORED:
        ours, theirs = faulty.faulty_results(faulty.Counted(vector), [name]), plain_bleu.results(vector, TWINS[name])
        shown += bool(vector.check({stage: value for stage, value in theirs.items() if stage in ("matched", "total", "reference_length", "score")}))
        if (name.startswith(("averages the pre", "leaves out the orders")) and vector.full_settings["smooth"] != "none") or (
            "reverse" in name and vector.full_settings["effective_order"]
        ):
            continue  # one may smooth before or after, and drop orders before or after
        if "longest" in name and vector.full_settings["reference_length"] != "closest":
            continue  # an implementation that has no choice, or that errs where the closest is asked
        stages = ["matched", "total", "candidate_length", "reference_length", *(["brevity_penalty"] if ours.get("candidate_length") else []), "score"]
        for stage in stages:
            if stage in ours and stage in theirs:
                assert near(ours[stage], theirs[stage]), (vector.id, stage, ours[stage], theirs[stage])
    assert shown >= (2 if "separator" in name else 5)


def test_without_a_fault_the_results_are_those_of_the_suite():
    for vector in SCORED:
        results = faulty.faulty_results(faulty.Counted(vector))
        assert not [one for one in vector.check({k: v for k, v in results.items() if k != "score"}) if one.stage in vector.expect and one.stage != "score"]
        assert abs(results["score"] - conformance.bleu_lit_results(vector)["score"]) < 1e-12


def test_every_fault_shows_in_some_case_and_belongs_to_a_step():
    assert {fault.step for fault in faults.FAULTS.values()} == set(faults.STEPS)
    cases = list(map(faulty.Counted, SCORED))
    for name in faults.FAULTS:
        assert any(faulty.faulty_results(case, [name]).items() - faulty.faulty_results(case).items() for case in cases), name
    with pytest.raises(core.UnknownNameError, match="does not clip"):
        faulty.faulty_results(cases[0], ["dose not clip"])


def test_a_combination_takes_each_step_from_its_own_fault():
    for vector in SCORED[::5]:
        case = faulty.Counted(vector)
        count, length = "does not clip", "takes the length of the longest reference"
        both = faulty.faulty_results(case, [length, count])
        assert both.get("matched") == faulty.faulty_results(case, [count]).get("matched")
        assert both.get("reference_length") == faulty.faulty_results(case, [length]).get("reference_length")


# ---- A starter with one line changed

BOUND = "max(other[gram] for other in others)"
TIE = "key=lambda length: (abs(length - len(candidate)), length)"
PENALTY = "math.exp(min(0, 1 - r / c))"
PYTHON = {  # what it does → the line as it is, and as it is then
    "clips by the sum over the references": (BOUND, BOUND.replace("max", "sum")),
    "clips by the first reference alone": (BOUND, "others[0][gram]"),
    "clips by the last reference alone": (BOUND, "others[-1][gram]"),
    "does not clip": (f"min(count, {BOUND})", f"count if {BOUND} else 0"),
    "credits each n-gram once": (f"min(count, {BOUND})", f"min(1, {BOUND})"),
    "takes the longer of two lengths that are equally close": (TIE, TIE.replace(", length)", ", -length)")),
    "takes the first listed of two lengths that are equally close": (TIE, "key=lambda length: abs(length - len(candidate))"),
    "takes the length of the longest reference": (f"min((len(one) for one in group), {TIE})", "max(len(one) for one in group)"),
    "adds the lengths of all references": (f"min((len(one) for one in group), {TIE})", "sum(len(one) for one in group)"),
    "has no brevity penalty": (f"{PENALTY} if c", "1.0 if c"),
    "rewards long candidates: the penalty goes above 1": (PENALTY, "math.exp(1 - r / c)"),
    "takes logarithms to the base 2, and e to the power of their mean": ("math.log(m / t)", "math.log2(m / t)"),
    "leaves out the last n-gram of each segment": ("len(tokens) - n + 1", "len(tokens) - n"),
    "takes the arithmetic mean of the precisions": (
        "math.exp(sum(w * math.log(m / t) for m, t, w in counted)) if all(m for m, _, _ in counted) else 0",
        "sum(w * m / t if t else 0 for m, t, w in counted)",
    ),
}

CLOSEST = f"min((len(one) for one in group), {TIE})"
BEGIN = "        c += len(candidate)\n"
GRAM = "tuple(tokens[i : i + n])"
MEAN = "math.exp(sum(w * math.log(m / t) for m, t, w in counted)) if all(m for m, _, _ in counted) else 0"
OWN = "own, others = ngrams(candidate, n), [ngrams(one, n) for one in group]"


def read_as_text(pattern: str) -> str:
    """Counts by a search for each n-gram in the text."""
    search = "lambda tokens: Counter({gram: FOUND for gram in ngrams(tokens, n)})".replace("FOUND", pattern)
    return f"search = {search}; own, others = search(candidate), [search(one) for one in group]"


MORE = {  # the same, for mistakes that show in nearly every case, or that two changes of a line make
    "takes the length that is farthest from the candidate's": (TIE, "key=lambda length: -abs(length - len(candidate))"),
    "takes the shortest length that is not below the candidate's": (
        CLOSEST,
        "min([len(one) for one in group if len(one) >= len(candidate)], default=max(map(len, group)))",
    ),
    "takes the average reference length, rounded": (CLOSEST, "round(sum(map(len, group)) / len(group))"),
    "takes the average reference length, cut to a whole number": (CLOSEST, "sum(map(len, group)) // len(group)"),
    "measures lengths in characters": (
        f"c += len(candidate)\n        r += {CLOSEST}",
        "c += len(' '.join(candidate))\n        r += min((len(' '.join(one)) for one in group), key=lambda k: (abs(k - len(' '.join(candidate))), k))",
    ),
    "clips by the closest reference alone": (BOUND, f"ngrams(min(group, {TIE.replace('lambda length', 'lambda one').replace('length', 'len(one)')}), n)[gram]"),
    "joins the references of a segment into one": (BEGIN, f"        group = [sum(group, [])]\n{BEGIN}"),
    "compares tokens without regard to case": (GRAM, "tuple(one.lower() for one in tokens[i : i + n])"),
    "takes n-grams of the same tokens in another order as equal": (GRAM, "tuple(sorted(tokens[i : i + n]))"),
    "joins the tokens of an n-gram without a separator": (GRAM, "''.join(tokens[i : i + n])"),
    "finds n-grams between blanks, with str.count": (OWN, read_as_text("f\" {' '.join(tokens)} \".count(f\" {' '.join(gram)} \")")),
    "counts no occurrence that overlaps another": (
        OWN,
        read_as_text("len(__import__('re').findall('(?<!\\\\S)' + __import__('re').escape(' '.join(gram)) + '(?!\\\\S)', ' '.join(tokens)))"),
    ),
    "divides by the number of tokens, whatever the order": ("+= sum(own.values())", "+= len(candidate)"),
    "never counts the highest order": ("range(1, max_order + 1):", "range(1, max_order):"),
    "leaves out the first n-gram of each segment": ("in range(len(tokens) - n + 1)", "in range(1, len(tokens) - n + 1)"),
    "leaves out the first token of every segment": (BEGIN, f"        candidate, group = candidate[1:], [one[1:] for one in group]\n{BEGIN}"),
    "leaves out the last token of every segment": (BEGIN, f"        candidate, group = candidate[:-1], [one[:-1] for one in group]\n{BEGIN}"),
    "leaves out the first token of each candidate": (BEGIN, f"        candidate = candidate[1:]\n{BEGIN}"),
    "leaves out the last token of each candidate": (BEGIN, f"        candidate = candidate[:-1]\n{BEGIN}"),
    "divides the two lengths of the penalty as whole numbers": (PENALTY, PENALTY.replace("/", "//")),
    "divides matched by total as whole numbers": (MEAN, "(1.0 if all(t and m // t for m, t, _ in counted) else 0.0)"),
    "takes the harmonic mean of the precisions": (MEAN, "(1 / sum(w * t / m for m, t, w in counted) if all(m for m, _, _ in counted) else 0)"),
    "takes the mean over the orders with a match alone": (
        MEAN,
        "(math.exp(sum(w * math.log(m / t) for m, t, w in counted if m) / sum(w for m, _, w in counted if m)) if any(m for m, _, _ in counted) else 0)",
    ),
    "leaves out the highest order, and keeps the weights": ("zip(matched, total, weights, strict=True)", "zip(matched[:-1], total[:-1], weights)"),
    **{
        f"puts {tiny:g} in place of a precision of 0": (MEAN, f"math.exp(sum(w * math.log(m / t if m else {tiny!r}) for m, t, w in counted))")
        for tiny in (0.5, 1e-7, 1e-8, 1e-9, 1e-10)
    },
    **{f"rounds precisions to {digits} digits": ("math.log(m / t)", f"math.log(round(m / t, {digits}) or 1e-300)") for digits in (2, 4)},
}


def changed(*changes: tuple[str, str]):
    """The starter in Python with some lines changed, as a function."""
    (text,) = starters.starter_texts("python").values()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    own: dict = {}
    exec(compile(text, "my_bleu.py", "exec"), own)
    return own["answer"]


def only_the_score(answer):
    return lambda case: result if "skip" in (result := answer(case)) else {"score": result["score"]}


@pytest.mark.parametrize(("name", "report_less"), [*((name, False) for name in PYTHON), *((name, True) for name in list(PYTHON)[::3])])
def test_the_fault_of_a_starter_is_named_first(name, report_less):
    answer = changed(PYTHON[name])
    report = runner.conform(only_the_score(answer) if report_less else answer)
    departs, every = [outcome for outcome in report.of("departs") if outcome.alike], len(report.of("departs"))
    assert every - len(departs) <= ("arithmetic" in name)  # a mean of ten tenths as floats is 0.9999999999999999
    assert report.hints[0].startswith(f"it {name}: a BLEU that does so gives the same in {len(departs)} of {every} departures")
    assert "no case that conforms speaks against it" in report.hints[0]
    assert len(report.hints) == 1
    assert not report.also
    assert all(outcome.likeliest == f"a BLEU that {name}" for outcome in departs)
    assert report.kinds == f"All {every} departures have wrong numbers."
    assert verdict.as_text(report).splitlines()[3] == f"Likely: {report.hints[0]}"


@pytest.mark.parametrize(("name", "report_less"), [*((name, False) for name in list(MORE)[::2]), *((name, True) for name in list(MORE)[1::2])])
def test_a_mistake_that_people_make_is_named_first(name, report_less):
    """Nearly every departure: a changed line can do other things at the margin, such as fail where nothing is left of a text."""
    answer = changed(MORE[name])
    report = runner.conform(only_the_score(answer) if report_less else answer)
    count, every = map(int, re.search(r"gives the same in (\d+) of (\d+) departures", report.hints[0]).groups())
    assert report.hints[0].startswith(f"it {name}: ")
    assert every >= 2
    assert 20 * count >= 19 * every


def test_a_penalty_upside_down_is_named_and_said_to_go_above_1():
    report = runner.conform(changed((PENALTY, "math.exp(max(0, 1 - c / r)) if r else 1.0")))
    assert report.hints[0].startswith("it takes exp(1 - c/r) for the penalty of short candidates: it goes above 1: ")
    count, every = map(int, re.search(r"gives the same in (\d+) of (\d+) departures", report.hints[0]).groups())
    assert 20 * count >= 19 * every > 0


CLASSICAL = {  # mistakes without a name, or with one that is told of otherwise; each has to depart
    "an n-gram is joined with a blank": (GRAM, "' '.join(tokens[i : i + n])"),
    "an n-gram is joined with an underscore": (GRAM, "'_'.join(tokens[i : i + n])"),
    "an n-gram is joined with a hyphen": (GRAM, "'-'.join(tokens[i : i + n])"),
    "an n-gram is a number of 16 bits": (GRAM, "__import__('zlib').crc32(' '.join(tokens[i : i + n]).encode('utf-8', 'replace')) & 0xFFFF"),
    "an n-gram is a number of 32 bits": (GRAM, "__import__('zlib').crc32(chr(0).join(tokens[i : i + n]).encode('utf-8', 'replace'))"),
    "an n-gram is its first and its last token": (GRAM, "(tokens[i], tokens[i + n - 1])"),
    "single precision": (f"penalty * {MEAN}", f"__import__('struct').unpack('f', __import__('struct').pack('f', penalty * ({MEAN})))[0]"),
    "a penalty above 1": (PENALTY, "math.exp(1 - r / c)"),
    "no root": ("w * math.log(m / t)", "math.log(m / t)"),
    "logarithms to the base 10": ("math.log(m / t)", "math.log10(m / t)"),
    "the references are joined": MORE["joins the references of a segment into one"],
    "n-grams reach over the borders of segments": (
        "    c = r = 0\n",
        (
            "    c = r = 0\n    k = min(map(len, references))\n"
            "    candidates, references = [sum(candidates, [])], [[sum((g[j] for g in references), []) for j in range(k)]]\n"
        ),
    ),
    "a mean of penalties": (
        f"{PENALTY} if c else 0",
        (
            "sum(math.exp(min(0, 1 - min((len(o) for o in g), key=lambda k: (abs(k - len(x)), k)) / len(x))) if x else 0 "
            "for x, g in zip(candidates, references)) / len(candidates)"
        ),
    ),
}


@pytest.mark.parametrize("name", CLASSICAL)
def test_a_classical_mistake_departs_by_its_score_alone(name):
    assert runner.conform(only_the_score(changed(CLASSICAL[name]))).of("departs")


@pytest.mark.parametrize("length", [name for name in PYTHON if faults.FAULTS[name].step == "length"])
@pytest.mark.parametrize("count", ["clips by the sum over the references", "does not clip"])
def test_two_faults_at_once_are_named_together(count, length):
    report = runner.conform(changed(PYTHON[count], PYTHON[length]))
    departs = report.of("departs")
    (hint,) = report.hints
    assert hint.startswith(f"it {count} and {length}: a BLEU that does so gives the same in {len(departs)} of {len(departs)} departures")
    assert hint.endswith("and no case that conforms speaks against it.")
    assert {outcome.likeliest for outcome in departs} <= {f"a BLEU that {told}" for told in (count, length, f"{count} and {length}")}


def test_wrong_numbers_are_counted_apart_from_input_that_is_accepted():
    text = changed(PYTHON["clips by the sum over the references"], ("    check(given", "    # check(given"))
    report = runner.conform(text)
    kinds = [causes.kind_of(outcome) for outcome in report.of("departs")]
    wrong, accepted = kinds.count("numbers"), kinds.count("accepted")
    assert wrong == 14
    assert accepted > 0
    assert report.kinds == f"Of {len(kinds)} departures 14 have wrong numbers and {accepted} accept input that has no score."
    assert "in 14 of 14 departures in numbers, and no case" in report.hints[0]
    for write in verdict.FORMATS.values():
        assert report.kinds in re.sub(r"\\(.)", r"\1", write(report))


def test_what_explains_every_departure_is_not_it_if_a_right_answer_would_be_wrong():
    """At ties the longest reference gives what a tie to the longer gives; elsewhere it does not."""
    report = runner.conform(changed(PYTHON["takes the longer of two lengths that are equally close"]))
    longest = ("takes the length of the longest reference",)
    assert sum(longest in outcome.against for outcome in report.of("conforms")) > 10
    assert "longest" not in " ".join((*report.hints, *report.also))


@pytest.mark.parametrize(
    ("language", "interpreter", "old", "new", "name"),
    [
        ("perl", "perl", "|| $a <=> $b } map", "} reverse map", "takes the last listed of two lengths that are equally close"),
        ("node", "node", " || a - b)", " || b - a)", "takes the longer of two lengths that are equally close"),
        ("node", "node", "Math.max(...others.map((other) => other.get(gram) ?? 0))", "others[0].get(gram) ?? 0", "clips by the first reference alone"),
    ],
)
def test_the_fault_of_a_program_in_another_language_is_named(language, interpreter, old, new, name, tmp_path):
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    (path,) = starters.write_starter(language, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    report = runner.conform(command=[interpreter, str(path)])
    assert report.hints[0].startswith(f"it {name}: ")


def test_a_right_implementation_gets_no_name():
    report = runner.conform(changed())
    assert (report.hints, report.also, report.kinds) == ([], [], "")
    assert report.status == 0


def test_one_that_accepts_bad_input_and_counts_rightly_gets_no_name():
    report = runner.conform(changed(("    check(given", "    # check(given")))
    assert {causes.kind_of(outcome) for outcome in report.of("departs")} == {"accepted"}
    assert (report.hints, report.also) == ([], [])


def test_a_fault_that_is_not_known_gets_no_wrong_name():
    """A penalty that counts one token too few is in no list; nothing explains half of what it does."""
    report = runner.conform(changed((PENALTY, "math.exp(min(0, 1 - (r + 1) / c))")))
    assert len(report.of("departs")) > 50
    assert not report.hints


@pytest.mark.parametrize(("name", "words"), [("sacrebleu", []), ("nltk", ["at least one n-gram of every order", "tiny number in place of 0"])])
def test_peers_get_no_misleading_headline(name, words):
    """NLTK takes max(1, total) for each segment, and the smallest float for a precision of 0: bleu_score.py, modified_precision and sentence_bleu."""
    if not find_spec(name):
        pytest.skip(f"{name} is not installed")
    clauses = [clause for clause in conformance.clauses() if clause != "corpora"]
    report = runner.conform(adapter=name, timeout=60, clause=clauses)
    assert all(word in report.hints[0] for word in words)
    assert len(report.hints) == bool(words)
    assert re.match(r"Of \d+ departures \d+ have wrong numbers.* and \d+ \w+ input that has", report.kinds)


def test_a_run_gives_the_same_names_every_time():
    answer = changed(PYTHON["does not clip"], PYTHON["has no brevity penalty"])
    one, other = (verdict.as_json(runner.conform(answer, clause=["clipping", "brevity", "reference-length", "corpus-sums"])) for _ in range(2))
    assert one == other


def test_settings_and_faults_are_told_together():
    """Settings of bleu_lit with a fault of counting: both are named."""
    report = runner.conform(changed(PYTHON["does not clip"], (f"min((len(one) for one in group), {TIE})", "min(len(one) for one in group)")))
    assert report.hints[0].startswith("it does not clip, with reference_length=shortest: ")
    told = likely.in_words(("does not clip", "reference_length=shortest", likely.PERCENT))
    assert told.startswith("a BLEU that does not clip, with reference_length=shortest, and a score in percent")


def test_a_fault_in_percent_is_named_with_the_percent():
    answer = changed(PYTHON["does not clip"])

    def percent(case):
        result = answer(case)
        return result if "skip" in result else {"score": 100 * result["score"]}

    report = runner.conform(percent, clause=["clipping", "n-grams", "precision"])
    assert report.hints[0].startswith("it does not clip, and gives its score in percent: ")


def test_a_case_with_many_segments_is_not_tried():
    vector = next(vector for vector in SCORED if vector.full_settings["level"] == "corpus" and "candidates" in vector.input)
    given = vector.input
    many = {**given, "candidates": given["candidates"] * 200, "references": given["references"] * 200}
    large = conformance.Vector(vector.id, vector.clause, vector.why, vector.source, many, vector.settings, vector.expect)
    assert list(likely.likely(large, {"matched": [1, 0, 0, 0]}, ["matched"])) == []


# ---- What is said of a run as a whole


def scored_as(change: str, *more: tuple[str, str]):
    """The starter, whose score alone is reported, in another form."""
    answer = changed(*more)

    def other(case):
        result = answer(case)
        return result if "skip" in result else {"score": eval(change, {"score": result["score"]})}

    return other


@pytest.mark.parametrize(
    ("change", "digits", "within"),
    [
        ("round(score, 4)", "have 4 digits after the point, rounded", 5e-05),
        ("int(score * 10**5 + 1e-7) / 10**5", "have 5 digits after the point, cut off", 1e-05),
    ],
)
def test_scores_of_few_digits_are_told_as_such_and_hide_no_name(change, digits, within):
    right = runner.conform(scored_as(change))
    (hint,) = right.hints
    count, every = map(int, re.search(r": (\d+) of (\d+) departures are right within", hint).groups())
    assert count >= 0.95 * every
    assert hint.startswith(f"its scores {digits}, and no more: ")
    assert hint.endswith(f'If it has no more, let it say so with its answers: "within": {{"score": {within:g}}}.')
    assert f"{count} have right scores of few digits" in right.kinds.replace("All ", "").replace("departures ", "")
    wrong = runner.conform(scored_as(change, PYTHON["does not clip"]))
    assert wrong.hints[0].startswith(f"its scores {digits}")
    assert re.match(r"it does not clip: a BLEU that does so gives the same in (\d+) of \1 departures in numbers", wrong.hints[1])
    assert re.fullmatch(r"Of \d+ departures 2\d have wrong numbers and \d+ have right scores of few digits.", wrong.kinds)


def test_what_was_told_of_few_digits_is_what_an_answer_may_say():
    """With it, the same answers conform: as many as without rounding."""
    report = runner.conform(scored_as("round(score, 4)"))
    (within,) = re.findall(r'"within": (\{.*?\})', report.hints[0])
    answer = scored_as("round(score, 4)")
    told = runner.conform(lambda case: said if "skip" in (said := answer(case)) else {"stages": said, "within": json.loads(within)})
    assert not told.of("departs")
    assert told.counts["conforms"] == runner.conform(changed()).counts["conforms"]


def test_single_precision_is_told_as_such():
    report = runner.conform(only_the_score(changed(CLASSICAL["single precision"])))
    (hint,) = report.hints
    assert hint.startswith("its scores agree to 7 digits and not to the last, as in single precision")  # 24 bits are 7.2 digits


def test_a_percentage_with_few_digits_is_told_as_both():
    report = runner.conform(scored_as("round(100 * score, 2)"))
    assert report.hints[0].startswith("a score in percent: divide by 100 in ")
    assert '"within": {"score": 5e-05}' in report.hints[1]  # half of 0.01 / 100


@pytest.mark.parametrize("form", ["repr(100 * score)", "f'{100 * score:.12f}'"])
def test_a_percentage_may_be_a_text(form):
    report = runner.conform(scored_as(form))
    count = len(report.of("departs"))
    assert report.hints == [f"a score in percent: divide by 100 in {count} of {count} departures."]


@pytest.mark.parametrize("value", [100.0, 1.0, 0.0, 0.5])
def test_a_fixed_score_is_told_as_such(value):
    report = runner.conform(scored_as(repr(value)))
    (hint,) = report.hints
    assert hint.startswith(f"every score is {value}, in ")
    assert not report.also


def test_what_a_cause_leaves_unexplained_is_said_with_it():
    """Half a match in place of none is sacreBLEU's smoothing where one order lacks a match, and another thing where two do."""
    report = runner.conform(changed((MEAN, "math.exp(sum(w * math.log((m or 0.5) / max(t, 1)) for m, t, w in counted))")))
    (hint,) = report.hints
    count, every, rest, name = re.fullmatch(
        r"bleu_lit with smooth=exp gives the same in (\d+) of (\d+) departures\. It does not explain the other (\d+), such as (\S+)\.", hint
    ).groups()
    assert int(count) + int(rest) == int(every)
    assert name in {outcome.id for outcome in report.of("departs") if ("smooth=exp",) not in outcome.alike}
    assert "it " not in hint.partition(" in ")[0].split()


def test_what_gives_other_wrong_numbers_elsewhere_is_no_headline(monkeypatch):
    """Without its own name the farthest length looks like the first reference's in half of the cases; in the rest it would be another number."""
    farthest = changed(MORE["takes the length that is farthest from the candidate's"])
    monkeypatch.delitem(faults.FAULTS, "takes the length that is farthest from the candidate's")
    report = runner.conform(farthest)
    assert not report.hints
    assert "a BLEU that takes the length of the first reference gives the same in" in report.also[0]
    assert "It does not explain the other" in report.also[0]
    for hint in runner.conform(only_the_score(farthest)).hints:  # of scores alone it is not as plain, but nothing is said outright
        assert hint.startswith("a BLEU that ")
        assert "It does not explain the other" in hint
