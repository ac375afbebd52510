"""The compiled engine against plain Python: the same integers, always; and how it is chosen, refused and interrupted."""

import copy
import os
import pickle
import random
import subprocess
import sys
from array import array
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))
import guided
from fuzz import differing_rows, fuzz_segments, miscounted_bytes

from bleu_lit.bleu import BleuStats
from bleu_lit.core import (
    BleuInputError,
    EmptyCorpusError,
    LengthMismatchError,
    MissingExtraError,
    MissingReferenceError,
    MixedSegmentsError,
    SegmentTypeError,
    SettingsError,
    StatisticsError,
    StringForListError,
    UnknownNameError,
    from_streams,
)
from bleu_lit.draws import Pcg64
from bleu_lit.draws_fast import CountedDraws, native_draws
from bleu_lit.engine import corpus_row, engine, python_rows, segment_rows
from bleu_lit.engine_fast import exact_value, fast_rows, fast_scores, fast_total, kernel_of
from bleu_lit.files import read_lines
from bleu_lit.masks import cut_by_masks
from bleu_lit.places import matched_by_places
from bleu_lit.score import corpus_bleu, segment_stats, sentence_bleu, sentence_scores, sum_rows
from bleu_lit.settings import SACREBLEU, Settings
from bleu_lit.sources import References, arrow_source, count_sources, ids_source, lines_of
from bleu_lit.stream import stream_stats
from bleu_lit.threads import native, thread_count
from bleu_lit.tokens import TOKENIZERS, tokenize

door = sys.modules["bleu_lit.engine"]  # `bleu_lit.engine` is the function
ROOT = Path(__file__).resolve().parent.parent
compiled = pytest.mark.skipif(native() is None, reason="the compiled engine was not built: python setup.py build_ext --inplace")
PROCESSORS = native().levels() if native() else ()


def rows_of(texts, references, settings, processor=None, most_places=64, threads=1):
    return kernel_of(settings, processor, most_places).rows(texts, references, 0, len(texts), threads, None)


# ---- The same integers


@compiled
def test_fuzzed_segments():
    found = [line for seed in range(12) for line in differing_rows(*fuzz_segments(seed, 150))]
    assert not found, "\n".join(found[:5])


@compiled
def test_what_the_guided_fuzzer_looks_at(tmp_path):
    guided.seeds(tmp_path)
    choices = [fuzz_segments(seed, 0)[2] for seed in range(64)]
    for path in sorted(tmp_path.iterdir()):
        for besides in range(4):
            data = path.read_bytes()
            guided.run_one(bytes([data[0] % 64 + 64 * besides]) + data[1:], choices)
    assert guided.scanned("a\r\n\u200b\n \nb".encode()) == ([0, 3, 7, 9, 11], -1, (1, [0, 1, 0, 0, 0, 0, 1]))
    assert guided.scanned(b"a\xc3\n") == ([0, 3], 1, None)


@compiled
@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("rule", TOKENIZERS)
def test_tokens_at_the_edges_of_blocks(rule, processor):
    settings = SACREBLEU.replace(tokenize=rule)
    pieces = [*"a!。中…é", "-5", "5-", ".5", "5.", "..5", "5..", "\u3000", "\u2003", "&amp;", "<skipped>", "-\n", "\n", "\x1c", "7,5", "\x85"]
    texts = [("x" * k + left + right) for k in range(56, 68) for left in pieces for right in pieces]
    texts += ["x " * 28 + "y" * k + piece + "z" for k in range(12) for piece in pieces]
    references = [[text[:70] + " b", text[1:]] for text in texts]
    assert rows_of(texts, references, settings, processor) == python_rows(texts, references, settings)


