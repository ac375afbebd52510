/* Made by tools/kernel.py from the notebooks. Edit nbs/30_threads.ipynb. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__) && !defined(__wasi__)
#define THREADS 1
#include <pthread.h>
#endif

#include "_kernel_text.h"
#include "_kernel_tables.h"
#include "_kernel_score.h"

#define PORTABLE 1
#define NAME(x) x##_portable
#include "_kernel_lanes.h"
#undef PORTABLE
#undef NAME

#ifdef X86
#define AVX2 1
#define NAME(x) x##_avx2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")
#endif
#include "_kernel_lanes.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef AVX2
#undef NAME

#define AVX512 1
#define NAME(x) x##_avx512
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")
#endif
#define IOTA                                                                                                                             \
  _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35,     \
                  34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, \
                  3, 2, 1, 0)
#include "_kernel_lanes.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef AVX512
#undef NAME
#endif

typedef struct {
  const char *name;
  int64_t (*cut)(Work *, size_t, const uint8_t *, size_t, const Rule *, int);
  void (*keys)(uint64_t *, const uint32_t *, const uint32_t *, size_t, const uint8_t *);
  int (*places)(Work *, const Sequence *, const Sequence *, size_t, unsigned, int64_t *);
  int (*lines)(const uint8_t *, size_t, Lines *);
  size_t (*fault)(const uint8_t *, size_t);
  unsigned (*hidden)(const uint8_t *, size_t);
} Level;

static const Level LEVELS[] = {
    {"portable", cut_portable, keys_portable, match_places_portable, find_lines_portable, first_fault_portable, hidden_portable},
#ifdef X86
    {"avx2", cut_avx2, keys_avx2, match_places_avx2, find_lines_avx2, first_fault_avx2, hidden_avx2},
    {"avx512", cut_avx512, keys_avx512, match_places_avx512, find_lines_avx512, first_fault_avx512, hidden_avx512},
#endif
};

/* How many of the levels this processor has. */
static int levels_here(void) {
#ifdef X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) return 1;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq")) return 2;
  if (!__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2")) return 2;
  return 3;
#else
  return 1;
#endif
}

enum { CLOSEST, SHORTEST, SUM };

typedef struct {
  Rule rule;
  const Level *level;
  unsigned orders; /* N */
  int method;
  int lower;          /* A to Z become small */
  int drop_blank;     /* a blank reference is none */
  size_t most_places; /* tokens of a reference up to which places are bits */
  Scoring scoring;
} Plan;

/* Tokens that are numbers of so many bytes each. */
static int64_t cut_numbers(Work *w, size_t at, size_t n, unsigned size) {
  const size_t count = n / size;
  if (at + count + 16 > w->capacity && !more_tokens(w, at + count + 16)) return NO_MEMORY;
  for (size_t i = 0; i < count; i++) w->starts[at + i] = (uint32_t)(i * size), w->ends[at + i] = (uint32_t)((i + 1) * size);
  return (int64_t)count;
}

/* The tokens of a text, from place `at` of the work space. */
static int read_text(Work *w, size_t at, Sequence *s, const uint8_t *text, size_t n, const Plan *plan) {
  const Rule *rule = &plan->rule;
  if (n > 0xFFFFFF00u) return TOO_LONG;
  if (rule->trim_start) {
    const size_t skip = trim_start(text, n);
    text += skip, n -= skip;
  }
  if (rule->trim_end) n = trim_end(text, n);
  int64_t count = rule->numbers ? cut_numbers(w, at, n, rule->numbers) : plan->level->cut(w, at, text, n, rule, rule->mend);
  if (count == WIDE) count = cut_wide(w, at, text, n, rule);
  if (count == MEND) {
    Piece *piece = resize(NULL, sizeof(Piece) + n + SLACK);
    if (!piece) return NO_MEMORY;
    memcpy(piece->bytes, text, n);
    piece->next = w->pieces;
    w->pieces = piece;
    n = mend(piece->bytes, n);
    memset(piece->bytes + n, 0, SLACK);
    text = piece->bytes;
    count = plan->level->cut(w, at, text, n, rule, 0);
  }
  if (count < 0) return (int)count;
  if (at + (size_t)count + 16 > w->capacity && !more_tokens(w, at + (size_t)count + 16)) return NO_MEMORY;
  plan->level->keys(w->keys + at, w->starts + at, w->ends + at, (size_t)count, text);
  s->at = at, s->count = (size_t)count, s->text = text;
  return 1;
}

static void free_pieces(Work *w) {
  while (w->pieces) {
    Piece *next = w->pieces->next;
    release(w->pieces);
    w->pieces = next;
  }
}

static void free_work(Work *w) {
  free_pieces(w);
  void *all[] = {w->starts, w->ends,  w->keys,     w->sequences, w->places,  w->taken,  w->now,
                 w->slots,  w->ids,   w->holders,  w->copies,    w->grams[0], w->grams[1], w->row, w->lines};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) release(all[i]);
  memset(w, 0, sizeof *w);
}

/* r: the length of the reference that is closest in length, or shortest, or the sum of all lengths. */
static int64_t reference_length(int method, int64_t c, const Sequence *references, size_t count) {
  int64_t best = (int64_t)references[0].count, sum = best;
  for (size_t r = 1; r < count; r++) {
    const int64_t length = (int64_t)references[r].count;
    const int64_t near = length > c ? length - c : c - length, nearest = best > c ? best - c : c - best;
    sum += length;
    if (method == SHORTEST ? length < best : near < nearest || (near == nearest && length < best)) best = length;
  }
  return method == SUM ? sum : best;
}

/* c, r, matched 1 to N, total 1 to N. */
static int make_row(Work *w, const Plan *plan, const Sequence *candidate, const Sequence *references, size_t count, int64_t *row) {
  const unsigned orders = plan->orders;
  const int64_t c = (int64_t)candidate->count;
  size_t longest = 0;
  for (size_t r = 0; r < count; r++)
    if (references[r].count > longest) longest = references[r].count;
  row[0] = c;
  row[1] = reference_length(plan->method, c, references, count);
  for (unsigned n = 0; n < orders; n++) row[2 + orders + n] = c > (int64_t)n ? c - (int64_t)n : 0;
  if (longest <= plan->most_places && c) {
    const int done = plan->level->places(w, candidate, references, count, orders, row + 2);
    if (done) return done;
  }
  return match_tables(w, candidate, references, count, orders, row + 2);
}

