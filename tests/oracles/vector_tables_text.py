"""Vectors about text: tokens by each tokenizer, case, Unicode, signatures, lines of files, published corpora.

Expected tokens and signatures are sacreBLEU's, run once by vector_record.py; those of signatures that sacreBLEU cannot write stand here.
"""

from oracles.vector_tables import SOURCES, our
from oracles.vector_tables_spec import RULES

SOURCES["run"] = ("Text by the bleu_lit authors, tokens by sacreBLEU 2.6.0", "run once, tests/oracles/vector_record.json", "own")
SOURCES["run-signature"] = ("Signature by sacreBLEU 2.6.0", "run once, tests/oracles/vector_record.json", "own")

SIGNED: list[str] = []  # ids whose signature sacreBLEU writes
FILES: list[dict] = []
CORPORA: list[dict] = []


def ruled(number: str, name: str, why: str, candidates, references, settings: dict | None = None, **more) -> None:
    """A vector of a numbered rule."""
    our(name, RULES[number]["clause"], why, candidates, references, settings=settings or {}, rule=number, **more)


def cut(tokenize: str, number: str, name: str, why: str, text: str, spaced: str, **settings) -> None:
    """One text against another that is cut already as the rule cuts it, so that a score alone notices."""
    said = {"level": "sentence", "max_order": 2, "tokenize": tokenize, **settings}
    ruled(number, f"tokens/{tokenize}/{name}", why, [text], [[spaced]], said, source="run", tokens="record")


# --- none -----------------------------------------------------------------------------------------------------------
cut("none", "1.1", "punctuation", "none: a comma sticks to its word, so one of two words is another token.", "Hello, world", "Hello , world")
cut("none", "1.1", "entities", "none: an entity is five characters like any others.", "AT&amp;T is on", "AT&T is on")
cut("none", "1.1", "chinese", "none: text without spaces is one token, whatever its script.", "今天天气很好 真的", "今天 天气 很好 真的")
cut("none", "1.1", "apostrophes", "none: a contraction is one token.", "we don't know", "we don't know")
cut("none", "1.2", "tabs", "none: a tab separates, and two of them no more than one.", "a\tb\t\tc d", "a b c d")
cut("none", "1.2", "line-feed-inside", "none: a line feed inside a segment is white space, not the end of it.", "a b\nc d", "a b c d")
cut("none", "1.2", "no-break-space", "none: U+00A0, the no-break space of thousands, separates like any other.", "10\u00a0000 km away", "10 000 km away")
cut("none", "1.2", "narrow-no-break-space", "none: U+202F, the narrow space before French signs, separates.", "12\u202f€ de plus", "12 € de plus")
cut("none", "1.2", "ideographic-space", "none: U+3000, the wide space of East Asian text, separates.", "東京\u3000大阪 京都", "東京 大阪 京都")
cut("none", "1.2", "thin-and-em-spaces", "none: U+2009 and U+2003 separate.", "a\u2009b\u2003c d", "a b c d")
cut("none", "1.2", "next-line", "none: U+0085 and U+2028 inside a segment are white space too.", "a\u0085b\u2028c d", "a b c d")
cut("none", "1.2", "ogham-space", "none: U+1680 is a space with a stroke, and still a space.", "a\u1680b c", "a b c")
cut("none", "1.2", "zero-width-space", "none: U+200B has no width and is no white space: the two words are one token.", "a\u200bb c d", "a b c d")
cut("none", "1.2", "mark-at-the-start", "none: U+FEFF in a segment belongs to its first word; only files drop it.", "\ufeffthe cat sat", "the cat sat")
cut("none", "1.2", "spaces-at-the-ends", "none: white space at both ends makes no empty tokens.", "  the cat  ", "the cat")
cut("none", "1.2", "only-spaces", "none: a text of spaces has no tokens, so the candidate is empty.", "   ", "the cat")
cut("none", "1.2", "vertical-tab-and-form-feed", "none: the old control characters for paper separate.", "a\x0bb\x0cc d", "a b c d")