@compiled
@pytest.mark.parametrize("processor", PROCESSORS)
def test_tokens_of_every_length(processor):
    texts = ["".join(chr(97 + (k * i) % 26) for i in range(n)) for n in range(1, 40) for k in (1, 2)]
    pairs = [(a, [b, a[:-1] + "é", a[:-1]]) for a in texts for b in texts[:: max(1, len(texts) // 9)]]
    candidates, references = [a for a, _ in pairs], [b for _, b in pairs]
    settings = SACREBLEU.replace(max_order=2)
    assert rows_of(candidates, references, settings, processor) == python_rows(candidates, references, settings)


@compiled
@pytest.mark.parametrize("most", [0, 1, 7, 8, 9, 31, 63, 64])
def test_places_and_tables_agree(most):
    draw = random.Random(most)
    texts = [" ".join(draw.choice("a b c dd eeeeeeeee ffffffffffffffffffff".split()) for _ in range(draw.randrange(80))) for _ in range(300)]
    references = [[draw.choice(texts) for _ in range(draw.choice((1, 1, 2, 5)))] for _ in texts]
    for order in (1, 4, 6, 70):
        settings = SACREBLEU.replace(max_order=order)
        assert rows_of(texts, references, settings, most_places=most) == python_rows(texts, references, settings)


@compiled
def test_tokens_whose_hashes_collide():
    """With these seeds every long token of at most 16 bytes has the same hash, so that only its bytes can tell it apart."""
    program = (
        "from bleu_lit.engine_fast import kernel_of, native; from bleu_lit.engine import python_rows; from bleu_lit.settings import SACREBLEU\n"
        "words = ['abcdefgh', 'abcdefgi', 'abcdefghij', 'bbcdefgh', 'abcdefghijklmnopqrstuv', 'abcdefghijklmnopqrstuw', 'x']\n"
        "texts = [' '.join(words[(i * k) % 7] for i in range(40)) for k in range(1, 30)]\n"
        "references = [[texts[k - 3], texts[k // 2] + ' abcdefgj'] for k in range(len(texts))]\n"
        "want = python_rows(texts, references, SACREBLEU)\n"
        "native().seed(int.from_bytes(b'abcdefgh', 'little'), 0, 0, 0)\n"
        "for most in (0, 64):\n"
        "    assert kernel_of(SACREBLEU, None, most).rows(texts, references, 0, len(texts), 1, None) == want\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert run.returncode == 0, run.stderr


@compiled
def test_long_and_odd_texts():
    texts = [
        "",
        " ",
        "a" * 60_000,
        "a " * 20_000,
        " ".join(map(str, range(9_000))),
        "." * 19_999 + "5",
        "\u3000" * 8_000,
        "-\n" * 8_000 + "x",
        "&amp;" * 8_000,
    ]
    for rule in TOKENIZERS:
        settings = SACREBLEU.replace(tokenize=rule, max_order=5)
        references = [[text[: len(text) // 2], text] for text in texts]
        assert fast_rows(texts, references, settings) == python_rows(texts, references, settings)


@compiled
def test_lone_surrogates_stay_apart():
    texts = ["\ud83d\ude00", "\U0001f600", "\udcff a", "a\ud800b c", "\ud800"]
    references = [["\U0001f600"], ["\U0001f600"], ["\udcfe a"], ["a\ud800b c"], ["\ud800"]]
    for lowercase in (False, True, "ascii"):
        settings = SACREBLEU.replace(lowercase=lowercase)
        assert fast_rows(texts, references, settings) == python_rows(texts, references, settings)
    assert [row[2] for row in fast_rows(texts, references, SACREBLEU)] == [0, 1, 1, 2, 1]


@compiled
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_change_nothing(threads):
    texts, references, _ = fuzz_segments(5, 2000)
    want = python_rows(texts, references, SACREBLEU)
    assert fast_rows(texts, references, SACREBLEU, threads=threads) == want
    assert fast_total(texts, references, SACREBLEU, threads=threads)[0] == tuple(map(sum, zip(*want, strict=True)))


@compiled
def test_reference_lengths_and_blank_references():
    texts = ["a b c d", "a", "", "a b c"]
    references = [["a b", "a b c d e f", " "], ["\u3000", "a b c"], ["x", "x y"], ["a b c d", "", "\u2029 \x1c"]]
    for method in ("closest", "shortest", "average"):
        for blank in ("empty", "absent"):
            settings = Settings(reference_length=method, blank_references=blank)
            assert fast_rows(texts, references, settings) == python_rows(texts, references, settings)
            assert corpus_row(texts, references, settings) == tuple(map(sum, zip(*python_rows(texts, references, settings), strict=True)))
    for rows in (fast_rows, fast_total, python_rows):
        with pytest.raises(MissingReferenceError, match=r"references\[2\]"):
            rows(["a", "b", "c"], [["a"], ["b"], [" ", "\t"]], SACREBLEU.replace(blank_references="absent"))


def test_the_python_models():
    draw = random.Random(3)
    for _ in range(500):
        text = "".join(draw.choice(".,-05a $") for _ in range(draw.randrange(90)))
        assert cut_by_masks(text) == tokenize(text)
        tokens, others = list(text[:20]), [list(text[5:30]), list(text[::-1][:15])]
        assert tuple(matched_by_places(tokens, others, 5)) == python_rows([tokens], [others], Settings(max_order=5, tokenize="given"))[0][2:7]


# ---- Scores


@compiled
def test_scores_are_the_exact_ones():
    draw, checked = random.Random(7), 0
    choices = [
        ("exp", None),
        ("none", None),
        ("floor", None),
        ("floor", 0),
        ("floor", "1/3"),
        ("add-k", None),
        ("add-k", "0.25"),
        ("add-k", 0),
        ("add-one-all", None),
    ]
    for smooth, value in choices:
        for order in (1, 2, 3, 4, 7, 16):
            for effective in (False, True):
                settings = Settings(max_order=order, smooth=smooth, smooth_value=value, effective_order=effective)
                kernel = kernel_of(settings)
                for _ in range(25):
                    c, matched = draw.choice((0, 1, 2, 5, 20, 400, 10**9)), []
                    for n in range(order):
                        matched.append(draw.choice((0, draw.randrange(max(1, min([c - n, *matched[-1:]]) + 1)))) if c > n else 0)
                    row = (c, draw.choice((0, c, c + 1, draw.randrange(2 * c + 9), 40 * c + 7)), *matched, *(max(0, c - n) for n in range(order)))
                    got, exact = kernel.score_row(row), exact_value(row, settings)
                    assert got == exact or got != got, (settings, row, got, exact)
                    checked += got == got
    assert checked > 2600


@compiled
def test_scores_of_segments():
    texts, references, _ = fuzz_segments(11, 400)
    for changes in ({}, {"effective_order": True}, {"smooth": "floor"}, {"lowercase": True, "tokenize": "intl"}, {"blank_references": "absent"}):
        settings = SACREBLEU.replace(**changes)
        groups = [[*group, "."] for group in references]
        exact = [exact_value(row, settings) for row in python_rows(texts, groups, settings)]
        assert fast_scores(texts, groups, settings) == exact == fast_scores(texts, groups, settings, threads=3)
        assert [sentence_bleu(text, group, settings).value for text, group in zip(texts, groups, strict=True)] == exact
        assert list(sentence_scores(texts, groups, settings)) == exact


def test_the_engines_give_equal_score_objects():
    cases = [("The cat sat.", ["A cat sat there.", ""]), ("a b c d", ["a", "b", "c"]), ("", [""]), ("x", ["y"]), ("\ufeffa 中文", ["a"] * 4)]
    before = engine()
    try:
        for changes in ({}, {"smooth": "interpolate"}, {"weights": (0.5, 0.5)}, {"reference_length": "average"}, {"blank_references": "absent"}):
            for candidate, references in cases:
                if changes.get("blank_references") and not any(map(str.strip, references)):
                    continue
                scores = []
                for name in ("python", engine("native") if native() else "python"):
                    engine(name)
                    scores.append((sentence_bleu(candidate, references, **changes), corpus_bleu([candidate] * 2, [references] * 2, **changes)))
                for one, other in zip(*scores, strict=True):
                    assert one == other and one.to_dict() == other.to_dict() and hash(one) == hash(other)
    finally:
        engine(before)


# ---- Buffers, and texts that were cut before


def _as_file(text: str) -> str:
    """The text as a file can hold it: half a pair of surrogates is no UTF-8, and a NUL is no text."""
    return text.replace("\0", "\1").encode("utf-8", "replace").decode()


@compiled
def test_buffers_give_the_same_rows():
    texts, groups, _ = fuzz_segments(21, 900)
    texts = [_as_file(text.replace("\n", " ")) for text in texts]
    streams = [[_as_file(group[j % len(group)].replace("\n", "\t")) for group in groups] for j in range(3)]
    references = from_streams(*streams)
    for ending in ("", "\n"):
        sources = [lines_of(("\n".join(side) + ending).encode()) for side in (texts, *streams)]
        if not ending and texts[-1] == "":
            continue
        for changes in ({}, {"lowercase": "ascii"}, {"tokenize": "char"}, {"tokenize": "zh", "max_order": 2}):
            settings = SACREBLEU.replace(**changes)
            want = python_rows(texts, references, settings)
            for threads in (1, 3):
                out = array("q", bytes(8 * len(texts) * (2 + 2 * settings.max_order)))
                count_sources(sources[0], sources[1:], settings, out=out, threads=threads)
                width = 2 + 2 * settings.max_order
                assert [tuple(out[i : i + width]) for i in range(0, len(out), width)] == want
                assert count_sources(sources[0], sources[1:], settings, threads=threads) == tuple(map(sum, zip(*want, strict=True)))


NO_TEXT = (b"a\0b\n", b"\xef\xbb\xbf", b"", b"a\0\xff", b"a\xff\0", b"\xff\xfea\0", b"\xed\xa0\x80", b"ok\n\xc3")


@compiled
@pytest.mark.parametrize(
    "data",
    [
        *NO_TEXT,
        b"\xef\xbb\xbfa b c\nd",
        b"\xef\xbb\xbf\xef\xbb\xbfa b\n",
        b"a b\r\nc d.\r\n",
        b"\xef\xbb\xbfa b.\r\nc,\r\n\r\n",
        b"a\rb\nc\r",
        b"a \xef\xbb\xbf b\n\n",
    ],
)
@pytest.mark.parametrize("changes", [{}, {"tokenize": "char", "lowercase": True}, {"tokenize": "intl"}, {"tokenize": "none", "blank_references": "absent"}])
def test_bytes_are_counted_as_the_file_that_holds_them(data, changes, tmp_path):
    settings = SACREBLEU.replace(**changes)
    (tmp_path / "both").write_bytes(data)

    def of_bytes():
        source = lines_of(data)
        return count_sources(source, [source], settings)

    try:
        want = stream_stats(tmp_path / "both", tmp_path / "both", settings).stats[0].row
    except BleuInputError:  # no text, or none at all
        with pytest.raises(BleuInputError):
            of_bytes()
        return
    notes = []
    lines_of(data, notes)
    assert tuple(notes) == read_lines(tmp_path / "both").notes
    if "lowercase" in changes and not data[3:].isascii():  # what is beyond ASCII is lowercased before it is a source
        with pytest.raises(SettingsError, match="beyond ASCII"):
            of_bytes()
    else:
        assert of_bytes() == want


@compiled
def test_scan_of_a_buffer():
    assert native().scan(b"") == (bytes(8), -1, 0, (0,) * 7)
    for text in ("a", "a\n", "\n", "\n\n", "a\nb", "x" * 63 + "\n", "x" * 64 + "\n" + "é" * 100, "\u3000\n \r\n\u200bx\ufeff\n\u00ad\r\n", "\r\n" * 70):
        data, lines = text.encode(), text.removesuffix("\n").split("\n")
        offsets, fault, returns, counts = native().scan(data)
        found = list(memoryview(offsets).cast("q"))
        assert [data[a : b - 1].decode() for a, b in zip(found, found[1:], strict=False)] == lines
        assert fault == -1 and returns == sum(line.endswith("\r") for line in lines)
        assert counts == (*(sum(mark in line for line in lines) for mark in "\u00ad\u200b\u200e\u200f\u2060\ufeff"), sum(not line.strip() for line in lines))


@compiled
def test_scan_finds_what_is_no_utf8():
    draw = random.Random(8)
    pieces = [
        b"a" * 70,
        "é".encode(),
        "中".encode(),
        "\U0001f600".encode(),
        b"\n",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xc0\xaf",
        b"\xe0\x80\x80",
        b"\x80",
    ]
    for _ in range(3000):
        data = b"".join(draw.choice(pieces[:5] if draw.random() < 0.7 else pieces) for _ in range(draw.randrange(6)))
        try:
            data.decode()
            expected = -1
        except UnicodeDecodeError as error:
            expected = error.start
        assert native().scan(data)[1] == expected, data


@compiled
def test_wrong_offsets_and_buffers_are_refused():
    data, kernel = b"one\ntwo\n", kernel_of(SACREBLEU)
    for offsets in ([0, 4, 99], [0, -4, 8], [5, 4, 3], [2**62, 2**62 + 1, 2**63 - 1], [0, 4, 4]):
        with pytest.raises(ValueError, match="offsets"):
            kernel.lines(((data, array("q", offsets), 1), (data, array("q", [0, 4, 8]), 1)), 0, 2, 1, None)
    with pytest.raises(ValueError, match="offsets"):
        kernel.lines(((data, array("q", [0, 4, 8]), 1), (data, array("q", [0, 4]), 1)), 0, 2, 1, None)
    with pytest.raises(ValueError, match="too small"):
        kernel.rows(["a"], [["a"]], 0, 1, 1, array("q", [0] * 9))


@compiled
def test_bytes_that_are_no_utf8_stay_in_their_buffer():
    buffer = bytearray("日 b\n".encode())
    source = lines_of(buffer)
    buffer[:] = b"\xe6 \xa5 b\n"  # a character of three bytes has lost its second one
    assert count_sources(source, [source], Settings(tokenize="char"))[0] == 3
    found = [line for seed in range(4) for line in miscounted_bytes(seed, 250)]
    assert not found, "\n".join(found[:5])


@compiled
def test_references_are_cut_once():
    texts, groups, _ = fuzz_segments(31, 300)
    for settings in (SACREBLEU, SACREBLEU.replace(tokenize="zh", lowercase=True)):
        kept = References(groups, settings)
        assert len(kept) == len(kept.texts) == len(groups)
        for side in (texts, texts[::-1]):
            want = python_rows(side, groups, settings)
            assert kept.rows(side) == want == kept.rows(side, threads=3)
            assert kept.total(side) == tuple(map(sum, zip(*want, strict=True)))
    with pytest.raises(MissingReferenceError, match=r"references\[1\]"):
        References([["a"], [" "]], SACREBLEU.replace(blank_references="absent"))


@compiled
def test_arrow_columns():
    pyarrow = pytest.importorskip("pyarrow")
    texts, flat = ["a b c", "", "käse brot", "x" * 100], ["a b", "y", "käse", "x" * 100]
    want = tuple(map(sum, zip(*python_rows(texts, [[text] for text in flat], SACREBLEU), strict=True)))
    for kind in (pyarrow.string(), pyarrow.large_string()):
        columns = [arrow_source(pyarrow.array(["-", *side, "-"], kind)[1:5]) for side in (texts, flat)]
        assert count_sources(columns[0], columns[1:], SACREBLEU) == want
    with pytest.raises(SegmentTypeError):
        arrow_source(pyarrow.array(["a", None]))


@pytest.mark.parametrize(("data", "ends"), [(b"ok a b \xff\xfe c", [0, 3, 11]), (b"ok a \xed\xa0\x80", [0, 3, 8]), ("ok a é".encode(), [0, 6, 7])])
def test_an_arrow_column_that_is_no_utf8_is_refused_as_a_buffer_and_as_a_list(data, ends):
    pyarrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    places = pyarrow.array(ends, pyarrow.int32()).buffers()[1]
    column = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, places, pyarrow.py_buffer(data)])
    fine = [["a b"], ["c d"]]
    nested = pyarrow.ListArray.from_arrays([0, 1, 2], column)
    series = pandas.Series(pandas.arrays.ArrowExtensionArray(column))
    calls = [lambda: corpus_bleu(column, fine), lambda: corpus_bleu(["a b", "c d"], nested), lambda: corpus_bleu(series, fine)]
    calls += [lambda: corpus_bleu(list(column), fine), lambda: corpus_bleu(pyarrow.chunked_array([column[:1], column[1:]]), fine)]
    if native() is not None:
        calls.append(lambda: arrow_source(column))
    for call in calls:
        with pytest.raises(SegmentTypeError, match="UTF-8"):
            call()
    place = 0 if ends[1] == 6 else 1
    with pytest.raises(SegmentTypeError, match=rf"candidates\[{place}\]: expected text in UTF-8, got the byte 0x"):
        corpus_bleu(column, fine)


@compiled
def test_a_part_of_an_arrow_column_is_judged_alone():
    pyarrow = pytest.importorskip("pyarrow")
    settings = SACREBLEU.replace(lowercase=True)
    source = arrow_source(pyarrow.array(["käse", "A b C", "d"])[1:])
    assert count_sources(source, [source], settings)[0] == 4  # all of the part is ASCII
    whole = arrow_source(pyarrow.array(["käse", "A b C", "d"]))
    with pytest.raises(SettingsError, match="beyond ASCII"):
        count_sources(whole, [whole], settings)


# ---- Tokens that the kernel does not cut


def token_corpus(count):
    draw = random.Random(count)
    things = ["a", " ", "", "\n", ("a", " "), 1, 1.5, None, frozenset("ab"), "\ud800", *range(2, 40)]
    sides = [[draw.choices(things, k=draw.choice([0, 1, 5, 30, 90])) for _ in range(count)] for _ in range(3)]
    return sides[0], [[one, two, one[::-1] + two] for one, two in zip(*sides[1:], strict=True)]


@compiled
@pytest.mark.parametrize("blank", ["empty", "absent"])
def test_tokens_of_any_kind_are_counted_as_in_plain_python(blank):
    candidates, references = token_corpus(300)
    if blank == "absent":
        references = [[["x"], *group] for group in references]
    for changes in ({}, {"max_order": 7}, {"reference_length": "shortest"}, {"reference_length": "average"}):
        settings = SACREBLEU.replace(tokenize="given", blank_references=blank, **changes)
        found = fast_rows(candidates, references, settings)
        assert (found is None) == ("average" in changes.values())
        assert found is None or found == python_rows(candidates, references, settings)
    seen = []
    fast_rows(candidates * 20, references * 20, SACREBLEU.replace(tokenize="given", blank_references=blank), seen.append)
    assert seen == [4000, 6000]


@compiled
def test_a_tokenizer_of_ones_own_is_counted_as_in_plain_python():
    texts, groups, _ = fuzz_segments(71, 200)
    settings = SACREBLEU.replace(tokenize=lambda text: [text[i : i + 2] for i in range(0, len(text), 2)])
    assert fast_rows(texts, groups, settings) == python_rows(texts, groups, settings)
    assert fast_rows(texts, groups, settings.replace(blank_references="absent")) is None


@compiled
def test_tokens_and_absent_references():
    settings = SACREBLEU.replace(tokenize="given", blank_references="absent")
    assert fast_rows([["a"]], [[[], ["a", "b"]]], settings) == python_rows([["a"]], [[[], ["a", "b"]]], settings)
    with pytest.raises(MissingReferenceError, match=r"references\[4100\]"):
        fast_rows([["a"]] * 4101, [[["a"]]] * 4100 + [[[]]], settings)


@compiled
def test_more_different_tokens_than_characters_are_left_to_plain_python():
    tokens = list(map(str, range(600_000)))
    assert fast_rows([tokens], [[tokens[:500_000]]], SACREBLEU.replace(tokenize="given", max_order=1)) is None


# ---- Ids


IDS = st.one_of(st.integers(-3, 3), st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1))


@compiled
@given(st.data())
def test_ids_are_counted_as_in_plain_python(data):
    """Whole numbers of 4 bytes, of 8, and beyond; beside them a segment with other tokens, or with another number of references."""
    ids = st.lists(data.draw(st.sampled_from([st.integers(-3, 3), st.integers(0, 250_000), IDS, st.integers(2**62, 2**70)])), max_size=12).map(tuple)
    count, width = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
    candidates = data.draw(st.lists(ids, min_size=count, max_size=count))
    references = data.draw(st.lists(st.lists(ids, min_size=width, max_size=width), min_size=count, max_size=count))
    odd = data.draw(st.sampled_from([None, True, 1.0, "1"]))
    if odd is not None:
        candidates[-1] += (odd, 1)
        references[-1] = [*references[-1], (odd, 1, odd)]
    settings = SACREBLEU.replace(tokenize="given", max_order=data.draw(st.integers(1, 6)), reference_length=data.draw(st.sampled_from(["closest", "shortest"])))
    assert fast_rows(candidates, references, settings) == python_rows(candidates, references, settings)


@compiled
def test_arrays_of_ids_are_counted_where_they_lie():
    numpy = pytest.importorskip("numpy")
    draw = random.Random(5)
    for kind, most in (("int32", 40), ("int64", 2**62), ("uint32", 2**32 - 1), ("uint64", 2**63)):
        pool = [draw.randrange(most) for _ in range(30)]
        sides = [[[draw.choice(pool) for _ in range(draw.choice([0, 1, 3, 9, 40]))] for _ in range(60)] for _ in range(3)]
        settings = SACREBLEU.replace(tokenize="given")
        sources = [ids_source(numpy.array(list(chain.from_iterable(side)), kind), numpy.cumsum([0, *map(len, side)])) for side in sides]
        want = python_rows(sides[0], list(zip(*sides[1:], strict=True)), settings)
        for threads in (1, 3):
            assert count_sources(sources[0], sources[1:], settings, threads=threads) == tuple(map(sum, zip(*want, strict=True)))
            rows = numpy.zeros((60, 10), "int64")
            count_sources(sources[0], sources[1:], settings, out=rows, threads=threads)
            assert list(map(tuple, rows.tolist())) == want


@compiled
@pytest.mark.parametrize(
    ("ids", "offsets", "error", "words"),
    [
        ([1, 2], [0, 2], SegmentTypeError, "a list"),
        (array("h", [1, 2]), [0, 2], SegmentTypeError, "format 'h'"),
        (array("d", [1, 2]), [0, 2], SegmentTypeError, "format 'd'"),
        (memoryview(bytes(32)).cast("q", [2, 2]), [0, 2], SegmentTypeError, "2 dimensions"),
        (memoryview(array("i", range(8)))[::2], [0, 2], SegmentTypeError, "side by side"),
        (array("i", [1, 2]), [], SettingsError, "S \\+ 1"),
        (array("i", [1, 2]), [0, 1], SettingsError, "0 to 2"),
        (array("i", [1, 2]), [1, 2], SettingsError, "0 to 2"),
        (array("i", [1, 2]), [0, 2.0], SettingsError, "whole numbers"),
        (array("i", [1, 2]), [0, 2**63], SettingsError, "0 to 2"),
        (array("i", [1, 2]), {0, 2}, SegmentTypeError, "ordered"),
        (array("i", [1, 2]), [0, 3], SettingsError, "0 to 2"),
        (array("i", [1, 2]), [-1, 2], SettingsError, "0 to 2"),
        (array("i", [1, 2]), [0, 2, 1], SettingsError, "rise"),
    ],
)
def test_what_is_no_source_of_ids(ids, offsets, error, words):
    with pytest.raises(error, match=words):
        ids_source(ids, offsets)


@compiled
def test_sources_of_different_kinds_are_refused():
    taken, four, eight = SACREBLEU.replace(tokenize="given"), ids_source(array("i", [1]), [0, 1]), ids_source(array("q", [1]), [0, 1])
    text = lines_of(b"a")
    for one, other, settings, words in (
        (four, eight, taken, "2 types"),
        (four, ids_source(array("I", [1]), [0, 1]), taken, "2 types"),
        (four, text, taken, "2 types"),
        (text, text, taken, "bytes"),
        (four, four, SACREBLEU, 'tokenize="given"'),
        (four, four, taken.replace(reference_length="average"), "compiled engine knows"),
    ):
        with pytest.raises(SettingsError, match=words):
            count_sources(one, [other], settings)
    with pytest.raises(LengthMismatchError):
        count_sources(four, [ids_source(array("i", [1]), [0, 1, 1])], taken)


@compiled
def test_blank_references_of_ids():
    """An empty reference that counts as none is none for ids too, in every segment and in every form."""
    settings = SACREBLEU.replace(tokenize="given", blank_references="absent")
    for candidates, references in (([(1,)], [[(), (1, 2, 3)]]), ([(1, 2), (3,)], [[(), (1,)], [(3, 3), ()]]), ([(32,)], [[(32,), (0x20202020,)]])):
        want = python_rows(candidates, references, settings)
        assert fast_rows(candidates, references, settings) == want == segment_stats(candidates, references, settings)
        assert list(map(tuple, segment_stats(candidates, references, settings, form="memoryview").tolist())) == want
    with pytest.raises(MissingReferenceError, match=r"references\[0\]"):
        segment_stats([(1,)], [[()]], settings)
    with pytest.raises(SettingsError, match="compiled engine knows"):
        count_sources(ids_source(array("i", [1]), [0, 1]), [ids_source(array("i"), [0, 0])], settings)


@compiled
@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda s, n: lines_of("abc"), SegmentTypeError, "Encode"),
        (lambda s, n: lines_of(None), SegmentTypeError, "NoneType"),
        (lambda s, n: lines_of(b"a\xffb\n"), SegmentTypeError, "0xff at offset 1"),
        (lambda s, n: count_sources(s, []), MissingReferenceError, "1 to 255"),
        (lambda s, n: count_sources(s, [s] * 256), MissingReferenceError, "256"),
        (lambda s, n: count_sources(s, s), SegmentTypeError, r"references\[0\]"),
        (lambda s, n: count_sources(b"a", [s]), SegmentTypeError, "candidates"),
        (lambda s, n: count_sources(s, None), SegmentTypeError, "references"),
        (lambda s, n: count_sources(s, [s], "sacrable"), UnknownNameError, "sacrebleu"),
        (lambda s, n: count_sources(s, [s], start=-1), SettingsError, "start"),
        (lambda s, n: count_sources(s, [s], start=2), SettingsError, "stop"),
        (lambda s, n: count_sources(s, [s], stop=3), SettingsError, "at most 2"),
        (lambda s, n: count_sources(s, [s], stop=1.5), SettingsError, "stop"),
        (lambda s, n: count_sources((b"ab", array("q", [0, 9]), 0), [(b"ab", array("q", [0, 2]), 0)]), SettingsError, "within the 2 bytes"),
        (lambda s, n: count_sources((b"ab", array("q", [2, 0]), 0), [(b"ab", array("q", [0, 2]), 0)]), SettingsError, "rise"),
        (lambda s, n: count_sources(s, [s], out=n.zeros(20)), SettingsError, "64 bits"),
        (lambda s, n: count_sources(s, [s], out=n.zeros(40, "int32")), SettingsError, "64 bits"),
        (lambda s, n: count_sources(s, [s], out=n.zeros(20, ">i8")), SettingsError, "64 bits"),
        (lambda s, n: count_sources(s, [s], out=n.zeros(19, "int64")), SettingsError, "20 integers"),
        (lambda s, n: count_sources(s, [s], out=bytes(160)), SettingsError, "64 bits"),
        (lambda s, n: count_sources(s, [s], out=[0] * 20), SettingsError, "a list"),
    ],
)
def test_what_count_sources_refuses(call, error, words):
    numpy = pytest.importorskip("numpy")

    def with_settings(candidates, references, settings=SACREBLEU, **more):
        return count_sources(candidates, references, settings, **more)

    call = type(call)(call.__code__, {**globals(), "count_sources": with_settings})
    with pytest.raises(error, match=words):
        call(lines_of(b"a b\nc\n"), numpy)


def test_sources_without_the_compiled_engine(monkeypatch):
    monkeypatch.setattr("bleu_lit.sources.native", lambda: None)
    for call in (lambda: lines_of(b"a\n"), lambda: count_sources((b"a", array("q", [0, 1]), 0), [], SACREBLEU)):
        with pytest.raises(SettingsError, match="C compiler"):
            call()


@pytest.mark.parametrize(
    ("references", "error"),
    [
        (["the cat sat", "d"], BleuInputError),
        ("ab", StringForListError),
        ([["a", None], ["b", 3]], SegmentTypeError),
        ([[b"a"]], SegmentTypeError),
        ([], EmptyCorpusError),
        ([[]], MissingReferenceError),
        ([[("a", "b")]], MixedSegmentsError),
    ],
)
def test_references_are_looked_at_before_they_are_kept(references, error):
    with pytest.raises(error):
        References(references, SACREBLEU)


def test_candidates_of_kept_references():
    kept = References([["a b", None], ["c"]], "paper")
    assert kept.rows(text for text in ("a b", "c")) == segment_stats(["a b", "c"], [["a b"], ["c"]], "paper")
    for wrong, error in (("ab", StringForListError), (["a"], LengthMismatchError), ([None, "a"], SegmentTypeError), ([("a",), ("b",)], MixedSegmentsError)):
        with pytest.raises(error):
            kept.rows(wrong)
        with pytest.raises(error):
            kept.total(wrong)
    again = pickle.loads(pickle.dumps(kept))
    assert again.rows(["a", "c d"]) == kept.rows(["a", "c d"]) == copy.deepcopy(kept).rows(["a", "c d"])


# ---- Rows in one buffer


@pytest.mark.parametrize("used", ["python", "native"])
def test_rows_in_a_buffer_are_those_of_tuples(used):
    if used == "native" and not native():
        pytest.skip("the compiled engine was not built")
    numpy, before = pytest.importorskip("numpy"), engine()
    texts, groups, _ = fuzz_segments(31, 300)
    tokens = [text.split() for text in texts], [[text.split() for text in group] for group in groups]
    try:
        engine(used)
        for changes in ({}, {"tokenize": "zh", "lowercase": True}, {"max_order": 7, "smooth": "none"}, {"weights": (0.5, 0.5), "max_order": 2}):
            want = segment_stats(texts, groups, **changes)
            buffer, table = segment_stats(texts, groups, form="memoryview", **changes), segment_stats(texts, groups, form="numpy", **changes)
            assert list(map(tuple, buffer.tolist())) == want and buffer.shape == (300, len(want[0])) and buffer.format == "q"
            assert (table == numpy.array(want)).all() and table.dtype == numpy.int64 and table.shape == buffer.shape
        assert list(map(tuple, segment_stats(*tokens, form="memoryview").tolist())) == segment_stats(*tokens)
        with pytest.raises(SettingsError, match="fraction"):
            segment_stats(texts, groups, form="numpy", reference_length="average")
        with pytest.raises(UnknownNameError, match="numpy"):
            segment_stats(texts, groups, form="numpi")
        with pytest.raises(MissingReferenceError, match=r"references\[1\]"):
            segment_stats(["a", "b"], [["a"], [" "]], form="memoryview", blank_references="absent")
    finally:
        engine(before)


def test_rows_in_an_array_without_numpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[numpy\]'"):
        segment_stats(["a"], [["a"]], form="numpy")


# ---- Draws that are counted


@pytest.mark.skipif(native_draws() is None, reason="the compiled module of draws was not built: python setup.py build_ext --inplace")
@pytest.mark.parametrize("segments", [1, 2, 3, 7, 3000, 65_537])
def test_draws_are_those_of_numpy_and_of_plain_python(segments):
    for seed in (0, 12345, 2**70):
        plain = Pcg64(seed)
        compiled, counts = CountedDraws(plain._state, plain._increment), array("f", bytes(4 * 4 * segments))
        for samples in (1, 3):  # the half of a number that is left over is used in the next call
            room = memoryview(counts)[: samples * segments]
            compiled.fill(segments, room)
            for sample in range(samples):
                expected = [0] * segments
                for number in plain.integers(segments, segments):
                    expected[number] += 1
                assert room[sample * segments : (sample + 1) * segments].tolist() == expected
        np = pytest.importorskip("numpy")
        again, drawn = Pcg64(seed), np.random.default_rng(seed).integers(0, segments, size=(4, segments))
        CountedDraws(again._state, again._increment).fill(segments, counts)
        assert counts.tolist() == [count for row in drawn for count in np.bincount(row, minlength=segments)]


@pytest.mark.skipif(native_draws() is None, reason="the compiled module of draws was not built: python setup.py build_ext --inplace")
def test_counted_draws_check_what_they_are_given():
    draws, room = CountedDraws(1, 3), array("f", bytes(40))
    for segments in (0, -1, 3, 2**24, 2**63 - 1):
        with pytest.raises(ValueError, match="whole samples"):
            draws.fill(segments, room)
    with pytest.raises(ValueError, match="48 bytes"):
        native_draws().count_draws(array("Q", [1]), 5, room)
    with pytest.raises((TypeError, BufferError)):
        draws.fill(5, bytes(40))
    with pytest.raises(ValueError, match="whole samples"):
        draws.fill(5, memoryview(bytearray(48))[1:41])  # no address for a float
    draws.fill(5, array("f"))  # no sample at all


# ---- Rows that are whole


WHOLE = st.integers(-(2**40), 2**40)
ODD = st.one_of(st.integers(2**40 + 1), st.integers(max_value=-(2**40) - 1), st.floats(), st.booleans(), st.fractions(), st.none(), st.text(max_size=2))


@pytest.mark.skipif(native_draws() is None, reason="the compiled module of draws was not built: python setup.py build_ext --inplace")
@given(st.integers(1, 20).flatmap(lambda width: st.lists(st.tuples(*[WHOLE] * width), min_size=1, max_size=30)), st.data())
def test_sums_of_whole_rows(rows, data):
    room = array("d", bytes(8 * len(rows) * len(rows[0])))
    assert native_draws().whole_sums(rows, room) == native_draws().whole_sums(rows) == tuple(map(sum, zip(*rows, strict=True)))
    assert room.tolist() == [number for row in rows for number in row]
    where, place = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1))
    odd = list(rows[where])
    odd[place] = data.draw(ODD)
    for row in (tuple(odd), rows[where][1:] if len(rows) > 1 else (), (*rows[where], 1) if len(rows) > 1 else (), list(rows[where]), None):
        assert native_draws().whole_sums([*rows[:where], row, *rows[where + 1 :]]) is None


