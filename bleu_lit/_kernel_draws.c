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

static PyMethodDef module_methods[] = {
    {"count_draws", count_draws, METH_VARARGS, "count_draws(stream, segments, out): how often each segment is drawn, in as many samples as there is room for"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {{0, NULL}};

static PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "_kernel_draws", "Draws of a bootstrap, counted.", 0, module_methods, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel_draws(void) {
    return PyModuleDef_Init(&module_def);
}