/* The row of texts: a candidate, then its references. Behind each there are SLACK bytes that can be read. */
static int text_row(Work *w, const Plan *plan, const Line *lines, size_t count, int64_t *row) {
  size_t at = 0;
  int status = 1;
  if (!reserve((void **)&w->sequences, &w->sequences_size, (count + 1) * sizeof(Sequence))) return NO_MEMORY;
  for (size_t k = 0; k <= count && status == 1; k++) {
    status = read_text(w, at, &w->sequences[k], lines[k].text, lines[k].length, plan);
    if (status == 1) at = (at + w->sequences[k].count + 15) & ~(size_t)7;
  }
  if (status == 1) {
    for (size_t k = 0; k <= count; k++) {
      Sequence *s = &w->sequences[k];
      s->keys = w->keys + s->at, s->starts = w->starts + s->at, s->ends = w->ends + s->at;
    }
    status = make_row(w, plan, &w->sequences[0], w->sequences + 1, count, row);
  }
  if (w->pieces) free_pieces(w);
  return status;
}

/* The row of a text whose references were cut before. */
static int prepared_row(Work *w, const Plan *plan, const Line *line, const Sequence *references, size_t count, int64_t *row) {
  Sequence s;
  int status = read_text(w, 0, &s, line->text, line->length, plan);
  if (status == 1) {
    s.keys = w->keys, s.starts = w->starts, s.ends = w->ends;
    status = make_row(w, plan, &s, references, count, row);
  }
  if (w->pieces) free_pieces(w);
  return status;
}

/* Texts in a buffer: text i lies between the offsets i and i + 1, less `gap` bytes for what separates them. */
typedef struct {
  const uint8_t *bytes;
  size_t size;
  const void *offsets;
  size_t texts;
  int wide; /* offsets of 64 bits, not 32 */
  int gap;
} Source;

enum { ALL_BLANK = -5, BAD_OFFSETS = -6 };

typedef struct {
  uint8_t *bytes;
  size_t size, used;
  Line *lines; /* a candidate, its references, the next candidate … */
  size_t lines_size, line_count;
  uint32_t *counts; /* references of each segment */
  size_t counts_size, segments;
  size_t first;          /* the number of the first segment */
  const Source *sources; /* if given, there are no lines */
  size_t source_count;
  const Sequence *texts; /* if given, the references of segment i are the texts from groups[i] on, cut before */
  const size_t *groups;
} Block;

/* What is made of the segments: rows, scores, or the sum of the rows; `rows` and `scores` begin at segment 0. */
typedef struct {
  int64_t *rows;
  double *scores;
  int64_t *sum;
} Output;

static void free_block(Block *b) {
  release(b->bytes), release(b->lines), release(b->counts);
  memset(b, 0, sizeof *b);
}

static void make_small(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(p[i] + ((uint8_t)(p[i] - 'A') < 26) * 32);
}

static int blank(const uint8_t *p, size_t n) { return trim_start(p, n) == n; }

static int source_text(const Source *s, size_t i, Line *line) {
  uint64_t from, to;
  if (s->wide)
    from = (uint64_t)((const int64_t *)s->offsets)[i], to = (uint64_t)((const int64_t *)s->offsets)[i + 1];
  else
    from = (uint64_t)((const int32_t *)s->offsets)[i], to = (uint64_t)((const int32_t *)s->offsets)[i + 1];
  if (to < from + (unsigned)s->gap || to - (unsigned)s->gap > s->size || from > s->size) return BAD_OFFSETS;
  *line = (Line){s->bytes + from, (size_t)(to - from) - (unsigned)s->gap};
  return 1;
}

/* The lines of segment i in sources; *count is the number of references. */
static int source_lines(Work *w, const Plan *plan, const Block *b, size_t i, Line *lines, size_t *count) {
  size_t copied = 0, kept = 0;
  int status;
  for (size_t k = 0; k < b->source_count; k++) {
    const Source *s = &b->sources[k];
    Line line;
    if ((status = source_text(s, i, &line)) != 1) return status;
    if (plan->rule.numbers && line.length % plan->rule.numbers) return BAD_OFFSETS;
    if (k && plan->drop_blank && blank(line.text, line.length)) continue;
    if (plan->lower || (size_t)(s->bytes + s->size - line.text) < line.length + SLACK) {
      if (!reserve((void **)&w->copies, &w->copies_size, copied + line.length + SLACK)) return NO_MEMORY;
      memcpy(w->copies + copied, line.text, line.length);
      if (plan->lower) make_small(w->copies + copied, line.length);
      line.text = NULL, copied += line.length;
    }
    lines[kept++] = line;
  }
  uint8_t *from = w->copies;
  for (size_t k = 0; k < kept; k++)
    if (!lines[k].text) lines[k].text = from, from += lines[k].length;
  if (copied) memset(from, 0, SLACK);
  *count = kept - 1;
  return kept > 1 ? 1 : ALL_BLANK;
}

static int count_block(Work *w, const Plan *plan, const Block *b, const Output *out) {
  const size_t width = 2 + 2 * (size_t)plan->orders;
  if (!reserve((void **)&w->row, &w->row_size, width * sizeof(int64_t))) return NO_MEMORY;
  if (b->sources && !reserve((void **)&w->lines, &w->lines_size, b->source_count * sizeof(Line))) return NO_MEMORY;
  const Line *line = b->lines;
  for (size_t i = 0; i < b->segments; i++) {
    int64_t *row = out->rows ? out->rows + (b->first + i) * width : w->row;
    size_t count;
    int status = 1;
    if (b->texts) {
      const size_t *group = b->groups + b->first + i;
      status = prepared_row(w, plan, line, b->texts + group[0], group[1] - group[0], row);
      count = 0;
    } else if (b->sources) {
      status = source_lines(w, plan, b, b->first + i, w->lines, &count);
      line = w->lines;
      if (status == 1) status = text_row(w, plan, line, count, row);
    } else {
      count = b->counts[i];
      status = text_row(w, plan, line, count, row);
    }
    if (status == ALL_BLANK) w->stopped = b->first + i;
    if (status != 1) return status;
    line += 1 + count;
    if (out->scores) out->scores[b->first + i] = row_score(&plan->scoring, row);
    if (out->sum)
      for (size_t k = 0; k < width; k++) out->sum[k] += row[k];
  }
  return 1;
}

#ifdef THREADS
enum { MOST_THREADS = 64 };

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t filled, freed;
  Block *blocks;
  int *queue, *idle;
  int queued, idling, all, over, status;
  size_t stopped; /* the first segment that had blank references alone */
  const Plan *plan;
  Output out;
  size_t width;
} Crew;

/* Take one full block and count it; the lock is held before and after. */
static void crew_step(Crew *crew, Work *w, const Output *out) {
  const int mine = crew->queue[--crew->queued];
  pthread_mutex_unlock(&crew->lock);
  const int status = count_block(w, crew->plan, &crew->blocks[mine], out);
  pthread_mutex_lock(&crew->lock);
  if (status == ALL_BLANK && (crew->status != ALL_BLANK || w->stopped < crew->stopped)) crew->stopped = w->stopped;
  if (status != 1) crew->status = status;
  crew->idle[crew->idling++] = mine;
  pthread_cond_signal(&crew->freed);
}

