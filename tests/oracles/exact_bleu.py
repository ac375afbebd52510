"""BLEU once more, in exact arithmetic, by another road: the yardstick for the conformance vectors.

Nothing here comes from the package. The construction differs on purpose: n-grams are kept as sorted lists and compared by
merging them, as one merges two decks of cards, so that a fault in one of the two programs is unlikely to be in the other.
Counts are integers, precisions fractions, and the score a decimal with 50 digits.

Written from Papineni et al. (2002), section 2, and for smoothing from Lin & Och (2004) and Chen & Cherry (2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby
from math import gcd, isqrt, lcm

DIGITS = 60  # working precision; 50 of them are good


def deck(tokens: Sequence, n: int) -> list[tuple]:
    """All n-grams of a text, each as often as it occurs, in sorted order."""
    windows = [tokens[k:] for k in range(n)]
    return sorted(zip(*windows, strict=False))


def runs(cards: list[tuple]) -> list[tuple[tuple, int]]:
    """A sorted deck as (n-gram, how often)."""
    return [(card, sum(1 for _ in same)) for card, same in groupby(cards)]


def widest(decks: list[list[tuple]]) -> list[tuple]:
    """The smallest sorted deck that contains each given one: every n-gram as often as in the reference that has most of it."""
    lengths = sorted(pair for cards in decks for pair in runs(cards))
    return [card for card, group in groupby(lengths, key=lambda pair: pair[0]) for _ in range(list(group)[-1][1])]


def common(left: list[tuple], right: list[tuple]) -> int:
    """How many cards two sorted decks share, counting repeats, found by one merge."""
    i = j = shared = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            i, j, shared = i + 1, j + 1, shared + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    return shared


def effective_length(c: int, lengths: list[int], rule: str = "closest") -> Fraction:
    """The reference length that stands against a candidate of c tokens."""
    if rule == "shortest":
        return Fraction(sorted(lengths)[0])
    if rule == "average":
        return Fraction(sum(lengths), len(lengths))
    if rule != "closest":
        raise ValueError(rule)
    best = None
    for length in sorted(lengths):  # rising, and only a strictly smaller distance replaces: so a tie stays with the shorter
        if best is None or abs(length - c) < abs(best - c):
            best = length
    return Fraction(best)


@dataclass(frozen=True)
class Statistics:
    """What a corpus comes to before any score is taken: integers (r may be a fraction under the rule `average`)."""

    c: int
    r: Fraction
    matched: tuple[int, ...]
    total: tuple[int, ...]


def statistics(candidates: list, references: list, max_order: int = 4, rule: str = "closest") -> Statistics:
    """Sums over all segments; `references[i]` are the references of `candidates[i]`, and None among them is no reference."""
    matched, total, c, r = [0] * max_order, [0] * max_order, 0, Fraction(0)
    for candidate, group in zip(candidates, references, strict=True):
        present = [reference for reference in group if reference is not None]
        c += len(candidate)
        r += effective_length(len(candidate), [len(reference) for reference in present], rule)
        for n in range(1, max_order + 1):
            cards = deck(candidate, n)
            total[n - 1] += len(cards)
            matched[n - 1] += common(cards, widest([deck(reference, n) for reference in present]))
    return Statistics(c, r, tuple(matched), tuple(total))


EXTRA_ORDERS = {"average": 1, "average-length": 1}  # smoothings that look one order beyond the highest


def part_of(whole: Fraction, other: Fraction | Decimal) -> Fraction | Decimal:
    """other / whole, exact as long as both are."""
    if isinstance(other, Fraction | int):
        return Fraction(other) / whole
    with localcontext(prec=DIGITS):
        return other / decimal_of(whole)


def geometric(stats: Statistics, ratio: Fraction | Decimal, order: int) -> list:
    """The matched counts of the first orders; the k-th one that has n-grams and no match gets the k-th power of the ratio."""
    counts, zeros = [], 0
    with localcontext(prec=DIGITS):
        for m, t in zip(stats.matched[:order], stats.total[:order], strict=True):
            zeros += t > 0 and m == 0
            counts.append(ratio**zeros if t > 0 and m == 0 else Fraction(m))
    return counts


def averaged(counts: list) -> list:
    """Chen & Cherry's method 5: the mean of the new count below, the count itself and the count above; below order 1 stands m_1 + 1."""
    with localcontext(prec=DIGITS):
        if any(isinstance(count, Decimal) for count in counts):
            counts = [count if isinstance(count, Decimal) else decimal_of(count) for count in counts]
        found = [counts[0] + 1]
        for k in range(len(counts) - 1):
            found.append((found[-1] + counts[k] + counts[k + 1]) / 3)
    return found[1:]


