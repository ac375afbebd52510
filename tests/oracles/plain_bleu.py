"""A plain BLEU of floats with at most one fault: what a suite of vectors has to notice.

`results(vector, fault)` answers a vector as an implementation would. `FAULTS` names every fault with the numbers of the rules that it breaks; without a fault
every vector must be met. Nothing of bleu_lit takes part: tokenizers, counts, smoothing, signature and refusals are written again, in another way.
"""

import math
import unicodedata
import zlib
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain

from oracles.vector_texts import ASCII

FAULTS: dict[str, tuple[str, ...]] = {
    # 1: text
    "none parts punctuation from words": ("1.1",),
    "none cuts at the ordinary space alone": ("1.2",),
    "none keeps no-break spaces": ("1.2",),
    "none cuts at U+200B and U+FEFF": ("1.2",),
    "char counts units of UTF-16": ("1.3",),
    "char makes tokens of spaces": ("1.3",),
    "char keeps marks with their letter": ("1.3",),
    "13a spells out no entity": ("1.4",),
    "13a spells out &amp; last": ("1.4",),
    "13a keeps <skipped>": ("1.4",),
    "13a keeps the hyphen at a line's end": ("1.4",),
    "13a cuts at apostrophes": ("1.5",),
    "13a leaves symbols at words": ("1.5",),
    "13a cuts at Unicode punctuation": ("1.5",),
    "13a cuts points within numbers": ("1.6",),
    "13a keeps points at words": ("1.6",),
    "13a keeps the hyphen after a digit": ("1.6",),
    "13a cuts at every hyphen": ("1.6",),
    "intl cuts points within numbers": ("1.7",),
    "intl knows ASCII punctuation alone": ("1.7",),
    "intl cuts at the ends of the text": ("1.7",),
    "intl leaves symbols": ("1.8",),
    "intl spells out entities": ("1.8",),
    "intl drops <skipped>": ("1.8",),
    "zh keeps runs of Chinese characters": ("1.9",),
    "zh parts kana and rare planes": ("1.9",),
    "zh leaves Western punctuation": ("1.9",),
    "zh spells out entities": ("1.9",),
    "given tokens are joined and cut again": ("1.10",),
    "given tokens are lowercased": ("1.10",),
    "always lowercase": ("1.11",),
    "never lowercase": ("1.12", "1.13"),
    "lowercase after the tokenizer": ("1.12",),
    "lowercase A to Z alone": ("1.12",),
    "case folding for lowercasing": ("1.12",),
    "ascii lowercases all letters": ("1.13",),
    "texts are brought to NFC unasked": ("1.14",),
    "invisible signs are dropped": ("1.14",),
    "normal forms ignored": ("1.15",),
    "NFKC for every form": ("1.15",),
    "normal form after the tokenizer": ("1.15",),
    "normal form after case": ("1.15",),
    # 2 and 3: n-grams and clipping
    "the last window is left out": ("2.1",),
    "occurrences do not overlap": ("2.2",),
    "occurrences are sought among letters": ("2.2",),
    "counts weigh by themselves": ("2.3",),
    "each n-gram once": ("2.3", "3.1"),
    "n-grams reach across segments": ("2.4",),
    "n-grams are joined without a separator": ("2.5",),
    "n-grams are joined with a blank": ("2.5",),
    "n-grams are joined with an underscore": ("2.5",),
    "n-grams are joined with a hyphen": ("2.5",),
    "n-grams are told apart by CRC-32": ("2.5",),
    "n-grams are told apart by 16 bits": ("2.5",),
    "unclipped": ("3.1", "11.4"),
    "the bound itself is credited": ("3.1",),
    "clip by the sum over references": ("3.2",),
    "clip by the first reference": ("3.3",),
    "clip by the closest reference": ("3.3",),
    # 4 to 6: sums, lengths, penalty
    "over the total of the reference": ("4.1",),
    "mean of segment precisions": ("4.2",),
    "at least one n-gram per segment": ("4.3",),
    "shortest reference": ("5.1",),
    "longest reference": ("5.1",),
    "tie to the longer": ("5.2",),
    "tie to the first listed": ("5.2",),
    "closest to the whole corpus": ("5.3",),
    "shortest is ignored": ("5.4",),
    "average is ignored": ("5.5",),
    "average is rounded": ("5.5",),
    "linear penalty": ("6.1",),
    "inverted penalty": ("6.1",),
    "no penalty": ("6.1",),
    "long candidates pay": ("6.2",),
    "long candidates gain": ("6.2",),
    "equal lengths pay": ("6.3",),
    "penalty per segment": ("6.4",),
    # 7 and 8: the score, zeros
    "arithmetic mean": ("7.1",),
    "no root": ("7.1",),
    "always four orders": ("7.2",),
    "a quarter for every order": ("7.2",),
    "weights ignored": ("7.3",),
    "weights in reverse": ("7.3",),
    "an order of weight 0 takes part": ("7.4",),
    "zero orders skipped": ("8.1",),
    "a tiny number for zero": ("8.1",),
    "absent orders skipped": ("8.2",),
    "absent orders count as right": ("8.2",),
    "effective order drops zero matches": ("8.3",),
    "effective order ignored": ("8.3",),
    "effective order keeps the weights": ("8.4",),
    "effective order shares out evenly": ("8.4",),
    "smoothing without a matching unigram": ("8.5",),
    # 9: smoothing
    "smoothing ignored": ("9.1", "9.2", "9.3", "9.4", "9.5", "9.6", "9.7", "9.8"),
    "floor without division": ("9.1",),
    "floor added to every order": ("9.1",),
    "floor of a hundredth if nothing is said": ("9.1",),
    "add-k at order 1": ("9.2",),
    "add-k to matched alone": ("9.2",),
    "exp by the order's number": ("9.3",),
    "exp without going on": ("9.3",),
    "length by a half": ("9.4",),
    "length ignores its value": ("9.4", "9.7"),
    "average of precisions": ("9.5", "9.7"),
    "average begins at m_1": ("9.5",),
    "average without the next order": ("9.5",),
    "interpolate adds to the total alone": ("9.6",),
    "interpolate from plain precisions": ("9.6",),
    "interpolate ignores its value": ("9.6",),
    "average-length raises the order beyond": ("9.7",),
    "average-length raises absent orders": ("9.7",),
    "add-one-all spares order 1": ("9.8",),
    "smoothing per segment": ("9.9",),
    "floor for absent orders": ("9.9",),
    "add-k leaves absent orders": ("9.9",),
    # 10 and 11: empty texts, levels, scale
    "empty candidates dropped": ("10.1",),
    "nothing against nothing is perfect": ("10.1",),
    "empty references are absent": ("10.2",),
    "absent references are empty": ("10.3",),
    "as many references as every segment has": ("10.4",),
    "blank references are never absent": ("10.5",),
    "blank references are always absent": ("10.5", "10.2"),
    "corpus score for the mean": ("11.1",),
    "mean for the corpus score": ("11.1",),
    "percent": ("11.2",),
    "float noise": ("11.3",),
    # 12 and 13: signature, files
    "the signature lacks the case": ("12.1",),
    "the signature lacks the smoothing's value": ("12.1",),
    "the signature takes the first segment's references": ("12.1",),
    "the signature lacks the order": ("12.2",),
    "the signature lacks the weights": ("12.2",),
    "the signature lacks the rule of the length": ("12.2",),
    "the signature lacks the normal form": ("12.2",),
    "the signature lacks the reading of blanks": ("12.2",),
    "lines end where splitlines ends them": ("13.1",),
    "a last empty line is begun": ("13.1",),
    "empty lines dropped": ("13.1",),
    "the carriage return is kept": ("13.2",),
    "the byte order mark is kept": ("13.3",),
    "byte order marks are dropped everywhere": ("13.3",),
    "precisions rounded to four places": ("13.4",),
    # 14: refusals
    "an empty corpus scores 0": ("14.1",),
    "unequal lists are cut": ("14.2",),
    "a flat list is read letter by letter": ("14.3",),
    "references by annotator are read as they are": ("14.4",),
    "a text is taken for a list": ("14.5",),
    "other values are turned into text": ("14.6",),
    "a segment without reference scores 0": ("14.7",),
    "text and tokens are mixed": ("14.8",),
    "any weights are taken": ("14.9",),
    "order 0 is taken": ("14.10",),
    "unknown names mean the usual": ("14.11",),
    "any smoothing value is taken": ("14.12",),
    "impossible statistics are scored": ("14.13",),
    "unknown settings mean the usual": ("14.14",),
}

