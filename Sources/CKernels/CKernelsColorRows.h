#ifndef GRAPHKIT_CKERNELS_COLOR_ROWS_H
#define GRAPHKIT_CKERNELS_COLOR_ROWS_H

#include "CKernelsColor.h"

// One colour matrix on rows of pixels of any width.

#if defined(__x86_64__)

#define GRAPHKIT_AVX2 __attribute__((target("avx2"))) static inline

// 16 values each of U and V beside each other.
GRAPHKIT_AVX2 void graphkit_planar_block(
    graphkit_color_rows from, graphkit_color_rows to, long block,
    const graphkit_wide_matrix *matrix) {
  __m256i u = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(from.u + 16 * block)));
  __m256i v = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(from.v + 16 * block)));
  graphkit_color_block(from, to, 32 * block, &u, &v, matrix);
  __m256i both = graphkit_bytes(u, v);
  _mm_storeu_si128((__m128i *)(to.u + 16 * block), _mm256_castsi256_si128(both));
  _mm_storeu_si128((__m128i *)(to.v + 16 * block), _mm256_extracti128_si256(both, 1));
}

// 16 values each of U and V in turn, of which `u` is the start.
GRAPHKIT_AVX2 void graphkit_paired_block(
    graphkit_color_rows from, graphkit_color_rows to, long block,
    const graphkit_wide_matrix *matrix) {
  const __m256i low = _mm256_set1_epi16(0xff), zero = _mm256_setzero_si256();
  __m256i pairs = _mm256_loadu_si256((const __m256i *)(from.u + 32 * block));
  __m256i u = _mm256_and_si256(pairs, low), v = _mm256_srli_epi16(pairs, 8);
  graphkit_color_block(from, to, 32 * block, &u, &v, matrix);
  u = _mm256_max_epi16(_mm256_min_epi16(u, low), zero);
  v = _mm256_max_epi16(_mm256_min_epi16(v, low), zero);
  _mm256_storeu_si256(
      (__m256i *)(to.u + 32 * block), _mm256_or_si256(u, _mm256_slli_epi16(v, 8)));
}

// The end of two rows, of fewer than 32 pixels, in a block of their own: the last of an odd number
// of pixels counts twice, as in plain Swift.
typedef struct {
  uint8_t top[32], bottom[32], u[32], v[16];
} graphkit_color_end;

static inline graphkit_color_rows graphkit_end_rows(graphkit_color_end *end) {
  return (graphkit_color_rows){end->top, end->bottom, end->u, end->v};
}

// Takes the end's pixels, from a column on, out of rows.
static inline void graphkit_take_end(
    graphkit_color_end *end, graphkit_color_rows from, long column, long width, int is_paired) {
  const long pixels = width - column, chroma = (pixels + 1) / 2;
  __builtin_memset(end, 0, sizeof *end);
  __builtin_memcpy(end->top, from.top + column, pixels);
  __builtin_memcpy(end->bottom, from.bottom + column, pixels);
  __builtin_memcpy(end->u, from.u + (is_paired ? column : column / 2), chroma << is_paired);
  if (!is_paired) __builtin_memcpy(end->v, from.v + column / 2, chroma);
  if (pixels % 2 == 1) {
    end->top[pixels] = end->top[pixels - 1];
    end->bottom[pixels] = end->bottom[pixels - 1];
  }
}

// Puts them into rows.
static inline void graphkit_put_end(
    const graphkit_color_end *end, graphkit_color_rows to, long column, long width,
    int is_paired) {
  const long pixels = width - column, chroma = (pixels + 1) / 2;
  __builtin_memcpy(to.top + column, end->top, pixels);
  __builtin_memcpy(to.bottom + column, end->bottom, pixels);
  __builtin_memcpy(to.u + (is_paired ? column : column / 2), end->u, chroma << is_paired);
  if (!is_paired) __builtin_memcpy(to.v + column / 2, end->v, chroma);
}

// Two rows of pixels with a row each of U and V, to others or in place.
GRAPHKIT_AVX2 void graphkit_color_planar(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix) {
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  const long blocks = width / 32;
  for (long block = 0; block < blocks; block++) graphkit_planar_block(from, to, block, &wide);
  if (width == 32 * blocks) return;
  graphkit_color_end end;
  graphkit_take_end(&end, from, 32 * blocks, width, 0);
  graphkit_planar_block(graphkit_end_rows(&end), graphkit_end_rows(&end), 0, &wide);
  graphkit_put_end(&end, to, 32 * blocks, width, 0);
}

// The same with U and V in turn in one row, of which `u` is the start.
GRAPHKIT_AVX2 void graphkit_color_paired(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix) {
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  const long blocks = width / 32;
  for (long block = 0; block < blocks; block++) graphkit_paired_block(from, to, block, &wide);
  if (width == 32 * blocks) return;
  graphkit_color_end end;
  graphkit_take_end(&end, from, 32 * blocks, width, 1);
  graphkit_paired_block(graphkit_end_rows(&end), graphkit_end_rows(&end), 0, &wide);
  graphkit_put_end(&end, to, 32 * blocks, width, 1);
}

// A row of pixels of four bytes, to another or in place.
GRAPHKIT_AVX2 void graphkit_color_packed(
    const uint8_t *from, uint8_t *to, long width, const graphkit_color_matrix *matrix) {
  graphkit_wide_matrix wide;
  graphkit_widen(matrix, &wide);
  const long blocks = width / 16, rest = 4 * (width - 16 * blocks);
  for (long block = 0; block < blocks; block++)
    graphkit_packed_block(from + 64 * block, to + 64 * block, &wide);
  if (rest == 0) return;
  uint8_t end[64] = {0};
  __builtin_memcpy(end, from + 64 * blocks, rest);
  graphkit_packed_block(end, end, &wide);
  __builtin_memcpy(to + 64 * blocks, end, rest);
}

#undef GRAPHKIT_AVX2

#else

static inline void graphkit_color_planar(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix) {}
static inline void graphkit_color_paired(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix) {}
static inline void graphkit_color_packed(
    const uint8_t *from, uint8_t *to, long width, const graphkit_color_matrix *matrix) {}

#endif
#endif
