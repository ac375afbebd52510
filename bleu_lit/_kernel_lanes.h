/* Made by tools/kernel.py from the notebooks. Edit nbs/30_masks.ipynb. */

#if defined(AVX2) || defined(AVX512)
#define LOWEST(bits) ((unsigned)_tzcnt_u64(bits)) /* 64 if there is none */
#define ONES(bits) ((unsigned)_mm_popcnt_u64(bits))
#else
#define LOWEST(bits) lowest_bit(bits)
#define ONES(bits) one_bits(bits)
#endif

INLINE void NAME(classify)(const uint8_t *p, const Rule *rule, Masks *m) {
#if defined(AVX512)
  const __m512i v = _mm512_loadu_si512(p);
  const __mmask64 high = _mm512_movepi8_mask(v);
  const __m512i low = _mm512_loadu_si512(rule->classes), up = _mm512_loadu_si512(rule->classes + 64);
  const __m512i c = _mm512_maskz_permutex2var_epi8(~high, low, v, up);
  m->space = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SPACE));
  m->always = _mm512_test_epi8_mask(c, _mm512_set1_epi8(ALWAYS));
  m->run = _mm512_test_epi8_mask(c, _mm512_set1_epi8(RUN));
  m->number = _mm512_test_epi8_mask(c, _mm512_set1_epi8(NUMBER));
  m->dash = _mm512_test_epi8_mask(c, _mm512_set1_epi8(DASH));
  m->trigger = _mm512_test_epi8_mask(c, _mm512_set1_epi8(TRIGGER));
  m->high = high;
#elif defined(AVX2)
  const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
  const __m256i rows = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)rule->rows));
  const __m256i v0 = _mm256_loadu_si256((const __m256i *)p), v1 = _mm256_loadu_si256((const __m256i *)(p + 32));
  const __m256i l0 = _mm256_and_si256(v0, nibble), l1 = _mm256_and_si256(v1, nibble);
  const __m256i h0 = _mm256_shuffle_epi8(rows, _mm256_and_si256(_mm256_srli_epi16(v0, 4), nibble));
  const __m256i h1 = _mm256_shuffle_epi8(rows, _mm256_and_si256(_mm256_srli_epi16(v1, 4), nibble));
  uint64_t *out[6] = {&m->space, &m->always, &m->run, &m->number, &m->dash, &m->trigger};
  for (int k = 0; k < 6; k++) {
    const __m256i columns = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)rule->columns[k]));
    const __m256i x0 = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(columns, l0), h0), zero);
    const __m256i x1 = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(columns, l1), h1), zero);
    *out[k] = ~((uint64_t)(uint32_t)_mm256_movemask_epi8(x0) | (uint64_t)(uint32_t)_mm256_movemask_epi8(x1) << 32);
  }
  m->high = (uint64_t)(uint32_t)_mm256_movemask_epi8(v0) | (uint64_t)(uint32_t)_mm256_movemask_epi8(v1) << 32;
#else
  uint64_t space = 0, always = 0, run = 0, number = 0, dash = 0, trigger = 0, high = 0;
  for (int k = 0; k < 64; k += 8) {
    uint8_t c[8];
    for (int j = 0; j < 8; j++) c[j] = rule->classes[p[k + j]];
    const uint64_t x = load8(c);
    space |= gather_bits(x) << k;
    always |= gather_bits(x >> 1) << k;
    run |= gather_bits(x >> 2) << k;
    number |= gather_bits(x >> 3) << k;
    dash |= gather_bits(x >> 4) << k;
    trigger |= gather_bits(x >> 5) << k;
    high |= gather_bits(load8(p + k) >> 7) << k;
  }
  m->space = space, m->always = always, m->run = run, m->number = number, m->dash = dash, m->trigger = trigger, m->high = high;
#endif
}

