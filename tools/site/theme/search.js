// The search of the site: words, not a blurred string. An entry is the better the more of the words it holds, and the nearer to a name or a heading they stand.
// What is written just so comes before what begins so, and that before what is nearly so, which counts only where a word stands nowhere as it is.
(() => {
  "use strict";
  const COMMON = new Set("a an and are as at be by can do does for from how i if in is it its me my of on one or that the there this to was we what when where which who why will with you your s t".split(" "));
  const SAME = [["0", "zero", "zeros", "null", "nil"], ["cite", "citation", "bibtex", "reference-entry"], ["install", "installation", "pip", "download", "setup"], ["command", "shell", "terminal", "cli"],
    ["penalty", "bp"], ["tokenizer", "tokenise", "tokenize", "tokenization", "tokenisation", "token"], ["ngram", "ngrams"], ["mean", "average"], ["compare", "comparison", "versus", "vs"], ["error", "exception"]];
  const FIELDS = { name: 12, section: 9, title: 4, key: 2, text: 2, code: .4 };
  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/n-gram/g, "ngram");
  // The stem of an English word, roughly: clipped, clips and clipping are one word.
  const stem = (word) => {
    if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
    const cut = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ations?|ings?|ed|es|ers?|s|e)$/, "");
    return cut.length < 3 ? word : cut.replace(/([bdgklmnprt])\1$/, "$1");
  };
  const wordsOf = (text) => fold(text).match(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*_*/gu) || [];
  const parts = (word) => word.includes("_") ? word.split(/_+/).filter(Boolean) : [];
  const twins = new Map();
  SAME.forEach((group) => group.forEach((word) => twins.set(word, group)));

  // ---- the index: for each word of the site, the entries that hold it, and where
  let ready = null, entries = [], usual = 1, found = new Map(), stems = new Map();
  const put = (word, number, field, quality) => {
    let places = found.get(word);
    if (!places) found.set(word, places = new Map());
    let place = places.get(number);
    if (!place) places.set(number, place = {});
    const [best, times] = place[field] || [0, 0];
    place[field] = [Math.max(best, quality), times + 1];
  };
  const build = () => {
    entries.forEach((entry, number) => {
      const fields = { ...(entry.kind === "name" ? { name: entry.title } : { title: entry.title, section: entry.section }), key: entry.key, text: entry.text, code: entry.code };
      entry.sizes = {};
      for (const [field, text] of Object.entries(fields)) for (const word of wordsOf(text || "")) {
        entry.sizes[field] = (entry.sizes[field] || 0) + 1;
        put(word, number, field, 1);
        parts(word).forEach((part, i, all) => put(part, number, field, .5 / Math.sqrt(all.length)));
      }
    });
    usual = entries.reduce((sum, entry) => sum + (entry.sizes.text || 0), 1) / (entries.length || 1);
    for (const word of found.keys()) {
      const root = stem(word);
      if (!stems.has(root)) stems.set(root, []);
      stems.get(root).push(word);
    }
  };
  const load = () => {
    const offset = (document.querySelector('meta[name="smalldocs:offset"]') || { content: "./" }).content;
    return ready = ready || fetch(offset + "search.json").then((answer) => answer.json()).then((all) => { entries = all; build(); }).catch(() => { ready = null; });
  };

  // ---- words that match a word of the query, with how well they do
  const distance = (a, b, most) => { // edits, a swap of neighbours being one; more than `most` is not told
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = [], row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
      }
      before = row; row = next;
    }
    return row[b.length];
  };
  const candidates = (word) => {
    const like = new Map(), add = (other, quality) => { if (found.has(other) && quality > (like.get(other) || 0)) like.set(other, quality); };
    add(word, 1);
    (twins.get(word) || []).forEach((other) => add(other, .9));
    const whole = like.size > 0;
    (stems.get(stem(word)) || []).forEach((other) => add(other, .85));
    if (word.length > 2 || (word.length > 1 && !like.size)) for (const other of found.keys()) if (other.length > word.length && other.startsWith(word)) add(other, whole ? .3 : .6);
    if (!like.size && word.length > 3) {
      const most = word.length > 7 ? 2 : 1;
      for (const other of found.keys()) { const far = distance(word, other, most); if (far <= most) add(other, .4 / far); }
    }
    return like;
  };

  const search = (query, limit) => {
    const asked = [...new Set(wordsOf(query))];
    const telling = asked.filter((word) => !COMMON.has(word)), counted = telling.length ? telling : asked;
    const scores = new Map(), marks = new Set();
    const score = (number) => scores.get(number) || scores.set(number, { number, many: 0, value: 0, inHeading: 0 }).get(number);
    for (const word of asked) {
      const isCounted = counted.includes(word), best = new Map();
      for (const [other, quality] of isCounted ? candidates(word) : new Map([[word, 1]])) {
        const places = found.get(other);
        if (!places) continue;
        if (isCounted) marks.add(other);
        const rare = Math.log(1 + entries.length / places.size);
        for (const [number, place] of places) {
          let value = 0;
          for (const [field, [exact, times]] of Object.entries(place)) {
            if (!isCounted && field !== "section" && field !== "title") continue; // a common word helps where it stands in a heading
            const { sizes } = entries[number];
            const often = field === "text" || field === "code" ? 2.2 * times / (times + 1.2 * (.4 + .6 * sizes[field] / usual)) : 1; // as often as a text of its length would
            value += FIELDS[field] * exact * often / (often === 1 ? Math.sqrt(sizes[field] || 1) : 1);
            if (isCounted && (field === "section" || field === "name" || (field === "title" && !entries[number].section))) score(number).inHeading += exact > .9 && quality > .8;
          }
          value *= quality * (isCounted ? rare : .4);
          if (value > (best.get(number)?.[0] || 0)) best.set(number, [value, quality]);
        }
      }
      for (const [number, [value, quality]] of best) {
        score(number).many += isCounted ? (quality > .4 ? 1 : .5) : 0;
        score(number).value += value;
      }
    }
    const whole = wordsOf(query).join(" ");
    for (const one of scores.values()) {
      const entry = entries[one.number], heading = entry.kind === "name" ? entry.title : entry.section || entry.title;
      const words = wordsOf(heading);
      if (words.join(" ") === whole) one.value += 80; // just this heading, just this name
      if (one.inHeading >= counted.length) one.value += 40 * counted.length / Math.max(counted.length, words.filter((word) => !COMMON.has(word)).length);
      if (entry.kind === "name") one.value *= (entry.main ? 1.3 : .8) * (words.join(" ") === whole ? 1 : .6); // a name that is not asked for comes after what tells of it
      if (entry.kind === "question") one.value *= 1.8;
      if (entry.kind === "page" || entry.kind === "lookup" || entry.kind === "term") one.value *= entry.kind === "page" ? 1.7 : 1.3;
      if (entry.half === "workshop" || /^(tests|notation|documents)\.html/.test(entry.href)) one.value *= .5; // for those who change the package, and for those who look a thing up
      if (/^(Summary|Exercises)$/.test(entry.section)) one.value *= .6;
    }
    const ranked = [...scores.values()].filter((one) => one.many > 0).sort((a, b) => b.many - a.many || b.value - a.value || a.number - b.number);
    return { hits: ranked.slice(0, limit).map((one) => entries[one.number]), total: ranked.length, marks: [...marks] };
  };

  // ---- how it is shown
  const escape = (text) => text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }[c]));
  const marked = (text, marks) => {
    const words = marks.slice().sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ngram/, "n-?gram"));
    if (!words.length) return escape(text);
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    return text.split(pattern).map((piece, i) => (i % 2 ? `<mark>${escape(piece)}</mark>` : escape(piece))).join("");
  };
  const snippet = (entry, marks) => {
    const text = entry.text || entry.code, low = fold(text);
    let best = 0, most = -1;
    for (let start = 0; start < Math.max(1, low.length - 60); start += 40) { // the stretch that holds most of the words
      const stretch = low.slice(start, start + 180), many = marks.filter((word) => stretch.includes(word)).length;
      if (many > most) { most = many; best = start; }
    }
    const begin = best ? text.indexOf(" ", best) + 1 : 0;
    return (begin ? "… " : "") + marked(text.slice(begin, begin + 180), marks) + (begin + 180 < text.length ? " …" : "");
  };
  const line = (entry, marks, offset) => {
    const [above, below] = entry.kind === "name" ? [`<code>${marked(entry.title, marks)}</code>`, `${escape(entry.section)}, in the reference`]
      : entry.section ? [marked(entry.section, marks), escape(entry.title)] : [marked(entry.title, marks), ""];
    return `<a class="search-result" href="${offset}${escape(entry.href)}"><div class="search-result-title">${above}</div>` +
      (below ? `<div class="search-result-section">${below}</div>` : "") + `<div class="search-result-text">${snippet(entry, marks)}</div></a>`;
  };

  document.querySelectorAll(".smalldocs-search").forEach((box) => {
    const input = box.querySelector("input"), results = box.querySelector(".smalldocs-search-results");
    const offset = (document.querySelector('meta[name="smalldocs:offset"]') || { content: "./" }).content;
    const limit = parseInt(box.dataset.limit, 10) || 20;
    let active = -1, timer = null, asked = "";
    const said = document.createElement("div");
    said.className = "visually-hidden";
    said.setAttribute("role", "status");
    box.append(said);
    const hide = () => results.classList.remove("show");
    const run = async () => {
      const query = asked = input.value.trim();
      if (!query) { hide(); said.textContent = ""; return; }
      await load();
      if (query !== asked) return;
      const { hits, total, marks } = search(query, limit);
      active = -1;
      results.innerHTML = hits.length ? hits.map((entry) => line(entry, marks, offset)).join("")
        : `<div class="search-none">Nothing holds “${escape(query)}”. Look it up in the <a href="${offset}terms.html">terms</a>, or among <a href="${offset}reference.html">all names</a>.</div>`;
      results.classList.add("show");
      results.scrollTop = 0;
      results.dataset.query = query;
      said.textContent = hits.length ? `${total} found` : "nothing found";
    };
    // The capturing phase comes first: what the renderer listens to does not hear of it.
    const mine = (kind, act) => box.addEventListener(kind, (event) => { if (event.target === input) { event.stopPropagation(); act(event); } }, true);
    mine("input", () => { clearTimeout(timer); timer = setTimeout(run, 100); });
    mine("focus", () => { load(); if (input.value.trim()) run(); });
    mine("keydown", (event) => {
      const items = [...results.querySelectorAll(".search-result")];
      if (event.key === "Escape") { hide(); input.blur(); return; }
      if (event.key !== "Enter" && (!items.length || !results.classList.contains("show"))) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        active = event.key === "ArrowDown" ? (active + 1) % items.length : (Math.max(active, 0) - 1 + items.length) % items.length;
        items.forEach((item, i) => item.classList.toggle("active", i === active));
        items[active].scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter") {
        event.preventDefault();
        const open = () => (results.querySelectorAll(".search-result")[Math.max(active, 0)] || { click() {} }).click();
        if (results.dataset.query === input.value.trim()) open();
        else { clearTimeout(timer); run().then(open); }
      }
    });
  });
})();
