/* A league: a contest that never stops, in one database. Teams come, replace their bots and go
 * while it is played; the games that a version has played stay its own.
 *
 * A League is a copy of the tables in memory: what the file had when it was opened, and the games
 * that this program has played since. It is played in rounds (league/round.h), each a run; who
 * plays next follows from the copy alone (league/matchmaking.h), so that any machine with a copy of
 * the file decides the same round.
 *
 * Invariant: `results` has every committed game of the rounds before `next_round`, once; finals do
 * not count. One thread
 * at a time; one program at a time plays a league (store_lock_league), any number may add teams. */
#ifndef TURF_LEAGUE_LEAGUE_H
#define TURF_LEAGUE_LEAGUE_H

#include "arena/plan.h"
#include "report/standings.h"
#include "store/leagues.h"
#include "store/submissions.h"

typedef struct LeagueTeam {
    int64_t id;
    char   *name, *token_hash; /* token_hash: NULL if nobody was invited */
    bool    allows_practice;
    size_t  n_versions; /* 0: it was invited, and has not handed in a bot */
    size_t  current;    /* the version that plays; NO_VERSION: none, it is retired */
} LeagueTeam;

#define NO_VERSION SIZE_MAX

typedef struct LeagueVersion {
    int64_t id;
    size_t  team;
    int     number; /* of the team, from 1 */
    char   *name;   /* as an entrant: "anna", "anna v2" */
    char   *spec, *folder, *signature;
    int64_t created, retired; /* retired: 0 if it plays */
    int64_t submission;       /* that it was built from; 0: none */
} LeagueVersion;

/* All games of two versions. */
typedef struct LeagueResult {
    size_t     first, second; /* versions */
    TurfTotals totals[2];     /* as in PairingResult */
} LeagueResult;

typedef struct League {
    Store         *store; /* the caller's */
    Plan           plan;  /* without entrants and pairs */
    LeagueAudience audience;
    bool           is_frozen;
    LeagueWish     wish;
    int64_t        created; /* seconds since 1970 */
    LeagueTeam    *teams;
    LeagueVersion *versions;
    size_t         n_teams, n_versions;
    LeagueResult  *results; /* sorted by `first`, then `second` */
    size_t         n_results, result_room;
    int64_t        next_round;       /* its number, from 1 */
    int64_t        unfinished;       /* the run of a round that was begun and not finished, or 0 */
    int64_t        unfinished_final; /* the same for a final */
    int64_t        final;            /* the run of the last final that was finished, or 0 */
} League;

/* Makes a league in the file; takes the plan over. INVALID if there is one already. */
bool league_new(Store *store, Plan *plan, LeagueAudience audience, TurfError *error);

/* Reads and checks everything. */
bool league_open(League *league, Store *store, TurfError *error);
void league_release(League *league);
/* Reads again what other programs may have changed: teams, versions, is_frozen. */
bool league_reload(League *league, TurfError *error);
/* Reads the list of rounds again, and adds the games of `round` and up, which are not counted yet.
 */
bool league_read_from(League *league, int64_t round, TurfError *error);

/* Adds a version to a team, and the team if it is new; the version that played until now is
 * retired. `player` was opened with the game's rules and has the team's name. */
bool league_add(League *league, const TurfPlayer *player, const char *folder, TurfError *error);
/* The same for a bot that was handed in: the submission, which gets the number of the version, is
 * accepted in the same transaction. */
bool league_add_submitted(League *league, const TurfPlayer *player, const char *folder,
                          SubmissionRecord *submission, TurfError *error);
bool league_retire(League *league, const char *team, TurfError *error);
/* Gives a team a token, of which only the hash is kept, and makes the team if it is new. The token
 * before is worth nothing from then on. */
bool league_invite(League *league, const char *team, const char *token_hash, TurfError *error);
bool league_set_practice(League *league, const char *team, bool allows_practice, TurfError *error);
bool league_set_audience(League *league, LeagueAudience audience, TurfError *error);
bool league_set_wish(League *league, LeagueWish wish, TurfError *error);
/* While a league is frozen, versions neither come nor go. */
bool league_freeze(League *league, bool is_frozen, TurfError *error);

/* NULL if there is none of that name. */
const LeagueTeam    *league_team(const League *league, const char *name);
const LeagueVersion *league_version(const League *league, const char *name);
/* Does its team keep it at home? */
bool version_is_home(const LeagueVersion *version);
/* False for a bot at home that is not connected to this program. */
bool league_may_play(const League *league, const LeagueVersion *version);
/* Is the version of somebody that starts programs, and was not entered by this user? */
bool league_is_strange(const League *league, const LeagueVersion *version, TurfError *error);

/* The games of one version with all others; "first" is the version. */
TurfTotals league_totals(const League *league, size_t version);
/* Adds games of two versions, by their names; false when out of memory, or for strange names. */
bool     league_count(League *league, const char *first, const char *second, bool is_swapped,
                      const TurfTotals *totals);
uint64_t league_n_games(const League *league);

/* One joint fit of all games of all versions; NULL when out of memory. Lists the versions that play
 * (`lists_all`: all that have played). The names are the versions'. */
Standings *league_standings(const League *league, bool lists_all);

#endif
