/* Made by tools/kernel.py from the notebooks. Edit nbs/31_engine_fast.ipynb. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__) && !defined(__wasi__)
#define THREADS 1
#include <pthread.h>
#endif

#include "_kernel_text.h"
#include "_kernel_tables.h"

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
} Level;

static const Level LEVELS[] = {
    {"portable", cut_portable, keys_portable, match_places_portable},
#ifdef X86
    {"avx2", cut_avx2, keys_avx2, match_places_avx2},
    {"avx512", cut_avx512, keys_avx512, match_places_avx512},
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
  size_t most_places; /* tokens of a reference up to which places are bits */
} Plan;

/* The tokens of a text, from place `at` of the work space. */
static int read_text(Work *w, size_t at, Sequence *s, const uint8_t *text, size_t n, const Plan *plan) {
  const Rule *rule = &plan->rule;
  if (n > 0xFFFFFF00u) return TOO_LONG;
  if (rule->trim_start) {
    const size_t skip = trim_start(text, n);
    text += skip, n -= skip;
  }
  if (rule->trim_end) n = trim_end(text, n);
  int64_t count = plan->level->cut(w, at, text, n, rule, rule->mend);
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
    free(w->pieces);
    w->pieces = next;
  }
}

static void free_work(Work *w) {
  free_pieces(w);
  void *all[] = {w->starts, w->ends,  w->keys,     w->sequences, w->places,  w->taken,  w->now,
                 w->slots,  w->ids,   w->holders,  w->scratch,   w->grams[0], w->grams[1]};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
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


typedef struct {
  uint8_t *bytes;
  size_t size, used;
  Line *lines; /* a candidate, its references, the next candidate … */
  size_t lines_size, line_count;
  uint32_t *counts; /* references of each segment */
  size_t counts_size, segments;
  size_t first; /* the number of the first segment */
} Block;

static void free_block(Block *b) {
  free(b->bytes), free(b->lines), free(b->counts);
  memset(b, 0, sizeof *b);
}

/* Count the segments of a block: rows go to `rows` if it is given, and are added to `sum` otherwise. */
static int count_block(Work *w, const Plan *plan, const Block *b, int64_t *rows, int64_t *sum) {
  const size_t width = 2 + 2 * (size_t)plan->orders;
  if (!reserve((void **)&w->scratch, &w->scratch_size, width * sizeof(int64_t))) return NO_MEMORY;
  const Line *line = b->lines;
  for (size_t i = 0; i < b->segments; i++) {
    int64_t *row = rows ? rows + (b->first + i) * width : (int64_t *)(void *)w->scratch;
    const int status = text_row(w, plan, line, b->counts[i], row);
    if (status != 1) return status;
    if (!rows)
      for (size_t k = 0; k < width; k++) sum[k] += row[k];
    line += 1 + b->counts[i];
  }
  return 1;
}

typedef struct {
  PyObject_HEAD
  Plan plan;
  PyObject *pages;   /* the bytes behind plan.rule.pages */
  PyObject *prepare; /* a function from text to text for texts beyond ASCII, or NULL */
  int drop_blank;
  size_t may_cache; /* bytes of UTF-8 that may be left in strings */
  Work work;
  Block block;
  int busy;
} Kernel;

enum { NOT_PLAIN = 0, FINE = 1, FAILED = -1, ALL_BLANK = -2 };

static PyObject *no_memory(void) { return PyErr_NoMemory(); }

static int blank(const uint8_t *p, size_t n) { return trim_start(p, n) == n; }

/* Append a text to a block, prepared. Returns FINE, NOT_PLAIN, FAILED with an exception, or ALL_BLANK if it is blank and those are dropped. */
static int put_text(Kernel *k, Block *b, PyObject *text, int reference) {
  if (!PyUnicode_CheckExact(text)) return NOT_PLAIN;
  Py_ssize_t size = 0, length = PyUnicode_GetLength(text);
  const char *utf8 = NULL;
  PyObject *made = NULL, *kept = NULL;
  if (length < 0) return FAILED;
  if (k->may_cache) {
    utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (utf8 && size > length) k->may_cache = (size_t)size < k->may_cache ? k->may_cache - (size_t)size : 0;
  } else if ((made = PyUnicode_AsUTF8String(text))) {
    utf8 = PyBytes_AsString(made), size = PyBytes_Size(made);
  }
  if (!utf8) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return FAILED;
    PyErr_Clear();
    if (!(made = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"))) return FAILED;
    utf8 = PyBytes_AsString(made), size = PyBytes_Size(made);
  }
  int status = FINE;
  if (reference && k->drop_blank && blank((const uint8_t *)utf8, (size_t)size)) {
    status = ALL_BLANK;
    goto done;
  }
  if (k->prepare && size > length) {
    kept = PyObject_CallFunctionObjArgs(k->prepare, text, NULL);
    if (!kept) {
      status = FAILED;
      goto done;
    }
    Py_XDECREF(made);
    made = PyUnicode_AsEncodedString(kept, "utf-8", "surrogatepass");
    if (!made) {
      status = FAILED;
      goto done;
    }
    utf8 = PyBytes_AsString(made), size = PyBytes_Size(made);
  }
  if (!reserve((void **)&b->bytes, &b->size, b->used + (size_t)size + SLACK) ||
      !reserve((void **)&b->lines, &b->lines_size, (b->line_count + 1) * sizeof(Line))) {
    no_memory();
    status = FAILED;
    goto done;
  }
  uint8_t *to = b->bytes + b->used;
  memcpy(to, utf8, (size_t)size);
  if (k->plan.lower)
    for (Py_ssize_t i = 0; i < size; i++) to[i] = (uint8_t)(to[i] + ((uint8_t)(to[i] - 'A') < 26) * 32);
  b->lines[b->line_count++] = (Line){(const uint8_t *)b->used, (size_t)size};
  b->used += (size_t)size;
done:
  Py_XDECREF(made);
  Py_XDECREF(kept);
  return status;
}

/* Append a segment to a block. */
static int put_segment(Kernel *k, Block *b, PyObject *candidate, PyObject *references) {
  int status;
  const int list = PyList_CheckExact(references);
  if (!list && !PyTuple_CheckExact(references)) return NOT_PLAIN;
  if (!reserve((void **)&b->counts, &b->counts_size, (b->segments + 1) * sizeof(uint32_t))) return no_memory(), FAILED;
  if ((status = put_text(k, b, candidate, 0)) != FINE) return status;
  const Py_ssize_t count = list ? PyList_Size(references) : PyTuple_Size(references);
  uint32_t kept = 0;
  for (Py_ssize_t r = 0; r < count; r++) {
    PyObject *reference = list ? PyList_GetItem(references, r) : PyTuple_GetItem(references, r);
    if (!reference) return FAILED;
    Py_INCREF(reference);
    status = put_text(k, b, reference, 1);
    Py_DECREF(reference);
    if (status == ALL_BLANK) continue;
    if (status != FINE) return status;
    kept++;
  }
  if (!kept) return count ? ALL_BLANK : NOT_PLAIN;
  b->counts[b->segments++] = kept;
  return FINE;
}

/* The places of lines become addresses. */
static void settle(Block *b) {
  for (size_t i = 0; i < b->line_count; i++) b->lines[i].text = b->bytes + (size_t)b->lines[i].text;
  if (b->bytes) memset(b->bytes + b->used, 0, SLACK);
}

static int fill_block(Kernel *k, Block *b, PyObject *candidates, PyObject *references, Py_ssize_t *next, Py_ssize_t stop) {
  b->used = b->line_count = b->segments = 0;
  b->first = (size_t)*next;
  while (*next < stop && b->used < 65536 && b->segments < 512) {
    PyObject *candidate = PyList_GetItem(candidates, *next), *group = candidate ? PyList_GetItem(references, *next) : NULL;
    if (!group) return FAILED;
    Py_INCREF(candidate);
    Py_INCREF(group);
    const int status = put_segment(k, b, candidate, group);
    Py_DECREF(candidate);
    Py_DECREF(group);
    if (status != FINE) return status;
    ++*next;
  }
  settle(b);
  return FINE;
}


#ifdef THREADS
enum { MOST_THREADS = 64 };

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t filled, freed;
  Block *blocks;
  int *queue, *idle;
  int queued, idling, all, over, status;
  const Plan *plan;
  int64_t *rows, *sum;
  size_t width;
} Crew;

/* Take one full block and count it; the lock is held before and after. */
static void crew_step(Crew *crew, Work *w, int64_t *sum) {
  const int mine = crew->queue[--crew->queued];
  pthread_mutex_unlock(&crew->lock);
  const int status = count_block(w, crew->plan, &crew->blocks[mine], crew->rows, sum);
  pthread_mutex_lock(&crew->lock);
  if (status != 1) crew->status = status;
  crew->idle[crew->idling++] = mine;
  pthread_cond_signal(&crew->freed);
}

static void *crew_member(void *given) {
  Crew *crew = given;
  Work work;
  memset(&work, 0, sizeof work);
  int64_t *sum = crew->rows ? NULL : resize(NULL, crew->width * sizeof(int64_t));
  pthread_mutex_lock(&crew->lock);
  if (!crew->rows && !sum) {
    crew->status = NO_MEMORY;
  } else {
    if (sum) memset(sum, 0, crew->width * sizeof(int64_t));
    for (;;) {
      while (!crew->queued && !crew->over) pthread_cond_wait(&crew->filled, &crew->lock);
      if (!crew->queued) break;
      crew_step(crew, &work, sum);
    }
    if (sum)
      for (size_t i = 0; i < crew->width; i++) crew->sum[i] += sum[i];
  }
  pthread_mutex_unlock(&crew->lock);
  free(sum);
  free_work(&work);
  return NULL;
}
#endif

/* Count lists with Python's lock held by the caller. Returns FINE, NOT_PLAIN, FAILED or ALL_BLANK; *next is where it stopped. */
static int count_lists(Kernel *k, PyObject *candidates, PyObject *references, Py_ssize_t *next, Py_ssize_t stop, int threads, int64_t *rows, int64_t *sum) {
  int status = FINE, counted = 1;
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  const Py_ssize_t begun = *next;
  if (rows) rows -= (size_t)begun * width;
#ifdef THREADS
  if (threads > 1) {
    Crew crew;
    pthread_t members[MOST_THREADS];
    int there = 0;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    memset(&crew, 0, sizeof crew);
    crew.all = 2 * threads;
    crew.blocks = resize(NULL, (size_t)crew.all * sizeof(Block));
    crew.queue = resize(NULL, 2 * (size_t)crew.all * sizeof(int));
    Work work;
    memset(&work, 0, sizeof work);
    if (!crew.blocks || !crew.queue) {
      free(crew.blocks), free(crew.queue);
      return no_memory(), FAILED;
    }
    memset(crew.blocks, 0, (size_t)crew.all * sizeof(Block));
    crew.idle = crew.queue + crew.all;
    for (int i = 0; i < crew.all; i++) crew.idle[crew.idling++] = i;
    crew.plan = &k->plan, crew.rows = rows, crew.sum = sum, crew.width = width, crew.status = 1;
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.filled, NULL);
    pthread_cond_init(&crew.freed, NULL);
    while (there < threads - 1 && !pthread_create(&members[there], NULL, crew_member, &crew)) there++;
    int64_t *own = rows ? NULL : resize(NULL, width * sizeof(int64_t));
    if (!rows && !own) no_memory(), status = FAILED;
    if (own) memset(own, 0, width * sizeof(int64_t));
    pthread_mutex_lock(&crew.lock);
    while (status == FINE && *next < stop && crew.status == 1) {
      if (crew.idling) {
        const int mine = crew.idle[--crew.idling];
        pthread_mutex_unlock(&crew.lock);
        status = fill_block(k, &crew.blocks[mine], candidates, references, next, stop);
        if (status == FINE && PyErr_CheckSignals()) status = FAILED;
        pthread_mutex_lock(&crew.lock);
        crew.queue[crew.queued++] = mine;
        if (status != FINE) crew.queued--, crew.idle[crew.idling++] = mine;
        pthread_cond_signal(&crew.filled);
      } else {
        pthread_mutex_unlock(&crew.lock);
        Py_BEGIN_ALLOW_THREADS
        pthread_mutex_lock(&crew.lock);
        if (crew.queued)
          crew_step(&crew, &work, own);
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
    while (crew.queued) crew_step(&crew, &work, own);
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < there; i++) pthread_join(members[i], NULL);
    Py_END_ALLOW_THREADS
    if (own)
      for (size_t i = 0; i < width; i++) sum[i] += own[i];
    counted = crew.status;
    free(own);
    free_work(&work);
    for (int i = 0; i < crew.all; i++) free_block(&crew.blocks[i]);
    free(crew.blocks), free(crew.queue);
    pthread_mutex_destroy(&crew.lock);
    pthread_cond_destroy(&crew.filled);
    pthread_cond_destroy(&crew.freed);
    goto done;
  }
#endif
  (void)threads;
  Work spare, *w = &k->work;
  Block spare_block, *b = &k->block;
  const int busy = k->busy;
  if (busy) {
    memset(&spare, 0, sizeof spare), memset(&spare_block, 0, sizeof spare_block);
    w = &spare, b = &spare_block;
  }
  k->busy = 1;
  while (*next < stop) {
    if ((status = fill_block(k, b, candidates, references, next, stop)) != FINE) break;
    if (b->segments > 16 || b->used > 8192) {
      Py_BEGIN_ALLOW_THREADS
      counted = count_block(w, &k->plan, b, rows, sum);
      Py_END_ALLOW_THREADS
    } else {
      counted = count_block(w, &k->plan, b, rows, sum);
    }
    if (counted != 1) break;
    if (PyErr_CheckSignals()) {
      status = FAILED;
      break;
    }
  }
  if (busy)
    free_work(w), free_block(b);
  else
    k->busy = 0;
#ifdef THREADS
done:
#endif
  if (status == FINE && counted != 1) {
    if (counted == NO_MEMORY)
      no_memory();
    else
      PyErr_SetString(PyExc_OverflowError, "a text of more than 4 GB");
    status = FAILED;
  }
  return status;
}

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
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"index", "pages", "flags", "orders", "method", "lower", "drop_blank", "prepare", "level", "most_places", NULL};
  PyObject *index, *pages, *prepare;
  unsigned flags, orders;
  int method, lower, drop_blank, level = -1, most = 64;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "SSIIippO|ii", names, &index, &pages, &flags, &orders, &method, &lower, &drop_blank, &prepare, &level, &most))
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
  k->plan.orders = orders, k->plan.method = method, k->plan.lower = lower, k->plan.most_places = (size_t)most;
  k->drop_blank = drop_blank;
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
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

