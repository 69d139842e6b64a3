/* A stretch of games between two random players, to be played in one go. */
#ifndef TURF_GAMES_RANDOM_GAMES_H
#define TURF_GAMES_RANDOM_GAMES_H

#include "turf.h"

typedef struct RandomGames {
    uint64_t first_game, n_games;
    /* Where all of them begin; NULL if game i makes its start from stream i of start_family. */
    const void *start;
    uint64_t    start_family;
    uint64_t    side_family[2]; /* each side draws its moves in game i from stream i of its own */
} RandomGames;

#endif
