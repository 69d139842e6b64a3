/* Players that stay with a live game between its moves: processes of bots, and built-in ones with a
 * memory. */
#include "web/hosted_game.h"

#include "base/clock.h"
#include "base/error.h"
#include "web/registry.h"
#include "web/server.h"
#include "web/web.h"

#include <stdlib.h>

/* ---- bots --------------------------------------------------------------------------------- */

static bool is_process(const TurfPlayer *player) { return player->kind->is_external; }

size_t bots_alive(Server *server)
{
    pthread_mutex_lock(&server->bots_lock);
    size_t n_bots = server->n_bots;
    pthread_mutex_unlock(&server->bots_lock);
    return n_bots;
}

static void bot_is_gone(Server *server, bool was_leaving)
{
    pthread_mutex_lock(&server->bots_lock);
    server->n_bots--;
    server->n_leaving_bots -= was_leaving;
    pthread_cond_broadcast(&server->bots_changed);
    pthread_mutex_unlock(&server->bots_lock);
}

/* For a moment; the lock is held. */
static void wait_for_bots(Server *server)
{
    enum { LOOK_AGAIN_MS = 50 };
    int64_t         until_ns = clock_ns() + LOOK_AGAIN_MS * INT64_C(1000000);
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    pthread_cond_timedwait(&server->bots_changed, &server->bots_lock, &until);
}

/* Waits for a place for one more. There are at least as many places as threads that think for bots,
 * so whoever comes here while all are taken finds one that does not think, or is leaving already.
 * False: the server is leaving. */
static bool take_bot_place(Server *server)
{
    pthread_mutex_lock(&server->bots_lock);
    server->n_waiting_for_bots++;
    while (server->n_bots >= server->max_bots && !atomic_load(&server->is_leaving)) {
        if (server->n_leaving_bots <
            server->n_waiting_for_bots) { /* one for each who waits, and no more */
            pthread_mutex_unlock(&server->bots_lock);
            registry_dismiss_idle_bot(server);
            pthread_mutex_lock(&server->bots_lock);
        }
        if (server->n_bots >= server->max_bots)
            wait_for_bots(server);
    }
    bool is_taken = server->n_bots < server->max_bots;
    server->n_bots += is_taken;
    server->n_waiting_for_bots--;
    pthread_mutex_unlock(&server->bots_lock);
    return is_taken;
}

/* ---- coming ------------------------------------------------------------------------------- */

static bool begin(const HostedGame *hosted, int side, TurfPlayer *player, TurfError *error)
{
    if (is_process(player) && !player->kind->plays_alone)
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
    if (seat->is_external && !take_bot_place(server)) {
        error_invalid(error, "the server is leaving");
        return NULL;
    }
    TurfPlayer *player = turf_player_open(hosted->setup.game, seat->spec, error);
    if (!player) {
        if (seat->is_external)
            bot_is_gone(server, false);
    } else if (!begin(hosted, side, player, error)) {
        player_leave(server, player);
        return NULL;
    }
    return player;
}

/* ---- going -------------------------------------------------------------------------------- */

void player_leave(Server *server, TurfPlayer *player)
{
    bool is_external = player && is_process(player);
    turf_player_free(player);
    if (is_external)
        bot_is_gone(server, false);
}

static void count_leaving(Server *server, const TurfPlayer *player)
{
    if (!is_process(player))
        return;
    pthread_mutex_lock(&server->bots_lock);
    server->n_leaving_bots++;
    pthread_mutex_unlock(&server->bots_lock);
}

typedef struct Leaver {
    Server     *server;
    TurfPlayer *player;
} Leaver;

static void leave(void *context)
{
    Leaver *leaver = context;
    Server *server = leaver->server;
    bool    is_external = is_process(leaver->player);
    turf_player_free(leaver->player);
    free(leaver);
    if (is_external)
        bot_is_gone(server, true);
}

/* Ending a process may take its time, so players are freed where nobody waits. */
void hosted_game_dismiss_player(HostedGame *hosted, int side, TurfPlayer *player)
{
    Server *server = hosted->server;
    if (!player)
        return;
    if (hosted->kept[side] == player) {
        hosted->kept[side] = NULL;
        if (!is_process(player))
            atomic_fetch_sub(&server->n_kept_players, 1);
    }
    Leaver *leaver = malloc(sizeof *leaver);
    if (!leaver) {
        player_leave(server, player);
        return;
    }
    *leaver = (Leaver){server, player};
    count_leaving(server, player);
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

/* A job that waits for its turn does not use it yet. */
static bool is_idle_bot(const HostedGame *hosted, int side)
{
    return hosted->kept[side] && is_process(hosted->kept[side]) && !hosted->thinks_since_ns[side];
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

/* A process is always kept. A built-in player remembers what it has found out, which takes memory,
 * so only some are. */
void hosted_game_keep_player(HostedGame *hosted, int side, TurfPlayer *player)
{
    Server *server = hosted->server;
    if (hosted->kept[side] == player)
        return;
    bool has_room = is_process(player);
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
