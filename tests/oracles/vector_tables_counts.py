"""Vectors about counts and numbers: n-grams, clipping, sums, lengths, penalty, weights, zeros, smoothing, empty and absent texts, refusals, disputes.

Every expected number is computed by exact_bleu.py; what only another program can give was recorded once by vector_record.py.
"""

from fractions import Fraction

from oracles.vector_tables import SOURCES, disputed, our
from oracles.vector_tables_text import ruled

SOURCES["tradition"] = ("The bleu_lit authors", "one text under the rules of several traditions", "own")

T = {"level": "sentence"}
T1, T2, T3 = ({**T, "max_order": n} for n in (1, 2, 3))

# --- 2 N-grams ------------------------------------------------------------------------------------------------------
ruled(
    "2.1",
    "n-grams/all-distinct",
    "Five tokens hold 5, 4, 3 and 2 windows.",
    ["a b c d e"],
    [["a b c d e f"]],
    T,
    ngrams={"1": dict.fromkeys("abcde", 1), "4": {"a b c d": 1, "b c d e": 1}},
)
ruled("2.1", "n-grams/exactly-n", "A text of n tokens is its one n-gram.", ["a b c d"], [["a b c d x"]], T, ngrams={"4": {"a b c d": 1}})
ruled("2.1", "n-grams/one-less-than-n", "A text of n - 1 tokens has none.", ["a b c"], [["a b c d"]], T, ngrams={"3": {"a b c": 1}, "4": {}})
ruled(
    "2.1",
    "n-grams/six-orders",
    "Windows up to the sixth order.",
    ["a b c d e f g"],
    [["a b c d e f h"]],
    {**T, "max_order": 6},
    ngrams={"5": {"a b c d e": 1, "b c d e f": 1, "c d e f g": 1}},
)
ruled(
    "2.2",
    "n-grams/period-two",
    "A pattern of two, three times: its trigrams overlap in two tokens.",
    ["a b a b a b"],
    [["a b a b a b x"]],
    T3,
    ngrams={"3": {"a b a": 2, "b a b": 2}},
)
ruled(
    "2.2",
    "n-grams/token-borders",
    "an is in banana and in an; as a token it occurs once. Counting letters would find more.",
    ["banana an apple"],
    [["an apple and a banana"]],
    T2,
    ngrams={"1": {"banana": 1, "an": 1, "apple": 1}},
)
ruled(
    "2.2",
    "n-grams/five-equal",
    "Five equal tokens: four overlapping pairs, three triples, two quadruples.",
    [["la"] * 5],
    [[["la"] * 6]],
    T,
    ngrams={"2": {"la la": 4}, "4": {"la la la la": 2}},
)
ruled(
    "2.3",
    "n-grams/set-with-counts",
    "Three times a, once b: the sum over the set with counts is 4, squares of counts would make it 10.",
    ["a a b a"],
    [["a a a b"]],
    T2,
    ngrams={"1": {"a": 3, "b": 1}},
)
ruled(
    "2.3",
    "n-grams/repeated-phrase",
    "A phrase said twice is credited twice where the reference says it twice.",
    ["so it goes so it goes"],
    [["so it goes and so it goes"]],
    T3,
    ngrams={"3": {"so it goes": 2, "it goes so": 1, "goes so it": 1}},
)
ruled(
    "2.4",
    "n-grams/across-segments",
    "b c stands across the border of two segments here and inside one there: it is no bigram of this text.",
    ["a b", "c d"],
    [["a b"], ["x b c d"]],
    {"max_order": 2},
)
ruled("2.4", "n-grams/across-references", "Nor does an n-gram reach from one reference into the next.", ["a b c"], [["x a b", "c y z"]], T2)

ruled(
    "2.5",
    "n-grams/joined-without-separator",
    "a bc and ab c are two bigrams, though both make abc.",
    ["so a bc he said"],
    [["so ab c he said"]],
    T2,
)
ruled(
    "2.5",
    "n-grams/joined-words",
    "an other and a nother both make another, alone and within a trigram.",
    ["an other man ran home"],
    [["a nother man ran home"]],
    T3,
)
ruled("2.5", "n-grams/joined-with-underscore", "a_b c and a b_c are two bigrams, though both make a_b_c.", ["so a_b c he said"], [["so a b_c he said"]], T2)
ruled(
    "2.5",
    "n-grams/joined-with-hyphen",
    "The same with hyphens, which words have by themselves.",
    ["the well-known fact he said"],
    [["the well known-fact he said"]],
    T2,
)
ruled(
    "2.5",
    "n-grams/joined-with-blank",
    "And with blanks, which tokens may have that are given as tokens.",
    [["in", "New York", "City", "he", "said"]],
    [[["in", "New", "York City", "he", "said"]]],
    T2,
)
ruled(
    "2.5",
    "n-grams/numbers-of-32-bits",
    "Each word has the number of the word below it: in CRC-32, in FNV-1a, in FNV-1, in Java's hashCode, and in two forms of djb2. Only end is common.",
    ["plumless costarring creamwove Aa hetairas haggadot end"],
    [["buckeroo liquid quists BB mentioner loathsomenesses end"]],
    T1,
)
ruled(
    "2.5",
    "n-grams/numbers-of-16-bits",
    "Six hundred words against six hundred others: told apart by 16 bits some of them would be equal. Only end is common.",
    [" ".join([*(f"a{k**3}" for k in range(600)), "end"])],
    [[" ".join([*(f"b{31 * k**2 + 7}" for k in range(600)), "end"])]],
    T1,
)

# --- 3 Clipping -----------------------------------------------------------------------------------------------------
ruled("3.1", "clipping/fewer-than-the-bound", "Two of three allowed: the candidate's own count is the limit.", ["a a b"], [["a a a c"]], T1)
ruled("3.1", "clipping/more-than-the-bound", "Four said, three allowed.", ["a a a a b"], [["a a a c"]], T2)
ruled("3.1", "clipping/at-the-bound", "As many as allowed.", ["a a a b c"], [["a a a c"]], T2)
ruled("3.1", "clipping/trigram-repeated", "A trigram three times here and once there is credited once.", ["x y z x y z x y z"], [["x y z w"]], T3)
ruled("3.2", "clipping/two-halves", "Once in each of four references is a bound of one.", ["the the the the"], [["the a", "the b", "the c", "the d"]], T1)
ruled(
    "3.2",
    "clipping/bigram-in-three-references",
    "The same for a bigram in three references.",
    ["red car red car red car"],
    [["a red car", "the red car", "my red car"]],
    T2,
)
ruled("3.2", "clipping/equal-references", "The same reference twice is worth no more than once.", ["a a b b"], [["a b c", "a b c"]], T2)
ruled(
    "3.3", "clipping/second-reference-alone", "What the first reference lacks the second may have.", ["the small cat"], [["the large dog", "a small cat"]], T2
)
ruled("3.3", "clipping/richest-reference-last", "The largest count stands in the last reference.", ["no no no yes"], [["no yes", "no no", "no no no"]], T1)
ruled(
    "3.3",
    "clipping/other-reference-per-order",
    "Unigrams are all in the first reference, the bigrams in the second.",
    ["a b c d"],
    [["d c b a", "a b x c d"]],
    T2,
)
ruled(
    "3.3",
    "clipping/closest-is-not-the-bound",
    "The closest reference sets r alone; the bound may come from one of another length.",
    ["a a a b"],
    [["a b c d", "a a a b e f g h"]],
    T2,
)

