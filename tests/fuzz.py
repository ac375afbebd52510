"""Texts that aim at the places where tokenizers and engines part, and three comparisons from the shell.

    python tests/fuzz.py --count 100000 [--seed 0]            tokens, with sacreBLEU
    python tests/fuzz.py --rows --count 1000000 [--seed 0]    rows of segments: the compiled engine, on every family of processors, with plain Python
    python tests/fuzz.py --bytes --count 100000 [--seed 0]    bytes that are mostly no UTF-8: the compiled engine stays in its buffers

`fuzz_lines(seed, count)` gives the same texts on every machine and Python: it uses no more than `Random.random` of a seeded generator.
"""

import argparse
import functools
import random
import sys
import time
from collections.abc import Iterator

WHITE = [*map(chr, (9, 10, 11, 12, 13, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))]
NEARLY_WHITE = list("\u200b\u180e\ufeff\u2060\u00ad\x00\x08")
BREAKS = ["\n", "-\n", "\r\n", "-\r\n", "\n-\n", "- \n", "3-\n", "-\n-\n", "-<skipped>\n", "\x0b", "\u2028"]
ENTITIES = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp;amp;lt;", "&amp;quot;", "&apos;", "&#39;", "&quot", "&QUOT;", "&", "&;", "&lt;skipped&gt;"]
SKIPPED = ["<skipped>", "<skip<skipped>ped>", "<skipped", "&l<skipped>t;", "<SKIPPED>"]
ASCII_MARKS = [chr(point) for point in range(33, 127) if not chr(point).isalnum()]
RUNS = [".", ",", "..", "...", "....", ".....", ",,", ".,", ",.,", "-", "--", "-.", ".-", "'", "''", "'s", "n't"]
DIGITS = ["0", "5", "42", "3.5", "1,000", "1990-95", ".5", "5.", "٣", "٣٫٥", "५", "²", "½", "Ⅷ", "五", "〇", "１", "①", "\U0001d7d8", "1"]
MARKS = [*"“”„‘’«»…–—―‐‑·•¡¿§¶†‰′″‹›।॥،؛؟٪۔。、！？，．「」『』〜～・ー㈱֊־׀", "\U00010100", "\U0001e95e"]
SYMBOLS = [*"€£¥$+<=>^`|~¢©®°±×÷∑√∞←→■★☃♥✓", "\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U0001f3fd", "\u0602"]
LETTERS = [
    *"aZéüßµªº", "cat", "The", "naïve", "e\u0301", "İ", "I", "ı", "ẞ", "ΑΣ", "ς", "Собака", "كلب", "שלום", "कुत्ता", "ภาษา", "ខ្មែរ", "မြန်မာ", "한국", "ﬁ", "ǅ",
    "中", "中文", "漢字", "かな", "カナ", "ｶﾅ", "㐀", "䶵", "䶶", "龥", "龦", "龻", "龼", "豈", "鶴",
    "\U00020000", "\U0002a6d6", "\U0002f800", "\u2f80", "\u2f81", "\u2fa1", "\u2a6d", "\u2a6e",
    "\u2000", "\u2001", "\uff00", "\uffef", "\ufff0", "\u2fff", "\u303f", "\u3040", "\u33ff", "\u3400",
]  # fmt: skip
SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\ud83d", "\ude00"]
KINDS = [WHITE, NEARLY_WHITE, BREAKS, ENTITIES, SKIPPED, ASCII_MARKS, *[RUNS] * 2, *[DIGITS] * 2, MARKS, SYMBOLS, *[LETTERS] * 2, SURROGATES, *[[" "]] * 3]


class _Draw:
    """Choices by `Random.random` alone, whose sequence is promised to stay the same."""

    def __init__(self, seed: int):
        self.random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def one(self, items: list):
        return items[self.below(len(items))]


def _piece(draw: _Draw) -> str:
    """One bit of text: mostly a trap, now and then any code point at all."""
    if draw.below(20) == 0:
        return chr(draw.below(0x110000) if draw.below(2) else draw.below(0x3100))
    return draw.one(draw.one(KINDS))


def fuzz_lines(seed: int, count: int) -> Iterator[str]:
    """`count` texts, the same for the same seed."""
    draw = _Draw(seed)
    for _ in range(count):
        if draw.below(4) == 0:  # few pieces of few kinds: runs and their edges
            few = [_piece(draw) for _ in range(1 + draw.below(3))]
            yield "".join(draw.one(few) for _ in range(draw.below(10)))
        else:
            yield "".join(_piece(draw) for _ in range(draw.below(40 if draw.below(10) == 0 else 12)))


