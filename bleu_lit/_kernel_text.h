/* Made by tools/kernel.py from the notebooks. Edit nbs/30_masks.ipynb. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define INLINE static inline __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define INLINE static inline
#define UNLIKELY(x) (x)
#endif

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define X86 1
#include <immintrin.h>
#endif

#ifdef BLEU_LIT_TEST_MEMORY
static long long requests_left = -1; /* -1: no limit */
static long long pieces_held = 0;    /* not yet released */

static int denied(void) {
  const long long left = __atomic_load_n(&requests_left, __ATOMIC_RELAXED);
  if (left > 0) __atomic_fetch_sub(&requests_left, 1, __ATOMIC_RELAXED);
  return left == 0;
}

static void *held(void *fresh, int more) {
  if (fresh) __atomic_fetch_add(&pieces_held, more, __ATOMIC_RELAXED);
  return fresh;
}
#else
#define denied() 0
#define held(fresh, more) (fresh)
#endif

static void *resize(void *old, size_t size) { return denied() ? NULL : held(realloc(old, size ? size : 1), !old); }

static void *cleared(size_t count, size_t size) { return denied() ? NULL : held(calloc(count, size), 1); }

static void release(void *memory) {
  (void)held(memory, -1);
  free(memory);
}

/* Room for `size` bytes at *memory; what stands there is kept. */
static int reserve(void **memory, size_t *have, size_t size) {
  if (size <= *have) return 1;
  size_t more = *have + *have / 2;
  if (more < size) more = size;
  if (more < 256) more = 256;
  void *grown = resize(*memory, more);
  if (!grown) return 0;
  *memory = grown, *have = more;
  return 1;
}

enum { NO_MEMORY = -1, MEND = -2, WIDE = -3, TOO_LONG = -4 };
enum { SPACE = 1, ALWAYS = 2, RUN = 4, NUMBER = 8, DASH = 16, TRIGGER = 32 };
enum { SLACK = 80 }; /* bytes behind a text that can be read */
#define LONG_TOKEN ((uint64_t)1 << 63)

typedef struct {
  uint8_t classes[256];    /* by byte; 0 beyond ASCII */
  uint8_t rows[16];        /* by upper half of a byte: one bit */
  uint8_t columns[6][16];  /* by class and lower half: the rows that hold a member */
  uint8_t index[0x1100];   /* by code point / 256: a page */
  const uint8_t *pages;    /* by page and code point % 256: the class */
  int marks;               /* whether there are runs, numbers or dashes */
  int open_ends;           /* whether the ends of the text stand beside a mark as a number does */
  int wide;                /* whether characters beyond ASCII have classes other than SPACE */
  int characters;          /* whether every character is a token */
  int trim_start, trim_end;
  int mend;                /* whether 13a's replacements come first */
  unsigned numbers;        /* the bytes of a token where tokens are numbers, such as ids of a vocabulary; else 0 */
} Rule;

typedef struct { uint64_t space, always, run, number, dash, trigger, high; } Masks;

/* Tokens of one text. */
typedef struct {
  const uint64_t *keys;
  const uint32_t *starts, *ends;
  const uint8_t *text;
  size_t count, at, places;
} Sequence;

typedef struct { uint64_t key; uint32_t stamp, id; } Slot;
typedef struct { uint32_t best, now, owner, used; } Gram;
typedef struct Piece { struct Piece *next; uint8_t bytes[]; } Piece;
typedef struct { const uint8_t *text; size_t length; } Line;

/* What one thread works with. */
typedef struct {
  uint32_t *starts, *ends;
  uint64_t *keys;
  size_t capacity; /* tokens */
  Sequence *sequences;
  size_t sequences_size;
  uint64_t *places, *taken, *now;
  size_t places_size, taken_size, now_size;
  Slot *slots;
  size_t slot_count;
  uint32_t stamp;
  Gram *grams[2];
  size_t grams_size[2];
  uint32_t *ids, *holders;
  size_t ids_size, holders_size;
  Piece *pieces;
  uint8_t *copies;
  size_t copies_size;
  int64_t *row;
  size_t row_size;
  Line *lines;
  size_t lines_size;
  size_t stopped; /* the number of a segment that has blank references alone */
} Work;

static int more_tokens(Work *w, size_t count) {
  size_t capacity = w->capacity + w->capacity / 2;
  if (capacity < count) capacity = count;
  if (capacity < 1024) capacity = 1024;
  uint32_t *starts = resize(w->starts, capacity * sizeof *starts);
  if (!starts) return 0;
  w->starts = starts;
  uint32_t *ends = resize(w->ends, capacity * sizeof *ends);
  if (!ends) return 0;
  w->ends = ends;
  uint64_t *keys = resize(w->keys, capacity * sizeof *keys);
  if (!keys) return 0;
  w->keys = keys;
  w->capacity = capacity;
  return 1;
}