/* What a count that could not be gives back: None where plain Python has to look, the number of the segment that has blank references alone. */
static PyObject *refusal(int status, Py_ssize_t next) {
  if (status == FAILED) return NULL;
  if (status == ALL_BLANK) return PyLong_FromSsize_t(next);
  Py_RETURN_NONE;
}

static PyObject *kernel_row(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *candidate, *references;
  if (!PyArg_ParseTuple(args, "OO", &candidate, &references)) return NULL;
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  int64_t few[34], *row = width <= 34 ? few : resize(NULL, width * sizeof(int64_t));
  if (!row) return no_memory();
  Work spare, *w = &k->work;
  Block spare_block, *b = &k->block;
  const int busy = k->busy;
  if (busy) {
    memset(&spare, 0, sizeof spare), memset(&spare_block, 0, sizeof spare_block);
    w = &spare, b = &spare_block;
  }
  k->busy = 1;
  b->used = b->line_count = b->segments = b->first = 0;
  int status = put_segment(k, b, candidate, references);
  PyObject *result = NULL;
  if (status == FINE) {
    settle(b);
    const int counted = count_block(w, &k->plan, b, row, NULL);
    if (counted == 1)
      result = tuple_of(row, width);
    else if (counted == NO_MEMORY)
      no_memory();
    else
      PyErr_SetString(PyExc_OverflowError, "a text of more than 4 GB");
  } else {
    result = refusal(status, 0);
  }
  if (busy)
    free_work(w), free_block(b);
  else
    k->busy = 0;
  if (row != few) free(row);
  return result;
}

