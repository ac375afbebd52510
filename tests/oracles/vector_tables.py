"""What the vectors are made of, by hand: clauses, sources, and for each vector its id, its reason, and the digits that were printed.

`make_vectors.py` turns these tables into bleu_lit/vectors/v1. A row of `PUBLISHED` names the published example that it takes its
input from; `OURS` holds inputs of our own, or transcribed from a source that the published examples lack.
"""

from fractions import Fraction

CLAUSES = {
    "n-grams": "The n-grams of a text are its windows of n consecutive tokens; occurrences may overlap.",
    "clipping": "An n-gram earns at most as many matches as its largest count within one reference.",
    "precision": "The modified precision is matched over total, order by order.",
    "corpus-sums": "Over a corpus, matched, total and lengths are summed first, and divided once.",
    "reference-length": "Each segment takes the reference length closest to its own; a tie goes to the shorter; other rules have names.",
    "brevity": "A corpus shorter than its reference length r pays exp(1 - r/c); a longer one pays nothing.",
    "combination": "The score is the brevity penalty times the weighted geometric mean of the precisions.",
    "weights": "Weights are a probability distribution over the orders; an order of weight 0 does not take part.",
    "zero-order": "Without smoothing the score is exactly 0 as soon as an order with weight matches nothing.",
    "short-candidate": "An order of which the candidate has no n-grams makes the score 0, unless effective order is asked for.",
    "effective-order": "Effective order drops exactly the orders that have no candidate n-grams, and shares out their weight.",
    "smoothing": "A named smoothing changes the precisions by its formula; nothing is smoothed when no unigram matches.",
    "empty": "An empty candidate scores 0 with penalty 0; an empty reference is a reference of length 0.",
    "absent-references": "Segments may have different numbers of references; null is an absent one, not an empty one.",
    "levels": "Corpus score, sentence score and mean of sentence scores are three quantities.",
    "case": "Case is kept unless lowercasing is asked for.",
    "tokens": "A named tokenizer gives the tokens of the tool that the name comes from.",
    "scale": "Scores lie in [0, 1]; a perfect one is exactly 1.",
    "worked-example": "A whole calculation, every figure of which was printed.",
    "errors": "Input that has no score is refused.",
}

_PAPER = "Papineni, Roukos, Ward & Zhu (2002), BLEU: a Method for Automatic Evaluation of Machine Translation, ACL P02-1040"
SOURCES = {
    "paper": (_PAPER, "", "read"),
    "nltk": ("NLTK 3.10.4, docstrings of nltk/translate/bleu_score.py", "", "read"),
    "nltk-2016": ("NLTK, documentation of January 2016 to 2017 (pull request 1238)", "sentence_bleu, second candidate", "read"),
    "nltk-old": ("NLTK, documentation up to version 3.5", "SmoothingFunction.method2", "recalled"),
    "mteval": ("NIST mteval-v13a.pl and mteval-v14.pl, comments in the scripts", "", "read"),
    "koehn": ("Koehn (2010), Statistical Machine Translation, chapter 8, figure on computing BLEU", "", "mirror"),
    "lecture": ("Lecture notes on the airport example of Koehn (2010)", "exam notes, third part", "read"),
    "gunman": ("Course exercise with a sentence about a gunman, in several public repositories", "comment beside the call", "read"),
    "google": ("Google Cloud AutoML Translation, documentation page on evaluating models", "worked example with NASA's rover", "recalled"),
    "coursera": ("DeepLearning.AI, Sequence Models, lecture on BLEU", "table of bigrams", "mirror"),
    "coursera-notes": ("Public notes on the DeepLearning.AI lecture, run with NLTK", "sentence_bleu", "read"),
    "d2l": ("Zhang, Lipton, Li & Smola, Dive into Deep Learning, section 10.7", "", "read"),
    "doshi": ("Doshi, Foundations of NLP Explained: BLEU Score and WER", "", "mirror"),
    "cs224n-zh": ("Stanford CS224N, assignment 4, Chinese to English, question on BLEU", "", "derived"),
    "cs224n-es": ("Stanford CS224N, assignment 4, Spanish to English, question on BLEU", "", "derived"),
    "notes": ("Public course notes on machine translation, chapter on BLEU", "BLEU-2 by hand", "read"),
    "torchmetrics": ("torchmetrics 1.9, documentation of bleu_score", "", "read"),
    "torchmetrics-tests": ("torchmetrics, unit tests of bleu_score", "", "read"),
    "torchtext": ("torchtext, unit tests and documentation of bleu_score", "", "read"),
    "torchtext-old": ("torchtext, documentation before issue 727", "example of bleu_score", "read"),
    "sacrebleu": ("sacreBLEU 2.6.0, test/test_bleu.py", "", "read"),
    "sacrebleu-issues": ("sacreBLEU, issue tracker", "", "read"),
    "sockeye": ("awslabs/sockeye, unit tests of 2017 and 2018", "raw_corpus_bleu, floor 0.01", "read"),
    "evaluate": ("Hugging Face evaluate, README files of the metrics", "", "read"),
    "bleuscore": ("bleuscore (Rust), unit tests in bleu.rs", "", "read"),
    "fastbleu": ("fast-bleu (C++), README", "", "read"),
    "smooth-bleu": ("cshanbo/Smooth_BLEU, README", "", "read"),
    "wikipedia-en": ("English Wikipedia, article BLEU", "", "recalled"),
    "article-sets": ("Encyclopaedia article on BLEU, Spanish translation of the English one", "", "read"),
    "wikipedia-es": ("Spanish Wikipedia, article BLEU", "", "read"),
    "wikipedia-de": ("German Wikipedia, article BLEU, section with a worked example", "", "read"),
    "brownlee": ("Brownlee, A Gentle Introduction to Calculating the BLEU Score for Text in Python", "", "recalled"),
    "eight-the": ("A course notebook that repeats the paper's second example with one word more", "", "recalled"),
    "kolena": ("Kolena, documentation page on the BLEU metric", "", "read"),
    "nmt": ("tensorflow/nmt, issue 450", "", "derived"),
    "sltev": ("ELITR/SLTev, issue 4", "", "derived"),
    "nltk-issues": ("NLTK, issue tracker", "", "derived"),
    "ibleu": ("Issues on Chinese text in fairseq, iBLEU and lm-evaluation-harness", "", "derived"),
    "mt-compareval": ("MT-ComparEval, issues 5 and 43", "", "derived"),
    "torchmetrics-issue": ("torchmetrics, issue 3504", "", "derived"),
    "ours": ("The bleu_lit authors", "numbers by exact arithmetic, tests/oracles/exact_bleu.py", "own"),
}

PUBLISHED: list[dict] = []
OURS: list[dict] = []
DISPUTED: list[dict] = []
LEFT_OUT = {"wiki-de-synthetic": "sentences of our own satisfy the same figures and read better"}


def pub(row: str, name: str, clause: str, source: str, why: str, published=(), **more) -> None:
    """A vector whose input is a published example's."""
    PUBLISHED.append({"row": row, "id": f"bleu/{name}", "clause": clause, "source": source, "why": why, "published": list(published), **more})


def our(name: str, clause: str, why: str, candidates=None, references=None, source: str = "ours", data: dict | None = None, **more) -> None:
    """A vector with an input written here: text, or tokens if the first candidate is a list."""
    if data is None:
        data = {"candidates": candidates, "references": references, "tokenized": isinstance(candidates[0], list)}
    OURS.append({"id": f"bleu/{name}", "clause": clause, "source": source, "why": why, "input": data, **more})


def score(printed: str, rounding: str = "rounded", scale: int = 1, **more) -> dict:
    return {"score": {"printed": printed, "rounding": rounding, "scale": scale, **more}}


def penalty(printed: str, rounding: str = "rounded", **more) -> dict:
    return {"brevity_penalty": {"printed": printed, "rounding": rounding, **more}}


# --- The paper ------------------------------------------------------------------------------------------------------
_P = ["precisions"]
pub(
    "papineni-c1-lower",
    "papineni-2002/candidate-1-lowercased",
    "precision",
    "paper",
    "The paper's good translation, with case folded as the paper does: seventeen of eighteen words are found.",
    _P,
    where="sections 2.1 and 2.1.1, example 1",
)
pub(
    "papineni-c1-as-given",
    "papineni-2002/candidate-1",
    "precision",
    "paper",
    "The same translation with its capitals kept; the two figures happen not to change.",
    _P,
    where="sections 2.1 and 2.1.1, example 1",
)
pub(
    "papineni-c2-lower",
    "papineni-2002/candidate-2-lowercased",
    "precision",
    "paper",
    "The paper's poor translation, case folded: eight of fourteen words, but only one bigram.",
    _P,
    where="sections 2.1 and 2.1.1, example 1",
)
pub(
    "papineni-c2-as-given",
    "papineni-2002/candidate-2",
    "precision",
    "paper",
    "The poor translation with its capitals kept gives the same two figures.",
    _P,
    where="sections 2.1 and 2.1.1, example 1",
)
pub(
    "papineni-the7",
    "papineni-2002/seven-the",
    "clipping",
    "paper",
    "Seven times one word earns two matches, the most that a single reference has, and not one bigram.",
    _P,
    where="section 2.1, example 2",
    printed_as="2/7 unigrams; 0 for the bigrams, of which there are six; 7/7 without clipping",
)
pub(
    "papineni-of-the",
    "papineni-2002/of-the",
    "precision",
    "paper",
    "Two words that stand together in a reference have perfect precisions, so precision alone cannot see what is missing.",
    _P,
    where="section 2.2, example 3",
)
pub(
    "papineni-bp-12-15-17",
    "papineni-2002/lengths-12-15-17",
    "reference-length",
    "paper",
    "One reference of the candidate's own length is enough for penalty 1, whatever the others measure.",
    ["reference_length", "brevity_penalty"],
    where="section 2.2.2",
    printed={**penalty("1.0")},
)
pub(
    "papineni-ex4-c1",
    "papineni-2002/all-synonyms-at-once",
    "clipping",
    "paper",
    "A candidate that lists every synonym finds each of its words in some reference: several references must not be a licence to enumerate.",
    [],
    where="section 2.2.1, example 4; no figure printed",
    provenance="derived",
)
pub(
    "papineni-ex4-c2",
    "papineni-2002/one-synonym",
    "combination",
    "paper",
    "The shorter candidate is the better translation, and equals one reference, so every order is complete.",
    [],
    where="section 2.2.1, example 4; no figure printed",
    provenance="derived",
)

