/* Sets of cells as bits of a 64-bit word. Kernels on devices include this file too: what a device
 * does in another way is here and nowhere else. */
#ifndef TURF_BASE_BITS_H
#define TURF_BASE_BITS_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define BITS_EVERY(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Clears the lowest bit. */
static inline uint64_t bits_rest(uint64_t set) { return set & (set - 1); }

#ifdef TURF_DEVICE

static inline int bits_count(uint64_t set) { return (int)popcount(set); }

static inline int bits_lowest(uint64_t set) { return bits_count(~set & (set - 1)); }

/* The index of the n-th set bit, from 0. There is no pdep, so the word is halved until one bit is
 * left; a device has registers of 32 bits. */
static inline int bits_nth_index(uint64_t set, uint32_t n)
{
    uint32_t low = (uint32_t)set, n_low = popcount(low);
    bool     is_high = n >= n_low;
    uint32_t word = is_high ? (uint32_t)(set >> 32) : low;
    int      index = is_high ? 32 : 0;
    n -= is_high ? n_low : 0;
#pragma unroll
    for (int width = 16; width > 0; width /= 2) {
        uint32_t n_lower = popcount(word & ((1u << width) - 1));
        bool     is_upper = n >= n_lower;
        n -= is_upper ? n_lower : 0;
        word >>= is_upper ? width : 0;
        index += is_upper ? width : 0;
    }
    return index;
}

/* The n-th set bit, from 0, alone. */
static inline uint64_t bits_nth(uint64_t set, uint32_t n)
{
    return UINT64_C(1) << bits_nth_index(set, n);
}

#else

static inline int bits_count(uint64_t set)
{
#if defined(__POPCNT__) || defined(__wasm__)
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
#endif
