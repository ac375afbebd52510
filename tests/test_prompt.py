"""What Python's prompt shows of a result: what was found, in one line, for every class of results."""

import copy
import importlib
import inspect
import pickle
import pkgutil
from fractions import Fraction

import pytest

import bleu_lit
from bleu_lit.account import Account
from bleu_lit.amounts import ReadsAsFloat
from bleu_lit.compare import effect_size, paired_randomization
from bleu_lit.matrix import kept_matrix
from bleu_lit.metric import metric
from bleu_lit.outcome import Report as Verdict
from bleu_lit.power import segments_needed
from bleu_lit.references import by_references
from bleu_lit.resample import bootstrap_interval
from bleu_lit.shown import Shown
from bleu_lit.sums import mean_value
from bleu_lit.systems import against_baseline
from bleu_lit.values import brief

# One segment of 6 tokens of which 5, 3, 2 and 1 n-grams match: 5/6 · 3/5 · 2/4 · 1/3 = 1/12, and (1/12)^(1/4) = 0.5373.
CANDIDATES, REFERENCES = ["the cat sat on the mat"], [["the cat sat on a mat"]]
TWO = {"old": ["the cat sat on the mat", "it rains here again"], "new": ["the cat sat on a mat", "it rains here today"]}
BOTH = [["the cat sat on a mat"], ["it rains here today"]]
OLD, NEW = [(1, 0.0), (1, 0.5), (1, 0.25)], [(1, 0.5), (1, 0.5), (1, 1.0)]  # means 0.25 and 2/3


def streamed(folder):
    for name, lines in (("system", CANDIDATES), ("reference", REFERENCES[0])):
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return bleu_lit.stream_stats(folder / "system", folder / "reference")


SHOWN = {  # class: how one is made, and what it has to say
    "BleuScore": (
        lambda _: bleu_lit.corpus_bleu(CANDIDATES, REFERENCES),
        "corpus BLEU = 53.73 % 83.3/60.0/50.0/33.3 (BP = 1.000 c = 6 r = 6) nrefs:1|case:mixed",
    ),
    "MeanBleuScore": (lambda _: bleu_lit.mean_sentence_bleu(CANDIDATES * 2, REFERENCES * 2), "mean of 2 sentence BLEU = 53.73 % (0 of them 0) nrefs:1|"),
    "MetricScore": (lambda _: metric("bleu").score(CANDIDATES, REFERENCES), "BLEU = 53.73 % (higher is better) nrefs:1|"),
    "ExactScore": (lambda _: bleu_lit.corpus_bleu(CANDIDATES, REFERENCES).exact, "0.5373 ≈ (1/12)^(1/4)"),
    "Derivation": (lambda _: bleu_lit.explain(CANDIDATES[0], REFERENCES[0]), "sentence BLEU = 53.73 %; 5/6 3/5 2/4 1/3; c = 6, r = 6"),
    "CorpusDerivation": (lambda _: bleu_lit.explain_corpus(CANDIDATES, REFERENCES), "corpus BLEU = 53.73 %; 1 segment; 5/6 3/5 2/4 1/3; c = 6, r = 6"),
    "RoundTrip": (lambda _: bleu_lit.roundtrip_bleu(CANDIDATES, list, lambda _: REFERENCES[0]), "round-trip corpus BLEU = 53.73 % 83.3/60.0/50.0/33.3"),
    "MbrChoice": (
        lambda _: bleu_lit.mbr_select(["it rains here", "it rains here"]),
        "expected BLEU = 100.00 % of candidate 0 of 2, counted from 0: 'it rains here'",
    ),
    "Streamed": (streamed, "corpus BLEU of 1 segments: "),
    "Interval": (
        lambda _: bootstrap_interval(bleu_lit.segment_stats(CANDIDATES * 2, REFERENCES * 2)),
        "BLEU = 53.73 [53.73, 53.73] (95 %, percentile) nrefs:?|",
    ),
    "PairedTest": (lambda _: paired_randomization(NEW, OLD, mean_value, samples=9), "mean: system 0.6667, baseline 0.2500, difference +0.4167, p = "),
    "Effect": (lambda _: effect_size(NEW, OLD, mean_value), "difference +0.4167 = +1.89 standard errors of 0.2205 (+1.0911 for a segment)"),
    "Comparison": (lambda _: against_baseline({"old": OLD, "new": NEW}, score=mean_value, samples=9), "differences in mean: new − old = +0.4167 (p = "),
    "Plan": (lambda _: segments_needed(0.1, NEW, OLD, mean_value), "mean: "),
    "ReferenceStudy": (lambda _: by_references(CANDIDATES, [REFERENCES[0] * 2]), "BLEU by references: 1: 53.73, 2: 53.73 case:mixed|"),
    "SubsetScores": (
        lambda _: by_references(CANDIDATES, [REFERENCES[0] * 2]).sizes[0],
        "with 1 of the references 0.5373, from 0.5373 to 0.5373 over 2 subsets",
    ),
    "Report": (lambda _: bleu_lit.compare(TWO, BOTH, test="exact"), "corpus BLEU of 2 segments: new 100.00 % (p = 0.5000), old "),
    "outcome.Report": (lambda _: Verdict("mine 1.0", "", ()), "mine 1.0 was not compared: every case was skipped"),
    "Matrix": (lambda _: kept_matrix(), "vectors v1 that each implementation meets, of those it could be asked: bleu_lit "),
}