ACCEPTS = {  # fault → the kind that it does not refuse
    "an empty corpus scores 0": "empty-corpus",
    "unequal lists are cut": "length-mismatch",
    "a flat list is read letter by letter": "flat-references",
    "references by annotator are read as they are": "transposed-references",
    "a text is taken for a list": "string-for-list",
    "other values are turned into text": "segment-type",
    "a segment without reference scores 0": "missing-reference",
    "text and tokens are mixed": "mixed-segments",
    "any weights are taken": "weights",
    "order 0 is taken": "order",
    "unknown names mean the usual": "unknown-name",
    "any smoothing value is taken": "smoothing-value",
    "impossible statistics are scored": "statistics",
    "unknown settings mean the usual": "settings",
}

# ---- Text

SIGNS = set('!"#$%&()*+/:;<=>?@[\\]^_`{|}~')  # ASCII punctuation without ' , - .
CHINESE = (
    (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9), (0x2001, 0x2A6D), (0x2F81, 0x2FA1), (0xFF00, 0xFFEF),
    (0x2E80, 0x2EFF), (0x3000, 0x303F), (0x31C0, 0x31EF), (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F), (0x31A0, 0x31BF), (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F), (0x2600, 0x27BF), (0x3200, 0x33FF),
)  # fmt: skip


