/* The live display of a run, and the lines printed for finished games. Both are called from one
 * thread at a time. */
#include "cmd/progress.h"

#include "base/clock.h"
#include "base/stats.h"
#include "cmd/console.h"
#include "cmd/outcome.h"
#include "games/totals.h"
#include "report/results.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

Progress progress_begin(const TurfPairing *pairings, size_t n_pairings, bool is_quiet)
{
    Progress progress = {.pairings = pairings,
                         .begin_ns = clock_ns(),
                         .is_shown = !is_quiet && isatty(STDERR_FILENO)};
    for (size_t i = 0; i < n_pairings; i++)
        progress.n_games += pairings[i].n_games;
    return progress;
}

static void clear(Progress *progress, FILE *out)
{
    if (progress->n_lines > 0)
        fprintf(out, "\033[%dA\r\033[J", progress->n_lines);
    progress->n_lines = 0;
}

static void draw_bar(const Progress *progress, uint64_t n_done, FILE *out)
{
    enum { WIDTH = 20 };
    double seconds = clock_seconds_since(progress->begin_ns),
           share = (double)n_done / (double)progress->n_games;
    double n_new = (double)(n_done - progress->n_before),
           n_left = (double)(progress->n_games - n_done);
    double rate = seconds > 0 ? n_new / seconds : 0;
    char   left[32] = "?";
    if (n_new > 0)
        results_format_seconds(n_left / rate, left);
    fputc('[', out);
    for (int i = 0; i < WIDTH; i++)
        fputc(i < (int)(share * WIDTH) ? '#' : ' ', out);
    fprintf(out, "] %3.0f %%  %llu of %llu games, %.0f/s, %s left\n", 100 * share,
            (unsigned long long)n_done, (unsigned long long)progress->n_games, rate, left);
}

/* Checked first, because rating very many players takes long. */
static bool has_players_at_most(const TurfPairing *pairings, size_t n_pairings, int max)
{
    enum { ROOM = 256 };
    const TurfPlayer *seen[ROOM];
    int               n_seen = 0;
    for (size_t i = 0; i < 2 * n_pairings; i++) {
        const TurfPlayer *player = pairings[i / 2].players[i % 2];
        int               at = 0;
        while (at < n_seen && seen[at] != player)
            at++;
        if (at == n_seen && (n_seen == ROOM || n_seen >= max))
            return false;
        if (at == n_seen)
            seen[n_seen++] = player;
    }
    return true;
}

/* The table of pairings; if it is too high for the window, the standings; else NULL. */
static Table *table_that_fits(const Progress *progress, const TurfTotals *totals, size_t n_pairings,
                              int n_rows)
{
    enum { AROUND = 5 }; /* titles, the rule, the bar, the note, and the line below */
    if (n_pairings < 2)
        return NULL;
    if ((int)n_pairings + AROUND <= n_rows)
        return results_tournament_table(progress->pairings, totals, n_pairings,
                                        &(ResultStyle){.hides_times = false});
    if (!has_players_at_most(progress->pairings, n_pairings, n_rows - AROUND))
        return NULL;
    SwissEvent swiss = progress->swiss ? swiss_event_of(progress->swiss) : (SwissEvent){0};
    Standings *standings =
        results_standings(progress->pairings, totals, n_pairings, progress->swiss ? &swiss : NULL);
    Table *table = standings ? standings_table(standings) : NULL;
    standings_free(standings);
    return table;
}

bool progress_update(void *context, const TurfTotals *totals, size_t n_pairings)
{
    Progress *progress = context;
    if (progress->is_shown) {
        uint64_t       n_done = 0;
        struct winsize window = {0};
        for (size_t i = 0; i < n_pairings; i++)
            n_done += totals[i].n_games;
        /* One write for the whole picture, so that it does not flicker. */
        char  *text = NULL;
        size_t length = 0;
        FILE  *out = open_memstream(&text, &length);
        if (!out)
            return !console_is_interrupted();
        clear(progress, out);
        /* Long lines are cut and do not wrap, so that lines can be counted. */
        fputs("\033[?7l", out);
        bool   has_size = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0;
        Table *table = table_that_fits(progress, totals, n_pairings, has_size ? window.ws_row : 0);
        if (table) {
            table_print(table, TABLE_TEXT, out);
            progress->n_lines += (int)table_n_rows(table) + 2;
            table_free(table);
        }
        draw_bar(progress, n_done, out);
        progress->n_lines++;
        if (*progress->note) {
            fprintf(out, "%s\n", progress->note);
            progress->n_lines++;
        }
        fputs("\033[?7h", out);
        fclose(out);
        fwrite(text, 1, length, stderr);
        fflush(stderr);
        free(text);
    }
    return !console_is_interrupted();
}

