"""The specification as a table: chapters, and in each the numbered rules with their sentence, where they come from, and the older vectors that hold to them.

A number stays for ever. `clause` names the file of vectors; a rule's vectors are those that name it, and the older ones listed in `OLDER`; an older vector
that is listed nowhere belongs to the first rule of its clause. `point` names the row of the design's list of points where published definitions disagree.
"""

CHAPTERS = {
    1: "From text to tokens",
    2: "N-grams",
    3: "Clipping",
    4: "Precision and sums",
    5: "Reference length",
    6: "Brevity penalty",
    7: "The score",
    8: "Zeros and short candidates",
    9: "Smoothing",
    10: "Empty and absent texts",
    11: "Levels and scale",
    12: "The signature",
    13: "Files",
    14: "What is refused",
}

PAPER = "Papineni et al. (2002)"
TOOL = "sacreBLEU 2.6.0"
CHEN = "Chen & Cherry (2014)"
DESIGN = "bleu_lit"

RULES: dict[str, dict] = {}


def rule(number: str, clause: str, says: str, source: str, point: str = "") -> None:
    RULES[number] = {"clause": clause, "says": says, "source": source, "point": point}


rule("1.1", "tokens-none", "The rule `none` cuts a text at white space and nowhere else.", TOOL)
rule(
    "1.2",
    "tokens-none",
    "White space is what Unicode calls so, the no-break and ideographic spaces included; runs of it count once, and at the ends it makes no token. "
    "U+200B and U+FEFF are no white space.",
    TOOL,
)
rule("1.3", "tokens-char", "The rule `char` makes a token of every code point that is no white space.", TOOL)
rule(
    "1.4",
    "tokens-13a",
    "The rule `13a` first drops `<skipped>`, joins a line that ends in a hyphen with the next, makes other line ends blanks, and spells out "
    "`&quot;`, `&amp;`, `&lt;` and `&gt;`, in this order.",
    "mteval-v13a.pl, as in sacreBLEU 2.6.0",
    "13a",
)
rule(
    "1.5",
    "tokens-13a",
    "Then `13a` sets off every ASCII sign that is no letter, digit, apostrophe, comma, full stop or hyphen. Signs outside ASCII stay where they are.",
    "mteval-v13a.pl, as in sacreBLEU 2.6.0",
    "13a",
)
rule(
    "1.6",
    "tokens-13a",
    "Then `13a` sets off full stops and commas, except between digits, and a hyphen that follows a digit.",
    "mteval-v13a.pl, as in sacreBLEU 2.6.0",
    "13a",
)
rule(
    "1.7",
    "tokens-intl",
    "The rule `intl` sets off each punctuation sign of Unicode that has a neighbour other than a number; a sign at the start or end of the text "
    "has no neighbour there.",
    "mteval-v14.pl, as in sacreBLEU 2.6.0",
)
rule(
    "1.8",
    "tokens-intl",
    "The rule `intl` sets off every symbol of Unicode, also between numbers. It spells out no entity and drops no `<skipped>`.",
    "mteval-v14.pl, as in sacreBLEU 2.6.0",
    "13a",
)
rule(
    "1.9",
    "tokens-zh",
    "The rule `zh` sets off every character of its table of Chinese characters, then cuts the rest as 13a does in 1.5 and 1.6; entities stay.",
    TOOL,
)
rule("1.10", "tokens", "Tokens that are given as tokens are taken as they are: neither cut, nor lowercased, nor normalised.", DESIGN)
rule("1.11", "case", "Case is kept unless lowercasing is asked for.", TOOL, "Case")
rule("1.12", "case", "Lowercasing comes before the tokenizer, and follows Unicode.", TOOL, "Case")
rule("1.13", "case", "Lowercasing by the name `ascii` changes A to Z and nothing else.", "mteval-v13a.pl", "Case")
rule("1.14", "unicode", "Two tokens are equal if their code points are; texts that look alike are not equal by that.", TOOL)
rule("1.15", "unicode", "The normal forms NFC and NFKC are applied when they are asked for, before case and tokenizer, and never otherwise.", DESIGN)

