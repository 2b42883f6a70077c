#ifndef GRAPHKIT_CKERNELS_TRANSPOSE_H
#define GRAPHKIT_CKERNELS_TRANSPOSE_H

#include <stdint.h>

// Transposing of squares of bytes, in vectors that every processor has: rows become columns.

typedef uint8_t graphkit_bytes16 __attribute__((vector_size(16)));

// One step of transposing sixteen rows of sixteen bytes: interleaves each pair of rows eight apart.
static inline void graphkit_riffle(const graphkit_bytes16 from[16], graphkit_bytes16 to[16]) {
  for (int row = 0; row < 8; row++) {
    to[2 * row] = __builtin_shufflevector(
        from[row], from[row + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    to[2 * row + 1] = __builtin_shufflevector(
        from[row], from[row + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
}

// Transposes sixteen rows of sixteen bytes. On every processor.
static inline void graphkit_transpose(
    const uint8_t *from, long from_step, uint8_t *to, long to_step) {
  graphkit_bytes16 rows[16], other[16];
  for (int row = 0; row < 16; row++) __builtin_memcpy(&rows[row], from + row * from_step, 16);
  graphkit_riffle(rows, other);
  graphkit_riffle(other, rows);
  graphkit_riffle(rows, other);
  graphkit_riffle(other, rows);
  for (int row = 0; row < 16; row++) __builtin_memcpy(to + row * to_step, &rows[row], 16);
}

#endif