# --- 4 Precision and sums -------------------------------------------------------------------------------------------
ruled("4.1", "precision/halves", "4/8, 2/7, 1/6, 0/5 are fractions with the candidate's totals below the line.", ["a b c x d y z w"], [["a b c d"]], T)
ruled("4.1", "precision/total-is-the-candidates", "The total is of the candidate, however long the reference.", ["a b"], [["a b c d e f g h"]], T2)
ruled(
    "4.2",
    "corpus-sums/long-and-short",
    "Nine of ten and none of one: the sum is 9/11, the mean of the two would be 9/20.",
    ["a b c d e f g h i x", "y"],
    [["a b c d e f g h i j"], ["z"]],
    {"max_order": 1},
)
ruled(
    "4.2",
    "corpus-sums/zero-in-one-segment",
    "One segment has no matching bigram, the corpus has some.",
    ["a b c d", "e x f"],
    [["a b c d"], ["f e"]],
    {"max_order": 2},
)
ruled(
    "4.2",
    "corpus-sums/three-qualities",
    "A good, a middling and a bad segment.",
    ["a b c d e f", "g h i x k l", "m y o z q"],
    [["a b c d e f"], ["g h i j k l"], ["m n o p q"]],
)
ruled(
    "4.2",
    "corpus-sums/in-another-order",
    "The same three segments in another order: the same sums.",
    ["m y o z q", "a b c d e f", "g h i x k l"],
    [["m n o p q"], ["a b c d e f"], ["g h i j k l"]],
)
ruled(
    "4.3",
    "corpus-sums/one-word-segments",
    "Four segments of one word have no bigrams and give the other segment's to the corpus.",
    ["a b c d e", "yes", "no", "yes", "so"],
    [["a b c d e"], ["yes"], ["no"], ["no"], ["so"]],
)
ruled(
    "4.3",
    "corpus-sums/no-segment-is-long-enough",
    "No segment has a 4-gram, so the corpus has none, though it has twelve words.",
    ["a b c", "d e f", "g h i", "j k l"],
    [["a b c"], ["d e f"], ["g h i"], ["j k l"]],
)

# --- 5 Reference length ---------------------------------------------------------------------------------------------
_X = [["x"] * k for k in range(20)]


def lengths(number: str, name: str, why: str, candidates: list[int], references: list[list[int]], **settings) -> None:
    """Only lengths matter: every token is x."""
    level = {} if len(candidates) > 1 else T
    ruled(
        number,
        f"reference-length/{name}",
        why,
        [_X[c] for c in candidates],
        [[_X[r] for r in group] for group in references],
        {**level, "max_order": 1, **settings},
    )


lengths("5.1", "closer-above", "10 is two away, 7 is one away: 7.", [8], [[10, 7]])
lengths("5.1", "closer-is-longer", "3 is three away, 8 is two away: 8, and a penalty.", [6], [[3, 8]])
lengths("5.1", "one-equal-among-many", "An equal length among five.", [9], [[4, 15, 9, 8, 10]])
lengths("5.1", "far-away-all", "All are longer; the shortest of them is closest.", [3], [[9, 7, 12]])
lengths("5.1", "all-shorter", "All are shorter; the longest of them is closest.", [9], [[4, 7, 2]])
lengths("5.2", "tie-of-two", "9 and 13 are two away from 11: 9.", [11], [[9, 13]])
lengths("5.2", "tie-listed-long-first", "The same tie with the longer one first.", [11], [[13, 9]])
lengths("5.2", "tie-among-four", "A tie of 4 and 6 among four lengths, the longer of the two first.", [5], [[9, 6, 1, 4]])
lengths("5.2", "tie-with-an-empty-one", "1 lies between 0 and 2: 0.", [1], [[2, 0]])
lengths("5.3", "sum-of-choices", "7 for 8 and 12 for 11: r is 19; closest to the sum of candidates, 19, would be 20 or 17.", [8, 11], [[10, 7], [7, 12]])
lengths("5.3", "ties-in-two-segments", "A tie in each segment, each to its shorter side.", [5, 9], [[4, 6], [12, 6]])
lengths("5.3", "one-reference-each", "With one reference a segment there is nothing to choose.", [4, 5, 6], [[7], [5], [2]])
lengths("5.4", "shortest-of-three", "shortest: 4, though 9 is the candidate's own length.", [9], [[9, 4, 12]], reference_length="shortest")
lengths("5.4", "shortest-per-segment", "shortest, segment by segment: 4 and 5.", [6, 6], [[7, 4], [5, 9]], reference_length="shortest")
lengths("5.4", "shortest-still-longer", "shortest: 8 for a candidate of 6 still costs.", [6], [[8, 11]], reference_length="shortest")
lengths("5.5", "average-whole", "average: 5 and 9 make 7.", [6], [[5, 9]], reference_length="average")
lengths("5.5", "average-thirds", "average: 5, 6 and 9 make 20/3.", [6], [[5, 6, 9]], reference_length="average")
lengths("5.5", "average-summed", "average: halves of two segments are added as fractions, 9/2 + 11/2.", [4, 5], [[4, 5], [5, 6]], reference_length="average")
lengths(
    "5.5", "average-not-rounded", "average: 13/2 against 6 costs exp(-1/12); rounded to 6 it would cost nothing.", [6], [[6, 7]], reference_length="average"
)