def logarithm_ratio(stats: Statistics, value: Fraction | None) -> Decimal:
    """ln(c) / K, the ratio of Chen & Cherry's method 4; K is 5 if nothing is said."""
    with localcontext(prec=DIGITS):
        return Decimal(stats.c).ln() / decimal_of(Fraction(5) if value is None else value)


def interpolated(stats: Statistics, alpha: Fraction) -> list[Fraction | None]:
    """Chen & Cherry's method 6: from order 3 on (m + alpha q) / (t + alpha) with q = p_(n-1)^2 / p_(n-2), and q = 0 where that is 0/0."""
    found: list[Fraction | None] = []
    for n, (m, t) in enumerate(zip(stats.matched, stats.total, strict=True), start=1):
        if t == 0:
            found.append(None)
        elif n < 3:
            found.append(Fraction(m, t))
        else:
            one, two = found[-1] or Fraction(0), found[-2] or Fraction(0)
            found.append((m + alpha * (one * one / two if two else 0)) / (t + alpha))
    return found


def smoothed(stats: Statistics, smooth: str = "none", value: Fraction | None = None) -> list[Fraction | Decimal | None]:
    """The precision of each order that enters the mean; None for an order of which the candidate has no n-gram.

    The formulas that add to the total make an order of it that exists: (0 + k)/(0 + k). Those with extra orders take them from the statistics.
    """
    order = len(stats.total) - EXTRA_ORDERS.get(smooth, 0)
    pairs = list(zip(stats.matched[:order], stats.total[:order], strict=True))
    if smooth == "none":
        counts = [(Fraction(m), t) for m, t in pairs]
    elif smooth == "floor":
        floor = Fraction(1, 10) if value is None else value
        counts = [(Fraction(m) if m else floor, t) for m, t in pairs]
    elif smooth == "add-k":
        k = Fraction(1) if value is None else value
        counts = [(m + k, t + k) if n else (Fraction(m), t) for n, (m, t) in enumerate(pairs)]
    elif smooth == "add-one-all":
        counts = [(Fraction(m + 1), t + 1) for m, t in pairs]
    elif smooth == "exp":
        counts = [(m, t) for m, (_, t) in zip(geometric(stats, Fraction(1, 2), order), pairs, strict=True)]
    elif smooth == "length":
        counts = [(m, t) for m, (_, t) in zip(geometric(stats, logarithm_ratio(stats, value), order), pairs, strict=True)]
    elif smooth == "average":
        counts = [(m, t) for m, (_, t) in zip(averaged([Fraction(m) for m in stats.matched]), pairs, strict=True)]
    elif smooth == "average-length":
        raised = [*geometric(stats, logarithm_ratio(stats, value), order), Fraction(stats.matched[order])]
        counts = [(m, t) for m, (_, t) in zip(averaged(raised), pairs, strict=True)]
    elif smooth == "interpolate":
        return interpolated(stats, Fraction(5) if value is None else value)
    else:
        raise ValueError(smooth)
    return [part_of(Fraction(t), m) if t else None for m, t in counts]


def penalty_exponent(c: int, r: Fraction) -> Fraction | None:
    """What stands above e in the brevity penalty: 0 for a long candidate, 1 - r/c for a short one, None (minus infinity) for an empty one."""
    if c == 0:
        return None
    return Fraction(0) if c >= r else 1 - Fraction(r) / c


def brevity(c: int, r: Fraction, linear: bool = False) -> Fraction | Decimal:
    """The brevity penalty; `linear` gives min(1, c/r), a form that some textbooks print and the paper does not have."""
    if linear:
        return min(Fraction(1), Fraction(c) / r)
    exponent = penalty_exponent(c, r)
    if exponent is None:
        return Fraction(0)
    return Fraction(1) if exponent == 0 else exp_of(exponent)


