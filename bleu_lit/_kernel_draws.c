/* Made by tools/kernel.py from the notebooks. Edit nbs/34_draws_fast.ipynb. */

#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* A state that goes on, as Python keeps it: 128 bits of state and of increment, the lower 64 first; whether half a number is left, and this half. */
typedef struct {
    uint64_t low, high, increment_low, increment_high, left, half;
} Stream;

static uint64_t upper_half(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    return (uint64_t)((unsigned __int128)a * b >> 64);
#else
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = (al * bl >> 32) + (uint32_t)(al * bh) + (uint32_t)(ah * bl);
    return ah * bh + (al * bh >> 32) + (ah * bl >> 32) + (middle >> 32);
#endif
}

/* The next 32 bits: the lower half of each number of 64 bits comes first. */
static uint32_t next_word(Stream *s) {
    if (s->left) {
        s->left = 0;
        return (uint32_t)s->half;
    }
    const uint64_t factor_low = 0x4385DF649FCCF645u, factor_high = 0x2360ED051FC65DA4u, low = s->low * factor_low;
    s->high = s->high * factor_low + s->low * factor_high + upper_half(s->low, factor_low) + s->increment_high;
    s->low = low + s->increment_low;
    s->high += s->low < low;
    const uint64_t folded = s->high ^ s->low;
    const unsigned places = (unsigned)(s->high >> 58);
    const uint64_t number = folded >> places | folded << (-places & 63);
    s->left = 1, s->half = number >> 32;
    return (uint32_t)number;
}

static void count_sample(Stream *s, uint32_t segments, float *counts) {
    const uint32_t refused = (0u - segments) % segments;
    memset(counts, 0, segments * sizeof *counts);
    for (uint32_t i = 0; i < segments; i++) {
        uint64_t product;
        do product = (uint64_t)(segments == 1 ? 0 : next_word(s)) * segments;
        while ((uint32_t)product < refused);
        counts[product >> 32] += 1;
    }
}

static PyObject *count_draws(PyObject *module, PyObject *arguments) {
    Py_buffer stream, out;
    Py_ssize_t segments;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "w*nw*", &stream, &segments, &out))
        return NULL;
    const int sound = stream.len == sizeof(Stream) && segments > 0 && segments < 1 << 24 && out.len % (4 * segments) == 0 && (!out.len || (uintptr_t)out.buf % 4 == 0);
    if (sound) {
        Stream s;
        memcpy(&s, stream.buf, sizeof s);
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t done = 0; done < out.len / 4; done += segments)
            count_sample(&s, (uint32_t)segments, (float *)out.buf + done);
        Py_END_ALLOW_THREADS
        memcpy(stream.buf, &s, sizeof s);
    } else {
        PyErr_SetString(PyExc_ValueError, "count_draws: a stream of 48 bytes, fewer than 2^24 segments, and whole samples of counts");
    }
    PyBuffer_Release(&stream);
    PyBuffer_Release(&out);
    return sound ? Py_NewRef(Py_None) : NULL;
}

#define LARGEST ((long long)1 << 40)

/* Adds up rows and puts their numbers into `floats`, if there is such a place; 0 if something is no tuple of `width` whole numbers of ordinary size. */
static int add_rows(PyObject *rows, Py_ssize_t width, long long *sums, double *floats) {
    const Py_ssize_t count = PyList_Size(rows);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PyList_GetItem(rows, i);
        if (!PyTuple_CheckExact(row) || PyTuple_Size(row) != width)
            return 0;
        for (Py_ssize_t k = 0; k < width; k++) {
            PyObject *item = PyTuple_GetItem(row, k);
            int beyond = 1;
            const long long value = PyLong_CheckExact(item) ? PyLong_AsLongLongAndOverflow(item, &beyond) : 0;
            if (beyond || value > LARGEST || value < -LARGEST)
                return 0;
            sums[k] += value;
            if (floats)
                floats[i * width + k] = (double)value;
        }
    }
    return 1;
}

static PyObject *whole_sums(PyObject *module, PyObject *arguments) {
    PyObject *rows, *found = NULL;
    Py_buffer out = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!|w*", &PyList_Type, &rows, &out))
        return NULL;
    const Py_ssize_t count = PyList_Size(rows);
    PyObject *first = count ? PyList_GetItem(rows, 0) : NULL;
    const Py_ssize_t width = first && PyTuple_CheckExact(first) ? PyTuple_Size(first) : 0;
    if (out.obj && (out.len != 8 * count * width || (out.len && (uintptr_t)out.buf % 8))) {
        PyErr_SetString(PyExc_ValueError, "whole_sums: room for a float of 64 bits for each number");
    } else if (!width || width > 1 << 16 || count >= 1 << 22) {
        found = Py_NewRef(Py_None);
    } else {
        long long *sums = PyMem_Calloc((size_t)width, sizeof *sums);
        if (!sums) {
            PyErr_NoMemory();
        } else if (!add_rows(rows, width, sums, out.obj ? out.buf : NULL)) {
            found = Py_NewRef(Py_None);
        } else if ((found = PyTuple_New(width))) {
            for (Py_ssize_t k = 0; k < width; k++) {
                PyObject *sum = PyLong_FromLongLong(sums[k]);
                if (!sum) {
                    Py_DECREF(found);
                    found = NULL;
                    break;
                }
                PyTuple_SetItem(found, k, sum);
            }
        }
        PyMem_Free(sums);
    }
    if (out.obj)
        PyBuffer_Release(&out);
    return found;
}

static PyMethodDef module_methods[] = {
    {"count_draws", count_draws, METH_VARARGS, "count_draws(stream, segments, out): how often each segment is drawn, in as many samples as there is room for"},
    {"whole_sums", whole_sums, METH_VARARGS, "whole_sums(rows[, out]): the sums of the columns, None unless rows are tuples of whole numbers; and the numbers as floats"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {{0, NULL}};

static PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "_kernel_draws", "Draws of a bootstrap, counted.", 0, module_methods, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel_draws(void) {
    return PyModuleDef_Init(&module_def);
}