# --- 6 Brevity ------------------------------------------------------------------------------------------------------
lengths("6.1", "half", "c = 3, r = 6: exp(-1), where the linear form gives 1/2.", [3], [[6]])
lengths("6.1", "one-short-of-many", "c = 18, r = 19: exp(-1/18).", [18], [[19]])
lengths("6.1", "one-against-nineteen", "c = 1, r = 19: exp(-18), a very small number and not 0.", [1], [[19]])
lengths("6.2", "one-more", "One token more than r costs nothing by the penalty.", [7], [[6]])
lengths("6.2", "three-times-as-long", "Three times as long: the penalty stays 1 and never rises.", [18], [[6]])
lengths("6.3", "equal", "c = r = 7: exactly 1.", [7], [[7]])
lengths("6.3", "equal-in-sum", "One short and one long segment, c = r in the sum: exactly 1.", [5, 9], [[7], [7]])
lengths("6.4", "short-and-long", "One segment at half its length, one at twice: the sums are 18 and 18, no penalty.", [6, 12], [[12], [6]])
lengths("6.4", "short-and-equal", "One short segment of three: exp(1 - 21/18) of the sums.", [4, 7, 7], [[7], [7], [7]])

# --- 7 The score ----------------------------------------------------------------------------------------------------
ruled("7.1", "combination/geometric", "1 and 1/4: the geometric mean is 1/2, the arithmetic one 5/8.", ["a b d c e"], [["a b e c d"]], T2)
ruled(
    "7.1",
    "combination/penalty-and-mean",
    "A penalty and four precisions below 1.",
    ["the cat sat on a red mat"],
    [["the cat sat on the red mat over there"]],
    T,
)
ruled("7.1", "combination/fifth-root", "Five orders: a fifth root.", ["a b c d e f g x"], [["a b c d e f g h"]], {**T, "max_order": 5})
ruled("7.1", "combination/ten-orders", "Ten orders of a long text.", ["a b c d e f g h i j k l m"], [["a b c d e f g h i j k l n"]], {**T, "max_order": 10})
ruled("7.2", "weights/four-if-nothing-is-said", "Nothing said: four orders, a quarter each.", ["a b c d e x"], [["a b c d e f"]], T)
ruled("7.2", "weights/two-orders-halves", "Two orders said, no weights: a half each.", ["a b x d"], [["a b c d"]], T2)
ruled("7.3", "weights/quarter-and-rest", "One quarter and three quarters.", ["a b x d"], [["a b c d"]], {**T2, "weights": ["1/4", "3/4"]})
ruled(
    "7.3", "weights/other-way-round", "The same weights the other way round give another score.", ["a b x d"], [["a b c d"]], {**T2, "weights": ["3/4", "1/4"]}
)
ruled("7.3", "weights/sevenths", "Weights that no decimal writes.", ["a b c d x f"], [["a b c d e f"]], {**T3, "weights": ["1/7", "2/7", "4/7"]})
ruled("7.4", "weights/last-order-alone", "All weight on the bigrams.", ["a b x d"], [["a b c d"]], {**T2, "weights": ["0", "1"]})
ruled("7.4", "weights/zero-in-the-middle", "The second order matches nothing and weighs nothing.", ["a x b y"], [["a b c d"]], {**T2, "weights": ["1", "0"]})
ruled(
    "7.4",
    "weights/zero-on-absent-orders",
    "Two tokens; the orders that they lack weigh nothing.",
    ["a b"],
    [["a b"]],
    {**T, "weights": ["1/2", "1/2", "0", "0"]},
)
ruled(
    "7.4",
    "weights/zero-on-absent-orders-in-a-corpus",
    "The same over two segments, one with an error.",
    ["a b", "c x"],
    [["a b"], ["c d"]],
    {"weights": ["1/2", "1/2", "0", "0"]},
)

# --- 8 Zeros --------------------------------------------------------------------------------------------------------
ruled("8.1", "zero-order/last-order", "Three orders match, the fourth does not: 0.", ["a b c x e f"], [["a b c d e f"]], T)
ruled("8.1", "zero-order/no-match-at-all", "No token is right.", ["a b c d e"], [["v w x y z"]], T)
ruled(
    "8.1",
    "zero-order/long-text",
    "Eleven right words in the wrong order: one missing order is enough for 0.",
    ["k j i h g f e d c b a"],
    [["a b c d e f g h i j k"]],
    T,
)
ruled(
    "8.1",
    "zero-order/small-weight",
    "The order that matches nothing weighs one hundredth: 0 all the same.",
    ["a x b y"],
    [["a b c d"]],
    {**T2, "weights": ["99/100", "1/100"]},
)
ruled("8.1", "zero-order/corpus", "No segment of the corpus has a matching 4-gram.", ["a b c x", "d e f y"], [["a b c z"], ["d e f z"]])
ruled("8.2", "short-candidate/three-right-tokens", "Three right tokens of three: no 4-gram, score 0.", ["a b c"], [["a b c"]], T)
ruled(
    "8.2",
    "short-candidate/exp-does-not-help",
    "Exponential smoothing is for orders that match nothing, not for absent ones.",
    ["a b c"],
    [["a b c"]],
    {**T, "smooth": "exp"},
)
ruled("8.2", "short-candidate/higher-order", "Five tokens and six orders.", ["a b c d e"], [["a b c d e"]], {**T, "max_order": 6})
ruled("8.2", "short-candidate/length-does-not-help", "Nor does the method by length.", ["a b"], [["a b"]], {**T, "smooth": "length"})
ruled(
    "8.3",
    "effective-order/three-tokens",
    "Three tokens of four: order 4 is dropped, the penalty stays.",
    ["a b c"],
    [["a b c d"]],
    {**T, "effective_order": True},
)
ruled(
    "8.3",
    "effective-order/zero-stays",
    "Four tokens without a matching 4-gram: the order exists and is not dropped.",
    ["a b c x"],
    [["a b c d"]],
    {**T, "effective_order": True},
)
ruled("8.3", "effective-order/nothing-to-drop", "Long enough: effective order changes nothing.", ["a b c d x"], [["a b c d e"]], {**T, "effective_order": True})
ruled("8.3", "effective-order/with-exp", "One order dropped, one smoothed.", ["a x c"], [["a b c"]], {**T, "effective_order": True, "smooth": "exp"})
ruled(
    "8.3",
    "effective-order/in-a-corpus",
    "In a corpus an order is dropped only if no segment has it: here one has.",
    ["a b", "c d e f"],
    [["a b"], ["c d e f"]],
    {"effective_order": True},
)
ruled("8.3", "effective-order/corpus-of-short-ones", "Here none has, and two orders remain.", ["a b", "c x"], [["a b"], ["c d"]], {"effective_order": True})
ruled("8.3", "effective-order/empty-candidate", "Nothing said, every order is absent: 0.", [""], [["a b c"]], {**T, "effective_order": True})
ruled(
    "8.4",
    "effective-order/uneven-weights",
    "Weights 1/2, 1/4, 1/8, 1/8 of which two remain: 2/3 and 1/3.",
    ["a b"],
    [["a c b"]],
    {**T, "effective_order": True, "smooth": "exp", "weights": ["1/2", "1/4", "1/8", "1/8"]},
)
ruled(
    "8.4",
    "effective-order/three-of-four",
    "Three orders remain of four and weigh a third each.",
    ["a b x"],
    [["a b c"]],
    {**T, "effective_order": True, "smooth": "floor", "smooth_value": "0.5"},
)
for _name, _value in (("exp", None), ("length", None), ("average", None), ("average-length", None), ("interpolate", None), ("add-one-all", None)):
    ruled("8.5", f"smoothing/no-unigram/{_name}", f"No right word under {_name}: 0.", ["a b c d e f"], [["u v w x y z"]], {**T, "smooth": _name})
