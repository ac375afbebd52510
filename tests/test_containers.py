"""Segments come in the containers of other packages; those packages are never needed, and their scores are those of plain lists."""

import re
import subprocess
import sys
import threading
import warnings
from array import array
from contextlib import suppress
from itertools import chain

import pytest

from bleu_lit import (
    compare,
    corpus_bleu,
    corpus_stats,
    explain,
    explain_corpus,
    from_streams,
    mean_sentence_bleu,
    segment_stats,
    sentence_bleu,
    sentence_scorer,
    stream_stats,
)
from bleu_lit.bleu import bleu_w
from bleu_lit.chrf import ChrF
from bleu_lit.core import (
    BleuInputError,
    FileInputError,
    LengthMismatchError,
    MissingExtraError,
    MissingReferenceError,
    SegmentTypeError,
    SettingsError,
    StringForListError,
    TransposedReferencesError,
    WeightsError,
)
from bleu_lit.corpus import corpus_from_dict
from bleu_lit.distributed import stats_in_arrow
from bleu_lit.engine import engine
from bleu_lit.explain import derivation_from_dict
from bleu_lit.frequency import frequency_table
from bleu_lit.meteor import Meteor
from bleu_lit.references import by_references
from bleu_lit.resample import bootstrap_interval
from bleu_lit.roundtrip import in_batches, one_by_one, roundtrip_bleu
from bleu_lit.sources import References
from bleu_lit.text_notes import group_sample
from bleu_lit.threads import native
from bleu_lit.tokens import Tokenizer
from bleu_lit.training import distinct

CANDIDATES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
STREAM_A = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."]
STREAM_B = ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."]
REFERENCES = [list(pair) for pair in zip(STREAM_A, STREAM_B, strict=True)]
EXPECTED = corpus_bleu(CANDIDATES, REFERENCES)


def containers():
    """Name, and a function that puts a list of texts into the container."""
    pandas = pytest.importorskip("pandas", reason="pandas is a development requirement")
    numpy = pytest.importorskip("numpy", reason="numpy is a development requirement")
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is a development requirement")
    return {
        "tuple": tuple,
        "generator": lambda texts: (text for text in texts),
        "iterator": iter,
        "dict values": lambda texts: dict(enumerate(texts)).values(),
        "numpy array of str": lambda texts: numpy.array(texts),
        "numpy array of objects": lambda texts: numpy.array(texts, dtype=object),
        "pandas Series": pandas.Series,
        "pandas Series with another index": lambda texts: pandas.Series(texts, index=range(7, 7 + len(texts))),
        "pandas string Series": lambda texts: pandas.Series(texts, dtype="string"),
        "pandas column": lambda texts: pandas.DataFrame({"text": texts})["text"],
        "pyarrow array": pyarrow.array,
        "pyarrow chunked array": lambda texts: pyarrow.chunked_array([texts[:1], texts[1:]]),
        "pyarrow column": lambda texts: pyarrow.table({"text": texts})["text"],
    }


@pytest.mark.parametrize("name", containers())
def test_candidates_and_references_in_any_container(name):
    put = containers()[name]
    assert corpus_bleu(put(CANDIDATES), REFERENCES) == EXPECTED
    assert corpus_bleu(put(CANDIDATES), from_streams(put(STREAM_A), put(STREAM_B))) == EXPECTED
    assert corpus_bleu(CANDIDATES, [put(group) for group in REFERENCES]) == EXPECTED
    assert mean_sentence_bleu(put(CANDIDATES), REFERENCES).value == mean_sentence_bleu(CANDIDATES, REFERENCES).value
    assert sentence_bleu(CANDIDATES[0], put(REFERENCES[0])).value == sentence_bleu(CANDIDATES[0], REFERENCES[0]).value


def test_references_as_one_table():
    numpy, pyarrow, pandas = (pytest.importorskip(name) for name in ("numpy", "pyarrow", "pandas"))
    assert corpus_bleu(CANDIDATES, numpy.array(REFERENCES)) == EXPECTED
    assert corpus_bleu(CANDIDATES, pyarrow.array(REFERENCES)) == EXPECTED
    assert corpus_bleu(CANDIDATES, pandas.Series(REFERENCES)) == EXPECTED


