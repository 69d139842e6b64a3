/* Charts with one row for each player, and the cross table. */
#include "report/charts.h"

#include "base/stats.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 600, NAMES = 152, ROW = 25, HEAD = 26, NAME_LETTERS = 17 };

/* Ranks and names at the left, on striped rows. */
static void draw_names(FILE *out, const Standings *standings)
{
    for (size_t i = 0; i < standings->n; i++) {
        double y = HEAD + ROW * (double)i;
        if (i % 2 == 0)
            svg_bar(out, 0, y, WIDTH, ROW, 1, "stripe", NULL);
        svg_text(out, 22, y + 17.5, "end", "faint", "%zu", i + 1);
        svg_name(out, 30, y + 17.5, "start", "name", standings->list[i].name, NAME_LETTERS);
    }
}

/* An axis above the rows, with grid lines through them. */
static void draw_axis(FILE *out, const SvgScale *scale, size_t n_rows, const char *format,
                      double times)
{
    double step = svg_tick_step(scale->low, scale->high, 6), bottom = HEAD + ROW * (double)n_rows;
    for (double value = ceil(scale->low / step - 1e-9) * step; value <= scale->high + step / 1e6;
         value += step) {
        double x = svg_at(scale, value), shown = times * value;
        svg_line(out, x, HEAD - 4, x, bottom, "grid");
        char text[32];
        (void)snprintf(text, sizeof text, format, fabs(shown) < step * times / 1e6 ? 0.0 : shown);
        svg_text(out, x, HEAD - 9, "middle", "tick", "%s", text);
    }
}

/* ---- ratings ------------------------------------------------------------------------------- */

/* A bar, or an arrow head where the interval is unbounded. */
static void draw_whisker_end(FILE *out, double x, double y, bool is_bounded, double inward)
{
    if (is_bounded) {
        svg_line(out, x, y - 4, x, y + 4, "whisker");
        return;
    }
    svg_line(out, x, y, x + inward, y - 4, "whisker");
    svg_line(out, x, y, x + inward, y + 4, "whisker");
}

static void draw_rating(FILE *out, const Rating *rating, const SvgScale *scale, double y)
{
    double low = rating->has_low ? svg_at(scale, rating->elo.low) : scale->from;
    double high = rating->has_high ? svg_at(scale, rating->elo.high) : scale->to;
    char   interval[48];
    standings_interval_text(rating, interval);
    svg_line(out, low, y, high, y, "whisker");
    draw_whisker_end(out, low, y, rating->has_low, 5);
    draw_whisker_end(out, high, y, rating->has_high, -5);
    svg_circle(out, svg_at(scale, rating->elo.value), y, 3.6, "dot");
    svg_text(out, WIDTH - 100, y + 4.5, "end", "figure", "%+.0f",
             stats_shown(rating->elo.value, 0));
    svg_text(out, WIDTH - 8, y + 4.5, "end", "small", "%s", interval);
}

void chart_ratings(FILE *out, const Standings *standings)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < standings->n; i++) {
        const Rating *rating = &standings->list[i].rating;
        if (rating->status != RATED)
            continue;
        low = fmin(low, rating->has_low ? rating->elo.low : rating->elo.value - 100);
        high = fmax(high, rating->has_high ? rating->elo.high : rating->elo.value + 100);
    }
    svg_widen(&low, &high, 6);
    SvgScale scale = {low, high, NAMES + 10, WIDTH - 150};
    svg_begin(out, WIDTH, HEAD + ROW * (double)standings->n + 4, "Ratings with 95 % intervals");
    draw_names(out, standings);
    draw_axis(out, &scale, standings->n, "%+.0f", 1);
    svg_line(out, svg_at(&scale, 0), HEAD - 4, svg_at(&scale, 0), HEAD + ROW * (double)standings->n,
             "zero");
    for (size_t i = 0; i < standings->n; i++)
        if (standings->list[i].rating.status == RATED)
            draw_rating(out, &standings->list[i].rating, &scale, HEAD + ROW * ((double)i + 0.5));
        else
            svg_text(out, WIDTH - 8, HEAD + ROW * (double)i + 17.5, "end", "small", "%s",
                     standings_unrated_text(&standings->list[i].rating));
    svg_end(out);
}

/* ---- the cross table ----------------------------------------------------------------------- */

