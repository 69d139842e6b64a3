/* The answers to the seven questions of the coursework. A question is one function or two; which
 * sentence is printed depends on the figures alone. */
#include "report/worksheet.h"

#include "base/stats.h"
#include "games/totals.h"
#include "report/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The significance level. */
#define ALPHA 0.05

static void percent(char text[16], double share) { snprintf(text, 16, "%.2f %%", 100 * share); }

static void p_value(char text[16], double p)
{
    snprintf(text, 16, p < 0.0001 ? "< 0.0001" : "%.4f", p);
}

/* ---- questions 1 and 2 -------------------------------------------------------------------- */

static void picture(const WolState *state, const char *caption, char cells[64], BoardPicture *board)
{
    for (int i = 0; i < 64; i++) {
        cells[i] = '.';
        if (state->pieces[0] >> i & 1)
            cells[i] = 'b';
        else if (state->pieces[1] >> i & 1)
            cells[i] = 'r';
    }
    *board = (BoardPicture){caption, 8, 8, cells, 'b', 'r'};
}

static char *prolog_board(const WolState *state)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    for (int side = 0; side < 2; side++) {
        fputs(side ? ",[" : "[[", out);
        const char *comma = "";
        for (uint64_t left = state->pieces[side]; left; left = bits_rest(left)) {
            int cell = bits_lowest(left);
            fprintf(out, "%s[%d,%d]", comma, cell / 8 + 1, cell % 8 + 1);
            comma = ",";
        }
        fputc(']', out);
    }
    fputc(']', out);
    fclose(out);
    return text;
}

static void write_boards(const WorksheetFigures *figures, const Document *document)
{
    static const char *const captions[WORKSHEET_GENERATIONS] = {
        "The board given", "After one turn of the crank", "3rd generation", "4th generation"};
    char         cells[WORKSHEET_GENERATIONS][64];
    BoardPicture boards[WORKSHEET_GENERATIONS];
    for (int i = 0; i < WORKSHEET_GENERATIONS; i++)
        picture(&figures->generations[i], captions[i], cells[i], &boards[i]);

    document_heading(document, "Question 1");
    document_boards(document, boards, 2);
    document_heading(document, "Question 2");
    document_paragraph(document, "The given board as Prolog sees it, blue first:");
    char *prolog = prolog_board(&figures->generations[0]);
    document_code(document, prolog ? prolog : "(out of memory)");
    free(prolog);
    document_paragraph(document, "Two more generations:");
    document_boards(document, boards + 2, 2);
}

/* ---- questions 3 and 4 -------------------------------------------------------------------- */

static void write_random(const WorksheetFigures *figures, const Document *document)
{
    ResultStyle style = {.hides_times = figures->hides_times};
    document_heading(document, "Question 3");
    document_paragraph(document, "%llu games, both players moving at random:",
                       (unsigned long long)figures->random_few.n_games);
    document_table(document,
                   results_match_table(&war_of_life, &figures->random_pairing,
                                       (TurfTotals[2]){figures->random_few, TOTALS_NONE}, &style));
}

static void add_advantage(Table *table, const char *label, const TurfTotals *totals)
{
    uint64_t first = totals->endings[TURF_WON_BY_FIRST],
             second = totals->endings[TURF_WON_BY_SECOND];
    Estimate share = stats_proportion(first, first + second);
    char     p[16];
    p_value(p, stats_sign_test(first, second));
    table_add(table, "%s", label);
    table_add(table, "%llu", (unsigned long long)totals->n_games);
    table_add(table, "%llu", (unsigned long long)first);
    table_add(table, "%llu", (unsigned long long)second);
    table_add(table, "%.2f %%", 100 * share.value);
    table_add(table, "%.2f to %.2f %%", 100 * share.low, 100 * share.high);
    table_add(table, "%s", p);
}

static Table *advantage_table(const char *first_title)
{
    const char *titles[] = {first_title, "Games",         "P1 wins", "P2 wins",
                            "P1 share",  "95 % interval", "p"};
    return table_new("lrrrrlr", titles);
}

/* A significant advantage: 1 of the first player, -1 of the second, 0 of neither. */
static int advantage(const TurfTotals *totals, double alpha)
{
    uint64_t first = totals->endings[TURF_WON_BY_FIRST],
             second = totals->endings[TURF_WON_BY_SECOND];
    if (stats_sign_test(first, second) >= alpha)
        return 0;
    return first > second ? 1 : -1;
}