ruled(
    "8.5",
    "smoothing/no-unigram/effective-order",
    "No right word, floor and effective order together: 0.",
    ["a b"],
    [["x y"]],
    {**T, "smooth": "floor", "effective_order": True},
)

# --- 9 Smoothing ----------------------------------------------------------------------------------------------------
TEXTS = {  # name → candidate, references, what it is about
    "two-zeros": (["the cat has sat upon one mat"], [["the cat sat on a mat"]], "one bigram is right and nothing longer, so two orders match nothing"),
    "one-zero": (["a b c x e f g"], [["a b c d e f g"]], "only the fourth order matches nothing"),
    "no-zero": (["a b c d e x g h"], [["a b c d e f g h"]], "every order matches something"),
    "three-zeros": (["d c b a x"], [["a b c d"]], "all words, no bigram, so three orders match nothing"),
    "short": (["a b"], [["a c b"]], "two tokens, so two orders do not exist"),
    "perfect": (["a b c d e f"], [["a b c d e f"]], "candidate and reference are equal"),
    "corpus": (["a b x d", "e f", "g h i j k"], [["a b c d"], ["e g"], ["g h i y k"]], "three segments, smoothed once by their sums"),
}
METHODS = {
    "floor": ("9.1", "floor", None, ("two-zeros", "one-zero", "three-zeros", "corpus", "no-zero")),
    "floor-of-a-hundredth": ("9.1", "floor", "0.01", ("two-zeros",)),
    "floor-of-one": ("9.1", "floor", "1", ("three-zeros",)),
    "floor-of-nothing": ("9.1", "floor", "0", ("one-zero",)),
    "add-k": ("9.2", "add-k", None, ("two-zeros", "no-zero", "three-zeros", "short", "perfect", "corpus")),
    "add-a-tenth": ("9.2", "add-k", "0.1", ("two-zeros",)),
    "add-three": ("9.2", "add-k", "3", ("one-zero",)),
    "exp": ("9.3", "exp", None, ("two-zeros", "one-zero", "three-zeros", "no-zero", "corpus")),
    "length": ("9.4", "length", None, ("two-zeros", "one-zero", "three-zeros", "no-zero", "corpus")),
    "length-k-ten": ("9.4", "length", "10", ("two-zeros",)),
    "average": ("9.5", "average", None, ("two-zeros", "one-zero", "three-zeros", "no-zero")),
    "interpolate": ("9.6", "interpolate", None, ("two-zeros", "one-zero", "three-zeros", "no-zero", "perfect", "corpus")),
    "interpolate-a-one": ("9.6", "interpolate", "1", ("no-zero",)),
    "average-length": ("9.7", "average-length", None, ("two-zeros", "one-zero", "three-zeros", "no-zero")),
    "average-length-k-ten": ("9.7", "average-length", "10", ("three-zeros",)),
    "add-one-all": ("9.8", "add-one-all", None, ("two-zeros", "no-zero", "short", "perfect", "corpus")),
}
for _method, (_number, _smooth, _value, _names) in METHODS.items():
    for _name in _names:
        _candidates, _references, _about = TEXTS[_name]
        _said = {} if len(_candidates) > 1 else dict(T)
        _said |= {"smooth": _smooth} | ({} if _value is None else {"smooth_value": _value})
        _with = f" with the value {_value}" if _value is not None else ""
        ruled(_number, f"smoothing/{_method}/{_name}", f"{_smooth}{_with}: {_about}.", _candidates, _references, _said)
ruled(
    "9.5",
    "smoothing/average/short-effective",
    "average with effective order: two tokens, order 3 adds nothing to the mean of order 2.",
    *TEXTS["short"][:2],
    {**T, "smooth": "average", "effective_order": True},
)
ruled(
    "9.7",
    "smoothing/average-length/three-tokens-perfect",
    "average-length: an absent order counts 0 and not a small number, else order 3 of an equal text would pass 1.",
    ["so it is"],
    [["so it is"]],
    {**T, "smooth": "average-length", "effective_order": True},
)
ruled(
    "9.9",
    "smoothing/sums/exp-counts-orders-of-the-sum",
    "Each segment lacks another order; their sum lacks only the fourth, so exp begins there.",
    ["a b x", "c y d z e"],
    [["a b c"], ["c d e"]],
    {"smooth": "exp"},
)
ruled(
    "9.9",
    "smoothing/sums/add-k-once",
    "One is added to the sums, not to every segment.",
    ["a b", "c d", "e x"],
    [["a b"], ["c d"], ["e f"]],
    {"max_order": 2, "smooth": "add-k"},
)
ruled(
    "9.9",
    "smoothing/absent/floor",
    "floor: an order without n-grams stays absent, and effective order drops it.",
    ["a x"],
    [["a b"]],
    {**T, "smooth": "floor", "effective_order": True},
)
ruled(
    "9.9",
    "smoothing/absent/add-k-makes-one",
    "add-k: an absent order becomes (0 + 1)/(0 + 1), so it exists and is right.",
    ["a b"],
    [["a b"]],
    {**T, "smooth": "add-k"},
)
ruled(
    "9.9",
    "smoothing/absent/add-k-of-nothing",
    "add-k of 0 adds nothing, so the order stays absent.",
    ["a b"],
    [["a b"]],
    {**T, "smooth": "add-k", "smooth_value": "0"},
)
ruled(
    "9.9",
    "smoothing/absent/interpolate",
    "interpolate: an absent order stays absent, whatever the orders below suggest.",
    ["a b"],
    [["a b"]],
    {**T, "smooth": "interpolate", "effective_order": True},
)

