/* Made by tools/kernel.py from the notebooks. Edit nbs/32_pairs_fast.ipynb. */

#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MARK 0x80000000u
#define MOST 16
#define EXACT 9007199254740992.0 /* 2^53: whole numbers up to here are exact as double */

static uint64_t seed_of_hash = 0x9e3779b97f4a7c15u;

typedef struct {
    uint64_t *keys; /* key + 1, so that 0 is an empty slot */
    uint32_t *values;
    size_t mask, used;
} Table;

static uint64_t mixed(uint64_t key) {
    key ^= seed_of_hash;
    key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93u;
    key = (key ^ (key >> 29)) * 0x9fb21c651e98df25u;
    return key ^ (key >> 32);
}

static int table_grow(Table *table) {
    size_t size = table->keys ? 2 * (table->mask + 1) : 1024;
    uint64_t *keys = calloc(size, sizeof *keys);
    uint32_t *values = malloc(size * sizeof *values);
    if (!keys || !values) {
        free(keys);
        free(values);
        return -1;
    }
    for (size_t i = 0; table->keys && i <= table->mask; i++)
        if (table->keys[i]) {
            size_t at = mixed(table->keys[i]) & (size - 1);
            while (keys[at])
                at = (at + 1) & (size - 1);
            keys[at] = table->keys[i];
            values[at] = table->values[i];
        }
    free(table->keys);
    free(table->values);
    table->keys = keys;
    table->values = values;
    table->mask = size - 1;
    return 0;
}

/* The number of a key; a new key gets the next one. UINT32_MAX if memory or numbers are at their end. */
static uint32_t number_of(Table *table, uint32_t left, uint32_t right) {
    uint64_t key = ((uint64_t)left << 32 | right) + 1;
    if ((!table->keys || 2 * table->used > table->mask) && table_grow(table) < 0)
        return UINT32_MAX;
    size_t at = mixed(key) & table->mask;
    while (table->keys[at] && table->keys[at] != key)
        at = (at + 1) & table->mask;
    if (!table->keys[at]) {
        if (table->used >= MARK - 2)
            return UINT32_MAX;
        table->keys[at] = key;
        table->values[at] = (uint32_t)table->used++;
    }
    return table->values[at];
}

typedef struct {
    PyObject_HEAD
    size_t count, orders, different; /* texts, N, numbers that were given */
    uint32_t *numbers;               /* of all texts, order by order */
    size_t *starts;                  /* where those of text i and order n begin: starts[i * N + n]; one more at the end */
    uint32_t *lengths;
    uint32_t *stamps; /* scratch: which candidate has an occurrence */
    size_t stamped;   /* the candidate that is marked, plus one */
} Texts;

static void texts_clear(Texts *self) {
    free(self->numbers);
    free(self->starts);
    free(self->lengths);
    free(self->stamps);
}