static void write_first_move(const WorksheetFigures *figures, const Document *document)
{
    static const char *const findings[] = {
        "**Yes:** %llu games show an advantage of playing second.",
        "**No:** %llu games show no advantage either way: p is not below 0.05.",
        "**Yes:** %llu games show an advantage of playing first."};
    Table *table = advantage_table("Random against random");
    add_advantage(table, "the games of question 3", &figures->random_few);
    add_advantage(table, "many more", &figures->random_many);

    document_heading(document, "Question 4");
    document_paragraph(
        document, "Of the games that somebody won, what share did the first player win? Without an "
                  "advantage it is 50 %%; p is the chance of a split at least this uneven if so.");
    document_table(document, table);

    int few = advantage(&figures->random_few, ALPHA),
        many = advantage(&figures->random_many, ALPHA);
    uint64_t first = figures->random_many.endings[TURF_WON_BY_FIRST];
    uint64_t second = figures->random_many.endings[TURF_WON_BY_SECOND];
    double   share = stats_proportion(first, first + second).value;
    document_paragraph(document, findings[few + 1],
                       (unsigned long long)figures->random_few.n_games);
    if (many)
        document_paragraph(
            document,
            "With %llu games the **%s** player's advantage shows, and how small it is: the first "
            "player wins %.2f %% of the decided games.",
            (unsigned long long)figures->random_many.n_games, many > 0 ? "first" : "second",
            100 * share);
    else
        document_paragraph(
            document,
            "Even %llu games show none: the first player wins %.2f %% of the decided games.",
            (unsigned long long)figures->random_many.n_games, 100 * share);
}

/* ---- questions 5 and 6 -------------------------------------------------------------------- */

static void write_tournament(const WorksheetFigures *figures, const Document *document)
{
    ResultStyle                style = {.hides_times = figures->hides_times};
    const WorksheetTournament *both[2] = {&figures->first_ties, &figures->random_ties};
    document_heading(document, "Question 5");
    for (int i = 0; i < 2; i++) {
        document_paragraph(
            document,
            i == 0 ? "The tournament. Among equally good moves a strategy takes the first in the "
                     "order of r1, c1, r2, c2, as the course's program lists them:"
                   : "The same with ties broken at random, since always taking the first of equals "
                     "prefers the upper left corner:");
        document_table(document, results_tournament_table(both[i]->pairings, both[i]->totals,
                                                          WORKSHEET_PAIRINGS, &style));
        Standings *standings =
            results_standings(both[i]->pairings, both[i]->totals, WORKSHEET_PAIRINGS, NULL);
        document_paragraph(
            document,
            "Ratings from all games together, and scores against the other strategies, a draw "
            "counting half; LOS is how likely it is that one is stronger than the next:");
        document_table(document, standings_table(standings));
        standings_free(standings);
    }
}

static void write_mirror(const WorksheetTournament *tournament, const char *title,
                         const Document *document)
{
    Table *table = advantage_table(title);
    char   names[3][256] = {"", "", ""}; /* second, neither, first */
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++) {
        const char *name = turf_player_name(tournament->players[i]);
        add_advantage(table, name, &tournament->mirror[i]);
        char *list = names[advantage(&tournament->mirror[i], ALPHA / WORKSHEET_STRATEGIES) + 1];
        snprintf(list + strlen(list), sizeof names[0] - strlen(list), "%s%s", *list ? ", " : "",
                 name);
    }
    document_table(document, table);
    for (int i = 0; i < 3; i++)
        if (!*names[i])
            strcpy(names[i], "none");
    document_paragraph(document,
                       "Playing first is an advantage for: **%s**. A disadvantage for: **%s**. "
                       "Neither is shown for: **%s**.",
                       names[2], names[0], names[1]);
}

static void write_same_strategy(const WorksheetFigures *figures, const Document *document)
{
    document_heading(document, "Question 6");
    document_paragraph(
        document,
        "Each strategy against itself, with more games than the table has. As %d strategies are "
        "looked at, a difference counts as shown when p is below %.2f / %d = %.2f.",
        WORKSHEET_STRATEGIES, ALPHA, WORKSHEET_STRATEGIES, ALPHA / WORKSHEET_STRATEGIES);
    write_mirror(&figures->first_ties, "Ties: the first move", document);
    write_mirror(&figures->random_ties, "Ties: at random", document);
}

/* ---- question 7 --------------------------------------------------------------------------- */

/* How often the same colour would win both games of a start if these had nothing in common but the
 * players: blue wins for one and then for the other, or red does. */
static double same_colour_by_chance(const WorksheetPairs *pairs)
{
    const uint64_t(*wins)[2] = pairs->wins;
    double n = (double)pairs->n_starts;
    if (n == 0)
        return 0;
    return ((double)wins[0][0] * (double)wins[1][0] + (double)wins[0][1] * (double)wins[1][1]) /
           (n * n);
}

