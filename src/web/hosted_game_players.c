/* Players that are kept with a hosted game between its moves: external ones, each of which holds a
 * slot of server->bot_slots, and built-in ones with a memory, of which MAX_KEPT_PLAYERS are kept.
 * Freeing an external player may take a while, so it is done by the pool server->leavers.
 * hosted_game_open_player is called without the lock of the game, by the one job of the side; the
 * others with it. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "web/league_practice.h"
#include "web/registry.h"
#include "web/server.h"
#include "web/web.h"

#include <stdlib.h>

static bool has_slot(const TurfPlayer *player) { return player->kind->is_external; }

/* ---- opening ------------------------------------------------------------------------------ */

static void make_room(void *server) { registry_dismiss_idle_bot(server); }

static bool begin(const HostedGame *hosted, int side, TurfPlayer *player, TurfError *error)
{
    if (player->kind->starts_process)
        player->terms = hosted->server->options->bot_terms;
    return player_begin_game(player, &hosted->stops[side], error);
}

TurfPlayer *hosted_game_open_player(HostedGame *hosted, int side, TurfError *error)
{
    Server     *server = hosted->server;
    const Seat *seat = &hosted->seats[side];
    if (hosted->kept[side])
        return hosted->kept[side];
    if (!seat->spec) {
        error_invalid(error, "%s is not allowed on this server any more",
                      seat->player ? seat->player : "the player");
        return NULL;
    }
    if (seat->is_external && !bot_slots_take(&server->bot_slots, make_room, server)) {
        error_fill(error, TURF_ERROR_INTERRUPTED, "the server is shutting down");
        return NULL;
    }
    bool        is_of_league = is_practice(seat->player);
    TurfPlayer *player = is_of_league ? practice_open(server, hosted->setup.game, seat->player,
                                                      &hosted->stops[side], error)
                                      : turf_player_open(hosted->setup.game, seat->spec, error);
    if (!player) {
        if (seat->is_external)
            bot_slots_give_back(&server->bot_slots, false);
    } else if (!is_of_league && !begin(hosted, side, player, error)) {
        player_leave(server, player);
        return NULL;
    }
    return player;
}

/* ---- freeing -------------------------------------------------------------------------------- */

void player_leave(Server *server, TurfPlayer *player)
{
    bool is_external = player && has_slot(player);
    turf_player_free(player);
    if (is_external)
        bot_slots_give_back(&server->bot_slots, false);
}

typedef struct Leaver {
    Server     *server;
    TurfPlayer *player;
} Leaver;

static void leave(void *context)
{
    Leaver *leaver = context;
    Server *server = leaver->server;
    bool    is_external = has_slot(leaver->player);
    turf_player_free(leaver->player);
    free(leaver);
    if (is_external)
        bot_slots_give_back(&server->bot_slots, true);
}

void hosted_game_dismiss_player(HostedGame *hosted, int side, TurfPlayer *player)
{
    Server *server = hosted->server;
    if (!player)
        return;
    if (hosted->kept[side] == player) {
        hosted->kept[side] = NULL;
        if (!has_slot(player))
            atomic_fetch_sub(&server->n_kept_players, 1);
    }
    Leaver *leaver = malloc(sizeof *leaver);
    if (!leaver) {
        player_leave(server, player);
        return;
    }
    *leaver = (Leaver){server, player};
    if (has_slot(player))
        bot_slots_note_leaving(&server->bot_slots);
    if (!pool_add(server->leavers, &(PoolJob){.run = leave, .context = leaver}))
        leave(leaver);
}

void hosted_game_dismiss_players(HostedGame *hosted)
{
    for (int side = 0; side < 2; side++) {
        hosted->is_dismissed[side] = hosted->is_thinking[side];
        if (!hosted->is_thinking[side])
            hosted_game_dismiss_player(hosted, side, hosted->kept[side]);
    }
}

/* A job that has not begun does not use the player yet. */
static bool is_idle_bot(const HostedGame *hosted, int side)
{
    return hosted->kept[side] && has_slot(hosted->kept[side]) && !hosted->thinks_since_ns[side];
}

bool hosted_game_has_idle_bot(const HostedGame *hosted)
{
    return is_idle_bot(hosted, 0) || is_idle_bot(hosted, 1);
}

void hosted_game_dismiss_idle_bot(HostedGame *hosted)
{
    int side = is_idle_bot(hosted, 0) ? 0 : 1;
    if (is_idle_bot(hosted, side))
        hosted_game_dismiss_player(hosted, side, hosted->kept[side]);
}

/* A bot that has connected and gone; it would keep its port from other games. */
static bool has_left(const HostedGame *hosted, int side)
{
    const TurfPlayer *player = hosted->kept[side];
    return is_idle_bot(hosted, side) && player->kind->plays_alone &&
           process_has_exited(player->kind->process(player));
}

void hosted_game_dismiss_leavers(HostedGame *hosted)
{
    for (int side = 0; side < 2; side++)
        if (!hosted->is_thinking[side] && has_left(hosted, side))
            hosted_game_dismiss_player(hosted, side, hosted->kept[side]);
}

void hosted_game_keep_player(HostedGame *hosted, int side, TurfPlayer *player)
{
    Server *server = hosted->server;
    if (hosted->kept[side] == player)
        return;
    bool has_room = has_slot(player);
    if (!has_room && player->kind->open) {
        has_room = atomic_fetch_add(&server->n_kept_players, 1) < MAX_KEPT_PLAYERS;
        if (!has_room)
            atomic_fetch_sub(&server->n_kept_players, 1);
    }
    if (has_room)
        hosted->kept[side] = player;
    else
        hosted_game_dismiss_player(hosted, side, player);
}