def public_classes():
    for module in pkgutil.iter_modules(bleu_lit.__path__):
        if module.name.startswith("_") or module.name == "pytest_plugin":
            continue
        found = importlib.import_module(f"bleu_lit.{module.name}")
        yield from (value for name in getattr(found, "__all__", ()) if inspect.isclass(value := getattr(found, name)) and value.__module__ == found.__name__)


def test_every_class_of_results_is_asked():
    results = {cls for cls in public_classes() if cls.__repr__ is brief}
    assert results == {type(make(None)) for name, (make, _) in SHOWN.items() if name != "Streamed"} | {importlib.import_module("bleu_lit.stream").Streamed}
    kinds = [cls for cls in public_classes() if issubclass(cls, (Shown, ReadsAsFloat, Account)) and cls not in (Shown, ReadsAsFloat, Account)]
    assert len(kinds) > 9 and set(kinds) <= results
    offered = [value for value in map(bleu_lit.__dict__.get, bleu_lit.__all__) if inspect.isclass(value) and not issubclass(value, BaseException)]
    assert set(offered) - results <= {bleu_lit.BleuStats, bleu_lit.Settings, bleu_lit.Tokenizer}  # short, and what one writes to make them


@pytest.mark.parametrize("name", SHOWN)
def test_a_result_opens_with_what_it_found(name, tmp_path):
    make, said = SHOWN[name]
    found = make(tmp_path)
    text = repr(found)
    assert text.startswith(f"<{type(found).__name__}: {said}") and text.endswith(">") and text.isprintable() and len(text) < 340, text
    assert "not made in full" in repr(object.__new__(type(found)))  # as a debugger may find it


def test_the_score_of_files_has_their_names(tmp_path):
    assert "system 53.73 % nrefs:1|" in repr(streamed(tmp_path))


def test_self_bleu_says_what_it_is():
    assert repr(bleu_lit.self_bleu(["it rains here today"] * 2)).startswith("<MeanBleuScore: self-BLEU, mean of 2 sentence BLEU = 100.00 %")


def test_long_names_and_signs_of_terminals_are_tamed():
    report = bleu_lit.compare({"a\x1b[31m\n": TWO["old"], "b" * 9999: TWO["new"], "\ud800": TWO["old"]}, BOTH, test="exact")
    text = repr(report)
    assert text.isprintable() and len(text) < 340
    text.encode("utf-8")
    long = bleu_lit.ExactScore(tuple((Fraction(n, n + 1), Fraction(1, 500)) for n in range(1, 501)), Fraction(0))
    assert repr(long).startswith("<ExactScore: 0.9876") and len(repr(long)) < 340  # the product of n/(n+1) is 1/501, and ln 501 / 500 = 0.01243


@pytest.mark.parametrize(
    ("theirs", "ours"), [("score", "percent"), ("counts", "matched"), ("totals", "total"), ("bp", "brevity_penalty"), ("sys_len", "candidate_length")]
)
def test_a_name_of_sacrebleu_is_answered_with_ours(theirs, ours):
    score = bleu_lit.corpus_bleu(CANDIDATES, REFERENCES)
    with pytest.raises(AttributeError, match=f"BleuScore has no '{theirs}': {ours} is sacreBLEU's {theirs}"):
        getattr(score, theirs)
    assert hasattr(score, ours) and not hasattr(score, theirs) and getattr(score, theirs, None) is None


def test_other_names_are_refused_as_python_does():
    score = bleu_lit.corpus_bleu(CANDIDATES, REFERENCES)
    with pytest.raises(AttributeError, match="'BleuScore' object has no attribute 'percnt'") as caught:
        score.percnt  # noqa: B018 (asking is the test)
    assert caught.value.obj is score and caught.value.name == "percnt"  # from which Python makes "Did you mean: 'percent'?"
    mean = bleu_lit.mean_sentence_bleu(CANDIDATES, REFERENCES)
    with pytest.raises(AttributeError, match="percent is sacreBLEU's score, from 0 to 100; value is between 0 and 1"):
        mean.score  # noqa: B018 (asking is the test)
    with pytest.raises(AttributeError, match="'MeanBleuScore' object has no attribute 'bp'"):
        mean.bp  # noqa: B018 (asking is the test)


@pytest.mark.parametrize("name", ["BleuScore", "MeanBleuScore"])
def test_copies_and_pickles_are_as_before(name):
    score = SHOWN[name][0](None)
    for other in (copy.copy(score), copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
        assert other == score and repr(other) == repr(score) and hash(other) == hash(score)
