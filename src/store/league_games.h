/* The games of a league, for lists and for the pages of teams. */
#ifndef TURF_STORE_LEAGUE_GAMES_H
#define TURF_STORE_LEAGUE_GAMES_H

#include "store/recorded_games.h"

/* The names are those of versions. Texts are valid during the visit. */
typedef struct LeagueGame {
    RecordedGame game;
    int64_t      round;
    bool         is_final;
    const char  *last_words; /* of the forfeiter; private to its team; or NULL */
} LeagueGame;

typedef enum LeagueGameKind {
    LEAGUE_GAMES_ALL,
    LEAGUE_GAMES_LOST,     /* by `team` */
    LEAGUE_GAMES_FORFEITS, /* by `team`; without one, by anybody */
    LEAGUE_GAMES_FINAL
} LeagueGameKind;

typedef struct LeagueGameFilter {
    LeagueGameKind kind;
    const char    *team, *opponent; /* names of teams; NULL: any */
    int64_t        before_id;       /* 0: from the last */
    int64_t        after_id;
    int64_t        limit;
} LeagueGameFilter;

typedef bool LeagueGameVisitor(void *context, const LeagueGame *game);

/* The latest first, until `visit` returns false. */
bool league_games_each(Store *store, const LeagueGameFilter *filter, LeagueGameVisitor *visit,
                       void *context, TurfError *error);
/* NOT_FOUND if there is none of that number in the league. */
bool league_games_find(Store *store, int64_t id, LeagueGameVisitor *visit, void *context,
                       TurfError *error);

/* The pairings of a run that are not finished, up to `limit`. */
typedef bool UnfinishedVisitor(void *context, const char *const names[2], uint64_t n_games,
                               uint64_t n_played);
bool league_games_unfinished(Store *store, int64_t run, int64_t limit, UnfinishedVisitor *visit,
                             void *context, TurfError *error);

#endif
