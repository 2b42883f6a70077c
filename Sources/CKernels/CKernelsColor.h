#ifndef GRAPHKIT_CKERNELS_COLOR_H
#define GRAPHKIT_CKERNELS_COLOR_H

#include <stdint.h>

// One colour matrix on pixels as they lie in a frame. What the numbers mean, and the same
// arithmetic in plain Swift, is in Sources/Kernels/ColorMatrix.swift.

typedef struct {
  // Of red, green and blue: the factors of a pixel's three values, and what is added.
  int16_t decode[3][4];
  // Of the pixel's three values: the factors of red, green and blue, and what is added.
  int16_t encode[3][4];
} graphkit_color_matrix;

// Two rows of luma with those of chroma that they share. `top` and `bottom` may be the same.
typedef struct {
  uint8_t *top, *bottom, *u, *v;
} graphkit_color_rows;

// Where the curves of red, green and blue begin, in 1/32, and how many values each of them has. After
// the last of them there is one value more, since two are loaded at once.
#define GRAPHKIT_CURVE_START (-272 * 32)
#define GRAPHKIT_CURVE_LENGTH (832 * 32)

#if defined(__x86_64__)
#include <immintrin.h>

// The same code for each width of vectors that processors have. BITS and HALF_BITS are what acts on
// all bits of a vector or of half of one, OP what acts on its values.
#define GRAPHKIT_UNROLLED _Pragma("clang loop unroll(full)")
#define GRAPHKIT_FUNCTION __attribute__((target(GRAPHKIT_TARGET))) static inline

#define GRAPHKIT_TARGET "avx2"
#define LANES 16
#define VECTOR __m256i
#define HALF __m128i
#define WIDE(name) graphkit_##name##_avx2
#define OP(name) _mm256_##name
#define BITS(name) _mm256_##name##_si256
#define HALF_BITS(name) _mm_##name##_si128
#define BROADCAST _mm256_broadcastsi128_si256
#define LOW_HALF _mm256_castsi256_si128
#define HIGH_HALF(vector) _mm256_extracti128_si256(vector, 1)
#define GATHER(curve, places) _mm256_i32gather_epi32((const int *)(curve), places, 2)
#define IN_ORDER(vector) _mm256_permute4x64_epi64(vector, 0xd8)
#include "CKernelsColorBlocks.h"
#include "CKernelsColorRows.h"
#include "CKernelsColorEnd.h"

#define GRAPHKIT_TARGET "avx512bw"
#define LANES 32
#define VECTOR __m512i
#define HALF __m256i
#define WIDE(name) graphkit_##name##_avx512
#define OP(name) _mm512_##name
#define BITS(name) _mm512_##name##_si512
#define HALF_BITS(name) _mm256_##name##_si256
#define BROADCAST _mm512_broadcast_i32x4
#define LOW_HALF _mm512_castsi512_si256
#define HIGH_HALF(vector) _mm512_extracti64x4_epi64(vector, 1)
#define GATHER(curve, places) _mm512_i32gather_epi32(places, curve, 2)
#define IN_ORDER(vector) \
  _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), vector)
#include "CKernelsColorBlocks.h"
#include "CKernelsColorRows.h"
#include "CKernelsColorEnd.h"

#undef GRAPHKIT_UNROLLED
#undef GRAPHKIT_FUNCTION

#define GRAPHKIT_BY_WIDTH(name, ...) \
  if (bits == 512) graphkit_##name##_avx512(__VA_ARGS__); \
  else graphkit_##name##_avx2(__VA_ARGS__)
#else
#define GRAPHKIT_BY_WIDTH(name, ...)
#endif

// Two rows of pixels with a row each of U and V, to others or in place, in vectors of so many bits:
// 512, or 256, which the processor must have. `curves` may be null.
static inline void graphkit_color_planar(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix, const int16_t *curves, int bits) {
  GRAPHKIT_BY_WIDTH(color_planar, from, to, width, matrix, curves);
}

// The same with U and V interleaved in one row, of which `u` is the start.
static inline void graphkit_color_paired(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix, const int16_t *curves, int bits) {
  GRAPHKIT_BY_WIDTH(color_paired, from, to, width, matrix, curves);
}

// A row of pixels of four bytes, to another or in place.
static inline void graphkit_color_packed(
    const uint8_t *from, uint8_t *to, long width, const graphkit_color_matrix *matrix,
    const int16_t *curves, int bits) {
  GRAPHKIT_BY_WIDTH(color_packed, from, to, width, matrix, curves);
}

#undef GRAPHKIT_BY_WIDTH

#endif