INLINE uint64_t load8(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  return x;
}

INLINE unsigned lowest_bit(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
  return x ? (unsigned)__builtin_ctzll(x) : 64;
#else
  unsigned n = 0;
  if (!x) return 64;
  while (!(x & 1)) x >>= 1, n++;
  return n;
#endif
}

INLINE unsigned one_bits(uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return (unsigned)((x * 0x0101010101010101u) >> 56);
}

/* The lowest bits of eight bytes, as eight bits. */
INLINE uint64_t gather_bits(uint64_t x) { return ((x & 0x0101010101010101u) * 0x0102040810204080u) >> 56; }

/* The length of the white space character beyond ASCII at p, or 0. */
static unsigned wide_space(const uint8_t *p, size_t left) {
  if (left >= 2 && p[0] == 0xC2) return p[1] == 0x85 || p[1] == 0xA0 ? 2 : 0;
  if (left < 3) return 0;
  if (p[0] == 0xE1) return p[1] == 0x9A && p[2] == 0x80 ? 3 : 0;
  if (p[0] == 0xE3) return p[1] == 0x80 && p[2] == 0x80 ? 3 : 0;
  if (p[0] != 0xE2) return 0;
  if (p[1] == 0x80) return (p[2] >= 0x80 && p[2] <= 0x8A) || p[2] == 0xA8 || p[2] == 0xA9 || p[2] == 0xAF ? 3 : 0;
  return p[1] == 0x81 && p[2] == 0x9F ? 3 : 0;
}

INLINE int ascii_space(uint8_t c) { return c == 32 || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }

static unsigned space_at(const uint8_t *p, size_t left) {
  if (!left) return 0;
  return p[0] < 0x80 ? (unsigned)ascii_space(p[0]) : wide_space(p, left);
}

static size_t trim_end(const uint8_t *p, size_t n) {
  for (;;) {
    if (n && p[n - 1] < 0x80) {
      if (!ascii_space(p[n - 1])) return n;
      n--;
    } else if (n >= 2 && wide_space(p + n - 2, 2) == 2) {
      n -= 2;
    } else if (n >= 3 && wide_space(p + n - 3, 3) == 3) {
      n -= 3;
    } else {
      return n;
    }
  }
}

static size_t trim_start(const uint8_t *p, size_t n) {
  size_t i = 0;
  for (unsigned size; (size = space_at(p + i, n - i));) i += size;
  return i;
}

INLINE int begins(const uint8_t *p, size_t left, const char *word, size_t n) { return left >= n && !memcmp(p, word, n); }

/* Whether one of the places in `bits` begins an entity or <skipped>, or is a line break after a hyphen. */
static int needs_mending(const uint8_t *text, size_t n, size_t block, uint64_t bits) {
  for (; bits; bits &= bits - 1) {
    const size_t i = block + lowest_bit(bits);
    const uint8_t *p = text + i;
    const size_t left = n - i;
    if (*p == '\n') {
      if (i && p[-1] == '-') return 1;
    } else if (*p == '<') {
      if (begins(p, left, "<skipped>", 9)) return 1;
    } else if (begins(p, left, "&quot;", 6) || begins(p, left, "&amp;", 5) || begins(p, left, "&lt;", 4) || begins(p, left, "&gt;", 4)) {
      return 1;
    }
  }
  return 0;
}

static size_t replace(uint8_t *p, size_t n, const char *old, const char *fresh) {
  const size_t length = strlen(old), size = strlen(fresh);
  size_t out = 0;
  for (size_t i = 0; i < n;) {
    if (p[i] == (uint8_t)old[0] && begins(p + i, n - i, old, length)) {
      memcpy(p + out, fresh, size);
      out += size, i += length;
    } else {
      p[out++] = p[i++];
    }
  }
  return out;
}

static size_t mend(uint8_t *p, size_t n) {
  static const char *const steps[][2] = {{"<skipped>", ""}, {"-\n", ""}, {"\n", " "}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  n = trim_end(p, n);
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) n = replace(p, n, steps[k][0], steps[k][1]);
  return n;
}

/* Of marks that end a run of two or more and stand before a number, those that stay joined to it. */
static uint64_t joined_marks(const uint8_t *text, size_t block, uint64_t bits, const Rule *rule) {
  uint64_t joined = 0;
  for (; bits; bits &= bits - 1) {
    const unsigned bit = lowest_bit(bits);
    size_t first = block + bit;
    while (first && rule->classes[text[first - 1]] & RUN) first--;
    const size_t length = block + bit - first + 1;
    const int number = first ? (rule->classes[text[first - 1]] & NUMBER) != 0 : rule->open_ends;
    if ((length & 1) == (size_t)number) joined |= (uint64_t)1 << bit;
  }
  return joined;
}

