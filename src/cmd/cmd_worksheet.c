/* turf worksheet: measures what the coursework asks for, and has the page written. */
#include "report/worksheet.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "cmd/console.h"
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

/* What every measurement needs, and the context of its run. */
typedef struct Desk {
    const Settings *settings;
    uint64_t        n_games;
    Progress        progress;
    unsigned char  *endings; /* one for each game, where they are wanted */
    OutputFile      output;
} Desk;

static bool update(void *desk, const TurfTotals *totals, size_t n_pairings)
{
    return progress_update(&((Desk *)desk)->progress, totals, n_pairings);
}

static void note_ending(void *desk, size_t pairing, uint64_t game, TurfEnding ending,
                        uint32_t length)
{
    (void)pairing;
    (void)length;
    ((Desk *)desk)->endings[game] = (unsigned char)ending;
}

/* Plays on, or leaves with 130 after Ctrl-C: half a worksheet answers nothing. */
static void play(Desk *desk, const char *what, const char *start, const TurfPairing *pairings,
                 size_t n_pairings, TurfTotals *totals)
{
    TurfError      error;
    TurfRunOptions options = {.seed = desk->settings->seed,
                              .start = start,
                              .n_jobs = (int)desk->settings->n_jobs,
                              .progress = update,
                              .finished = desk->endings ? note_ending : NULL,
                              .context = desk};
    desk->progress = progress_begin(pairings, n_pairings, desk->settings->is_quiet);
    if (what && !desk->settings->is_quiet)
        fprintf(stderr, "turf worksheet: %s\n", what);
    bool is_good = turf_run(&war_of_life, pairings, n_pairings, &options, totals, &error);
    progress_end(&desk->progress);
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

static void measure_random(Desk *desk, const TurfPlayer *random, WorksheetFigures *figures)
{
    figures->random_pairing = (TurfPairing){.players = {random, random}, .n_games = desk->n_games};
    play(desk, "questions 3 and 4", NULL, &figures->random_pairing, 1, &figures->random_few);
    TurfPairing many = figures->random_pairing;
    many.n_games *= MORE_RANDOM_GAMES;
    play(desk, NULL, NULL, &many, 1, &figures->random_many);
}

static void measure_tournament(Desk *desk, const char *what, WorksheetTournament *tournament)
{
    TurfPairing mirrors[WORKSHEET_STRATEGIES];
    for (int i = 0; i < WORKSHEET_PAIRINGS; i++)
        tournament->pairings[i] =
            (TurfPairing){.players = {tournament->players[i / WORKSHEET_STRATEGIES],
                                      tournament->players[i % WORKSHEET_STRATEGIES]},
                          .n_games = desk->n_games};
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++)
        mirrors[i] = (TurfPairing){.players = {tournament->players[i], tournament->players[i]},
                                   .n_games = MORE_MIRROR_GAMES * desk->n_games};
    play(desk, what, NULL, tournament->pairings, WORKSHEET_PAIRINGS, tournament->totals);
    play(desk, NULL, NULL, mirrors, WORKSHEET_STRATEGIES, tournament->mirror);
}

/* ---- question 7 --------------------------------------------------------------------------- */

/* Games 2i and 2i+1 share a start, and the players change sides between them. */
static void measure_pairs(Desk *desk, const TurfPlayer *better, const TurfPlayer *worse,
                          WorksheetPairs *pairs)
{
    TurfTotals  totals;
    TurfPairing pairing = {
        .players = {better, worse}, .n_games = 2 * desk->n_games, .swap_sides = true};
    desk->endings = calloc((size_t)pairing.n_games, 1);
    if (!desk->endings)
        die("out of memory");
    play(desk, NULL, NULL, &pairing, 1, &totals);
    pairs->n_starts = desk->n_games;
    for (uint64_t i = 0; i < desk->n_games; i++) {
        unsigned char one = desk->endings[2 * i], two = desk->endings[2 * i + 1];
        if (one > TURF_WON_BY_SECOND || two > TURF_WON_BY_SECOND)
            pairs->others++;
        else if (one != two) /* the other player, so the same colour */
            pairs->colour_twice++;
        else if (one == TURF_WON_BY_FIRST)
            pairs->better_twice++;
        else
            pairs->worse_twice++;
    }
    free(desk->endings);
    desk->endings = NULL;
}

