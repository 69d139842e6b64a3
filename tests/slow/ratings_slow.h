/* Ratings the slow, obvious way: the posterior multiplied up game by game from the definition,
 * climbed one coordinate at a time, its curvature measured by differences. */
#ifndef TURF_TESTS_RATINGS_SLOW_H
#define TURF_TESTS_RATINGS_SLOW_H

#include <stddef.h>

enum { SLOW_MAX_PLAYERS = 8 };

typedef struct SlowGame {
    int first, second;
    int points;     /* of the first, in halves: 0, 1 or 2 */
    int is_forfeit; /* the loser gave up: neither draws nor moving first have a part in it */
} SlowGame;

typedef struct SlowRatings {
    double elo[SLOW_MAX_PLAYERS], deviation[SLOW_MAX_PLAYERS];
    double first_player, first_deviation, draw_share;
} SlowRatings;

SlowRatings slow_ratings(const SlowGame *games, size_t n_games, int n_players);

#endif