LENGTHS = [
    "abcdef",
    "abcdefg",
    "abcdefgh",
    "abcdefghi",
    "abcdefgi",
    "bbcdefgh",
    "äbcdef",
    "äbcdefg",
    "x" * 15,
    "x" * 16,
    "x" * 17,
    "x" * 31,
    "x" * 32,
    "x" * 33,
]


def _text(draw: _Draw, pool: list[str]) -> str:
    """A text of one of four kinds: a trap, several of them, tokens of telling lengths with many repeats, or something that begins late in a block."""
    kind = draw.below(4)
    if kind == 0:
        return draw.one(pool)
    if kind == 1:
        return draw.one([" ", " ", ""]).join(draw.one(pool) for _ in range(draw.below(6)))
    if kind == 2:
        few = [draw.one(LENGTHS) if draw.below(2) else draw.one(["a", "b", ".", "5", "-"]) for _ in range(1 + draw.below(5))]
        return " ".join(draw.one(few) for _ in range(draw.below(90 if draw.below(5) == 0 else 12)))
    return draw.one(["x", "5", " ", ".", "é"]) * draw.below(70) + draw.one(pool)


def _reference(draw: _Draw, text: str, pool: list[str]) -> str:
    """The text itself, the text with a part cut out or replaced, or another text."""
    kind = draw.below(4)
    if kind == 0:
        return text
    if kind == 3:
        return _text(draw, pool)
    a, b = sorted((draw.below(len(text) + 1), draw.below(len(text) + 1)))
    return text[:a] + (draw.one(["", " ", draw.one(pool)])) + text[b:]


def fuzz_segments(seed: int, count: int):
    """Texts, references, and settings as keyword arguments, the same on every machine."""
    draw, pool = _Draw(seed), list(fuzz_lines(seed + 1_000_003, 120))
    texts, references = [], []
    for _ in range(count):
        text = _text(draw, pool)
        texts.append(text)
        references.append([_reference(draw, text, pool) for _ in range(draw.one([1, 1, 1, 1, 2, 2, 3, 8]))])
    settings = {
        "tokenize": draw.one(["13a", "13a", "13a", "none", "char", "intl", "zh"]),
        "max_order": draw.one([4, 4, 4, 1, 2, 3, 5, 8, 16]),
        "lowercase": draw.one([False, False, False, True, "ascii"]),
        "normalize": draw.one([None, None, None, "NFC", "NFKC"]),
        "reference_length": draw.one(["closest", "closest", "shortest", "average"]),
    }
    if draw.below(4) == 0:
        settings["blank_references"] = "absent"
        references = [[*group, "."] for group in references]
    return texts, references, settings


@functools.lru_cache(600)
def counter(settings, processor: str | None = None, most_places: int = 64):
    """A kernel of the compiled engine for settings, kept."""
    from bleu_lit.engine_fast import kernel_of

    return kernel_of.__wrapped__(settings, processor, most_places)


def differing_rows(texts: list[str], references: list[list[str]], changes: dict, threads: bool = True) -> list[str]:
    """Every segment to which the compiled engine gives another row than plain Python, on any family of processors, by places or tables, described."""
    from bleu_lit.engine import python_rows
    from bleu_lit.engine_fast import _averaged
    from bleu_lit.settings import Settings
    from bleu_lit.threads import native

    settings, found = Settings(**changes), []
    expected = python_rows(texts, references, settings)
    for number, processor in enumerate(native().levels()):
        for most in (64, 0) if number == 0 else (64, 20):
            got = counter(settings, processor, most).rows(texts, references, 0, len(texts), 1 + number * threads, None)
            if settings.reference_length == "average":
                got = _averaged(got, references, settings)
            for text, group, theirs, ours in zip(texts, references, expected, got, strict=True):
                if theirs != ours:
                    found.append(f"{processor} places up to {most}, {changes}: {text!a} with {group!a}: expected {theirs}, got {ours}")
    return found


def compare_rows(seed: int, count: int, of_bytes: bool = False, size: int = 500) -> int:
    """Compare `count` segments from `seed` on, and say how it went; the status for the shell."""
    from bleu_lit.threads import native

    if native() is None:
        print("the compiled engine was not built: python setup.py build_ext --inplace", file=sys.stderr)
        return 2
    started, found, done = time.monotonic(), [], 0
    while done < count and len(found) < 20:
        found += miscounted_bytes(seed, size) if of_bytes else differing_rows(*fuzz_segments(seed, size))
        seed, done = seed + 1, done + size
    print("\n".join(found[:20]))
    levels, spent, other = ", ".join(native().levels()), time.monotonic() - started, "themselves" if of_bytes else "plain Python"
    print(f"{done} segments, each on {levels}, by places and by tables: {len(found)} departures from {other}, {spent:.0f} s")
    return 1 if found else 0