static void draw_cell(FILE *out, const Standings *standings, size_t row, size_t column,
                      const CrossCell *cell, double x, double y, double size)
{
    double score = cross_cell_score(cell);
    char   hint[300];
    if (row == column || score < 0) {
        svg_bar(out, x, y, size - 1.5, size - 1.5, 1, row == column ? "self" : "blank", NULL);
        return;
    }
    (void)snprintf(hint, sizeof hint,
                   "%.80s against %.80s: %.2f %% (%llu won, %llu drawn, %llu lost)",
                   standings->list[row].name, standings->list[column].name, 100 * score,
                   (unsigned long long)cell->wins, (unsigned long long)cell->draws,
                   (unsigned long long)cell->losses);
    svg_bar(out, x, y, size - 1.5, size - 1.5, 1, "blank", NULL);
    svg_bar(out, x, y, size - 1.5, size - 1.5, 0.06 + 0.8 * fabs(2 * score - 1),
            score >= 0.5 ? "above" : "below", hint);
    bool is_tiny = size < 32;
    if (size >= 24)
        svg_text(out, x + size / 2 - 0.75, y + size / 2 + 4 - is_tiny, "middle",
                 is_tiny ? "cell tiny" : "cell", "%.0f", 100 * score);
}

/* The colour key. */
static void draw_key(FILE *out, double y)
{
    enum { STEPS = 21, STEP = 9 };
    double left = NAMES + 50;
    svg_text(out, left - 8, y + 11, "end", "tick", "all lost");
    for (int i = 0; i < STEPS; i++) {
        double score = i / (double)(STEPS - 1);
        svg_bar(out, left + STEP * i, y, STEP, 14, 0.06 + 0.8 * fabs(2 * score - 1),
                score >= 0.5 ? "above" : "below", NULL);
    }
    svg_text(out, left + STEP * STEPS / 2.0, y + 11, "middle", "cell tiny", "50 %%");
    svg_text(out, left + STEP * STEPS + 8, y + 11, "start", "tick", "all won");
}

void chart_cross_table(FILE *out, const Standings *standings, const CrossCell *cells)
{
    double n = (double)standings->n, size = fmin(80, fmax(17, (WIDTH - NAMES - 4) / fmax(1, n)));
    double width = fmax(WIDTH, NAMES + size * n + 4), height = HEAD + size * n + 34;
    svg_begin(out, width, height,
              "Cross table: the score of each row's player against each column's");
    for (size_t i = 0; i < standings->n; i++) {
        double at = size * (double)i;
        svg_text(out, NAMES + at + size / 2, HEAD - 9, "middle", "tick", "%zu", i + 1);
        svg_text(out, 22, HEAD + at + size / 2 + 4, "end", "faint", "%zu", i + 1);
        svg_name(out, 30, HEAD + at + size / 2 + 4, "start", "name", standings->list[i].name,
                 NAME_LETTERS);
        for (size_t j = 0; j < standings->n; j++)
            draw_cell(out, standings, i, j, &cells[i * standings->n + j], NAMES + size * (double)j,
                      HEAD + at, size);
    }
    draw_key(out, HEAD + size * n + 12);
    svg_end(out);
}

/* ---- lengths, sides, forfeits by player ---------------------------------------------------- */

void chart_length_ranges(FILE *out, const Standings *standings)
{
    double longest = 1;
    for (size_t i = 0; i < standings->n; i++)
        longest = fmax(longest, standings->list[i].totals.longest);
    double low = 0;
    svg_widen(&low, &longest, 6);
    SvgScale scale = {low, longest, NAMES + 10, WIDTH - 64};
    svg_begin(out, WIDTH, HEAD + ROW * (double)standings->n + 4,
              "Game lengths: shortest, average and longest in moves");
    draw_names(out, standings);
    draw_axis(out, &scale, standings->n, "%.0f", 1);
    for (size_t i = 0; i < standings->n; i++) {
        const TurfTotals *t = &standings->list[i].totals;
        double            y = HEAD + ROW * ((double)i + 0.5);
        if (t->n_games == 0)
            continue;
        Estimate length =
            stats_mean((double)t->length_sum, (double)t->length_square_sum, t->n_games);
        double variance =
            (double)t->length_square_sum / (double)t->n_games - length.value * length.value;
        double spread = sqrt(fmax(0, variance)), top = fmax(t->longest, length.value);
        svg_line(out, svg_at(&scale, t->shortest), y, svg_at(&scale, top), y, "thin");
        double left = svg_at(&scale, fmax(t->shortest, length.value - spread));
        double right = svg_at(&scale, fmin(top, length.value + spread));
        svg_bar(out, left, y - 4, right - left, 8, 1, "band", "one standard deviation either way");
        svg_circle(out, svg_at(&scale, length.value), y, 4, "dot");
        svg_text(out, WIDTH - 8, y + 4.5, "end", "figure", "%.1f", length.value);
    }
    svg_end(out);
}

static void draw_sides(FILE *out, const SideScores *scores, const SvgScale *scale, double y)
{
    double first = svg_at(scale, scores->first.value), second = svg_at(scale, scores->second.value);
    if (scores->has_first && scores->has_second) {
        svg_line(out, first, y, second, y, "link");
        svg_text(out, WIDTH - 8, y + 4.5, "end", "figure", "%+.1f",
                 stats_shown(100 * (scores->first.value - scores->second.value), 1));
    }
    if (scores->has_second) {
        svg_line(out, svg_at(scale, scores->second.low), y + 4, svg_at(scale, scores->second.high),
                 y + 4, "hair second");
        svg_circle(out, second, y, 4.5, "ring");
    }
    if (scores->has_first) {
        svg_line(out, svg_at(scale, scores->first.low), y - 4, svg_at(scale, scores->first.high),
                 y - 4, "hair first");
        svg_circle(out, first, y, 4.5, "dot");
    }
}