static void add_pairs(Table *table, const char *label, const WorksheetPairs *pairs)
{
    const uint64_t counts[] = {pairs->better_twice, pairs->colour_twice, pairs->worse_twice,
                               pairs->others};
    table_add(table, "%s", label);
    table_add(table, "%llu", (unsigned long long)pairs->n_starts);
    for (int i = 0; i < 4; i++) {
        Estimate share = stats_proportion(counts[i], pairs->n_starts);
        table_add(table, "%.1f %% (%.1f to %.1f)", 100 * share.value, 100 * share.low,
                  100 * share.high);
        if (i == 1) /* the same colour twice */
            table_add(table, "%.1f %%", 100 * same_colour_by_chance(pairs));
    }
}

static const TurfTotals *against_random(const WorksheetTournament *tournament, int strategy)
{
    return &tournament->totals[strategy * WORKSHEET_STRATEGIES]; /* random is strategy 0 */
}

static void write_environment(const WorksheetFigures *figures, const Document *document)
{
    static const char *const titles[] = {"Players",
                                         "Starts",
                                         "First named won from both sides",
                                         "Same colour won both",
                                         "That by chance",
                                         "Second named won from both sides",
                                         "A draw in it"};
    document_heading(document, "Question 7");
    document_paragraph(
        document,
        "If the crank decided and the moves did not, then (a) good play would hardly score "
        "better than random play, and (b) a start that one colour wins would be won by that "
        "colour whoever played it. Both can be measured.");

    static const char *const score_titles[] = {"Playing first against random", "Score",
                                               "95 % interval"};
    Table                   *scores = table_new("lrl", score_titles);
    for (int i = 0; i < WORKSHEET_STRATEGIES; i++) {
        Estimate score = stats_score(against_random(&figures->random_ties, i));
        table_add(scores, "%s", turf_player_name(figures->random_ties.players[i]));
        table_add(scores, "%.1f %%", 100 * score.value);
        table_add(scores, "%.1f to %.1f %%", 100 * score.low, 100 * score.high);
    }
    document_table(document, scores);

    document_paragraph(document, "Each start was then played twice, with sides changed:");
    Table *pairs = table_new("lrrrrrr", titles);
    add_pairs(pairs, "minimax and random", &figures->better_play);
    add_pairs(pairs, "random and random", &figures->same_play);
    document_table(document, pairs);

    char            play[16], colour[16], luck[16], colour_chance[16], luck_chance[16];
    const Estimate *start = &figures->start_share;
    percent(
        play,
        stats_proportion(figures->better_play.better_twice, figures->better_play.n_starts).value);
    percent(
        colour,
        stats_proportion(figures->better_play.colour_twice, figures->better_play.n_starts).value);
    percent(luck,
            stats_proportion(figures->same_play.colour_twice, figures->same_play.n_starts).value);
    percent(colour_chance, same_colour_by_chance(&figures->better_play));
    percent(luck_chance, same_colour_by_chance(&figures->same_play));
    document_paragraph(document,
                       "Minimax won from both sides of %s of the starts, and the start won, that "
                       "is the same colour both times, only in %s; two games that had nothing in "
                       "common but the players would do so in %s. Between two random players the "
                       "same colour won both in %s, and by chance alone in %s. To see how much a "
                       "start matters when nobody plays well, %llu starts were played %llu times "
                       "each at random: the start explains %.1f %% (%.1f to %.1f) of the variance "
                       "of the result, and the moves the rest.",
                       play, colour, colour_chance, luck, luck_chance,
                       (unsigned long long)figures->n_variance_starts,
                       (unsigned long long)figures->n_variance_games, 100 * start->value,
                       100 * start->low, 100 * start->high);
    bool is_play = figures->better_play.better_twice > 2 * figures->better_play.colour_twice &&
                   start->value < 0.5;
    document_paragraph(
        document,
        is_play ? "**So the movement of pieces plays the bigger part:** better play beats both "
                  "the crank and the luck of the start."
                : "**So these figures do not refute the claim:** the environment decides as much "
                  "as the moves do.");
}

void worksheet_write(const WorksheetFigures *figures, const Document *document)
{
    document_begin(document, "War of Life: the coursework, answered");
    document_paragraph(document,
                       "Everything below was computed or played by `turf worksheet`, seed %llu. "
                       "Intervals are 95 %%: Wilson's for shares, normal for means.",
                       (unsigned long long)figures->seed);
    write_boards(figures, document);
    write_random(figures, document);
    write_first_move(figures, document);
    write_tournament(figures, document);
    write_same_strategy(figures, document);
    write_environment(figures, document);
    document_end(document);
}
