"""Texts that aim at the places where tokenizers part, and a comparison with sacreBLEU from the shell.

    python tests/fuzz.py --count 100000 [--seed 0]

`fuzz_lines(seed, count)` gives the same texts on every machine and Python: it uses no more than `Random.random` of a seeded generator.
"""

import argparse
import random
import sys
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
    parser = argparse.ArgumentParser(description="Compare the tokenizers with the installed sacreBLEU on texts full of traps.")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
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