rule("2.1", "n-grams", "The n-grams of a segment are its windows of n consecutive tokens, k - n + 1 of them in k tokens.", PAPER + ", section 2.1")
rule("2.2", "n-grams", "Occurrences may overlap, and begin at tokens.", PAPER + ", section 2.1", "Substring count C(s, y)")
rule(
    "2.3",
    "n-grams",
    "Each distinct n-gram is weighted by its count once: the sum over the set with counts is the sum over the multiset.",
    PAPER + ", section 2.1",
    "Set or multiset of n-grams",
)
rule("2.4", "n-grams", "An n-gram lies within one segment; none reaches from a segment into the next.", PAPER + ", section 2.1.1")
rule(
    "2.5",
    "n-grams",
    "Two n-grams are equal if their tokens are, one by one; neither the text that they make together nor a number made of it stands for them.",
    PAPER + ", section 2.1",
)

rule(
    "3.1", "clipping", "An n-gram is credited at most as often as it occurs in the candidate and at most as often as in one reference.", PAPER + ", section 2.1"
)
rule("3.2", "clipping", "The bound is the largest count within one reference, never the sum over references.", PAPER + ", section 2.1", "Clip bound")
rule("3.3", "clipping", "Every reference is asked for every n-gram by itself; the bounds of two n-grams may come from two references.", PAPER + ", section 2.1")

rule("4.1", "precision", "The modified precision of an order is matched over total, a fraction.", PAPER + ", section 2.1")
rule("4.2", "corpus-sums", "Over a corpus matched and total are summed first, and divided once.", PAPER + ", section 2.1.1")
rule(
    "4.3",
    "corpus-sums",
    "A segment that is too short for an order adds nothing to it, neither to matched nor to total.",
    PAPER + ", section 2.1.1",
    "Orders that some short segment lacks, in a corpus",
)

rule("5.1", "reference-length", "A segment takes the reference length that is closest to its own.", PAPER + ", section 2.2.2", "Which reference length")
rule(
    "5.2",
    "reference-length",
    "Of two lengths that are equally close it takes the shorter, whatever the order of the references.",
    "mteval-v13a.pl; " + TOOL,
    "Two references equally close",
)
rule(
    "5.3", "reference-length", "The choice is made for each segment, and r is the sum of what was chosen.", PAPER + ", section 2.2.2", "Which reference length"
)
rule("5.4", "reference-length", "The rule `shortest` takes the shortest reference of each segment.", "mteval before version 13", "Which reference length")
rule(
    "5.5",
    "reference-length",
    "The rule `average` takes the mean length of the references of each segment, as a fraction.",
    "early tools for tuning",
    "Which reference length",
)

rule("6.1", "brevity", "A corpus with c < r is multiplied by exp(1 - r/c).", PAPER + ", section 2.2.2", "Form of the brevity penalty")
rule("6.2", "brevity", "A corpus with c > r pays nothing and gains nothing.", PAPER + ", section 2.2.2", "Form of the brevity penalty")
rule("6.3", "brevity", "At c = r the penalty is 1.", PAPER + ", section 2.2.2", "c = r")
rule("6.4", "brevity", "The penalty is taken once, of the summed lengths.", PAPER + ", section 2.2.2")

rule("7.1", "combination", "The score is the penalty times the weighted geometric mean of the precisions of the orders 1 to N.", PAPER + ", section 2.3")
rule("7.2", "weights", "If nothing is said the weights are 1/N each; N is 4 if nothing is said.", PAPER + ", section 2.3")
rule("7.3", "weights", "Weights that are given are used as they are.", PAPER + ", section 2.3", "Weights")
rule("7.4", "weights", "An order of weight 0 takes no part, whatever its precision.", DESIGN, "w_n = 0 for an order whose p_n is 0")

