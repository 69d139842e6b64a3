/* Games of the league as JSON; see league_game_list.h. */
#include "web/league_game_list.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "web/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void game_list_release(GameList *games)
{
    for (size_t i = 0; i < games->n; i++)
        json_decref(games->list[i].json);
    games->n = 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct Reading {
    const League *league;
    SeenGame     *list;
    size_t        n, room;
    int64_t       last_id;
    bool          has_failed;
} Reading;

static json_t *game_json(const LeagueGame *row, const Record *record, const League *league,
                         const SeenGame *seen)
{
    const LeagueVersion *one = &league->versions[seen->versions[0]],
                        *other = &league->versions[seen->versions[1]];
    json_t *json = record_summary(record);
    json_put(&json, "teams",
             json_pack("[s,s]", league->teams[one->team].name, league->teams[other->team].name));
    json_put(&json, "versions", json_pack("[i,i]", one->number, other->number));
    json_put(&json, "round", json_integer(row->round));
    json_put(&json, "is_final", json_boolean(row->is_final));
    return json;
}

/* Games that cannot be read are left out, as in the history. */
static bool add_game(void *context, const LeagueGame *row)
{
    Reading  *reading = context;
    SeenGame *seen = &reading->list[reading->n];
    RecordedGame public = row->game;
    const LeagueVersion *one = league_version(reading->league, row->game.names[0]),
                        *other = league_version(reading->league, row->game.names[1]);
    Record    record;
    TurfError error = {0};
    reading->last_id = row->game.id;
    public.explanation = NULL; /* it may quote what a bot wrote */
    if (!one || !other || !record_of_game(&public, &record, &error)) {
        reading->has_failed = error.code == TURF_ERROR_NO_MEMORY;
        return !reading->has_failed;
    }
    int scores[2] = {0, 0};
    if (record.history.n_plies > 0)
        memcpy(scores, record.history.plies[record.history.n_plies - 1].scores, sizeof scores);
    *seen = (SeenGame){
        .id = row->game.id,
        .versions = {(size_t)(one - reading->league->versions),
                     (size_t)(other - reading->league->versions)},
        .winner = record.finish.winner,
        .margin = abs(scores[0] - scores[1]),
        .is_forfeit = row->game.forfeiter >= 0,
    };
    seen->json = game_json(row, &record, reading->league, seen);
    record_release(&record);
    reading->has_failed = !seen->json;
    reading->n += !reading->has_failed;
    return !reading->has_failed && reading->n < reading->room;
}

static bool read_games(Reading *reading, const LeagueGameFilter *filter, TurfError *error)
{
    return league_games_each(reading->league->store, filter, add_game, reading, error) &&
           (!reading->has_failed || error_no_memory(error));
}

bool game_list_refresh(GameList *games, const League *league, TurfError *error)
{
    SeenGame *fresh = calloc(RECENT_GAMES, sizeof *fresh);
    if (!fresh)
        return error_no_memory(error);
    Reading reading = {.league = league, .list = fresh, .room = RECENT_GAMES};
    bool    is_good = read_games(
           &reading,
           &(LeagueGameFilter){.after_id = games->n ? games->list[0].id : 0, .limit = RECENT_GAMES},
           error);
    size_t n_kept = games->n, n_new = reading.n;
    if (n_kept > RECENT_GAMES - n_new)
        n_kept = RECENT_GAMES - n_new;
    for (size_t i = n_kept; i < games->n; i++)
        json_decref(games->list[i].json);
    memmove(games->list + n_new, games->list, n_kept * sizeof *games->list);
    memcpy(games->list, fresh, n_new * sizeof *fresh);
    games->n = n_new + n_kept;
    free(fresh);
    return is_good;
}

bool game_list_read(GameList *games, const League *league, const LeagueGameFilter *filter,
                    int64_t *next, TurfError *error)
{
    Reading reading = {.league = league,
                       .list = games->list,
                       .room =
                           (size_t)(filter->limit < RECENT_GAMES ? filter->limit : RECENT_GAMES)};
    games->n = 0;
    bool is_good = read_games(&reading, filter, error);
    games->n = reading.n;
    /* Games that could not be read make a page shorter, not the last. */
    *next = reading.n == reading.room ? reading.last_id : 0;
    if (!is_good)
        game_list_release(games);
    return is_good;
}

/* ---- showing ------------------------------------------------------------------------------- */

typedef struct GameChoice {
    const SeenGame *game;
    double          worth; /* the larger, the earlier */
    double          elos[2];
    bool            is_rated[2];
} GameChoice;

static int by_worth(const void *left, const void *right)
{
    const GameChoice *a = left, *b = right;
    if (a->worth != b->worth)
        return a->worth > b->worth ? -1 : 1;
    return a->game->id > b->game->id ? -1 : 1;
}

static GameChoice choice_of(const SeenGame *game, const double *elos, GameOrder order)
{
    GameChoice choice = {.game = game, .worth = -1};
    for (int side = 0; side < 2; side++) {
        choice.elos[side] = elos[game->versions[side]];
        choice.is_rated[side] = !isnan(choice.elos[side]);
    }
    if (order == GAMES_NEWEST)
        choice.worth = 0;
    else if (order == GAMES_CLOSEST && !game->is_forfeit)
        choice.worth = 1.0 / (1 + game->margin);
    else if (order == GAMES_UPSETS && game->winner >= 0 && !game->is_forfeit &&
             choice.is_rated[0] && choice.is_rated[1])
        choice.worth = choice.elos[!game->winner] - choice.elos[game->winner];
    return choice;
}

static json_t *elo_json(bool is_rated, double elo)
{
    return is_rated ? json_real(elo) : json_null();
}

static json_t *choice_json(const GameChoice *choice)
{
    json_t *json = json_copy(choice->game->json);
    json_put(&json, "ratings",
             json_pack("[o,o]", elo_json(choice->is_rated[0], choice->elos[0]),
                       elo_json(choice->is_rated[1], choice->elos[1])));
    return json;
}

/* The ratings of all versions; not a number for those without. */
static double *elos_of(const League *league, const Standings *all)
{
    double *elos = malloc((league->n_versions + 1) * sizeof *elos);
    for (size_t i = 0; elos && i < league->n_versions; i++)
        elos[i] = NAN;
    for (size_t i = 0; elos && i < all->n; i++)
        if (all->list[i].rating.status == RATED)
            elos[league_version(league, all->list[i].name) - league->versions] =
                all->list[i].rating.elo.value;
    return elos;
}

json_t *game_list_json(const GameList *games, const League *league, const Standings *all,
                       GameOrder order, size_t from, size_t n_max, bool *has_more)
{
    GameChoice *choices = calloc(games->n + 1, sizeof *choices);
    double     *elos = elos_of(league, all);
    json_t     *list = choices && elos ? json_array() : NULL;
    size_t      n = 0;
    for (size_t i = 0; list && i < games->n; i++) {
        GameChoice choice = choice_of(&games->list[i], elos, order);
        if (order == GAMES_NEWEST || choice.worth > 0)
            choices[n++] = choice;
    }
    if (list && n > 0)
        qsort(choices, n, sizeof *choices, by_worth);
    for (size_t i = from; i < n && i - from < n_max; i++)
        json_add(&list, choice_json(&choices[i]));
    if (has_more)
        *has_more = n > from && n - from > n_max;
    free(choices);
    free(elos);
    return list;
}
