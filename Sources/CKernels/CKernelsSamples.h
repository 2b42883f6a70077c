#ifndef GRAPHKIT_CKERNELS_SAMPLES_H
#define GRAPHKIT_CKERNELS_SAMPLES_H

#include <stdint.h>

// Floating-point samples in 16 bits: times 32767, clipped, and cut off towards zero; what is not a
// number is silence. Plain enough for vectors that every processor has: Swift's conversions to whole
// numbers stop the program where the number doesn't fit, and no vector can do that.

static inline __attribute__((always_inline)) int32_t graphkit_narrowed(float value) {
  float sample = value == value ? value * 32767.0f : 0.0f;
  sample = sample < 32767.0f ? sample : 32767.0f;
  sample = sample > -32768.0f ? sample : -32768.0f;
  return (int32_t)sample;
}

static inline void graphkit_narrow(const float *from, int16_t *to, long count) {
  for (long index = 0; index < count; index++) to[index] = (int16_t)graphkit_narrowed(from[index]);
}

// The lowest and the highest sum of a sample of one channel and one of the other.
static inline __attribute__((always_inline)) void graphkit_narrow_pair_extremes(
    const float *left, const float *right, long count, int32_t *lowest, int32_t *highest) {
  int32_t low = INT32_MAX, high = INT32_MIN;
  for (long index = 0; index < count; index++) {
    int32_t sum = graphkit_narrowed(left[index]) + graphkit_narrowed(right[index]);
    low = sum < low ? sum : low;
    high = sum > high ? sum : high;
  }
  *lowest = low;
  *highest = high;
}

#if defined(__x86_64__)
// The same loop in vectors of eight, with their own instructions for the lower and the higher.
__attribute__((target("avx2"))) static inline void graphkit_narrow_pair_extremes_wide(
    const float *left, const float *right, long count, int32_t *lowest, int32_t *highest) {
  graphkit_narrow_pair_extremes(left, right, count, lowest, highest);
}
#else
static inline void graphkit_narrow_pair_extremes_wide(
    const float *left, const float *right, long count, int32_t *lowest, int32_t *highest) {
  graphkit_narrow_pair_extremes(left, right, count, lowest, highest);
}
#endif

#endif