/* How much of the variance of a random game's score lies between starts. */
static void measure_variance(Desk *desk, const TurfPlayer *random, WorksheetFigures *figures)
{
    const double k = VARIANCE_GAMES;
    double       means[VARIANCE_STARTS], variances[VARIANCE_STARTS];
    for (uint64_t i = 0; i < VARIANCE_STARTS; i++) {
        TurfState   state;
        TurfTotals  totals;
        TurfError   error;
        TurfRng     rng = rng_stream(desk->settings->seed, i);
        TurfPairing pairing = {.players = {random, random}, .n_games = VARIANCE_GAMES};
        if (!turf_start(&war_of_life, "random", &rng, &state, &error))
            die("%s", error.text);
        char *start = turf_position_to_json(&war_of_life, &state);
        play(desk, NULL, start, &pairing, 1, &totals);
        free(start);
        double wins = (double)totals.endings[TURF_WON_BY_FIRST],
               draws = (double)stats_draws(&totals);
        means[i] = (wins + draws / 2) / k;
        variances[i] = (wins + draws / 4 - k * means[i] * means[i]) / (k - 1);
    }
    figures->start_share = stats_share_between(means, variances, VARIANCE_STARTS, k);
    figures->n_variance_starts = VARIANCE_STARTS;
    figures->n_variance_games = VARIANCE_GAMES;
}

/* ---- the page ----------------------------------------------------------------------------- */

static bool wants_html(const Settings *settings)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (settings->format && strcmp(settings->format, "markdown") &&
        strcmp(settings->format, "html"))
        die("--format is markdown or html, not '%s'", error_quote(quoted, settings->format));
    if (settings->format)
        return !strcmp(settings->format, "html");
    const char *name = settings->output ? strrchr(settings->output, '/') : NULL;
    const char *dot = settings->output ? strrchr(name ? name : settings->output, '.') : NULL;
    if (!dot)
        return false;
    if (!strcmp(dot, ".html") || !strcmp(dot, ".htm"))
        return true;
    if (strcmp(dot, ".md") && strcmp(dot, ".markdown") && strcmp(dot, ".txt"))
        die("'%s' files cannot be written; name one that ends in .md, .html or .txt",
            error_quote(quoted, dot));
    return false;
}

int cmd_worksheet(const Arguments *arguments)
{
    enum { MAX_GAMES = 1000000 };
    const Settings *settings = &arguments->settings;
    Desk desk = {.settings = settings, .n_games = settings->has_n_games ? settings->n_games : 1000};
    if (desk.n_games > MAX_GAMES)
        die("-n %llu is more than a worksheet needs; it goes up to %d",
            (unsigned long long)desk.n_games, MAX_GAMES);
    bool              is_html = wants_html(settings);
    WorksheetFigures *figures = calloc(1, sizeof *figures);
    if (!figures)
        die("out of memory");
    console_catch_interrupt();
    if (settings->output)
        desk.output =
            output_open(settings->output); /* before the work, so that a bad name costs nothing */

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
    measure_random(&desk, players[0][0], figures);
    measure_tournament(&desk, "questions 5 and 6", &figures->first_ties);
    measure_tournament(&desk, "the same with ties broken at random", &figures->random_ties);
    if (!settings->is_quiet)
        fprintf(stderr, "turf worksheet: question 7\n");
    measure_pairs(&desk, players[0][WORKSHEET_STRATEGIES - 1], players[0][0],
                  &figures->better_play);
    measure_pairs(&desk, players[0][0], players[0][0], &figures->same_play);
    measure_variance(&desk, players[0][0], figures);

    worksheet_write(figures, &(Document){settings->output ? desk.output.stream : stdout, is_html});
    if (settings->output) {
        output_close(&desk.output);
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
