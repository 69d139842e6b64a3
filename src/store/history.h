/* Recorded games of all runs, for whoever looks through them. */
#ifndef TURF_STORE_HISTORY_H
#define TURF_STORE_HISTORY_H

#include "store/store.h"

/* What is said of sides is said of the board: names[0] moved first. The texts are valid during the
 * visit. */
typedef struct HistoryGame {
    int64_t     id, run, created; /* seconds since 1970, of the run */
    const char *game, *names[2];
    const char *ending;               /* first, second, draw, stalemate, exhausted */
    int         forfeiter;            /* a side, or -1 */
    const char *reason, *explanation; /* of a forfeit; or NULL */
    int64_t     length;
    const char *start, *moves, *times; /* JSON, as in GameRecord */
} HistoryGame;

typedef struct HistoryFilter {
    const char *game, *player; /* NULL: any; `player` is part of a name */
    int64_t     run;           /* 0: any */
    int64_t     before_id;     /* 0: from the last */
    int64_t     limit;
} HistoryFilter;

typedef bool HistoryVisitor(void *context, const HistoryGame *game);

/* The latest first, until `visit` returns false. */
bool history_each(Store *store, const HistoryFilter *filter, HistoryVisitor *visit, void *context,
                  TurfError *error);
/* NOT_FOUND if there is none. */
bool history_find(Store *store, int64_t id, HistoryVisitor *visit, void *context, TurfError *error);

#endif
