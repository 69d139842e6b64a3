/* An event: a plan, its players, and what has been played of it, in a store or not. A match is a small event, and one
 * that was interrupted is an event like any other. */
#ifndef TURF_ARENA_EVENT_H
#define TURF_ARENA_EVENT_H

#include "arena/plan.h"
#include "arena/run.h"
#include "store/store.h"

typedef struct Event {
    Plan         plan;
    int          shard, n_shards; /* 1 of 1: all of it */
    TurfPlayer **players;         /* one for each entrant */
    Store       *store;           /* NULL: nothing is kept */
    int64_t      run;             /* its number there */

    /* The pairings that have been decided, and what their games came to; as in ChunkRecord. */
    size_t         n_pairings;
    StoredPairing *schedule;
    TurfPairing   *pairings;
    TurfTotals (*totals)[2];
    Spans      played;
    uint64_t   n_before; /* games that had been played when it was resumed */
    ArenaDelay delay;

    /* Of a match with changing sides whose games count one by one: what the first entrant got in each game, in halves
     * and one more; 0 is not known. */
    uint8_t     *points;
    uint64_t     n_points;
    SprtStanding test; /* where the test of the plan stands, if it has one */
} Event;

/* Plays the games of a job that has a keeper, in another way than run_play does. */
typedef bool EventPlayer(void *context, const Event *event, const RunJob *job, TurfTotals (*totals)[2],
                         TurfError *error);
typedef struct EventElsewhere {
    EventPlayer *play;
    void        *context;
} EventElsewhere;

/* What happens beside the games. All may be NULL. */
typedef struct EventHooks {
    int                   n_jobs;
    const EventElsewhere *elsewhere; /* NULL: the threads of this program play */
    /* As in TurfRunOptions. */
    bool (*progress)(void *context, const TurfTotals *totals, size_t n_pairings);
    void (*forfeited)(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason, const char *text,
                      const char *errors);
    /* Parts that have just been kept; called from another thread, one call at a time. */
    void (*kept)(void *context, Part *const *parts, size_t n_parts);
    /* Who meets whom has been decided, for all or for the next round. */
    void (*paired)(void *context, const Event *event);
    void *context;
} EventHooks;

/* Takes the plan over, and opens its players. If only results are wanted, they need not be able to play: then nothing
 * is looked for or listened to. */
bool event_init(Event *event, Plan *plan, bool will_play, TurfError *error);
void event_release(Event *event);

/* Writes a new run into the store and attaches the event to it; the store stays the caller's. */
bool event_begin(Event *event, Store *store, TurfError *error);
/* Makes an event of a run in the store, with all that has been played of it. */
bool event_resume(Event *event, Store *store, const StoredRun *run, bool will_play, TurfError *error);

/* Decides on the first pairings, which event_play would do as well. */
bool event_prepare(Event *event, TurfError *error);
/* Plays what is missing. True also when it was stopped early: see event_is_whole. */
bool event_play(Event *event, const EventHooks *hooks, TurfError *error);

/* How many games the event, or its shard, has in all, and how many were played. */
uint64_t event_n_games(const Event *event);
uint64_t event_n_played(const Event *event);
bool     event_is_whole(const Event *event);

/* The games that are missing, as a set. */
bool event_missing(const Event *event, Spans *missing);

#endif