static void texts_free(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    texts_clear((Texts *)object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* Number one text; grams is scratch for its n-grams, times and last for how often each number came in this text. */
static int number_text(Texts *self, Table *table, const int32_t *tokens, size_t length, size_t text, size_t *at, uint32_t *grams, uint32_t **times, uint32_t **last, size_t *room) {
    for (size_t n = 0; n < self->orders; n++) {
        self->starts[text * self->orders + n] = *at;
        for (size_t i = 0; i + n < length; i++) {
            uint32_t gram = number_of(table, n ? grams[i] : MARK - 1, (uint32_t)tokens[i + n]);
            if (gram == UINT32_MAX)
                return -1;
            if (gram >= *room) {
                size_t wider = 2 * (size_t)gram + 1024;
                uint32_t *more = realloc(*times, wider * sizeof *more);
                if (more)
                    *times = more;
                uint32_t *newer = more ? realloc(*last, wider * sizeof *newer) : NULL;
                if (!newer)
                    return -1;
                *last = newer;
                memset(newer + *room, 0, (wider - *room) * sizeof *newer);
                *room = wider;
            }
            grams[i] = gram;
            if ((*last)[gram] != text + 1) {
                (*last)[gram] = (uint32_t)(text + 1);
                (*times)[gram] = 1;
            } else if ((gram = number_of(table, gram | MARK, ++(*times)[gram])) == UINT32_MAX)
                return -1;
            self->numbers[(*at)++] = gram;
        }
    }
    return 0;
}

static int number_texts(Texts *self, const int32_t *tokens) {
    size_t longest = 0, total = 0, at = 0, room = 0, text;
    for (text = 0; text < self->count; text++) {
        size_t length = self->lengths[text];
        longest = length > longest ? length : longest;
        for (size_t n = 0; n < self->orders && n < length; n++)
            total += length - n;
    }
    Table table = {0};
    uint32_t *grams = malloc((longest + 1) * sizeof *grams), *times = NULL, *last = NULL;
    self->numbers = malloc((total + 1) * sizeof *self->numbers);
    self->starts = malloc((self->count * self->orders + 1) * sizeof *self->starts);
    int failed = !grams || !self->numbers || !self->starts;
    for (text = 0; text < self->count && !failed; text++) {
        failed = number_text(self, &table, tokens, self->lengths[text], text, &at, grams, &times, &last, &room) < 0;
        tokens += self->lengths[text];
    }
    if (!failed) {
        self->starts[self->count * self->orders] = at;
        self->different = table.used;
        self->stamps = calloc(self->different + 1, sizeof *self->stamps);
        failed = !self->stamps;
    }
    free(table.keys);
    free(table.values);
    free(grams);
    free(times);
    free(last);
    return failed ? -1 : 0;
}

/* Whether numbers of `size` bytes can be read where a buffer lies; an empty one lies anywhere. */
static int aligned(const Py_buffer *buffer, size_t size) {
    return !buffer->len || (uintptr_t)buffer->buf % size == 0;
}

static PyObject *texts_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    Py_buffer tokens, lengths;
    int orders;
    (void)names;
    if (!PyArg_ParseTuple(arguments, "y*y*i", &tokens, &lengths, &orders))
        return NULL;
    Texts *self = NULL;
    size_t count = (size_t)lengths.len / 4, sum = 0;
    const int32_t *given = lengths.buf, *flat = tokens.buf;
    int sound = orders >= 1 && orders <= MOST && count < MARK - 2 && lengths.len % 4 == 0 && tokens.len % 4 == 0 && aligned(&tokens, 4) && aligned(&lengths, 4);
    for (size_t i = 0; sound && i < count; i++)
        sound = given[i] >= 0 && (sum += (size_t)given[i]) <= (size_t)tokens.len / 4;
    sound = sound && sum == (size_t)tokens.len / 4;
    for (size_t i = 0; sound && i < sum; i++)
        sound = flat[i] >= 0;
    if (!sound) {
        PyErr_SetString(PyExc_ValueError, "Texts: tokens and lengths of int32 that fit, and 1 to 16 orders");
    } else if ((self = (Texts *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0)) != NULL) {
        self->count = count;
        self->orders = (size_t)orders;
        self->lengths = malloc((count + 1) * sizeof *self->lengths);
        if (self->lengths && count)
            memcpy(self->lengths, given, count * sizeof *self->lengths);
        if (!self->lengths || number_texts(self, flat) < 0) {
            Py_DECREF(self);
            self = NULL;
            PyErr_NoMemory();
        }
    }
    PyBuffer_Release(&tokens);
    PyBuffer_Release(&lengths);
    return (PyObject *)self;
}

static void mark(Texts *self, size_t candidate) {
    if (self->stamped == candidate + 1)
        return;
    for (size_t i = self->starts[candidate * self->orders]; i < self->starts[(candidate + 1) * self->orders]; i++)
        self->stamps[self->numbers[i]] = (uint32_t)(candidate + 1);
    self->stamped = candidate + 1;
}

static void match(const Texts *self, size_t candidate, size_t other, uint32_t *matched) {
    const size_t *starts = self->starts + other * self->orders;
    uint32_t wanted = (uint32_t)(candidate + 1), found = 1;
    for (size_t n = 0; n < self->orders; n++) {
        if (found) {
            found = 0;
            for (size_t i = starts[n]; i < starts[n + 1]; i++)
                found += self->stamps[self->numbers[i]] == wanted;
        }
        matched[n] = found;
    }
}

/* The candidate and the range of others, checked. */
static int range_sound(const Texts *self, Py_ssize_t candidate, Py_ssize_t first, Py_ssize_t last, const Py_buffer *out, size_t size, size_t align) {
    if (candidate >= 0 && (size_t)candidate < self->count && first >= 0 && first <= last && (size_t)last <= self->count &&
        (size_t)out->len == (size_t)(last - first) * size && aligned(out, align))
        return 1;
    PyErr_SetString(PyExc_ValueError, "Texts: a candidate, a range of texts, and room for what is asked");
    return 0;
}

static PyObject *texts_matched(PyObject *object, PyObject *arguments) {
    Texts *self = (Texts *)object;
    Py_ssize_t candidate, first, last;
    Py_buffer out;
    if (!PyArg_ParseTuple(arguments, "nnnw*", &candidate, &first, &last, &out))
        return NULL;
    int sound = range_sound(self, candidate, first, last, &out, 4 * self->orders, 4);
    if (sound) {
        mark(self, (size_t)candidate);
        for (Py_ssize_t j = first; j < last; j++)
            match(self, (size_t)candidate, (size_t)j, (uint32_t *)out.buf + (size_t)(j - first) * self->orders);
    }
    PyBuffer_Release(&out);
    return sound ? Py_NewRef(Py_None) : NULL;
}

static double score_of(const Texts *self, double c, double r, const uint32_t *matched, int smooth, double above, double below, int effective) {
    size_t present = c < (double)self->orders ? (size_t)c : self->orders;
    if (!matched[0] || (present < self->orders && !effective))
        return 0.0;
    double top = 1.0, bottom = 1.0, shift = 1.0;
    for (size_t n = 0; n < present; n++) {
        double total = c - (double)n;
        if (matched[n]) {
            top *= matched[n];
        } else if (smooth == 1) {
            shift *= 2.0;
            bottom *= shift;
        } else {
            top *= above;
            bottom *= below;
        }
        bottom *= total;
        if (top > EXACT || bottom > EXACT)
            return NAN;
    }
    double mean = pow(top / bottom, 1.0 / (double)present);
    return c >= r ? mean : mean * exp((c - r) / c);
}

static PyObject *texts_scores(PyObject *object, PyObject *arguments) {
    Texts *self = (Texts *)object;
    Py_ssize_t candidate, first, last;
    Py_buffer out;
    int smooth, effective;
    double above, below;
    if (!PyArg_ParseTuple(arguments, "nnnw*iddp", &candidate, &first, &last, &out, &smooth, &above, &below, &effective))
        return NULL;
    int sound = range_sound(self, candidate, first, last, &out, sizeof(double), sizeof(double));
    if (sound) {
        double *scores = out.buf, c = self->lengths[candidate];
        uint32_t matched[MOST];
        mark(self, (size_t)candidate);
        for (Py_ssize_t j = first; j < last; j++) {
            match(self, (size_t)candidate, (size_t)j, matched);
            scores[j - first] = score_of(self, c, self->lengths[j], matched, smooth, above, below, effective);
        }
    }
    PyBuffer_Release(&out);
    return sound ? Py_NewRef(Py_None) : NULL;
}

static PyObject *texts_shared(PyObject *object, PyObject *arguments) {
    Texts *self = (Texts *)object;
    unsigned int needed;
    Py_buffer out;
    if (!PyArg_ParseTuple(arguments, "Iw*", &needed, &out))
        return NULL;
    size_t cells = self->count * self->orders;
    uint32_t *counts = calloc(self->different + 1, sizeof *counts), *matched = out.buf;
    int sound = (size_t)out.len == 4 * cells && aligned(&out, 4);
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "Texts: room for one number for each text and order");
    else if (!counts)
        PyErr_NoMemory();
    else {
        for (size_t i = 0; i < self->starts[cells]; i++)
            counts[self->numbers[i]]++;
        for (size_t cell = 0; cell < cells; cell++) {
            matched[cell] = 0;
            for (size_t i = self->starts[cell]; i < self->starts[cell + 1]; i++)
                matched[cell] += counts[self->numbers[i]] >= needed;
        }
    }
    int done = sound && counts;
    free(counts);
    PyBuffer_Release(&out);
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef texts_methods[] = {
    {"matched", texts_matched, METH_VARARGS, "matched(candidate, first, last, out): for each text the matches of the orders 1 to N"},
    {"scores", texts_scores, METH_VARARGS, "scores(candidate, first, last, out, smooth, above, below, effective): for each text a score, or NaN"},
    {"shared", texts_shared, METH_VARARGS, "shared(needed, out): for each text and order the occurrences that enough texts have"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot texts_slots[] = {
    {Py_tp_new, texts_new},
    {Py_tp_dealloc, texts_free},
    {Py_tp_methods, texts_methods},
    {Py_tp_doc, "Texts(tokens, lengths, orders): texts whose occurrences of n-grams are numbered"},
    {0, NULL},
};

static PyType_Spec texts_spec = {"bleu_lit._kernel_pairs.Texts", sizeof(Texts), 0, Py_TPFLAGS_DEFAULT, texts_slots};

static PyObject *set_seed(PyObject *module, PyObject *arguments) {
    unsigned long long seed;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "K", &seed))
        return NULL;
    seed_of_hash = seed;
    return Py_NewRef(Py_None);
}

static PyMethodDef module_methods[] = {
    {"seed", set_seed, METH_VARARGS, "seed(value): set the seed of the hashes, before any Texts is made"},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &texts_spec, NULL);
    int failed = type == NULL || PyModule_AddObjectRef(module, "Texts", type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "_kernel_pairs", "Occurrences of n-grams, numbered and matched.", 0, module_methods, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel_pairs(void) {
    return PyModuleDef_Init(&module_def);
}
