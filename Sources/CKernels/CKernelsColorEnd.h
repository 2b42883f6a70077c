// The end of the code for one width of vectors.
#undef GRAPHKIT_TARGET
#undef LANES
#undef VECTOR
#undef HALF
#undef WIDE
#undef OP
#undef BITS
#undef HALF_BITS
#undef BROADCAST
#undef LOW_HALF
#undef HIGH_HALF
#undef IN_ORDER
#undef GATHER
