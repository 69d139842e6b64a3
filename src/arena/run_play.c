/* Playing a run, round by round and look by look, and turf_run. The threads are those of
 * workers.c; nothing here runs beside them. */
#include "arena/run_play.h"

#include "arena/device_worker.h"
#include "base/error.h"
#include "games/totals.h"

#include <stdlib.h>

/* Plays from look to look until the SPRT accepts a hypothesis or all games are played. No game
 * beyond a look is begun before it, so the answer and its games are the same for any number of
 * threads and after any interruption. */
static bool play_test(Run *run, const RunHooks *hooks, TurfError *error)
{
    uint64_t n_max = run->plan.n_games;
    while (run->test.state == SPRT_CONTINUE && run_n_played(run) < n_max) {
        uint64_t n_played = run_n_played(run), look = sprt_look(n_played, n_max);
        if (look == n_played)
            look = sprt_look(n_played + 1, n_max);
        run->pairings[0].n_games = look;
        if (!workers_play(run, hooks, device_worker_play, error))
            return false;
        if (run_n_played(run) < look)
            return true; /* stopped early */
        run_update_test(run);
    }
    return true;
}

static bool play_round(Run *run, const RunHooks *hooks, TurfError *error)
{
    if (run->plan.has_sprt)
        return play_test(run, hooks, error);
    return run_n_played(run) >= run_n_decided(run) ||
           workers_play(run, hooks, device_worker_play, error);
}

bool run_play(Run *run, const RunHooks *hooks, TurfError *error)
{
    for (;;) {
        if (!play_round(run, hooks, error))
            return false;
        if (run_n_played(run) < run_n_decided(run))
            return true; /* stopped early */
        if (run_is_last_round(run))
            return !run->store || runs_set_finished(run->store, run->run_id, error);
        if (!run_decide_round(run, error))
            return false;
    }
}

/* The limits of the command line hold for the library too: sums and times stay far from the ends
 * of their types. */
static bool check_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
                      const TurfRunOptions *options, const TurfTotals *totals, TurfError *error)
{
    if (!game || !options || (n_pairings > 0 && (!pairings || !totals)))
        return error_invalid(error, "a run needs a game, pairings, options and room for totals");
    if (n_pairings > SIZE_MAX / sizeof(TurfTotals[4]))
        return error_invalid(error, "a run has fewer than %zu pairings", n_pairings);
    if (options->n_jobs < 0 || options->n_jobs > MAX_JOBS)
        return error_invalid(error, "n_jobs must be from 0 to %d, not %d", MAX_JOBS,
                             options->n_jobs);
    if (options->time_ms < 0 || options->time_ms > MAX_TURN_MS || options->move_cap_ms < 0 ||
        options->move_cap_ms > MAX_TURN_MS)
        return error_invalid(error, "time_ms and move_cap_ms must be from 0 to %d", MAX_TURN_MS);
    for (size_t p = 0; p < n_pairings; p++) {
        if (!pairings[p].players[0] || !pairings[p].players[1])
            return error_invalid(error, "pairing %zu (from 0) lacks a player", p);
        if (pairings[p].n_games > MAX_PAIRING_GAMES)
            return error_invalid(error, "pairing %zu (from 0) has more than %llu games", p,
                                 (unsigned long long)MAX_PAIRING_GAMES);
    }
    return true;
}

bool run_pairings(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
                  const TurfRunOptions *options, Device *device, TurfTotals *totals,
                  TurfError *error)
{
    if (!check_run(game, pairings, n_pairings, options, totals, error))
        return false;
    RunHooks hooks = {.progress = options->progress,
                      .finished = options->finished,
                      .forfeited = options->forfeited,
                      .context = options->context};
    char    *start = (char *)(uintptr_t)options->start;
    Run      run = {.plan = {.game = game,
                             .seed = options->seed,
                             .starts = &start,
                             .n_starts = start ? 1 : 0,
                             .n_recorded = options->wants_moves ? MAX_PAIRING_GAMES : 0,
                             .time_ms = (uint64_t)options->time_ms,
                             .move_cap_ms = (uint64_t)options->move_cap_ms},
                    .n_jobs = options->n_jobs,
                    .device = device,
                    .n_pairings = n_pairings};
    run.pairings = calloc(n_pairings + 1, sizeof *run.pairings);
    run.totals = calloc(n_pairings + 1, sizeof *run.totals);
    bool is_good = (run.pairings && run.totals) || error_no_memory(error);
    for (size_t p = 0; p < n_pairings && is_good; p++) {
        run.pairings[p] = pairings[p];
        run.totals[p][0] = run.totals[p][1] = TOTALS_NONE;
    }
    is_good = is_good && workers_play(&run, &hooks, device_worker_play, error);
    for (size_t p = 0; p < n_pairings && run.totals; p++)
        totals[p] = totals_of_sides(run.totals[p]);
    game_set_release(&run.played);
    free(run.pairings);
    free(run.totals);
    return is_good;
}

bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
              const TurfRunOptions *options, TurfTotals *totals, TurfError *error)
{
    return run_pairings(game, pairings, n_pairings, options, NULL, totals, error);
}