# --- char -----------------------------------------------------------------------------------------------------------
cut("char", "1.3", "latin", "char: every letter a token, the space none.", "ab c", "a b c")
cut("char", "1.3", "digits-and-signs", "char: digits and signs are characters like letters.", "1,5 %", "1 , 5 %")
cut("char", "1.3", "spaces-in-chinese", "char: spaces between characters change nothing.", "你 好 吗", "你好吗")
cut("char", "1.3", "beyond-the-plane", "char: a character beyond U+FFFF is one token, though UTF-16 needs two units for it.", "😀b😀", "😀 b 😀")
cut("char", "1.3", "combining-mark", "char: a letter and its combining accent are two code points, so two tokens.", "cafe\u0301", "c a f e \u0301")
cut("char", "1.3", "family", "char: a family of emoji is one picture and five code points, joiners included.", "👨\u200d👩\u200d👧", "👨 \u200d 👩 \u200d 👧")
cut("char", "1.3", "flag", "char: a flag is two code points.", "🇨🇭 🇨🇭", "🇨 🇭 🇨 🇭")
cut("char", "1.3", "hangul", "char: a Korean syllable block is one code point.", "한국어 말", "한 국 어 말")
cut("char", "1.3", "thai-vowels", "char: Thai vowel signs above and below are code points of their own.", "น้ำ ดี", "น ้ ำ ด ี")
cut("char", "1.3", "arabic", "char: Arabic letters count in the order in which they are stored.", "سلام", "س ل ا م")
cut("char", "1.3", "wide-space", "char: the ideographic space is white space and no token.", "東\u3000京", "東京")

# --- 13a ------------------------------------------------------------------------------------------------------------
cut("13a", "1.4", "skipped", "13a: the mark for a passage that was left out is dropped.", "the <skipped> cat", "the cat")
cut("13a", "1.4", "skipped-inside", "13a: the mark goes without leaving a gap, also inside a word.", "ca<skipped>t sat", "cat sat")
cut("13a", "1.4", "ampersand", "13a: AT&amp;T becomes AT&T first, and is then cut at the sign.", "AT&amp;T pays", "AT & T pays")
cut("13a", "1.4", "tags", "13a: spelled-out brackets become brackets, and each is a token.", "&lt;b&gt; x", "< b > x")
cut("13a", "1.4", "twice-escaped", "13a: &amp; is spelled out before &lt;, so what was escaped twice is opened twice.", "a &amp;lt; b", "a < b")
cut("13a", "1.4", "quot-escaped-twice", "13a: &quot; comes first, so behind &amp; it stays an entity.", "a &amp;quot; b", "a & quot ; b")
cut("13a", "1.4", "other-entities", "13a: only four entities are known; &apos; and &#39; are cut into pieces.", "a &apos; &#39; b", "a & apos ; & # 39 ; b")
cut("13a", "1.4", "hyphen-at-line-end", "13a: a hyphen before a line feed goes, and the word is whole again.", "an exam-\nple here", "an example here")
cut("13a", "1.4", "line-feed", "13a: another line feed is a blank.", "one line\nand two", "one line and two")
cut("13a", "1.5", "arithmetic", "13a: plus and equals sign part what they join.", "a+b=c", "a + b = c")
cut("13a", "1.5", "brackets", "13a: three kinds of brackets are cut off on both sides.", "(x) [y] {z}", "( x ) [ y ] { z }")
cut("13a", "1.5", "signs-at-words", "13a: per cent, dollar, number and at sign are tokens.", "50% $5 #1 @me", "50 % $ 5 # 1 @ me")
cut("13a", "1.5", "apostrophe", "13a: the apostrophe is the one ASCII sign that is left where it is.", "don't 'tis rock'n'roll", "don't 'tis rock'n'roll")
cut("13a", "1.5", "slashes", "13a: both slashes are cut off.", "and/or a\\b", "and / or a \\ b")
cut("13a", "1.5", "rare-signs", "13a: tilde, grave, caret, underscore and bar are signs too.", "a~b`c^d_e|f", "a ~ b ` c ^ d _ e | f")
cut("13a", "1.5", "quotes-and-colons", "13a: straight quotes, colons and semicolons.", 'He said: "no"; go!', 'He said : " no " ; go !')
cut("13a", "1.5", "beyond-ascii", "13a: curly quotes, the dash and the euro sign are not ASCII and stay.", "„Nein“ – 5€", "„Nein“ – 5€")
cut("13a", "1.5", "curly-apostrophe", "13a: the typographic apostrophe stays as the straight one does.", "don’t stop", "don’t stop")
cut("13a", "1.6", "numbers", "13a: point and comma between digits stay.", "3.14 and 1,000,000", "3.14 and 1,000,000")
cut("13a", "1.6", "abbreviation", "13a: each point of an abbreviation is cut off.", "in the U.S. now", "in the U . S . now")
cut("13a", "1.6", "sentence-end", "13a: the point after the last word is a token.", "It ends.", "It ends .")
cut("13a", "1.6", "version", "13a: a letter on one side is enough to cut at the point, a digit on both keeps it.", "v1.2.x and 3.a", "v1.2 . x and 3 . a")
cut("13a", "1.6", "comma-without-space", "13a: a comma between letters is cut off though no space follows.", "a,b,c", "a , b , c")
cut("13a", "1.6", "number-edges", "13a: a point at either end of a number has a blank for a neighbour and goes.", ".5 and 5.", ". 5 and 5 .")
cut(
    "13a",
    "1.6",
    "hyphen-after-digit",
    "13a: a hyphen that follows a digit is cut off, one that precedes a digit or joins letters is not.",
    "1990-91 F-16 well-known -5",
    "1990 - 91 F-16 well-known -5",
)
cut("13a", "1.6", "dots", "13a: three points become three tokens.", "wait...", "wait . . .")
cut("13a", "1.6", "two-signs", "13a: a point and a comma between digits have each other for neighbours, and part.", "1.,2 x", "1 . , 2 x")
cut("13a", "1.6", "percentage-range", "13a: all steps in one number.", "5-6.5%,", "5 - 6.5 % ,")
cut("13a", "1.6", "other-digits", "13a: digits of other scripts are no digits here, so the point between them is cut off.", "٣.٥ x", "٣ . ٥ x")