@pytest.mark.skipif(native_draws() is None, reason="the compiled module of draws was not built: python setup.py build_ext --inplace")
def test_sums_of_whole_rows_check_what_they_are_given():
    summed, rows = native_draws().whole_sums, [(1, 2), (3, 4)]
    for room in (array("d", bytes(24)), array("d", bytes(40)), array("d"), memoryview(bytearray(40))[1:33]):
        with pytest.raises(ValueError, match="64 bits"):
            summed(rows, room)
    for wrong in ((tuple(rows),), (rows, bytes(32)), (None,), ()):
        with pytest.raises((TypeError, BufferError)):
            summed(*wrong)
    assert summed([]) is None and summed([()]) is None and summed([(0,) * (2**16 + 1)]) is None
    assert summed([(2**40, -(2**40))] * 5) == (5 * 2**40, -5 * 2**40)


# ---- What the kernel leaves to plain Python


@compiled
def test_what_is_not_known_is_refused():
    assert kernel_of(SACREBLEU.replace(tokenize="given")) is None
    assert kernel_of(SACREBLEU.replace(tokenize=str.split)) is None
    assert fast_rows([("a",)], [[("a",)]], SACREBLEU) is None
    assert fast_rows(["a", 3], [["a"], ["a"]], SACREBLEU) is None
    assert fast_rows(("a",), (["a"],), SACREBLEU) is None
    with pytest.raises(SettingsError):
        kernel_of(SACREBLEU, "abacus")