rule(
    "8.1",
    "zero-order",
    "Without smoothing the score is exactly 0 as soon as an order with weight matches nothing.",
    PAPER + ", section 2.3",
    "Some p_n = 0, no smoothing",
)
rule("8.2", "short-candidate", "An order of which the candidate has no n-grams makes the score 0.", TOOL, "Candidate shorter than n (no n-grams at all: 0/0)")
rule(
    "8.3",
    "effective-order",
    "Effective order, when asked for, drops exactly the orders that have no candidate n-grams, and no order that has some and matches none.",
    TOOL,
    "Candidate shorter than n (no n-grams at all: 0/0)",
)
rule("8.4", "effective-order", "The weights of the orders that remain are divided by their sum.", TOOL, "Candidate shorter than n (no n-grams at all: 0/0)")
rule("8.5", "smoothing", "Where no unigram matches the score is 0, under every smoothing.", TOOL, "No unigram matches, smoothing on")

rule(
    "9.1",
    "smoothing-floor",
    "`floor` puts its value, 1/10 if nothing is said, in the place of a matched count of 0, over the order's total.",
    CHEN + ", method 1",
    "floor smoothing",
)
rule(
    "9.2",
    "smoothing-add-k",
    "`add-k` adds its value, 1 if nothing is said, to matched and to total of every order but the first.",
    CHEN + ", method 2; Lin & Och (2004)",
    "Add-one smoothing",
)
rule(
    "9.3",
    "smoothing-exp",
    "`exp` gives the k-th order without a match the matched count 1/2^k, over the order's total.",
    CHEN + ", method 3; mteval-v13a.pl",
    "exp smoothing",
)
rule(
    "9.4",
    "smoothing-length",
    "`length` gives the k-th order without a match the matched count (ln(c)/K)^k; its value K is 5 if nothing is said.",
    CHEN + ", method 4",
    "Numbering of Chen & Cherry's methods",
)
rule(
    "9.5",
    "smoothing-average",
    "`average` makes each matched count the mean of the new count of the order below, its own and the next one's; below order 1 stands m_1 + 1.",
    CHEN + ", method 5",
    "Numbering of Chen & Cherry's methods",
)
rule(
    "9.6",
    "smoothing-interpolate",
    "`interpolate` makes the precision of each order above 2 (m + a q)/(t + a), where q is the square of the precision below over the one below that; "
    "its value a is 5 if nothing is said.",
    CHEN + ", method 6",
    "Numbering of Chen & Cherry's methods",
)
rule(
    "9.7",
    "smoothing-average-length",
    "`average-length` is `length` for the orders 1 to N, then `average`; the order N + 1 enters as counted.",
    CHEN + ", method 7",
    "Numbering of Chen & Cherry's methods",
)
rule("9.8", "smoothing-add-one-all", "`add-one-all` adds 1 to matched and total of every order, the first included.", "tensorflow/nmt", "Add-one smoothing")
rule(
    "9.9",
    "smoothing",
    "Smoothing is applied to the sums of the corpus, once; an order without n-grams stays absent, unless the formula adds to its total.",
    TOOL,
)

rule("10.1", "empty", "An empty candidate has penalty 0 and score 0; in a corpus it counts as a segment.", TOOL, "Empty candidate")
rule("10.2", "empty", "An empty reference is a reference of length 0.", DESIGN, "Empty reference (length 0)")
rule("10.3", "absent-references", "null among references is no reference: it has no length and is not counted.", TOOL, "Reference lists of different lengths")
rule("10.4", "absent-references", "Segments may have different numbers of references.", TOOL, "Reference lists of different lengths")
rule(
    "10.5",
    "absent-references",
    "Blank references are absent ones if that is asked for, and only then.",
    "the scorer of the E2E challenge",
    "Reference lists of different lengths",
)

rule(
    "11.1",
    "levels",
    "The score of a corpus, the score of a sentence and the mean of sentence scores are three quantities.",
    PAPER + ", section 2.2.2",
    "Corpus or mean of sentences",
)
rule("11.2", "scale", "Scores lie between 0 and 1.", PAPER + ", section 3", "Scale")
rule("11.3", "scale", "A perfect score is exactly 1.", DESIGN, "Scale")
rule("11.4", "worked-example", "A whole calculation comes out as it was printed, at every figure.", "published examples")

