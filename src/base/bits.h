/* Sets of cells as bits of a 64-bit word. */
#ifndef TURF_BASE_BITS_H
#define TURF_BASE_BITS_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define BITS_EVERY(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline int bits_count(uint64_t set)
{
#ifdef __POPCNT__
    return __builtin_popcountll(set);
#else
    /* Without the instruction the builtin would be a function call. */
    set -= set >> 1 & BITS_EVERY(0x55);
    set = (set & BITS_EVERY(0x33)) + (set >> 2 & BITS_EVERY(0x33));
    set = (set + (set >> 4)) & BITS_EVERY(0x0f);
    return (int)(set * BITS_EVERY(1) >> 56);
#endif
}

static inline int bits_lowest(uint64_t set) { return __builtin_ctzll(set); }

/* Clears the lowest bit. */
static inline uint64_t bits_rest(uint64_t set) { return set & (set - 1); }

/* The n-th set bit, from 0, alone. */
static inline uint64_t bits_nth(uint64_t set, uint32_t n)
{
#ifdef __BMI2__
    return _pdep_u64(UINT64_C(1) << n, set);
#else
    for (; n > 0; n--)
        set = bits_rest(set);
    return set & -set;
#endif
}

#endif
