#ifndef GRAPHKIT_CKERNELS_COLOR_H
#define GRAPHKIT_CKERNELS_COLOR_H

#include <stdint.h>

// One colour matrix on pixels as they lie in a frame. What the numbers mean, and the same
// arithmetic in plain Swift, stands in Sources/GStreamer/ColorMatrix.swift.

typedef struct {
  // Of red, green and blue: the factors of a pixel's three values, and what is added.
  int16_t decode[3][4];
  // Of the pixel's three values: the factors of red, green and blue, and what is added.
  int16_t encode[3][4];
} graphkit_color_matrix;

#if defined(__x86_64__)
#include <immintrin.h>

#define GRAPHKIT_AVX2 __attribute__((target("avx2"))) static inline

// factor * value, the value in 1/128, the result in 1/16.
#define GRAPHKIT_SCALED(value, factor) _mm256_mulhrs_epi16(value, _mm256_set1_epi16(factor))

GRAPHKIT_AVX2 __m256i graphkit_limited(__m256i value) {
  return _mm256_max_epi16(
      _mm256_min_epi16(value, _mm256_set1_epi16(255 << 4)), _mm256_setzero_si256());
}

// One of the pixel's values from red, green and blue in 1/128.
GRAPHKIT_AVX2 __m256i graphkit_encoded(const __m256i color[3], const int16_t factors[4]) {
  __m256i sum = _mm256_set1_epi16(factors[3]);
  for (int i = 0; i < 3; i++)
    sum = _mm256_add_epi16(sum, GRAPHKIT_SCALED(color[i], factors[i]));
  return _mm256_srai_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(8)), 4);
}

// Packs 32 values of 16 bits, in order, into bytes.
GRAPHKIT_AVX2 __m256i graphkit_bytes(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xd8);
}

// 16 values of luma with what chroma adds: writes luma anew, and adds up red, green and blue.
GRAPHKIT_AVX2 __m256i graphkit_luma(
    __m128i bytes, const __m256i chroma[3], const graphkit_color_matrix *matrix,
    __m256i sums[3]) {
  __m256i luma = _mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 7), color[3];
  for (int i = 0; i < 3; i++) {
    __m256i value = graphkit_limited(
        _mm256_adds_epi16(chroma[i], GRAPHKIT_SCALED(luma, matrix->decode[i][0])));
    sums[i] = _mm256_add_epi16(sums[i], value);
    color[i] = _mm256_slli_epi16(value, 3);
  }
  return graphkit_encoded(color, matrix->encode[0]);
}

// Two rows of 32 pixels over 16 values of U and V, which are 16 bits wide here.
GRAPHKIT_AVX2 void graphkit_color_block(
    uint8_t *top, uint8_t *bottom, __m256i *u, __m256i *v, const graphkit_color_matrix *matrix) {
  __m256i chroma[2][3], sums[2][3];
  __m256i u7 = _mm256_slli_epi16(*u, 7), v7 = _mm256_slli_epi16(*v, 7);
  for (int i = 0; i < 3; i++) {
    __m256i value = _mm256_add_epi16(
        _mm256_set1_epi16(matrix->decode[i][3]), GRAPHKIT_SCALED(u7, matrix->decode[i][1]));
    value = _mm256_add_epi16(value, GRAPHKIT_SCALED(v7, matrix->decode[i][2]));
    value = _mm256_permute4x64_epi64(value, 0xd8);
    chroma[0][i] = _mm256_unpacklo_epi16(value, value);
    chroma[1][i] = _mm256_unpackhi_epi16(value, value);
    sums[0][i] = sums[1][i] = _mm256_setzero_si256();
  }
  // Both are read before either is written: the last of an odd number of rows is both.
  __m256i rows[2] = {
      _mm256_loadu_si256((const __m256i *)top), _mm256_loadu_si256((const __m256i *)bottom)};
  for (int row = 0; row < 2; row++) {
    __m256i first =
        graphkit_luma(_mm256_castsi256_si128(rows[row]), chroma[0], matrix, sums[0]);
    __m256i second =
        graphkit_luma(_mm256_extracti128_si256(rows[row], 1), chroma[1], matrix, sums[1]);
    _mm256_storeu_si256((__m256i *)(row == 0 ? top : bottom), graphkit_bytes(first, second));
  }
  __m256i color[3];
  for (int i = 0; i < 3; i++) {
    __m256i sum = _mm256_permute4x64_epi64(_mm256_hadd_epi16(sums[0][i], sums[1][i]), 0xd8);
    color[i] = _mm256_slli_epi16(sum, 1);
  }
  *u = graphkit_encoded(color, matrix->encode[1]);
  *v = graphkit_encoded(color, matrix->encode[2]);
}

