/* Sets of games: a sorted array of ranges, searched by bisection. */
#include "store/game_set.h"

#include <stdlib.h>
#include <string.h>

static bool is_before(const GameRange *range, size_t pairing, uint64_t game)
{
    return range->pairing < pairing ||
           (range->pairing == pairing && range->first + range->n <= game);
}

/* The index of the first range that ends after a game. */
static size_t find(const GameSet *set, size_t pairing, uint64_t game)
{
    size_t low = 0, high = set->n;
    if (high > 0 && is_before(&set->list[high - 1], pairing, game))
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&set->list[middle], pairing, game))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert_at(GameSet *set, size_t at, GameRange range)
{
    if (set->n == set->room) {
        size_t     room = set->room ? 2 * set->room : 16;
        GameRange *larger = realloc(set->list, room * sizeof *larger);
        if (!larger)
            return false;
        set->list = larger;
        set->room = room;
    }
    memmove(&set->list[at + 1], &set->list[at], (set->n - at) * sizeof *set->list);
    set->list[at] = range;
    set->n++;
    return true;
}

bool game_set_add(GameSet *set, GameRange range)
{
    if (range.n == 0)
        return true;
    /* Ranges that overlap or touch it are merged with it. */
    size_t   at = find(set, range.pairing, range.first), end;
    uint64_t last = range.first + range.n;
    if (at > 0 && set->list[at - 1].pairing == range.pairing &&
        set->list[at - 1].first + set->list[at - 1].n == range.first)
        at--;
    for (end = at;
         end < set->n && set->list[end].pairing == range.pairing && set->list[end].first <= last;
         end++) {
        const GameRange *old = &set->list[end];
        if (old->first < range.first)
            range.first = old->first;
        if (old->first + old->n > last)
            last = old->first + old->n;
    }
    range.n = last - range.first;
    if (end == at)
        return insert_at(set, at, range);
    set->list[at] = range;
    memmove(&set->list[at + 1], &set->list[end], (set->n - end) * sizeof *set->list);
    set->n -= end - at - 1;
    return true;
}

void game_set_release(GameSet *set)
{
    free(set->list);
    *set = (GameSet){0};
}

GameRange game_set_first_missing(const GameSet *set, GameRange range)
{
    uint64_t last = range.first + range.n;
    size_t   at = find(set, range.pairing, range.first);
    if (at < set->n && set->list[at].pairing == range.pairing &&
        set->list[at].first <= range.first) {
        uint64_t past = set->list[at].first + set->list[at].n;
        range.first = past < last ? past : last;
        at++;
    }
    if (at < set->n && set->list[at].pairing == range.pairing && set->list[at].first < last)
        last = set->list[at].first;
    range.n = last - range.first;
    return range;
}

bool game_set_overlaps(const GameSet *set, GameRange range)
{
    size_t at = find(set, range.pairing, range.first);
    return range.n > 0 && at < set->n && set->list[at].pairing == range.pairing &&
           set->list[at].first < range.first + range.n;
}

bool game_set_contains(const GameSet *set, GameRange range)
{
    return game_set_first_missing(set, range).n == 0;
}