# --- intl -----------------------------------------------------------------------------------------------------------
cut("intl", "1.7", "numbers", "intl: point and comma between digits stay.", "3.14 and 1,000", "3.14 and 1,000")
cut("intl", "1.7", "apostrophes", "intl: straight and curly apostrophes are punctuation and are cut off.", "don't don’t", "don ' t don ’ t")
cut("intl", "1.7", "quotes", "intl: curly quotes are cut off on both sides.", "say “yes” now", "say “ yes ” now")
cut("intl", "1.7", "dashes", "intl: dashes of every length are punctuation.", "a—b–c-d", "a — b – c - d")
cut(
    "intl", "1.7", "cjk-stops", "intl: full stops and commas of Chinese and Japanese are cut off, characters are not parted.", "你好，世界。", "你好 ， 世界 。"
)
cut("intl", "1.7", "arabic-numbers", "intl: digits of every script are numbers, so the Arabic decimal sign between them stays.", "٣٫١٤ x", "٣٫١٤ x")
cut("intl", "1.7", "fractions", "intl: one half and the circled one are numbers as well.", "1.½ ①.a", "1.½ ① . a")
cut("intl", "1.7", "sign-first", "intl: at the very start a sign before a digit has no other neighbour and stays.", ".5 is .5", ".5 is . 5")
cut("intl", "1.7", "sign-last", "intl: at the very end a sign after a digit stays as well.", "5. is 5.", "5 . is 5.")
cut("intl", "1.7", "underscore", "intl: the underscore is punctuation.", "a_b c", "a _ b c")
cut("intl", "1.7", "spanish", "intl: the signs that open a Spanish question or call.", "¿Qué? ¡Sí!", "¿ Qué ? ¡ Sí !")
cut("intl", "1.7", "devanagari", "intl: the danda ends a Hindi sentence and is cut off; vowel signs are not.", "यह है।", "यह है ।")
cut("intl", "1.8", "currency", "intl: a currency sign is a symbol and is cut off before and behind numbers.", "€5 5€ $5", "€ 5 5 € $ 5")
cut("intl", "1.8", "arithmetic", "intl: symbols part even numbers.", "1+1=2", "1 + 1 = 2")
cut("intl", "1.8", "entities", "intl: an entity is not spelled out but cut at its signs.", "AT&amp;T", "AT & amp ; T")
cut("intl", "1.8", "skipped", "intl: the mark for a passage left out is text like any other.", "the <skipped> cat", "the < skipped > cat")
cut("intl", "1.8", "emoji", "intl: emoji are symbols, each cut off by itself.", "nice👍🙂ok", "nice 👍 🙂 ok")
cut("intl", "1.8", "degrees", "intl: the degree sign is a symbol, the per cent sign is punctuation.", "20°C 5%x", "20 ° C 5 % x")

# --- zh -------------------------------------------------------------------------------------------------------------
cut("zh", "1.9", "mixed", "zh: Chinese characters one by one, a number whole, the Chinese stop cut off.", "今天是2024年。", "今 天 是 2024 年 。")
cut("zh", "1.9", "latin-beside", "zh: a Latin word beside Chinese characters is parted from them and whole.", "hello世界ok", "hello 世 界 ok")
cut("zh", "1.9", "wide-signs", "zh: wide punctuation is in the table.", "中文，标点！好", "中 文 ， 标 点 ！ 好")
cut("zh", "1.9", "decimal", "zh: a decimal point between digits stays.", "3.5公里", "3.5 公 里")
cut("zh", "1.9", "western-signs", "zh: ASCII signs are cut as 13a cuts them.", "价格(元): $3.", "价 格 ( 元 ) : $ 3 .")
cut("zh", "1.9", "entities", "zh: entities are not spelled out.", "好&amp;坏", "好 & amp ; 坏")
cut("zh", "1.9", "wide-letters", "zh: wide letters and digits are in the table, each a token.", "ＡＢ１好", "Ａ Ｂ １ 好")
cut("zh", "1.9", "curly-quotes", "zh: curly quotes are in the table.", "“好”吧", "“ 好 ” 吧")
cut("zh", "1.9", "kana", "zh: Japanese kana are not in the table; a run of them is one token.", "東京のまち", "東 京 のまち")
cut("zh", "1.9", "rare-plane", "zh: the rare characters beyond U+FFFF are not in the table and stay together.", "𠀀𠀁好", "𠀀𠀁 好")
cut("zh", "1.9", "extension-a", "zh: the rare characters of the first extension are in the table.", "㐀㐁好", "㐀 㐁 好")
cut("zh", "1.9", "bopomofo-and-symbols", "zh: bopomofo and the signs of U+2600 are in the table.", "ㄅㄆ☀好", "ㄅ ㄆ ☀ 好")
cut("zh", "1.9", "latin-only", "zh: text without a Chinese character is cut as 13a cuts it.", "It costs 3.50, or not.", "It costs 3.50 , or not .")

