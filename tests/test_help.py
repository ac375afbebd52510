"""What `help` says in a terminal: to somebody who has nothing else."""

import doctest
import importlib
import inspect
import math
import pkgutil
import pydoc
import re
import subprocess
import sys
from dataclasses import fields

import pytest

import bleu_lit
from bleu_lit import BleuInputError, BleuScore, BleuStats, ExactScore, MeanBleuScore, Report, corpus_bleu
from bleu_lit.brevity import REFERENCE_LENGTHS
from bleu_lit.chrf import ChrF
from bleu_lit.functions import score_function
from bleu_lit.precision import clipped_counts, modified_precision, plain_precision
from bleu_lit.resample import bootstrap_interval
from bleu_lit.settings import BLANK_REFERENCES, NORMAL_FORMS, PRESETS, Settings
from bleu_lit.smoothing import SMOOTHING
from bleu_lit.tokens import TOKENIZERS
from bleu_lit.training import bleu_rewards

CALLS = {name: getattr(bleu_lit, name) for name in bleu_lit.__all__ if inspect.isfunction(getattr(bleu_lit, name))}
CALLS |= {call.__name__: call for call in (bootstrap_interval, plain_precision, clipped_counts, modified_precision)}  # which README and the questions call
SAID = {"bleu_lit": bleu_lit, "Settings": Settings} | CALLS
SHOWN = (BleuScore, MeanBleuScore, BleuStats, ExactScore, BleuInputError, Report, ChrF, bleu_rewards, score_function)  # which have an example besides


def parts(name):
    """What a docstring says of each name that it lists, by name."""
    said = {}
    for line in inspect.getdoc(SAID[name]).splitlines():
        if line.startswith("- `"):
            for key in line.split("`")[1::2]:
                said.setdefault(key.split("=")[0], line)
    return said


@pytest.mark.parametrize("name", [*SAID, *(shown.__name__ for shown in SHOWN)])
def test_the_examples_run(name):
    value = SAID.get(name) or next(shown for shown in SHOWN if shown.__name__ == name)
    found = doctest.DocTestFinder(recurse=False).find(value, name, module=False, globs={})
    runner = doctest.DocTestRunner()
    failed, tried = map(sum, zip(*(runner.run(example) for example in found), strict=True))
    assert not failed and tried >= 2


@pytest.mark.parametrize("name", CALLS)
def test_each_parameter_is_said_with_its_default_and_what_comes_back(name):
    """Keywords that are settings are said as that."""
    text = inspect.getdoc(CALLS[name])
    for parameter in inspect.signature(CALLS[name]).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            assert "keyword" in text
        else:
            default = "" if parameter.default is parameter.empty else f"={parameter.default!r}".replace("'", '"')
            assert f"`{parameter.name}{default}`" in text, parameter
    assert "- Returns:" in text and "- Raises:" in text


def test_the_calls_are_those_of_the_package():
    assert len(CALLS) >= 26 and {"compare", "explain", "stream_stats", "mbr_select", "tokenizer"} < set(CALLS)


def test_what_rows_and_forms_are_is_said():
    text = inspect.getdoc(bleu_lit.segment_stats)
    assert all(words in text for words in ("2 + 2N", "c and r", "matched 1 to N", "total 1 to N", "list of tuples", '"memoryview"', '"numpy"'))
    first = corpus_bleu(["the cat sat on the mat", "it rains"], [["the cat sat on a mat"], ["it rains today", "it is raining"]])
    assert first.value == pytest.approx((7 / 8 * 4 / 6 * 2 / 4 * 1 / 3) ** (1 / 4) * math.exp(-1 / 8))  # the example of help(corpus_bleu)


def test_each_setting_is_said_with_its_default_and_its_values():
    said = parts("Settings")
    assert fields(Settings)[0].default is None and "the signature's None means the number of the weights, or 4" in said["max_order"]
    for field in fields(Settings):
        default = 4 if field.name == "max_order" else field.default
        assert f"`{field.name}={default!r}`".replace("'", '"') in said[field.name]
    for name, values in {
        "smooth": SMOOTHING,
        "tokenize": TOKENIZERS,
        "reference_length": REFERENCE_LENGTHS,
        "normalize": filter(None, NORMAL_FORMS),
        "blank_references": BLANK_REFERENCES,
    }.items():
        for value in values:
            assert value in said[name], (name, value)
    for name, smoothing in SMOOTHING.items():
        assert (re.search(rf"[ ]{name}[, ]", said["smooth_value"]) is not None) == bool(smoothing.values), name
    assert all(preset.upper() in inspect.getdoc(Settings) for preset in PRESETS)