def around(text: str, chosen) -> str:
    """Blanks around every chosen character."""
    return "".join(f" {c} " if chosen(c) else c for c in text)


def _pairs(text: str, first, second, shape: str) -> str:
    """From left to right: where a second follows a first, the two are written as the shape says; both are used up."""
    out, i = [], 0
    while i < len(text):
        if i + 1 < len(text) and first(text[i]) and second(text[i + 1]):
            out.append(shape.format(text[i], text[i + 1]))
            i += 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def after_other(text: str, first, second) -> str:
    """Where a second follows a first, blanks around the second."""
    return _pairs(text, first, second, "{} {} ")


def before_other(text: str, first, second) -> str:
    """Where a first precedes a second, blanks around the first."""
    return _pairs(text, first, second, " {} {}")


def is_digit(c: str) -> bool:
    return c in "0123456789"


def is_point(c: str) -> bool:
    return c in ".,"


def category(c: str) -> str:
    return unicodedata.category(c)[0]


ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def spelled_out(text: str) -> str:
    for old, new in ENTITIES:
        text = text.replace(old, new)
    return text


def western(text: str, fault: str | None) -> list[str]:
    signs = SIGNS | {"'"} if fault == "13a cuts at apostrophes" else SIGNS
    if fault == "13a cuts at every hyphen":
        signs = SIGNS | {"-"}
    text = around(
        text,
        lambda c: (
            (c in signs and not (fault == "13a leaves symbols at words" and category(c) == "S"))
            or (fault == "13a cuts at Unicode punctuation" and c > "~" and category(c) == "P")
        ),
    )
    if fault == "13a cuts points within numbers":
        text = around(text, is_point)
    elif fault != "13a keeps points at words":
        text = before_other(after_other(text, lambda c: not is_digit(c), is_point), is_point, lambda c: not is_digit(c))
    if fault != "13a keeps the hyphen after a digit":
        text = after_other(text, is_digit, lambda c: c == "-")
    return text.split()


def thirteen_a(text: str, fault: str | None) -> list[str]:
    if fault != "13a keeps <skipped>":
        text = text.replace("<skipped>", "")
    if fault != "13a keeps the hyphen at a line's end":
        text = text.replace("-\n", "")
    text = text.replace("\n", " ")
    if fault == "13a spells out &amp; last":
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    elif fault != "13a spells out no entity":
        text = spelled_out(text)
    return western(f" {text} ", fault)


def intl(text: str, fault: str | None) -> list[str]:
    if fault == "intl spells out entities":
        text = spelled_out(text)
    if fault == "intl drops <skipped>":
        text = text.replace("<skipped>", "")
    if fault == "intl cuts at the ends of the text":
        text = f" {text} "

    def punctuation(c):
        return category(c) == "P" and (c <= "~" or fault != "intl knows ASCII punctuation alone")

    def other(c):
        return category(c) != "N" or fault == "intl cuts points within numbers"

    text = before_other(after_other(text, other, punctuation), punctuation, other)
    if fault != "intl leaves symbols":
        text = around(text, lambda c: category(c) == "S")
    return text.split()


def zh(text: str, fault: str | None) -> list[str]:
    def chinese(c):
        more = fault == "zh parts kana and rare planes" and (0x3040 <= ord(c) <= 0x30FF or ord(c) >= 0x20000)
        return more or any(low <= ord(c) <= high for low, high in CHINESE)

    if fault == "zh spells out entities":
        text = spelled_out(text)
    if fault != "zh keeps runs of Chinese characters":
        text = around(text, chinese)
    return text.split() if fault == "zh leaves Western punctuation" else western(text, None)


def none(text: str, fault: str | None) -> list[str]:
    if fault == "none parts punctuation from words":
        text = around(text, lambda c: category(c) == "P")
    if fault == "none cuts at the ordinary space alone":
        return [token for token in text.split(" ") if token]
    if fault == "none keeps no-break spaces":
        hidden = {ord("\u00a0"): "\ue000", ord("\u202f"): "\ue001"}
        return [token.replace("\ue000", "\u00a0").replace("\ue001", "\u202f") for token in text.translate(hidden).split()]
    if fault == "none cuts at U+200B and U+FEFF":
        text = text.replace("\u200b", " ").replace("\ufeff", " ")
    return text.split()


