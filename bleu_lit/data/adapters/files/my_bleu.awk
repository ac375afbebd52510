# BLEU of files, to be replaced by your own program:  awk [-v order=4] -f my_bleu.awk candidates reference [reference ...]
# Tokens are what stands between white space; equal weights, orders up to 9, the closest reference length, nothing smoothed.

BEGIN { if (!order) order = 4 }

function refuse(why) { print why > "/dev/stderr"; failed = 1; exit 1 }

function cut(line, tokens) {
    gsub(/\302\205|\302\240|\341\232\200|\342\200[\200-\212]|\342\200[\250\251\257]|\342\201\237|\343\200\200|[\034-\037]/, " ", line)
    return split(line, tokens, /[ \t\013\014\r]+/) - (line ~ /[ \t\013\014\r]$/) - (line ~ /^[ \t\013\014\r]/)
}

FNR == 1 { file++ }
{ text[file, FNR] = $0; lines[file] = FNR }

END {
    if (failed) exit 1
    if (!lines[1] || file < 2) refuse("no candidates, or no references")
    for (f = 2; f <= file; f++) if (lines[f] != lines[1]) refuse(lines[1] " candidates, but " lines[f] " lines of references")
    for (s = 1; s <= lines[1]; s++) {
        length_of = count(text[1, s], own)
        c += length_of
        nearest = -1
        split("", best)
        for (f = 2; f <= file; f++) {
            one = count(text[f, s], other)
            near = one > length_of ? one - length_of : length_of - one
            if (nearest < 0 || near < gap || (near == gap && one < nearest)) { nearest = one; gap = near }
            for (gram in other) if (other[gram] > best[gram]) best[gram] = other[gram]
        }
        r += nearest
        for (gram in own) {
            n = substr(gram, 1, 1)
            total[n] += own[gram]
            matched[n] += own[gram] < best[gram] ? own[gram] : best[gram]
        }
    }
    score = matched[order] ? 1 : 0
    for (n = 1; n <= order && score; n++) logs += log(matched[n] / total[n]) / order
    if (score) score = exp(logs + (c < r ? 1 - r / c : 0))
    printf "BLEU = %.17g\n", score
}

# The n-grams of a line with their counts, each behind its n; gives the number of tokens.
function count(line, grams,    tokens, k, first, i, n, gram) {
    split("", grams)
    k = cut(line, tokens)
    first = line ~ /^[ \t\013\014\r]/ ? 2 : 1
    for (i = first; i < first + k; i++) {
        gram = ""
        for (n = 1; n <= order && i + n <= first + k; n++) {
            gram = gram " " tokens[i + n - 1]
            grams[n gram]++
        }
    }
    return k
}
