/* The terms of the bots of a round where strangers enter them: always in the sandbox, each without
 * sight of the others' files. */
#ifndef TURF_LEAGUE_LEAGUE_TERMS_H
#define TURF_LEAGUE_LEAGUE_TERMS_H

#include "arena/run.h"
#include "league/league.h"

/* What the players of a run point to; released after the run. */
typedef struct LeagueTerms {
    const char ***hidden; /* a list for each player, of `paths` or of the caller's */
    char        **paths;
    size_t       *owners; /* the player whose command names the path */
    size_t        n_players, n_paths, room;
} LeagueTerms;

/* Sets the terms of all players that start programs: `common`, but with the folder of each, and
 * with the league's own limits where those are lower. INVALID if there is no sandbox, or for
 * players that open a port. `common` must live as long as the run. */
bool league_terms_set(LeagueTerms *terms, Run *run, const BotTerms *common, TurfError *error);
/* The same for one player, which is played against outside of a round, with the rules of a league.
 */
bool league_terms_set_one(TurfPlayer *player, const Plan *rules, const BotTerms *common,
                          TurfError *error);
void league_terms_release(LeagueTerms *terms);

/* INVALID if a version that plays, or the unfinished run `run` (0: none), starts programs, and was
 * not entered by this user. */
bool league_check_trust(const League *league, int64_t run, TurfError *error);

#endif