def char(text: str, fault: str | None) -> list[str]:
    if fault == "char counts units of UTF-16":
        units = text.encode("utf-16-le", "surrogatepass")
        text = "".join(chr(int.from_bytes(units[i : i + 2], "little")) for i in range(0, len(units), 2))
    if fault == "char makes tokens of spaces":
        return list(text)
    found: list[str] = []
    for c in text:
        if fault == "char keeps marks with their letter" and found and unicodedata.combining(c):
            found[-1] += c
        elif not c.isspace():
            found.append(c)
    return found


TOKENIZERS = {"none": none, "char": char, "13a": thirteen_a, "intl": intl, "zh": zh}


def cased(text: str, said: dict, fault: str | None) -> str:
    how = said["lowercase"]
    if fault == "always lowercase":
        return text.lower()
    if not how or fault == "never lowercase":
        return text
    if (how == "ascii" and fault != "ascii lowercases all letters") or fault == "lowercase A to Z alone":
        return text.translate(ASCII)
    return text.casefold() if fault == "case folding for lowercasing" else text.lower()


def formed(text: str, said: dict, fault: str | None) -> str:
    form = said.get("normalize")
    if fault == "texts are brought to NFC unasked" and not form:
        form = "NFC"
    if not form or fault == "normal forms ignored":
        return text
    return unicodedata.normalize("NFKC" if fault == "NFKC for every form" else form, text)


def tokens_of_text(text: str, said: dict, fault: str | None) -> list[str]:
    steps = [formed, cased]
    late = {"normal form after the tokenizer": formed, "lowercase after the tokenizer": cased}.get(fault)
    if fault == "normal form after case":
        steps = [cased, formed]
    if fault == "invisible signs are dropped":
        text = "".join(c for c in text if unicodedata.category(c) != "Cf" and c != "\ufe0f")
    for step in steps:
        if step is not late:
            text = step(text, said, fault)
    tokens = TOKENIZERS[said["tokenize"]](text.rstrip(), fault)
    return [late(token, said, fault) for token in tokens] if late else tokens


TEXT_FAULTS = frozenset(fault for fault, numbers in FAULTS.items() if any(number.startswith("1.") for number in numbers))


@cache
def plain_tokens(text: str, tokenize: str, lowercase: bool | str, normalize: str | None) -> tuple[str, ...]:
    return tuple(tokens_of_text(text, {"tokenize": tokenize, "lowercase": lowercase, "normalize": normalize}, None))


def segment(value, said: dict, fault: str | None):
    if value is None:
        return None
    if isinstance(value, str):
        if fault in TEXT_FAULTS:
            return tokens_of_text(value, said, fault)
        return list(plain_tokens(value, said["tokenize"], said["lowercase"], said.get("normalize")))
    if fault == "given tokens are joined and cut again":
        return tokens_of_text(" ".join(value), {**said, "lowercase": False, "normalize": None}, None)
    if fault == "given tokens are lowercased" and said["lowercase"]:
        return [token.lower() for token in value]
    return list(value)


# ---- Counts

KEYS = {  # fault → what stands for an n-gram
    "n-grams are joined without a separator": "".join,
    "n-grams are joined with a blank": " ".join,
    "n-grams are joined with an underscore": "_".join,
    "n-grams are joined with a hyphen": "-".join,
    "n-grams are told apart by CRC-32": lambda gram: zlib.crc32(" ".join(gram).encode("utf-8", "surrogatepass")),
    "n-grams are told apart by 16 bits": lambda gram: zlib.crc32(" ".join(gram).encode("utf-8", "surrogatepass")) & 0xFFFF,
}


def grams(tokens, n, fault):
    found = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + (0 if fault == "the last window is left out" else 1)))
    if fault in ("occurrences do not overlap", "occurrences are sought among letters"):
        text, end = " ".join(tokens), " " if fault == "occurrences do not overlap" else ""
        found = Counter({gram: (text + end).count(" ".join(gram) + end) for gram in found})
    if fault in KEYS:
        found = Counter(map(KEYS[fault], found.elements()))
    return found


def length_of(c, lengths, rule, fault):
    if fault == "shortest reference" or (rule == "shortest" and fault != "shortest is ignored"):
        return min(lengths)
    if fault == "longest reference":
        return max(lengths)
    if rule == "average" and fault != "average is ignored":
        mean = Fraction(sum(lengths), len(lengths))
        return int(mean) if fault == "average is rounded" else mean
    if fault == "tie to the longer":
        return min(lengths, key=lambda length: (abs(length - c), -length))
    if fault == "tie to the first listed":
        return min(lengths, key=lambda length: abs(length - c))
    return min(lengths, key=lambda length: (abs(length - c), length))