static void *crew_member(void *given) {
  Crew *crew = given;
  Work work;
  memset(&work, 0, sizeof work);
  Output out = crew->out;
  if (out.sum) out.sum = resize(NULL, crew->width * sizeof(int64_t));
  pthread_mutex_lock(&crew->lock);
  if (crew->out.sum && !out.sum) {
    crew->status = NO_MEMORY;
  } else {
    if (out.sum) memset(out.sum, 0, crew->width * sizeof(int64_t));
    for (;;) {
      while (!crew->queued && !crew->over) pthread_cond_wait(&crew->filled, &crew->lock);
      if (!crew->queued) break;
      crew_step(crew, &work, &out);
    }
    if (out.sum)
      for (size_t i = 0; i < crew->width; i++) crew->out.sum[i] += out.sum[i];
  }
  pthread_mutex_unlock(&crew->lock);
  if (out.sum) release(out.sum);
  free_work(&work);
  return NULL;
}
#endif

typedef struct {
  int64_t fewest, most;           /* references given to a segment */
  int64_t fewest_kept, most_kept; /* and those that are not dropped as blank */
  int64_t texts[2][7];            /* of candidates, of references: how many hold each hidden character, how many are blank */
} Seen;

typedef struct {
  PyObject_HEAD
  Plan plan;
  PyObject *pages;   /* the bytes behind plan.rule.pages */
  PyObject *prepare; /* a function from text to text for texts beyond ASCII, or NULL */
  size_t may_cache;  /* bytes of UTF-8 that may be left in strings */
  Work work;
  Block block;
  int busy;
} Kernel;

/* Texts that were cut once, in groups: each group the references of a segment, or a single text. */
typedef struct {
  PyObject_HEAD
  Kernel *kernel;
  uint64_t *keys;
  uint32_t *starts, *ends;
  uint8_t *text, *bytes; /* the texts, and those that had to be mended */
  Sequence *sequences;
  size_t count;
  size_t *groups; /* where each group begins, and where the last one ends */
  size_t group_count;
} Texts;

enum { NOT_PLAIN = 0, FINE = 1, FAILED = -10 };

static int failure(int status) {
  if (status == NO_MEMORY)
    PyErr_NoMemory();
  else if (status == BAD_OFFSETS)
    PyErr_SetString(PyExc_ValueError, "offsets that lead out of their buffer");
  else
    PyErr_SetString(PyExc_OverflowError, "a text of more than 4 GB");
  return FAILED;
}

