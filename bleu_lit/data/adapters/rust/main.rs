// A BLEU under the conformance suite of bleu_lit. Put yours in place of `bleu`, and run:
//
//     cargo build --release
//     bleu-lit conform --command target/release/my_bleu
//
// A line of standard input is a case, a line of standard output its answer: results by stage, as many or as few as you have;
// or an error, right where the input has no score; or a skip, with the reason, for what your BLEU has no option for.
// Scores of few digits say so beside "stages": "within":{"score":0.00005} for two decimals of a percentage.
// The small JSON reader at the end saves you a dependency; serde_json does as well.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

enum Reply {
    Stages(String),
    Error(String),
    Skip(String),
}

fn answer(case: &Json) -> Reply {
    let (said, input) = (case.get("settings"), case.get("input"));
    let level = case.get("level").text();
    if level != "corpus" && level != "sentence" {
        return Reply::Skip(format!("no level: {level}"));
    }
    if said.get("smooth").text() != "none" || said.get("effective_order").is_true() || said.get("reference_length").text() != "closest" {
        return Reply::Skip("no smoothing, no effective order, and the closest reference length alone".into());
    }
    let tokenized = input.get("tokenized").is_true();
    let keeps_case = matches!(said.get("lowercase"), Json::Bool(false));
    if !tokenized && (said.get("tokenize").text() != "none" || !keeps_case || !matches!(said.get("normalize"), Json::Null)) {
        return Reply::Skip("no tokenizer, no lowercasing and no normalisation".into());
    }
    if !matches!(said.get("blank_references").text(), "" | "empty") {
        return Reply::Skip("a blank reference is an empty one".into());
    }
    if !matches!(said.get("smooth_value"), Json::Null) {
        return Reply::Error("no smoothing, but a value for it".into());
    }
    match scored(said, input, tokenized) {
        Ok(stages) => Reply::Stages(stages),
        Err(why) => Reply::Error(why),
    }
}

fn scored(said: &Json, input: &Json, tokenized: bool) -> Result<String, String> {
    let candidates = input.get("candidates").list().ok_or("candidates must be a list")?;
    let references = input.get("references").list().ok_or("references must be a list")?;
    if candidates.is_empty() || candidates.len() != references.len() {
        return Err(format!("{} candidates, and references for {}", candidates.len(), references.len()));
    }
    let mut groups = Vec::new();
    for group in references {
        let group = group.list().ok_or("every candidate needs a list of references")?;
        let there = group.iter().filter(|one| !matches!(one, Json::Null)).map(|one| cut(one, tokenized)).collect::<Result<Vec<_>, _>>()?;
        if there.is_empty() {
            return Err("a candidate without a reference".into());
        }
        groups.push(there);
    }
    let candidates = candidates.iter().map(|one| cut(one, tokenized)).collect::<Result<Vec<_>, _>>()?;
    let order = said.get("max_order").number();
    if !(order >= 1.0) {
        return Err("the order must be at least 1".into());
    }
    let order = order as usize;
    let weights = match said.get("weights").list() {
        Some(given) => given.iter().map(Json::number).collect(),
        None => vec![1.0 / order as f64; order],
    };
    if weights.len() != order || weights.iter().any(|w| *w < 0.0) || (weights.iter().sum::<f64>() - 1.0).abs() > 1e-9 {
        return Err("one weight for each order, none negative, with the sum 1".into());
    }
    Ok(bleu(&candidates, &groups, order, &weights))
}