def present(group, fault):
    """The references that count."""
    group = [[] if ref is None and fault == "absent references are empty" else ref for ref in group]
    some = [ref for ref in group if ref is not None]
    if fault in ("empty references are absent", "blank references are always absent"):
        some = [ref for ref in some if ref] or some[:1]
    return some


def counted(candidates, references, said, fault):
    """c, r, and for each order matched, total and the segments' own pairs; penalties per segment."""
    order = orders_of(said)
    matched, total, singles = [0] * order, [0] * order, []
    c, r, penalties, options = 0, Fraction(0), [], []
    groups = [present(group, fault) for group in references]
    if fault == "as many references as every segment has":
        groups = [group[: min(map(len, groups))] for group in groups]
    if fault == "n-grams reach across segments":
        width = min(map(len, groups))
        groups = [[list(chain.from_iterable(group[k] for group in groups)) for k in range(width)]]
        candidates = [list(chain.from_iterable(candidates))]
    for candidate, group in zip(candidates, groups, strict=True):
        if fault == "empty candidates dropped" and not candidate:
            continue
        lengths = [len(ref) for ref in group]
        here = length_of(len(candidate), lengths, said["reference_length"], fault)
        c, r, options = c + len(candidate), r + here, [*options, lengths]
        penalties.append(math.exp(min(0, 1 - here / len(candidate))) if candidate else 0)
        single = []
        for n in range(1, order + 1):
            own, theirs = grams(candidate, n, fault), [grams(ref, n, fault) for ref in group]
            if fault == "clip by the first reference":
                theirs = theirs[:1]
            if fault == "clip by the closest reference":
                theirs = [theirs[min(range(len(group)), key=lambda k: abs(lengths[k] - len(candidate)))]]
            join = sum if fault == "clip by the sum over references" else max
            bound = {gram: join(their[gram] for their in theirs) for gram in own}
            if fault == "unclipped":
                bound = {gram: own[gram] if bound[gram] else 0 for gram in own}
            credit = sum(min(own[gram], bound[gram]) for gram in own)
            if fault == "the bound itself is credited":
                credit = sum(bound.values())
            if fault == "each n-gram once":
                credit = sum(1 for gram in own if bound[gram])
            if fault == "counts weigh by themselves":
                credit = sum(own[gram] * min(own[gram], bound[gram]) for gram in own)
            count = sum(own.values())
            if fault == "counts weigh by themselves":
                count = sum(value * value for value in own.values())
            if fault == "at least one n-gram per segment":
                count = max(1, count)
            if fault == "over the total of the reference":
                count = max(sum(their.values()) for their in theirs)
            single.append((credit, count))
            matched[n - 1], total[n - 1] = matched[n - 1] + credit, total[n - 1] + count
        singles.append(single)
    if fault == "closest to the whole corpus" and len({len(lengths) for lengths in options}) == 1:
        r = length_of(c, [sum(column) for column in zip(*options, strict=True)], said["reference_length"], fault)
    return c, r, matched, total, singles, penalties


# ---- Smoothing and score


def orders_of(said):
    return said["max_order"] + (said["smooth"] in ("average", "average-length"))


def geometric(matched, total, ratio, fault=None):
    counts, power = [], 0
    for n, (m, t) in enumerate(zip(matched, total, strict=True), 1):
        if m == 0 and (t or fault == "average-length raises absent orders"):
            power += 1
            exponent = {"exp by the order's number": n, "exp without going on": 1}.get(fault, power)
            counts.append(ratio**exponent)
        else:
            counts.append(m)
    return counts


def means(counts, fault):
    found, before = [], counts[0] + (0 if fault == "average begins at m_1" else 1)
    for here, after in zip(counts, counts[1:], strict=False):
        before = (before + here) / 2 if fault == "average without the next order" else (before + here + after) / 3
        found.append(before)
    return found


