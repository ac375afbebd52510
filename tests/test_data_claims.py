"""What the documents claim about BLEU in practice, measured on real system outputs."""

import itertools
import os
import random
import statistics
import subprocess
import sys
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from shared import ROOT, evaluation_sets, lines, needs_data

from bleu_lit.bleu import BleuStats
from bleu_lit.core import from_streams
from bleu_lit.precision import clipped_counts
from bleu_lit.score import corpus_bleu, score_from_stats, segment_stats, sum_rows
from bleu_lit.settings import SACREBLEU
from bleu_lit.tokens import tokenize

pytestmark = needs_data
SETS = {data.name: data for data in evaluation_sets()}
DEFAULT_TOKENIZER = {"wmt22_enzh": "zh", "didi_zh_charpair": "zh", "flores_test_enja": "char", "flores_test_enth": "char", "kftt_enja": "char"}


@cache
def corpus_of(name: str) -> tuple[dict[str, list[str]], list[list[str]]]:
    """The systems and the references by segment of a set."""
    data = SETS[name]
    return {system: lines(path) for system, path in data.systems.items()}, from_streams(*(lines(path) for path in data.references))


@cache
def rows_of(name: str, system: str) -> list[tuple]:
    systems, references = corpus_of(name)
    return segment_stats(systems[system], references, tokenize=DEFAULT_TOKENIZER.get(name, "13a"))


def percent_of(rows: list[tuple], **changes: object) -> float:
    return score_from_stats(sum_rows(rows), SACREBLEU.replace(**changes)).percent


def clipped_away(candidates: list[str], references: list[list[str]], n: int) -> float:
    """The share of the candidates' n-grams that stand in a reference and are not credited, since the candidate repeats them too often."""
    found = credited = 0
    for candidate, group in zip(candidates, references, strict=True):
        counts = clipped_counts(tokenize(candidate), [tokenize(reference) for reference in group], n).values()
        found += sum(entry.count for entry in counts if entry.bound)
        credited += sum(entry.credited for entry in counts)
    return 1 - credited / found


@pytest.mark.parametrize("name", ["wmt17_ende_16sys", "wmt21_enru", "ted_sken_detok", "turkcorpus_8ref", "wmt14_fren_fairseq", "ott_ende_8ref_human"])
def test_clipping_matters_most_for_unigrams(name):
    # claim: 002-05
    systems, references = corpus_of(name)
    candidates = next(iter(systems.values()))[:400]
    shares = [clipped_away(candidates, references[: len(candidates)], n) for n in (1, 2, 3, 4)]
    assert shares[0] > max(shares[1:]), f"{name}: clipped away {shares}"
    assert shares[1] >= shares[2] >= shares[3], f"{name}: clipped away {shares}"


def subsets(rows: list[tuple], size: int, count: int) -> list[list[tuple]]:
    """Random corpora of a size, drawn with replacement, so that the large ones are not alike for being nearly everything."""
    draw = random.Random(size)
    return [draw.choices(rows, k=size) for _ in range(count)]


def share_with_a_zero(rows: list[tuple], size: int) -> float:
    """The share of random corpora of a size in which some order has no match."""
    sums = [sum_rows(part) for part in subsets(rows, size, 400)]
    return sum(0 in stats.matched for stats in sums) / len(sums)


@pytest.mark.parametrize(("name", "system"), [("wmt17_ende_16sys", "online-A.0"), ("wmt21_enru", "NiuTrans"), ("ted_sken_detok", "sys1_pbmt")])
def test_zero_precisions_are_rare_at_corpus_level(name, system):
    # claim: 002-16, 002-15
    rows = rows_of(name, system)
    zero = [share_with_a_zero(rows, size) for size in (1, 5, 20, 100, 500)]
    assert zero == sorted(zero, reverse=True), f"share of corpora with an order without a match: {zero}"
    assert zero[0] > 0.1, f"single segments: {zero}"
    assert zero[3] == zero[4] == 0, f"100 and 500 segments: {zero}"


