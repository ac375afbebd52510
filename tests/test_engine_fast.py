"""The compiled engine against plain Python: the same integers, always; and how it is chosen, refused and interrupted."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuzz import differing_rows, fuzz_segments

from bleu_lit.core import MissingReferenceError, SettingsError, UnknownNameError, from_streams
from bleu_lit.engine import corpus_row, engine, python_rows, segment_rows
from bleu_lit.engine_fast import fast_rows, fast_total, kernel_of
from bleu_lit.masks import cut_by_masks
from bleu_lit.places import matched_by_places
from bleu_lit.settings import SACREBLEU, Settings
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
        "a" * 300_000,
        "a " * 100_000,
        " ".join(map(str, range(60_000))),
        "." * 99_999 + "5",
        "\u3000" * 50_000,
        "-\n" * 50_000 + "x",
        "&amp;" * 40_000,
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


@pytest.mark.parametrize(("value", "out"), [("python", "python"), ("", None), ("quick", "UnknownNameError")])
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
    for wrong in ("0", "-1", "many", "1.5", "99999"):
        monkeypatch.setenv("BLEU_LIT_THREADS", wrong)
        with pytest.raises(SettingsError, match="BLEU_LIT_THREADS"):
            thread_count(10**4)


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
