#ifndef GRAPHKIT_CKERNELS_BLUR_H
#define GRAPHKIT_CKERNELS_BLUR_H

#include <stdint.h>

// The steps of a blur by three means, on sixteen columns of bytes side by side. What the numbers
// mean, and the same arithmetic in plain Swift, is in Sources/Kernels/BoxBlur.swift.

#if defined(__x86_64__)
#include <immintrin.h>

#define GRAPHKIT_AVX2 __attribute__((target("avx2"))) static inline

// A row of sixteen numbers.
typedef struct {
  __m256 first, second;
} graphkit_lanes;

GRAPHKIT_AVX2 graphkit_lanes graphkit_lanes_at(const float *row) {
  graphkit_lanes lanes = {_mm256_loadu_ps(row), _mm256_loadu_ps(row + 8)};
  return lanes;
}

GRAPHKIT_AVX2 void graphkit_set_lanes(float *row, graphkit_lanes lanes) {
  _mm256_storeu_ps(row, lanes.first);
  _mm256_storeu_ps(row + 8, lanes.second);
}

GRAPHKIT_AVX2 graphkit_lanes graphkit_plus(graphkit_lanes a, graphkit_lanes b) {
  graphkit_lanes sum = {_mm256_add_ps(a.first, b.first), _mm256_add_ps(a.second, b.second)};
  return sum;
}

GRAPHKIT_AVX2 graphkit_lanes graphkit_minus(graphkit_lanes a, graphkit_lanes b) {
  graphkit_lanes rest = {_mm256_sub_ps(a.first, b.first), _mm256_sub_ps(a.second, b.second)};
  return rest;
}

GRAPHKIT_AVX2 graphkit_lanes graphkit_times(graphkit_lanes lanes, float factor) {
  const __m256 wide = _mm256_set1_ps(factor);
  graphkit_lanes product = {_mm256_mul_ps(wide, lanes.first), _mm256_mul_ps(wide, lanes.second)};
  return product;
}

// `LaneColumns.read`: `count` rows of bytes, `step` apart, behind `margin` rows.
GRAPHKIT_AVX2 void graphkit_blur_read(
    float *rows, const uint8_t *bytes, long count, long step, long margin) {
  for (long index = 0; index < count; index++) {
    __m128i values = _mm_loadu_si128((const __m128i *)(bytes + index * step));
    graphkit_lanes lanes = {
        _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(values)),
        _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128(values, 8)))};
    graphkit_set_lanes(rows + 16 * (margin + index), lanes);
  }
  const graphkit_lanes first = graphkit_lanes_at(rows + 16 * margin);
  const graphkit_lanes last = graphkit_lanes_at(rows + 16 * (margin + count - 1));
  for (long index = 0; index < margin; index++) {
    graphkit_set_lanes(rows + 16 * index, first);
    graphkit_set_lanes(rows + 16 * (margin + count + index), last);
  }
}

// `LaneColumns.sum`.
GRAPHKIT_AVX2 void graphkit_blur_sum(float *rows, long count, long length, float edge) {
  graphkit_lanes sum = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  for (long index = 1; index <= length; index++)
    sum = graphkit_plus(sum, graphkit_lanes_at(rows + 16 * index));
  graphkit_lanes first = graphkit_lanes_at(rows);
  for (long index = 0; index < count; index++) {
    graphkit_lanes second = graphkit_lanes_at(rows + 16 * (index + 1));
    graphkit_lanes last = graphkit_lanes_at(rows + 16 * (index + length + 1));
    graphkit_lanes edges = graphkit_times(graphkit_plus(first, last), edge);
    graphkit_set_lanes(rows + 16 * index, graphkit_plus(sum, edges));
    sum = graphkit_plus(sum, graphkit_minus(last, second));
    first = second;
  }
}

// The lowest bytes of eight numbers to which 2^23 has been added.
GRAPHKIT_AVX2 __m256i graphkit_blur_rounded(__m256 numbers, float scale) {
  const __m256 shifted = _mm256_add_ps(
      _mm256_mul_ps(numbers, _mm256_set1_ps(scale)), _mm256_set1_ps(8388608));
  return _mm256_and_si256(_mm256_castps_si256(shifted), _mm256_set1_epi32(0xff));
}

// `LaneColumns.write`.
GRAPHKIT_AVX2 void graphkit_blur_write(
    const float *rows, uint8_t *bytes, long count, long step, float scale) {
  for (long index = 0; index < count; index++) {
    graphkit_lanes lanes = graphkit_lanes_at(rows + 16 * index);
    __m256i words = _mm256_permute4x64_epi64(
        _mm256_packus_epi32(
            graphkit_blur_rounded(lanes.first, scale), graphkit_blur_rounded(lanes.second, scale)),
        0xd8);
    _mm_storeu_si128(
        (__m128i *)(bytes + index * step),
        _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
  }
}

#undef GRAPHKIT_AVX2

#else

static inline void graphkit_blur_read(
    float *rows, const uint8_t *bytes, long count, long step, long margin) {}
static inline void graphkit_blur_sum(float *rows, long count, long length, float edge) {}
static inline void graphkit_blur_write(
    const float *rows, uint8_t *bytes, long count, long step, float scale) {}

#endif
#endif
