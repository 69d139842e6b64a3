/* The tables of a league: itself, its teams, the versions of their bots, its rounds. A file has at
 * most one league; a round is a run (store/runs.h), entered with its row in league_rounds.
 *
 * An entrant of a round is a version, found by its name: that of its team, and from the second
 * version on " v2" and so on. Names of teams do not end like that, so names are unique. */
#ifndef TURF_STORE_LEAGUES_H
#define TURF_STORE_LEAGUES_H

#include "store/store.h"

enum { MAX_LEAGUE_VERSIONS = 100000, MAX_LEAGUE_ROUNDS = 1000000000 };

/* What visitors of the server may see. */
typedef enum LeagueAudience { AUDIENCE_NOTHING, AUDIENCE_TABLE, AUDIENCE_GAMES } LeagueAudience;
enum { N_AUDIENCES = AUDIENCE_GAMES + 1 };
extern const char *const audience_names[N_AUDIENCES];

/* What a server that starts goes on with. */
typedef enum LeagueWish { WISH_NOTHING, WISH_ROUNDS, WISH_FINAL } LeagueWish;

typedef struct LeagueRecord {
    char          *plan; /* JSON, without entrants and pairs */
    LeagueAudience audience;
    int64_t        created; /* seconds since 1970 */
    bool           is_frozen;
    LeagueWish     wish;
} LeagueRecord;

typedef struct TeamRecord {
    int64_t id;
    char   *name, *token_hash; /* token_hash: NULL if nobody was invited */
    int64_t created;
    bool    allows_practice; /* visitors may play against its bot */
} TeamRecord;

typedef struct VersionRecord {
    int64_t id, team;                  /* team: its id */
    int     number;                    /* of the team, from 1 */
    char   *spec, *folder, *signature; /* the last two may be NULL */
    int64_t created, retired;          /* retired: 0 if it plays */
    int64_t submission;                /* that it was built from; 0: none */
} VersionRecord;

typedef struct RoundRecord {
    int64_t run, round;
    bool    is_final, is_finished;
} RoundRecord;

/* The rating of a version after a round. */
typedef struct RatingRecord {
    int64_t  version, round; /* version: its id */
    double   elo, low, high;
    bool     has_low, has_high;
    uint64_t n_games;
    int64_t  created; /* seconds since 1970 */
} RatingRecord;

/* Call these in a transaction. */
bool leagues_add(Store *store, const LeagueRecord *league, TurfError *error);
bool leagues_set_frozen(Store *store, bool is_frozen, TurfError *error);
bool leagues_set_audience(Store *store, LeagueAudience audience, TurfError *error);
bool leagues_set_wish(Store *store, LeagueWish wish, TurfError *error);
bool leagues_set_practice(Store *store, int64_t team, bool allows_practice, TurfError *error);
/* Sets `id`. */
bool leagues_add_team(Store *store, TeamRecord *team, TurfError *error);
bool leagues_add_version(Store *store, VersionRecord *version, TurfError *error);
/* A new token replaces the old one. */
bool leagues_set_token(Store *store, int64_t team, const char *token_hash, TurfError *error);
/* Retires the version of a team that plays, if there is one. */
bool leagues_retire(Store *store, int64_t team, TurfError *error);

/* Sets `created`. A rating of that round that is there already is replaced. */
bool leagues_add_rating(Store *store, RatingRecord *rating, TurfError *error);

/* NOT_FOUND if there is no league in the file. Free the plan with free. */
bool leagues_read(Store *store, LeagueRecord *league, TurfError *error);
/* In the order of their ids; checked: names differ, versions of a team count from 1 without gaps,
 * and only the last may be playing. */
bool leagues_teams(Store *store, TeamRecord **teams, size_t *n_teams, TurfError *error);
void teams_free(TeamRecord *teams, size_t n_teams);
bool leagues_versions(Store *store, VersionRecord **versions, size_t *n_versions, TurfError *error);
void versions_free(VersionRecord *versions, size_t n_versions);
/* The audience of that name; false if there is none. */
bool audience_named(const char *name, LeagueAudience *audience);
/* In their order; free them with free. */
bool leagues_rounds(Store *store, RoundRecord **rounds, size_t *n_rounds, TurfError *error);

/* The ratings of all versions of a team, in the order of rounds; free them with free. */
bool leagues_ratings(Store *store, int64_t team, RatingRecord **ratings, size_t *n_ratings,
                     TurfError *error);

/* Is a run a round or a final of the league? */
bool leagues_has_run(Store *store, int64_t run, bool *is_there, TurfError *error);

/* Do the rounds fit together: versions, pairings, games and batches, none counted twice? */
bool leagues_check(Store *store, TurfError *error);

/* Calls `visit` with totals of two entrants, by their names; several times for the same two.
 * "first" in the totals is the first name; `is_swapped`: it moved second. Lengths and times are
 * left out. `from_round` and up, finals left out. */
typedef bool PairVisitor(void *context, const char *first, const char *second, bool is_swapped,
                         const TurfTotals *totals);
bool leagues_each_result(Store *store, int64_t from_round, PairVisitor *visit, void *context,
                         TurfError *error);

#endif
