/* Players that stay with a sitting between its moves: processes of bots, and built-in ones with a memory. */
#include "web/sitting.h"

#include "base/clock.h"
#include "base/error.h"
#include "players/bot.h"
#include "web/server.h"

#include <stdlib.h>

/* ---- bots --------------------------------------------------------------------------------- */

static bool is_process(const TurfPlayer *player) { return player->kind->is_bot; }

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

/* Waits for a place for one more. There are at least as many places as threads that think for bots, so whoever comes
 * here while all are taken finds one that does not think, or is leaving already. False: the server is leaving. */
static bool take_bot_place(Server *server)
{
    pthread_mutex_lock(&server->bots_lock);
    server->n_waiting_for_bots++;
    while (server->n_bots >= server->most_bots && !atomic_load(&server->is_leaving)) {
        if (server->n_leaving_bots < server->n_waiting_for_bots) { /* one for each who waits, and no more */
            pthread_mutex_unlock(&server->bots_lock);
            registry_dismiss_idle_bot(server);
            pthread_mutex_lock(&server->bots_lock);
        }
        if (server->n_bots >= server->most_bots)
            wait_for_bots(server);
    }
    bool is_taken = server->n_bots < server->most_bots;
    server->n_bots += is_taken;
    server->n_waiting_for_bots--;
    pthread_mutex_unlock(&server->bots_lock);
    return is_taken;
}

/* ---- coming ------------------------------------------------------------------------------- */

static bool begin(const Sitting *sitting, int side, TurfPlayer *player, TurfError *error)
{
    if (is_process(player) && !player->kind->plays_alone)
        player->terms = sitting->server->options->bot_terms;
    return player_begin_game(player, &sitting->stops[side], error);
}

/* The server lacks memory; or the port at which the player connects, which was free when the server was started, is in
 * use, since it plays another game. Otherwise a command is gone, or options have been changed. */
static bool is_our_fault(const Sitting *sitting, const Seat *seat, const TurfError *error)
{
    TurfError         unused;
    const PlayerKind *kind = player_kind_named(sitting->setup.game, seat->spec, &unused);
    return error_is_out_of_memory(error) || (kind && kind->plays_alone);
}

TurfPlayer *sitting_open_player(Sitting *sitting, int side, bool *is_ours, TurfError *error)
{
    Server     *server = sitting->server;
    const Seat *seat = &sitting->seats[side];
    *is_ours = false;
    if (sitting->kept[side])
        return sitting->kept[side];
    if (!seat->spec) {
        error_set(error, "%s is not allowed on this server any more", seat->player ? seat->player : "the player");
        return NULL;
    }
    if (seat->is_bot && !take_bot_place(server)) {
        error_set(error, "the server is leaving");
        return NULL;
    }
    TurfPlayer *player = turf_player_open(sitting->setup.game, seat->spec, error);
    if (!player) {
        *is_ours = is_our_fault(sitting, seat, error);
        if (seat->is_bot)
            bot_is_gone(server, false);
    } else if (!begin(sitting, side, player, error)) {
        *is_ours = bot_is_short(player);
        player_leave(server, player);
        return NULL;
    }
    return player;
}

/* ---- going -------------------------------------------------------------------------------- */

void player_leave(Server *server, TurfPlayer *player)
{
    bool is_bot = player && is_process(player);
    turf_player_free(player);
    if (is_bot)
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
    bool    is_bot = is_process(leaver->player);
    turf_player_free(leaver->player);
    free(leaver);
    if (is_bot)
        bot_is_gone(server, true);
}

/* Ending a process may take its time, so players are freed where nobody waits. */
void sitting_dismiss_player(Sitting *sitting, int side, TurfPlayer *player)
{
    Server *server = sitting->server;
    if (!player)
        return;
    if (sitting->kept[side] == player) {
        sitting->kept[side] = NULL;
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

void sitting_dismiss_players(Sitting *sitting)
{
    for (int side = 0; side < 2; side++) {
        sitting->is_dismissed[side] = sitting->is_thinking[side];
        if (!sitting->is_thinking[side])
            sitting_dismiss_player(sitting, side, sitting->kept[side]);
    }
}

/* A job that waits for its turn does not use it yet. */
static bool is_idle_bot(const Sitting *sitting, int side)
{
    return sitting->kept[side] && is_process(sitting->kept[side]) && !sitting->thinks_since_ns[side];
}

bool sitting_has_idle_bot(const Sitting *sitting) { return is_idle_bot(sitting, 0) || is_idle_bot(sitting, 1); }

void sitting_dismiss_idle_bot(Sitting *sitting)
{
    int side = is_idle_bot(sitting, 0) ? 0 : 1;
    if (is_idle_bot(sitting, side))
        sitting_dismiss_player(sitting, side, sitting->kept[side]);
}

/* A process is always kept. A built-in player remembers what it has found out, which takes memory, so only some are. */
void sitting_keep_player(Sitting *sitting, int side, TurfPlayer *player)
{
    Server *server = sitting->server;
    if (sitting->kept[side] == player)
        return;
    bool has_room = is_process(player);
    if (!has_room && player->kind->open) {
        has_room = atomic_fetch_add(&server->n_kept_players, 1) < MOST_KEPT_PLAYERS;
        if (!has_room)
            atomic_fetch_sub(&server->n_kept_players, 1);
    }
    if (has_room)
        sitting->kept[side] = player;
    else
        sitting_dismiss_player(sitting, side, player);
}