/* The UTF-8 form of a text, borrowed from it or from *made. */
static const char *utf8_of(Kernel *k, PyObject *text, Py_ssize_t *size, Py_ssize_t *length, PyObject **made) {
  const char *utf8 = NULL;
  *made = NULL;
  if ((*length = PyUnicode_GetLength(text)) < 0) return NULL;
  if (k->may_cache) {
    utf8 = PyUnicode_AsUTF8AndSize(text, size);
    if (utf8 && *size > *length) k->may_cache = (size_t)*size < k->may_cache ? k->may_cache - (size_t)*size : 0;
  } else if ((*made = PyUnicode_AsUTF8String(text))) {
    utf8 = PyBytes_AsString(*made), *size = PyBytes_Size(*made);
  }
  if (utf8 || !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return utf8;
  PyErr_Clear();
  if (!(*made = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"))) return NULL;
  *size = PyBytes_Size(*made);
  return PyBytes_AsString(*made);
}

/* Append a text to a block, prepared. Returns FINE, NOT_PLAIN, FAILED with an exception, or ALL_BLANK if it is a blank reference that is dropped. */
static int put_text(Kernel *k, Block *b, PyObject *text, int reference, Seen *seen) {
  if (!PyUnicode_CheckExact(text)) return NOT_PLAIN;
  Py_ssize_t size = 0, length;
  PyObject *made;
  const char *utf8 = utf8_of(k, text, &size, &length, &made);
  if (!utf8) return FAILED;
  uint8_t *to;
  int status = FINE, space = 0;
  if (!reserve((void **)&b->bytes, &b->size, b->used + (size_t)size + SLACK) ||
      !reserve((void **)&b->lines, &b->lines_size, (b->line_count + 1) * sizeof(Line))) {
    Py_XDECREF(made);
    return failure(NO_MEMORY);
  }
  to = b->bytes + b->used;
  memcpy(to, utf8, (size_t)size);
  Py_XDECREF(made);
  if (!size || *to <= ' ' || *to >= 0x80) space = blank(to, (size_t)size);
  if (seen) {
    int64_t *counts = seen->texts[reference];
    counts[6] += space;
    if (size > length)
      for (unsigned bits = k->plan.level->hidden(to, (size_t)size); bits; bits &= bits - 1) counts[lowest_bit(bits)]++;
  }
  if (space && reference && k->plan.drop_blank) return ALL_BLANK;
  if (k->prepare && size > length) {
    PyObject *kept = PyObject_CallFunctionObjArgs(k->prepare, text, NULL);
    made = kept ? PyUnicode_AsEncodedString(kept, "utf-8", "surrogatepass") : NULL;
    Py_XDECREF(kept);
    if (!made) return FAILED;
    size = PyBytes_Size(made);
    if (reserve((void **)&b->bytes, &b->size, b->used + (size_t)size + SLACK))
      memcpy(b->bytes + b->used, PyBytes_AsString(made), (size_t)size);
    else
      status = failure(NO_MEMORY);
    Py_DECREF(made);
    if (status != FINE) return status;
    to = b->bytes + b->used;
  }
  if (k->plan.lower) make_small(to, (size_t)size);
  b->lines[b->line_count++] = (Line){(const uint8_t *)b->used, (size_t)size}; /* a place, until the block is settled */
  b->used += (size_t)size;
  return FINE;
}

/* Append references to a block; *kept is how many are not dropped. */
static int put_references(Kernel *k, Block *b, PyObject *references, uint32_t *kept, Seen *seen) {
  const int list = PyList_CheckExact(references);
  if (!list && !PyTuple_CheckExact(references)) return NOT_PLAIN;
  const Py_ssize_t count = list ? PyList_Size(references) : PyTuple_Size(references);
  *kept = 0;
  for (Py_ssize_t r = 0; r < count; r++) {
    PyObject *reference = list ? PyList_GetItem(references, r) : PyTuple_GetItem(references, r);
    if (!reference) return FAILED;
    Py_INCREF(reference);
    const int status = put_text(k, b, reference, 1, seen);
    Py_DECREF(reference);
    if (status == ALL_BLANK) continue;
    if (status != FINE) return status;
    ++*kept;
  }
  if (seen) {
    if (count < seen->fewest) seen->fewest = count;
    if (count > seen->most) seen->most = count;
    if (*kept < seen->fewest_kept) seen->fewest_kept = *kept;
    if (*kept > seen->most_kept) seen->most_kept = *kept;
  }
  return *kept ? FINE : count ? ALL_BLANK : NOT_PLAIN;
}

static int put_segment(Kernel *k, Block *b, PyObject *candidate, PyObject *references, Seen *seen) {
  if (!reserve((void **)&b->counts, &b->counts_size, (b->segments + 1) * sizeof(uint32_t))) return failure(NO_MEMORY);
  int status = put_text(k, b, candidate, 0, seen);
  if (status == FINE && references) status = put_references(k, b, references, &b->counts[b->segments], seen);
  if (status == FINE) b->segments++;
  return status;
}

static void empty(Block *b) {
  b->used = b->line_count = b->segments = b->first = 0;
  b->sources = NULL, b->texts = NULL;
}

/* The places of lines become addresses. */
static void settle(Block *b) {
  for (size_t i = 0; i < b->line_count; i++) b->lines[i].text = b->bytes + (size_t)b->lines[i].text;
  if (b->bytes) memset(b->bytes + b->used, 0, SLACK);
}

typedef struct {
  Kernel *kernel;
  PyObject *candidates, *references; /* lists; or a list and NULL */
  const Texts *texts;                /* the references, cut before */
  const Source *sources;             /* or all of it */
  size_t source_count;
  Py_ssize_t next, stop;
  Output out;
  Seen *seen;
} Job;

static int fill_block(Job *job, Block *b) {
  empty(b);
  b->first = (size_t)job->next;
  b->sources = job->sources, b->source_count = job->source_count;
  if (b->sources) {
    const Py_ssize_t left = job->stop - job->next;
    b->segments = left < 256 ? (size_t)left : 256;
    job->next += (Py_ssize_t)b->segments;
    return FINE;
  }
  if (job->texts) b->texts = job->texts->sequences, b->groups = job->texts->groups;
  while (job->next < job->stop && b->used < 65536 && b->segments < 512) {
    PyObject *candidate = PyList_GetItem(job->candidates, job->next);
    PyObject *group = candidate && job->references ? PyList_GetItem(job->references, job->next) : NULL;
    if (!candidate || (job->references && !group)) return FAILED;
    Py_INCREF(candidate);
    Py_XINCREF(group);
    const int status = put_segment(job->kernel, b, candidate, group, job->seen);
    Py_DECREF(candidate);
    Py_XDECREF(group);
    if (status != FINE) return status;
    job->next++;
  }
  settle(b);
  return FINE;
}

#ifdef THREADS
static int run_crew(Job *job, int threads) {
  int status = FINE, counted;
  const size_t width = 2 + 2 * (size_t)job->kernel->plan.orders;
  Crew crew;
  Work work;
  pthread_t members[MOST_THREADS];
  int there = 0;
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  memset(&crew, 0, sizeof crew), memset(&work, 0, sizeof work);
  crew.all = 2 * threads;
  crew.blocks = resize(NULL, (size_t)crew.all * sizeof(Block));
  crew.queue = resize(NULL, 2 * (size_t)crew.all * sizeof(int));
  Output own = job->out;
  if (own.sum) own.sum = resize(NULL, width * sizeof(int64_t));
  if (!crew.blocks || !crew.queue || (job->out.sum && !own.sum)) {
    release(crew.blocks), release(crew.queue);
    if (own.sum) release(own.sum);
    return failure(NO_MEMORY);
  }
  if (own.sum) memset(own.sum, 0, width * sizeof(int64_t));
  memset(crew.blocks, 0, (size_t)crew.all * sizeof(Block));
  crew.idle = crew.queue + crew.all;
  for (int i = 0; i < crew.all; i++) crew.idle[crew.idling++] = i;
  crew.plan = &job->kernel->plan, crew.out = job->out, crew.width = width, crew.status = 1;
  pthread_mutex_init(&crew.lock, NULL);
  pthread_cond_init(&crew.filled, NULL);
  pthread_cond_init(&crew.freed, NULL);
  while (there < threads - 1 && !pthread_create(&members[there], NULL, crew_member, &crew)) there++;
  pthread_mutex_lock(&crew.lock);
  while (status == FINE && job->next < job->stop && crew.status == 1) {
    if (crew.idling) {
      const int mine = crew.idle[--crew.idling];
      pthread_mutex_unlock(&crew.lock);
      status = fill_block(job, &crew.blocks[mine]);
      if (status == FINE && PyErr_CheckSignals()) status = FAILED;
      pthread_mutex_lock(&crew.lock);
      if (status == FINE)
        crew.queue[crew.queued++] = mine;
      else
        crew.idle[crew.idling++] = mine;
      pthread_cond_signal(&crew.filled);
    } else {
      pthread_mutex_unlock(&crew.lock);
      Py_BEGIN_ALLOW_THREADS
      pthread_mutex_lock(&crew.lock);
      if (crew.queued)
        crew_step(&crew, &work, &own);
      else if (!crew.idling)
        pthread_cond_wait(&crew.freed, &crew.lock);
      pthread_mutex_unlock(&crew.lock);
      Py_END_ALLOW_THREADS
      pthread_mutex_lock(&crew.lock);
    }
  }
  if (status != FINE) crew.queued = 0;
  crew.over = 1;
  pthread_cond_broadcast(&crew.filled);
  pthread_mutex_unlock(&crew.lock);
  Py_BEGIN_ALLOW_THREADS
  pthread_mutex_lock(&crew.lock);
  while (crew.queued) crew_step(&crew, &work, &own);
  pthread_mutex_unlock(&crew.lock);
  for (int i = 0; i < there; i++) pthread_join(members[i], NULL);
  Py_END_ALLOW_THREADS
  if (own.sum) {
    for (size_t i = 0; i < width; i++) job->out.sum[i] += own.sum[i];
    release(own.sum);
  }
  counted = crew.status;
  free_work(&work);
  for (int i = 0; i < crew.all; i++) free_block(&crew.blocks[i]);
  release(crew.blocks), release(crew.queue);
  pthread_mutex_destroy(&crew.lock);
  pthread_cond_destroy(&crew.filled);
  pthread_cond_destroy(&crew.freed);
  if (status != FINE || counted == 1) return status;
  if (counted != ALL_BLANK) return failure(counted);
  job->next = (Py_ssize_t)crew.stopped;
  return ALL_BLANK;
}
#endif

/* A kernel's own work space and block, or fresh ones as long as somebody else uses these. */
typedef struct {
  Work *work, fresh_work;
  Block *block, fresh_block;
} Desk;

static void take_desk(Desk *desk, Kernel *k) {
  desk->work = &k->work, desk->block = &k->block;
  if (k->busy) {
    memset(&desk->fresh_work, 0, sizeof(Work)), memset(&desk->fresh_block, 0, sizeof(Block));
    desk->work = &desk->fresh_work, desk->block = &desk->fresh_block;
  }
  k->busy = 1;
}

static void leave_desk(Desk *desk, Kernel *k) {
  if (desk->work == &k->work)
    k->busy = 0;
  else
    free_work(desk->work), free_block(desk->block);
}

/* Returns FINE, NOT_PLAIN, FAILED with an exception, or ALL_BLANK with the segment in job->next. */
static int run(Job *job, int threads) {
#ifdef THREADS
  if (threads > 1) return run_crew(job, threads);
#endif
  (void)threads;
  Kernel *k = job->kernel;
  Desk desk;
  take_desk(&desk, k);
  Work *w = desk.work;
  Block *b = desk.block;
  int status = FINE, counted = 1;
  while (status == FINE && counted == 1 && job->next < job->stop) {
    if ((status = fill_block(job, b)) != FINE) break;
    if (b->segments > 16 || b->used > 8192 || b->sources) {
      Py_BEGIN_ALLOW_THREADS
      counted = count_block(w, &k->plan, b, &job->out);
      Py_END_ALLOW_THREADS
    } else {
      counted = count_block(w, &k->plan, b, &job->out);
    }
    if (counted == ALL_BLANK) job->next = (Py_ssize_t)w->stopped, status = ALL_BLANK;
    if (counted == 1 && PyErr_CheckSignals()) status = FAILED;
  }
  leave_desk(&desk, k);
  return status == FINE && counted != 1 ? failure(counted) : status;
}

static PyTypeObject *texts_type;

static PyObject *tuple_of(const int64_t *row, size_t width) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)width);
  if (!tuple) return NULL;
  for (size_t i = 0; i < width; i++) {
    PyObject *number = PyLong_FromLongLong(row[i]);
    if (!number) {
      Py_DECREF(tuple);
      return NULL;
    }
    PyTuple_SetItem(tuple, (Py_ssize_t)i, number);
  }
  return tuple;
}

