#include "cmd/run.h"

#include "cmd/console.h"
#include "cmd/progress.h"
#include "players/player.h"

#include <stdlib.h>

/* Statistics of one game played over and over are none; whoever asks for them should know. */
static void warn_of_repetition(const TurfGame *game, const char *start, const TurfPairing *pairings, size_t n_pairings)
{
    TurfState state;
    TurfError error;
    TurfRng   unused = turf_rng(1), rng = unused;
    size_t    n_same = 0;
    if (!game_start(game, start, &rng, &state, &error) || rng.state != unused.state)
        return;
    for (size_t i = 0; i < n_pairings; i++)
        n_same += pairings[i].n_games > 1u + pairings[i].swap_sides &&
                  player_is_deterministic(pairings[i].players[0]) && player_is_deterministic(pairings[i].players[1]);
    if (n_same > 0)
        fprintf(stderr,
                "turf: from this start, %zu of %zu pairings play the same game every time, so their intervals mean "
                "nothing; try ties=random\n",
                n_same, n_pairings);
}

bool run_pairings(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings, const Settings *settings,
                  TurfTotals *totals)
{
    TurfError      error;
    char          *start = read_start(game, settings);
    Progress       progress = progress_begin(pairings, n_pairings, settings->is_quiet);
    TurfRunOptions options = {.seed = settings->seed,
                              .start = start,
                              .n_jobs = (int)settings->n_jobs,
                              .progress = progress_update,
                              .context = &progress};
    if (!settings->is_quiet)
        warn_of_repetition(game, start, pairings, n_pairings);
    console_catch_interrupt();
    bool is_good = turf_run(game, pairings, n_pairings, &options, totals, &error);
    progress_end(&progress);
    free(start);
    if (!is_good)
        die("%s", error.text);

    uint64_t n_played = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_played += totals[i].n_games;
    bool is_whole = n_played == progress.n_games;
    if (!is_whole)
        fprintf(stderr, "turf: interrupted after %llu of %llu games; what follows counts only those\n",
                (unsigned long long)n_played, (unsigned long long)progress.n_games);
    return is_whole;
}

size_t open_strategies(const TurfGame *game, TurfPlayer **players, size_t room)
{
    const PlayerKind *kind;
    size_t            n_players = 0;
    for (size_t i = 0; (kind = player_kind_at(i)) && n_players < room; i++)
        if (kind->is_strategy && player_kind_plays(kind, game))
            players[n_players++] = read_player(game, kind->name);
    return n_players;
}

TurfPairing *all_ordered_pairs(TurfPlayer *const *players, size_t n_players, uint64_t n_games)
{
    TurfPairing *pairings = calloc(n_players * n_players, sizeof *pairings);
    if (!pairings)
        die("out of memory");
    for (size_t i = 0; i < n_players * n_players; i++)
        pairings[i] = (TurfPairing){.players = {players[i / n_players], players[i % n_players]}, .n_games = n_games};
    return pairings;
}
