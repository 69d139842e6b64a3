/* A league that somebody else plays, kept up to date without reading all of its games again: the
 * results of rounds that are finished never change, so only those after them are read.
 *
 * One thread at a time. */
#ifndef TURF_LEAGUE_LEAGUE_WATCH_H
#define TURF_LEAGUE_LEAGUE_WATCH_H

#include "league/league.h"

typedef struct LeagueWatch {
    bool          is_open;
    League        league;  /* as the file had it at the last refresh */
    LeagueResult *settled; /* the results of all rounds before settled_round, which are finished */
    size_t        n_settled;
    int64_t       settled_round;
} LeagueWatch;

/* Reads what is new. NOT_FOUND if there is no league in the file; after any failure the watch is
 * not open, and the next call reads everything. */
bool league_watch_refresh(LeagueWatch *watch, Store *store, TurfError *error);
void league_watch_release(LeagueWatch *watch);

#endif
