/* Stretches: how the games of a run are cut into pieces, and how a piece is played. What a game becomes depends on the
 * seed, its players and its number alone, so pieces may be played by any thread of any machine, in any order. */
#ifndef TURF_ARENA_STRETCH_H
#define TURF_ARENA_STRETCH_H

#include "arena/log.h"
#include "arena/match.h"
#include "store/records.h"
#include "store/spans.h"

/* What a start became that may draw on its stream, and then is made anew for each game. */
typedef struct GroundStart {
    const char *text; /* NULL: the usual one */
    bool        varies;
    TurfState   state; /* if it does not */
} GroundStart;

/* A game that was written down. */
typedef struct LoggedGame {
    GameRecord record;
    GameLog    log;
    char      *texts[4]; /* that the record points to */
} LoggedGame;

/* What some games in a row of a pairing came to. */
typedef struct Part {
    struct Part *next;
    Span         games;
    TurfTotals   totals[2]; /* as in ChunkRecord */
    bool         is_single; /* one game, which counts by its record */
    bool         is_unique; /* it cannot be played again, so the next game waits until it is safe */
    LoggedGame  *logged;
    size_t       n_logged;
} Part;

/* What the games of a run share. */
typedef struct Ground {
    const TurfGame    *game;
    const TurfPairing *pairings;
    size_t             n_pairings;
    uint64_t           seed;
    GroundStart       *starts; /* game by game in turns */
    size_t             n_starts;
    int64_t            time_ms, move_cap_ms;
    uint64_t           n_recorded;    /* of each pairing, from the first */
    bool               logs_singles;  /* games with bots or clocks are handed over one by one, with their moves */
    bool               counts_singly; /* all games count one by one */
    bool               tells_games;   /* no stretch is left to a kernel */
    const atomic_bool *stop;
    /* Takes a part, which is the receiver's to free from then on. False: no more is wanted. */
    bool (*receive)(void *context, Part *part);
    /* A game that counts was played. May be NULL. */
    void (*finished)(void *context, size_t pairing, uint64_t index, bool is_swapped, const MatchResult *result);
    void *context;
} Ground;

/* Checks players and starts, and makes the ground ready. `starts` may be empty: the usual one. */
bool ground_init(Ground *ground, const char *const *starts, size_t n_starts, TurfError *error);
void ground_release(Ground *ground);

/* Do games of this pairing count one by one, because they cannot be played again or take their time? */
bool pairing_is_single(const Ground *ground, size_t pairing);

/* How many stretches there are, and which games a stretch has: perhaps none. They take all pairings in turns, so that
 * every row of a table grows at the same time. */
uint64_t stretch_count(const Ground *ground);
Span     stretch_at(const Ground *ground, uint64_t index);
/* Which of `n_shards` plays it, from 1. */
int stretch_shard(const Ground *ground, uint64_t index, int n_shards);

/* Plays games of one stretch and hands them over in parts. */
bool stretch_play(const Ground *ground, Span games, TurfError *error);

void part_free(Part *part);

#endif
