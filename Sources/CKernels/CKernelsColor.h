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

#define GRAPHKIT_UNROLLED _Pragma("clang loop unroll(full)")
#define GRAPHKIT_AVX2 __attribute__((target("avx2"))) static inline

// The matrix with each number in all lanes of a vector. What is added to a pixel's values has half
// of the last place more, so that they are rounded, and as many binary places as the sums have.
typedef struct {
  __m256i decode[3][4];
  __m256i encode[3][4];
} graphkit_wide_matrix;

GRAPHKIT_AVX2 void graphkit_widen(
    const graphkit_color_matrix *matrix, graphkit_wide_matrix *wide) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      wide->decode[row][column] = _mm256_set1_epi16(matrix->decode[row][column]);
      wide->encode[row][column] = _mm256_set1_epi16(matrix->encode[row][column]);
    }
  wide->encode[0][3] = _mm256_set1_epi16(matrix->encode[0][3] + 8);
  wide->encode[1][3] = _mm256_set1_epi16(matrix->encode[1][3] * 4 + 32);
  wide->encode[2][3] = _mm256_set1_epi16(matrix->encode[2][3] * 4 + 32);
}

GRAPHKIT_AVX2 __m256i graphkit_limited(__m256i value) {
  return _mm256_max_epi16(
      _mm256_min_epi16(value, _mm256_set1_epi16(255 << 4)), _mm256_setzero_si256());
}

// One of the pixel's values from red, green and blue, in the unit that these have.
GRAPHKIT_AVX2 __m256i graphkit_encoded(
    const __m256i color[3], const __m256i factors[4]) {
  __m256i sum = _mm256_add_epi16(factors[3], _mm256_mulhrs_epi16(color[0], factors[0]));
  sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(color[1], factors[1]));
  return _mm256_add_epi16(sum, _mm256_mulhrs_epi16(color[2], factors[2]));
}

// Packs 32 values of 16 bits, in order, into bytes.
GRAPHKIT_AVX2 __m256i graphkit_bytes(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xd8);
}

// 16 values of luma with what chroma adds: gives luma anew, and adds up red, green and blue.
GRAPHKIT_AVX2 __m256i graphkit_luma(
    __m128i bytes, const __m256i chroma[3], const graphkit_wide_matrix *matrix,
    __m256i sums[3]) {
  __m256i luma = _mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 7), color[3];
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    color[i] = graphkit_limited(
        _mm256_adds_epi16(chroma[i], _mm256_mulhrs_epi16(luma, matrix->decode[i][0])));
    sums[i] = _mm256_add_epi16(sums[i], color[i]);
  }
  return _mm256_srai_epi16(graphkit_encoded(color, matrix->encode[0]), 4);
}

// Chroma of 16 blocks of four pixels, from the sums of their colours.
GRAPHKIT_AVX2 __m256i graphkit_chroma(const __m256i color[3], const __m256i factors[4]) {
  return _mm256_srai_epi16(graphkit_encoded(color, factors), 6);
}

// Two rows of 32 pixels over 16 values of U and V, which are 16 bits wide here.
GRAPHKIT_AVX2 void graphkit_color_block(
    uint8_t *top, uint8_t *bottom, __m256i *u, __m256i *v, const graphkit_wide_matrix *matrix) {
  __m256i chroma[2][3], sums[2][3];
  __m256i u7 = _mm256_slli_epi16(*u, 7), v7 = _mm256_slli_epi16(*v, 7);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    __m256i value = _mm256_add_epi16(
        matrix->decode[i][3], _mm256_mulhrs_epi16(u7, matrix->decode[i][1]));
    value = _mm256_add_epi16(value, _mm256_mulhrs_epi16(v7, matrix->decode[i][2]));
    value = _mm256_permute4x64_epi64(value, 0xd8);
    chroma[0][i] = _mm256_unpacklo_epi16(value, value);
    chroma[1][i] = _mm256_unpackhi_epi16(value, value);
    sums[0][i] = sums[1][i] = _mm256_setzero_si256();
  }
  // Both are read before either is written: the last of an odd number of rows is both.
  __m256i upper = _mm256_loadu_si256((const __m256i *)top);
  __m256i lower = _mm256_loadu_si256((const __m256i *)bottom);
  __m256i first[2], second[2];
  first[0] = graphkit_luma(_mm256_castsi256_si128(upper), chroma[0], matrix, sums[0]);
  first[1] = graphkit_luma(_mm256_castsi256_si128(lower), chroma[0], matrix, sums[0]);
  second[0] = graphkit_luma(_mm256_extracti128_si256(upper, 1), chroma[1], matrix, sums[1]);
  second[1] = graphkit_luma(_mm256_extracti128_si256(lower, 1), chroma[1], matrix, sums[1]);
  _mm256_storeu_si256((__m256i *)top, graphkit_bytes(first[0], second[0]));
  _mm256_storeu_si256((__m256i *)bottom, graphkit_bytes(first[1], second[1]));
  __m256i color[3];
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++)
    color[i] = _mm256_permute4x64_epi64(_mm256_hadd_epi16(sums[0][i], sums[1][i]), 0xd8);
  *u = graphkit_chroma(color, matrix->encode[1]);
  *v = graphkit_chroma(color, matrix->encode[2]);
}