def decimal_of(x: Fraction | Decimal) -> Decimal:
    return x if isinstance(x, Decimal) else Decimal(x.numerator) / Decimal(x.denominator)


def exp_of(x: Fraction) -> Decimal:
    """e to the power x."""
    with localcontext(prec=DIGITS):
        return decimal_of(x).exp()


def whole_root(x: int, k: int) -> int | None:
    """The integer whose k-th power is x, if there is one."""
    if x in (0, 1) or k == 1:
        return x
    low, high = 1, 1 << (x.bit_length() // k + 1)
    if k == 2:
        low = high = isqrt(x)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**k <= x else (low, middle - 1)
    return low if low**k == x else None


def power_mean(factors: list[tuple[Fraction | Decimal, Fraction]], exponent: Fraction = Fraction(0)) -> Fraction | Decimal:
    """The product of p to the power w, times e to the exponent; a Fraction where the result is rational and we can tell."""
    if any(p == 0 for p, _ in factors):
        return Fraction(0)
    if exponent == 0 and all(isinstance(p, Fraction) for p, _ in factors):
        root = lcm(*(w.denominator for _, w in factors))
        if root <= 60:
            inside = Fraction(1)
            for p, w in factors:
                inside *= p ** int(w * root)
            top, bottom = whole_root(inside.numerator, root), whole_root(inside.denominator, root)
            if top is not None and bottom is not None:
                return Fraction(top, bottom)
    with localcontext(prec=DIGITS):
        total = decimal_of(exponent)
        for p, w in factors:
            total += decimal_of(w) * decimal_of(p).ln()
        return total.exp()


def score(
    stats: Statistics,
    weights: list[Fraction] | None = None,
    smooth: str = "none",
    value: Fraction | None = None,
    effective_order: bool = False,
    linear: bool = False,
    skip_zero_orders: bool = False,
) -> Fraction | Decimal:
    """BLEU of the statistics, in [0, 1]; the last two switches exist to show where a misprint came from."""
    order = len(stats.total) - EXTRA_ORDERS.get(smooth, 0)
    weights = weights or [Fraction(1, order)] * order
    if stats.c == 0 or (stats.matched[0] == 0 and not skip_zero_orders):
        return Fraction(0)
    taking_part = []
    for p, w in zip(smoothed(stats, smooth, value), weights, strict=True):
        if w == 0 or (p is None and effective_order):
            continue
        taking_part.append((Fraction(0) if p is None else p, w))
    if effective_order and taking_part:
        whole = sum(w for _, w in taking_part)
        taking_part = [(p, w / whole) for p, w in taking_part]
    if skip_zero_orders:
        taking_part = [(p, w) for p, w in taking_part if p]
    if linear:
        factor, mean = brevity(stats.c, stats.r, linear=True), power_mean(taking_part)
        if isinstance(mean, Fraction):
            return factor * mean
        with localcontext(prec=DIGITS):
            return decimal_of(factor) * mean
    return power_mean(taking_part, penalty_exponent(stats.c, stats.r))


def mean_of(values: list[Fraction | Decimal]) -> Fraction | Decimal:
    """The arithmetic mean."""
    if all(isinstance(value, Fraction) for value in values):
        return sum(values, Fraction(0)) / len(values)
    with localcontext(prec=DIGITS):
        return sum((decimal_of(v) if isinstance(v, Fraction) else v for v in values), Decimal(0)) / len(values)


def written(x: Fraction | Decimal, digits: int = 30) -> str:
    """A fraction as it is, a decimal with so many significant digits."""
    if isinstance(x, Fraction):
        return str(x)
    with localcontext(prec=digits):
        return format(+x, "f")


def as_decimal(text: str) -> Decimal:
    """The value of a written number: `3/7`, `0.5411` or `5e-5`."""
    with localcontext(prec=DIGITS):
        top, _, bottom = text.partition("/")
        return Decimal(top) / Decimal(bottom) if bottom else Decimal(top)


def reduced(m: int, t: int) -> str:
    """m/t in lowest terms, for people who compare by eye."""
    g = gcd(m, t) or 1
    return f"{m // g}/{t // g}"