static int range_of(PyObject *candidates, PyObject *references, Py_ssize_t start, Py_ssize_t stop) {
  if (PyList_CheckExact(candidates) && PyList_CheckExact(references) && 0 <= start && start <= stop && stop <= PyList_Size(candidates) &&
      stop <= PyList_Size(references))
    return 1;
  PyErr_SetString(PyExc_ValueError, "two lists, and a range within both");
  return 0;
}

static PyObject *kernel_total(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *candidates, *references;
  Py_ssize_t start, stop;
  int threads;
  if (!PyArg_ParseTuple(args, "OOnni", &candidates, &references, &start, &stop, &threads)) return NULL;
  if (!range_of(candidates, references, start, stop)) return NULL;
  const size_t width = 2 + 2 * (size_t)k->plan.orders;
  int64_t *sum = resize(NULL, width * sizeof(int64_t));
  if (!sum) return no_memory();
  memset(sum, 0, width * sizeof(int64_t));
  const int status = count_lists(k, candidates, references, &start, stop, threads, NULL, sum);
  PyObject *result = status == FINE ? tuple_of(sum, width) : refusal(status, start);
  free(sum);
  return result;
}

static PyObject *kernel_rows(PyObject *self, PyObject *args) {
  Kernel *k = (Kernel *)self;
  PyObject *candidates, *references, *out;
  Py_ssize_t start, stop;
  int threads;
  if (!PyArg_ParseTuple(args, "OOnniO", &candidates, &references, &start, &stop, &threads, &out)) return NULL;
  if (!range_of(candidates, references, start, stop)) return NULL;
  const size_t width = 2 + 2 * (size_t)k->plan.orders, need = (size_t)(stop - start) * width;
  Py_buffer view = {0};
  int64_t *rows = NULL;
  if (out != Py_None) {
    if (PyObject_GetBuffer(out, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)) return NULL;
    if ((size_t)view.len < need * sizeof(int64_t) || (uintptr_t)view.buf % sizeof(int64_t)) {
      PyErr_SetString(PyExc_ValueError, "the buffer for the rows is too small");
      PyBuffer_Release(&view);
      return NULL;
    }
    rows = view.buf;
  } else if (!(rows = resize(NULL, need * sizeof(int64_t)))) {
    return no_memory();
  }
  const Py_ssize_t begun = start;
  const int status = count_lists(k, candidates, references, &start, stop, threads, rows, NULL);
  PyObject *result = NULL;
  if (status != FINE) {
    result = refusal(status, start);
  } else if (out != Py_None) {
    Py_INCREF(out);
    result = out;
  } else if ((result = PyList_New(stop - begun))) {
    for (Py_ssize_t i = 0; i < stop - begun; i++) {
      PyObject *row = tuple_of(rows + (size_t)i * width, width);
      if (!row) {
        Py_CLEAR(result);
        break;
      }
      PyList_SetItem(result, i, row);
    }
  }
  if (out != Py_None)
    PyBuffer_Release(&view);
  else
    free(rows);
  return result;
}

