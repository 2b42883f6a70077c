// Pixels of a block: of two rows, over as many values of chroma as a vector has. Included for each
// width of vectors, by CKernelsColor.h.

// The matrix with each number in all lanes of a vector. What is added to a pixel's values has half
// of the last place more, so that they are rounded, and as many binary places as the sums have.
typedef struct {
  VECTOR decode[3][4];
  VECTOR encode[3][4];
  // The curves of the channels, or null.
  const int16_t *curves;
} WIDE(wide_matrix);

GRAPHKIT_FUNCTION void WIDE(widen)(
    const graphkit_color_matrix *matrix, const int16_t *curves, WIDE(wide_matrix) *wide) {
  wide->curves = curves;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      wide->decode[row][column] = OP(set1_epi16)(matrix->decode[row][column]);
      wide->encode[row][column] = OP(set1_epi16)(matrix->encode[row][column]);
    }
  wide->encode[0][3] = OP(set1_epi16)(matrix->encode[0][3] + 8);
  wide->encode[1][3] = OP(set1_epi16)(matrix->encode[1][3] * 4 + 32);
  wide->encode[2][3] = OP(set1_epi16)(matrix->encode[2][3] * 4 + 32);
}

GRAPHKIT_FUNCTION VECTOR WIDE(limited)(VECTOR value) {
  return OP(max_epi16)(
      OP(min_epi16)(value, OP(set1_epi16)(255 << 4)), BITS(setzero)());
}

// What the curve of a channel makes of it, from 1/32 to 1/16.
GRAPHKIT_FUNCTION VECTOR WIDE(bent)(VECTOR value, const int16_t *curve) {
  const VECTOR start = OP(set1_epi16)(GRAPHKIT_CURVE_START), low = OP(set1_epi32)(0xffff);
  const VECTOR last = OP(set1_epi16)(GRAPHKIT_CURVE_START + GRAPHKIT_CURVE_LENGTH - 1);
  value = OP(sub_epi16)(OP(max_epi16)(OP(min_epi16)(value, last), start), start);
  VECTOR even = GATHER(curve, BITS(and)(value, low));
  VECTOR odd = GATHER(curve, OP(srli_epi32)(value, 16));
  return BITS(or)(BITS(and)(even, low), OP(slli_epi32)(odd, 16));
}

// One of a pixel's colours as it is shown: limited, or by its curve.
GRAPHKIT_FUNCTION VECTOR WIDE(shown)(
    VECTOR value, const WIDE(wide_matrix) *matrix, int channel) {
  if (!matrix->curves) return WIDE(limited)(value);
  return WIDE(bent)(value, matrix->curves + GRAPHKIT_CURVE_LENGTH * channel);
}

// One of the pixel's values from red, green and blue, in the unit that these have.
GRAPHKIT_FUNCTION VECTOR WIDE(encoded)(
    const VECTOR color[3], const VECTOR factors[4]) {
  VECTOR sum = OP(add_epi16)(factors[3], OP(mulhrs_epi16)(color[0], factors[0]));
  sum = OP(add_epi16)(sum, OP(mulhrs_epi16)(color[1], factors[1]));
  return OP(add_epi16)(sum, OP(mulhrs_epi16)(color[2], factors[2]));
}

// Packs two vectors of 16 bits, in order, into bytes.
GRAPHKIT_FUNCTION VECTOR WIDE(bytes)(VECTOR first, VECTOR second) {
  return IN_ORDER(OP(packus_epi16)(first, second));
}

// Packs values for the even places and as many for the odd ones into bytes.
GRAPHKIT_FUNCTION VECTOR WIDE(riffled)(VECTOR even, VECTOR odd) {
  const VECTOR order = BROADCAST(
      _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  return OP(shuffle_epi8)(OP(packus_epi16)(even, odd), order);
}

// Values of luma in 1/128 with what chroma adds: gives luma anew, and adds up red, green and blue.
GRAPHKIT_FUNCTION VECTOR WIDE(luma)(
    VECTOR luma, const VECTOR chroma[3], const WIDE(wide_matrix) *matrix, VECTOR sums[3]) {
  VECTOR color[3];
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    color[i] = WIDE(shown)(
        OP(adds_epi16)(chroma[i], OP(mulhrs_epi16)(luma, matrix->decode[i][0])), matrix, i);
    sums[i] = OP(add_epi16)(sums[i], color[i]);
  }
  return OP(srai_epi16)(WIDE(encoded)(color, matrix->encode[0]), 4);
}

