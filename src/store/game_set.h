/* A set of games, as sorted ranges of game numbers in each pairing. */
#ifndef TURF_STORE_GAME_SET_H
#define TURF_STORE_GAME_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct GameRange {
    size_t   pairing;
    uint64_t first, n;
} GameRange;

/* Invariant: sorted; ranges of one pairing neither overlap nor touch. */
typedef struct GameSet {
    GameRange *list;
    size_t     n, room;
} GameSet;

/* False when out of memory. Appending takes constant time, else O(n). */
bool game_set_add(GameSet *set, GameRange range);
void game_set_release(GameSet *set);

/* The first games of `range` that are not in the set; n is 0 if there are none. */
GameRange game_set_first_missing(const GameSet *set, GameRange range);
bool      game_set_overlaps(const GameSet *set, GameRange range);
bool      game_set_contains(const GameSet *set, GameRange range);

#endif
