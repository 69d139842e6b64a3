/* turf worksheet: plays the games that the War of Life coursework asks for, and writes the answers
 * (report/worksheet.h). */
#include "report/worksheet.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "cmd/console.h"
#include "cmd/device_option.h"
#include "cmd/pdf.h"
#include "arena/run_play.h"
#include "cmd/progress.h"
#include "players/player.h"

#include <stdlib.h>
#include <string.h>

enum {
    MORE_RANDOM_GAMES = 10000,
    MORE_MIRROR_GAMES = 5,
    VARIANCE_STARTS = 200,
    VARIANCE_GAMES = 200
};

static const char question_1[] =
    "b......r/.r...b.r/...bb.rb/bb...r../..r...b./.b...r../b.b.brrr/..r...r.";

static const char *const strategies[WORKSHEET_STRATEGIES] = {
    "random", "bloodlust", "self-preservation", "land-grab", "minimax"};

/* The settings of every measurement, and the context of its run. */
typedef struct Measurement {
    const Settings *settings;
    uint64_t        n_games;
    Progress        progress;
    unsigned char  *endings; /* of each game; NULL: not needed */
    OutputFile      output;
    Device         *device; /* NULL: the processor plays */
} Measurement;

static bool update(void *measurement, const TurfTotals *totals, size_t n_pairings)
{
    return progress_update(&((Measurement *)measurement)->progress, totals, n_pairings);
}

static void note_ending(void *measurement, const TurfFinished *game)
{
    ((Measurement *)measurement)->endings[game->game] = (unsigned char)game->ending;
}

/* Plays all games. Exits with EXIT_INTERRUPTED on Ctrl-C: half a worksheet answers nothing. */
static void play(Measurement *measurement, const char *what, const char *start,
                 const TurfPairing *pairings, size_t n_pairings, TurfTotals *totals)
{
    TurfError      error;
    TurfRunOptions options = {.seed = measurement->settings->seed,
                              .start = start,
                              .n_jobs = (int)measurement->settings->n_jobs,
                              .progress = update,
                              .finished = measurement->endings ? note_ending : NULL,
                              .context = measurement};
    measurement->progress = progress_begin(pairings, n_pairings, measurement->settings->is_quiet);
    if (what && !measurement->settings->is_quiet)
        fprintf(stderr, "turf worksheet: %s\n", what);
    bool is_good = run_pairings(&war_of_life, pairings, n_pairings, &options, measurement->device,
                                totals, &error);
    progress_end(&measurement->progress);
    if (!is_good)
        die("%s", error.text);
    if (console_is_interrupted()) {
        fprintf(stderr, "turf worksheet: interrupted; nothing was written\n");
        exit(EXIT_INTERRUPTED);
    }
}

static void measure_boards(WorksheetFigures *figures)
{
    TurfError error;
    if (!war_of_life.parse(&figures->generations[0], question_1, &error))
        die("%s", error.text);
    for (int i = 1; i < WORKSHEET_GENERATIONS; i++) {
        figures->generations[i] = figures->generations[i - 1];
        wol_turn_crank(&figures->generations[i]);
    }
}

static void measure_random(Measurement *measurement, const TurfPlayer *random,
                           WorksheetFigures *figures)
{
    figures->random_pairing =
        (TurfPairing){.players = {random, random}, .n_games = measurement->n_games};
    play(measurement, "questions 3 and 4", NULL, &figures->random_pairing, 1, &figures->random_few);
    TurfPairing many = figures->random_pairing;
    many.n_games *= MORE_RANDOM_GAMES;
    play(measurement, NULL, NULL, &many, 1, &figures->random_many);
}