static void set_rule(Rule *rule, const uint8_t *index, const uint8_t *pages, unsigned flags) {
  memset(rule, 0, sizeof *rule);
  memcpy(rule->index, index, sizeof rule->index);
  rule->pages = pages;
  memcpy(rule->classes, pages + ((size_t)index[0] << 8), 128);
  for (unsigned row = 0; row < 8; row++) rule->rows[row] = (uint8_t)(1u << row);
  for (unsigned c = 0; c < 128; c++)
    for (unsigned k = 0; k < 6; k++)
      if (rule->classes[c] >> k & 1) rule->columns[k][c & 15] |= (uint8_t)(1u << (c >> 4));
  rule->marks = flags & 1, rule->open_ends = flags >> 1 & 1, rule->wide = flags >> 2 & 1, rule->characters = flags >> 3 & 1;
  rule->trim_start = flags >> 4 & 1, rule->trim_end = flags >> 5 & 1, rule->mend = flags >> 6 & 1;
  rule->numbers = flags >> 7 & 15;
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"index", "pages", "flags", "orders", "method", "lower", "drop_blank", "prepare", "scoring", "level", "most_places", NULL};
  PyObject *index, *pages, *prepare;
  unsigned flags, orders;
  int method, lower, drop_blank, level = -1, most = 64, smooth, effective;
  double above, below;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "SSIIippO(iddi)|ii", names, &index, &pages, &flags, &orders, &method, &lower, &drop_blank, &prepare,
                                   &smooth, &above, &below, &effective, &level, &most))
    return NULL;
  const int here = levels_here();
  if (level >= here || level < -1 || PyBytes_Size(index) != 0x1100 || PyBytes_Size(pages) < 256 || PyBytes_Size(pages) % 256 || !orders || orders > 65536 ||
      method < CLOSEST || method > SUM || most < 0 || most > 64) {
    PyErr_SetString(PyExc_ValueError, "a kernel of these settings cannot be");
    return NULL;
  }
  const uint8_t *pointers = (const uint8_t *)PyBytes_AsString(index);
  for (int i = 0; i < 0x1100; i++)
    if (((Py_ssize_t)pointers[i] + 1) * 256 > PyBytes_Size(pages)) {
      PyErr_SetString(PyExc_ValueError, "an index that leads out of the pages");
      return NULL;
    }
  allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Kernel *k = (Kernel *)alloc(type, 0);
  if (!k) return NULL;
  Py_INCREF(pages);
  k->pages = pages;
  if (prepare != Py_None) {
    Py_INCREF(prepare);
    k->prepare = prepare;
  }
  set_rule(&k->plan.rule, pointers, (const uint8_t *)PyBytes_AsString(pages), flags);
  k->plan.level = &LEVELS[level < 0 ? here - 1 : level];
  k->plan.orders = orders, k->plan.method = method, k->plan.lower = lower, k->plan.drop_blank = drop_blank, k->plan.most_places = (size_t)most;
  k->plan.scoring = (Scoring){smooth < 0 ? 0 : orders, smooth, above, below, effective};
  k->may_cache = 1 << 22;
  return (PyObject *)k;
}

static void kernel_dealloc(PyObject *self) {
  Kernel *k = (Kernel *)self;
  PyTypeObject *type = Py_TYPE(self);
  free_work(&k->work);
  free_block(&k->block);
  Py_XDECREF(k->pages);
  Py_XDECREF(k->prepare);
  freefunc give_back = (freefunc)PyType_GetSlot(type, Py_tp_free);
  give_back(self);
  Py_DECREF(type);
}

/* What a count that could not be gives back: None where plain Python has to look, or the number of the segment that has blank references alone. */
static PyObject *refusal(int status, Py_ssize_t next) {
  if (status == FAILED) return NULL;
  if (status == ALL_BLANK) return PyLong_FromSsize_t(next);
  Py_RETURN_NONE;
}

enum { ROW, SCORE, BOTH };

static PyObject *one_segment(PyObject *self, PyObject *const *args, Py_ssize_t given, int wanted) {
  Kernel *k = (Kernel *)self;
  if (given != 2) {
    PyErr_SetString(PyExc_TypeError, "a candidate and its references");
    return NULL;
  }
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  int64_t few[34], *row = width <= 34 ? few : resize(NULL, width * sizeof(int64_t));
  if (!row) return PyErr_NoMemory();
  Desk desk;
  take_desk(&desk, k);
  Work *w = desk.work;
  Block *b = desk.block;
  empty(b);
  PyObject *result = NULL;
  double score = NAN;
  int status = put_segment(k, b, args[0], args[1], NULL);
  if (status == FINE) {
    settle(b);
    const Output out = {row, k->plan.scoring.orders ? &score : NULL, NULL};
    const int counted = count_block(w, &k->plan, b, &out);
    if (counted != 1)
      failure(counted);
    else if (wanted == SCORE)
      result = PyFloat_FromDouble(score);
    else
      result = tuple_of(row, width);
    if (result && wanted == BOTH) result = Py_BuildValue("(Nd)", result, score);
  } else {
    result = refusal(status, 0);
  }
  leave_desk(&desk, k);
  if (row != few) release(row);
  return result;
}