# --- NLTK's documentation -------------------------------------------------------------------------------------------
_S = ["score"]
pub(
    "nltk-c1",
    "nltk/candidate-1",
    "combination",
    "nltk",
    "The paper's good translation under four orders and three references, a figure repeated in dozens of tutorials.",
    _S,
    where="sentence_bleu",
    printed=score("0.5045", "truncated"),
)
pub(
    "nltk-c2",
    "nltk/candidate-2",
    "zero-order",
    "nltk",
    "The poor translation shares no trigram with any reference: the score is 0, and not a very small number.",
    _S,
    where="sentence_bleu",
    printed=score("0.0"),
    printed_as="0.0, after rounding to 4 places in the docstring",
)
pub(
    "nltk-c2-method1",
    "nltk/candidate-2-floor",
    "smoothing",
    "nltk",
    "The floor 0.1 stands in for the two orders without a match.",
    _S,
    where="sentence_bleu with method1, epsilon 0.1",
    settings={"smooth": "floor", "smooth_value": "0.1"},
    printed=score("0.0370", "truncated"),
)
pub(
    "nltk-2016-c2",
    "nltk/candidate-2-of-2016",
    "zero-order",
    "nltk-2016",
    "For two years the documented value came from leaving the empty orders out of the mean; by definition it is 0.",
    [],
    erratum={
        "stage": "score",
        "printed": "0.39692877231857493",
        "rounding": "float64",
        "switches": {"skip_zero_orders": True},
        "reason": "orders without a match were dropped from the sum, with their weights lost",
    },
)
pub(
    "nltk-5gram",
    "nltk/candidate-1-five-orders",
    "weights",
    "nltk",
    "Five orders with weight 1/5 each.",
    _S,
    where="sentence_bleu, weights 1/5",
    printed=score("0.3920", "truncated"),
)
for _n, _text in (("2", "0.7453"), ("3", "0.6240"), ("4", "0.5045")):
    pub(
        "nltk-multi-weights",
        f"nltk/candidate-1-bleu-{_n}",
        "weights",
        "nltk",
        f"One text under several lengths of the weight vector: uniform over {_n} orders.",
        _S,
        where="sentence_bleu with a list of weight vectors",
        settings={"max_order": int(_n)},
        printed=score(_text, "truncated"),
    )
pub(
    "nltk-corpus",
    "nltk/two-sentences-corpus",
    "corpus-sums",
    "nltk",
    "Two sentences with three references and one: counts are summed before anything is divided.",
    _S,
    where="corpus_bleu",
    printed=score("0.5920", "truncated"),
)
pub(
    "nltk-mean-sentence",
    "nltk/two-sentences-mean",
    "levels",
    "nltk",
    "The mean of the two sentence scores is another number than the corpus score of the same text.",
    _S,
    where="mean of sentence_bleu",
    printed=score("0.6223", "truncated"),
)
pub(
    "nltk-weights-nonuniform",
    "nltk/weights-1-3-5-1",
    "weights",
    "nltk",
    "Unequal weights, in tenths.",
    _S,
    where="corpus_bleu, weights (0.1, 0.3, 0.5, 0.1)",
    settings={"weights": ["1/10", "3/10", "1/2", "1/10"]},
    printed=score("0.5818", "truncated"),
)
for _w, _text, _name in (
    (["1/2", "1/2"], "0.8242", "two"),
    (["333/1000", "333/1000", "334/1000"], "0.7067", "three"),
    (["1/4"] * 4, "0.5920", "four"),
    (["1/5"] * 5, "0.4719", "five"),
):
    pub(
        "nltk-weights-list",
        f"nltk/corpus-weights-{_name}",
        "weights",
        "nltk",
        f"The same corpus under {_name} weights" + (", rounded by hand so that they still sum to 1." if _name == "three" else "."),
        _S,
        where="corpus_bleu with a list of weight vectors",
        settings={"max_order": len(_w), "weights": _w},
        printed=score(_text, "truncated"),
    )
_METHODS = {
    "nltk-smooth-method0": (
        {},
        "0.4118",
        "unsmoothed",
        "One reference only, every order matches something: the plain score, to hold the smoothed ones against.",
    ),
    "nltk-smooth-method1": ({"smooth": "floor", "smooth_value": "0.1"}, "0.4118", "floor", "A floor changes nothing where no order is empty."),
    "nltk-smooth-method2": (
        {"smooth": "add-k", "smooth_value": "1"},
        "0.4452",
        "add-one",
        "One is added to matched and total from the bigrams on, and not to the unigrams.",
    ),
    "nltk-smooth-method3": ({"smooth": "exp"}, "0.4118", "exp", "Exponential smoothing changes nothing where no order is empty."),
}
for _row, (_settings, _text, _name, _why) in _METHODS.items():
    pub(
        _row,
        f"nltk/one-reference-{_name}",
        "smoothing",
        "nltk",
        _why,
        _S,
        where="SmoothingFunction, first reference alone",
        settings=_settings,
        printed=score(_text, "truncated"),
    )
pub(
    "nltk-old-method2",
    "nltk/one-reference-add-one-all",
    "smoothing",
    "nltk-old",
    "Adding one to the unigrams too gives another number; it is a method of its own and needs its own name.",
    _S,
    settings={"smooth": "add-one-all"},
    printed=score("0.4489", "truncated"),
    printed_as="0.4489 under the name method2, which today is add-one from the bigrams on (0.4452)",
)
_B = ["brevity_penalty"]
pub(
    "nltk-bp-12-28-28",
    "nltk/lengths-12-28-28",
    "brevity",
    "nltk",
    "Twelve tokens against twenty-eight: the penalty alone.",
    _B,
    where="brevity_penalty",
    printed=penalty("0.2635971381157267", "float64"),
)
pub(
    "nltk-bp-12-13-2",
    "nltk/lengths-12-13-2",
    "reference-length",
    "nltk",
    "The closest length is 13, and the much shorter reference does not lower it.",
    _B,
    where="brevity_penalty",
    printed=penalty("0.9200", "truncated"),
)
pub(
    "nltk-bp-12-13-11",
    "nltk/lengths-12-13-11",
    "reference-length",
    "nltk",
    "13 and 11 are equally close to 12; the shorter is taken, so there is no penalty.",
    _B,
    where="brevity_penalty",
    printed=penalty("1.0"),
)
pub(
    "nltk-bp-7-11-8",
    "nltk/lengths-7-11-8",
    "brevity",
    "nltk",
    "Seven tokens against the closer eight.",
    _B,
    where="brevity_penalty, after a comment in mteval-v13a.pl",
    printed=penalty("0.8668", "truncated"),
)
pub(
    "nltk-bp-7-11-8-6-7",
    "nltk/lengths-7-11-8-6-7",
    "reference-length",
    "nltk",
    "Among four lengths the equal one wins.",
    _B,
    where="brevity_penalty, after a comment in mteval-v13a.pl",
    printed=penalty("1.0"),
)

# --- mteval ---------------------------------------------------------------------------------------------------------
_A = [["a"] * k for k in range(18)]
for _refs, _r in (([11], 11), ([11, 8], 8), ([11, 8, 6], 6)):
    pub(
        "mteval-closest-steps",
        "mteval/lengths-7-" + "-".join(map(str, _refs)),
        "reference-length",
        "mteval",
        f"References met one by one, step {len(_refs)}: the running choice is {_r}" + (", for 8 and 6 are equally close to 7." if _r == 6 else "."),
        ["reference_length"],
        where="brevity_penalty_closest",
        input={"candidates": [_A[7]], "references": [[_A[k] for k in _refs]], "tokenized": True},
        settings={"max_order": 1, "level": "sentence"},
    )