void progress_end(Progress *progress)
{
    if (progress->is_shown) {
        clear(progress, stderr);
        fflush(stderr);
    }
}

/* ---- finished games ----------------------------------------------------------------------- */

/* The player on a side of the board. */
static const char *name_of(const Run *run, const GameRecord *record, int side)
{
    return turf_player_name(run->pairings[record->pairing].players[side ^ record->is_swapped]);
}

static void print_sentence(const Run *run, const GameRecord *record)
{
    fprintf(stderr, "%s against %s, game %llu: ",
            turf_player_name(run->pairings[record->pairing].players[0]),
            turf_player_name(run->pairings[record->pairing].players[1]),
            (unsigned long long)record->game + 1);
    if (record->ending <= TURF_WON_BY_SECOND)
        fprintf(stderr, "%s wins", name_of(run, record, (int)record->ending));
    else
        fputs(run->plan.game->ending_names[record->ending], stderr);
    fprintf(stderr, " after %u %s", record->length, record->length == 1 ? "move" : "moves");
    if (record->forfeiter >= 0)
        fprintf(stderr, ", %s forfeits (%s): %s", name_of(run, record, record->forfeiter),
                turf_forfeit_name(record->reason), record->explanation ? record->explanation : "");
    fputc('\n', stderr);
}

static void print_line(json_t *json)
{
    print_json(json, JSON_COMPACT);
    fflush(stdout);
}

static json_t *names_of(const Run *run, size_t pairing)
{
    return json_pack("[s,s]", turf_player_name(run->pairings[pairing].players[0]),
                     turf_player_name(run->pairings[pairing].players[1]));
}

static void print_game_json(const Run *run, const GameRecord *record, const Settings *settings)
{
    bool    is_won = record->ending <= TURF_WON_BY_SECOND;
    json_t *json = json_pack("{s:s,s:I,s:o,s:I,s:s,s:s,s:s?,s:s,s:I}", "type", "game", "pairing",
                             (json_int_t)record->pairing, "players", names_of(run, record->pairing),
                             "game", (json_int_t)record->game, "first", name_of(run, record, 0),
                             "second", name_of(run, record, 1), "winner",
                             is_won ? name_of(run, record, (int)record->ending) : NULL, "outcome",
                             run->plan.game->ending_names[record->ending], "length",
                             (json_int_t)record->length);
    if (record->forfeiter >= 0)
        json_object_set_new(json, "forfeit",
                            json_pack("{s:s,s:s,s:s}", "player",
                                      name_of(run, record, record->forfeiter), "reason",
                                      turf_forfeit_name(record->reason), "text",
                                      record->explanation ? record->explanation : ""));
    if (!settings->hides_times)
        json_object_set_new(json, "seconds", json_real(record->seconds));
    print_line(json);
}

static void print_batch_json(const Run *run, const BatchResult *result)
{
    TurfTotals totals = totals_of_sides(result->totals);
    print_line(json_pack(
        "{s:s,s:I,s:o,s:I,s:I,s:[I,I],s:I}", "type", "games", "pairing",
        (json_int_t)result->games.pairing, "players", names_of(run, result->games.pairing), "game",
        (json_int_t)result->games.first, "games", (json_int_t)totals.n_games, "wins",
        (json_int_t)totals.endings[TURF_WON_BY_FIRST],
        (json_int_t)totals.endings[TURF_WON_BY_SECOND], "draws", (json_int_t)stats_draws(&totals)));
}

void progress_print_results(const Run *run, const Settings *settings, const BatchResult *results)
{
    for (const BatchResult *result = results; result; result = result->next) {
        if (!settings->wants_json_lines && result->is_single)
            print_sentence(run, &result->played[0].record);
        else if (settings->wants_json_lines && result->is_single)
            print_game_json(run, &result->played[0].record, settings);
        else if (settings->wants_json_lines)
            print_batch_json(run, result);
    }
}