/* Of 64 bytes, those that continue a character. */
INLINE uint64_t NAME(continuations)(const uint8_t *p) {
#if defined(AVX512)
  return _mm512_cmplt_epi8_mask(_mm512_loadu_si512(p), _mm512_set1_epi8(-64));
#elif defined(AVX2)
  const __m256i limit = _mm256_set1_epi8(-64);
  const __m256i v0 = _mm256_loadu_si256((const __m256i *)p), v1 = _mm256_loadu_si256((const __m256i *)(p + 32));
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(limit, v0)) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(limit, v1)) << 32;
#else
  uint64_t bits = 0;
  for (int k = 0; k < 64; k += 8) {
    const uint64_t x = load8(p + k);
    bits |= gather_bits((x >> 7) & ~(x >> 6)) << k;
  }
  return bits;
#endif
}

/* Of 64 bytes, those at which a white space character beyond ASCII may begin. */
INLINE uint64_t NAME(wide_leads)(const uint8_t *p, uint64_t high) {
#if defined(AVX512)
#define IS(v, c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)(c)))
  const __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 1);
  (void)high;
  return (IS(a, 0xC2) & (IS(b, 0x85) | IS(b, 0xA0))) | (IS(a, 0xE1) & IS(b, 0x9A)) | (IS(a, 0xE2) & (IS(b, 0x80) | IS(b, 0x81))) |
         (IS(a, 0xE3) & IS(b, 0x80));
#undef IS
#elif defined(AVX2)
#define IS(v, c) _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)(c)))
#define AND _mm256_and_si256
#define OR _mm256_or_si256
  uint64_t bits = 0;
  (void)high;
  for (int k = 0; k < 64; k += 32) {
    const __m256i a = _mm256_loadu_si256((const __m256i *)(p + k)), b = _mm256_loadu_si256((const __m256i *)(p + k + 1));
    const __m256i x = OR(OR(AND(IS(a, 0xC2), OR(IS(b, 0x85), IS(b, 0xA0))), AND(IS(a, 0xE1), IS(b, 0x9A))),
                         OR(AND(IS(a, 0xE2), OR(IS(b, 0x80), IS(b, 0x81))), AND(IS(a, 0xE3), IS(b, 0x80))));
    bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(x) << k;
  }
  return bits;
#undef IS
#undef AND
#undef OR
#else
  uint64_t bits = 0;
  for (uint64_t rest = high; rest; rest &= rest - 1) {
    const unsigned i = LOWEST(rest);
    const uint8_t c = p[i];
    if (c == 0xC2 || (c >= 0xE1 && c <= 0xE3)) bits |= (uint64_t)1 << i;
  }
  return bits;
#endif
}

/* Write the places of the one bits, counted from `base`; up to 64 places are written, the first of them are right. */
INLINE uint32_t *NAME(flatten)(uint32_t *out, uint64_t bits, uint32_t base) {
  const unsigned n = ONES(bits);
#if defined(AVX512)
  const __m512i places = _mm512_maskz_compress_epi8(bits, IOTA);
  const __m512i start = _mm512_set1_epi32((int)base);
  _mm512_storeu_si512(out, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places))));
  if (n > 16) {
    _mm512_storeu_si512(out + 16, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 1))));
    if (n > 32) {
      _mm512_storeu_si512(out + 32, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 2))));
      _mm512_storeu_si512(out + 48, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 3))));
    }
  }
#else
  uint32_t *o = out;
  for (unsigned k = 0; k < n; k += 8, o += 8)
    for (int j = 0; j < 8; j++) {
      o[j] = base + LOWEST(bits);
      bits &= bits - 1;
    }
#endif
  return out + n;
}

/* Cut a text into tokens: their starts and ends are written from place `at` of the work space. Returns their number, NO_MEMORY, MEND if
   the text holds something that the rule replaces first, or WIDE if it needs the classes of all of Unicode. Behind the text there must
   be SLACK bytes that can be read. */