static PyObject *kernel_row(PyObject *self, PyObject *const *args, Py_ssize_t given) { return one_segment(self, args, given, ROW); }
static PyObject *kernel_score(PyObject *self, PyObject *const *args, Py_ssize_t given) { return one_segment(self, args, given, SCORE); }
static PyObject *kernel_scored(PyObject *self, PyObject *const *args, Py_ssize_t given) { return one_segment(self, args, given, BOTH); }

/* A job from arguments; 0 with an exception if they do not fit. */
static int make_job(Job *job, Kernel *k, PyObject *candidates, PyObject *references, Py_ssize_t start, Py_ssize_t stop) {
  memset(job, 0, sizeof *job);
  job->kernel = k, job->candidates = candidates, job->next = start, job->stop = stop;
  int fits = PyList_CheckExact(candidates) && 0 <= start && start <= stop && stop <= PyList_Size(candidates);
  if (PyObject_TypeCheck(references, texts_type)) {
    job->texts = (Texts *)references;
    fits = fits && job->texts->kernel == k && (size_t)stop <= job->texts->group_count;
  } else {
    job->references = references;
    fits = fits && PyList_CheckExact(references) && stop <= PyList_Size(references);
  }
  if (!fits) PyErr_SetString(PyExc_ValueError, "a list of candidates, a list of lists of references or texts of this kernel, and a range within both");
  return fits;
}

static PyObject *seen_tuple(const Seen *seen) {
  const int64_t *a = seen->texts[0], *b = seen->texts[1];
  return Py_BuildValue("(LLLL(LLLLLLL)(LLLLLLL))", seen->fewest, seen->most, seen->fewest_kept, seen->most_kept, a[0], a[1], a[2], a[3], a[4], a[5], a[6],
                       b[0], b[1], b[2], b[3], b[4], b[5], b[6]);
}

static PyObject *kernel_total(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *candidates, *references;
  Py_ssize_t start, stop;
  int threads;
  Job job;
  if (!PyArg_ParseTuple(args, "OOnni", &candidates, &references, &start, &stop, &threads)) return NULL;
  if (!make_job(&job, k, candidates, references, start, stop)) return NULL;
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  Seen seen = {INT64_MAX, 0, INT64_MAX, 0, {{0}}};
  if (!(job.out.sum = resize(NULL, width * sizeof(int64_t)))) return PyErr_NoMemory();
  memset(job.out.sum, 0, width * sizeof(int64_t));
  job.seen = &seen;
  const int status = run(&job, threads);
  PyObject *result = status == FINE ? tuple_of(job.out.sum, width) : refusal(status, job.next);
  release(job.out.sum);
  if (!result || status != FINE) return result;
  PyObject *noted = seen_tuple(&seen);
  if (noted) return Py_BuildValue("(NN)", result, noted);
  Py_DECREF(result);
  return NULL;
}

/* Room for numbers in a buffer that was given, or new. */
static void *numbers(PyObject *out, Py_buffer *view, size_t size) {
  if (out == Py_None) {
    void *fresh = resize(NULL, size);
    if (!fresh) PyErr_NoMemory();
    return fresh;
  }
  if (PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)) return NULL;
  if ((size_t)view->len >= size && (uintptr_t)view->buf % 8 == 0) return view->buf;
  PyErr_SetString(PyExc_ValueError, "the buffer for the results is too small");
  PyBuffer_Release(view);
  return NULL;
}

static PyObject *list_of_rows(const int64_t *rows, Py_ssize_t count, size_t width) {
  PyObject *list = PyList_New(count);
  for (Py_ssize_t i = 0; list && i < count; i++) {
    PyObject *row = tuple_of(rows + (size_t)i * width, width);
    if (!row) Py_CLEAR(list);
    else PyList_SetItem(list, i, row);
  }
  return list;
}

static PyObject *list_of_scores(const double *scores, Py_ssize_t count) {
  PyObject *list = PyList_New(count);
  for (Py_ssize_t i = 0; list && i < count; i++) {
    PyObject *score = PyFloat_FromDouble(scores[i]);
    if (!score) Py_CLEAR(list);
    else PyList_SetItem(list, i, score);
  }
  return list;
}

static PyObject *many(PyObject *self, PyObject *args, int scores) {
  Kernel *k = (Kernel *)self;
  PyObject *candidates, *references, *out;
  Py_ssize_t start, stop;
  int threads;
  Job job;
  if (!PyArg_ParseTuple(args, "OOnniO", &candidates, &references, &start, &stop, &threads, &out)) return NULL;
  if (!make_job(&job, k, candidates, references, start, stop)) return NULL;
  const size_t width = 2 + 2 * (size_t)k->plan.orders, count = (size_t)(stop - start);
  Py_buffer view;
  void *made = numbers(out, &view, count * (scores ? 1 : width) * 8);
  if (!made) return NULL;
  if (scores)
    job.out.scores = (double *)made - start;
  else
    job.out.rows = (int64_t *)made - (size_t)start * width;
  const int status = run(&job, threads);
  PyObject *result = NULL;
  if (status != FINE) {
    result = refusal(status, job.next);
  } else if (out != Py_None) {
    Py_INCREF(out);
    result = out;
  } else {
    result = scores ? list_of_scores(made, (Py_ssize_t)count) : list_of_rows(made, (Py_ssize_t)count, width);
  }
  if (out != Py_None)
    PyBuffer_Release(&view);
  else
    release(made);
  return result;
}

static PyObject *kernel_rows(PyObject *self, PyObject *args) { return many(self, args, 0); }
static PyObject *kernel_scores(PyObject *self, PyObject *args) { return many(self, args, 1); }

enum { MOST_SOURCES = 256 };