// Two rows of 32 * `blocks` pixels with a row each of U and V. `top` and `bottom` may be the same.
GRAPHKIT_AVX2 void graphkit_color_planar(
    uint8_t *top, uint8_t *bottom, uint8_t *u, uint8_t *v, long blocks,
    const graphkit_color_matrix *matrix) {
  for (long block = 0; block < blocks; block++) {
    __m256i u16 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(u + 16 * block)));
    __m256i v16 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(v + 16 * block)));
    graphkit_color_block(top + 32 * block, bottom + 32 * block, &u16, &v16, matrix);
    __m256i both = graphkit_bytes(u16, v16);
    _mm_storeu_si128((__m128i *)(u + 16 * block), _mm256_castsi256_si128(both));
    _mm_storeu_si128((__m128i *)(v + 16 * block), _mm256_extracti128_si256(both, 1));
  }
}

// The same with U and V in turn in one row.
GRAPHKIT_AVX2 void graphkit_color_paired(
    uint8_t *top, uint8_t *bottom, uint8_t *uv, long blocks,
    const graphkit_color_matrix *matrix) {
  const __m256i low = _mm256_set1_epi16(0xff), zero = _mm256_setzero_si256();
  const __m256i high = _mm256_set1_epi16(0xff);
  for (long block = 0; block < blocks; block++) {
    __m256i pairs = _mm256_loadu_si256((const __m256i *)(uv + 32 * block));
    __m256i u16 = _mm256_and_si256(pairs, low), v16 = _mm256_srli_epi16(pairs, 8);
    graphkit_color_block(top + 32 * block, bottom + 32 * block, &u16, &v16, matrix);
    u16 = _mm256_max_epi16(_mm256_min_epi16(u16, high), zero);
    v16 = _mm256_max_epi16(_mm256_min_epi16(v16, high), zero);
    _mm256_storeu_si256(
        (__m256i *)(uv + 32 * block), _mm256_or_si256(u16, _mm256_slli_epi16(v16, 8)));
  }
}

// 16 * `blocks` pixels of four bytes, of which the fourth stays.
GRAPHKIT_AVX2 void graphkit_color_packed(
    uint8_t *pixels, long blocks, const graphkit_color_matrix *matrix) {
  const __m256i byte = _mm256_set1_epi32(0xff);
  const __m256i alpha = _mm256_set1_epi32((int32_t)0xff000000);
  for (long block = 0; block < blocks; block++) {
    __m256i *place = (__m256i *)(pixels + 64 * block);
    __m256i first = _mm256_loadu_si256(place), second = _mm256_loadu_si256(place + 1);
    __m256i values[3], color[3];
    for (int i = 0; i < 3; i++)
      values[i] = _mm256_slli_epi16(
          _mm256_packus_epi32(
              _mm256_and_si256(_mm256_srli_epi32(first, 8 * i), byte),
              _mm256_and_si256(_mm256_srli_epi32(second, 8 * i), byte)),
          7);
    for (int i = 0; i < 3; i++) {
      __m256i sum = _mm256_add_epi16(
          _mm256_set1_epi16(matrix->decode[i][3]),
          GRAPHKIT_SCALED(values[1], matrix->decode[i][1]));
      sum = _mm256_add_epi16(sum, GRAPHKIT_SCALED(values[2], matrix->decode[i][2]));
      sum = _mm256_adds_epi16(sum, GRAPHKIT_SCALED(values[0], matrix->decode[i][0]));
      color[i] = _mm256_slli_epi16(graphkit_limited(sum), 3);
    }
    first = _mm256_and_si256(first, alpha);
    second = _mm256_and_si256(second, alpha);
    for (int i = 0; i < 3; i++) {
      __m256i value = graphkit_encoded(color, matrix->encode[i]);
      value = _mm256_max_epi16(
          _mm256_min_epi16(value, _mm256_set1_epi16(0xff)), _mm256_setzero_si256());
      __m256i zero = _mm256_setzero_si256();
      first = _mm256_or_si256(
          first, _mm256_slli_epi32(_mm256_unpacklo_epi16(value, zero), 8 * i));
      second = _mm256_or_si256(
          second, _mm256_slli_epi32(_mm256_unpackhi_epi16(value, zero), 8 * i));
    }
    _mm256_storeu_si256(place, first);
    _mm256_storeu_si256(place + 1, second);
  }
}

#undef GRAPHKIT_AVX2
#undef GRAPHKIT_SCALED

#else

static inline void graphkit_color_planar(
    uint8_t *top, uint8_t *bottom, uint8_t *u, uint8_t *v, long blocks,
    const graphkit_color_matrix *matrix) {}
static inline void graphkit_color_paired(
    uint8_t *top, uint8_t *bottom, uint8_t *uv, long blocks,
    const graphkit_color_matrix *matrix) {}
static inline void graphkit_color_packed(
    uint8_t *pixels, long blocks, const graphkit_color_matrix *matrix) {}

#endif
#endif
