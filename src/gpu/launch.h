/* What the processor and the kernels agree on, compiled by both.
 *
 * A launch plays chunks of games, one for each work-group: chunk c has n_games[c] games from
 * firsts[c] on, and its totals are CHUNK_FIELDS numbers: the count of each TurfEnding, and these.
 */
#ifndef TURF_GPU_LAUNCH_H
#define TURF_GPU_LAUNCH_H

enum {
    CHUNK_LENGTH_SUM = TURF_N_ENDINGS,
    CHUNK_SQUARE_SUM,
    CHUNK_SHORTEST,
    CHUNK_LONGEST,
    CHUNK_FIELDS
};

/* No game is longer on a device, and with so many games the sum of squares fits into 32 bits. */
enum { CHUNK_MAX_LENGTH = 250, CHUNK_MAX_GAMES = 65536 };

/* A side in War of Life: at random with depth 0. The aim is that of games/wol_gains.h. */
typedef struct WolPlayer {
    uint64_t counts_own, counts_other;
    uint32_t depth, has_random_ties;
} WolPlayer;

/* How the games of a launch are played in War of Life; see DeviceGames. */
typedef struct WolRules {
    uint64_t  start_streams, side_streams[2];
    uint64_t  blue, red; /* the start of all games; without pieces: drawn from start_streams */
    uint64_t  step, offset;
    WolPlayer players[2];
} WolRules;

/* In Amoeba Wars. */
#ifdef TURF_GAMES_AMOEBA_WARS_H
typedef struct AwRules {
    uint64_t side_streams[2];
    uint64_t step, offset;
    AwSmall  start;
} AwRules;
#endif

#endif