pub(
    "mteval-exp-smoothing",
    "mteval/exp-counts",
    "smoothing",
    "mteval",
    "The k-th order without a match gets the count 1/2^k over its own total; k counts the empty orders, not the order's number.",
    ["smoothed_precisions"],
    where="bleu_score; NLTK's docstring of method3 repeats it",
    input={"candidates": [["a", "b", "x", "c", "y"]], "references": [[["a", "b"]]], "tokenized": True},
    settings={"smooth": "exp", "level": "sentence"},
    provenance="derived",
    printed_as="counts 2, 1, 1/2, 1/4 for orders 1 to 4; the sentence is ours",
)

# --- Textbooks, lectures, documentation pages -------------------------------------------------------------------------
_LINEAR = {"linear": True}
pub(
    "koehn-A",
    "koehn-2010/system-a",
    "zero-order",
    "koehn",
    "Three of six words and one bigram, but nothing longer: the score is 0.",
    ["precisions", "score"],
    printed=score("0", scale=100),
    printed_as="brevity factor 6/7, from the linear form min(1, c/r)",
)
pub(
    "koehn-B",
    "koehn-2010/system-b",
    "brevity",
    "koehn",
    "The precisions are right; the percentage printed beside them needs a linear brevity factor, which BLEU does not have.",
    _P,
    erratum={"stage": "score", "printed": "52", "scale": 100, "switches": _LINEAR, "reason": "min(1, c/r) = 6/7 was used in place of exp(1 - 7/6)"},
)
pub(
    "lecture-bp-linear",
    "koehn-2010/lecture-linear",
    "brevity",
    "lecture",
    "A perfect but short candidate shows the brevity factor alone: the linear form gives 4/7, the definition exp(-3/4).",
    [],
    erratum={"stage": "score", "printed": "0.5714", "switches": _LINEAR, "reason": "min(1, c/r) was used in place of exp(1 - r/c)"},
)
pub(
    "lecture-bp-exp",
    "koehn-2010/lecture-exponential",
    "brevity",
    "lecture",
    "The same notes give the exponential penalty too, and there it is the whole score.",
    ["brevity_penalty", "score"],
    printed={**penalty("0.4724"), **score("0.4724")},
)
pub(
    "gunman-linear",
    "gunman/one-word-short",
    "brevity",
    "gunman",
    "One word short of nine: the linear factor 8/9 and exp(-1/8) differ in the third digit, enough to be seen.",
    [],
    erratum={
        "stage": "score",
        "printed": "0.6801",
        "rounding": "truncated",
        "switches": _LINEAR,
        "reason": "min(1, c/r) was used in place of exp(1 - r/c); the digits were cut, not rounded",
    },
)
pub(
    "google-nasa-c1",
    "google-automl/rover-1",
    "zero-order",
    "google",
    "Good words and a shared phrase, but no four words in a row.",
    ["precisions", "brevity_penalty", "score"],
    printed={**penalty("0.83"), **score("0.0")},
)
pub(
    "google-nasa-c2",
    "google-automl/rover-2",
    "worked-example",
    "google",
    "A table of four precisions, the penalty and the score, the example that many test suites copied.",
    ["precisions", "brevity_penalty", "score"],
    printed={**penalty("0.83"), **score("0.27")},
)
pub(
    "coursera-dlai-bigrams",
    "coursera/bigram-table",
    "clipping",
    "coursera",
    "A bigram that stands twice in the candidate and once in each reference counts once.",
    ["precisions", "matched"],
    printed_as="4/6 for the bigrams",
)
pub(
    "coursera-nltk-bleu4",
    "coursera/bleu-4",
    "combination",
    "coursera-notes",
    "The lecture's sentence carried through to the score.",
    _S,
    printed=score("0.4671379777282001", "float64"),
)
pub("d2l-precisions", "d2l/five-letters", "precision", "d2l", "Letters as tokens: one repeated letter spoils one match at each order.", _P)
pub(
    "d2l-bp",
    "d2l/two-letters",
    "brevity",
    "d2l",
    "Two of six tokens: the penalty alone. The book weighs order n by 1/2^n, which is no distribution, so only these figures of it are BLEU's.",
    ["precisions", "brevity_penalty"],
    printed=penalty("0.14"),
)
pub(
    "doshi-guard",
    "doshi/guard",
    "precision",
    "doshi",
    "Five words agree from the start of the sentence; every order loses the same tail.",
    ["precisions", "brevity_penalty"],
    printed=penalty("1"),
)
pub("doshi-clip", "doshi/he-he-he", "clipping", "doshi", "A word said three times is credited once, and the credit may come from either reference.", _P)
_H = ["1/2", "1/2"]
pub(
    "cs224n-zh-c1",
    "cs224n-zh/candidate-1",
    "reference-length",
    "cs224n-zh",
    "11 is closer to 9 than 6 is, so a penalty is due; answers with r = 6 go round.",
    ["candidate_length", "reference_length", "precisions", "score"],
    where="both references, first candidate",
    settings={"weights": _H},
    printed=score("0.327"),
    erratum={
        "stage": "score",
        "printed": "0.408",
        "settings": {"reference_length": "shortest"},
        "switches": {},
        "reason": "a student's solution took the shortest reference (r = 6) and so no penalty",
    },
)
pub(
    "cs224n-zh-c2",
    "cs224n-zh/candidate-2",
    "precision",
    "cs224n-zh",
    "Six words that all occur, three of five bigrams; a circulating answer counts two.",
    ["candidate_length", "reference_length", "precisions", "score"],
    where="both references, second candidate",
    settings={"weights": _H},
    printed=score("0.775"),
    erratum={"stage": "precisions", "printed": "2/5", "true": "3/5", "reason": "a student's solution missed one bigram"},
)
pub(
    "cs224n-zh-c1-r2only",
    "cs224n-zh/candidate-1-one-reference",
    "precision",
    "cs224n-zh",
    "With the long reference gone the first candidate loses nothing and escapes the penalty.",
    [],
    where="second reference alone, first candidate",
    settings={"weights": _H},
)
pub(
    "cs224n-zh-c2-r2only",
    "cs224n-zh/candidate-2-one-reference",
    "precision",
    "cs224n-zh",
    "With one reference the ranking of the two candidates turns round.",
    [],
    where="second reference alone, second candidate",
    settings={"weights": _H},
)
pub(
    "cs224n-es-c1",
    "cs224n-es/candidate-1",
    "reference-length",
    "cs224n-es",
    "Lengths 6 and 4 tie around 5; the shorter is taken and BP is 1.",
    ["precisions", "brevity_penalty", "score"],
    where="first candidate",
    settings={"weights": _H},
    printed={**penalty("1"), **score("0.5477")},
)
pub(
    "cs224n-es-c2",
    "cs224n-es/candidate-2",
    "combination",
    "cs224n-es",
    "The second candidate scores higher by one more matching word.",
    ["precisions", "brevity_penalty", "score"],
    where="second candidate",
    settings={"weights": _H},
    printed={**penalty("1"), **score("0.6325")},
)
pub(
    "notes-the-the-cat",
    "course-notes/the-the-cat",
    "combination",
    "notes",
    "5/6 and 3/5 multiply to one half, so the score is its square root.",
    ["precisions", "brevity_penalty", "score"],
    printed={**penalty("1"), **score("0.707")},
)

