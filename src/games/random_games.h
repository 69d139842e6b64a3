/* A stretch of games between two random players, to be played in one go. */
#ifndef TURF_GAMES_RANDOM_GAMES_H
#define TURF_GAMES_RANDOM_GAMES_H

#include "turf.h"

typedef struct RandomGames {
    uint64_t first_game, n_games;
    uint64_t start_family;   /* game i starts from stream i of this family... */
    uint64_t side_family[2]; /* ...and each side draws its moves from stream i of its own */
} RandomGames;

#endif