def test_token_ids_of_numpy_and_python_are_the_same():
    numpy = pytest.importorskip("numpy")
    ids, reference = [3, 1, 4, 1, 5], [3, 1, 4, 1, 6]
    plain = corpus_stats([ids], [[reference]])
    assert corpus_stats([numpy.array(ids)], [[numpy.array(reference)]]) == plain
    assert corpus_stats(numpy.array([ids]), numpy.array([[reference]])) == plain
    assert plain.matched == (4, 3, 2, 1)


@pytest.mark.parametrize("missing", ["NA", "nan", "None", "null of pyarrow"])
def test_a_missing_text_is_named(missing):
    pandas, pyarrow = (pytest.importorskip(name) for name in ("pandas", "pyarrow"))
    texts = {
        "NA": pandas.Series(["a cat", None], dtype="string"),
        "nan": pandas.Series(["a cat", float("nan")], dtype=object),
        "None": ["a cat", None],
        "null of pyarrow": pyarrow.array(["a cat", None]),
    }[missing]
    with pytest.raises(SegmentTypeError, match=r"candidates\[1\]"):
        corpus_bleu(texts, [["a cat"], ["a dog"]])


def test_a_null_among_references_is_an_absent_one():
    pyarrow = pytest.importorskip("pyarrow")
    assert corpus_bleu(["a cat"], [pyarrow.array(["a cat", None])]).nrefs == 1
    with pytest.raises(MissingReferenceError, match=r"references\[0\]"):
        corpus_bleu(["a cat"], [pyarrow.array([None], type=pyarrow.string())])


def test_a_whole_data_frame_is_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"candidate": CANDIDATES, "ref_a": STREAM_A, "ref_b": STREAM_B})
    with pytest.raises(BleuInputError, match="one column"):
        corpus_bleu(frame, REFERENCES)
    with pytest.raises(BleuInputError, match="one column"):
        corpus_bleu(CANDIDATES, frame[["ref_a", "ref_b"]])
    assert corpus_bleu(frame["candidate"], frame[["ref_a", "ref_b"]].to_numpy()) == EXPECTED


def test_what_has_no_order_is_refused():
    with pytest.raises(SegmentTypeError, match="ordered"):
        corpus_bleu(set(CANDIDATES), REFERENCES)
    with pytest.raises(SegmentTypeError, match="ordered"):
        corpus_bleu(dict.fromkeys(CANDIDATES), REFERENCES)
    with pytest.raises(StringForListError):
        corpus_bleu("".join(CANDIDATES), REFERENCES)


def test_input_is_not_changed():
    candidates, references = list(CANDIDATES), [list(group) for group in REFERENCES]
    before = list(chain(candidates, *references))
    for call in (corpus_bleu, mean_sentence_bleu, corpus_stats):
        call(candidates, references, lowercase=True, blank_references="absent")
    assert list(chain(candidates, *references)) == before


def test_none_of_these_packages_is_imported():
    code = "import sys; from bleu_lit import corpus_bleu; corpus_bleu(('a',), iter([['a']])); print(*{'numpy', 'pandas', 'pyarrow'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == ""


# ---- Tables of other libraries, which have no `bleu_lit` of their own


class PutOff:
    """A table whose columns are costly to tell, with the methods of Polars' LazyFrame that matter here."""

    columns = property(lambda self: warnings.warn("costly", UserWarning, stacklevel=2))
    collect_schema = None

    def __init__(self, columns):
        self.held = columns

    def collect(self):
        return self.held

    def __eq__(self, other):
        raise TypeError("ambiguous")

    __hash__ = object.__hash__


def tables(name):
    columns = {"candidate": CANDIDATES, "reference": STREAM_A}
    if name == "stand-in":
        return PutOff(columns)
    return getattr(pytest.importorskip("polars", reason="polars is not installed"), name)(columns)


