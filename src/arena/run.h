/* A run: a plan, its players, the pairings decided so far, and the games played so far.
 *
 * A match is a run with one pairing; a shard is a run of some batches of a plan; a resumed run is
 * like any other. workers.h plays it.
 *
 * Invariant: `totals`, `played` and `points` hold the same games, and with a store only games that
 * are committed there. run_count is the one place that adds to them. */
#ifndef TURF_ARENA_RUN_H
#define TURF_ARENA_RUN_H

#include "arena/game_log.h"
#include "arena/plan.h"
#include "gpu/device.h"
#include "store/records.h"

/* The limits of a run, on the command line and in the library. */
enum { MAX_JOBS = 1024, MAX_TURN_MS = 86400000 };
#define MAX_PAIRING_GAMES UINT64_C(10000000000)

typedef struct Run {
    Plan    plan;
    int     n_jobs;          /* threads; 0: one per processor */
    int     shard, n_shards; /* 1 of 1: all games */
    Device *device;          /* the caller's; plays what it can. NULL: none */
    Store  *store;           /* the caller's; NULL: nothing is stored */
    int64_t run_id;          /* in the store */
    int64_t league_round;    /* of a league, for run_begin; 0: none */
    bool    is_league_final;

    /* The pairings decided so far; all three arrays have room for those of every round. */
    size_t         n_pairings;
    PairingRecord *schedule;
    TurfPairing   *pairings;
    TurfTotals (*totals)[2]; /* as in BatchRecord */

    GameSet    played;
    uint64_t   n_before; /* games played before the run was resumed */
    ArenaDelay delay;

    /* Of a match with swapped sides whose games are stored one by one: the points of the first
     * entrant in each game, in halves, plus one; 0: not played. */
    uint8_t   *points;
    uint64_t   n_points;
    SprtStatus test; /* if the plan has an SPRT */

    /* Games of bots that are kept at home were left out, since these are not connected; all others
     * were played. */
    bool leaves_out;
} Run;

/* Takes the plan over and opens those of its players that are not open. A run whose results are
 * only shown (`will_play` false) gets placeholders, so no bot is looked for and no port opened. */
bool run_init(Run *run, Plan *plan, bool will_play, TurfError *error);
void run_release(Run *run);

/* Decides the first round. With a store (NULL: none) writes the run there and locks it. */
bool run_begin(Run *run, Store *store, TurfError *error);
/* Loads the pairings and games of a stored run with the same plan. `will_play` locks it. */
bool run_attach(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error);
/* run_init with the plan of a stored run, then run_attach. */
bool run_resume(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error);

/* Decides the next round of a Swiss tournament from the results so far, and stores its pairings. */
bool run_decide_round(Run *run, TurfError *error);
bool run_is_last_round(const Run *run);

/* Counts games of one pairing. `single` is the record of a game that is stored by itself, or NULL.
 * False when out of memory. */
bool run_count(Run *run, GameRange games, const TurfTotals totals[2], const GameRecord *single);

/* The number of games in the whole run or shard, in the rounds decided so far, and played. */
uint64_t run_n_games(const Run *run);
uint64_t run_n_decided(const Run *run);
uint64_t run_n_played(const Run *run);
bool     run_is_whole(const Run *run);

/* Are the games of this run scored in pairs, each start from both sides? */
bool run_is_paired(const Run *run);
/* The scores of a match: by pairs of games if all games were stored one by one, else by games. */
ScoreCounts run_scores(const Run *run);
/* Updates `test` from the scores. It is decided only at the sizes that sprt_look names, where no
 * game is missing in the middle. */
void run_update_test(Run *run);

/* Iterator over the games not yet played, in batches: ranges of consecutive games of one pairing.
 * Batches take all pairings in turn, so that every row of the table grows at the same rate.
 * Threads, resumed runs, shards and MPI ranks all take their games from it. */
typedef enum GameFilter { ALL_GAMES, ONLY_RECORDED, NOT_RECORDED } GameFilter;

typedef struct GameIterator {
    const Run  *run;
    GameFilter  filter;  /* by batch: a batch with a recorded game counts as recorded */
    const bool *skipped; /* pairings that are left out; NULL: none */
    uint64_t    next_batch, n_batches, step;
    GameRange   rest; /* of the batch before next_batch */
} GameIterator;

GameIterator run_games_left(const Run *run, GameFilter filter);
/* Those of one pairing that are not recorded. */
GameIterator run_games_left_of(const Run *run, size_t pairing);
/* False: there are no more. */
bool next_games(GameIterator *iterator, GameRange *games);

#endif
