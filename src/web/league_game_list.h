/* Games of the league as JSON. The latest are kept in memory, as many as the closest ones and the
 * upsets are chosen from: their scores follow from their moves, and are worked out once.
 *
 * One thread at a time: under the lock of the league's service. */
#ifndef TURF_WEB_LEAGUE_GAME_LIST_H
#define TURF_WEB_LEAGUE_GAME_LIST_H

#include "league/league_table.h"
#include "store/league_games.h"

#include <jansson.h>

enum { RECENT_GAMES = 300, SHOWN_GAMES = 10 };

typedef struct SeenGame {
    int64_t id;
    json_t *json; /* without "ratings" */
    size_t  versions[2];
    int     winner; /* a side, or -1 */
    int     margin; /* of the scores at the end */
    bool    is_forfeit;
} SeenGame;

typedef struct GameList {
    SeenGame list[RECENT_GAMES]; /* the latest first */
    size_t   n;
} GameList;

void game_list_release(GameList *games);
/* Reads the games that are new. */
bool game_list_refresh(GameList *games, const League *league, TurfError *error);
/* Reads a page of games that match, from the store. `next`: where the following page begins; 0:
 * there is none. The list is to be released. */
bool game_list_read(GameList *games, const League *league, const LeagueGameFilter *filter,
                    int64_t *next, TurfError *error);

typedef enum GameOrder { GAMES_NEWEST, GAMES_CLOSEST, GAMES_UPSETS } GameOrder;

/* Some of them, with the ratings of today; NULL when out of memory. Of the closest and the upsets
 * those that are none are left out. */
json_t *game_list_json(const GameList *games, const League *league, const Standings *all,
                       GameOrder order, size_t from, size_t n_max, bool *has_more);

#endif
