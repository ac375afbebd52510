"""What `help` says in a terminal: to somebody who has nothing else."""

import doctest
import inspect
import pydoc
import re
import subprocess
import sys
from dataclasses import fields

import pytest

import bleu_lit
from bleu_lit.brevity import REFERENCE_LENGTHS
from bleu_lit.settings import BLANK_REFERENCES, NORMAL_FORMS, PRESETS, Settings
from bleu_lit.smoothing import SMOOTHING
from bleu_lit.tokens import TOKENIZERS

SAID = {"bleu_lit": bleu_lit, **{name: getattr(bleu_lit, name) for name in ("Settings", "corpus_bleu", "sentence_bleu", "mean_sentence_bleu")}}


def parts(name):
    """What a docstring says of each name that it lists, by name."""
    said = {}
    for line in inspect.getdoc(SAID[name]).splitlines():
        if line.startswith("- `"):
            for key in line.split("`")[1::2]:
                said.setdefault(key.split("=")[0], line)
    return said


@pytest.mark.parametrize("name", SAID)
def test_the_examples_run(name):
    found = doctest.DocTestFinder(recurse=False).find(SAID[name], name, module=False, globs={})
    runner = doctest.DocTestRunner()
    failed, tried = map(sum, zip(*(runner.run(example) for example in found), strict=True))
    assert not failed and tried >= 2


@pytest.mark.parametrize("name", ["corpus_bleu", "sentence_bleu", "mean_sentence_bleu"])
def test_each_parameter_is_said(name):
    """All but the keywords, which are the settings."""
    text = inspect.getdoc(SAID[name])
    for parameter in inspect.signature(SAID[name]).parameters:
        assert f"`{parameter}`" in text or parameter == "changes", parameter
    assert all(word in text for word in ("- Returns:", "- Raises:", "eyword"))


def test_each_setting_is_said_with_its_default_and_its_values():
    said = parts("Settings")
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