# --- Tokens that are given ------------------------------------------------------------------------------------------
_GIVEN = {"level": "sentence", "max_order": 2}
ruled(
    "1.10",
    "tokens/given/with-a-tokenizer",
    "Tokens that are given stay whole, though a tokenizer is named that would cut them.",
    [["U.S.", "don't,", "x"]],
    [[["U.S.", "don't,", "y"]]],
    {**_GIVEN, "tokenize": "13a"},
)
ruled(
    "1.10", "tokens/given/with-spaces", "A given token may hold a space; it is one token.", [["New York", "is", "big"]], [[["New York", "was", "big"]]], _GIVEN
)
ruled(
    "1.10",
    "tokens/given/with-case",
    "Given tokens keep their case, though lowercasing is asked for.",
    [["The", "cat", "sat"]],
    [[["the", "cat", "sat"]]],
    {**_GIVEN, "lowercase": True},
)
ruled(
    "1.10",
    "tokens/given/with-a-form",
    "Given tokens keep their code points, though a normal form is asked for.",
    [["cafe\u0301", "noir", "a"]],
    [[["caf\u00e9", "noir", "a"]]],
    {**_GIVEN, "normalize": "NFC"},
)
ruled(
    "1.10",
    "tokens/given/single-characters",
    "Given tokens of one character each, among them a comma.",
    [["a", ",", "b"]],
    [[["a", ",", "c"]]],
    {**_GIVEN, "tokenize": "char"},
)


# --- Case -----------------------------------------------------------------------------------------------------------
def cased(number: str, name: str, why: str, text: str, other: str, lowercase: bool | str, tokenize: str = "none") -> None:
    ruled(
        number,
        f"case/{name}",
        why,
        [text],
        [[other]],
        {"level": "sentence", "max_order": 2, "tokenize": tokenize, "lowercase": lowercase},
        source="run",
        tokens="record",
    )


cased("1.11", "kept", "A capital at the start of the sentence costs a unigram and a bigram.", "The cat sat", "the cat sat", False)
cased("1.11", "kept-in-acronyms", "US and us are two words.", "us and US", "US and us", False, "13a")
cased("1.12", "umlauts", "Lowercasing reaches letters beyond ASCII.", "ÄPFEL UND ÖL", "äpfel und öl", True)
cased("1.12", "cyrillic", "Lowercasing reaches other alphabets.", "ПРИВЕТ МИР", "привет мир", True, "13a")
cased("1.12", "sharp-s", "Lowercasing is no case folding: ss and ß stay two spellings.", "DIE STRASSE dort", "die straße dort", True)
cased("1.12", "capital-sharp-s", "The capital ẞ has a small letter of its own.", "DIE STRAẞE dort", "die straße dort", True)
cased("1.12", "final-sigma", "At the end of a word the Greek capital sigma becomes the final form.", "Ο ΔΡΟΜΟΣ", "ο δρομος", True)
cased("1.12", "dotted-capital-i", "The Turkish capital with a dot becomes two code points: i and a dot above.", "İZMİR bu", "i\u0307zmi\u0307r bu", True)
cased(
    "1.12", "before-the-tokenizer", "Lowercasing comes first: &QUOT; becomes &quot; and is spelled out by 13a.", "&QUOT;Yes&QUOT; x", '" yes " x', True, "13a"
)
cased("1.13", "ascii-umlauts", "ascii leaves every letter beyond A to Z as it is.", "ÄPFEL UND ÖL", "Äpfel und Öl", "ascii")
cased("1.13", "ascii-plain", "ascii lowercases A to Z.", "The CAT sat", "the cat sat", "ascii", "13a")
cased("1.13", "ascii-kelvin", "The Kelvin sign looks like K and is not; ascii leaves it.", "5 \u212a Kelvin", "5 \u212a kelvin", "ascii")
cased("1.12", "kelvin", "Unicode lowercases the Kelvin sign to k.", "5 \u212a Kelvin", "5 k kelvin", True)
cased("1.13", "ascii-cyrillic", "ascii changes nothing in Cyrillic text.", "ПРИВЕТ МИР OK", "ПРИВЕТ МИР ok", "ascii")


