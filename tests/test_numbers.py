"""What stands for a number can be rounded and written as one; and which of two of the same name `import` gives."""

import importlib
from fractions import Fraction
from types import FunctionType, ModuleType

import pytest

import bleu_lit
from bleu_lit import ExactScore, corpus_bleu, mean_sentence_bleu, roundtrip_bleu
from bleu_lit.metric import metric

HALF = ExactScore(((Fraction(1, 4), Fraction(1, 2)),), Fraction(0))  # (1/4)^(1/2)
TEXTS, REFERENCES = ["a b c d", "e f g h"], [["a b c d"], ["e f x y"]]
KINDS = {  # name: a result, and its value by hand
    "exact": (HALF, 0.5),
    "corpus": (corpus_bleu(["a b"], [["a c"]], max_order=1), 0.5),
    "mean": (mean_sentence_bleu(["a b", "a b"], [["a c"], ["a b"]], max_order=1), 0.75),
    "round trip": (roundtrip_bleu(["a b"], lambda texts: ["a c"], list, max_order=1), 0.5),
    "metric": (metric("rouge1").score(["a b"], [["a c"]]), 0.5),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_is_rounded_and_written_as_the_number_that_float_gives(kind):
    result, value = KINDS[kind]
    assert float(result) == value
    assert f"{result:.2f}" == f"{value:.2f}"
    assert f"{result:8.1%}" == f"{value:8.1%}"
    assert round(result, 1) == round(value, 1)
    assert round(result) == round(value)
    assert isinstance(round(result), int)
    assert f"{result}" == str(result)
    with pytest.raises(ValueError, match=r"[Ff]ormat"):
        f"{result:no such format}"


def test_every_result_with_a_float_is_written_as_one():
    missing = []
    for name in ("exact", "result", "metric", "roundtrip", "systems", "compare", "pairwise", "corpus", "report"):
        for kind in vars(importlib.import_module(f"bleu_lit.{name}")).values():
            if isinstance(kind, type) and kind.__module__.startswith("bleu_lit") and "__float__" in dir(kind) and kind.__format__ is object.__format__:
                missing.append(kind.__name__)
    assert not missing


@pytest.mark.parametrize("name", ["compare", "engine", "explain"])
def test_a_name_that_is_both_is_the_function_and_the_module_is_at_hand(name):
    module = importlib.import_module(f"bleu_lit.{name}")
    assert isinstance(module, ModuleType)
    assert isinstance(getattr(bleu_lit, name), FunctionType)
    as_name = {}
    exec(f"import bleu_lit.{name} as it", as_name)  # Python looks the name up in the package
    assert as_name["it"] is getattr(bleu_lit, name)
