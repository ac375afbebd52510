/* Made by tools/kernel.py from the notebooks. Edit nbs/30_places.ipynb. */

static uint64_t SEED[4] = {0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u, 0x8CB92BA72F3D8DD7u, 0xABC98388FB8FAC03u};

/* Both halves of a product of 128 bits, folded. */
INLINE uint64_t mix(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  const unsigned __int128 x = (unsigned __int128)a * b;
  return (uint64_t)x ^ (uint64_t)(x >> 64);
#else
  const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  const uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
  const uint64_t middle = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
  return (a * b) ^ (hh + (lh >> 32) + (hl >> 32) + (middle >> 32));
#endif
}

/* The hash of a token of more than 16 bytes. */
static uint64_t hash_long(const uint8_t *p, uint32_t n) {
  uint64_t h = SEED[2] ^ n;
  for (uint32_t i = 0; i + 16 < n; i += 16) h = mix(load8(p + i) ^ SEED[0] ^ h, load8(p + i + 8) ^ SEED[1]);
  h = mix(load8(p + n - 16) ^ SEED[0] ^ h, load8(p + n - 8) ^ SEED[1]);
  return mix(h, SEED[3]) | LONG_TOKEN;
}

/* Whether two tokens are equal. */
static int same_token(const Sequence *a, size_t i, const Sequence *b, size_t j) {
  if (a->keys[i] != b->keys[j]) return 0;
  if (!(a->keys[i] & LONG_TOKEN)) return 1;
  const uint32_t n = a->ends[i] - a->starts[i];
  return n == b->ends[j] - b->starts[j] && !memcmp(a->text + a->starts[i], b->text + b->starts[j], n);
}

/* A new generation of an empty table for up to `count` entries. */
static int fresh_table(Work *w, size_t count) {
  size_t want = 256;
  while (want < 2 * count) want *= 2;
  if (want > w->slot_count) {
    release(w->slots);
    w->slots = NULL, w->slot_count = 0;
    if (want > SIZE_MAX / sizeof(Slot) || !(w->slots = cleared(want, sizeof(Slot)))) return 0;
    w->slot_count = want, w->stamp = 0;
  }
  if (++w->stamp == 0) {
    memset(w->slots, 0, w->slot_count * sizeof(Slot));
    w->stamp = 1;
  }
  return 1;
}

/* Where a key stands in the table, or the empty place where it belongs. A long token is compared with the one that has its key there; `s` is NULL for
   n-grams of more than one token, whose keys are exact. */
INLINE size_t place_of(const Work *w, const Slot *slots, size_t mask, uint32_t stamp, uint64_t key, const Sequence *s, size_t i, const Sequence *references) {
  size_t h = (size_t)mix(key ^ SEED[2], SEED[3]) & mask;
  for (; slots[h].stamp == stamp; h = (h + 1) & mask)
    if (slots[h].key == key) {
      if (!s || !(key & LONG_TOKEN)) break;
      const uint32_t *holder = w->holders + 2 * slots[h].id;
      if (same_token(s, i, &references[holder[0]], holder[1])) break;
    }
  return h;
}

/* The matches of a candidate with references of any length. Returns 1 or NO_MEMORY. */
static int match_tables(Work *w, const Sequence *candidate, const Sequence *references, size_t count, unsigned orders, int64_t *matched) {
  const size_t c = candidate->count;
  size_t all = 0;
  for (size_t r = 0; r < count; r++) all += references[r].count;
  memset(matched, 0, orders * sizeof(int64_t));
  if (!c || !all) return 1;
  if (all > 0xFFFFFF00u) return TOO_LONG;
  if (!reserve((void **)&w->ids, &w->ids_size, (all + c) * sizeof(uint32_t))) return NO_MEMORY;
  if (!reserve((void **)&w->holders, &w->holders_size, 2 * (all + 1) * sizeof(uint32_t))) return NO_MEMORY;
  for (int k = 0; k < 2; k++)
    if (!reserve((void **)&w->grams[k], &w->grams_size[k], (all + 1) * sizeof(Gram))) return NO_MEMORY;
  uint32_t *ours = w->ids + all;
  for (unsigned n = 0; n < orders; n++) {
    Gram *grams = w->grams[n & 1], *shorter = w->grams[~n & 1];
    uint32_t last = 0, *theirs = w->ids;
    if (!fresh_table(w, all)) return NO_MEMORY;
    const size_t mask = w->slot_count - 1;
    Slot *slots = w->slots;
    const uint32_t stamp = w->stamp;
    for (size_t r = 0; r < count; theirs += references[r].count, r++) {
      const Sequence *reference = &references[r];
      const size_t length = reference->count > n ? reference->count - n : 0;
      for (size_t j = 0; j < length; j++) {
        uint64_t key;
        if (n) {
          const uint32_t a = theirs[j], b = theirs[j + 1];
          theirs[j] = 0;
          if (!a || !b || !shorter[a].used || !shorter[b].used) continue;
          key = (uint64_t)a << 32 | b;
        } else {
          key = reference->keys[j];
        }
        const size_t h = place_of(w, slots, mask, stamp, key, n ? NULL : reference, j, references);
        if (slots[h].stamp != stamp) {
          slots[h] = (Slot){key, stamp, ++last};
          grams[last] = (Gram){0, 0, 0, 0};
          if (!n) w->holders[2 * last] = (uint32_t)r, w->holders[2 * last + 1] = (uint32_t)j;
        }
        Gram *gram = &grams[theirs[j] = slots[h].id];
        if (gram->owner != r + 1) gram->owner = (uint32_t)r + 1, gram->now = 0;
        if (++gram->now > gram->best) gram->best = gram->now;
      }
    }
    int64_t credit = 0;
    for (size_t i = 0; i + n < c; i++) {
      uint64_t key;
      if (n) {
        const uint32_t a = ours[i], b = ours[i + 1];
        ours[i] = 0;
        if (!a || !b) continue;
        key = (uint64_t)a << 32 | b;
      } else {
        key = candidate->keys[i];
        ours[i] = 0;
      }
      const size_t h = place_of(w, slots, mask, stamp, key, n ? NULL : candidate, i, references);
      if (slots[h].stamp != stamp) continue;
      Gram *gram = &grams[ours[i] = slots[h].id];
      credit += gram->used < gram->best;
      gram->used++;
    }
    if (!(matched[n] = credit)) break;
  }
  return 1;
}