@pytest.mark.parametrize("name", ["stand-in", "DataFrame", "LazyFrame"])
@pytest.mark.filterwarnings("error")
def test_the_advice_for_a_table_works(name):
    table = tables(name)
    calls = (lambda: corpus_bleu(table, [["a"]]), lambda: corpus_bleu(["a"], table), lambda: corpus_bleu([table], [["a"]]), lambda: from_streams(table))
    for call in calls:
        with pytest.raises(SegmentTypeError) as caught:
            call()
        assert "bleu_lit.frames" not in caught.value.fix and "missing value" not in caught.value.fix
        advice = caught.value.fix.removeprefix("Give columns of the table: ")
        assert corpus_bleu(**eval(f"dict({advice})", {"table": table})) == corpus_bleu(CANDIDATES, [[text] for text in STREAM_A])


def test_what_needs_a_package_is_one_thing(monkeypatch):
    frames = pytest.importorskip("bleu_lit.frames", reason="pandas is not installed")
    for name in ("pandas.api.extensions", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"^scoring a data frame needs the package pandas"):
        frames.register()
    with pytest.raises(MissingExtraError, match=r"^reading batches of Arrow needs the package pyarrow"):
        list(stats_in_arrow([]))


# ---- Values that are no text, no list and no mapping, from NumPy and pandas among others

MISFITS = [None, 5, 10**5000, lambda: None, object()]


def _array(value):
    return pytest.importorskip("numpy").array(value)


@pytest.mark.parametrize("value", MISFITS, ids=lambda value: type(value).__name__)
def test_what_is_no_list_is_told_so_by_the_smaller_tools(value):
    for call in (
        lambda: frequency_table(value, [["a b"]]),
        lambda: frequency_table({"x": ["a b"]}, [["a b"]], edges=value),
        lambda: distinct(value),
        lambda: distinct([value]),
        lambda: in_batches(list, value),
        lambda: in_batches(5, ["a"]),
        lambda: Meteor(stem=False, function_words=[value]),
        lambda: Meteor(stem=False, wordnet=5 if value is None else value),
        lambda: Meteor(stem=False, language=value),
        lambda: ChrF(lowercase=value),
        lambda: compare({"x": ["a"], "y": ["b"]}, [["a"]], metrics=value),
        lambda: list(stream_stats(value, "y")),
    ):
        with pytest.raises(BleuInputError, match=r": expected .*, got "):
            call()


def test_an_array_of_one_text_is_that_text():
    with pytest.raises(SettingsError, match=r"Write metrics=\['chrf'\]"):
        compare({"x": ["a"], "y": ["b"]}, [["a"]], metrics=_array("chrf"))
    with pytest.raises(FileInputError, match="no-such-file"):
        list(stream_stats(_array("no-such-file"), "y"))
    for language in (_array("english"), _array(["english"])):
        with pytest.raises(SettingsError, match="language: expected the name of a language"):
            Meteor(stem=False, language=language)
    assert distinct(_array([["a"], ["a"], ["b"]])) == [0, 2]


def test_a_derivation_with_values_that_cannot_be_compared_is_refused():
    one, many = explain("a b c", ["a b d"]).to_dict(), explain_corpus(["a b c", "d"], [["a b d"], ["d"]]).to_dict()
    for read, data in ((derivation_from_dict, one), (corpus_from_dict, many)):
        read(data)
        for key in ("kind", "orders", "brevity", "value", "candidate" if "candidate" in data else "candidates", "references", "signature"):
            for value in (_array([1, 2]), pytest.importorskip("pandas").NA):
                with pytest.raises(BleuInputError):
                    read(data | {key: value})