# --- Other libraries' tests and documentation ---------------------------------------------------------------------------
pub(
    "torchmetrics-doc",
    "torchmetrics/documentation",
    "combination",
    "torchmetrics",
    "The candidate lacks one word of one reference; the closer length is its own.",
    _S,
    printed=score("0.7598"),
)
pub(
    "torchmetrics-no4gram",
    "torchmetrics/three-tokens",
    "short-candidate",
    "torchmetrics-tests",
    "Three tokens have no 4-gram; the score is 0 although all that is there is right.",
    _S,
    printed=score("0.0"),
)
pub("torchtext-full", "torchtext/equal-to-a-reference", "combination", "torchtext", "Equal to one of two references of equal length.", _S, printed=score("1.0"))
pub("torchtext-no4", "torchtext/three-tokens", "short-candidate", "torchtext", "One token too few for an order that has weight.", _S, printed=score("0.0"))
pub(
    "torchtext-partial",
    "torchtext/one-token-short",
    "brevity",
    "torchtext",
    "All precisions are 1, and one token of five is missing: the score is the penalty exp(-1/4).",
    _S,
    printed=score("0.7788007", "float32"),
)
pub(
    "torchtext-bigram",
    "torchtext/bleu-2",
    "combination",
    "torchtext",
    "Two orders, a gap in the middle, and a penalty.",
    _S,
    printed=score("0.5066641", "float32"),
)
pub(
    "torchtext-multi",
    "torchtext/two-segments",
    "corpus-sums",
    "torchtext",
    "The second segment matches nothing and lowers only the unigrams and bigrams, the orders that it has.",
    _S,
    printed=score("0.8408964276313782", "float32"),
)
pub(
    "torchtext-long4",
    "torchtext/three-segments",
    "corpus-sums",
    "torchtext",
    "Three segments, one without any match.",
    _S,
    printed=score("0.4573199", "float32"),
)
pub("torchtext-long2", "torchtext/three-segments-bleu-2", "weights", "torchtext", "The same corpus at two orders.", _S, printed=score("0.5119535", "float32"))
pub(
    "torchtext-long1",
    "torchtext/three-segments-bleu-1",
    "weights",
    "torchtext",
    "The same corpus at one order: precision and penalty only.",
    _S,
    printed=score("0.5515605", "float32"),
)
pub("torchtext-empty", "torchtext/both-empty", "empty", "torchtext", "Nothing against nothing scores 0.", _S, printed=score("0.0"))
pub(
    "torchtext-old-doc",
    "torchtext/documentation-before-issue-727",
    "zero-order",
    "torchtext-old",
    "No four words in a row are shared, so the documented 0.7598 was never the function's output.",
    [],
    erratum={"stage": "score", "printed": "0.7598356856515925", "reason": "the number belongs to another example; the function returned 0"},
)
_X = {"smooth": "exp"}
pub(
    "sacrebleu-readme-13a",
    "sacrebleu/dog-13a",
    "worked-example",
    "sacrebleu",
    "The example of sacreBLEU's README with its usual tokenizer: full stops split off, the contraction whole.",
    _S,
    where="README example, two references",
    settings={"tokenize": "13a", **_X},
    tokens="row",
    printed=score("48.530827", scale=100),
)
pub(
    "sacrebleu-readme-none",
    "sacrebleu/dog-none",
    "tokens",
    "sacrebleu",
    "The same sentences split at white space alone: words keep their full stops.",
    _S,
    where="README example, two references",
    settings={"tokenize": "none", **_X},
    tokens="row",
    printed=score("49.1919566", "truncated", scale=100),
)
pub(
    "sacrebleu-readme-intl",
    "sacrebleu/dog-intl",
    "tokens",
    "sacrebleu",
    "The same sentences with Unicode punctuation split: the contraction becomes three tokens.",
    _S,
    where="README example, two references",
    settings={"tokenize": "intl", **_X},
    tokens="row",
    printed=score("43.91623493", scale=100),
)
for _n, _text in ((1, "77.65"), (2, "60.50"), (3, "53.93"), (4, "48.53"), (5, "46.14"), (6, "43.28")):
    pub(
        f"sacrebleu-readme-order{_n}",
        f"sacrebleu/dog-order-{_n}",
        "weights",
        "sacrebleu",
        f"Orders up to {_n}, uniform weights, on one small corpus.",
        _S,
        where="test_bleu_max_order",
        settings=_X,
        printed=score(_text, scale=100),
    )
pub(
    "sacrebleu-readme-empty-hyps",
    "sacrebleu/three-empty-candidates",
    "empty",
    "sacrebleu",
    "A system that says nothing gets 0; its empty lines are segments and must not be dropped.",
    _S,
    settings=_X,
    printed=score("0.0", scale=100),
)
_F = {"smooth": "floor", "smooth_value": "0.01", "effective_order": True}
pub(
    "sacrebleu-raw-nomatch",
    "sacrebleu/floor-no-match",
    "smoothing",
    "sacrebleu",
    "Without one matching unigram no floor may lift the score from 0.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("0.0"),
)
pub(
    "sacrebleu-raw-same",
    "sacrebleu/floor-identical",
    "effective-order",
    "sacrebleu",
    "Four equal tokens: every order is there and complete.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("1.0"),
)
pub(
    "sacrebleu-raw-fest",
    "sacrebleu/floor-last-word",
    "smoothing",
    "sacrebleu",
    "The last word differs, so the one 4-gram is lost and the floor 0.01 takes its place.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("0.223606797749979", "float64"),
)
pub(
    "sacrebleu-raw-eff-test",
    "sacrebleu/effective-one-token",
    "effective-order",
    "sacrebleu",
    "One matching token of two: orders 2 to 4 are dropped, and the penalty exp(-1) remains.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("0.3678794411714425", "float64"),
)
pub(
    "sacrebleu-raw-eff-same",
    "sacrebleu/effective-two-tokens",
    "effective-order",
    "sacrebleu",
    "Two equal tokens score 1 when the orders that cannot exist are dropped.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("1.0"),
)
pub(
    "sacrebleu-raw-eff-little",
    "sacrebleu/effective-and-floor",
    "effective-order",
    "sacrebleu",
    "Three tokens: order 4 cannot exist and is dropped, orders 2 and 3 exist without a match and get the floor.",
    _S,
    where="raw_corpus_bleu",
    settings=_F,
    printed=score("0.03218297948685433", "float64"),
)
pub(
    "sacrebleu-offset",
    "sacrebleu/character-sequence-floor",
    "smoothing",
    "sacrebleu",
    "Matched 4, 2, 1, 0: only the last order needs the floor.",
    ["matched", "total", "score"],
    settings={"smooth": "floor", "smooth_value": "0.1"},
    printed=score("0.1555722182", "truncated"),
)
pub(
    "sacrebleu-offset",
    "sacrebleu/character-sequence",
    "zero-order",
    "sacrebleu",
    "The same sentence without smoothing.",
    ["matched", "total", "score"],
    settings={"smooth": "none"},
    printed=score("0"),
)
pub(
    "sacrebleu-stats",
    "sacrebleu/from-statistics",
    "combination",
    "sacrebleu",
    "A score from integers alone, without any text.",
    _S,
    where="compute_bleu",
    printed=score("0.8375922397"),
)
_DEGENERATE = {
    1: ("0", "No match, an empty candidate side, totals all the same: 0, and no division by zero."),
    2: ("0", "A floor of 0 is no floor, and the last order has no n-grams."),
    3: ("0", "Nothing anywhere."),
    4: ("0", "A floor of 0 leaves the empty fourth order at 0."),
    5: ("0.1", "Nothing anywhere, and a floor that has nothing to stand on."),
    6: ("0.01", "Lengths without any n-gram: a floor cannot lift an order that does not exist."),
}
for _k, (_value, _why) in _DEGENERATE.items():
    pub(
        f"sacrebleu-degenerate-{_k}",
        f"sacrebleu/degenerate-statistics-{_k}",
        "smoothing" if _k in (4, 6) else "empty",
        "sacrebleu",
        _why,
        _S,
        where="degenerate statistics",
        settings={"smooth": "floor", "smooth_value": _value},
        printed=score("0.0"),
    )
pub(
    "hf-bleu-2refs",
    "evaluate/shortest-reference",
    "reference-length",
    "evaluate",
    "Under the rule of the shortest reference r is 6; with the closest it would be 7. Here the score is 1 either way.",
    ["candidate_length", "reference_length", "score"],
    where="bleu",
    settings={"reference_length": "shortest"},
    printed=score("1.0"),
)
pub(
    "hf-bleu-1ref",
    "evaluate/one-reference",
    "combination",
    "evaluate",
    "Two segments equal to their references; the second is too short for a 4-gram, which takes nothing away.",
    _S,
    where="bleu",
    printed=score("1.0"),
)
pub(
    "hf-sacrebleu",
    "evaluate/ankh-morpork",
    "worked-example",
    "evaluate",
    "Ragged lengths, two references each: matched, total, lengths, penalty and score were all printed.",
    ["matched", "total", "candidate_length", "reference_length", "brevity_penalty", "score"],
    where="sacrebleu",
    settings=_X,
    printed={**penalty("1.0"), **score("39.76353643835252", "float64", scale=100)},
)
pub(
    "bleuscore-yellow",
    "bleuscore/yellow-world",
    "smoothing",
    "bleuscore",
    "One added to matched and total at every order, the unigrams included.",
    ["smoothed_precisions", "score"],
    settings={"smooth": "add-one-all"},
    printed=score("0.668740304976422", "float64"),
    printed_as="precisions 0.8, 0.75, 0.6666666666666666, 0.5",
)
pub(
    "bleuscore-multiref-clip",
    "bleuscore/bound-is-no-sum",
    "clipping",
    "bleuscore",
    "Two references with the word once each do not make two: the bound is the largest count in one reference.",
    _P,
    printed_as="0.5",
)
for _c, _refs, _r in ((4, [3, 4], 4), (4, [3, 5], 3), (4, [6, 2, 5], 5)):
    pub(
        "bleuscore-closest",
        f"bleuscore/lengths-{_c}-" + "-".join(map(str, _refs)),
        "reference-length",
        "bleuscore",
        {4: "An equal length wins.", 3: "A tie between 3 and 5 goes to 3.", 5: "5 is one away, 2 and 6 are two away."}[_r],
        ["reference_length"],
        where="test_closest_ref_len",
        input={"candidates": [_A[_c]], "references": [[_A[k] for k in _refs]], "tokenized": True},
        settings={"max_order": 1, "level": "sentence"},
    )
_E = {"smooth": "floor", "smooth_value": "0.1"}
for _seg, _pair in enumerate((("0.7453559924999299", "0.6240726901657495"), ("0.0191380231127159", "0.013720869575946234"))):
    for _n, _text in zip((2, 3), _pair, strict=True):
        pub(
            "fastbleu-bleu",
            f"fast-bleu/sentence-{_seg + 1}-bleu-{_n}",
            "smoothing" if _seg else "weights",
            "fastbleu",
            (
                "A sentence against references of another text: few words match, and the floor does the rest"
                if _seg
                else "The paper's sentence again, in another program"
            )
            + f", {_n} orders.",
            _S,
            where="BLEU, eps 0.1",
            segment=_seg,
            settings={"max_order": _n, **_E},
            printed=score(_text, "float32" if _n == 3 else "float64", tolerance="2e-8" if _n == 3 else "1e-12"),
            **({"printed_as": "weights of 1/3 travel as 32-bit floats there"} if _n == 3 else {}),
        )
