/* Live games: those played by people, or for people to watch. Each move is stored as it is made, so
 * a game continues where it was after the server restarts. */
#ifndef TURF_STORE_LIVE_GAMES_H
#define TURF_STORE_LIVE_GAMES_H

#include "store/store.h"

typedef struct StoredLiveGame {
    const char *id, *game;
    int64_t     created_ms, updated_ms; /* since 1970 */
    bool        is_over, is_listed;
    const char *names[2];
    int         winner;           /* a side, or -1 */
    const char *outcome, *reason; /* NULL until it is over */
    int64_t     n_moves, scores[2];
    const char *setup, *live; /* JSON that the server writes and reads */
} StoredLiveGame;

/* Sets PRAGMA synchronous=NORMAL: commits survive a crash of the program, but the last ones may not
 * survive a power failure. A move need not wait for the disk. */
bool live_games_prepare(Store *store, TurfError *error);

/* Inserts or updates a live game. */
bool live_games_save(Store *store, const StoredLiveGame *live_game, TurfError *error);
/* Updates `live` alone, when only the clocks have changed. */
bool live_games_save_live(Store *store, const char *id, const char *live, TurfError *error);
/* The same as live_games_save with one more move, as JSON; `n_moves` is its number. */
bool live_games_save_move(Store *store, const StoredLiveGame *live_game, int side, const char *move,
                          int64_t ms, TurfError *error);
/* A whole game: the row and its `n_moves` moves, in place of any that were stored under its id. */
typedef struct StoredMove {
    int         side;
    const char *move; /* JSON */
    int64_t     ms;
} StoredMove;
bool live_games_save_whole(Store *store, const StoredLiveGame *live_game, const StoredMove *moves,
                           TurfError *error);
/* The same after an undo: deletes the moves after `n_moves`. */
bool live_games_save_undo(Store *store, const StoredLiveGame *live_game, TurfError *error);

/* Deletes the oldest finished games beyond `max_kept`, some of them at a time. */
bool live_games_trim(Store *store, int64_t max_kept, TurfError *error);

/* The texts are valid during the visit. A visitor returns false to end. */
typedef bool LiveGameVisitor(void *context, const StoredLiveGame *live_game);
typedef bool LiveGameMoveVisitor(void *context, int64_t ply, int side, const char *move,
                                 int64_t ms);

/* NOT_FOUND if there is none. */
bool live_games_find(Store *store, const char *id, LiveGameVisitor *visit, void *context,
                     TurfError *error);
bool live_games_each_move(Store *store, const char *id, LiveGameMoveVisitor *visit, void *context,
                          TurfError *error);

typedef struct LiveGameFilter {
    bool        is_over;
    bool        only_listed;
    const char *game, *player; /* NULL: any; `player` is part of a name */
    int64_t     before_ms;     /* older than this, or as old with a smaller id */
    const char *before_id;
    int64_t     limit;
} LiveGameFilter;

/* The latest first. */
bool live_games_each(Store *store, const LiveGameFilter *filter, LiveGameVisitor *visit,
                     void *context, TurfError *error);

#endif
