#include "cmd/run.h"

#include "cmd/console.h"
#include "cmd/progress.h"

#include <stdlib.h>

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

TurfPairing *all_ordered_pairs(TurfPlayer *const *players, size_t n_players, uint64_t n_games)
{
    TurfPairing *pairings = calloc(n_players * n_players, sizeof *pairings);
    if (!pairings)
        die("out of memory");
    for (size_t i = 0; i < n_players * n_players; i++)
        pairings[i] = (TurfPairing){.players = {players[i / n_players], players[i % n_players]}, .n_games = n_games};
    return pairings;
}
