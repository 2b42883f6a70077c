#ifndef GRAPHKIT_CKERNELS_SAMPLES_H
#define GRAPHKIT_CKERNELS_SAMPLES_H

#include <stdint.h>

// Floating-point samples in 16 bits: times 32767, clipped, and cut off towards zero; what is not a
// number is silence. Plain enough for vectors that every processor has: Swift's conversions to whole
// numbers stop the program where the number doesn't fit, and no vector can do that.
static inline void graphkit_narrow(const float *from, int16_t *to, long count) {
  for (long index = 0; index < count; index++) {
    float sample = from[index] == from[index] ? from[index] * 32767.0f : 0.0f;
    sample = sample < 32767.0f ? sample : 32767.0f;
    sample = sample > -32768.0f ? sample : -32768.0f;
    to[index] = (int16_t)(int32_t)sample;
  }
}

#endif
