/* Sittings: games that are played by people, or for people to watch. Each move is kept as soon as it is made, so
 * that a game goes on where it was when the server comes back. */
#ifndef TURF_STORE_SITTINGS_H
#define TURF_STORE_SITTINGS_H

#include "store/store.h"

typedef struct StoredSitting {
    const char *id, *game;
    int64_t     created_ms, updated_ms; /* since 1970 */
    bool        is_over, is_listed;
    const char *names[2];
    int         winner;           /* a side, or -1 */
    const char *outcome, *reason; /* NULL until it is over */
    int64_t     n_moves, scores[2];
    const char *setup, *live; /* JSON, of the server's making */
} StoredSitting;

/* From now on a commit outlives the end of the program, but its last moments may not outlive a failure of the power: a
 * move at the board need not wait for the disk. */
bool sittings_prepare(Store *store, TurfError *error);

/* Writes how a sitting stands; a new one is made. */
bool sittings_save(Store *store, const StoredSitting *sitting, TurfError *error);
/* Writes `live` alone: nothing has happened but time. */
bool sittings_save_live(Store *store, const char *id, const char *live, TurfError *error);
/* The same as sittings_save with one more move, JSON; `n_moves` is its number. */
bool sittings_save_move(Store *store, const StoredSitting *sitting, int side, const char *move, int64_t ms,
                        TurfError *error);
/* The same after moves were taken back: those after `n_moves` are gone. */
bool sittings_save_undo(Store *store, const StoredSitting *sitting, TurfError *error);

/* Visitors see texts that are valid during the call, and return false to end. */
typedef bool SittingVisitor(void *context, const StoredSitting *sitting);
typedef bool SittingMoveVisitor(void *context, int64_t ply, int side, const char *move, int64_t ms);

/* False without a message in `error` if there is none. */
bool sittings_find(Store *store, const char *id, SittingVisitor *visit, void *context, TurfError *error);
bool sittings_each_move(Store *store, const char *id, SittingMoveVisitor *visit, void *context, TurfError *error);

typedef struct SittingFilter {
    bool        is_over;
    bool        only_listed;
    const char *game, *player; /* NULL: any; `player` is part of a name */
    int64_t     before_ms;     /* older than this, or as old with a smaller id */
    const char *before_id;
    int64_t     limit;
} SittingFilter;

/* The latest first. */
bool sittings_each(Store *store, const SittingFilter *filter, SittingVisitor *visit, void *context, TurfError *error);

#endif