# --- Unicode --------------------------------------------------------------------------------------------------------
def formed(
    number: str, name: str, why: str, text: str, other: str, normalize: str | None = None, tokenize: str = "none", lowercase: bool | str = False
) -> None:
    said = {"level": "sentence", "max_order": 2, "tokenize": tokenize}
    said |= {"lowercase": lowercase} if lowercase else {}
    said |= {"normalize": normalize} if normalize else {}
    ruled(number, f"unicode/{name}", why, [text], [[other]], said, source="run", tokens="record")


_CAFE = ("un cafe\u0301 noir", "un caf\u00e9 noir")
formed("1.14", "composed-and-decomposed", "One word typed in two ways, letter with accent and letter plus accent: two tokens.", *_CAFE)
formed("1.15", "composed-nfc", "Under NFC the two spellings of one accented letter are equal.", *_CAFE, "NFC")
formed("1.15", "composed-nfkc", "Under NFKC they are equal as well.", *_CAFE, "NFKC")
formed("1.15", "ligature-nfc", "NFC leaves the ligature as it is.", "a \ufb01ne day", "a fine day", "NFC")
formed("1.15", "ligature-nfkc", "NFKC spells the ligature out.", "a \ufb01ne day", "a fine day", "NFKC")
formed("1.15", "wide-digits-nfkc", "NFKC makes wide digits and letters the usual ones.", "ＡＢ １２ 個", "AB 12 個", "NFKC")
formed("1.15", "angstrom-nfc", "NFC makes the Angstrom sign the letter.", "5 \u212b lang", "5 \u00c5 lang", "NFC")
formed("1.15", "hangul-nfc", "NFC puts Korean letters together into blocks.", "\u1112\u1161\u11ab\u1100\u116e\u11a8 \u1106\u1161\u11af", "한국 말", "NFC")
formed("1.15", "order-of-marks-nfc", "NFC brings two marks on one letter into one order.", "a q\u0307\u0323 b", "a q\u0323\u0307 b", "NFC")
formed(
    "1.15",
    "form-before-tokenizer",
    "The form comes before the tokenizer: NFKC makes three points of the ellipsis, and 13a cuts them off.",
    "wait\u2026 now",
    "wait . . . now",
    "NFKC",
    "13a",
)
formed(
    "1.15",
    "form-before-case",
    "The form comes before case: the Roman numeral four becomes IV, then iv.",
    "Karl \u2163 kam",
    "karl iv kam",
    "NFKC",
    "none",
    True,
)
formed(
    "1.15",
    "form-before-case-celsius",
    "The sign for degrees Celsius has no small letter; NFKC makes °C of it, and then case makes °c.",
    "20 \u2103 warm",
    "20 °c warm",
    "NFKC",
    "none",
    True,
)
formed("1.14", "marks-in-another-order", "Two marks on one letter in two orders look alike and are two tokens.", "a q\u0307\u0323 b", "a q\u0323\u0307 b")
formed("1.14", "look-alike", "A Cyrillic а in a Latin word makes another word.", "p\u0430y p\u0430l", "pay pal")
formed("1.15", "look-alike-nfkc", "No normal form makes Cyrillic and Latin letters equal.", "p\u0430y p\u0430l now", "pay pal now", "NFKC")
formed(
    "1.14", "right-to-left", "Hebrew tokens are counted in the order in which they are stored, not in which they are shown.", "שלום עולם טוב", "שלום עולם רע"
)
formed("1.14", "direction-mark", "An invisible mark of direction is part of its token.", "שלום\u200f עולם", "שלום עולם")
formed("1.14", "soft-hyphen", "An invisible soft hyphen makes another token.", "Donau\u00addampf schiff", "Donaudampf schiff")
formed("1.14", "variation-selector", "A heart as text and a heart as a picture are two tokens.", "I \u2764\ufe0f it", "I \u2764 it")
formed("1.14", "beyond-the-plane", "Tokens of characters beyond U+FFFF are compared whole.", "😀 😁 😂 🤣", "😀 😁 😃 🤣")
formed(
    "1.14",
    "half-a-pair",
    "Half of a UTF-16 pair is a token like another. A program whose texts cannot hold one may skip this with that reason.",
    "a \ud83d b",
    "a \ud83d c",
)
formed("1.14", "arabic-with-vowels", "Arabic with and without vowel signs are two spellings.", "كَتَبَ الولد", "كتب الولد")
formed("1.14", "zero-width-joiner", "A joiner between two letters, as Persian uses one, is part of the token.", "می\u200cروم خانه", "میروم خانه")