static PyObject *kernel_lines(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *given, *out, *result = NULL;
  Py_ssize_t start, stop;
  int threads;
  if (!PyArg_ParseTuple(args, "O!nniO", &PyTuple_Type, &given, &start, &stop, &threads, &out)) return NULL;
  const Py_ssize_t count = PyTuple_Size(given);
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  if (count < 2 || count > MOST_SOURCES || start < 0 || stop < start) {
    PyErr_SetString(PyExc_ValueError, "candidates and 1 to 255 streams of references, and a range");
    return NULL;
  }
  Py_buffer *views = resize(NULL, 2 * (size_t)count * sizeof(Py_buffer));
  Source *sources = resize(NULL, (size_t)count * sizeof(Source));
  Py_ssize_t held = 0;
  Py_buffer view;
  void *made = NULL;
  Job job;
  memset(&job, 0, sizeof job);
  if (!views || !sources) {
    PyErr_NoMemory();
    goto done;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *bytes, *offsets;
    int gap;
    if (!PyArg_ParseTuple(PyTuple_GetItem(given, i), "OOi", &bytes, &offsets, &gap)) goto done;
    if (PyObject_GetBuffer(bytes, &views[held], PyBUF_SIMPLE)) goto done;
    held++;
    if (PyObject_GetBuffer(offsets, &views[held], PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) goto done;
    held++;
    const Py_buffer *text = &views[held - 2], *places = &views[held - 1];
    const int wide = places->itemsize != 4;
    if ((wide && places->itemsize != 8) || places->len / places->itemsize < stop + 1 || (uintptr_t)places->buf % (size_t)places->itemsize || gap < 0 || gap > 1) {
      PyErr_SetString(PyExc_ValueError, "offsets are one more than texts, of 32 or 64 bits; gap is 0 or 1");
      goto done;
    }
    sources[i] = (Source){text->buf, (size_t)text->len, places->buf, (size_t)stop, wide, gap};
  }
  if (out == Py_None) {
    if (!(made = resize(NULL, width * sizeof(int64_t)))) {
      PyErr_NoMemory();
      goto done;
    }
    memset(made, 0, width * sizeof(int64_t));
    job.out.sum = made;
  } else {
    if (!(made = numbers(out, &view, (size_t)(stop - start) * width * 8))) goto done;
    job.out.rows = (int64_t *)made - (size_t)start * width;
  }
  job.kernel = k, job.sources = sources, job.source_count = (size_t)count, job.next = start, job.stop = stop;
  const int status = run(&job, threads);
  if (status != FINE) {
    result = refusal(status, job.next);
  } else if (out == Py_None) {
    result = tuple_of(made, width);
  } else {
    Py_INCREF(out);
    result = out;
  }
done:
  if (out == Py_None)
    release(made);
  else if (made)
    PyBuffer_Release(&view);
  while (held) PyBuffer_Release(&views[--held]);
  release(views), release(sources);
  return result;
}

static PyObject *kernel_read(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *given;
  if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &given)) return NULL;
  const Py_ssize_t count = PyList_Size(given);
  Block block;
  Work work;
  memset(&block, 0, sizeof block), memset(&work, 0, sizeof work);
  allocfunc alloc = (allocfunc)PyType_GetSlot(texts_type, Py_tp_alloc);
  Texts *t = (Texts *)alloc(texts_type, 0);
  int status = t ? FINE : FAILED, counted = 1;
  size_t bytes = 0, at = 0, used = 0;
  if (t) {
    Py_INCREF(self);
    t->kernel = k;
    if (!(t->groups = resize(NULL, ((size_t)count + 1) * sizeof(size_t)))) status = failure(NO_MEMORY);
  }
  for (Py_ssize_t i = 0; status == FINE && i < count; i++) {
    PyObject *item = PyList_GetItem(given, i);
    if (!item) {
      status = FAILED;
      break;
    }
    Py_INCREF(item);
    uint32_t kept = 1;
    t->groups[i] = block.line_count, t->group_count = (size_t)i;
    status = PyUnicode_CheckExact(item) ? put_text(k, &block, item, 0, NULL) : put_references(k, &block, item, &kept, NULL);
    Py_DECREF(item);
  }
  if (status == FINE) {
    t->group_count = (size_t)count, t->groups[count] = block.line_count;
    settle(&block);
    if (!(t->sequences = resize(NULL, block.line_count * sizeof(Sequence)))) status = failure(NO_MEMORY);
  }
  if (status == FINE) {
    Py_BEGIN_ALLOW_THREADS
    for (size_t i = 0; counted == 1 && i < block.line_count; i++) {
      Sequence *s = &t->sequences[i];
      counted = read_text(&work, at, s, block.lines[i].text, block.lines[i].length, &k->plan);
      if (counted != 1) break;
      const size_t length = s->count ? work.ends[at + s->count - 1] : 0;
      if (s->text < block.bytes || s->text > block.bytes + block.used) { /* it was mended elsewhere */
        if (!reserve((void **)&t->bytes, &bytes, used + length + 1)) counted = NO_MEMORY;
        else memcpy(t->bytes + used, s->text, length);
        s->text = NULL;
        s->places = used, used += length;
      }
      at = (at + s->count + 15) & ~(size_t)7;
      if (work.pieces) free_pieces(&work);
    }
    Py_END_ALLOW_THREADS
    if (counted != 1) status = failure(counted);
  }
  if (status == FINE) {
    t->count = block.line_count;
    t->keys = work.keys, t->starts = work.starts, t->ends = work.ends;
    work.keys = NULL, work.starts = work.ends = NULL;
    t->text = block.bytes, block.bytes = NULL;
    for (size_t i = 0; i < t->count; i++) {
      Sequence *s = &t->sequences[i];
      if (!s->text) s->text = t->bytes + s->places;
      s->keys = t->keys + s->at, s->starts = t->starts + s->at, s->ends = t->ends + s->at;
    }
  }
  free_work(&work);
  free_block(&block);
  if (status == FINE) return (PyObject *)t;
  const Py_ssize_t where = t ? (Py_ssize_t)t->group_count : 0;
  Py_XDECREF((PyObject *)t);
  return refusal(status, where);
}

static void texts_dealloc(PyObject *self) {
  Texts *t = (Texts *)self;
  PyTypeObject *type = Py_TYPE(self);
  release(t->keys), release(t->starts), release(t->ends), release(t->bytes), release(t->text), release(t->sequences), release(t->groups);
  Py_XDECREF((PyObject *)t->kernel);
  freefunc give_back = (freefunc)PyType_GetSlot(type, Py_tp_free);
  give_back(self);
  Py_DECREF(type);
}

static Py_ssize_t texts_count(PyObject *self) { return (Py_ssize_t)((Texts *)self)->group_count; }

static PyObject *kernel_score_row(PyObject *self, PyObject *const *args, Py_ssize_t given) {
  Kernel *k = (Kernel *)self;
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  int64_t few[34], *row;
  if (given != 1 || !PyTuple_CheckExact(args[0]) || (size_t)PyTuple_Size(args[0]) != width) {
    PyErr_SetString(PyExc_TypeError, "a row, as a tuple");
    return NULL;
  }
  if (!(row = width <= 34 ? few : resize(NULL, width * sizeof(int64_t)))) return PyErr_NoMemory();
  double score = k->plan.scoring.orders ? 0 : NAN;
  for (size_t i = 0; i < width; i++) {
    PyObject *item = PyTuple_GetItem(args[0], (Py_ssize_t)i);
    int beyond = 1;
    row[i] = PyLong_CheckExact(item) ? PyLong_AsLongLongAndOverflow(item, &beyond) : 0;
    if (beyond || row[i] < 0) score = NAN;
  }
  if (score == 0) score = row_score(&k->plan.scoring, row);
  if (row != few) release(row);
  return PyErr_Occurred() ? NULL : PyFloat_FromDouble(score);
}

/* line_starts(buffer): the starts of its lines, and of what would be the next one, as 64-bit offsets. */
static PyObject *line_starts(PyObject *self, PyObject *args) {
  (void)self;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "y*", &view)) return NULL;
  Lines lines = {NULL, 0, 0};
  int fine;
  Py_BEGIN_ALLOW_THREADS
  fine = LEVELS[levels_here() - 1].lines(view.buf, (size_t)view.len, &lines);
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&view);
  PyObject *result = fine ? PyBytes_FromStringAndSize((const char *)lines.offsets, (Py_ssize_t)((lines.count + 1) * sizeof(int64_t))) : PyErr_NoMemory();
  release(lines.offsets);
  return result;
}