for _seg, _pair in enumerate(
    (("0.25819888974716115", "0.07808966062765045"), ("0.3615507630310936", "0.20140620205719248"), ("0.37080992435478316", "0.21415334758254043"))
):
    for _n, _text in zip((2, 3), _pair, strict=True):
        pub(
            "fastbleu-selfbleu",
            f"fast-bleu/self-{_seg + 1}-bleu-{_n}",
            "levels",
            "fastbleu",
            f"Self-BLEU holds each sentence against all the others: reference {_seg + 1} of the paper as candidate, {_n} orders.",
            _S,
            where="SelfBLEU, eps 0.1",
            segment=_seg,
            settings={"max_order": _n, **_E},
            printed=score(_text, "float32" if _n == 3 else "float64", tolerance="2e-8" if _n == 3 else "1e-12"),
        )
pub(
    "smooth-bleu-readme",
    "smooth-bleu/readme",
    "zero-order",
    "smooth-bleu",
    "Two of three words, no bigram: a printed 90.36 came from leaving the empty orders out.",
    [],
    printed_as="66.7/0.0/0.0/0.0",
    erratum={
        "stage": "score",
        "printed": "90.36",
        "scale": 100,
        "switches": {"skip_zero_orders": True},
        "reason": "orders without a match, or without n-grams, were dropped from the sum",
    },
)
pub(
    "wiki-en-the7",
    "wikipedia-en/seven-the",
    "clipping",
    "wikipedia-en",
    "The paper's example as an encyclopaedia repeats it, unigrams alone.",
    _P,
    printed_as="7/7 without clipping, 2/7 with it",
)
pub(
    "wiki-en-the-the-cat",
    "wikipedia-en/the-the-cat",
    "clipping",
    "wikipedia-en",
    "Three words that all count, since one reference has the article twice; of two bigrams one exists.",
    _P,
    printed_as="3/3 for the unigrams, 1/2 for the bigrams",
)
pub(
    "wiki-en-the-cat",
    "wikipedia-en/the-cat",
    "brevity",
    "wikipedia-en",
    "Two words with perfect precisions: only the penalty tells that the rest is missing.",
    _P,
)
_DE = [
    ["die die stürzen geben die schuld dem baum".split()],
    [["alle leute welche stürzen geben die schuld dem nächsten baum".split(), "wer stürzt gibt die schuld einem baum".split()]],
]
_FIGURES = ["precisions", "candidate_length", "reference_length", "brevity_penalty", "score"]
pub(
    "wiki-de-stats",
    "wikipedia-de/statistics",
    "worked-example",
    "wikipedia-de",
    "6/8, 4/7, 3/6, 2/5 with c = 8 and r = 7: the closed form is the fourth root of 3/35.",
    ["precisions", "brevity_penalty", "score"],
    printed={**penalty("1"), **score("0.5411")},
)
our(
    "wikipedia-de/sentence",
    "worked-example",
    "A sentence of ours with every figure of the German worked example: one word three times, one bigram in no reference.",
    *_DE,
    source="wikipedia-de",
    provenance="derived",
    published=_FIGURES,
    settings={"level": "sentence"},
    printed={**penalty("1"), **score("0.5411")},
    printed_as="the figures; the article's own sentences are not at hand",
)

# --- The encyclopaedia articles' small examples -------------------------------------------------------------------------
_T = {"level": "sentence"}
our(
    "article-sets/abab",
    "n-grams",
    "Three windows of two letters, two different ones: the set has two members, the count three.",
    [list("abab")],
    [[list("abab")]],
    source="article-sets",
    provenance="derived",
    settings={**_T, "max_order": 2},
    ngrams={"2": {"a b": 2, "b a": 1}},
    printed_as="G_2(abab) = {ab, ba}",
)
our(
    "article-sets/abcbab",
    "n-grams",
    "A substring is counted wherever it starts: ab stands at places 1 and 5.",
    [list("abcbab")],
    [[list("ab")]],
    source="article-sets",
    provenance="derived",
    settings={**_T, "max_order": 2},
    ngrams={"2": {"a b": 2, "b c": 1, "c b": 1, "b a": 1}},
    printed_as="C(ab, abcbab) = 2",
)
our(
    "article-sets/aba",
    "clipping",
    "Summing what the reference has would give 6 for two bigrams; the minimum with the candidate's own counts gives 2.",
    [list("aba")],
    [[list("abababa")]],
    source="article-sets",
    provenance="derived",
    settings={**_T, "max_order": 2},
    ngrams={"2": {"a b": 1, "b a": 1}},
    printed_as="6 before the minimum is taken",
)
our(
    "article-sets/overlap",
    "n-grams",
    "Four equal letters hold three overlapping pairs; a search that jumps over each find sees two.",
    [list("aaaa")],
    [[list("aaa")]],
    settings={**_T, "max_order": 3},
    ngrams={"2": {"a a": 3}, "3": {"a a a": 2}},
)
_TABLE = "The cat is on the table"
our(
    "wikipedia-es/cat-on-the-mat",
    "precision",
    "Four of six words, with the capital of the article kept.",
    ["A cat is on the mat"],
    [[_TABLE]],
    source="wikipedia-es",
    published=_P,
    settings={**_T, "max_order": 1},
    where="first table of candidates",
)
our(
    "wikipedia-es/cat-in-the-board",
    "precision",
    "Three of six words.",
    ["The cat exists in the board"],
    [[_TABLE]],
    source="wikipedia-es",
    published=_P,
    settings={**_T, "max_order": 1},
    where="first table of candidates",
)
our(
    "wikipedia-es/six-the-folded",
    "clipping",
    "Six times the article earns two, if The and the are one word.",
    ["the the the the the the"],
    [[_TABLE]],
    source="wikipedia-es",
    published=_P,
    settings={**_T, "max_order": 1, "lowercase": True},
    where="second table",
)
our(
    "wikipedia-es/six-the-as-written",
    "case",
    "With case kept the reference holds the small article once, and the printed 2/6 becomes 1/6.",
    ["the the the the the the"],
    [[_TABLE]],
    source="wikipedia-es",
    provenance="derived",
    settings={**_T, "max_order": 1},
    where="second table",
    printed_as="2/6, which needs case folding",
)
our(
    "wikipedia-es/the-the-folded",
    "brevity",
    "Both words are found, so precision is 1; only the penalty exp(1 - 6/2) tells that four are missing.",
    ["the the"],
    [[_TABLE]],
    source="wikipedia-es",
    published=_P,
    settings={**_T, "max_order": 1, "lowercase": True},
    where="third table",
)

# --- Misprints and miscounts that go round ------------------------------------------------------------------------------
_SMALL = ([["this", "is", "a", "test"]], [[["this", "is", "small", "test"]]])
our(
    "brownlee/cumulative-3",
    "zero-order",
    "No trigram is shared, so three orders together give 0; 0.632878 goes round in countless copies.",
    *_SMALL,
    source="brownlee",
    where="cumulative 3-gram",
    settings={**_T, "max_order": 3, "weights": ["1/3", "1/3", "1/3"]},
    erratum={
        "stage": "score",
        "printed": "0.632878",
        "settings": {"weights": ["33/100", "33/100", "33/100"]},
        "switches": {"skip_zero_orders": True},
        "reason": "an NLTK of that time dropped orders without a match; the weights were 0.33 each",
    },
)
our(
    "brownlee/cumulative-4",
    "zero-order",
    "No trigram is shared, so BLEU-4 is 0; 0.707107 goes round in countless copies.",
    *_SMALL,
    source="brownlee",
    where="cumulative 4-gram",
    settings={**_T},
    erratum={"stage": "score", "printed": "0.707107", "switches": {"skip_zero_orders": True}, "reason": "an NLTK of that time dropped orders without a match"},
)
our(
    "brownlee/two-words",
    "short-candidate",
    "Two right words of nine: there is no trigram, so BLEU-4 is 0; the printed number is the penalty exp(-7/2) alone.",
    [["the", "quick"]],
    [["the quick brown fox jumped over the lazy dog".split()]],
    source="brownlee",
    where="very short candidate",
    settings={**_T},
    erratum={
        "stage": "score",
        "printed": "0.0301973834",
        "rounding": "truncated",
        "switches": {"skip_zero_orders": True},
        "reason": "an NLTK of that time dropped the orders that did not exist",
    },
)
our(
    "course-notebook/eight-the",
    "clipping",
    "Eight words, two credited: 2/8. The notebook divides by seven, the number of the paper's example.",
    [["the"] * 8],
    [["the cat is on the mat".split(), "there is a cat on the mat".split()]],
    source="eight-the",
    settings={**_T, "max_order": 1},
    erratum={"stage": "precisions", "printed": "2/7", "true": "2/8", "reason": "the total of the paper's seven-word example was kept for eight words"},
)
_KOLENA = (
    ["kolena is an ml testing and debugging platform to find hidden model behaviors and demystify model development".split()],
    [
        [
            (
                "kolena is a comprehensive machine learning testing and debugging platform to surface hidden model behaviors "
                "and take the mystery out of model development"
            ).split()
        ]
    ],
)
our(
    "kolena/documentation",
    "precision",
    "A worked example that counts one match too many at three orders.",
    *_KOLENA,
    source="kolena",
    settings={**_T},
    erratum={
        "stage": "precisions",
        "printed": "14/17, 10/16, 6/15, 3/14",
        "true": "13/17, 9/16, 5/15, 3/14",
        "reason": "miscounted by hand; the printed score 0.322 follows from it, the true one is 0.294",
    },
)