def test_a_very_weak_system_has_a_zero_precision_even_as_a_corpus():
    """The limit of the claim: where nearly nothing is right, 500 segments are not enough, and smoothing makes the published 0.01."""
    rows = rows_of("americasnlp21_esoto", "baseline")
    assert share_with_a_zero(rows, 500) == 1
    assert percent_of(rows, smooth="none") == 0 < percent_of(rows) < 0.02


@pytest.mark.parametrize(("name", "system"), [("wmt17_ende_16sys", "uedin-nmt.4722"), ("wmt22_enzh", "Online-A"), ("wmt14_fren_fairseq", "fairseq")])
def test_scores_of_corpora_are_reliable_and_scores_of_sentences_are_not(name, system):
    # claim: 003-06, 002-15
    rows = rows_of(name, system)
    spread = [statistics.pstdev(percent_of(part, effective_order=True) for part in subsets(rows, size, 150)) for size in (1, 10, 100, 1000)]
    assert spread == sorted(spread, reverse=True), f"standard deviations of the score, in percent points: {spread}"
    assert spread[0] > 10 * spread[3], f"{spread}"
    assert spread[3] < 1.5, f"{spread}"


def test_systems_of_wmt17_rank_as_published():
    # claim: 003-07
    published = {row["system"]: float(row["score"]) for row in SETS["wmt17_ende_16sys"].table("published.tsv") if row["metric"].startswith("mteval-v13a")}
    ours = {system: percent_of(rows_of("wmt17_ende_16sys", system)) for system in published}
    assert len(published) == 16
    assert sorted(ours, key=ours.get) == sorted(published, key=published.get)


@pytest.mark.parametrize("name", ["wmt21_enru", "wmt22_enzh", "wmt21_hibn"])
def test_systems_of_other_campaigns_rank_as_published(name):
    # claim: 003-07
    published = {row["system"]: float(row["score"]) for row in SETS[name].table("published.tsv") if row["metric"] == "bleu-all"}
    systems, references = corpus_of(name)
    tokenizer = "zh" if name == "wmt22_enzh" else "13a"
    ours = {system: corpus_bleu(systems[system], references, tokenize=tokenizer).percent for system in published}
    assert sorted(ours, key=ours.get) == sorted(published, key=published.get)


@pytest.mark.parametrize("name", ["wmt17_ende_16sys", "wmt22_enzh", "flores_test_enar"])
def test_choices_change_the_value(name):
    # claim: 003-08, 002-22
    systems, references = corpus_of(name)
    candidates = next(iter(systems.values()))
    by_tokenizer = {choice: corpus_bleu(candidates, references, tokenize=choice).percent for choice in ("none", "13a", "intl", "zh", "char")}
    assert len({round(value, 1) for value in by_tokenizer.values()}) >= 4, by_tokenizer
    assert max(by_tokenizer.values()) - min(by_tokenizer.values()) > 3, by_tokenizer
    if name == "wmt17_ende_16sys":
        lowercased = corpus_bleu(candidates, references, lowercase=True).percent
        assert lowercased - by_tokenizer["13a"] > 0.2


def test_a_choice_can_turn_a_ranking():
    # claim: 002-22, 003-08
    systems, references = corpus_of("wmt17_ende_16sys")
    mixed = {system: percent_of(rows_of("wmt17_ende_16sys", system)) for system in systems}
    none = {system: corpus_bleu(texts, references, tokenize="none").percent for system, texts in systems.items()}
    turned = [(a, b) for a, b in itertools.combinations(systems, 2) if (mixed[a] - mixed[b]) * (none[a] - none[b]) < 0]
    assert turned, "two systems whose order depends on the tokenizer"


def script_of(texts: list[str]) -> str:
    """The script of most letters."""
    letters = Counter(unicodedata.name(character, "?").split()[0] for text in texts for character in text if character.isalpha())
    return letters.most_common(1)[0][0]


