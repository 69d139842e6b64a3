/* A set of games: spans of numbers, by pairing. */
#ifndef TURF_STORE_GAME_SET_H
#define TURF_STORE_GAME_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct GameRange {
    size_t   pairing;
    uint64_t first, n;
} GameRange;

/* Sorted, never overlapping, never touching. */
typedef struct GameSet {
    GameRange *list;
    size_t     n, room;
} GameSet;

/* False when memory is short. Adding in rising order is quick. */
bool game_set_add(GameSet *set, GameRange range);
void game_set_release(GameSet *set);

/* The first games of `span` that are not in the set; none left: n is 0. */
GameRange game_set_first_missing(const GameSet *set, GameRange range);
bool      game_set_overlap(const GameSet *set, GameRange range);
bool      game_set_contain(const GameSet *set, GameRange range);

#endif