typedef struct {
  int64_t *offsets;
  size_t size, count;
} Lines;

INLINE int follows(uint8_t c) { return (c & 0xC0) == 0x80; }

/* The size of the character at p, or 0 if it is no proper UTF-8. */
INLINE unsigned proper_character(const uint8_t *p, size_t left) {
  const uint8_t a = p[0];
  if (a < 0x80) return 1;
  if (a < 0xC2 || a > 0xF4 || left < 2) return 0;
  const uint8_t b = p[1];
  if (a < 0xE0) return follows(b) ? 2 : 0;
  if (a < 0xF0) {
    if (left < 3 || !follows(b) || !follows(p[2]) || (a == 0xE0 && b < 0xA0) || (a == 0xED && b >= 0xA0)) return 0;
    return 3;
  }
  if (left < 4 || !follows(b) || !follows(p[2]) || !follows(p[3]) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b >= 0x90)) return 0;
  return 4;
}

/* One bit if the character at p is one of U+00AD, U+200B, U+200E, U+200F, U+2060, U+FEFF, in this order. */
INLINE unsigned hidden_character(const uint8_t *p, size_t left, unsigned *size) {
  *size = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
  if (left < *size) {
    *size = (unsigned)left;
    return 0;
  }
  if (p[0] == 0xC2) return p[1] == 0xAD;
  if (p[0] == 0xE2 && p[1] == 0x80) return p[2] == 0x8B ? 2 : p[2] == 0x8E ? 4 : p[2] == 0x8F ? 8 : 0;
  if (p[0] == 0xE2 && p[1] == 0x81) return p[2] == 0xA0 ? 16 : 0;
  return p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF ? 32 : 0;
}

/* One character and its size; a byte that begins none stands for itself. */
INLINE uint32_t character(const uint8_t *p, size_t left, unsigned *size) {
  const uint8_t a = p[0];
  *size = 1;
  if (a < 0xC2) return a < 0x80 ? a : 0x110000;
  if (a < 0xE0) {
    if (left < 2 || (p[1] & 0xC0) != 0x80) return 0x110000;
    *size = 2;
    return (uint32_t)(a & 31) << 6 | (p[1] & 63);
  }
  if (a < 0xF0) {
    if (left < 3 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80) return 0x110000;
    *size = 3;
    return (uint32_t)(a & 15) << 12 | (uint32_t)(p[1] & 63) << 6 | (p[2] & 63);
  }
  if (a > 0xF4 || left < 4 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80 || (p[3] & 0xC0) != 0x80) return 0x110000;
  *size = 4;
  return (uint32_t)(a & 7) << 18 | (uint32_t)(p[1] & 63) << 12 | (uint32_t)(p[2] & 63) << 6 | (p[3] & 63);
}

INLINE uint8_t class_of(const Rule *rule, uint32_t c) {
  return c < 0x110000 ? rule->pages[(size_t)rule->index[c >> 8] << 8 | (c & 255)] : 0;
}

static int64_t cut_wide(Work *w, size_t at, const uint8_t *text, size_t n, const Rule *rule) {
  size_t count = at, run = 0, i = 0;
  int open = 0, before = rule->open_ends, number = 0; /* a number before the run; a number before a dash */
  unsigned size, next_size = 0;
  uint8_t class = 0, next = 0;
  if (n) next = class_of(rule, character(text, n, &next_size));
  for (; i < n; i += size) {
    class = next, size = next_size;
    const size_t after = i + size;
    int next_number = rule->open_ends;
    next = 0;
    if (after < n) {
      next = class_of(rule, character(text + after, n - after, &next_size));
      next_number = (next & NUMBER) != 0;
    }
    int left = 0, right = 0; /* whether the text is cut before, after this character */
    if (class & ALWAYS) {
      left = right = 1;
    } else if (class & RUN) {
      run++;
      left = right = 1;
      if (!(next & RUN) && next_number) {
        const int joined = run == 1 ? before : (int)(run & 1) == before;
        if (joined) right = 0, left = run > 1;
      }
    } else if (class & DASH) {
      left = right = number;
    }
    if (!(class & RUN)) run = 0, before = (class & NUMBER) != 0;
    number = (class & NUMBER) != 0;
    if (open && (left || class & SPACE)) w->ends[count++] = (uint32_t)i, open = 0;
    if (class & SPACE) continue;
    if (!open) {
      if (count + 64 > w->capacity && !more_tokens(w, count + 128)) return NO_MEMORY;
      w->starts[count] = (uint32_t)i, open = 1;
    }
    if (right) w->ends[count++] = (uint32_t)after, open = 0;
  }
  if (open) w->ends[count++] = (uint32_t)n;
  return (int64_t)(count - at);
}