def test_one_function_serves_many_scripts():
    # claim: 002-02
    scripts = {}
    for name in SETS:
        systems, references = corpus_of(name)
        texts = [group[0] for group in references[:60]]
        candidates = next(iter(systems.values()))[:60]
        tokenizer = DEFAULT_TOKENIZER.get(name, "13a")
        scripts.setdefault(script_of(texts), name)
        same = corpus_bleu(texts, [[text] for text in texts], tokenize=tokenizer)
        real = corpus_bleu(candidates, references[: len(candidates)], tokenize=tokenizer)
        wrong = corpus_bleu(candidates[1:] + candidates[:1], references[: len(candidates)], tokenize=tokenizer)
        assert same.value == 1.0, name
        assert 1 > real.value > wrong.value, f"{name}: outputs against the references of other segments score {wrong.percent}, against their own {real.percent}"
    assert {"LATIN", "CYRILLIC", "ARABIC", "HEBREW", "GREEK", "BENGALI", "MALAYALAM", "THAI", "CJK", "HANGUL"} <= scripts.keys() | {"HIRAGANA"}, scripts


@pytest.mark.parametrize(("name", "system"), [("ott_ende_8ref_human", "humanR3"), ("turkcorpus_8ref", "Hybrid"), ("turkcorpus_8ref", "PBMT-R")])
def test_one_reference_is_noisier_than_four(name, system):
    """How far the score depends on whose references there are: its spread over the choices of 1, 2 and 4 of 8 annotators."""
    # claim: 002-36
    systems, references = corpus_of(name)
    tokens = [tokenize(text) for text in systems[system]], [[tokenize(text) for text in group] for group in references]
    means, spreads = [], []
    for size in (1, 2, 4):
        scores = [corpus_bleu(tokens[0], [[group[j] for j in part] for group in tokens[1]]).percent for part in itertools.combinations(range(8), size)]
        means.append(statistics.mean(scores))
        spreads.append(statistics.pstdev(scores))
    said = f"mean {means}, standard deviation {spreads}"
    assert spreads[0] > spreads[1] > spreads[2], said
    assert spreads[0] / means[0] > 2 * spreads[2] / means[2], said
    assert means[0] < means[1] < means[2], said  # a score against 4 references is another quantity than one against 1


def test_repeated_runs_and_orders_of_input_give_the_same():
    # claim: 002-28
    systems, references = corpus_of("turkcorpus_8ref")
    candidates = systems["ACCESS"]
    first = corpus_bleu(candidates, references)
    order = list(range(len(candidates)))
    for seed in range(3):
        assert corpus_bleu(candidates, references) == first
        random.Random(seed).shuffle(order)
        turned = corpus_bleu([candidates[i] for i in order], [references[i][::-1] for i in order])
        assert (turned.stats, turned.value) == (first.stats, first.value)
    rows = segment_stats(candidates, references)
    assert [rows[i] for i in order] == segment_stats([candidates[i] for i in order], [references[i] for i in order])
    parts = [sum_rows(rows[i : i + 50]) for i in range(0, len(rows), 50)]
    assert sum(parts[::-1], BleuStats.zero()) == first.stats


def test_threads_give_the_same():
    # claim: 002-28
    systems, references = corpus_of("turkcorpus_8ref")
    alone = [corpus_bleu(texts, references).stats for texts in systems.values()]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda texts: corpus_bleu(texts, references).stats, systems.values()))
    assert together == alone


def test_other_processes_and_hash_seeds_give_the_same():
    # claim: 002-28
    program = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "from shared import evaluation_sets, lines\n"
        "from bleu_lit.core import from_streams\n"
        "from bleu_lit.score import corpus_bleu\n"
        "data = next(data for data in evaluation_sets() if data.name == 'audiocaps_example1')\n"
        "print(corpus_bleu(lines(data.systems['pred']), from_streams(*map(lines, data.references))).to_json())\n"
    )
    said = set()
    for seed in ("0", "1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program, str(ROOT), str(ROOT / "tests")]
        said.add(subprocess.run(command, env=environment, check=True, capture_output=True, text=True, encoding="utf-8").stdout)
    assert len(said) == 1
    systems, references = corpus_of("audiocaps_example1")
    assert said.pop().strip() == corpus_bleu(systems["pred"], references).to_json()