static void measure_tournament(Measurement *measurement, const char *what,
                               WorksheetTournament *tournament)
{
    TurfPairing mirrors[WORKSHEET_STRATEGIES];
    for (int i = 0; i < WORKSHEET_PAIRINGS; i++)
        tournament->pairings[i] =
            (TurfPairing){.players = {tournament->players[i / WORKSHEET_STRATEGIES],
                                      tournament->players[i % WORKSHEET_STRATEGIES]},
                          .n_games = measurement->n_games};
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++)
        mirrors[i] = (TurfPairing){.players = {tournament->players[i], tournament->players[i]},
                                   .n_games = MORE_MIRROR_GAMES * measurement->n_games};
    play(measurement, what, NULL, tournament->pairings, WORKSHEET_PAIRINGS, tournament->totals);
    play(measurement, NULL, NULL, mirrors, WORKSHEET_STRATEGIES, tournament->mirror);
}

/* ---- question 7 --------------------------------------------------------------------------- */

/* Games 2i and 2i+1 share a start, with sides swapped. */
static void measure_pairs(Measurement *measurement, const TurfPlayer *better,
                          const TurfPlayer *worse, WorksheetPairs *pairs)
{
    TurfTotals  totals;
    TurfPairing pairing = {
        .players = {better, worse}, .n_games = 2 * measurement->n_games, .swap_sides = true};
    measurement->endings = or_die(calloc((size_t)pairing.n_games, 1));
    play(measurement, NULL, NULL, &pairing, 1, &totals);
    pairs->n_starts = measurement->n_games;
    for (uint64_t i = 0; i < measurement->n_games; i++) {
        unsigned char one = measurement->endings[2 * i], two = measurement->endings[2 * i + 1];
        pairs->wins[0][0] += one == TURF_WON_BY_FIRST;
        pairs->wins[1][1] += one == TURF_WON_BY_SECOND;
        pairs->wins[0][1] += two == TURF_WON_BY_FIRST;
        pairs->wins[1][0] += two == TURF_WON_BY_SECOND;
        if (one > TURF_WON_BY_SECOND || two > TURF_WON_BY_SECOND)
            pairs->others++;
        else if (one != two) /* different players, so the same colour */
            pairs->colour_twice++;
        else if (one == TURF_WON_BY_FIRST)
            pairs->better_twice++;
        else
            pairs->worse_twice++;
    }
    free(measurement->endings);
    measurement->endings = NULL;
}

/* The share of the variance of random games that the start explains. */
static void measure_variance(Measurement *measurement, const TurfPlayer *random,
                             WorksheetFigures *figures)
{
    const double k = VARIANCE_GAMES;
    double       means[VARIANCE_STARTS], variances[VARIANCE_STARTS];
    for (uint64_t i = 0; i < VARIANCE_STARTS; i++) {
        TurfState   state;
        TurfTotals  totals;
        TurfError   error;
        TurfRng     rng = rng_stream(measurement->settings->seed, i);
        TurfPairing pairing = {.players = {random, random}, .n_games = VARIANCE_GAMES};
        if (!turf_start(&war_of_life, "random", &rng, &state, &error))
            die("%s", error.text);
        char *start = turf_position_to_json(&war_of_life, &state);
        play(measurement, NULL, start, &pairing, 1, &totals);
        free(start);
        double wins = (double)totals.endings[TURF_WON_BY_FIRST],
               draws = (double)stats_draws(&totals);
        means[i] = (wins + draws / 2) / k;
        variances[i] = (wins + draws / 4 - k * means[i] * means[i]) / (k - 1);
    }
    figures->start_share = stats_share_interval(means, variances, VARIANCE_STARTS, k);
    figures->n_variance_starts = VARIANCE_STARTS;
    figures->n_variance_games = VARIANCE_GAMES;
}

/* ---- the command -------------------------------------------------------------------------- */

typedef enum Format { MARKDOWN, HTML, PDF } Format;

