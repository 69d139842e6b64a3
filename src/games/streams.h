/* The random streams of a seed. Every game of a run and of a batch draws its start and its moves
 * from these, so the same seed, players and game number give the same game everywhere. */
#ifndef TURF_GAMES_STREAMS_H
#define TURF_GAMES_STREAMS_H

#include "base/hash.h"
#include "base/rng.h"

#include <string.h>

/* The starts of a seed are the same for every pairing; each side draws from a stream of its own. */
enum { STREAM_OF_STARTS = 1, STREAM_OF_SIDES = 2, STREAM_OF_ROUNDS = 3, STREAM_OF_PUZZLES = 4 };

static inline uint64_t start_streams(uint64_t seed)
{
    return rng_stream_family(seed, STREAM_OF_STARTS);
}

/* The streams of the player on `side`, where `first` and `second` are the players' canonical
 * descriptions. */
static inline uint64_t side_streams(uint64_t seed, const char *first, const char *second,
                                    TurfSide side)
{
    uint64_t streams = rng_stream_family(seed, STREAM_OF_SIDES);
    streams = rng_stream_family(streams, hash_bytes(first, strlen(first)));
    streams = rng_stream_family(streams, hash_bytes(second, strlen(second)));
    return rng_stream_family(streams, side);
}

#endif