def smooth_all(c, matched, total, said, fault):
    """The precisions that enter the mean; None where there is none."""
    order, method = said["max_order"], "none" if fault == "smoothing ignored" else said["smooth"]
    value = float(said["smooth_value"]) if "smooth_value" in said else None
    m, t = list(matched[:order]), list(total[:order])
    if method == "floor":
        floor = value if value is not None else 0.01 if fault == "floor of a hundredth if nothing is said" else 0.1
        if fault == "floor without division":
            return [floor if x == 0 and y else x / y if y else None for x, y in zip(m, t, strict=True)]
        if fault == "floor for absent orders":
            return [floor / max(y, 1) if x == 0 else x / y for x, y in zip(m, t, strict=True)]
        m = [x + floor if fault == "floor added to every order" else x or floor for x in m]
    elif method == "add-k" or method == "add-one-all":
        k = 1.0 if value is None else value
        first = 1 if (method == "add-k") != (fault in ("add-k at order 1", "add-one-all spares order 1")) else 0
        if (method, fault) in (("add-k", "add-one-all spares order 1"), ("add-one-all", "add-k at order 1")):
            first = 1 - first
        raised = [n >= first and not (fault == "add-k leaves absent orders" and t[n] == 0) for n in range(len(m))]
        m = [x + k * up for x, up in zip(m, raised, strict=True)]
        t = t if fault == "add-k to matched alone" else [y + k * up for y, up in zip(t, raised, strict=True)]
    elif method == "exp":
        m = geometric(m, t, 0.5, fault)
    elif method in ("length", "average-length", "average"):
        k = 5.0 if value is None or fault == "length ignores its value" else value
        ratio = math.log(c) / k if c else 0.0
        if fault == "length by a half":
            ratio = 0.5
        beyond = matched[order:]
        if method != "average":
            m = geometric(m, t, ratio, fault if method == "average-length" and fault == "average-length raises absent orders" else None)
            if method == "average-length" and fault == "average-length raises the order beyond":
                beyond = geometric([*matched], [*total], ratio)[order:]
        if method != "length":
            if fault == "average of precisions":
                shares = [x / y if y else 0 for x, y in zip([*m, *beyond], [*t, *total[order:]], strict=True)]
                return [x if y else None for x, y in zip(means(shares, fault), t, strict=True)]
            m = means([*m, *beyond], fault)
    elif method == "interpolate":
        alpha = 5.0 if value is None or fault == "interpolate ignores its value" else value
        found, plain = [], [x / y if y else 0 for x, y in zip(m, t, strict=True)]
        for n, (x, y) in enumerate(zip(m, t, strict=True)):
            low = plain if fault == "interpolate from plain precisions" else [p or 0 for p in found]
            prior = low[n - 1] ** 2 / low[n - 2] if n > 1 and low[n - 2] else 0
            if fault == "interpolate adds to the total alone":
                prior = 0
            found.append((x + alpha * prior) / (y + alpha) if n > 1 and y else x / y if y else None)
        return found
    return [x / y if y else None for x, y in zip(m, t, strict=True)]


def penalty_of(c, r, penalties, fault):
    c, r = float(c), float(r)
    if c == 0:
        return 1.0 if fault == "nothing against nothing is perfect" and r == 0 else 0.0
    penalty = math.exp(min(0, 1 - r / c))
    if fault == "linear penalty" and r:
        penalty = min(1, c / r)
    if fault == "inverted penalty" and r:
        penalty = math.exp(min(0, 1 - c / r))
    if fault == "no penalty":
        penalty = 1.0
    if fault == "long candidates pay":
        penalty = math.exp(-abs(1 - r / c))
    if fault == "long candidates gain":
        penalty = math.exp(1 - r / c)
    if fault == "equal lengths pay" and c == r:
        penalty = math.exp(1 - (r + 1) / c)
    if fault == "penalty per segment" and penalties:
        penalty = sum(penalties) / len(penalties)
    return penalty


def combined(p, c, r, penalties, matched, said, fault):
    order = len(p)
    weights = [float(Fraction(w)) for w in said["weights"]] if "weights" in said and fault != "weights ignored" else [1 / order] * order
    if fault == "a quarter for every order" and "weights" not in said:
        weights = [0.25] * order
    if fault == "weights in reverse":
        weights = weights[::-1]
    penalty = penalty_of(c, r, penalties, fault)
    if fault == "nothing against nothing is perfect" and c == 0 and r == 0:
        return penalty
    if c == 0 or (matched[0] == 0 and fault not in ("smoothing without a matching unigram", "a tiny number for zero", "zero orders skipped")):
        return 0.0
    pairs = [(x, w) for x, w in zip(p, weights, strict=True) if w or fault == "an order of weight 0 takes part"]
    if said["effective_order"] and fault != "effective order ignored":
        pairs = [(x, w) for x, w in pairs if x is not None and (x or fault != "effective order drops zero matches")]
        whole = 1 if fault == "effective order keeps the weights" else sum(w for _, w in pairs)
        pairs = [(x, 1 / len(pairs) if fault == "effective order shares out evenly" else w / whole) for x, w in pairs]
    if fault == "absent orders skipped":
        pairs = [(x, w) for x, w in pairs if x is not None]
    pairs = [(1 if x is None and fault == "absent orders count as right" else x or 0, w) for x, w in pairs]
    if fault == "zero orders skipped":
        pairs = [(x, w) for x, w in pairs if x]
    if fault == "a tiny number for zero":
        pairs = [(x or 2.3e-308, w) for x, w in pairs]
    if fault == "precisions rounded to four places":
        pairs = [(round(x, 4), w) for x, w in pairs]
    if fault == "arithmetic mean":
        return penalty * sum(x * w for x, w in pairs)
    if any(x == 0 for x, _ in pairs):
        return 0.0
    mean = math.prod(x for x, _ in pairs) if fault == "no root" else math.exp(sum(w * math.log(x) for x, w in pairs))
    return penalty * mean