# ---- Choice


def test_engine_is_told_and_chosen():
    before = engine()
    try:
        assert engine("python") == "python"
        assert door.segment_rows(["a b"], [["a b"]], SACREBLEU) == [(2, 2, 2, 1, 0, 0, 2, 1, 0, 0)]
        if native():
            assert engine("native") == "native"
        with pytest.raises(UnknownNameError, match="native, python"):
            engine("nativ")
    finally:
        engine(before)


@pytest.mark.parametrize(("value", "out"), [("python", "python"), ("", None), ("quick", "UnknownNameError: BLEU_LIT_ENGINE: expected the name of an engine")])
def test_environment(value, out):
    program = "from bleu_lit.engine import engine; print(engine())"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"BLEU_LIT_ENGINE": value},
    )
    assert (out or ("native" if native() else "python")) in run.stdout + run.stderr


def test_native_that_was_not_built():
    program = (
        "import sys; sys.modules['bleu_lit._kernel'] = None\nfrom bleu_lit.engine import engine, segment_rows\nfrom bleu_lit.settings import SACREBLEU\n"
        "assert engine() == 'python' and segment_rows(['a'], [['a']], SACREBLEU)\nengine('native')"
    )
    environment = {key: value for key, value in os.environ.items() if key != "BLEU_LIT_ENGINE"}
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env=environment)
    assert "SettingsError" in run.stderr and "C compiler" in run.stderr and "Traceback" in run.stderr