fn cut(segment: &Json, tokenized: bool) -> Result<Vec<String>, String> {
    match (segment, tokenized) {
        (Json::List(tokens), true) if tokens.iter().all(|token| matches!(token, Json::Text(_))) => {
            Ok(tokens.iter().map(|token| token.text().to_string()).collect())
        }
        (Json::Text(text), false) => Ok(text.split(is_blank).filter(|token| !token.is_empty()).map(String::from).collect()),
        _ => Err("a segment of the wrong type".into()),
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn ngrams(tokens: &[String], n: usize) -> HashMap<&[String], u64> {
    let mut counts = HashMap::new();
    for gram in tokens.windows(n) {
        *counts.entry(gram).or_insert(0) += 1;
    }
    counts
}

// BLEU of tokens, with its parts, as JSON. Replace this by your own.
fn bleu(candidates: &[Vec<String>], references: &[Vec<Vec<String>>], order: usize, weights: &[f64]) -> String {
    let (mut c, mut r) = (0usize, 0usize);
    let (mut matched, mut total) = (vec![0u64; order], vec![0u64; order]);
    for (candidate, group) in candidates.iter().zip(references) {
        c += candidate.len();
        r += group.iter().map(Vec::len).min_by_key(|length| (length.abs_diff(candidate.len()), *length)).unwrap_or(0);
        for n in 1..=order {
            let others: Vec<_> = group.iter().map(|one| ngrams(one, n)).collect();
            for (gram, count) in ngrams(candidate, n) {
                total[n - 1] += count;
                matched[n - 1] += count.min(others.iter().map(|other| *other.get(gram).unwrap_or(&0)).max().unwrap_or(0));
            }
        }
    }
    let penalty = if c == 0 { 0.0 } else { (1.0 - r as f64 / c as f64).min(0.0).exp() };
    let counted = (0..order).filter(|n| weights[*n] > 0.0);
    let log: f64 = counted.map(|n| weights[n] * if matched[n] == 0 { f64::NEG_INFINITY } else { (matched[n] as f64 / total[n] as f64).ln() }).sum();
    let score = penalty * log.exp();
    format!("{{\"total\":{total:?},\"matched\":{matched:?},\"candidate_length\":{c},\"reference_length\":{r},\"brevity_penalty\":{penalty},\"score\":{score}}}")
}

fn main() {
    let program = std::env::args().next().unwrap_or_default();
    let stem = std::path::Path::new(&program).file_stem().unwrap_or_default().to_string_lossy();
    let name = quoted(&format!("{stem} 1.0 (Rust)")); // what the report calls it
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input is UTF-8");
        if line.trim().is_empty() {
            continue;
        }
        let case = Json::parse(&line).expect("a line is JSON");
        let result = match answer(&case) {
            Reply::Stages(stages) => format!("\"stages\":{stages}"),
            Reply::Error(why) => format!("\"error\":{}", quoted(&why)),
            Reply::Skip(why) => format!("\"skip\":{}", quoted(&why)),
        };
        println!("{{\"id\":{},{result},\"implementation\":{name}}}", quoted(case.get("id").text()));
        io::stdout().flush().expect("standard output is open");
    }
}

// ---- JSON, as much as the questions need

enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    fn parse(text: &str) -> Option<Json> {
        let characters: Vec<char> = text.chars().collect();
        Reader { text: &characters, at: 0 }.value()
    }

    fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    fn number(&self) -> f64 {
        if let Json::Number(number) = self { *number } else { f64::NAN }
    }

    fn is_true(&self) -> bool {
        matches!(self, Json::Bool(true))
    }

    fn list(&self) -> Option<&Vec<Json>> {
        if let Json::List(list) = self { Some(list) } else { None }
    }
}

struct Reader<'a> {
    text: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.at += word.len();
        Some(value)
    }

    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            'n' => self.word("null", Json::Null),
            't' => self.word("true", Json::Bool(true)),
            'f' => self.word("false", Json::Bool(false)),
            '"' => self.string().map(Json::Text),
            '[' => {
                let mut list = Vec::new();
                self.take('[')?;
                while self.peek()? != ']' {
                    list.push(self.value()?);
                    if self.peek()? == ',' {
                        self.at += 1;
                    }
                }
                self.take(']').map(|()| Json::List(list))
            }
            '{' => {
                let mut fields = HashMap::new();
                self.take('{')?;
                while self.peek()? != '}' {
                    let name = self.string()?;
                    self.take(':')?;
                    fields.insert(name, self.value()?);
                    if self.peek()? == ',' {
                        self.at += 1;
                    }
                }
                self.take('}').map(|()| Json::Object(fields))
            }
            _ => {
                let start = self.at;
                while self.text.get(self.at).is_some_and(|c| "+-.0123456789eE".contains(*c)) {
                    self.at += 1;
                }
                self.text[start..self.at].iter().collect::<String>().parse().ok().map(Json::Number)
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take('"')?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let c = *self.text.get(self.at)?;
            self.at += 1;
            let plain = match c {
                '"' => return Some(String::from_utf16_lossy(&units)),
                '\\' => {
                    self.at += 1;
                    match *self.text.get(self.at - 1)? {
                        'u' => {
                            let digits: String = self.text.get(self.at..self.at + 4)?.iter().collect();
                            self.at += 4;
                            units.push(u16::from_str_radix(&digits, 16).ok()?);
                            continue;
                        }
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        other => other,
                    }
                }
                other => other,
            };
            units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x20..=0x7e if unit != 0x22 && unit != 0x5c => out.push(unit as u8 as char),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out + "\""
}
