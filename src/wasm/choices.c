/* The choices of players in live games.
 *
 * The house asks {"kind":"think","key","game","player","position","side","rng","left_ms","gain_ms",
 * "script"}; a worker answers {"move"} or {"cells"}, or {"forfeit","text"}, or {"error"} if the
 * player cannot be opened. `key` is of a seat: the worker keeps the seat's player between moves, as
 * the server does, and {"kind":"leave","key"} lets it go. */
#include "wasm/house.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "games/cells.h"
#include "live/choose_ply.h"
#include "wasm/work.h"
#include "web/think.h"

#include <stdlib.h>
#include <string.h>

/* ---- the house ---------------------------------------------------------------------------- */

static void key_of(const HostedGame *hosted, int side, char key[32])
{
    snprintf(key, 32, "%s-%d", hosted->id, side);
}

/* The name of the script that a description is of, or NULL. */
static const char *script_of(const char *spec)
{
    const char *colon = spec ? strstr(spec, "bot:") : NULL;
    return colon ? colon + strlen("bot:") : NULL;
}

static TurfForfeit forfeit_named(const char *name)
{
    for (int reason = 0; reason < TURF_N_FORFEITS; reason++)
        if (!strcmp(name, turf_forfeit_name((TurfForfeit)reason)))
            return (TurfForfeit)reason;
    return TURF_CRASH;
}

/* Reads the chosen ply; false: the answer has none, or the position is another one by now. */
static bool read_choice(ThinkJob *job, const json_t *answer)
{
    const TurfGame *game = job->hosted->setup.game;
    TurfError       why;
    size_t          n_cells = 0;
    job->ply = (Ply){.side = job->side};
    if (game_is_simultaneous(game)) {
        if (!cells_from_json(json_object_get(answer, "cells"), job->cells, &n_cells, &why))
            return false;
        job->ply.actions[job->side] = (TurfAction){job->cells, n_cells};
        return true;
    }
    const json_t *move = json_object_get(answer, "move");
    return move && game->move_from_json(&job->state, move, &job->ply.move, &why) &&
           game->is_legal(&job->state, job->ply.move, &why);
}

static void take_choice(void *context, const json_t *answer)
{
    ThinkJob   *job = context;
    const char *forfeit = json_string_value(json_object_get(answer, "forfeit"));
    const char *text = json_string_value(json_object_get(answer, "text"));
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (forfeit) {
        job->forfeit.reason = forfeit_named(forfeit);
        snprintf(job->forfeit.text, sizeof job->forfeit.text, "%s", text ? text : forfeit);
        think_done(job, THINK_FORFEITS);
    } else if (read_choice(job, answer)) {
        think_done(job, THINK_CHOSE);
    } else {
        error_invalid(&job->error, "%.200s", error ? error : "it gave no move");
        think_done(job, THINK_CANNOT_START);
    }
}

void think_choose(ThinkJob *job)
{
    HostedGame *hosted = job->hosted;
    const Seat *seat = &hosted->seats[job->side];
    char        key[32], rng[24];
    job->cells = malloc(TURF_MAX_CELLS * sizeof *job->cells);
    think_prepare(job);
    key_of(hosted, job->side, key);
    snprintf(rng, sizeof rng, "%llu", (unsigned long long)job->rng.state);
    if (!seat->spec) {
        error_invalid(&job->error, "this player is not here any more");
        think_done(job, THINK_CANNOT_START);
        return;
    }
    int64_t left_ns = job->turn.deadline_ns - clock_ns();
    json_t *question =
        json_pack("{s:s,s:s,s:s,s:s,s:o,s:i,s:s,s:I,s:I,s:s?}", "kind", "think", "key", key, "game",
                  hosted->setup.game->name, "player", seat->spec, "position",
                  hosted->setup.game->to_json(&job->state), "side", job->side, "rng", rng,
                  "left_ms", (json_int_t)(left_ns / 1000000), "gain_ms",
                  (json_int_t)job->turn.time_gain_ms, "script", script_of(seat->spec));
    if (!job->cells || !job_add(question, take_choice, job)) {
        error_no_memory(&job->error);
        think_done(job, THINK_HELD_UP);
    }
}

static void ignore(void *context, const json_t *answer)
{
    (void)context;
    (void)answer;
}

/* The players of a game leave the workers. */
static void leave(const HostedGame *hosted, int side)
{
    char key[32];
    if (hosted->seats[side].is_person)
        return;
    key_of(hosted, side, key);
    (void)job_add(json_pack("{s:s,s:s,s:s?}", "kind", "leave", "key", key, "script",
                            script_of(hosted->seats[side].spec)),
                  ignore, NULL);
}

void hosted_game_dismiss_players(HostedGame *hosted)
{
    if (hosted->live.is_over)
        for (int side = 0; side < 2; side++)
            leave(hosted, side);
}