# --- Signatures -----------------------------------------------------------------------------------------------------
_DOG = (
    ["The dog bit the man.", "It was not surprising at all."],
    [["The dog bit the man.", "The dog had bitten the man."], ["It was not unexpected at all.", "No one was surprised."]],
)
_ONE = ([_DOG[0][0]], [[_DOG[1][0][1]]])


def signed(name: str, why: str, data=_DOG, expected: str | None = None, **settings) -> None:
    """A signature; sacreBLEU's if none is given here."""
    said = {"tokenize": "13a", "smooth": "exp", **settings}
    more = {"source": "run-signature", "signature": "record"} if expected is None else {"signature": expected}
    ruled("12.1" if expected is None else "12.2", f"signature/{name}", why, *data, said, tokens="record", **more)


signed("default", "What sacreBLEU writes when nothing is asked for.")
signed("one-reference", "The number of references comes first.", _ONE)
signed("three-references", "Three references.", ([_DOG[0][0]], [[*_DOG[1][0], "A dog bit a man."]]))
signed("varying-references", "Segments with two references and with one: var.", (_DOG[0], [_DOG[1][0], [_DOG[1][1][0], None]]))
signed("lowercase", "Lowercasing is case:lc.", lowercase=True)
signed("effective-order", "Effective order is eff:yes.", effective_order=True)
for _name in ("none", "char", "intl", "zh"):
    signed(f"tokenizer-{_name}", f"The tokenizer {_name} by its name.", tokenize=_name)
signed("smooth-none", "No smoothing is smooth:none.", smooth="none")
signed("smooth-floor", "The floor's usual value is written with two places.", smooth="floor")
signed("smooth-floor-value", "Another value of the floor.", smooth="floor", smooth_value="0.25")
signed("smooth-add-k", "The constant of add-k is written though it is the usual one.", smooth="add-k")
signed("smooth-add-k-value", "Two and a half added.", smooth="add-k", smooth_value="2.5")
signed(
    "everything",
    "Case, effective order, tokenizer and smoothing in one line.",
    lowercase=True,
    effective_order=True,
    tokenize="intl",
    smooth="floor",
    smooth_value="0.5",
)

_HEAD = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp"
signed("order", "Another highest order is named: sacreBLEU's line would be the same for 2 and for 4.", expected=f"{_HEAD}|order:2", max_order=2)
signed("order-four-is-usual", "The usual order four is not named, though it was said.", expected=_HEAD, max_order=4)
signed("weights", "Weights other than uniform are named as fractions.", expected=f"{_HEAD}|weights:1/10,3/10,1/2,1/10", weights=["1/10", "3/10", "1/2", "1/10"])
signed("uniform-weights-are-usual", "Uniform weights are not named, though they were said.", expected=_HEAD, weights=["1/4"] * 4)
signed("order-and-weights", "Three weights bring the order three.", expected=f"{_HEAD}|order:3|weights:1/2,1/3,1/6", max_order=3, weights=["1/2", "1/3", "1/6"])
signed("shortest", "The rule of the shortest reference is named.", expected=f"{_HEAD}|reflen:shortest", reference_length="shortest")
signed("average-length-of-references", "The rule of the average reference is named.", expected=f"{_HEAD}|reflen:average", reference_length="average")
signed("closest-is-usual", "The rule of the closest reference is not named.", expected=_HEAD, reference_length="closest")
signed("normal-form", "A normal form is named.", expected=f"{_HEAD}|norm:NFC", normalize="NFC")
signed("ascii-case", "Lowercasing of A to Z alone is case:ascii.", expected="nrefs:2|case:ascii|eff:no|tok:13a|smooth:exp", lowercase="ascii")
signed("blank-references", "Blank references read as absent are named.", expected=f"{_HEAD}|blank:absent", blank_references="absent")
signed("smooth-length", "Chen and Cherry's fourth method, with its K.", _ONE, expected="nrefs:1|case:mixed|eff:no|tok:13a|smooth:length[5.00]", smooth="length")
signed("smooth-average", "A method without a value has no brackets.", _ONE, expected="nrefs:1|case:mixed|eff:no|tok:13a|smooth:average", smooth="average")
signed(
    "smooth-fine-value",
    "A value with more than two places is written exactly, as a fraction.",
    expected=_HEAD.replace("exp", "floor[1/1000]"),
    smooth="floor",
    smooth_value="0.001",
)
signed(
    "all-of-ours",
    "Every part that sacreBLEU lacks, in order.",
    expected="nrefs:2|case:ascii|eff:yes|tok:13a|smooth:none|order:2|weights:2/3,1/3|reflen:shortest|norm:NFKC|blank:absent",
    lowercase="ascii",
    effective_order=True,
    smooth="none",
    max_order=2,
    weights=["2/3", "1/3"],
    reference_length="shortest",
    normalize="NFKC",
    blank_references="absent",
)