/* scan(buffer): the starts of its lines as 64-bit offsets, the place of the first byte that is no UTF-8 or -1, how many lines end in CR, and the seven
   counts of lines with hidden characters and of blank ones. */
static PyObject *scan(PyObject *self, PyObject *args) {
  (void)self;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "y*", &view)) return NULL;
  const uint8_t *p = view.buf;
  const size_t n = (size_t)view.len;
  const Level *level = &LEVELS[levels_here() - 1];
  Lines lines = {NULL, 0, 0};
  size_t fault = n;
  int64_t counts[7] = {0}, returns = 0;
  int fine;
  Py_BEGIN_ALLOW_THREADS
  fine = level->lines(p, n, &lines);
  if (fine) {
    fault = level->fault(p, n);
    const unsigned any = level->hidden(p, n);
    for (size_t i = 0; i < lines.count; i++) {
      const uint8_t *line = p + lines.offsets[i];
      const size_t length = (size_t)(lines.offsets[i + 1] - lines.offsets[i]) - 1;
      if (!length || *line <= ' ' || *line >= 0x80) counts[6] += blank(line, length);
      if (length) returns += line[length - 1] == '\r';
      if (any)
        for (unsigned bits = level->hidden(line, length); bits; bits &= bits - 1) counts[lowest_bit(bits)]++;
    }
  }
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&view);
  PyObject *result = NULL;
  if (fine)
    result = Py_BuildValue("(y#nL(LLLLLLL))", (const char *)lines.offsets, (Py_ssize_t)((lines.count + 1) * sizeof(int64_t)),
                           fault == n ? (Py_ssize_t)-1 : (Py_ssize_t)fault, returns, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5],
                           counts[6]);
  else
    PyErr_NoMemory();
  release(lines.offsets);
  return result;
}

static PyObject *kernel_level(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(((Kernel *)self)->plan.level->name);
}

#define FAST(f) ((PyCFunction)(void (*)(void))(f))

static PyMethodDef kernel_methods[] = {
    {"row", FAST(kernel_row), METH_FASTCALL, "row(candidate, references): the row of one segment, or None"},
    {"score", FAST(kernel_score), METH_FASTCALL, "score(candidate, references): the score of one segment, nan if Python has to compute it, or None"},
    {"scored", FAST(kernel_scored), METH_FASTCALL, "scored(candidate, references): row and score of one segment, or None"},
    {"score_row", FAST(kernel_score_row), METH_FASTCALL, "score_row(row): the score of a row, nan if Python has to compute it"},
    {"rows", kernel_rows, METH_VARARGS, "rows(candidates, references, start, stop, threads, out): the rows of segments"},
    {"scores", kernel_scores, METH_VARARGS, "scores(candidates, references, start, stop, threads, out): the scores of segments"},
    {"total", kernel_total, METH_VARARGS, "total(candidates, references, start, stop, threads): the sum of the rows, and what was noted"},
    {"lines", kernel_lines, METH_VARARGS, "lines(sources, start, stop, threads, out): the sum of the rows, or the rows, of lines in buffers"},
    {"read", kernel_read, METH_VARARGS, "read(texts): texts, or lists of references, cut once"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef kernel_getset[] = {{"level", kernel_level, NULL, "the family of processors", NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot kernel_slots[] = {{Py_tp_new, kernel_new},         {Py_tp_dealloc, kernel_dealloc},
                                     {Py_tp_methods, kernel_methods}, {Py_tp_getset, kernel_getset},
                                     {Py_tp_doc, "Counts segments by one set of settings."}, {0, NULL}};
static PyType_Spec kernel_spec = {"bleu_lit._kernel.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT, kernel_slots};

static PyType_Slot texts_slots[] = {
    {Py_tp_dealloc, texts_dealloc}, {Py_sq_length, texts_count}, {Py_tp_doc, "Texts that a kernel has cut."}, {0, NULL}};
static PyType_Spec texts_spec = {"bleu_lit._kernel.Texts", sizeof(Texts), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, texts_slots};

static PyObject *levels(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  const int here = levels_here();
  PyObject *tuple = PyTuple_New(here);
  for (int i = 0; tuple && i < here; i++) {
    PyObject *name = PyUnicode_FromString(LEVELS[i].name);
    if (!name) Py_CLEAR(tuple);
    else PyTuple_SetItem(tuple, i, name);
  }
  return tuple;
}

static PyObject *seed(PyObject *self, PyObject *args) {
  (void)self;
  unsigned long long s[4];
  if (!PyArg_ParseTuple(args, "KKKK", &s[0], &s[1], &s[2], &s[3])) return NULL;
  for (int i = 0; i < 4; i++) SEED[i] = s[i] | (i == 3);
  Py_RETURN_NONE;
}

#ifdef BLEU_LIT_TEST_MEMORY
static PyObject *fail_after(PyObject *self, PyObject *args) {
  (void)self;
  long long left;
  if (!PyArg_ParseTuple(args, "L", &left)) return NULL;
  __atomic_store_n(&requests_left, left, __ATOMIC_RELAXED);
  Py_RETURN_NONE;
}

static PyObject *held_now(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  return PyLong_FromLongLong(__atomic_load_n(&pieces_held, __ATOMIC_RELAXED));
}
#endif

static PyMethodDef module_methods[] = {
    {"levels", levels, METH_NOARGS, "levels(): the families of processors that this machine can run, the fastest last"},
    {"line_starts", line_starts, METH_VARARGS, "line_starts(buffer): the starts of lines as 64-bit offsets"},
    {"scan", scan, METH_VARARGS, "scan(buffer): offsets of lines, first fault, lines with CR, and counts for the notes"},
    {"seed", seed, METH_VARARGS, "seed(a, b, c, d): set the seeds of the hashes"},
#ifdef BLEU_LIT_TEST_MEMORY
    {"fail_after", fail_after, METH_VARARGS, "fail_after(n): let n requests for memory succeed, then none; -1 for no limit"},
    {"held", held_now, METH_NOARGS, "held(): pieces of memory that were not given back"},
#endif
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module) {
  PyObject *kernels = PyType_FromModuleAndSpec(module, &kernel_spec, NULL);
  if (!kernels || PyModule_AddObjectRef(module, "Kernel", kernels) < 0) {
    Py_XDECREF(kernels);
    return -1;
  }
  Py_DECREF(kernels);
  if (!texts_type && !(texts_type = (PyTypeObject *)PyType_FromSpec(&texts_spec))) return -1; /* kept as long as the process lives */
  return PyModule_AddObjectRef(module, "Texts", (PyObject *)texts_type);
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_kernel", "The compiled part of bleu_lit.", 0, module_methods, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
