/* Rounds of a league: each is a run, begun, played by arena/run_play.h, and counted.
 *
 *     LeagueRound round;
 *     if (league_begin_round(&league, &size, &round, error)) {
 *         ... set the terms of round.run.plan.players, the number of jobs ...
 *         is_good = run_play(&round.run, &hooks, error);
 *         is_good = league_end_round(&league, &round, error) && is_good;
 *     }
 *
 * A program that is killed leaves an unfinished run: the next league_begin_round continues it. */
#ifndef TURF_LEAGUE_LEAGUE_ROUND_H
#define TURF_LEAGUE_LEAGUE_ROUND_H

#include "arena/merge.h"
#include "arena/run.h"
#include "arena/run_play.h"
#include "league/league.h"

/* A version rests once so many games in a row, all it has played, ended by its own forfeits; the
 * next version plays again. */
enum { GAMES_BEFORE_REST = 10 };

typedef struct LeagueRound {
    Run run;
    TurfTotals (*before)[2]; /* what was counted when it was continued */
    size_t n_before;
} LeagueRound;

/* How many games a round may have: as many as there are pairs, or at most `max_games`, or, to be
 * split into shards, about `max_games` (`is_filled`). */
typedef struct RoundSize {
    uint64_t max_games; /* 0: as many as there are pairs */
    bool     is_filled;
} RoundSize;

/* Does the version rest? */
bool league_rests(const League *league, size_t version);

/* Decides the next round: a plan with all versions that play, and their pairs. INVALID if there are
 * fewer than two that do not rest. */
bool league_plan_round(const League *league, const RoundSize *size, Plan *plan, TurfError *error);

/* Continues the round that is unfinished, or decides and stores the next. */
bool league_begin_round(League *league, const RoundSize *size, LeagueRound *round,
                        TurfError *error);
/* Counts the games that were played, notes the ratings after a round that is done, and releases it.
 */
bool league_end_round(League *league, LeagueRound *round, TurfError *error);

/* Playing round after round. */
typedef struct RoundsTerms {
    uint64_t max_games; /* 0: no limit */
    bool (*is_over)(void *context);
    /* Before a round is decided; NULL: no check. */
    bool (*check)(void *context, const League *league, TurfError *error);
    /* Sets the terms of the run's players, and the number of jobs. */
    bool (*prepare)(void *context, Run *run, TurfError *error);
    /* After a round was played and released; NULL: nothing. */
    void (*finish)(void *context);
    RunHooks hooks;
    void    *context; /* of the four above */
} RoundsTerms;

/* Plays until the games are played or it is over. What was played is in the file also after a
 * failure, and counted in `n_played`. */
bool league_play_rounds(League *league, const RoundsTerms *terms, uint64_t *n_played,
                        TurfError *error);
/* Plays what is left of a round that was begun; it must be ended all the same. */
bool league_play_round(LeagueRound *round, const RoundsTerms *terms, uint64_t *n_played,
                       TurfError *error);

/* Merges the shards of the next round, which other machines decided and played (league_plan_round).
 * INVALID if they are of another round, such as one that was merged already. Opens the league
 * again, so that it counts them. */
bool league_merge(League *league, const char *const *paths, size_t n_paths, MergeShards *shards,
                  TurfError *error);

/* The final: the best of the table against each other. */
typedef struct FinalTerms {
    ScheduleKind schedule; /* SCHEDULE_KNOCK_OUT, SCHEDULE_SWISS, or SCHEDULE_PAIRS: every two */
    size_t       n_best;
    uint64_t     n_games; /* of each two */
    char *const *starts;  /* instead of those of the league; none: those of the league */
    size_t       n_starts;
    uint64_t     seed;
} FinalTerms;

/* Continues the final that is unfinished, or begins one. Its games do not count in the table. */
bool league_begin_final(League *league, const FinalTerms *terms, LeagueRound *round,
                        TurfError *error);

#endif