/* The players are in the workers: none is kept here. */
void hosted_game_dismiss_player(HostedGame *hosted, int side, TurfPlayer *player)
{
    (void)hosted;
    (void)side;
    turf_player_free(player);
}
void hosted_game_dismiss_leavers(HostedGame *hosted) { (void)hosted; }
void player_leave(Server *server, TurfPlayer *player)
{
    (void)server;
    turf_player_free(player);
}
bool hosted_game_has_idle_bot(const HostedGame *hosted)
{
    (void)hosted;
    return false;
}
void hosted_game_dismiss_idle_bot(HostedGame *hosted) { (void)hosted; }

/* ---- a worker ----------------------------------------------------------------------------- */

enum { MAX_KEPT = 16 };

static struct {
    char        key[32];
    TurfPlayer *player; /* NULL: this place is free */
    int64_t     used_ns;
} kept[MAX_KEPT];

static void let_go(size_t i)
{
    player_end_game(kept[i].player, NULL);
    turf_player_free(kept[i].player);
    kept[i].player = NULL;
}

/* The place of a seat's player, which is opened if it is not there; MAX_KEPT: see `error`. */
static size_t place_of(const TurfGame *game, const char *key, const char *spec, TurfError *error)
{
    size_t oldest = 0;
    for (size_t i = 0; i < MAX_KEPT; i++) {
        if (kept[i].player && !strcmp(kept[i].key, key))
            return i;
        if (kept[oldest].player && (!kept[i].player || kept[i].used_ns < kept[oldest].used_ns))
            oldest = i;
    }
    if (kept[oldest].player)
        let_go(oldest);
    TurfPlayer *player = turf_player_open(game, spec, error);
    if (!player || !player_begin_game(player, NULL, error)) {
        turf_player_free(player);
        return MAX_KEPT;
    }
    kept[oldest].player = player;
    snprintf(kept[oldest].key, sizeof kept[oldest].key, "%s", key);
    return oldest;
}

static json_t *answer_of(const TurfPlayer *player, const TurfState *state, const Ply *ply, int side)
{
    if (game_is_simultaneous(player->game))
        return json_pack("{s:o}", "cells",
                         cells_to_json(ply->actions[side].cells, ply->actions[side].n_cells));
    return json_pack("{s:o}", "move", player->game->move_to_json(state, ply->move));
}

static json_t *error_answer(const TurfError *error)
{
    return json_pack("{s:o}", "error", json_sentence(error->text));
}

json_t *work_think(const json_t *question)
{
    const char *key, *name, *spec, *rng_text;
    json_t     *position;
    int         side;
    json_int_t  left_ms, gain_ms;
    TurfError   error = {.code = TURF_ERROR_INVALID, .text = "the question cannot be read"};
    TurfState   state = {.words = {0}};
    if (json_unpack((json_t *)(uintptr_t)question, "{s:s,s:s,s:s,s:o,s:i,s:s,s:I,s:I}", "key", &key,
                    "game", &name, "player", &spec, "position", &position, "side", &side, "rng",
                    &rng_text, "left_ms", &left_ms, "gain_ms", &gain_ms))
        return error_answer(&error);
    const TurfGame *game = turf_game_find(name, &error);
    if (!game || !game->from_json(&state, position, &error))
        return error_answer(&error);
    size_t place = place_of(game, key, spec, &error);
    if (place == MAX_KEPT)
        return error_answer(&error);
    TurfPlayer *player = kept[place].player;
    kept[place].used_ns = clock_ns();
    TurfRng     rng = {.state = strtoull(rng_text, NULL, 10)};
    Forfeit     forfeit = {.text = ""};
    int64_t     used_ns;
    TurnContext turn = {.rng = &rng,
                        .deadline_ns = clock_ns() + left_ms * INT64_C(1000000),
                        .time_gain_ms = gain_ms,
                        .used_ns = &used_ns,
                        .forfeit = &forfeit,
                        .error = &error};
    Ply         ply;
    TurfCell   *cells = malloc(TURF_MAX_CELLS * sizeof *cells);
    error.code = TURF_OK;
    json_t *answer = NULL;
    if (cells && choose_ply(player, &state, (TurfSide)side, &turn, cells, &ply))
        answer = answer_of(player, &state, &ply, side);
    else if (cells)
        answer = json_pack("{s:s,s:o}", "forfeit", turf_forfeit_name(forfeit.reason), "text",
                           json_sentence(forfeit.text));
    free(cells);
    return answer;
}

json_t *work_leave(const json_t *question)
{
    const char *key = json_string_value(json_object_get(question, "key"));
    for (size_t i = 0; key && i < MAX_KEPT; i++)
        if (kept[i].player && !strcmp(kept[i].key, key))
            let_go(i);
    return json_object();
}
