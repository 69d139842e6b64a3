/* Random numbers: SplitMix64 (Steele, Lea and Flood, 2014), a counter and a mixing function. A
 * stream is one word and starting one costs one mix. It needs only additions, shifts and
 * multiplications, so the SIMD kernels draw the same numbers, bit for bit, as the plain code. */
#ifndef TURF_BASE_RNG_H
#define TURF_BASE_RNG_H

#include "turf.h"

#define RNG_STEP UINT64_C(0x9e3779b97f4a7c15)
#define RNG_SPREAD UINT64_C(0xd1342543de82ef95)
#define RNG_MIX_1 UINT64_C(0xbf58476d1ce4e5b9)
#define RNG_MIX_2 UINT64_C(0x94d049bb133111eb)

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ z >> 30) * RNG_MIX_1;
    z = (z ^ z >> 27) * RNG_MIX_2;
    return z ^ z >> 31;
}

static inline uint64_t rng_next(TurfRng *rng)
{
    rng->state += RNG_STEP;
    return rng_mix(rng->state);
}

/* 0 .. n-1 from one draw, by multiply-shift (Lemire) without rejection: one 32-bit multiplication
 * in a vector, and a bias below n / 2^32. */
static inline uint32_t rng_scale(uint64_t draw, uint32_t n)
{
    return (uint32_t)((draw >> 32) * n >> 32);
}

static inline uint32_t rng_below(TurfRng *rng, uint32_t n) { return rng_scale(rng_next(rng), n); }

/* Stream number `index` of a family. Each game of a run has a stream of its own. */
static inline TurfRng rng_stream(uint64_t streams, uint64_t index)
{
    return (TurfRng){rng_mix(streams + index * RNG_SPREAD)};
}

/* A family derived from another one and a key. */
static inline uint64_t rng_stream_family(uint64_t parent, uint64_t word)
{
    return rng_mix(rng_mix(parent + RNG_STEP) ^ word);
}

#endif