@pytest.mark.parametrize("one", [sentence_bleu, explain, sentence_scorer(), sentence_scorer(tokenize=str.split)], ids=lambda one: one.__name__)
def test_a_corpus_is_no_segment(one):
    texts = ["The cat sat.", "It rained."]
    for candidate, references in (
        (texts, [[text] for text in texts]),  # a group of references for each, as corpus_bleu takes them
        (texts, [texts]),  # one list per annotator, as sacreBLEU takes them
        (texts, texts),
        (tuple(texts[:1]), [texts[:1]]),
        ([*texts, "Yes."], [[text] for text in (*texts, "Yes.")]),  # one segment is a word
    ):
        with pytest.raises(SegmentTypeError, match=r"a list of texts, such as 'The cat sat\.'\. .*call corpus_bleu, or sentence_scores"):
            one(candidate, references)
    one(texts[0], [texts[0]])
    one(list("a b"), [list("a c")])


def test_a_token_with_a_blank_is_a_token_with_a_note():
    score = sentence_bleu(["New York", "is", "big"], [["New York", "was", "big"]])
    assert score.matched[:2] == (2, 0) and any("'New York' is in a list of tokens" in note for note in score.notes)
    for candidate, references in ((["a b, c"], [["a b, c"], ["a b", "c"]]), (["a b", "c d"], [["a b", "c", "d"]])):  # of tokenizers that cut at commas
        assert sentence_bleu(candidate, references, smooth="none", max_order=1).matched[0] == 1
    wrapped = corpus_bleu([[text] for text in CANDIDATES], [[[text] for text in group] for group in REFERENCES])
    assert any("stands there without a list" in note for note in wrapped.notes)
    assert not any("list of tokens" in note for note in corpus_bleu([text.split() for text in CANDIDATES], [[list("a b")]] * 3).notes)


def test_a_segment_is_no_corpus():
    with pytest.raises(StringForListError, match="there is sentence_bleu"):
        corpus_bleu(CANDIDATES[0], REFERENCES[0])


@pytest.mark.parametrize(("count", "groups", "missing"), [(2, 30, "28 candidates are"), (2, 3, "1 candidate is"), (3, 2, "1 list is"), (9, 2, "7 lists are")])
def test_both_readings_of_a_shape_are_named(count, groups, missing):
    readings = rf"If each is one annotator's, call from_streams.*; if each is one candidate's, {missing} missing"
    with pytest.raises(TransposedReferencesError, match=rf"{groups} of length {count}\. {readings}"):
        corpus_bleu(["a"] * count, [["a"] * count] * groups)


class Scalar:
    """A number in a tensor of its own, as a loop over a tensor gives them: hashed by its place in memory, whatever it holds."""

    def __init__(self, number):
        self.number = number

    def __dlpack__(self):
        raise NotImplementedError

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return id(self)


@pytest.mark.parametrize("shape", [list, tuple])
def test_tensors_of_one_number_are_no_tokens(shape):
    ids = shape(map(Scalar, (1, 2, 3, 4)))
    for call in (lambda: sentence_bleu(ids, [ids]), lambda: corpus_bleu([ids], [[ids]]), lambda: corpus_bleu([[1, 2]], [[ids]])):
        with pytest.raises(SegmentTypeError, match=r"a Scalar as token 0.*token\.item\(\)"):
            call()


def test_a_buffer_of_numbers_is_no_text():
    with pytest.raises(SegmentTypeError, match=r"tolist"):
        corpus_bleu([memoryview(array("i", [1, 2]))], [[[1, 2]]])
    with pytest.raises(SegmentTypeError, match=r"decode"):
        corpus_bleu([memoryview(b"ab")], [["ab"]])


def stops(*_):
    """A function with a slip: `next` of what is empty."""
    return next(iter(()))


def test_a_weighting_that_lets_stop_iteration_escape_is_refused():
    with pytest.raises(WeightsError, match="StopIteration for w_1"):
        bleu_w([["a", "b"]], [[["a", "b"]]], stops)


def test_functions_of_the_user_that_let_stop_iteration_escape_are_named():
    rows = [(1, 2.5), (1, 3.5), (1, 0.5)]
    calls = {
        "the function stops": lambda: bootstrap_interval(rows, stops, 10),
        "the function stops let StopIteration escape for 'the references ": lambda: by_references(["a b"], [["a b", "a"]], stops),
        "translate let": lambda: roundtrip_bleu(["a b"], stops, list),
        "translate_back let": lambda: roundtrip_bleu(["a b"], list, one_by_one(stops)),
    }
    for named, call in calls.items():
        with pytest.raises(RuntimeError, match=re.escape(named)):
            call()


