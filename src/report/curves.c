/* Charts with an x axis: scores over the run, the SPRT, and the histogram of game lengths. */
#include "report/charts.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 600, HEIGHT = 300, LEFT = 48, RIGHT = 146, TOP = 14, BOTTOM = 40, N_COLOURS = 8 };

/* `unit` follows each number; those closer than one apart get a decimal. */
static void draw_height_axis(FILE *out, const SvgScale *scale, double right, bool has_sign,
                             double times, const char *unit)
{
    double step = svg_tick_step(scale->low, scale->high, 5);
    for (double value = ceil(scale->low / step - 1e-9) * step; value <= scale->high + step / 1e6;
         value += step) {
        char   text[32];
        double y = svg_at(scale, value);
        double shown = fabs(value) < step / 1e6 ? 0.0 : times * value; /* never -0 */
        int    n_decimals = step * times < 0.999;
        (void)snprintf(text, sizeof text, has_sign ? "%+.*f%s" : "%.*f%s", n_decimals, shown, unit);
        svg_line(out, LEFT, y, right, y, "grid");
        svg_text(out, LEFT - 8, y + 4, "end", "tick", "%s", text);
    }
}

/* ---- scores -------------------------------------------------------------------------------- */

typedef struct Label {
    size_t player;
    double y;
} Label;

static int by_height(const void *left, const void *right)
{
    const Label *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->player > b->player) - (a->player < b->player);
}

/* Moves overlapping labels down, then the last ones back up into the chart. */
static void spread_labels(Label *labels, size_t n_labels)
{
    enum { APART = 15 };
    qsort(labels, n_labels, sizeof *labels, by_height);
    for (size_t i = 1; i < n_labels; i++)
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + APART);
    double lowest = HEIGHT - BOTTOM;
    for (size_t i = n_labels; i-- > 0; lowest -= APART)
        labels[i].y = fmin(labels[i].y, lowest);
}

/* One player's line, clipped to the range of the axis. */
static void draw_curve(FILE *out, const double *scores, size_t n_steps, const SvgScale *x,
                       const SvgScale *y, const char *class_name)
{
    bool has_begun = false;
    fputs("<path d=\"", out);
    for (size_t s = 0; s < n_steps; s++)
        if (scores[s] >= 0) {
            fprintf(out, "%c%.1f %.1f", has_begun ? 'L' : 'M',
                    svg_at(x, (double)(s + 1) / (double)n_steps),
                    svg_at(y, fmin(y->high, fmax(y->low, scores[s]))));
            has_begun = true;
        }
    fprintf(out, "\" class=\"%s\"/>\n", class_name);
}

/* The range of all scores after the first tenth of the run: early scores vary too much. */
static void find_range(const double *scores, size_t n_players, size_t n_steps, double *low,
                       double *high)
{
    *low = 1;
    *high = 0;
    for (size_t i = 0; i < n_players; i++)
        for (size_t s = n_steps / 10; s < n_steps; s++)
            if (scores[i * n_steps + s] >= 0) {
                *low = fmin(*low, scores[i * n_steps + s]);
                *high = fmax(*high, scores[i * n_steps + s]);
            }
    if (*low > *high) {
        *low = 0;
        *high = 1;
    }
    svg_widen(low, high, 5);
    *low = fmax(0, *low);
    *high = fmin(1, *high);
}

void chart_scores(FILE *out, const Standings *standings, const double *scores, size_t n_steps)
{
    double low, high;
    find_range(scores, standings->n, n_steps, &low, &high);
    SvgScale x = {0, 1, LEFT, WIDTH - RIGHT}, y = {low, high, HEIGHT - BOTTOM, TOP};
    Label    labels[N_COLOURS];
    size_t   n_labels = 0;
    svg_begin(out, WIDTH, HEIGHT, "Score of each player over the course of the run");
    draw_height_axis(out, &y, WIDTH - RIGHT, false, 100, " %");
    for (int percent = 0; percent <= 100; percent += 25)
        svg_text(out, svg_at(&x, percent / 100.0), HEIGHT - BOTTOM + 18, "middle", "tick", "%d %%",
                 percent);
    svg_text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 4, "middle", "tick", "of the run");
    for (size_t i = standings->n; i-- > 0;) { /* the best on top */
        const double *own = scores + i * n_steps;
        char          class_name[32];
        (void)snprintf(class_name, sizeof class_name, i < N_COLOURS ? "curve c%zu" : "curve rest",
                       i);
        draw_curve(out, own, n_steps, &x, &y, class_name);
        if (i < N_COLOURS && own[n_steps - 1] >= 0)
            labels[n_labels++] = (Label){i, svg_at(&y, fmin(high, fmax(low, own[n_steps - 1])))};
    }
    double ends[N_COLOURS] = {0};
    for (size_t l = 0; l < n_labels; l++)
        ends[labels[l].player] = labels[l].y;
    spread_labels(labels, n_labels);
    for (size_t l = 0; l < n_labels; l++) {
        char   class_name[32];
        size_t player = labels[l].player;
        (void)snprintf(class_name, sizeof class_name, "lead c%zu", player);
        svg_line(out, WIDTH - RIGHT, ends[player], WIDTH - RIGHT + 12, labels[l].y, class_name);
        (void)snprintf(class_name, sizeof class_name, "tag t%zu", player);
        svg_name(out, WIDTH - RIGHT + 16, labels[l].y + 4, "start", class_name,
                 standings->list[player].name, 17);
    }
    svg_end(out);
}