# --- Lines of files -------------------------------------------------------------------------------------------------
def read(number: str, name: str, why: str, candidates: str, references: str, lines: tuple[list[str], list[str]]) -> None:
    """A file of candidates and one of references, as the text of their UTF-8 bytes, and the lines that they hold."""
    FILES.append(
        {
            "id": f"bleu/lines/{name}",
            "clause": "lines",
            "rule": number,
            "why": why,
            "source": "ours",
            "files": {"candidates": {"content": candidates}, "references": [{"content": references}]},
            "lines": lines,
            "settings": {"max_order": 2},
        }
    )


_AB = (["a b c", "d e f"], ["a b x", "d e f"])
read("13.1", "line-feeds", "Two lines, each ended by a line feed; no third, empty line follows.", "a b c\nd e f\n", "a b x\nd e f\n", _AB)
read("13.1", "no-feed-at-the-end", "A last line that no line feed ends is a line.", "a b c\nd e f", "a b x\nd e f\n", _AB)
read(
    "13.1",
    "line-separator",
    "U+2028 ends no line: a reader that thinks so finds three candidates for two references.",
    "a\u2028b c\nd e f\n",
    "a b x\nd e f\n",
    (["a\u2028b c", "d e f"], _AB[1]),
)
read("13.1", "next-line", "U+0085 ends no line.", "a\u0085b c\nd e f\n", "a b x\nd e f\n", (["a\u0085b c", "d e f"], _AB[1]))
read("13.1", "form-feed", "A form feed and a vertical tab end no line.", "a\x0cb\x0bc\nd e f\n", "a b x\nd e f\n", (["a\x0cb\x0bc", "d e f"], _AB[1]))
read(
    "13.1",
    "carriage-return-alone",
    "A carriage return without a line feed ends no line; it is white space.",
    "a\rb c\nd e f\n",
    "a b x\nd e f\n",
    (["a\rb c", "d e f"], _AB[1]),
)
read(
    "13.1",
    "empty-line",
    "An empty line in the middle is a segment, and keeps the two files in step.",
    "a b c\n\nd e f\n",
    "a b x\nq r\nd e f\n",
    (["a b c", "", "d e f"], ["a b x", "q r", "d e f"]),
)
read("13.1", "empty-last-line", "Two line feeds at the end: the last line is empty, and is a segment.", "a b c\n\n", "a b x\nd e f\n", (["a b c", ""], _AB[1]))
read("13.2", "windows-ends", "Lines ended by CR LF: the carriage return is no part of the last word.", "a b c\r\nd e f\r\n", "a b x\nd e f\n", _AB)
read("13.2", "windows-ends-with-empty-line", "CR LF alone is an empty line.", "a b c\r\n\r\n", "a b x\r\nd e f\r\n", (["a b c", ""], _AB[1]))
read("13.3", "mark-at-the-start", "A byte order mark at the start is dropped: the first word is a.", "\ufeffa b c\nd e f\n", "a b x\nd e f\n", _AB)
read("13.3", "mark-in-the-references", "The same in the references.", "a b c\nd e f\n", "\ufeffa b x\nd e f\n", _AB)
read(
    "13.3",
    "mark-in-the-middle",
    "The same character at the start of a later line is text.",
    "a b c\n\ufeffd e f\n",
    "a b x\nd e f\n",
    (["a b c", "\ufeffd e f"], _AB[1]),
)

# --- Published corpora ----------------------------------------------------------------------------------------------
_SB = {"tokenize": "13a", "smooth": "exp"}
_E2E = {"tokenize": "13a", "smooth": "exp", "lowercase": "ascii", "blank_references": "absent"}
_CODE = {"tokenize": "none", "smooth": "add-one-all", "reference_length": "shortest"}


def corpus(
    name: str,
    system: str,
    why: str,
    settings: dict,
    printed: str | None = None,
    rounding: str = "rounded",
    scale: int = 100,
    references: list[int] | None = None,
) -> None:
    """A system of one of the evaluation sets, and the score that was published with it."""
    case = "-".join(
        [
            name.replace("_", "-"),
            system.lower().replace("_", "-"),
            *(f"ref{k}" for k in references or []),
            *([settings["tokenize"]] if settings["tokenize"] != "13a" else []),
        ]
    )
    CORPORA.append(
        {
            "id": f"bleu/corpora/{case}",
            "clause": "corpora",
            "rule": "13.4",
            "why": why,
            "set": name,
            "system": system,
            "references": references,
            "settings": settings,
            "printed": {"score": {"printed": printed, "rounding": rounding, "scale": scale}} if printed else {},
        }
    )