static int64_t NAME(cut)(Work *w, size_t at, const uint8_t *text, size_t n, const Rule *rule, int mend) {
  uint64_t edge_before = 1, space_before = 1, number_before = 0, run_before = 0; /* of the byte before: one bit each */
  uint64_t virtual_before = (uint64_t)rule->open_ends, spill = 0;
  size_t starts = at, ends = at;
  for (size_t block = 0; block < n; block += 64) {
    const uint8_t *p = text + block;
    const size_t left = n - block;
    Masks m;
    NAME(classify)(p, rule, &m);
    const uint64_t valid = left < 64 ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    if (UNLIKELY(m.trigger & valid) && mend && needs_mending(text, n, block, m.trigger & valid)) return MEND;
    m.space |= spill;
    spill = 0;
    if (m.high & valid) {
      if (rule->wide) return WIDE;
      for (uint64_t rest = NAME(wide_leads)(p, m.high) & valid; rest; rest &= rest - 1) {
        const unsigned i = LOWEST(rest);
        const unsigned size = wide_space(p + i, left - i);
        if (size) {
          const uint64_t bytes = ((uint64_t)1 << size) - 1;
          m.space |= bytes << i;
          if (i + size > 64) spill = bytes >> (64 - i);
        }
      }
    }
    m.space |= ~valid;
    uint64_t start;
    if (rule->characters) {
      start = ~m.space & (~NAME(continuations)(p) | m.space << 1 | space_before); /* what stands behind a blank begins one whatever it is */
    } else {
      uint64_t alone = m.always & valid;
      if (rule->marks) {
        const uint64_t run = m.run & valid, number = m.number & valid;
        uint64_t next = number >> 1;
        if (left > 64)
          next |= (uint64_t)((rule->classes[p[64]] & NUMBER) != 0) << 63;
        else if (rule->open_ends)
          next |= (uint64_t)1 << (left - 1);
        const uint64_t before = number << 1 | number_before;
        uint64_t apart = run & ~((before | virtual_before) & next);
        const uint64_t tricky = run & (run << 1 | run_before) & next;
        if (UNLIKELY(tricky)) apart &= ~joined_marks(text, block, tricky, rule);
        alone |= apart | (m.dash & valid & before);
        number_before = number >> 63;
        run_before = run >> 63;
        virtual_before = 0;
      }
      const uint64_t edge = m.space | alone;
      start = ~m.space & (alone | edge << 1 | edge_before);
      edge_before = edge >> 63;
    }
    const uint64_t end = (start | m.space) & ~(m.space << 1 | space_before);
    space_before = m.space >> 63;
    if (UNLIKELY((starts > ends ? starts : ends) + 65 > w->capacity) && !more_tokens(w, starts + 128)) return NO_MEMORY;
    starts = (size_t)(NAME(flatten)(w->starts + starts, start, (uint32_t)block) - w->starts);
    ends = (size_t)(NAME(flatten)(w->ends + ends, end, (uint32_t)block) - w->ends);
  }
  if (!space_before) w->ends[ends++] = (uint32_t)n; /* the text fills its last block */
  return (int64_t)(starts - at);
}