# --- Issues of other projects, where the right answer is a number -------------------------------------------------------
our(
    "nmt/shortest-is-not-closest",
    "reference-length",
    "A one-word reference beside a close one must not switch the penalty off.",
    ["I ate an apple".split()],
    [["Bye".split(), "I ate an apple here".split()]],
    source="nmt",
    settings={**_T},
)
our(
    "nmt/shortest-by-name",
    "reference-length",
    "The same text under the rule of the shortest reference, which has to be asked for.",
    ["I ate an apple".split()],
    [["Bye".split(), "I ate an apple here".split()]],
    source="nmt",
    settings={**_T, "reference_length": "shortest"},
)
our(
    "sltev/empty-second-candidate",
    "empty",
    "One sentence and one empty line: the empty one adds its reference's length and nothing else.",
    [["It", "is", "a", "guide", "to", "action", "which", "ensures", "that", "the", "military", "always"], []],
    [[["It", "is", "a", "guide", "to", "action", "that", "ensures", "that", "the", "military", "will"]], [["forever", "heed", "Party", "commands"]]],
    source="sltev",
    settings={},
)
our(
    "nltk/no-bigram-of-two",
    "zero-order",
    "One matching token, no matching bigram, two orders: 0, where an old NLTK gave 0.5.",
    [["5", "6", "8", "1"]],
    [[["1", "2", "3", "4"]]],
    source="nltk-issues",
    where="issue 1838",
    settings={**_T, "max_order": 2, "weights": _H},
)
our(
    "nltk/three-words-in-another-order",
    "zero-order",
    "All words, no bigram, and no 4-gram possible: 0, where an old NLTK gave 1.",
    [["let", "go", "it"]],
    [[["let", "it", "go"]]],
    source="nltk-issues",
    where="issue 1554",
    settings={**_T},
)
our(
    "nltk/first-order-only",
    "weights",
    "All weight on the unigrams: the orders that a one-word candidate lacks do not matter.",
    [["too"]],
    [[["short", "skirts"], ["too", "expensive"]]],
    source="nltk-issues",
    where="issues 2838 and 2204",
    settings={**_T, "weights": ["1", "0", "0", "0"]},
)
our(
    "sacrebleu/two-words-identical",
    "short-candidate",
    "Two words equal to the reference have no trigram: 0 at four orders.",
    ["Zhongjian Plaza"],
    [["Zhongjian Plaza"]],
    source="sacrebleu-issues",
    where="issue 278",
    provenance="derived",
    settings={**_T},
)
our(
    "sacrebleu/two-words-identical-effective",
    "effective-order",
    "With effective order two equal words score 1.",
    ["Zhongjian Plaza"],
    [["Zhongjian Plaza"]],
    source="sacrebleu-issues",
    where="issue 278",
    provenance="derived",
    settings={**_T, "effective_order": True},
)
our(
    "sacrebleu/last-word-exp",
    "smoothing",
    "Three of four words: the missing 4-gram becomes 1/2 of one.",
    ["a b c x"],
    [["a b c d"]],
    source="sacrebleu-issues",
    where="issue 64",
    published=_S,
    settings={**_T, **_X},
    printed=score("59.46", scale=100),
)
our(
    "sacrebleu/no-word-exp",
    "smoothing",
    "No token matches, so exponential smoothing must not lift the score from 0.",
    ["this is a cat"],
    [["okay thanks"]],
    source="sacrebleu-issues",
    where="issue 141",
    provenance="derived",
    settings={**_T, **_X},
)
our(
    "torchmetrics/tie-long-first",
    "reference-length",
    "5 and 3 tie around 4; the longer one comes first in the list and must not win by that.",
    ["a b c d"],
    [["a b c d e", "a b c"]],
    source="torchmetrics-issue",
    settings={**_T},
)
our(
    "torchmetrics/tie-short-first",
    "reference-length",
    "The same tie with the shorter reference first gives the same score.",
    ["a b c d"],
    [["a b c", "a b c d e"]],
    source="torchmetrics-issue",
    settings={**_T},
)
our(
    "torchmetrics/smooth-with-a-zero",
    "smoothing",
    "An order without a match is what add-one smoothing is for: it must be applied, not skipped.",
    ["a x b y"],
    [["a b"]],
    source="torchmetrics-issue",
    settings={**_T, "max_order": 2, "smooth": "add-k", "smooth_value": "1"},
)
our(
    "torchmetrics/runs-of-spaces",
    "tokens",
    "Runs of spaces and spaces at the ends separate tokens and make none.",
    ["the cat the   cat on the mat "],
    [["the  cat is     on the mat ", "there is a   cat on the mat"]],
    source="torchmetrics-tests",
    where="input C",
    published=_S,
    settings={**_T},
    printed=score("46.71", scale=100),
    tokens={"candidates": ["the cat the cat on the mat".split()], "references": [["the cat is on the mat".split(), "there is a cat on the mat".split()]]},
)
_CASE = (["THE cat sat down"], [["the cat sat down"]])
our(
    "mt-compareval/case-kept",
    "case",
    "One capitalised word costs one match at each order.",
    *_CASE,
    source="mt-compareval",
    published=_S,
    settings={**_T, "smooth": "exp"},
    printed=score("59.46", scale=100),
)
our(
    "mt-compareval/case-folded",
    "case",
    "Lowercased, the two are equal.",
    *_CASE,
    source="mt-compareval",
    published=_S,
    settings={**_T, "smooth": "exp", "lowercase": True},
    printed=score("100", scale=100),
)

# --- Tokenizers ---------------------------------------------------------------------------------------------------------
_ZH = (["今天天气很好"], [["今天天气真好"]])
_ZHT = {"candidates": [list("今天天气很好")], "references": [[list("今天天气真好")]]}
our(
    "tokens/chinese-13a",
    "tokens",
    "A tokenizer that splits at spaces sees one long token in Chinese, and nothing matches.",
    *_ZH,
    source="ibleu",
    settings={**_T, "tokenize": "13a", **_X},
    tokens={"candidates": [["今天天气很好"]], "references": [[["今天天气真好"]]]},
)
our(
    "tokens/chinese-zh",
    "tokens",
    "Character by character five of six match.",
    *_ZH,
    source="ibleu",
    published=_S,
    settings={**_T, "tokenize": "zh", **_X},
    tokens=_ZHT,
    printed=score("53.73", scale=100),
)
our(
    "tokens/chinese-char",
    "tokens",
    "For pure Chinese text the character tokenizer gives what the Chinese one gives.",
    *_ZH,
    source="ibleu",
    published=_S,
    settings={**_T, "tokenize": "char", **_X},
    tokens=_ZHT,
    printed=score("53.73", scale=100),
)
our(
    "tokens/entities-13a",
    "tokens",
    "Four entities become the four signs that they stand for, each its own token.",
    ["&quot; &amp; &lt; &gt;"],
    [['" & < >']],
    source="sacrebleu-issues",
    where="issue 15",
    provenance="derived",
    settings={**_T, "tokenize": "13a", **_X},
    tokens={"candidates": [['"', "&", "<", ">"]], "references": [[['"', "&", "<", ">"]]]},
)
_OUI = ["«Oui», dit-il…"], [["« Oui » , dit - il …"]]
our(
    "tokens/guillemets-13a",
    "tokens",
    "13a knows ASCII punctuation only: guillemets and the ellipsis stay with their words.",
    *_OUI,
    source="sacrebleu-issues",
    where="issues 14 and 138",
    provenance="derived",
    settings={**_T, "tokenize": "13a", **_X},
    tokens={"candidates": [["«Oui»", ",", "dit-il…"]], "references": [["« Oui » , dit - il …".split()]]},
)
our(
    "tokens/guillemets-intl",
    "tokens",
    "intl splits off every Unicode punctuation mark.",
    *_OUI,
    source="sacrebleu-issues",
    where="issues 14 and 138",
    settings={**_T, "tokenize": "intl", **_X},
    published=["tokens"],
    tokens={"candidates": ["« Oui » , dit - il …".split()], "references": [["« Oui » , dit - il …".split()]]},
)
our(
    "tokens/split-already-13a",
    "tokens",
    "Text that was split before and text that was not meet in the same tokens.",
    ["The dog bit the man ."],
    [["The dog bit the man."]],
    source="sacrebleu-issues",
    where="the warning about tokenized periods",
    published=_S,
    settings={**_T, "tokenize": "13a", **_X},
    tokens={"candidates": ["The dog bit the man .".split()], "references": [["The dog bit the man .".split()]]},
    printed=score("100.00", scale=100),
)
our(
    "tokens/split-already-none",
    "tokens",
    "Without a tokenizer the full stop that sticks to its word is another token.",
    ["The dog bit the man ."],
    [["The dog bit the man."]],
    source="sacrebleu-issues",
    where="the warning about tokenized periods",
    published=_S,
    settings={**_T, "tokenize": "none", **_X},
    printed=score("50.81", scale=100),
)
our(
    "tokens/numbers-13a",
    "tokens",
    "Signs between digits stay, elsewhere they part: a decimal comma is no punctuation.",
    ["It cost 3.50, or 1,000 in 1990-91."],
    [["It cost 3.50 , or 1,000 in 1990 - 91 ."]],
    settings={**_T, "tokenize": "13a"},
    tokens={"candidates": ["It cost 3.50 , or 1,000 in 1990 - 91 .".split()], "references": [["It cost 3.50 , or 1,000 in 1990 - 91 .".split()]]},
)