for _pair, _printed in (("esaym", "0.30"), ("esgn", "3.26"), ("esnah", "0.33"), ("esoto", "0.01"), ("esquy", "1.58")):
    corpus(f"americasnlp21_{_pair}", "baseline", f"The baseline of the AmericasNLP 2021 task, pair {_pair}: a score near 0 that is not 0.", _SB, _printed)
corpus("codexglue_code_trans", "pred", "Code to code: add-one on all orders and the shortest reference, as CodeXGLUE's script has it.", _CODE, "61.08")
corpus("codexglue_text_to_code", "pred", "Text to code, by the rules of the same script.", _CODE, "16.68")
for _system, _printed in (("tgen", "0.6593"), ("slug", "0.6619"), ("chen", "0.5859"), ("sheff2", "0.5436"), ("zhang", "0.6545"), ("harv", "0.6496")):
    corpus(
        "e2e_primary_21sys", _system, f"The E2E challenge, system {_system}: many references of different number, blank ones absent.", _E2E, _printed, scale=1
    )
for _pair, _systems in (
    ("ar", (("google", "33.7"), ("microsoft", "31.0"), ("nllb", "21.5"), ("argos", "16.5"))),
    ("ml", (("google", "20.4"), ("opusmt", "4.4"), ("nllb", "12.1"))),
    ("th", (("google", "14.9"), ("microsoft", "14.6"), ("nllb", "7.1"))),
):
    for _system, _printed in _systems:
        corpus(
            f"flores_test_en{_pair}", _system, f"FLORES test, English to {_pair}, system {_system}, a script that 13a does not cut into words.", _SB, _printed
        )
corpus(
    "homework_2_el",
    "google",
    "A course's homework into Greek, with its reference value; segments shorter than four words are in it.",
    {"tokenize": "none"},
    "0.0976570839819",
    "rounded",
    1,
)
corpus("homework_4_en", "google", "The same course into English.", {"tokenize": "none"}, "0.227894952018", "rounded", 1)
corpus("ted_sken_detok", "sys1_pbmt", "A talk from Slovak, detokenised, as a scorer's test has it.", _SB, "21.7")
corpus("ted_sken_tok", "sys1_pbmt", "The same talk in tokens, by multi-bleu.perl.", {"tokenize": "none"}, "22.44")
corpus("wmt14_fren_fairseq", "fairseq", "French to English, the summary line of a toolkit.", _SB, "39.69")
for _system, _printed in (("C-3MA.4959", "22.67"), ("FBK.4870", "26.33"), ("KIT.4950", "26.08")):
    corpus("wmt17_ende_16sys", _system, f"WMT 2017 English to German, system {_system}, by mteval-v13a with case kept.", _SB, _printed)
corpus("wmt17_ende_16sys", "LIUM-NMT.4900", "The same task by mteval-v14 with its international tokenizer.", {"tokenize": "intl", "smooth": "exp"}, "26.89")
for _set, _system, _printed, _refs in (
    ("wmt21_enru", "NiuTrans", "40.46650967963149", None),
    ("wmt21_enru", "NiuTrans", "27.063746942253772", [1]),
    ("wmt21_hibn", "TRANSSION", "14.99532507924112", None),
    ("wmt21_xhzu", "TRANSSION", "11.788487842618297", None),
    ("wmt23_enhe", "ZengHuiMT", "36.49435167335707", [0]),
):
    corpus(
        _set,
        _system,
        f"The published table of {_set.replace('_', ', ')}, system {_system}, {'one reference' if _refs else 'every reference'}.",
        _SB,
        _printed,
        "float64",
        100,
        _refs,
    )
corpus(
    "wmt22_enzh",
    "Lan-Bridge",
    "WMT 2022 English to Chinese with two references, cut by zh.",
    {"tokenize": "zh", "smooth": "exp"},
    "66.54672293704512",
    "float64",
)
corpus("wmt22_enzh", "Lan-Bridge", "The same with its second reference alone.", {"tokenize": "zh", "smooth": "exp"}, "56.001979293700266", "float64", 100, [1])
corpus("turkcorpus_8ref", "ACCESS", "Simplification with eight references a segment; no published score, the integers of an independent count.", _SB)
corpus("ott_ende_8ref_human", "humanR1", "A human translation against other human ones; no published score.", _SB)
corpus("multeval_set1_4ref", "run0", "Four references, tokens by white space; no published score.", {"tokenize": "none"})
corpus("multeval_set2", "run0", "The second set of the same scorer's tests; no published score.", {"tokenize": "none"})
corpus("didi_zh_charpair", "raw", "Chinese by characters, the score that its script says both forms share.", {"tokenize": "char", "smooth": "exp"}, "20.0139")
corpus("didi_zh_charpair", "charsplit", "The same text with blanks between characters: the same integers.", {"tokenize": "char", "smooth": "exp"}, "20.0139")
corpus("audiocaps_example1", "pred", "Captions of sounds with five references; no published score.", _SB)
