/* The recorded games of all runs, for the history on the server. */
#ifndef TURF_STORE_RECORDED_GAMES_H
#define TURF_STORE_RECORDED_GAMES_H

#include "store/store.h"

/* Sides are those of the board: names[0] moved first. The texts are valid during the visit. */
typedef struct RecordedGame {
    int64_t     id, run, created; /* seconds since 1970, of the run */
    bool        is_of_league;
    const char *game, *names[2];
    const char *ending;               /* first, second, draw, stalemate, exhausted */
    int         forfeiter;            /* a side, or -1 */
    const char *reason, *explanation; /* of a forfeit; or NULL */
    int64_t     length;
    const char *start, *moves, *times; /* JSON, as in GameRecord */
} RecordedGame;

typedef struct RecordedGameFilter {
    const char *game, *player; /* NULL: any; `player` is part of a name */
    int64_t     run;           /* 0: any */
    bool        hides_league;  /* leaves games of the league out */
    int64_t     before_id;     /* 0: from the last */
    int64_t     limit;
} RecordedGameFilter;

typedef bool RecordedGameVisitor(void *context, const RecordedGame *game);

/* The latest first, until `visit` returns false. */
bool recorded_games_each(Store *store, const RecordedGameFilter *filter, RecordedGameVisitor *visit,
                         void *context, TurfError *error);
/* NOT_FOUND if there is none. */
bool recorded_games_find(Store *store, int64_t id, RecordedGameVisitor *visit, void *context,
                         TurfError *error);

#endif