/* ---- SPRT ---------------------------------------------------------------------------------- */

void chart_test(FILE *out, const SprtStatus *last, const uint64_t *looks, const double *llrs,
                size_t n_looks)
{
    double low = last->low, high = last->high, right = WIDTH - 16,
           max = n_looks ? (double)looks[n_looks - 1] : 1;
    for (size_t i = 0; i < n_looks; i++) {
        low = fmin(low, llrs[i]);
        high = fmax(high, llrs[i]);
    }
    svg_widen(&low, &high, 6);
    double from = 0;
    svg_widen(&from, &max, 6);
    SvgScale                 x = {from, max, LEFT, right}, y = {low, high, HEIGHT - BOTTOM, TOP};
    double                   bounds[2] = {svg_at(&y, last->high), svg_at(&y, last->low)};
    static const double      label_offsets[2] = {-6, 14};
    static const char *const hypotheses[2] = {"elo1", "elo0"};
    svg_begin(
        out, WIDTH, HEIGHT,
        "Log-likelihood ratio of the test after so many games, and the bounds that settle it");
    draw_height_axis(out, &y, right, true, 1, "");
    for (int i = 0; i < 2; i++) {
        svg_line(out, LEFT, bounds[i], right, bounds[i], i ? "bound below" : "bound above");
        svg_text(out, right, bounds[i] + label_offsets[i], "end", "tick", "%s", hypotheses[i]);
    }
    fprintf(out, "<path d=\"M%.1f %.1f", svg_at(&x, 0), svg_at(&y, 0));
    for (size_t i = 0; i < n_looks; i++)
        fprintf(out, "L%.1f %.1f", svg_at(&x, (double)looks[i]), svg_at(&y, llrs[i]));
    fputs("\" class=\"curve c0\"/>\n", out);
    for (size_t i = 0; i < n_looks; i++)
        svg_circle(out, svg_at(&x, (double)looks[i]), svg_at(&y, llrs[i]), n_looks > 40 ? 1.5 : 2.5,
                   "dot");
    double step = svg_tick_step(from, max, 6);
    for (double value = 0; value <= max + step / 1e6; value += step)
        svg_text(out, svg_at(&x, value), HEIGHT - BOTTOM + 18, "middle", "tick", "%.0f", value);
    svg_text(out, (LEFT + right) / 2, HEIGHT - 4, "middle", "tick", "games");
    svg_end(out);
}

/* ---- lengths ------------------------------------------------------------------------------- */

void chart_lengths(FILE *out, const uint64_t *counts, size_t n_lengths)
{
    enum { MAX_BARS = 60 };
    size_t   first = 0;
    uint64_t bars[MAX_BARS + 2] = {0}, max = 0;
    while (first < n_lengths && counts[first] == 0)
        first++;
    if (first == n_lengths)
        return;
    /* Bars of a round width; never less than one move. */
    size_t width = (size_t)fmax(1, svg_tick_step(0, (double)(n_lengths - first), MAX_BARS));
    size_t begin = first / width * width, n_bars = 0;
    for (size_t length = first; length < n_lengths; length++) {
        size_t bar = (length - begin) / width;
        bars[bar] += counts[length];
        max = bars[bar] > max ? bars[bar] : max;
        n_bars = bar + 1;
    }
    double low = 0, high = fmax(5, (double)max), right = WIDTH - 16; /* whole numbers on the axis */
    svg_widen(&low, &high, 5);
    SvgScale y = {low, high, HEIGHT - BOTTOM, TOP};
    SvgScale x = {(double)begin, (double)(begin + (n_bars > 10 ? n_bars : 10) * width), LEFT,
                  right};
    svg_begin(out, WIDTH, HEIGHT, "Histogram of game lengths in moves");
    draw_height_axis(out, &y, right, false, 1, "");
    for (size_t bar = 0; bar < n_bars; bar++) {
        double from = svg_at(&x, (double)(begin + bar * width)),
               to = svg_at(&x, (double)(begin + (bar + 1) * width));
        char hint[96], count[32];
        svg_count(bars[bar], count);
        if (width == 1)
            (void)snprintf(hint, sizeof hint, "%s of %zu moves", count, begin + bar);
        else
            (void)snprintf(hint, sizeof hint, "%s of %zu to %zu moves", count, begin + bar * width,
                           begin + (bar + 1) * width - 1);
        double top = svg_at(&y, (double)bars[bar]);
        if (bars[bar] > 0)
            svg_bar(out, from + 0.5, top, to - from - 1, HEIGHT - BOTTOM - top, 1, "column", hint);
    }
    double step = fmax(1, svg_tick_step(x.low, x.high, 10));
    for (double value = ceil(x.low / step) * step; value <= x.high - (width == 1); value += step)
        svg_text(out, svg_at(&x, value + (width == 1 ? 0.5 : 0)), HEIGHT - BOTTOM + 18, "middle",
                 "tick", "%.0f", value);
    svg_text(out, (LEFT + right) / 2, HEIGHT - 4, "middle", "tick", "moves");
    svg_end(out);
}
