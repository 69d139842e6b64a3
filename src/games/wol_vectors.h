/* War of Life on many boards at once, one in each lane of a vector: the rules, random numbers and
 * random starts, the same bit for bit as war_of_life.h's. For the kernels. */
#ifndef TURF_GAMES_WOL_VECTORS_H
#define TURF_GAMES_WOL_VECTORS_H

#include "base/simd.h"
#include "games/war_of_life.h"

#define WORD Vector
#define RULE(name) vector_##name
#include "games/wol_rules.inc.h"
#undef WORD
#undef RULE

static inline Vector vector_mix(Vector z)
{
    z = vector_mul(z ^ z >> 30, vector_all(RNG_MIX_1));
    z = vector_mul(z ^ z >> 27, vector_all(RNG_MIX_2));
    return z ^ z >> 31;
}

static inline Vector vector_draw(Vector *rng)
{
    *rng += RNG_STEP;
    return vector_mix(*rng);
}

static inline Vector vector_scale(Vector random, Vector n)
{
    return vector_mul32(random >> 32, n) >> 32;
}

static inline Vector vector_streams(uint64_t streams, Vector games)
{
    return vector_mix(streams + vector_mul(games, vector_all(RNG_SPREAD)));
}

/* Adds random cells of `within` to the set, or takes some away, until it has `size`. A lane that is
 * there already draws nothing more. */
static inline Vector vector_resize(Vector set, Vector within, uint64_t size, Vector *rng)
{
    for (;;) {
        Vector     n = vector_count(set);
        VectorMask is_done = vector_equal(n, vector_all(size));
        if (mask_bits(is_done) == (1U << N_LANES) - 1)
            return set;
        VectorMask is_large = vector_greater(n, vector_all(size));
        Vector     candidates = vector_pick(is_large, set, within & ~set);
        Vector     after = *rng, random = vector_draw(&after);
        Vector     cell = vector_nth(candidates, vector_scale(random, vector_count(candidates)));
        set = vector_pick(is_done, set, set ^ cell);
        *rng = vector_pick(is_done, *rng, after);
    }
}

/* As wol_random_start. */
static inline void vector_random_start(uint64_t start_streams, Vector games, Vector *blue,
                                       Vector *red)
{
    Vector rng = vector_streams(start_streams, games);
    Vector taken = vector_draw(&rng);
    Vector either = vector_draw(&rng);
    taken &= either | vector_draw(&rng);
    taken = vector_resize(taken, vector_all(~UINT64_C(0)), 2 * WOL_PIECES_EACH, &rng);
    *blue = vector_resize(taken & vector_draw(&rng), taken, WOL_PIECES_EACH, &rng);
    *red = taken & ~*blue;
}

#endif