/* Of 64 bytes, those that are line feeds, and those beyond ASCII. */
INLINE uint64_t NAME(breaks)(const uint8_t *p, uint64_t *high) {
#if defined(AVX512)
  const __m512i v = _mm512_loadu_si512(p);
  *high = _mm512_movepi8_mask(v);
  return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n'));
#elif defined(AVX2)
  const __m256i v0 = _mm256_loadu_si256((const __m256i *)p), v1 = _mm256_loadu_si256((const __m256i *)(p + 32)), lf = _mm256_set1_epi8('\n');
  *high = (uint64_t)(uint32_t)_mm256_movemask_epi8(v0) | (uint64_t)(uint32_t)_mm256_movemask_epi8(v1) << 32;
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v0, lf)) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v1, lf)) << 32;
#else
  uint64_t found = 0;
  *high = 0;
  for (int k = 0; k < 64; k += 8) {
    const uint64_t x = load8(p + k), y = x ^ 0x0A0A0A0A0A0A0A0Au;
    found |= gather_bits(~(((y & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | y) >> 7) << k;
    *high |= gather_bits(x >> 7) << k;
  }
  return found;
#endif
}

/* The starts of lines from `start` on, as offsets; the last one is where a line after the last would start. Returns whether there was memory. */
static int NAME(find_lines)(const uint8_t *p, size_t n, Lines *lines) {
  uint8_t tail[64];
  if (!reserve((void **)&lines->offsets, &lines->size, 66 * sizeof(int64_t))) return 0;
  lines->offsets[0] = 0, lines->count = 0;
  for (size_t block = 0; block < n; block += 64) {
    uint64_t high;
    const uint8_t *q = p + block;
    if (n - block < 64) {
      memset(tail, 0, 64);
      memcpy(tail, q, n - block);
      q = tail;
    }
    uint64_t bits = NAME(breaks)(q, &high);
    if (!bits) continue;
    if (!reserve((void **)&lines->offsets, &lines->size, (lines->count + 66) * sizeof(int64_t))) return 0;
    for (; bits; bits &= bits - 1) lines->offsets[++lines->count] = (int64_t)(block + LOWEST(bits) + 1);
  }
  if (n && lines->offsets[lines->count] != (int64_t)n) lines->offsets[++lines->count] = (int64_t)n + 1; /* a last line without a line feed */
  return 1;
}

/* The place of the first byte that is no UTF-8, or n. */
static size_t NAME(first_fault)(const uint8_t *p, size_t n) {
  size_t i = 0;
  while (i < n) {
    if (n - i >= 64) {
      uint64_t high;
      NAME(breaks)(p + i, &high);
      if (!high) {
        i += 64;
        continue;
      }
      i += LOWEST(high);
    } else if (p[i] < 0x80) {
      i++;
      continue;
    }
    const unsigned size = proper_character(p + i, n - i);
    if (!size) return i;
    i += size;
  }
  return n;
}

/* Which of the characters that nobody sees a text holds, one bit each. */
static unsigned NAME(hidden)(const uint8_t *p, size_t n) {
  unsigned found = 0;
  for (size_t i = 0; i < n;) {
    if (n - i >= 64) {
      uint64_t high;
      NAME(breaks)(p + i, &high);
      if (!high) {
        i += 64;
        continue;
      }
      i += LOWEST(high);
    }
    unsigned size = 1;
    if (p[i] >= 0x80) found |= hidden_character(p + i, n - i, &size);
    i += size;
  }
  return found;
}

static void NAME(keys)(uint64_t *keys, const uint32_t *starts, const uint32_t *ends, size_t count, const uint8_t *text) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t s = starts[i], e = ends[i], n = e - s;
    const uint64_t a = load8(text + s), b = load8(text + (n < 8 ? s : e - 8));
#if defined(AVX2) || defined(AVX512)
    const uint64_t exact = _bzhi_u64(a, 8 * n) | (uint64_t)n << 56;
#else
    const uint64_t exact = (a & (((uint64_t)1 << (8 * (n & 7))) - 1)) | (uint64_t)n << 56;
#endif
    const uint64_t hashed = mix(a ^ SEED[0], b ^ SEED[1] ^ n) | LONG_TOKEN;
    keys[i] = n < 8 ? exact : hashed;
    if (UNLIKELY(n > 16)) keys[i] = hash_long(text + s, n);
  }
}

/* Where, among up to 64 reference tokens, a key stands; bits at `count` and above may be anything. The keys are padded to a multiple of 8. */
INLINE uint64_t NAME(places)(uint64_t key, const uint64_t *keys, size_t count) {
  uint64_t found = 0;
#if defined(AVX512)
  const __m512i k = _mm512_set1_epi64((long long)key);
  for (size_t j = 0; j < count; j += 8) found |= (uint64_t)_mm512_cmpeq_epi64_mask(k, _mm512_loadu_si512(keys + j)) << j;
#elif defined(AVX2)
  const __m256i k = _mm256_set1_epi64x((long long)key);
  for (size_t j = 0; j < count; j += 8) {
    const __m256i x = _mm256_cmpeq_epi64(k, _mm256_loadu_si256((const __m256i *)(keys + j)));
    const __m256i y = _mm256_cmpeq_epi64(k, _mm256_loadu_si256((const __m256i *)(keys + j + 4)));
    const unsigned z = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x)) | (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(y)) << 4;
    found |= (uint64_t)z << j;
  }
