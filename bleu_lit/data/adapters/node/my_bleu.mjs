// A BLEU under the conformance suite of bleu_lit. Put yours in place of `bleu`, and run:
//
//     bleu-lit conform --command "node my_bleu.mjs"
//
// A line of standard input is a case, a line of standard output its answer: results by stage, as many or as few as you have;
// or an error, right where the input has no score; or a skip, with the reason, for what your BLEU has no option for.
// Scores of few digits say so beside "stages": "within":{"score":0.00005} for two decimals of a percentage.

import { basename } from "node:path";
import { createInterface } from "node:readline";

const NAME = `${basename(process.argv[1])} 1.0`; // what the report calls it

const BLANK = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu; // everything but white space

function answer(given) {
  const said = given.settings, input = given.input;
  if (given.level !== "corpus" && given.level !== "sentence") return { skip: `no level: ${given.level}` };
  if (said.smooth !== "none" || said.effective_order || said.reference_length !== "closest")
    return { skip: "no smoothing, no effective order, and the closest reference length alone" };
  if (!input.tokenized && (said.tokenize !== "none" || said.lowercase || said.normalize))
    return { skip: "no tokenizer, no lowercasing and no normalisation" };
  if ((said.blank_references ?? "empty") !== "empty") return { skip: "a blank reference is an empty one" };
  if (said.smooth_value !== null) throw new Error("no smoothing, but a value for it");
  const isText = (one) => typeof one === "string";
  const cut = (segment) => {
    if (input.tokenized ? !Array.isArray(segment) || !segment.every(isText) : !isText(segment)) throw new Error("a segment of the wrong type");
    return input.tokenized ? segment : segment.match(BLANK) ?? [];
  };
  const { candidates, references } = input;
  if (!Array.isArray(candidates) || !Array.isArray(references) || !candidates.length) throw new Error("no lists of segments");
  if (candidates.length !== references.length) throw new Error(`${candidates.length} candidates, but references for ${references.length}`);
  const groups = references.map((group) => {
    if (!Array.isArray(group)) throw new Error("every candidate needs a list of references");
    const there = group.filter((one) => one !== null).map(cut);
    if (!there.length) throw new Error("a candidate without a reference");
    return there;
  });
  return { stages: bleu(candidates.map(cut), groups, said.max_order, said.weights) };
}

function ngrams(tokens, n) {
  const counts = new Map();
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = JSON.stringify(tokens.slice(i, i + n));
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

// BLEU of tokens, with its parts. Replace this by your own.
function bleu(candidates, references, maxOrder, weights) {
  if (!(maxOrder >= 1)) throw new Error("the order must be at least 1");
  const w = weights ?? Array(maxOrder).fill(1 / maxOrder);
  if (w.length !== maxOrder || w.some((one) => one < 0) || Math.abs(w.reduce((a, b) => a + b, 0) - 1) > 1e-9)
    throw new Error("one weight for each order, none negative, with the sum 1");
  const matched = Array(maxOrder).fill(0), total = Array(maxOrder).fill(0);
  let c = 0, r = 0;
  candidates.forEach((candidate, s) => {
    c += candidate.length;
    const lengths = references[s].map((one) => one.length);
    lengths.sort((a, b) => Math.abs(a - candidate.length) - Math.abs(b - candidate.length) || a - b);
    r += lengths[0];
    for (let n = 1; n <= maxOrder; n++) {
      const others = references[s].map((one) => ngrams(one, n));
      for (const [gram, count] of ngrams(candidate, n)) {
        total[n - 1] += count;
        matched[n - 1] += Math.min(count, Math.max(...others.map((other) => other.get(gram) ?? 0)));
      }
    }
  });
  const penalty = c ? Math.exp(Math.min(0, 1 - r / c)) : 0;
  let log = 0;
  for (let n = 0; n < maxOrder; n++) if (w[n] > 0) log += w[n] * Math.log(matched[n] ? matched[n] / total[n] : 0);
  return { total, matched, candidate_length: c, reference_length: r, brevity_penalty: penalty, score: penalty * Math.exp(log) };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (!line.trim()) continue;
  const given = JSON.parse(line);
  let result;
  try {
    result = answer(given);
  } catch (error) {
    result = { error: error.message };
  }
  process.stdout.write(JSON.stringify({ id: given.id, ...result, implementation: NAME }) + "\n");
}
