#include "cmd/run.h"

#include "base/stats.h"
#include "cmd/console.h"
#include "cmd/progress.h"
#include "players/player.h"
#include "report/results.h"

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

/* The context of a run: what is seen of it, and the last forfeit. */
typedef struct Attendance {
    Progress progress;
    char     last_forfeit[320];
} Attendance;

static bool update(void *attendance, const TurfTotals *totals, size_t n_pairings)
{
    return progress_update(&((Attendance *)attendance)->progress, totals, n_pairings);
}

static void note_forfeit(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason, const char *text,
                         const char *errors)
{
    Attendance *attendance = context;
    (void)errors;
    snprintf(attendance->last_forfeit, sizeof attendance->last_forfeit, "%s forfeited game %llu (%s): %s",
             turf_player_name(player), (unsigned long long)game + 1, turf_forfeit_name(reason), text);
}

bool run_pairings(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings, const Settings *settings,
                  TurfTotals *totals)
{
    TurfError      error;
    char          *start = read_start(game, settings);
    Attendance     attendance = {.progress = progress_begin(pairings, n_pairings, settings->is_quiet)};
    TurfRunOptions options = {.seed = settings->seed,
                              .start = start,
                              .n_jobs = (int)settings->n_jobs,
                              .time_ms = (int64_t)settings->time_ms,
                              .move_cap_ms = (int64_t)settings->move_cap_ms,
                              .progress = update,
                              .forfeited = note_forfeit,
                              .context = &attendance};
    if (!settings->is_quiet)
        warn_of_repetition(game, start, pairings, n_pairings);
    console_catch_interrupt();
    bool is_good = turf_run(game, pairings, n_pairings, &options, totals, &error);
    progress_end(&attendance.progress);
    free(start);
    if (!is_good)
        die("%s", error.text);

    uint64_t n_played = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_played += totals[i].n_games;
    bool is_whole = n_played == attendance.progress.n_games;
    if (!is_whole)
        fprintf(stderr, "turf: interrupted after %llu of %llu games; what follows counts only those\n",
                (unsigned long long)n_played, (unsigned long long)attendance.progress.n_games);
    if (*attendance.last_forfeit && !settings->is_quiet)
        fprintf(stderr, "turf: %s\n", attendance.last_forfeit);
    return is_whole;
}

int run_match(const TurfGame *game, const TurfPairing *pairing, const Settings *settings)
{
    ResultStyle style = {.hides_times = settings->hides_times};
    TurfTotals  totals;
    bool        is_whole = run_pairings(game, pairing, 1, settings, &totals);
    if (settings->wants_json) {
        json_t *json = results_json(game, pairing, &totals, &style);
        json_object_set_new(json, "seed", json_integer((json_int_t)settings->seed));
        json_dumpf(json, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(json);
    } else {
        printf("%s: %s against %s, seed %llu%s\n\n", game->title, turf_player_name(pairing->players[0]),
               turf_player_name(pairing->players[1]), (unsigned long long)settings->seed,
               pairing->swap_sides ? ", each start from both sides" : "");
        Table *table = results_match_table(game, pairing, &totals, &style);
        table_print(table, TABLE_TEXT, stdout);
        table_free(table);
    }
    return run_status(settings, is_whole, &totals, 1);
}

int run_status(const Settings *settings, bool is_whole, const TurfTotals *totals, size_t n_pairings)
{
    uint64_t n_forfeits = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_forfeits += stats_forfeits(&totals[i], 0) + stats_forfeits(&totals[i], 1);
    return !is_whole ? EXIT_INTERRUPTED : settings->is_strict && n_forfeits > 0 ? EXIT_FAULTS : EXIT_FINE;
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