def test_thread_counts(monkeypatch):
    monkeypatch.delenv("BLEU_LIT_THREADS", raising=False)
    assert thread_count(10) == 1 and thread_count(10**6) >= 1 and thread_count(10, 3) == 3
    monkeypatch.setenv("BLEU_LIT_THREADS", "2")
    assert thread_count(10) == 1 and thread_count(10**4) == 2 and thread_count(10**4, 5) == 5
    for wrong in ("0", "-1", "many", "1.5", "99999", "9" * 5000, "²", " ", "+2", "2\n"):
        monkeypatch.setenv("BLEU_LIT_THREADS", wrong)
        with pytest.raises(SettingsError, match=r"^BLEU_LIT_THREADS: expected a number of threads from 1 to 1024, got .{,80}chosen$"):
            thread_count(10**4)
    for wrong in (0, 2000, 10**5000, True, 1.5, "many", [2]):
        with pytest.raises(SettingsError, match=r"^threads: expected a number of threads from 1 to 1024"):
            thread_count(10**4, wrong)


# ---- Interruptions


def count_again_and_again(texts, references, threads):
    for _ in range(100):
        fast_total(texts, references, SACREBLEU, threads=threads)


@compiled
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_ends_a_long_count(threads):
    import signal

    def stop(*_):
        raise KeyboardInterrupt

    texts = ["a b c d e f g h i j " * 20] * 100_000
    references = [[text] for text in texts]
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            count_again_and_again(texts, references, threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert fast_rows(["a"], [["a"]], SACREBLEU) == segment_rows(["a"], [["a"]], SACREBLEU)


def test_progress_is_told():
    texts, told = ["a b"] * 9000, []
    segment_rows(texts, [["a"]] * 9000, SACREBLEU, told.append)
    assert told[-1] == 9000 and told == sorted(told)


@compiled
def test_streams_of_references():
    texts = [f"word{i} and so on" for i in range(700)]
    groups = from_streams(texts[::-1], texts)
    assert fast_rows(texts, groups, SACREBLEU) == python_rows(texts, groups, SACREBLEU)
    assert fast_rows(texts, list(map(tuple, groups)), SACREBLEU) == python_rows(texts, groups, SACREBLEU)


def test_sums_of_rows_in_every_container():
    """Numbers of 32 bits are added without a limit, and a buffer is a list of rows."""
    numpy = pytest.importorskip("numpy")
    row = [2_000_000_000, 2_000_000_000, 10, 0, 0, 0, 2_000_000_000, 10, 10, 10]
    want = BleuStats.from_row([3 * number for number in row])
    table = numpy.array([row] * 3, "int32")
    for rows in (table, list(table), [row] * 3, map(tuple, [row] * 3), list(map(tuple, table)), memoryview(table.astype("int64"))):
        assert sum_rows(rows) == want
    assert sum_rows([(2, Fraction(3, 2), 1, 1), (2, Fraction(1, 2), 1, 1)]) == BleuStats(4, 2, (2,), (2,))
    with pytest.raises(StatisticsError):
        sum_rows([(1, 1, 0.5, 1)])


@compiled
def test_a_column_in_pieces_and_an_array_with_gaps_are_told_with_what_to_do():
    pyarrow, numpy = pytest.importorskip("pyarrow"), pytest.importorskip("numpy")
    piece = pyarrow.array(["a b", "c"])
    for pieces in (2, 0):
        column = pyarrow.chunked_array([piece] * pieces, pyarrow.string())
        with pytest.raises(SegmentTypeError, match=f"expected an Arrow array in one piece, got a ChunkedArray in {pieces} pieces") as caught:
            arrow_source(column)
        assert "combine_chunks()" in caught.value.fix
    assert count_sources(arrow_source(pyarrow.chunked_array([piece])), [arrow_source(piece)], Settings(max_order=1)) == (3, 3, 3, 3)
    joined = pyarrow.chunked_array([piece, piece]).combine_chunks()
    assert count_sources(arrow_source(joined), [arrow_source(joined)], Settings(max_order=1)) == (6, 6, 6, 6)
    ids = numpy.arange(10, dtype="int32")
    for gaps in (ids[::2], ids[::-1], ids.reshape(5, 2)[:, 1]):
        with pytest.raises(SegmentTypeError, match="ids that lie side by side, got an array with gaps") as caught:
            ids_source(gaps, [0, len(gaps)])
        assert caught.value.fix == "Copy it: numpy.ascontiguousarray(ids)"
        assert ids_source(numpy.ascontiguousarray(gaps), [0, len(gaps)])[0].tolist() == gaps.tolist()


def test_kept_references_own_their_texts_and_follow_the_engine():
    """The rows are those of the references as they were given, by either engine, pickled or not, whatever the caller does to its lists."""
    groups = [["the cat sat on the mat"], ["a dog ran far away", "x"]]
    texts = [group[0] for group in groups]
    kept, expected = References(groups), python_rows(texts, [list(group) for group in groups], SACREBLEU)
    groups[0][0] = "x y z w"
    groups[1].clear()
    before = engine()
    try:
        for name in ("native", "python") if native() else ("python",):
            engine(name)
            for one in (kept, pickle.loads(pickle.dumps(kept))):
                assert one.rows(texts) == expected and one.total(texts) == tuple(map(sum, zip(*expected, strict=True)))
        counted = kept.kernel
        kept.kernel = None  # plain Python does not ask for it
        assert kept.rows(texts) == expected
        kept.kernel = counted
    finally:
        engine(before)
