/* Made by tools/kernel.py from the notebooks. Edit nbs/30_rounding.ipynb. */

#include <float.h>
#include <math.h>

/* The arithmetic below is right only where a double is a double, and a product and a sum are two roundings. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0 && !defined(__FAST_MATH__)
#define SCORES 1
#else
#define SCORES 0
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

typedef struct { double high, low; } Pair;

INLINE Pair normal(double a, double b) {
  const double s = a + b;
  return (Pair){s, b - (s - a)};
}

INLINE Pair two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return (Pair){s, (a - (s - t)) + (b - t)};
}

INLINE Pair two_product(double a, double b) {
  const double p = a * b, c = 134217729.0 * a, d = 134217729.0 * b;
  const double ah = c - (c - a), al = a - ah, bh = d - (d - b), bl = b - bh;
  return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

INLINE Pair times(Pair a, Pair b) {
  const Pair p = two_product(a.high, b.high);
  return normal(p.high, p.low + (a.high * b.low + a.low * b.high));
}

INLINE Pair plus(Pair a, Pair b) {
  const Pair s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
  const Pair u = normal(s.high, s.low + t.high);
  return normal(u.high, u.low + t.low);
}

INLINE Pair ratio(double a, double b) {
  const double q = a / b;
  const Pair p = two_product(q, b);
  return normal(q, ((a - p.high) - p.low) / b);
}

static int root(Pair x, unsigned k, Pair *out) {
  const double guess = k == 4 ? sqrt(sqrt(x.high)) : pow(x.high, 1.0 / k);
  Pair power = {1, 0};
  for (unsigned i = 0; i < k; i++) power = times(power, (Pair){guess, 0});
  const Pair rest = plus(x, (Pair){-power.high, -power.low});
  const double step = (rest.high + rest.low) * guess / (k * power.high);
  *out = normal(guess, step);
  return fabs(step) < guess * 0x1p-45;
}

static Pair exponential(Pair x) {
  static const double ln2[3] = {0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34};
  const double turns = nearbyint(x.high / ln2[0]);
  x = plus(plus(x, two_product(-turns, ln2[0])), two_product(-turns, ln2[1]));
  x = plus(x, (Pair){-turns * ln2[2], 0});
  x = (Pair){x.high / 256, x.low / 256};
  double factorial = 3628800;
  Pair tail = ratio(1, factorial);
  for (int k = 10; k > 1; k--) {
    factorial /= k;
    tail = plus(times(tail, x), ratio(1, factorial));
  }
  Pair less_one = times(tail, x);
  for (int i = 0; i < 8; i++) less_one = plus((Pair){2 * less_one.high, 2 * less_one.low}, times(less_one, less_one));
  const Pair result = plus((Pair){1, 0}, less_one);
  return (Pair){ldexp(result.high, (int)turns), ldexp(result.low, (int)turns)};
}

enum { SMOOTH_NONE, SMOOTH_FLOOR, SMOOTH_ADD, SMOOTH_EXP, SMOOTH_ADD_ALL };

typedef struct {
  unsigned orders;    /* N; 0 if scores are left to Python */
  int smooth;
  double above, below; /* the smoothing value as a fraction */
  int effective;
} Scoring;

static double row_score(const Scoring *s, const int64_t *row) {
  const int64_t c = row[0], r = row[1], *matched = row + 2, *total = row + 2 + s->orders;
  if (!matched[0]) return 0;
  Pair product = {1, 0};
  unsigned present = 0;
  double power = 1;
  int zero = 0;
  for (unsigned n = 0; n < s->orders; n++) {
    double m = (double)matched[n], t = (double)total[n];
    if (s->smooth == SMOOTH_ADD_ALL || (s->smooth == SMOOTH_ADD && n)) m = m * s->below + s->above, t = t * s->below + s->above;
    if (t == 0) {
      if (!s->effective) return 0;
      continue;
    }
    present++;
    if (m == 0 && s->smooth == SMOOTH_FLOOR) m = s->above, t *= s->below;
    if (m == 0 && s->smooth == SMOOTH_EXP) power *= 2, m = 1, t *= power;
    if (m == 0) zero = 1;
    if (m > 0x1p52 || t > 0x1p52 * power) return NAN;
    if (m != t) product = times(product, ratio(m, t));
  }
  if (zero) return 0;
  if (!SCORES || !(product.high > 1e-200)) return NAN;
  Pair value = product;
  if (present > 1 && !(product.high == 1 && product.low == 0) && !root(product, present, &value)) return NAN;
  if (c < r) {
    const Pair exponent = ratio((double)(c - r), (double)c);
    if (exponent.high < -400) return NAN;
    value = times(value, exponential(exponent));
  }
  if (!(value.high > 1e-250)) return NAN;
  const double doubt = value.high * 0x1p-85;
  return value.high + (value.low + doubt) == value.high && value.high + (value.low - doubt) == value.high ? value.high : NAN;
}