#else
  for (size_t j = 0; j < count; j++) found |= (uint64_t)(keys[j] == key) << j;
#endif
  return found;
}

/* The matches of a candidate when every reference has at most 64 tokens. Returns 1, or 0 if two tokens share a hash, or NO_MEMORY. */
static int NAME(match_places)(Work *w, const Sequence *candidate, const Sequence *references, size_t count, unsigned orders, int64_t *matched) {
  const size_t c = candidate->count, stride = c + 8;
  if (!reserve((void **)&w->places, &w->places_size, stride * count * sizeof(uint64_t))) return NO_MEMORY;
  for (size_t r = 0; r < count; r++) {
    uint64_t *places = w->places + r * stride;
    const Sequence *reference = &references[r];
    const uint64_t known = reference->count < 64 ? ((uint64_t)1 << reference->count) - 1 : ~(uint64_t)0;
    for (size_t i = 0; i < c; i++) places[i] = NAME(places)(candidate->keys[i], reference->keys, reference->count) & known;
    memset(places + c, 0, 8 * sizeof(uint64_t));
    for (size_t i = 0; i < c; i++)
      if ((candidate->keys[i] & LONG_TOKEN) && places[i])
        for (uint64_t rest = places[i]; rest; rest &= rest - 1)
          if (!same_token(candidate, i, reference, LOWEST(rest))) return 0;
  }
  if (count == 1 && orders == 4) {
    const uint64_t *p = w->places;
    uint64_t u1 = 0, u2 = 0, u3 = 0, u4 = 0;
    for (size_t i = 0; i < c; i++) {
      const uint64_t m1 = p[i], m2 = m1 & p[i + 1] >> 1, m3 = m2 & p[i + 2] >> 2, m4 = m3 & p[i + 3] >> 3;
      const uint64_t f1 = m1 & ~u1, f2 = m2 & ~u2, f3 = m3 & ~u3, f4 = m4 & ~u4;
      u1 |= f1 & -f1, u2 |= f2 & -f2, u3 |= f3 & -f3, u4 |= f4 & -f4;
    }
    matched[0] = ONES(u1), matched[1] = ONES(u2), matched[2] = ONES(u3), matched[3] = ONES(u4);
    return 1;
  }
  const unsigned top = orders < 64 ? orders : 64;
  if (!reserve((void **)&w->taken, &w->taken_size, top * count * sizeof(uint64_t))) return NO_MEMORY;
  if (!reserve((void **)&w->now, &w->now_size, count * sizeof(uint64_t))) return NO_MEMORY;
  memset(w->taken, 0, top * count * sizeof(uint64_t));
  memset(matched, 0, orders * sizeof(int64_t));
  if (count == 1) {
    const uint64_t *p = w->places;
    for (size_t i = 0; i < c; i++) {
      uint64_t m = p[i];
      for (unsigned n = 0; m;) {
        const uint64_t free = m & ~w->taken[n];
        w->taken[n] |= free & -free;
        if (++n == top || i + n == c) break;
        m &= p[i + n] >> n;
      }
    }
    for (unsigned n = 0; n < top; n++) matched[n] = ONES(w->taken[n]);
    return 1;
  }
  for (size_t i = 0; i < c; i++) {
    for (size_t r = 0; r < count; r++) w->now[r] = w->places[r * stride + i];
    for (unsigned n = 0;;) {
      uint64_t any = 0, credit = 0;
      uint64_t *taken = w->taken + n * count;
      for (size_t r = 0; r < count; r++) {
        const uint64_t free = w->now[r] & ~taken[r];
        taken[r] |= free & -free;
        credit |= free;
        any |= w->now[r];
      }
      if (!any) break;
      matched[n] += credit != 0;
      if (++n == top || i + n == c) break;
      for (size_t r = 0; r < count; r++) w->now[r] &= w->places[r * stride + i + n] >> n;
    }
  }
  return 1;
}

#undef LOWEST
#undef ONES