# --- Rules that need a text of our own ----------------------------------------------------------------------------------
our("rules/equal-lengths", "brevity", "At c = r the two written forms of the penalty meet: 1.", ["a b c d e"], [["a b c d x"]], settings={**_T})
our("rules/long-candidate", "brevity", "A long candidate pays no penalty; its precisions pay already.", ["a b c d e f g h"], [["a b c d"]], settings={**_T})
our(
    "rules/penalty-of-sums",
    "brevity",
    "A short and a long segment balance: the penalty is taken once, of the summed lengths.",
    ["a b c d e", "k l m n o p q"],
    [["a b c d e f"], ["k l m n o p"]],
    settings={},
)
our(
    "rules/average-length",
    "reference-length",
    "The average of 4 and 7 is 5 1/2, kept as a fraction.",
    ["a b c d e"],
    [["a b c d", "a b c d e f g"]],
    settings={**_T, "reference_length": "average"},
)
our(
    "rules/closest-per-segment",
    "reference-length",
    "The choice is made segment by segment, then summed; choosing among summed lengths would give another r.",
    ["a b c d", "e f g h i j"],
    [["a b c d", "a b c d x y z u v"], ["e f g", "e f g h i j k"]],
    settings={},
)
our(
    "rules/order-of-references",
    "clipping",
    "The bound of each n-gram may come from another reference.",
    ["a a b b c"],
    [["a a x y", "b b z", "c w"]],
    settings={**_T, "max_order": 2},
)
our(
    "rules/repeated-bigram",
    "clipping",
    "Clipping works at every order: the pair stands three times here and twice there.",
    ["a b a b a b"],
    [["a b a b c c"]],
    settings={**_T, "max_order": 3},
)
our(
    "rules/identical-corpus-with-a-short-segment",
    "corpus-sums",
    "A segment of two words has no 4-gram and takes nothing away: an identical corpus scores 1.",
    ["a b c d e", "f g"],
    [["a b c d e"], ["f g"]],
    settings={},
)
our(
    "rules/order-missing-in-one-segment",
    "corpus-sums",
    "The second segment adds to the orders that it has, and to no other.",
    ["a b c d e f", "x y"],
    [["a b c d e g"], ["x z"]],
    settings={},
)
our(
    "rules/segment-without-match",
    "corpus-sums",
    "One segment without any match lowers the corpus score and does not make it 0.",
    ["the old bridge crosses the quiet river", "no luck"],
    [["the old bridge crosses a quiet river"], ["bad fortune"]],
    settings={"max_order": 3},
)
our(
    "rules/weight-zero-on-an-empty-order",
    "weights",
    "Orders 3 and 4 match nothing and weigh nothing: they do not take part.",
    ["a b x c"],
    [["a b c d"]],
    settings={**_T, "weights": ["1/2", "1/2", "0", "0"]},
)
our(
    "rules/thirds",
    "weights",
    "Weights of one half, one third and one sixth.",
    ["a b c x"],
    [["a b c d"]],
    settings={**_T, "max_order": 3, "weights": ["1/2", "1/3", "1/6"]},
)
our(
    "rules/cube-root",
    "combination",
    "3/4 · 2/3 · 1/2 is 1/4, whose cube root is no fraction: a score that only its closed form writes down.",
    ["a b c x"],
    [["a b c d"]],
    settings={**_T, "max_order": 3},
)
our(
    "rules/rational-root",
    "combination",
    "All five words and one of four bigrams: the square root of 1/4 is one half exactly.",
    ["a b e d c"],
    [["a b c d e"]],
    settings={**_T, "max_order": 2},
)
our(
    "rules/one-token",
    "short-candidate",
    "One right word: order 1 is complete, orders 2 to 4 do not exist, the score is 0.",
    ["abc"],
    [["abc"]],
    settings={**_T},
)
our(
    "rules/one-token-floor",
    "short-candidate",
    "A floor is for orders that match nothing, not for orders that do not exist.",
    ["hi"],
    [["hi"]],
    settings={**_T, "smooth": "floor", "smooth_value": "0.1"},
)
our(
    "rules/effective-keeps-empty-matches",
    "effective-order",
    "Order 2 exists and matches nothing, so effective order does not drop it: 0.",
    ["let go it"],
    [["let it go"]],
    settings={**_T, "effective_order": True},
)
our(
    "rules/effective-shares-weight",
    "effective-order",
    "Orders 3 and 4 do not exist; their weight goes to the first two in proportion, 2 to 1.",
    ["a x"],
    [["a x y"]],
    settings={**_T, "weights": ["2/5", "1/5", "1/5", "1/5"], "effective_order": True},
)
our(
    "rules/exp-counts-empty-orders",
    "smoothing",
    "Orders 3 and 4 are the first and second without a match, so they get 1/2 and 1/4 of a count.",
    ["a b x c d y"],
    [["a b z c d"]],
    settings={**_T, **_X},
)
our(
    "rules/add-half",
    "smoothing",
    "A constant other than one: 1/2 added from the bigrams on.",
    ["a b c x"],
    [["a b c d"]],
    settings={**_T, "smooth": "add-k", "smooth_value": "0.5"},
)
our(
    "rules/add-one-no-unigram",
    "smoothing",
    "Add-one makes every order positive, and still: no matching unigram, score 0.",
    ["a b c d"],
    [["e f g h"]],
    settings={**_T, "smooth": "add-one-all"},
)
our(
    "rules/floor-no-unigram",
    "smoothing",
    "A floor gives every order something, and still: no matching unigram, score 0.",
    ["a b c d"],
    [["e f g h"]],
    settings={**_T, "smooth": "floor", "smooth_value": "0.1"},
)
our(
    "rules/add-k-no-unigram",
    "smoothing",
    "Add-one from the bigrams on, no matching unigram, score 0.",
    ["a b c d"],
    [["e f g h"]],
    settings={**_T, "smooth": "add-k", "smooth_value": "1"},
)
our("rules/empty-candidate", "empty", "Nothing said: penalty 0, score 0, no division by zero.", [""], [["a b c d"]], settings={**_T})
our("rules/empty-reference", "empty", "A reference of length 0 costs nothing by itself and matches nothing.", ["a b c d"], [[""]], settings={**_T})
our(
    "rules/empty-reference-beside-another",
    "empty",
    "An empty reference counts as a reference of length 0 when the closest is sought: 2 is as close to 0 as to 4, and the tie goes to 0.",
    ["a b"],
    [["", "a b c d"]],
    settings={**_T, "max_order": 1},
)
our(
    "rules/absent-reference-beside-another",
    "absent-references",
    "null is no reference at all: nothing ties with the other, and the penalty is due.",
    ["a b"],
    [[None, "a b c d"]],
    settings={**_T, "max_order": 1},
)
our(
    "rules/ragged-references",
    "absent-references",
    "Three references, one, and two of which one is absent.",
    ["a b c d", "e f g h", "i j k l m"],
    [["a b c x", "a y c d", "z"], ["e f g h"], [None, "i j k l n"]],
    settings={},
)
our(
    "rules/three-levels-corpus",
    "levels",
    "Two segments of different quality and length: the corpus score.",
    ["a b c d e f g h", "p q r s x"],
    [["a b c d e f g h"], ["p q r s t"]],
    settings={},
)
our(
    "rules/three-levels-mean",
    "levels",
    "The same two segments: the mean of their scores is higher, for it forgets that one is longer.",
    ["a b c d e f g h", "p q r s x"],
    [["a b c d e f g h"], ["p q r s t"]],
    settings={"level": "mean"},
)
our("rules/three-levels-sentence", "levels", "The second segment by itself.", ["p q r s x"], [["p q r s t"]], settings={**_T})
our(
    "rules/perfect-is-exactly-one",
    "scale",
    "Equal texts score exactly 1: not 0.9999999999999999, and never more than 1.",
    ["one two three four five six seven"],
    [["one two three four five six seven"]],
    settings={},
    exactly=True,
)
our(
    "rules/perfect-with-odd-weights",
    "scale",
    "Exactly 1 under weights that no binary fraction can hold.",
    ["one two three four five six seven"],
    [["one two three four five six seven"]],
    settings={"max_order": 3, "weights": ["1/3", "1/3", "1/3"]},
    exactly=True,
)
our(
    "rules/perfect-with-longer-corpus",
    "scale",
    "A perfect corpus of three segments scores exactly 1.",
    ["a b c d", "e f g h i", "j k l m n o p"],
    [["a b c d"], ["e f g h i"], ["j k l m n o p"]],
    settings={},
    exactly=True,
)