// Two vectors of pixels of a row: those at even places and those at odd ones, over one of chroma.
GRAPHKIT_FUNCTION void WIDE(row)(
    VECTOR bytes, uint8_t *to, const VECTOR chroma[3], const WIDE(wide_matrix) *matrix,
    VECTOR sums[3]) {
  const VECTOR ones = OP(set1_epi16)(0x7f80);
  VECTOR even = BITS(and)(OP(slli_epi16)(bytes, 7), ones);
  VECTOR odd = BITS(and)(OP(srli_epi16)(bytes, 1), ones);
  even = WIDE(luma)(even, chroma, matrix, sums);
  odd = WIDE(luma)(odd, chroma, matrix, sums);
  BITS(storeu)((VECTOR *)to, WIDE(riffled)(even, odd));
}

// Chroma of blocks of four pixels, from the sums of their colours.
GRAPHKIT_FUNCTION VECTOR WIDE(chroma)(const VECTOR color[3], const VECTOR factors[4]) {
  return OP(srai_epi16)(WIDE(encoded)(color, factors), 6);
}

// Two rows of pixels, from a column on, over a vector each of U and V, which are 16 bits wide here.
GRAPHKIT_FUNCTION void WIDE(color_block)(
    graphkit_color_rows from, graphkit_color_rows to, long column, VECTOR *u, VECTOR *v,
    const WIDE(wide_matrix) *matrix) {
  VECTOR chroma[3], sums[3];
  VECTOR u7 = OP(slli_epi16)(*u, 7), v7 = OP(slli_epi16)(*v, 7);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    chroma[i] = OP(add_epi16)(
        matrix->decode[i][3], OP(mulhrs_epi16)(u7, matrix->decode[i][1]));
    chroma[i] = OP(add_epi16)(chroma[i], OP(mulhrs_epi16)(v7, matrix->decode[i][2]));
    sums[i] = BITS(setzero)();
  }
  // Both are read before either is written: the last of an odd number of rows is both.
  VECTOR upper = BITS(loadu)((const VECTOR *)(from.top + column));
  VECTOR lower = BITS(loadu)((const VECTOR *)(from.bottom + column));
  WIDE(row)(upper, to.top + column, chroma, matrix, sums);
  WIDE(row)(lower, to.bottom + column, chroma, matrix, sums);
  *u = WIDE(chroma)(sums, matrix->encode[1]);
  *v = WIDE(chroma)(sums, matrix->encode[2]);
}

// Pixels of four bytes, of which the fourth stays.
GRAPHKIT_FUNCTION void WIDE(packed_block)(
    const uint8_t *from, uint8_t *to, const WIDE(wide_matrix) *matrix) {
  const VECTOR byte = OP(set1_epi32)(0xff), zero = BITS(setzero)();
  const VECTOR alpha = OP(set1_epi32)((int32_t)0xff000000);
  const VECTOR *place = (const VECTOR *)from;
  VECTOR first = BITS(loadu)(place), second = BITS(loadu)(place + 1);
  VECTOR values[3], color[3], sums[3];
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++)
    values[i] = OP(slli_epi16)(
        OP(packus_epi32)(
            BITS(and)(OP(srli_epi32)(first, 8 * i), byte),
            BITS(and)(OP(srli_epi32)(second, 8 * i), byte)),
        7);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    const VECTOR *row = matrix->decode[i];
    VECTOR sum = OP(add_epi16)(row[3], OP(mulhrs_epi16)(values[1], row[1]));
    sum = OP(add_epi16)(sum, OP(mulhrs_epi16)(values[2], row[2]));
    color[i] = WIDE(shown)(
        OP(adds_epi16)(sum, OP(mulhrs_epi16)(values[0], row[0])), matrix, i);
    // Of four pixels alike, as the chroma of a block is made.
    sums[i] = OP(slli_epi16)(color[i], 2);
  }
  VECTOR changed[3] = {
      OP(srai_epi16)(WIDE(encoded)(color, matrix->encode[0]), 4),
      WIDE(chroma)(sums, matrix->encode[1]), WIDE(chroma)(sums, matrix->encode[2])};
  first = BITS(and)(first, alpha);
  second = BITS(and)(second, alpha);
  GRAPHKIT_UNROLLED
  for (int i = 0; i < 3; i++) {
    VECTOR value = OP(max_epi16)(OP(min_epi16)(changed[i], OP(set1_epi16)(0xff)), zero);
    first = BITS(or)(first, OP(slli_epi32)(OP(unpacklo_epi16)(value, zero), 8 * i));
    second = BITS(or)(second, OP(slli_epi32)(OP(unpackhi_epi16)(value, zero), 8 * i));
  }
  BITS(storeu)((VECTOR *)to, first);
  BITS(storeu)((VECTOR *)to + 1, second);
}
