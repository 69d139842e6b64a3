/* What every player can be asked, through the table of its kind. */
#include "players/player_kind.h"

/* Its move depends on the clock, or on which of its threads is faster. */
static bool depends_on_time(const TurfPlayer *player)
{
    const PlayerOptions *options = &player->options;
    bool has_limit = options->depth > 0 || options->n_nodes > 0 || options->n_sims > 0;
    if (options->time_ms > 0 || (options->n_threads > 1 && options->depth == 0))
        return true;
    return player->kind->uses_clock && !has_limit;
}

bool player_is_deterministic(const TurfPlayer *player)
{
    const PlayerKind *kind = player->kind;
    if (kind->is_deterministic)
        return kind->is_deterministic(player);
    return !kind->is_stochastic && !player_is_custom(player) && !kind->is_external &&
           player->options.ties == TIES_FIRST && !depends_on_time(player);
}

HomePresence players_gather(TurfPlayer *const players[2], int64_t patience_ms,
                            const atomic_bool *stop, TurfError *error)
{
    HomeSeat *seats[2];
    size_t    n = 0;
    for (int side = 0; side < 2; side++)
        if (players[side]->kind->home_seat)
            seats[n++] = players[side]->kind->home_seat(players[side]);
    return n == 0 ? HOME_PRESENT : home_seats_take(seats, n, patience_ms, stop, error);
}

bool player_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    return !player->kind->begin_game || player->kind->begin_game(player, stop, error);
}

void player_end_game(TurfPlayer *player, const char *reason)
{
    if (player->kind->end_game)
        player->kind->end_game(player, reason);
}

void player_await_both(TurfPlayer *const players[2])
{
    Process *processes[2];
    size_t   n = 0;
    for (int side = 0; side < 2; side++)
        if (players[side]->kind->process)
            processes[n++] = players[side]->kind->process(players[side]);
    process_wait(processes, n);
}

const char *player_error_output(const TurfPlayer *player)
{
    return player->kind->error_output ? player->kind->error_output(player) : "";
}