rule(
    "12.1",
    "signature",
    "The signature names references, case, effective order, tokenizer and smoothing with its value, in sacreBLEU's form.",
    TOOL,
    "Signature",
)
rule(
    "12.2",
    "signature",
    "It names order, weights, rule of the reference length, normal form and reading of blank references where they are not the usual ones.",
    DESIGN,
    "Signature",
)

rule(
    "13.1", "lines", "The lines of a file end at line feeds and nowhere else; the last line feed begins no line.", "sacreBLEU 2.6.0 reads so", "Lines of a file"
)
rule("13.2", "lines", "One carriage return before a line feed belongs to the line's end.", DESIGN, "Lines of a file")
rule("13.3", "lines", "A byte order mark at the beginning of a file is no text.", DESIGN, "Lines of a file")
rule(
    "13.4",
    "corpora",
    "A published corpus gives the integers that an independent count gives, and the score that was published with it.",
    "the publications named in the vectors",
)

rule("14.1", "errors", "A corpus without segments is refused.", DESIGN, "Empty corpus")
rule("14.2", "errors", "Candidates and references of different number are refused, never cut.", DESIGN, "Layout of references")
rule("14.3", "errors", "A flat list of references is refused.", DESIGN, "Layout of references")
rule("14.4", "errors", "References given by annotator are refused where the shape tells.", DESIGN, "Layout of references")
rule("14.5", "errors", "A single text where a list belongs is refused.", DESIGN, "Layout of references")
rule("14.6", "errors", "A segment that is neither text nor tokens is refused.", DESIGN)
rule("14.7", "errors", "A segment without any reference is refused.", DESIGN, "Empty reference (length 0)")
rule("14.8", "errors", "Text on one side and tokens on the other are refused.", DESIGN)
rule("14.9", "errors", "Weights that are no probability distribution over the orders are refused.", DESIGN, "Weights")
rule("14.10", "errors", "An order below 1 is refused.", DESIGN)
rule("14.11", "errors", "A name that does not exist is refused.", DESIGN)
rule("14.12", "errors", "A smoothing value out of range, or one where none is taken, is refused.", DESIGN)
rule("14.13", "errors", "Statistics that no text can have are refused.", DESIGN)
rule("14.14", "errors", "A value that a setting cannot have is refused.", DESIGN)

NEW_CLAUSES = {
    "tokens-none": "none cuts at white space and nowhere else.",
    "tokens-char": "char makes a token of every code point that is no white space.",
    "tokens-13a": "13a mends the text, then sets off ASCII punctuation by its four steps.",
    "tokens-intl": "intl sets off punctuation and symbols of Unicode.",
    "tokens-zh": "zh sets off Chinese characters and treats the rest as 13a does.",
    "unicode": "Equal tokens have equal code points; a normal form is applied only when asked for.",
    "smoothing-floor": "floor replaces a matched count of 0 by its value.",
    "smoothing-add-k": "add-k adds its value to matched and total from order 2 on.",
    "smoothing-exp": "exp gives the k-th order without a match half to the power k.",
    "smoothing-length": "length gives the k-th order without a match ln(c)/K to the power k.",
    "smoothing-average": "average takes the mean of three neighbouring matched counts.",
    "smoothing-interpolate": "interpolate mixes in the precision that the two orders below suggest.",
    "smoothing-average-length": "average-length is length, then average.",
    "smoothing-add-one-all": "add-one-all adds one to matched and total of every order.",
    "signature": "The signature names every setting that can change the number.",
    "lines": "Lines end at line feeds alone; a carriage return before one and a byte order mark at the start are dropped.",
    "corpora": "A published corpus gives the integers of an independent count and the published score.",
}

FIRST = {"tokens": "1.1", "errors": "14.1"}  # the default rule of older clauses that have none of their own, or more than one chapter

