/* What every player can be asked, through the table of its kind. */
#include "players/player_kind.h"

/* Its move depends on the clock, or on which of its threads is faster. */
static bool depends_on_time(const TurfPlayer *player)
{
    const PlayerOptions *options = &player->options;
    bool has_limit = options->depth > 0 || options->n_nodes > 0 || options->n_sims > 0;
    if (options->time_ms > 0 || (options->n_threads > 1 && options->depth == 0))
        return true;
    return player->kind->has_clock && !has_limit;
}

bool player_is_deterministic(const TurfPlayer *player)
{
    const PlayerKind *kind = player->kind;
    if (kind->is_deterministic)
        return kind->is_deterministic(player);
    return !kind->draws_lots && !player->chooser && !kind->is_bot &&
           player->options.ties == TIES_FIRST && !depends_on_time(player);
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

Choice player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                          const TurnContext *turn, TurfMove *moves)
{
    return player->kind->choose_move(player, state, want_all, turn, moves);
}