BYTES = [bytes([b]) for b in b"\x20\x20\t\n.5-&\x80\xa0\xa5\xc2\xc3\xe1\xe2\xe3\xe6\xf0\xf4\xff"]


def damaged_texts(seed: int, count: int) -> list[bytes]:
    """Texts in UTF-8 of which bytes were lost, inserted or replaced."""
    draw, pool, texts = _Draw(seed), list(fuzz_lines(seed + 1_000_003, 120)), []
    for _ in range(count):
        data = _text(draw, pool).encode("utf-8", "surrogatepass")
        for _ in range(1 + draw.below(8)):
            at = draw.below(len(data) + 1)
            data = data[:at] + draw.one([b"", draw.one(BYTES), draw.one(BYTES) + draw.one(BYTES)]) + data[at + draw.below(3) :]
        texts.append(data)
    return texts


def miscounted_bytes(seed: int, count: int) -> list[str]:
    """Every text of any bytes that does not match itself whole, or not on each family of processors in the same number of tokens, described."""
    from array import array
    from itertools import accumulate

    from bleu_lit.settings import Settings
    from bleu_lit.threads import native
    from bleu_lit.tokens import TOKENIZERS

    texts, found = damaged_texts(seed, count), []
    others = texts[1:] + texts[:1]
    sources = [(b"".join(side), array("q", accumulate(map(len, side), initial=0)), 0) for side in (texts, others, texts)]
    for name in TOKENIZERS:
        settings, lengths = Settings(tokenize=name, lowercase="ascii" if seed % 2 else False), {}
        for processor in native().levels():
            for most in (64, 0):
                out = array("q", bytes(8 * 10 * count))
                counter(settings, processor, most).lines(tuple(sources), 0, count, 1, out)
                for i, text in enumerate(texts):
                    length, _, *both = out[10 * i : 10 * i + 10]
                    if both[:4] != both[4:] or lengths.setdefault(i, length) != length:
                        found.append(f"{processor} places up to {most}, {name}: {text!r} gets {length} tokens, matched and all {both}")
    return found


def sacrebleu_tokens(name: str, lowercase: bool = False):
    """What sacreBLEU's BLEU makes of a segment: case, white space at the end, the tokenizer, the split."""
    from sacrebleu.metrics import BLEU

    prepare = BLEU(tokenize=name, lowercase=lowercase)._preprocess_segment
    return lambda text: prepare(text).split()


def departures(texts: list[str], names: tuple[str, ...], cases: tuple[bool, ...] = (False, True)) -> list[str]:
    """Every text at which `tokenize` or `fast_tokenizer` gives other tokens than sacreBLEU, described."""
    from bleu_lit.tokens import fast_tokenizer, prepare, tokenize

    found = []
    for name in names:
        fast = fast_tokenizer(name)
        for lowercase in cases:
            expected_of = sacrebleu_tokens(name, lowercase)
            for text in texts:
                expected = expected_of(text)
                for form, got in (("plain", tokenize(text, name, lowercase=lowercase)), ("fast", fast(prepare(text, lowercase)))):
                    if got != expected:
                        found.append(f"{name} {form} lowercase={lowercase} {text!a}: expected {expected!a}, got {got!a}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare tokenizers with the installed sacreBLEU, or engines with each other, on texts full of traps.")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", action="store_true", help="compare the compiled engine with plain Python")
    parser.add_argument("--bytes", action="store_true", help="count bytes that are mostly no UTF-8 by the compiled engine")
    options = parser.parse_args()
    if options.rows or options.bytes:
        return compare_rows(options.seed, options.count, options.bytes)
    import regex
    import sacrebleu

    from bleu_lit.tokens import TOKENIZERS, UNICODE_VERSION

    texts = list(fuzz_lines(options.seed, options.count))
    found = departures(texts, TOKENIZERS)
    print("\n".join(found[:20]))
    print(
        f"{len(texts)} texts ({len(set(texts))} different), tokenizers {', '.join(TOKENIZERS)}, both cases, plain and fast: {len(found)} departures from"
        f" sacreBLEU {sacrebleu.__version__} with regex {regex.__version__} (Unicode {UNICODE_VERSION} here), Python {sys.version.split()[0]}"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
