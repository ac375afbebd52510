"""The figures of the page "Which metric?" that come from real data."""

import math
import re
from pathlib import Path

import pytest
from shared import SHARED, lines

from bleu_lit.score import sentence_scores

PAGE = (Path(__file__).resolve().parent.parent / "nbs" / "which_metric.ipynb").read_text(encoding="utf-8")
CASES = {
    "En-De, a human translation (R1)": ("ott_ende_8ref_human", "humanR1"),
    "En-De, R2": ("ott_ende_8ref_human", "humanR2"),
    "TurkCorpus, ACCESS": ("turkcorpus_8ref", "ACCESS"),
    "TurkCorpus, SBMT-SARI": ("turkcorpus_8ref", "SBMT-SARI"),
}


def correlation(one: list[float], other: list[float]) -> float:
    """Pearson's r."""
    means = [math.fsum(values) / len(values) for values in (one, other)]
    gaps = [[value - mean for value in values] for values, mean in zip((one, other), means, strict=True)]
    return math.fsum(a * b for a, b in zip(*gaps, strict=True)) / math.sqrt(math.fsum(a * a for a in gaps[0]) * math.fsum(b * b for b in gaps[1]))


@pytest.mark.parametrize("row", CASES)
def test_agreement_rises_with_references(row):
    folder = SHARED / "data" / CASES[row][0]
    if not folder.is_dir():
        pytest.skip(f"the evaluation data are not at {SHARED}")
    streams = [lines(folder / f"ref.{j}.txt") for j in range(8)]
    candidates = lines(folder / f"hyp.{CASES[row][1]}.txt")
    others = sentence_scores(candidates, list(zip(*streams[4:], strict=True)))
    found = [correlation(sentence_scores(candidates, list(zip(*streams[:k], strict=True))), others) for k in (1, 2, 3, 4)]
    assert found == sorted(found)
    printed = [float(cell) for cell in re.findall(r"\d\.\d{3}", re.search(rf"\| {re.escape(row)}[^|]*\|([^\\]*)", PAGE)[1])]
    assert [round(value, 3) for value in found] == printed