// Two rows of 32 * `blocks` pixels with a row each of U and V. `top` and `bottom` may be the same.
GRAPHKIT_AVX2 void graphkit_color_planar(
    uint8_t *top, uint8_t *bottom, uint8_t *u, uint8_t *v, long blocks,
    const graphkit_color_matrix *matrix) {
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  for (long block = 0; block < blocks; block++) {
    __m256i u16 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(u + 16 * block)));
    __m256i v16 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(v + 16 * block)));
    graphkit_color_block(top + 32 * block, bottom + 32 * block, &u16, &v16, &wide);
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
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  for (long block = 0; block < blocks; block++) {
    __m256i pairs = _mm256_loadu_si256((const __m256i *)(uv + 32 * block));
    __m256i u16 = _mm256_and_si256(pairs, low), v16 = _mm256_srli_epi16(pairs, 8);
    graphkit_color_block(top + 32 * block, bottom + 32 * block, &u16, &v16, &wide);
    u16 = _mm256_max_epi16(_mm256_min_epi16(u16, high), zero);
    v16 = _mm256_max_epi16(_mm256_min_epi16(v16, high), zero);
    _mm256_storeu_si256(
        (__m256i *)(uv + 32 * block), _mm256_or_si256(u16, _mm256_slli_epi16(v16, 8)));
  }
}

// 16 * `blocks` pixels of four bytes, of which the fourth stays.
GRAPHKIT_AVX2 void graphkit_color_packed(
    uint8_t *pixels, long blocks, const graphkit_color_matrix *matrix) {
  const __m256i byte = _mm256_set1_epi32(0xff), zero = _mm256_setzero_si256();
  const __m256i alpha = _mm256_set1_epi32((int32_t)0xff000000);
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  for (long block = 0; block < blocks; block++) {
    __m256i *place = (__m256i *)(pixels + 64 * block);
    __m256i first = _mm256_loadu_si256(place), second = _mm256_loadu_si256(place + 1);
    __m256i values[3], color[3], sums[3];
    GRAPHKIT_UNROLLED
    for (int i = 0; i < 3; i++)
      values[i] = _mm256_slli_epi16(
          _mm256_packus_epi32(
              _mm256_and_si256(_mm256_srli_epi32(first, 8 * i), byte),
              _mm256_and_si256(_mm256_srli_epi32(second, 8 * i), byte)),
          7);
    GRAPHKIT_UNROLLED
    for (int i = 0; i < 3; i++) {
      const __m256i *row = wide.decode[i];
      __m256i sum = _mm256_add_epi16(row[3], _mm256_mulhrs_epi16(values[1], row[1]));
      sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(values[2], row[2]));
      color[i] = graphkit_limited(_mm256_adds_epi16(sum, _mm256_mulhrs_epi16(values[0], row[0])));
      // Of four pixels alike, as the chroma of a block is made.
      sums[i] = _mm256_slli_epi16(color[i], 2);
    }
    __m256i changed[3] = {
        _mm256_srai_epi16(graphkit_encoded(color, wide.encode[0]), 4),
        graphkit_chroma(sums, wide.encode[1]), graphkit_chroma(sums, wide.encode[2])};
    first = _mm256_and_si256(first, alpha);
    second = _mm256_and_si256(second, alpha);
    GRAPHKIT_UNROLLED
    for (int i = 0; i < 3; i++) {
      __m256i value = _mm256_max_epi16(_mm256_min_epi16(changed[i], _mm256_set1_epi16(0xff)), zero);
      first = _mm256_or_si256(
          first, _mm256_slli_epi32(_mm256_unpacklo_epi16(value, zero), 8 * i));
      second = _mm256_or_si256(
          second, _mm256_slli_epi32(_mm256_unpackhi_epi16(value, zero), 8 * i));
    }
    _mm256_storeu_si256(place, first);
    _mm256_storeu_si256(place + 1, second);
  }
}

#undef GRAPHKIT_UNROLLED
#undef GRAPHKIT_AVX2

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