void chart_sides(FILE *out, const Standings *standings, const SideScores *scores)
{
    SvgScale scale = {0, 1, NAMES + 14, WIDTH - 100};
    double   bottom = HEAD + ROW * (double)standings->n;
    svg_begin(out, WIDTH, bottom + 28, "Score of each player as first and as second player");
    draw_names(out, standings);
    draw_axis(out, &scale, standings->n, "%.0f %%", 100);
    svg_line(out, svg_at(&scale, 0.5), HEAD - 4, svg_at(&scale, 0.5), bottom, "zero");
    for (size_t i = 0; i < standings->n; i++)
        draw_sides(out, &scores[i], &scale, HEAD + ROW * ((double)i + 0.5));
    svg_circle(out, NAMES + 20, bottom + 17, 4.5, "dot");
    svg_text(out, NAMES + 30, bottom + 21.5, "start", "tick", "as first player");
    svg_circle(out, NAMES + 140, bottom + 17, 4.5, "ring");
    svg_text(out, NAMES + 150, bottom + 21.5, "start", "tick", "as second player");
    svg_text(out, WIDTH - 8, HEAD - 9, "end", "tick", "difference");
    svg_end(out);
}

enum { KEY_LEFT = 30, KEY_STEP = 108, KEY_LINE = 18, KEYS_IN_LINE = (WIDTH - KEY_LEFT) / KEY_STEP };

/* The colour key of the reasons. */
static void draw_reasons(FILE *out, const uint64_t by_reason[TURF_N_FORFEITS], double top)
{
    int n_drawn = 0;
    for (int f = 0; f < TURF_N_FORFEITS; f++) {
        char   class_name[24];
        int    line = n_drawn / KEYS_IN_LINE;
        double x = KEY_LEFT + KEY_STEP * (n_drawn % KEYS_IN_LINE), y = top + KEY_LINE * line;
        if (by_reason[f] == 0)
            continue;
        (void)snprintf(class_name, sizeof class_name, "kind k%d", f);
        svg_bar(out, x, y, 12, 12, 1, class_name, NULL);
        svg_text(out, x + 17, y + 10.5, "start", "tick", "%s", turf_forfeit_name((TurfForfeit)f));
        n_drawn++;
    }
}

void chart_forfeits(FILE *out, const Standings *standings)
{
    uint64_t max = 0, by_reason[TURF_N_FORFEITS] = {0};
    int      n_reasons = 0;
    for (size_t i = 0; i < standings->n; i++) {
        uint64_t sum = stats_forfeits(&standings->list[i].totals, 0);
        max = sum > max ? sum : max;
        for (int f = 0; f < TURF_N_FORFEITS; f++)
            by_reason[f] += standings->list[i].totals.forfeits[0][f];
    }
    if (max == 0)
        return;
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        n_reasons += by_reason[f] > 0;
    double low = 0, high = fmax(5, (double)max); /* whole numbers on the axis */
    svg_widen(&low, &high, 5);
    SvgScale scale = {low, high, NAMES + 10, WIDTH - 50};
    double   bottom = HEAD + ROW * (double)standings->n;
    int      n_lines = (n_reasons + KEYS_IN_LINE - 1) / KEYS_IN_LINE;
    svg_begin(out, WIDTH, bottom + 12 + KEY_LINE * n_lines, "Forfeits of each player by reason");
    draw_names(out, standings);
    draw_axis(out, &scale, standings->n, "%.0f", 1);
    for (size_t i = 0; i < standings->n; i++) {
        const TurfTotals *t = &standings->list[i].totals;
        double            at = 0;
        for (int f = 0; f < TURF_N_FORFEITS; f++) {
            char   class_name[24], hint[64];
            double n = (double)t->forfeits[0][f], x = svg_at(&scale, at);
            (void)snprintf(class_name, sizeof class_name, "kind k%d", f);
            (void)snprintf(hint, sizeof hint, "%.0f %s", n, turf_forfeit_name((TurfForfeit)f));
            if (n > 0)
                svg_bar(out, x, HEAD + ROW * (double)i + 6, svg_at(&scale, at + n) - x, ROW - 12, 1,
                        class_name, hint);
            at += n;
        }
        if (at > 0)
            svg_text(out, WIDTH - 8, HEAD + ROW * (double)i + 17.5, "end", "figure", "%.0f", at);
    }
    draw_reasons(out, by_reason, bottom + 11);
    svg_end(out);
}