# --- 10 Empty and absent --------------------------------------------------------------------------------------------
ruled(
    "10.1",
    "empty/one-of-three-candidates",
    "One of three segments says nothing: its reference counts in r.",
    ["a b c d", "", "e f g h"],
    [["a b c d"], ["x y"], ["e f g h"]],
)
ruled("10.1", "empty/no-tokens-given", "An empty list of tokens is an empty candidate.", [[]], [[["a", "b"]]], T2)
ruled("10.1", "empty/all-empty-both-sides", "Two empty candidates against empty references: 0, and not a perfect score.", ["", ""], [[""], [""]])
ruled("10.1", "empty/exp", "Nothing said, smoothing on: 0.", [""], [["a b c d"]], {**T, "smooth": "exp"})
ruled(
    "10.1",
    "empty/mean",
    "In a mean of sentence scores the empty segment is a 0 among the others.",
    ["a b", ""],
    [["a b"], ["c d"]],
    {"level": "mean", "max_order": 2},
)
ruled("10.2", "empty/reference-of-none", "An empty list of tokens as the only reference: penalty 1, no match.", [["a", "b"]], [[[]]], T2)
ruled(
    "10.2", "empty/reference-is-closest", "Between an empty reference and one of five tokens the empty one is closer to two.", ["a b"], [["a b c d e", ""]], T2
)
ruled("10.2", "empty/reference-in-a-corpus", "An empty reference of one segment adds 0 to r.", ["a b c", "d e"], [[""], ["d e f"]], {"max_order": 2})
ruled("10.2", "empty/reference-shortest", "shortest: the empty reference is the shortest.", ["a b"], [["a b c", ""]], {**T2, "reference_length": "shortest"})
ruled(
    "10.2",
    "empty/reference-average",
    "average: an empty reference of length 0 lowers the mean to 3/2.",
    ["a"],
    [["a b c", ""]],
    {**T1, "reference_length": "average"},
)
ruled("10.3", "absent/two-of-three", "Two annotators of three wrote nothing for this segment.", ["a b c"], [[None, "a b d", None]], T2)
ruled("10.3", "absent/first-of-each", "null at different places.", ["a b c", "d e f"], [[None, "a b c"], ["d e g", None]], {"max_order": 2})
ruled("10.3", "absent/tokens", "null among lists of tokens.", [["a", "b"]], [[None, ["a", "c", "d"]]], T2)
ruled("10.3", "absent/average", "average: null has no length; the mean is 4 and not 2.", ["a b c"], [["a b c d", None]], {**T2, "reference_length": "average"})
ruled("10.3", "absent/shortest", "shortest: null is not a reference of length 0.", ["a b"], [["a b c", None]], {**T2, "reference_length": "shortest"})
ruled(
    "10.4",
    "absent/one-two-three",
    "One reference, two, and three.",
    ["a b c", "d e f", "g h i"],
    [["a b c"], ["d e x", "d y f"], ["g h", "h i", "g i"]],
    {"max_order": 2},
)
ruled(
    "10.4",
    "absent/more-references-later",
    "The last segment has four references, the first one.",
    ["a b", "c d"],
    [["a x"], ["c", "d", "c d e", "d c"]],
    {"max_order": 2},
)
ruled(
    "10.5",
    "absent/blank-as-absent",
    "A blank reference is absent when that is asked for: r is 4.",
    ["a b"],
    [["", "a b c d"]],
    {**T2, "blank_references": "absent"},
)
ruled("10.5", "absent/spaces-as-absent", "A reference of spaces is blank.", ["a b"], [["   ", "a b c d"]], {**T2, "blank_references": "absent"})
ruled(
    "10.5",
    "absent/blank-as-empty",
    "If it is not asked for, the blank reference has length 0 and the tie goes to it.",
    ["a b"],
    [["", "a b c d"]],
    {**T2, "blank_references": "empty"},
)
ruled(
    "10.5",
    "absent/blank-candidate-stays",
    "A blank candidate is a segment, also where blank references are absent.",
    ["", "a b"],
    [["c d", ""], ["a b", ""]],
    {"max_order": 2, "blank_references": "absent"},
)

# --- 11 Levels and scale --------------------------------------------------------------------------------------------
_PAIR = (["a b c d e", "f g"], [["a b c d x"], ["f h"]])
ruled("11.1", "levels/pair-corpus", "Two segments: the corpus score, of BLEU-2.", *_PAIR, {"max_order": 2})
ruled("11.1", "levels/pair-mean", "The same: the mean of the two sentence scores, one of which is 0.", *_PAIR, {"level": "mean", "max_order": 2})
ruled("11.1", "levels/pair-mean-smoothed", "The mean with exponential smoothing in each sentence.", *_PAIR, {"level": "mean", "max_order": 2, "smooth": "exp"})
ruled(
    "11.1",
    "levels/pair-mean-effective",
    "The mean of four orders with effective order in each sentence.",
    ["a b c d e", "f g"],
    [["a b c d e"], ["f g"]],
    {"level": "mean", "effective_order": True},
)
ruled("11.2", "scale/half", "One half is 0.5 and not 50.", ["a b"], [["a c"]], T1)
ruled("11.2", "scale/tiny", "A score far below one hundredth.", ["a x y z w v"], [["a b c d e f g h i j k l m n o p q r"]], {**T, "smooth": "exp"})
ruled(
    "11.3",
    "scale/perfect-tenths",
    "Exactly 1 under ten weights of a tenth.",
    ["a b c d e f g h i j k"],
    [["a b c d e f g h i j k"]],
    {**T, "max_order": 10},
    exactly=True,
)
ruled(
    "11.3",
    "scale/perfect-three-references",
    "Exactly 1 against one of three references.",
    ["one two three four five"],
    [["one two", "one two three four five", "five four"]],
    T,
    exactly=True,
)
ruled(
    "11.3",
    "scale/perfect-smoothed",
    "Exactly 1 under exponential smoothing, which finds nothing to do.",
    ["one two three four five"],
    [["one two three four five"]],
    {**T, "smooth": "exp"},
    exactly=True,
)

# --- 14 What is refused ---------------------------------------------------------------------------------------------


def refused(number: str, name: str, why: str, kind: str, candidates=None, references=None, data=None, **settings) -> None:
    if data is None:
        first = candidates[0] if isinstance(candidates, list) and candidates else ""
        data = {"candidates": candidates, "references": references, "tokenized": isinstance(first, list)}
    our(f"errors/{name}", "errors", why, data=data, settings=settings, error=kind, rule=number)