static Format read_format(const Settings *settings)
{
    static const char *const names[] = {[MARKDOWN] = "markdown", [HTML] = "html", [PDF] = "pdf"};
    char                     quoted[ERROR_QUOTE_BYTES];
    for (int i = MARKDOWN; settings->format && i <= PDF; i++)
        if (!strcmp(settings->format, names[i]))
            return (Format)i;
    if (settings->format)
        die("--format must be markdown, html or pdf, not '%s'",
            error_quote(quoted, settings->format));
    if (!settings->output)
        return MARKDOWN;
    const char *slash = strrchr(settings->output, '/');
    const char *dot = strrchr(slash ? slash : settings->output, '.');
    if (!dot)
        return MARKDOWN;
    if (!strcmp(dot, ".html") || !strcmp(dot, ".htm"))
        return HTML;
    if (!strcmp(dot, ".pdf"))
        return PDF;
    if (strcmp(dot, ".md") && strcmp(dot, ".markdown") && strcmp(dot, ".txt"))
        die("'%s' files cannot be written; name one that ends in .md, .html, .pdf or .txt",
            error_quote(quoted, dot));
    return MARKDOWN;
}

/* The browser that prints the page, found before any game is played. */
static char *read_browser(Format format, const Settings *settings)
{
    if (format != PDF)
        return NULL;
    if (!settings->output)
        die("a PDF goes to a file; add -o worksheet.pdf");
    char *browser = pdf_find_browser();
    if (!browser)
        die("a PDF needs chromium, which is not installed; write worksheet.html instead, and print "
            "it from a browser");
    return browser;
}

static void write_out(const WorksheetFigures *figures, Format format, const char *browser,
                      FILE *out)
{
    if (format != PDF) {
        worksheet_write(figures, &(Document){out, format == HTML});
        return;
    }
    char  *html = NULL;
    size_t length = 0;
    FILE  *page = open_memstream(&html, &length);
    if (!page)
        die("out of memory");
    worksheet_write(figures, &(Document){page, true});
    if (fclose(page) != 0)
        die("out of memory");
    pdf_print(browser, html, out);
    free(html);
}

int cmd_worksheet(const Arguments *arguments)
{
    enum { MAX_GAMES = 1000000 };
    const Settings *settings = &arguments->settings;
    Measurement     measurement = {.settings = settings,
                                   .n_games = settings->has_n_games ? settings->n_games : 1000};
    if (measurement.n_games > MAX_GAMES)
        die("-n must be at most %d for a worksheet, not %llu", MAX_GAMES,
            (unsigned long long)measurement.n_games);
    Format            format = read_format(settings);
    char             *browser = read_browser(format, settings);
    WorksheetFigures *figures = or_die(calloc(1, sizeof *figures));
    console_catch_interrupt();
    if (settings->output)
        measurement.output =
            output_open(settings->output); /* before the work, so that a bad name costs nothing */

    /* Half of the games are those of question 4. */
    measurement.device = device_for(settings, MORE_RANDOM_GAMES * measurement.n_games);
    TurfPlayer *players[2][WORKSHEET_STRATEGIES];
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%s=%s%s", strategies[i], strategies[i],
                 i ? ":ties=random" : "");
        figures->first_ties.players[i] = players[0][i] = read_player(&war_of_life, strategies[i]);
        figures->random_ties.players[i] = players[1][i] = read_player(&war_of_life, spec);
    }
    figures->seed = settings->seed;
    figures->hides_times = settings->hides_times;
    measure_boards(figures);
    measure_random(&measurement, players[0][0], figures);
    measure_tournament(&measurement, "questions 5 and 6", &figures->first_ties);
    measure_tournament(&measurement, "the same with ties broken at random", &figures->random_ties);
    if (!settings->is_quiet)
        fprintf(stderr, "turf worksheet: question 7\n");
    measure_pairs(&measurement, players[0][WORKSHEET_STRATEGIES - 1], players[0][0],
                  &figures->better_play);
    measure_pairs(&measurement, players[0][0], players[0][0], &figures->same_play);
    measure_variance(&measurement, players[0][0], figures);

    write_out(figures, format, browser, settings->output ? measurement.output.stream : stdout);
    free(browser);
    device_finish(measurement.device, settings);
    if (settings->output) {
        output_close(&measurement.output);
        if (!settings->is_quiet)
            fprintf(stderr, "turf worksheet: written to %s\n", settings->output);
    }
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++) {
        turf_player_free(players[0][i]);
        turf_player_free(players[1][i]);
    }
    free(figures);
    return EXIT_FINE;
}
