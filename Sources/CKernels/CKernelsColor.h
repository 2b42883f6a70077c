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

// Two rows of luma with those of chroma that they share. `top` and `bottom` may be the same.
typedef struct {
  uint8_t *top, *bottom, *u, *v;
} graphkit_color_rows;

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

// Packs 16 values for the even places and as many for the odd ones into bytes.
GRAPHKIT_AVX2 __m256i graphkit_riffled(__m256i even, __m256i odd) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  return _mm256_shuffle_epi8(_mm256_packus_epi16(even, odd), order);
}

// 16 values of luma in 1/128 with what chroma adds: gives luma anew, and adds up red, green and blue.
GRAPHKIT_AVX2 __m256i graphkit_luma(
    __m256i luma, const __m256i chroma[3], const graphkit_wide_matrix *matrix, __m256i sums[3]) {
  __m256i color[3];
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    color[i] = graphkit_limited(
        _mm256_adds_epi16(chroma[i], _mm256_mulhrs_epi16(luma, matrix->decode[i][0])));
    sums[i] = _mm256_add_epi16(sums[i], color[i]);
  }
  return _mm256_srai_epi16(graphkit_encoded(color, matrix->encode[0]), 4);
}

// 32 pixels of a row: those at even places and those at odd ones, each over 16 values of chroma.
GRAPHKIT_AVX2 void graphkit_row(
    __m256i bytes, uint8_t *to, const __m256i chroma[3], const graphkit_wide_matrix *matrix,
    __m256i sums[3]) {
  const __m256i ones = _mm256_set1_epi16(0x7f80);
  __m256i even = _mm256_and_si256(_mm256_slli_epi16(bytes, 7), ones);
  __m256i odd = _mm256_and_si256(_mm256_srli_epi16(bytes, 1), ones);
  even = graphkit_luma(even, chroma, matrix, sums);
  odd = graphkit_luma(odd, chroma, matrix, sums);
  _mm256_storeu_si256((__m256i *)to, graphkit_riffled(even, odd));
}

// Chroma of 16 blocks of four pixels, from the sums of their colours.
GRAPHKIT_AVX2 __m256i graphkit_chroma(const __m256i color[3], const __m256i factors[4]) {
  return _mm256_srai_epi16(graphkit_encoded(color, factors), 6);
}

// Two rows of 32 pixels, from a column on, over 16 values of U and V, which are 16 bits wide here.
GRAPHKIT_AVX2 void graphkit_color_block(
    graphkit_color_rows from, graphkit_color_rows to, long column, __m256i *u, __m256i *v,
    const graphkit_wide_matrix *matrix) {
  __m256i chroma[3], sums[3];
  __m256i u7 = _mm256_slli_epi16(*u, 7), v7 = _mm256_slli_epi16(*v, 7);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    chroma[i] = _mm256_add_epi16(
        matrix->decode[i][3], _mm256_mulhrs_epi16(u7, matrix->decode[i][1]));
    chroma[i] = _mm256_add_epi16(chroma[i], _mm256_mulhrs_epi16(v7, matrix->decode[i][2]));
    sums[i] = _mm256_setzero_si256();
  }
  // Both are read before either is written: the last of an odd number of rows is both.
  __m256i upper = _mm256_loadu_si256((const __m256i *)(from.top + column));
  __m256i lower = _mm256_loadu_si256((const __m256i *)(from.bottom + column));
  graphkit_row(upper, to.top + column, chroma, matrix, sums);
  graphkit_row(lower, to.bottom + column, chroma, matrix, sums);
  *u = graphkit_chroma(sums, matrix->encode[1]);
  *v = graphkit_chroma(sums, matrix->encode[2]);
}

// 16 pixels of four bytes, of which the fourth stays.
GRAPHKIT_AVX2 void graphkit_packed_block(
    const uint8_t *from, uint8_t *to, const graphkit_wide_matrix *matrix) {
  const __m256i byte = _mm256_set1_epi32(0xff), zero = _mm256_setzero_si256();
  const __m256i alpha = _mm256_set1_epi32((int32_t)0xff000000);
  const __m256i *place = (const __m256i *)from;
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
    const __m256i *row = matrix->decode[i];
    __m256i sum = _mm256_add_epi16(row[3], _mm256_mulhrs_epi16(values[1], row[1]));
    sum = _mm256_add_epi16(sum, _mm256_mulhrs_epi16(values[2], row[2]));
    color[i] = graphkit_limited(_mm256_adds_epi16(sum, _mm256_mulhrs_epi16(values[0], row[0])));
    // Of four pixels alike, as the chroma of a block is made.
    sums[i] = _mm256_slli_epi16(color[i], 2);
  }
  __m256i changed[3] = {
      _mm256_srai_epi16(graphkit_encoded(color, matrix->encode[0]), 4),
      graphkit_chroma(sums, matrix->encode[1]), graphkit_chroma(sums, matrix->encode[2])};
  first = _mm256_and_si256(first, alpha);
  second = _mm256_and_si256(second, alpha);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    __m256i value = _mm256_max_epi16(_mm256_min_epi16(changed[i], _mm256_set1_epi16(0xff)), zero);
    first = _mm256_or_si256(first, _mm256_slli_epi32(_mm256_unpacklo_epi16(value, zero), 8 * i));
    second = _mm256_or_si256(second, _mm256_slli_epi32(_mm256_unpackhi_epi16(value, zero), 8 * i));
  }
  _mm256_storeu_si256((__m256i *)to, first);
  _mm256_storeu_si256((__m256i *)to + 1, second);
}

#undef GRAPHKIT_UNROLLED
#undef GRAPHKIT_AVX2

#endif
#endif