READERS = {
    "corpus_bleu": lambda c, r, cut: corpus_bleu(c, r, tokenize=cut).stats,
    "corpus_stats": lambda c, r, cut: corpus_stats(c, r, tokenize=cut),
    "segment_stats": lambda c, r, cut: segment_stats(c, r, tokenize=cut),
    "segment_stats, memoryview": lambda c, r, cut: segment_stats(c, r, form="memoryview", tokenize=cut).tolist(),
    "mean_sentence_bleu": lambda c, r, cut: mean_sentence_bleu(c, r, tokenize=cut).scores,
    "explain_corpus": lambda c, r, cut: explain_corpus(c, r, tokenize=cut).rows,
    "average length": lambda c, r, cut: corpus_bleu(c, r, tokenize=cut, reference_length="average").exact,
    "from_streams": lambda c, r, cut: from_streams(c, r) and corpus_stats(c, r, tokenize=cut),
}


@pytest.mark.parametrize("name", READERS)
def test_lists_that_are_changed_while_they_are_counted_count_as_they_were(name):
    """What another thread may do at any moment, done by the tokenizer at each text: the lists grow, shrink and are emptied."""
    read = READERS[name]

    def cut(text):
        return text.split()

    for change in (lambda c, r: (c.append("x"), r.append(["x"])), lambda c, r: (c.clear(), r.clear()), lambda c, r: c.pop() if c else None):
        texts, groups = ["the cat sat", "on the mat", "all day"], [["the cat sat"], ["on a mat", "on mats"], ["all day long"]]

        def split(text, change=change, texts=texts, groups=groups):
            change(texts, groups)
            return text.split()

        wanted = read(texts[:], groups[:], Tokenizer("split", cut))
        assert read(texts, groups, Tokenizer("split", split)) == wanted


def test_threads_that_change_lists_meet_no_error_of_python():
    """Sizes that differ at the moment of the call are told as such; nothing else can be seen."""
    texts, groups, done = ["the cat sat on the mat"] * 500, [["the cat sat on a mat", "a mat"] for _ in range(500)], threading.Event()

    def change():
        while not done.is_set():
            texts.append("x y"), groups.append(["x y"])
            texts.pop(), groups.pop()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    other = threading.Thread(target=change)
    other.start()
    try:
        for number in range(60):
            with suppress(LengthMismatchError):
                (corpus_bleu, corpus_stats, mean_sentence_bleu, lambda c, r: segment_stats(c, r, form="memoryview"))[number % 4](texts, groups)
            with suppress(LengthMismatchError):
                References(groups).total(texts)
    finally:
        done.set()
        other.join()
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("name", ["native", "python"])
@pytest.mark.parametrize("choices", [{}, {"reference_length": "average"}, {"smooth": "none", "blank_references": "absent"}, {"tokenize": str.split}])
def test_lists_of_references_that_change_meanwhile_change_nothing(name, choices):
    """Every candidate is its only reference as it was given: the score is 1, and both lengths are the sum of the tokens."""
    if name == "native" and native() is None:
        pytest.skip("the engine was not compiled")
    candidates, references, before = ["a b c d"] * 25_000, [["a b c d"] for _ in range(25_000)], engine()

    def change(done):
        candidates[-1] = "x"
        for group in references[done // 2 :]:
            group.append("x y")
        references[-1].clear()
        references[0][0] = "x y z w"

    try:
        engine(name)
        score = corpus_bleu(candidates, references, progress=change, **choices)
    finally:
        engine(before)
    assert score.value == 1 and score.candidate_length == score.reference_length == 100_000 and score.nrefs == 1


def test_a_list_that_was_shortened_since_it_was_counted_has_fewer_texts_to_show():
    assert group_sample([["a", "b"], ["c"], []], 2) == ["a", "b", "c"] and group_sample([["a"], ["b"]], 1) == ["a", "b"]