static PyObject *kernel_level(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(((Kernel *)self)->plan.level->name);
}

static PyMethodDef kernel_methods[] = {
    {"row", kernel_row, METH_VARARGS, "row(candidate, references): the row of one segment, or None"},
    {"rows", kernel_rows, METH_VARARGS, "rows(candidates, references, start, stop, threads, out): the rows of segments"},
    {"total", kernel_total, METH_VARARGS, "total(candidates, references, start, stop, threads): the sum of the rows"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef kernel_getset[] = {{"level", kernel_level, NULL, "the family of processors", NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot kernel_slots[] = {
    {Py_tp_new, kernel_new}, {Py_tp_dealloc, kernel_dealloc}, {Py_tp_methods, kernel_methods}, {Py_tp_getset, kernel_getset},
    {Py_tp_doc, "Counts segments by one set of settings."}, {0, NULL}};
static PyType_Spec kernel_spec = {"bleu_lit._kernel.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT, kernel_slots};

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
#endif

static PyMethodDef module_methods[] = {
    {"levels", levels, METH_NOARGS, "levels(): the families of processors that this machine can run, the fastest last"},
    {"seed", seed, METH_VARARGS, "seed(a, b, c, d): set the seeds of the hashes"},
#ifdef BLEU_LIT_TEST_MEMORY
    {"fail_after", fail_after, METH_VARARGS, "fail_after(n): let n requests for memory succeed, then none; -1 for no limit"},
#endif
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module) {
  PyObject *type = PyType_FromModuleAndSpec(module, &kernel_spec, NULL);
  if (!type) return -1;
  if (PyModule_AddObjectRef(module, "Kernel", type) < 0) {
    Py_DECREF(type);
    return -1;
  }
  Py_DECREF(type);
  return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_kernel", "The compiled part of bleu_lit.", 0, module_methods, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