# --- Input that has no score --------------------------------------------------------------------------------------------
_ERR = "errors"
our("errors/empty-corpus", _ERR, "A corpus without segments has no score.", data={"candidates": [], "references": [], "tokenized": False}, error="empty-corpus")
our(
    "errors/fewer-references",
    _ERR,
    "Two candidates and references for one: cutting the longer list in silence would score half the text.",
    ["a b c d", "e f g h"],
    [["a b c d"]],
    error="length-mismatch",
)
our("errors/more-references", _ERR, "One candidate and references for two.", ["a b c d"], [["a b c d"], ["e f g h"]], error="length-mismatch")
our(
    "errors/flat-references",
    _ERR,
    "One flat list of texts: taken as lists of characters it would score near 0 in silence.",
    ["a b c d", "e f g h"],
    ["a b c d", "e f g h"],
    error="flat-references",
)
our(
    "errors/references-by-annotator",
    _ERR,
    "One list per annotator where one per segment belongs: two lists of three for three candidates.",
    ["a b c d", "e f g h", "i j k l"],
    [["a b c d", "e f g h", "i j k l"], ["a b c x", "e f g x", "i j k x"]],
    error="transposed-references",
)
our(
    "errors/text-for-list",
    _ERR,
    "A text where a list of texts belongs.",
    data={"candidates": "a b c d", "references": [["a b c d"]], "tokenized": False},
    error="string-for-list",
)
our(
    "errors/absent-candidate",
    _ERR,
    "null is no candidate; a system that said nothing said the empty text.",
    ["a b c d", None],
    [["a b c d"], ["e f g h"]],
    error="segment-type",
)
our("errors/no-reference", _ERR, "The second segment has an empty list of references.", ["a b c d", "e f g h"], [["a b c d"], []], error="missing-reference")
our(
    "errors/only-absent-references",
    _ERR,
    "The second segment has only absent references.",
    ["a b c d", "e f g h"],
    [["a b c d"], [None]],
    error="missing-reference",
)
our("errors/text-against-tokens", _ERR, "Text on one side and tokens on the other.", ["a b c d"], [[["a", "b", "c", "d"]]], error="mixed-segments")
_ONE = ([["a", "b", "c", "d"]], [[["a", "b", "c", "d"]]])
our(
    "errors/weights-below-one",
    _ERR,
    "Three weights of 0.33 sum to 0.99.",
    *_ONE,
    settings={"max_order": 3, "weights": ["33/100", "33/100", "33/100"]},
    error="weights",
)
our("errors/weights-above-one", _ERR, "Weights that sum to 2 would square the mean.", *_ONE, settings={"max_order": 2, "weights": ["1", "1"]}, error="weights")
our(
    "errors/weight-negative",
    _ERR,
    "A negative weight rewards bad precision, even if the sum is 1.",
    *_ONE,
    settings={"max_order": 2, "weights": ["3/2", "-1/2"]},
    error="weights",
)
our("errors/weights-too-few", _ERR, "Two weights for four orders.", *_ONE, settings={"max_order": 4, "weights": ["1/2", "1/2"]}, error="weights")
our("errors/order-zero", _ERR, "There are no 0-grams.", *_ONE, settings={"max_order": 0}, error="order")
our("errors/unknown-smoothing", _ERR, "A smoothing that does not exist.", *_ONE, settings={"smooth": "flor"}, error="unknown-name")
our("errors/unknown-tokenizer", _ERR, "A tokenizer that does not exist.", ["a b c d"], [["a b c d"]], settings={"tokenize": "13b"}, error="unknown-name")
our(
    "errors/unknown-length-rule",
    _ERR,
    "A rule for the reference length that does not exist.",
    *_ONE,
    settings={"reference_length": "nearest"},
    error="unknown-name",
)
our(
    "errors/value-without-use",
    _ERR,
    "Exponential smoothing takes no value; a value given is a misunderstanding.",
    *_ONE,
    settings={"smooth": "exp", "smooth_value": "0.1"},
    error="smoothing-value",
)

# --- Where the traditions disagree --------------------------------------------------------------------------------------
_READ4 = "The paper's first candidate and one reference: every order matches something."


def disputed(name: str, clause: str, source: str, why: str, traditions: dict, row: str | None = None, **more) -> None:
    entry = {"id": f"bleu/{name}", "clause": clause, "source": source, "why": why, "traditions": traditions, **more}
    DISPUTED.append({**entry, "row": row} if row else entry)


def _averaged(oracle, data, settings):
    """Chen & Cherry's method 5: m'_0 = m_1 + 1, then the mean of m'_(n-1), m_n and m_(n+1), over the total of order n."""
    stats = oracle.statistics(data["candidates"], data["references"], 5)
    before, values = Fraction(stats.matched[0] + 1), []
    for n in range(4):
        before = (before + stats.matched[n] + stats.matched[n + 1]) / 3
        values.append((before / stats.total[n], Fraction(1, 4)))
    return oracle.power_mean(values, oracle.penalty_exponent(stats.c, stats.r))


def _interpolated(oracle, data, settings):
    """Chen & Cherry's method 6: from order 3 on (m_n + 5 q) / (l_n + 5) with the prior q = p_(n-1)^2 / p_(n-2)."""
    stats = oracle.statistics(data["candidates"], data["references"], 4)
    p = [Fraction(m, t) for m, t in zip(stats.matched[:2], stats.total[:2], strict=True)]
    for m, t in zip(stats.matched[2:], stats.total[2:], strict=True):
        p.append((m + 5 * p[-1] ** 2 / p[-2]) / (t + 5))
    return oracle.power_mean([(x, Fraction(1, 4)) for x in p], oracle.penalty_exponent(stats.c, stats.r))


def _all_floor(oracle, data, settings):
    """Every order without a match gets the floor over its total, even when nothing matches."""
    stats = oracle.statistics(data["candidates"], data["references"], 4)
    values = [Fraction(1, 100) / t if m == 0 else Fraction(m, t) for m, t in zip(stats.matched, stats.total, strict=True) if t]
    return oracle.power_mean([(p, Fraction(1, len(values))) for p in values], oracle.penalty_exponent(stats.c, stats.r))


def _nltk_value(printed: str, exact: str) -> dict:
    """A value that only NLTK can give: its own arithmetic, run in version 3.10.4."""
    return {"score": {"exact": exact, "printed": printed, "scale": 1, "rounding": "truncated", "tolerance": "0.0001"}}


def _chen_and_cherry(number: int, smooth: str, says: str, paper: dict, printed: str, exact: str) -> None:
    """Method 4 to 7 on the example of NLTK's documentation: what the paper's formula gives, and what NLTK printed."""
    where = f"SmoothingFunction.method{number}, first reference alone"
    told = {"paper": paper, "nltk": _nltk_value(printed, exact)}
    disputed(f"disputed/chen-cherry-{number}", "smoothing", "nltk", says, told, f"nltk-smooth-method{number}", where=where, settings={"smooth": smooth})


_chen_and_cherry(
    4,
    "length",
    f"Method 4, by length. {_READ4} A method for empty orders changes nothing here, in the paper and in NLTK.",
    {"settings": {"smooth": "none"}},
    "0.4118",
    "0.41180376356915777",
)
_chen_and_cherry(
    5,
    "average",
    f"Method 5, average. {_READ4} The paper averages matched counts of neighbouring orders; NLTK averages precisions, which can pass 1.",
    {"value": _averaged},
    "0.4905",
    "0.4905328138015114",
)
_chen_and_cherry(
    6,
    "interpolate",
    f"Method 6, interpolation with a prior, its constant 5. {_READ4} The paper and NLTK agree.",
    {"value": _interpolated},
    "0.4135",
    "0.41358958106633686",
)
_chen_and_cherry(
    7,
    "average-length",
    f"Method 7, method 4 and then method 5. {_READ4} Paper and NLTK part where they part in method 5.",
    {"value": _averaged},
    "0.4905",
    "0.4905328138015114",
)
disputed(
    "disputed/floor-without-a-match",
    "smoothing",
    "sockeye",
    "No token matches and a floor is asked for: sacreBLEU says 0 since its issue 141, its ancestor gave every order the floor.",
    {
        "sacrebleu": {"score": {"exact": "0", "printed": "0.0", "scale": 1, "rounding": "rounded", "tolerance": "0"}},
        "sockeye-2017": {"value": _all_floor, "printed": {"printed": "0.003799178428257963", "rounding": "float64"}},
    },
    row="sockeye-2017-nomatch",
    settings={"smooth": "floor", "smooth_value": "0.01", "effective_order": True},
)
disputed(
    "disputed/weights-that-sum-to-0.99",
    "weights",
    "torchtext",
    "Three weights of 0.33 for four orders: torchtext multiplies on; here they are refused, since they are no distribution.",
    {
        "torchtext": {"settings": {"weights": ["33/100", "33/100", "33/100"], "max_order": 3}, "printed": {"printed": "0.4901113", "rounding": "float32"}},
        "bleu_lit": {"error": "weights"},
    },
    row="torchtext-long3-w.33",
    settings={"max_order": 3, "weights": ["33/100", "33/100", "33/100"]},
)