_OK = (["a b c d"], [["a b c d"]])
refused("14.1", "empty-corpus-with-references", "No candidate, and a reference too many.", "empty-corpus", [], [["a b c d"]])
refused("14.2", "no-references", "One candidate and no references at all.", "length-mismatch", ["a b c d"], [])
refused("14.2", "tokens-fewer-references", "Three candidates in tokens and references for two.", "length-mismatch", [["a"], ["b"], ["c"]], [[["a"]], [["b"]]])
refused(
    "14.2",
    "two-annotators-of-three-segments",
    "Two candidates, and two lists of three: neither layout fits, and one list too few.",
    "length-mismatch",
    ["a b", "c d", "e f", "g h"],
    [["a b", "c d", "e f"], ["a x", "c x", "e x"]],
)
refused(
    "14.3",
    "flat-references-one",
    "One candidate and one text where a list of texts belongs: letters are no references.",
    "flat-references",
    ["a b c d"],
    ["a b c d"],
)
refused(
    "14.3", "flat-references-mixed", "One segment's references are a list, the next one's a bare text.", "flat-references", ["a b", "c d"], [["a b"], "c d"]
)
refused("14.4", "one-annotator", "One list of three references for three candidates.", "transposed-references", ["a b", "c d", "e f"], [["a b", "c d", "e f"]])
refused(
    "14.4",
    "four-annotators",
    "Four lists of two for two candidates.",
    "transposed-references",
    ["a b", "c d"],
    [["a b", "c d"], ["a x", "c x"], ["a y", "c y"], ["a z", "c z"]],
)
refused("14.5", "text-for-references", "One text where the list of lists of references belongs.", "string-for-list", ["a b c d"], "a b c d")
refused("14.6", "number-as-candidate", "A number is no segment.", "segment-type", [5], [["5"]])
refused("14.6", "number-as-reference", "A number is no reference.", "segment-type", ["5"], [[5]])
refused("14.6", "object-as-candidate", "A record with a text inside is no text.", "segment-type", [{"text": "a b"}], [["a b"]])
refused("14.6", "true-as-candidate", "A truth value is no segment.", "segment-type", [True], [["a"]])
refused("14.6", "tokens-too-deep", "Lists of lists of tokens, one level too deep.", "segment-type", [[["a", "b"]]], [[[["a", "b"]]]])
refused("14.6", "null-token", "null is no token.", "segment-type", [["a", None]], [[["a", "b"]]])
refused("14.6", "references-as-a-record", "References by name have no order of segments.", "segment-type", ["a b"], {"first": ["a b"]})
refused("14.7", "null-for-the-list", "null where the list of references of a segment belongs.", "missing-reference", ["a b", "c d"], [["a b"], None])
refused(
    "14.7",
    "all-blank-under-absent",
    "Only blank references, and blank ones are to be absent: none is left.",
    "missing-reference",
    ["a b"],
    [["", " "]],
    blank_references="absent",
)
refused("14.8", "tokens-against-text", "Tokens on one side and text on the other.", "mixed-segments", [["a", "b"]], [["a b"]])
refused("14.8", "mixed-candidates", "One candidate is text and the next tokens.", "mixed-segments", ["a b", ["c", "d"]], [["a b"], ["c d"]])
refused("14.8", "mixed-references", "Two references of one segment, text and tokens.", "mixed-segments", ["a b"], [["a b", ["a", "b"]]])
refused("14.9", "no-weights", "An empty list of weights.", "weights", *_OK, weights=[])
refused("14.9", "weights-all-zero", "Weights that are all 0.", "weights", *_OK, max_order=2, weights=["0", "0"])
refused("14.9", "weights-nearly-one", "Fractions that sum to 1 less a millionth.", "weights", *_OK, max_order=2, weights=["1/2", "499999/1000000"])
refused("14.9", "weights-too-many", "Three weights for two orders.", "weights", *_OK, max_order=2, weights=["1/3", "1/3", "1/3"])
refused("14.9", "weight-above-one", "A weight of 2 and one of -1 sum to 1 and are no distribution.", "weights", *_OK, max_order=2, weights=["2", "-1"])
refused("14.10", "order-negative", "An order below 0.", "order", *_OK, max_order=-1)
refused("14.11", "nltk-smoothing", "A smoothing by the name that another program uses.", "unknown-name", *_OK, smooth="method3")
refused("14.11", "tokenizer-in-capitals", "Names are spelled as they are: 13A is not 13a.", "unknown-name", *_OK, tokenize="13A")
refused("14.11", "longest-reference", "There is no rule of the longest reference.", "unknown-name", *_OK, reference_length="longest")
refused("14.11", "unknown-blank-reading", "Blank references are empty or absent, and nothing else.", "unknown-name", *_OK, blank_references="skip")
refused(
    "14.12", "floor-above-one", "A floor of three halves would reward an order without a match.", "smoothing-value", *_OK, smooth="floor", smooth_value="1.5"
)
refused("14.12", "none-with-a-value", "No smoothing takes no value.", "smoothing-value", *_OK, smooth="none", smooth_value="0.1")
refused("14.12", "average-with-a-value", "average takes no value.", "smoothing-value", *_OK, smooth="average", smooth_value="3")
refused("14.12", "length-of-zero", "K = 0 would divide by zero.", "smoothing-value", *_OK, smooth="length", smooth_value="0")
refused("14.12", "add-one-all-with-a-value", "add-one-all adds one and nothing else.", "smoothing-value", *_OK, smooth="add-one-all", smooth_value="2")


def statistics(c: int, r: int, matched: list[int], total: list[int]) -> dict:
    return {"statistics": {"candidate_length": c, "reference_length": r, "matched": matched, "total": total}}


refused("14.13", "matched-above-total", "Five matches of four n-grams.", "statistics", data=statistics(4, 4, [5, 3], [4, 3]), level="statistics", max_order=2)
refused("14.13", "orders-missing", "Two matched counts and one total.", "statistics", data=statistics(4, 4, [4, 3], [4]), level="statistics", max_order=2)
refused("14.14", "unknown-form", "NFD is no form that can be asked for.", "settings", *_OK, normalize="NFD")
refused("14.14", "unknown-case", "Case is kept, lowercased, or lowercased in ASCII; upper is none of these.", "settings", *_OK, lowercase="upper")

# --- Where traditions differ ----------------------------------------------------------------------------------------