def scored(sums, said, fault):
    c, r, matched, total, singles, penalties = sums
    p = smooth_all(c, matched, total, said, fault)
    order = said["max_order"]
    if fault == "mean of segment precisions":
        shares = [[m / t for m, t in (single[n] for single in singles) if t] for n in range(order)]
        p = [sum(values) / len(values) if values else None for values in shares]
    if fault == "smoothing per segment" and said["smooth"] != "none":
        parts = [smooth_all(c, [m for m, _ in single], [t for _, t in single], said, None) for single in singles]
        columns = [[part[n] for part in parts if part[n] is not None] for n in range(order)]
        p = [sum(values) / len(values) if values else None for values in columns]
    value = combined(p, c, r, penalties, matched, said, fault)
    if 1 - 1e-9 < value <= 1 + 1e-9:
        value = 1.0000000000000002 if fault == "float noise" else 1.0
    return 100 * value if fault == "percent" else value, p


# ---- Signature, files, refusals


def signature(said, references, fault):
    counts = {sum(ref is not None for ref in group) for group in references}
    if fault == "the signature takes the first segment's references":
        counts = {sum(ref is not None for ref in references[0])}
    defaults = {"floor": "0.1", "add-k": "1", "length": "5", "average-length": "5", "interpolate": "5"}
    value = said.get("smooth_value", defaults.get(said["smooth"]))
    smooth = said["smooth"]
    if value is not None and fault != "the signature lacks the smoothing's value":
        number = Fraction(value)
        smooth += f"[{float(number):.2f}]" if (100 * number).denominator == 1 else f"[{number}]"
    order = said["max_order"]
    uniform = "weights" not in said or all(Fraction(w) == Fraction(1, order) for w in said["weights"])
    parts = [
        ("nrefs", str(counts.pop()) if len(counts) == 1 else "var", ""),
        ("case", {False: "mixed", True: "lc", "ascii": "ascii"}[said["lowercase"]], "the signature lacks the case"),
        ("eff", "yes" if said["effective_order"] else "no", ""),
        ("tok", said["tokenize"], ""),
        ("smooth", smooth, ""),
        ("order", str(order) if order != 4 else "", "the signature lacks the order"),
        ("weights", "" if uniform else ",".join(said["weights"]), "the signature lacks the weights"),
        ("reflen", said["reference_length"] if said["reference_length"] != "closest" else "", "the signature lacks the rule of the length"),
        ("norm", said.get("normalize", ""), "the signature lacks the normal form"),
        ("blank", "absent" if said.get("blank_references") == "absent" else "", "the signature lacks the reading of blanks"),
    ]
    return "|".join(f"{key}:{text}" for key, text, lacks in parts if text and fault != lacks)


def lines_of(content: str, fault: str | None) -> list[str]:
    """The lines of a file."""
    if fault == "byte order marks are dropped everywhere":
        content = content.replace("\ufeff", "")
    if content[:1] == "\ufeff" and fault != "the byte order mark is kept":
        content = content[1:]
    if fault == "lines end where splitlines ends them":
        return content.splitlines()
    lines = content.split("\n")
    if lines[-1] == "" and fault != "a last empty line is begun":
        del lines[-1]
    if fault == "empty lines dropped":
        lines = [line for line in lines if line]
    # Tokens by white space would hide a carriage return at a line's end: a fault keeps it visible.
    keep = fault == "the carriage return is kept"
    return [line if not line.endswith("\r") else line[:-1] + ("\u240d" if keep else "") for line in lines]


NAMES = {
    "tokenize": tuple(TOKENIZERS),
    "smooth": ("none", "floor", "add-k", "exp", "length", "average", "interpolate", "average-length", "add-one-all"),
    "reference_length": ("closest", "shortest", "average"),
    "blank_references": ("empty", "absent"),
}
RANGES = {"floor": (0, 1), "add-k": (0, math.inf), "interpolate": (0, math.inf), "length": (1e-300, math.inf), "average-length": (1e-300, math.inf)}


def refused_settings(said) -> str | None:
    for key, names in NAMES.items():
        if said.get(key, names[0]) not in names:
            return "unknown-name"
    if said.get("normalize", "NFC") not in ("NFC", "NFKC") or said["lowercase"] not in (True, False, "ascii"):
        return "settings"
    if said["max_order"] < 1:
        return "order"
    if "smooth_value" in said:
        low, high = RANGES.get(said["smooth"], (1, 0))
        if not low <= float(said["smooth_value"]) <= high:
            return "smoothing-value"
    if "weights" in said:
        weights = [Fraction(w) for w in said["weights"]]
        if len(weights) != said["max_order"] or sum(weights) != 1 or min(weights) < 0:
            return "weights"
    return None


