#ifndef GRAPHKIT_CKERNELS_H
#define GRAPHKIT_CKERNELS_H

#include <stdbool.h>
#include <stdint.h>

// Loops whose speed needs instructions that not every x86-64 processor has: Swift is compiled for
// the oldest. Each has its equal in plain Swift, which runs where `graphkit_has_avx2` says no.

#if defined(__x86_64__)
#include <immintrin.h>

static inline bool graphkit_has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static inline bool graphkit_has_avx512(void) {
  return graphkit_has_avx2() && __builtin_cpu_supports("avx512bw");
}

// The lowest and the highest sum of the two 16-bit halves of each of 16 * `blocks` frames.
__attribute__((target("avx2"))) static inline void graphkit_pair_extremes(
    const int32_t *frames, long blocks, int32_t *lowest, int32_t *highest) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i low = _mm256_set1_epi32(INT32_MAX), high = _mm256_set1_epi32(INT32_MIN);
  __m256i low2 = low, high2 = high;
  for (const int32_t *end = frames + 16 * blocks; frames < end; frames += 16) {
    __m256i a = _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)frames), ones);
    __m256i b = _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(frames + 8)), ones);
    low = _mm256_min_epi32(low, a);
    high = _mm256_max_epi32(high, a);
    low2 = _mm256_min_epi32(low2, b);
    high2 = _mm256_max_epi32(high2, b);
  }
  int32_t lows[8], highs[8];
  _mm256_storeu_si256((__m256i *)lows, _mm256_min_epi32(low, low2));
  _mm256_storeu_si256((__m256i *)highs, _mm256_max_epi32(high, high2));
  *lowest = lows[0];
  *highest = highs[0];
  for (int lane = 1; lane < 8; lane++) {
    if (lows[lane] < *lowest) *lowest = lows[lane];
    if (highs[lane] > *highest) *highest = highs[lane];
  }
}

#else

static inline bool graphkit_has_avx2(void) { return false; }
static inline bool graphkit_has_avx512(void) { return false; }

static inline void graphkit_pair_extremes(
    const int32_t *frames, long blocks, int32_t *lowest, int32_t *highest) {}

#endif
#endif