def asked(name: str, clause: str, why: str, data: dict | tuple, settings: dict, traditions: dict, provenance: dict) -> None:
    """A question of our own; each tradition with the way its value came about."""
    if isinstance(data, tuple):
        candidates, references = data
        data = {"candidates": candidates, "references": references, "tokenized": True}
    disputed(f"disputed/{name}", clause, "tradition", why, traditions, input=data, settings=settings, said=provenance, file="traditions")


def nltk(key: str) -> dict:
    return {"record": ["nltk", key]}


def sacre(key: str) -> dict:
    return {"record": ["sacrebleu", key]}


def w(text: str) -> list[str]:
    return text.split()


EXACT = "computed in exact arithmetic from the published rule"
RUN_NLTK = "run: NLTK 3.10.4"
RUN_SACRE = "run: sacreBLEU 2.6.0"
RULE_NMT = "computed from the rule of tensorflow/nmt's bleu.py: shortest reference, add-one on every order when smoothing, counts over the corpus"
RULE_TM = "computed from the rule of torchmetrics 1.9: of two lengths equally close the one listed first; add-one from order 2 on when smoothing"
RULE_MTEVAL = "computed from the rule of mteval-v13a.pl"

_LENGTHS = (w("a b c d e f"), [w("a b c"), w("a b c d e f g")])
asked(
    "reference-length",
    "reference-length",
    "A candidate of 6 tokens, references of 3 and 7: closest is 7, shortest 3, average 5.",
    ([_LENGTHS[0]], [_LENGTHS[1]]),
    {**T},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("reference-length"),
        "nltk": nltk("reference-length"),
        "mteval": {"settings": {}},
        "mteval-12": {"settings": {"reference_length": "shortest"}},
        "nmt": {"settings": {"reference_length": "shortest"}},
        "torchmetrics": {"settings": {}},
        "average": {"settings": {"reference_length": "average"}},
    },
    {
        "paper": EXACT,
        "sacrebleu": RUN_SACRE,
        "nltk": RUN_NLTK,
        "mteval": RULE_MTEVAL,
        "mteval-12": EXACT,
        "nmt": RULE_NMT,
        "torchmetrics": RULE_TM,
        "average": EXACT,
    },
)


def _first_listed(oracle, data, settings):
    """The first listed of two lengths equally close."""
    stats = oracle.statistics(data["candidates"], data["references"], 4)
    c = stats.c
    r = min((len(reference) for reference in data["references"][0]), key=lambda length: abs(length - c))
    return oracle.score(oracle.Statistics(c, Fraction(r), stats.matched, stats.total))


asked(
    "tie-of-lengths",
    "reference-length",
    "A candidate of 5 tokens, references of 6 and then 4: both are one away.",
    ([w("a b c d e")], [[w("a b c d e f"), w("a b c d")]]),
    {**T},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("tie-of-lengths"),
        "nltk": nltk("tie-of-lengths"),
        "mteval": {"settings": {}},
        "torchmetrics": {"value": _first_listed},
    },
    {
        "paper": EXACT + "; the paper does not settle ties, the shorter is mteval's",
        "sacrebleu": RUN_SACRE,
        "nltk": RUN_NLTK,
        "mteval": RULE_MTEVAL,
        "torchmetrics": RULE_TM,
    },
)
asked(
    "order-without-a-match",
    "zero-order",
    "The paper's poor translation against one reference, no smoothing: an order matches nothing.",
    (
        [w("it is to insure the troops forever hearing the activity guidebook that party direct")],
        [[w("it is a guide to action that ensures that the military will forever heed party commands")]],
    ),
    {**T},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("order-without-a-match"),
        "nltk": nltk("order-without-a-match"),
        "mteval": {"settings": {}},
        "nltk-2016": {"settings": {}, "switches": {"skip_zero_orders": True}},
    },
    {
        "paper": EXACT,
        "sacrebleu": RUN_SACRE,
        "nltk": RUN_NLTK,
        "mteval": RULE_MTEVAL + " without smoothing",
        "nltk-2016": "computed: orders without a match left out of the sum",
    },
)


def _nmt_smoothed(oracle, data, settings):
    """One added to every order, whatever matches; the shortest reference."""
    stats = oracle.statistics(data["candidates"], data["references"], 4, "shortest")
    return oracle.power_mean([(p, Fraction(1, 4)) for p in oracle.smoothed(stats, "add-one-all")], oracle.penalty_exponent(stats.c, stats.r))


asked(
    "smoothing-without-a-unigram",
    "smoothing",
    "No word is right, and smoothing is asked for: add-one from the bigrams on, or on every order.",
    ([w("a b c d e")], [[w("v w x y z")]]),
    {**T, "smooth": "add-k", "smooth_value": "1"},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("smoothing-without-a-unigram"),
        "nltk": nltk("smoothing-without-a-unigram"),
        "nmt": {"value": _nmt_smoothed},
    },
    {"paper": EXACT, "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "nmt": RULE_NMT},
)


def _mteval_short(oracle, data, settings):
    """Absent orders add a log term of 0 and are still counted in N."""
    stats = oracle.statistics(data["candidates"], data["references"], 4)
    pairs = [(Fraction(m, t) if t else Fraction(1), Fraction(1, 4)) for m, t in zip(stats.matched, stats.total, strict=True)]
    return oracle.power_mean(pairs, oracle.penalty_exponent(stats.c, stats.r))