def test_the_names_of_the_package_are_what_it_offers():
    """In a process of its own, where nothing else was loaded, and once everything was."""
    code = (
        "import bleu_lit; first = dir(bleu_lit); bleu_lit.corpus_bleu(['a'], [['a']]); import bleu_lit.report; "
        "assert first == dir(bleu_lit); print(*(name for name in first if not name.startswith('__')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == sorted(bleu_lit.__all__)


def test_help_of_the_package_names_the_calls_that_matter():
    text = pydoc.plain(pydoc.render_doc(bleu_lit))
    for words in (
        "corpus_bleu(candidates, references)",
        "explain(candidate, references)",
        "compare({",
        "bleu-lit --help",
        "make docs-serve",
    ):
        assert words in text


def parameters(value):
    """Those of a function or class of the package; none where Python itself has them, as of a class of errors without an `__init__`."""
    try:
        return inspect.signature(value).parameters
    except ValueError:
        return {}


def public():
    """Every public function and class of every module, by its whole name."""
    for found in pkgutil.walk_packages(bleu_lit.__path__, "bleu_lit."):
        if not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            for name in getattr(module, "__all__", ()):
                value = vars(module).get(name)
                if (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__ == found.name and value.__doc__:
                    yield f"{found.name}.{name}", value


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_written_beside_a_parameter_is_in_its_help(name):
    """Whatever line of the definition is that of a parameter and ends with a comment."""
    value = PUBLIC[name]
    text = inspect.getdoc(value)
    assert text.startswith(inspect.cleandoc(str(value.__doc__)).split("\n")[0])
    head, *methods = inspect.getsource(value).split("\n    def ") if inspect.isclass(value) else [inspect.getsource(value)]
    source = "\n".join([head, *(method for method in methods if method.startswith("__init__("))])
    for parameter in parameters(value):
        beside = re.search(rf"^ *\**{parameter}: [^#\n]*  # ", source, re.MULTILINE)
        assert not beside or f"`{parameter}" in text or f"*{parameter}" in text, parameter


@pytest.mark.parametrize("name", PUBLIC)
def test_each_parameter_is_described(name):
    """All but those that a class or a function only hands on, or which pytest names."""
    text = inspect.getdoc(PUBLIC[name])
    handed_on = {"args", "kwargs", "session", "config"}
    for parameter in set(parameters(PUBLIC[name])) - handed_on:
        assert f"`{parameter}" in text or f"*{parameter}" in text, f"{name}: write beside `{parameter}` in the notebook what it means"


def test_help_of_the_whole_has_the_comments_the_defaults_and_what_comes_back():
    from bleu_lit.training import bleu_rewards, surrogate_bleu

    text = pydoc.plain(pydoc.render_doc(surrogate_bleu))
    for words in (
        '- `kind="expected"`: one of `SURROGATES`',
        "- `add=1.0`: added to counts from order 2 on",
        "- Returns: torch scalar in [0, 1]",
        "- `max_order=4`: N\n",
    ):
        assert words in text
    assert text.count("- Returns:") == text.count("- `kind=") == 1 and "`baseline" in inspect.getdoc(bleu_rewards)
    assert inspect.getdoc(corpus_bleu).count("- `candidates`") == 1  # which its docstring says itself
    for line in str(surrogate_bleu.__doc__).splitlines():  # which Python 3.13 keeps without its indentation
        assert line.strip() in inspect.getsource(surrogate_bleu)


def test_help_without_a_source_is_the_docstring(monkeypatch):
    from bleu_lit.training import risk_loss

    def no_source(_):
        raise OSError("could not get source code")

    monkeypatch.setattr(inspect, "getsource", no_source)
    assert inspect.getdoc(risk_loss) == inspect.cleandoc(str(risk_loss.__doc__)) and "- `alpha" not in inspect.getdoc(risk_loss)