OLDER = {  # older vectors, by the rule that they are about
    "1.1": ["sacrebleu/dog-none", "tokens/split-already-none"],
    "1.2": ["torchmetrics/runs-of-spaces"],
    "1.3": ["tokens/chinese-char"],
    "1.4": ["tokens/entities-13a"],
    "1.5": ["tokens/guillemets-13a", "tokens/chinese-13a"],
    "1.6": ["tokens/split-already-13a", "tokens/numbers-13a"],
    "1.7": ["sacrebleu/dog-intl", "tokens/guillemets-intl"],
    "1.9": ["tokens/chinese-zh"],
    "1.12": ["mt-compareval/case-folded"],
    "2.2": ["article-sets/overlap", "article-sets/abcbab"],
    "3.2": ["bleuscore/bound-is-no-sum"],
    "3.3": ["doshi/he-he-he", "rules/order-of-references", "papineni-2002/all-synonyms-at-once"],
    "4.3": ["rules/identical-corpus-with-a-short-segment", "rules/order-missing-in-one-segment", "torchtext/two-segments"],
    "5.2": [
        "nltk/lengths-12-13-11",
        "mteval/lengths-7-11-8-6",
        "torchmetrics/tie-long-first",
        "torchmetrics/tie-short-first",
        "cs224n-es/candidate-1",
        "bleuscore/lengths-4-3-5",
    ],
    "5.3": ["rules/closest-per-segment"],
    "5.4": ["nmt/shortest-by-name", "evaluate/shortest-reference"],
    "5.5": ["rules/average-length"],
    "6.2": ["rules/long-candidate"],
    "6.3": ["rules/equal-lengths"],
    "6.4": ["rules/penalty-of-sums"],
    "7.3": ["rules/thirds", "nltk/weights-1-3-5-1", "nltk/corpus-weights-three", "nltk/corpus-weights-two"],
    "7.4": ["rules/weight-zero-on-an-empty-order", "nltk/first-order-only"],
    "8.4": ["rules/effective-shares-weight", "sacrebleu/effective-one-token", "sacrebleu/effective-two-tokens", "sacrebleu/two-words-identical-effective"],
    "8.5": ["rules/add-one-no-unigram", "rules/floor-no-unigram", "rules/add-k-no-unigram", "sacrebleu/no-word-exp", "sacrebleu/floor-no-match"],
    "9.1": ["nltk/candidate-2-floor", "sacrebleu/floor-last-word", "sacrebleu/character-sequence-floor", "nltk/one-reference-floor"],
    "9.2": ["nltk/one-reference-add-one", "rules/add-half", "torchmetrics/smooth-with-a-zero"],
    "9.3": ["mteval/exp-counts", "rules/exp-counts-empty-orders", "sacrebleu/last-word-exp", "nltk/one-reference-exp"],
    "9.8": ["nltk/one-reference-add-one-all", "bleuscore/yellow-world"],
    "9.9": ["sacrebleu/degenerate-statistics-4", "sacrebleu/degenerate-statistics-6", "nltk/one-reference-unsmoothed"],
    "10.2": ["rules/empty-reference", "rules/empty-reference-beside-another", "torchtext/both-empty"],
    "10.4": ["rules/ragged-references"],
    "11.3": ["rules/perfect-is-exactly-one", "rules/perfect-with-odd-weights", "rules/perfect-with-longer-corpus"],
    "14.2": ["errors/fewer-references", "errors/more-references"],
    "14.3": ["errors/flat-references"],
    "14.4": ["errors/references-by-annotator"],
    "14.5": ["errors/text-for-list"],
    "14.6": ["errors/absent-candidate"],
    "14.7": ["errors/no-reference", "errors/only-absent-references"],
    "14.8": ["errors/text-against-tokens"],
    "14.9": ["errors/weights-below-one", "errors/weights-above-one", "errors/weight-negative", "errors/weights-too-few"],
    "14.10": ["errors/order-zero"],
    "14.11": ["errors/unknown-smoothing", "errors/unknown-tokenizer", "errors/unknown-length-rule"],
    "14.12": ["errors/value-without-use"],
}