asked(
    "candidate-shorter-than-four",
    "short-candidate",
    "Three tokens, all right: order 4 does not exist.",
    ([w("a b c")], [[w("a b c d")]]),
    {**T},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("candidate-shorter-than-four"),
        "sacrebleu-effective-order": sacre("candidate-shorter-than-four-effective"),
        "nltk": nltk("candidate-shorter-than-four"),
        "mteval": {"value": _mteval_short},
    },
    {
        "paper": EXACT,
        "sacrebleu": RUN_SACRE,
        "sacrebleu-effective-order": RUN_SACRE,
        "nltk": RUN_NLTK,
        "mteval": RULE_MTEVAL + ": the log of an absent order is 0, N stays 4",
    },
)
asked(
    "two-right-tokens",
    "short-candidate",
    "Two tokens, both right, and exponential smoothing: orders 3 and 4 are absent, and mteval still divides by four.",
    ([w("a b")], [[w("a c b")]]),
    {**T, "smooth": "exp"},
    {
        "sacrebleu": sacre("two-right-tokens"),
        "sacrebleu-effective-order": sacre("two-right-tokens-effective"),
        "mteval": {
            "value": lambda oracle, data, settings: oracle.power_mean([(Fraction(1), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 4))], Fraction(-1, 2))
        },
    },
    {"sacrebleu": RUN_SACRE, "sacrebleu-effective-order": RUN_SACRE, "mteval": RULE_MTEVAL + ": the log of an absent order is 0, N stays 4"},
)
asked(
    "weight-zero-and-no-match",
    "weights",
    "The bigrams match nothing and weigh nothing.",
    ([w("a x b y")], [[w("a b c d")]]),
    {**T2, "weights": ["1", "0"]},
    {"paper": {"settings": {}}, "nltk": nltk("weight-zero-and-no-match")},
    {"paper": EXACT, "nltk": RUN_NLTK},
)
asked(
    "identical-corpus-with-a-short-segment",
    "corpus-sums",
    "A corpus equal to its references, with a segment of two words.",
    ([w("a b c d e"), w("f g")], [[w("a b c d e")], [w("f g")]]),
    {},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("identical-corpus-with-a-short-segment"),
        "nltk": nltk("identical-corpus-with-a-short-segment"),
        "nmt": {"settings": {"reference_length": "shortest"}},
    },
    {"paper": EXACT, "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "nmt": RULE_NMT},
)
asked(
    "add-one",
    "smoothing",
    "Add-one smoothing: from the bigrams on, or on every order.",
    ([w("the cat sat on mats")], [[w("the cat sat on the mat")]]),
    {**T, "smooth": "add-k", "smooth_value": "1"},
    {"paper": {"settings": {}}, "sacrebleu": sacre("add-one"), "nltk": nltk("add-one"), "nmt": {"settings": {"smooth": "add-one-all"}}},
    {"paper": EXACT + " (Lin & Och)", "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "nmt": RULE_NMT},
)
asked(
    "add-one-and-an-absent-order",
    "smoothing",
    "Add-one where orders 3 and 4 do not exist: (0 + 1)/(0 + 1), or (0 + 1)/(1 + 1).",
    ([w("a b")], [[w("a b")]]),
    {**T, "smooth": "add-k", "smooth_value": "1"},
    {"paper": {"settings": {}}, "sacrebleu": sacre("add-one-and-an-absent-order"), "nltk": nltk("add-one-and-an-absent-order")},
    {"paper": EXACT + " (Lin & Och)", "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK},
)
asked(
    "exp-smoothing",
    "smoothing",
    "Exponential smoothing: here the traditions agree.",
    ([w("a b x c d y")], [[w("a b z c d")]]),
    {**T, "smooth": "exp"},
    {"paper": {"settings": {}}, "sacrebleu": sacre("exp-smoothing"), "nltk": nltk("exp-smoothing"), "mteval": {"settings": {}}},
    {"paper": EXACT + " (Chen & Cherry)", "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "mteval": RULE_MTEVAL},
)
for _number, _smooth in ((4, "length"), (5, "average"), (6, "interpolate"), (7, "average-length")):
    _text = "the cat has sat upon one mat" if _number != 6 else "a b c d e x g h"
    _reference = "the cat sat on a mat" if _number != 6 else "a b c d e f g h"
    asked(
        f"method-{_number}-with-zeros" if _number != 6 else "method-6-one-reference",
        "smoothing",
        f"Chen and Cherry's method {_number}"
        + (" on a text of which two orders match nothing." if _number != 6 else " on a text of which every order matches something."),
        ([w(_text)], [[w(_reference)]]),
        {**T, "smooth": _smooth},
        {"paper": {"settings": {}}, "nltk": nltk(f"method-{_number}")},
        {"paper": EXACT, "nltk": RUN_NLTK},
    )
asked(
    "empty-candidate",
    "empty",
    "Nothing said, against a reference of four tokens.",
    ([[]], [[w("a b c d")]]),
    {**T},
    {"paper": {"settings": {}}, "sacrebleu": sacre("empty-candidate"), "nltk": nltk("empty-candidate")},
    {"paper": EXACT + ", with penalty 0", "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK},
)
asked(
    "corpus-or-mean",
    "levels",
    "Two segments: the score of the sums, or the mean of the two scores.",
    ([w("a b c d e f g h"), w("p q r s x")], [[w("a b c d e f g h")], [w("p q r s t")]]),
    {},
    {"paper": {"settings": {}}, "sacrebleu": sacre("corpus-or-mean"), "nltk": nltk("corpus-or-mean"), "mean-of-sentences": {"settings": {"level": "mean"}}},
    {"paper": EXACT, "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "mean-of-sentences": EXACT},
)
asked(
    "case",
    "case",
    "A capital at the start, nothing said about case.",
    {"candidates": ["The cat sat on the mat"], "references": [["the cat sat on the mat"]], "tokenized": False},
    {**T},
    {"paper": {"settings": {"lowercase": True}}, "sacrebleu": sacre("case"), "nltk": nltk("case"), "mteval": {"settings": {"lowercase": True}}},
    {"paper": EXACT + "; the paper folds case", "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK + " on text.split()", "mteval": RULE_MTEVAL + " without -c"},
)
asked(
    "form-of-the-penalty",
    "brevity",
    "Six of eight tokens, all right: exp(1 - 8/6), or 6/8 as one textbook prints it.",
    ([w("a b c d e f")], [[w("a b c d e f g h")]]),
    {**T},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("form-of-the-penalty"),
        "nltk": nltk("form-of-the-penalty"),
        "textbook-linear": {"settings": {}, "switches": {"linear": True}},
    },
    {"paper": EXACT, "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "textbook-linear": EXACT + ", min(1, c/r); an erratum"},
)


def _torchmetrics_smooth(oracle, data, settings):
    """Any order without a match makes the score 0 before smoothing is looked at."""
    stats = oracle.statistics(data["candidates"], data["references"], 4)
    return Fraction(0) if 0 in stats.matched else oracle.score(stats, smooth="add-k")


asked(
    "smoothing-asked-and-an-order-without-a-match",
    "smoothing",
    "Add-one is asked for and an order matches nothing: it is smoothed, or the score is 0 before smoothing is reached.",
    ([w("a b c x e f")], [[w("a b c d e f")]]),
    {**T, "smooth": "add-k", "smooth_value": "1"},
    {
        "paper": {"settings": {}},
        "sacrebleu": sacre("smoothing-asked-and-an-order-without-a-match"),
        "nltk": nltk("smoothing-asked-and-an-order-without-a-match"),
        "torchmetrics": {"value": _torchmetrics_smooth},
    },
    {"paper": EXACT, "sacrebleu": RUN_SACRE, "nltk": RUN_NLTK, "torchmetrics": RULE_TM + "; its 0 comes first (its issue 3504)"},
)
