// Rows of pixels of any width. Included for each width of vectors, by CKernelsColor.h.

// A vector each of U and V beside each other.
GRAPHKIT_FUNCTION void WIDE(planar_block)(
    graphkit_color_rows from, graphkit_color_rows to, long block,
    const WIDE(wide_matrix) *matrix) {
  VECTOR u = OP(cvtepu8_epi16)(HALF_BITS(loadu)((const HALF *)(from.u + LANES * block)));
  VECTOR v = OP(cvtepu8_epi16)(HALF_BITS(loadu)((const HALF *)(from.v + LANES * block)));
  WIDE(color_block)(from, to, 2 * LANES * block, &u, &v, matrix);
  VECTOR both = WIDE(bytes)(u, v);
  HALF_BITS(storeu)((HALF *)(to.u + LANES * block), LOW_HALF(both));
  HALF_BITS(storeu)((HALF *)(to.v + LANES * block), HIGH_HALF(both));
}

// As many interleaved, of which `u` is the start.
GRAPHKIT_FUNCTION void WIDE(paired_block)(
    graphkit_color_rows from, graphkit_color_rows to, long block,
    const WIDE(wide_matrix) *matrix) {
  const VECTOR low = OP(set1_epi16)(0xff), zero = BITS(setzero)();
  VECTOR pairs = BITS(loadu)((const VECTOR *)(from.u + 2 * LANES * block));
  VECTOR u = BITS(and)(pairs, low), v = OP(srli_epi16)(pairs, 8);
  WIDE(color_block)(from, to, 2 * LANES * block, &u, &v, matrix);
  u = OP(max_epi16)(OP(min_epi16)(u, low), zero);
  v = OP(max_epi16)(OP(min_epi16)(v, low), zero);
  BITS(storeu)(
      (VECTOR *)(to.u + 2 * LANES * block), BITS(or)(u, OP(slli_epi16)(v, 8)));
}

// The end of two rows, of fewer pixels than a block has, in a block of their own: the last of an
// odd number of pixels counts twice, as in plain Swift.
typedef struct {
  uint8_t top[2 * LANES], bottom[2 * LANES], u[2 * LANES], v[LANES];
} WIDE(color_end);

GRAPHKIT_FUNCTION graphkit_color_rows WIDE(end_rows)(WIDE(color_end) *end) {
  return (graphkit_color_rows){end->top, end->bottom, end->u, end->v};
}

// Takes the end's pixels, from a column on, out of rows.
GRAPHKIT_FUNCTION void WIDE(take_end)(
    WIDE(color_end) *end, graphkit_color_rows from, long column, long width, int is_paired) {
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
GRAPHKIT_FUNCTION void WIDE(put_end)(
    const WIDE(color_end) *end, graphkit_color_rows to, long column, long width,
    int is_paired) {
  const long pixels = width - column, chroma = (pixels + 1) / 2;
  __builtin_memcpy(to.top + column, end->top, pixels);
  __builtin_memcpy(to.bottom + column, end->bottom, pixels);
  __builtin_memcpy(to.u + (is_paired ? column : column / 2), end->u, chroma << is_paired);
  if (!is_paired) __builtin_memcpy(to.v + column / 2, end->v, chroma);
}

// Two rows of pixels with a row each of U and V, to others or in place.
GRAPHKIT_FUNCTION void WIDE(color_planar)(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix, const int16_t *curves) {
  WIDE(wide_matrix) wide;
  WIDE(widen)(matrix, curves, &wide);
  const long blocks = width / (2 * LANES);
  for (long block = 0; block < blocks; block++) WIDE(planar_block)(from, to, block, &wide);
  if (width == 2 * LANES * blocks) return;
  WIDE(color_end) end;
  WIDE(take_end)(&end, from, 2 * LANES * blocks, width, 0);
  WIDE(planar_block)(WIDE(end_rows)(&end), WIDE(end_rows)(&end), 0, &wide);
  WIDE(put_end)(&end, to, 2 * LANES * blocks, width, 0);
}

// The same with U and V interleaved in one row, of which `u` is the start.
GRAPHKIT_FUNCTION void WIDE(color_paired)(
    graphkit_color_rows from, graphkit_color_rows to, long width,
    const graphkit_color_matrix *matrix, const int16_t *curves) {
  WIDE(wide_matrix) wide;
  WIDE(widen)(matrix, curves, &wide);
  const long blocks = width / (2 * LANES);
  for (long block = 0; block < blocks; block++) WIDE(paired_block)(from, to, block, &wide);
  if (width == 2 * LANES * blocks) return;
  WIDE(color_end) end;
  WIDE(take_end)(&end, from, 2 * LANES * blocks, width, 1);
  WIDE(paired_block)(WIDE(end_rows)(&end), WIDE(end_rows)(&end), 0, &wide);
  WIDE(put_end)(&end, to, 2 * LANES * blocks, width, 1);
}

// A row of pixels of four bytes, to another or in place.
GRAPHKIT_FUNCTION void WIDE(color_packed)(
    const uint8_t *from, uint8_t *to, long width, const graphkit_color_matrix *matrix,
    const int16_t *curves) {
  WIDE(wide_matrix) wide;
  WIDE(widen)(matrix, curves, &wide);
  const long blocks = width / LANES, rest = 4 * (width - LANES * blocks);
  for (long block = 0; block < blocks; block++)
    WIDE(packed_block)(from + 4 * LANES * block, to + 4 * LANES * block, &wide);
  if (rest == 0) return;
  uint8_t end[4 * LANES] = {0};
  __builtin_memcpy(end, from + 4 * LANES * blocks, rest);
  WIDE(packed_block)(end, end, &wide);
  __builtin_memcpy(to + 4 * LANES * blocks, end, rest);
}