def refused_segments(candidates, references, said) -> str | None:
    def sound(value):
        return isinstance(value, str) or (isinstance(value, list) and all(isinstance(token, str) for token in value))

    kinds = set()
    for candidate, group in zip(candidates, references, strict=True):
        some = [ref for ref in group or [] if ref is not None]
        if said.get("blank_references") == "absent":
            some = [ref for ref in some if not isinstance(ref, str) or ref.strip()]
        if not all(map(sound, (candidate, *some))):
            return "segment-type"
        if not some:
            return "missing-reference"
        kinds |= {type(value) for value in (candidate, *some)}
    return "mixed-segments" if len(kinds) > 1 else None


def refusal(data: dict, said: dict) -> str | None:
    """The kind of refusal that an input deserves."""
    if "statistics" in data:
        numbers = data["statistics"]
        matched, total = numbers["matched"], numbers["total"]
        wrong = len(matched) != len(total) or any(m > t for m, t in zip(matched, total, strict=True))
        return "statistics" if wrong else refused_settings({**said, "max_order": len(total)})
    candidates, references = data["candidates"], data["references"]
    if isinstance(candidates, str) or isinstance(references, str):
        return "string-for-list"
    if not isinstance(references, list):
        return "segment-type"
    if not candidates:
        return "empty-corpus"
    if any(isinstance(group, str) for group in references):
        return "flat-references"
    if len(references) != len(candidates):
        by_annotator = len(candidates) > 1 and {len(group) for group in references} == {len(candidates)}
        return "transposed-references" if by_annotator else "length-mismatch"
    return refused_segments(candidates, references, said) or refused_settings(said)


# ---- The whole


def input_of(vector, fault: str | None) -> dict:
    """The input of a vector; files are cut into lines, and of corpora by hash only the expected integers are at hand."""
    if "files" not in vector.input:
        return vector.input
    named = vector.input["files"]
    if "content" not in named["candidates"]:
        numbers = {key: vector.expect[key] for key in ("candidate_length", "reference_length", "matched", "total")}
        return {"statistics": numbers}
    sides = [lines_of(file["content"], fault) for file in (named["candidates"], *named["references"])]
    if len({len(side) for side in sides}) > 1:
        return {"candidates": [], "references": []}
    return {"candidates": sides[0], "references": [list(group) for group in zip(*sides[1:], strict=True)], "tokenized": False}


def results(vector, fault: str | None = None) -> dict:
    """Every stage of the answer, with at most one fault."""
    said, data = {**vector.full_settings}, input_of(vector, fault)
    kind = refusal(data, said)
    if kind and ACCEPTS.get(fault) != kind:
        return {"error": kind}
    if kind:
        return {"score": 0.0}
    if fault == "always four orders" and "weights" not in said:
        said["max_order"] = 4
    if "statistics" in data:
        numbers = data["statistics"]
        c, r, matched, total = (numbers[key] for key in ("candidate_length", "reference_length", "matched", "total"))
        said["max_order"] = len(total)
        value, p = scored((c, Fraction(r), matched, total, [list(zip(matched, total, strict=True))], []), said, fault)
        return {"brevity_penalty": penalty_of(c, r, [], fault), "score": value}
    candidates = [segment(value, said, fault) for value in data["candidates"]]
    references = [[segment(value, said, fault) for value in group] for group in data["references"]]
    shown = {"tokens": {"candidates": candidates, "references": references}}
    if said.get("blank_references") == "absent" and fault != "blank references are never absent":
        references = [[ref or None for ref in group] for group in references]
    if (said["level"] == "mean" and fault != "corpus score for the mean") or (said["level"] == "corpus" and fault == "mean for the corpus score"):
        pairs = zip(candidates, references, strict=True)
        scores = [scored(counted([one], [group], said, fault), said, fault)[0] for one, group in pairs]
        return {"score": sum(scores) / len(scores)}
    sums = counted(candidates, references, said, fault)
    value, p = scored(sums, said, fault)
    order = said["max_order"]
    shown_by = None if fault in KEYS else fault
    ngrams = {n: {" ".join(gram): count for gram, count in grams(candidates[0], int(n), shown_by).items()} for n in vector.expect.get("ngrams", {})}
    shown |= {"ngrams": ngrams, "total": sums[3][:order], "matched": sums[2][:order], "candidate_length": sums[0], "reference_length": sums[1]}
    if "smoothed_precisions" in vector.expect:
        shown["smoothed_precisions"] = p
    return {**shown, "brevity_penalty": penalty_of(sums[0], sums[1], sums[5], fault), "score": value, "signature": signature(said, references, fault)}
