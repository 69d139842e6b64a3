/* The HTML page of a run: tiles, cards with one chart each, tables. Everything is inline, so that
 * the page is one file that can be mailed or archived. */
#include "report/page.h"

#include "base/error.h"
#include "base/stats.h"
#include "report/svg.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The curves have the colours of Okabe and Ito, made for colour-blind readers, adapted to light and
 * dark backgrounds. Scores above and below one half are blue and orange. */
static const char page_style[] =
    ":root{color-scheme:light dark;--ink:#1b2027;--soft:#5d6672;--faint:#8a929c;--page:#f4f2ec;"
    "--card:#fffefb;--line:#e3dfd4;--stripe:#f7f5ef;--accent:#1f6fb5;--above:#2f7fc4;"
    "--below:#e07b1a;--self:#e9e5da;--c0:#0072b2;--c1:#d55e00;--c2:#00835f;--c3:#b8578e;"
    "--c4:#b07d00;--c5:#3a9bd6;--c6:#7a5cc0;--c7:#6b6b6b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e6df;--soft:#a7aeb8;--faint:#7d858f;"
    "--page:#121417;--card:#1b1e23;--line:#31363e;--stripe:#20242a;--accent:#6cb2f0;"
    "--above:#4a9ce6;--below:#f0903a;--self:#2a2f36;--c0:#4aa8e0;--c1:#ff8a3d;--c2:#2fc39a;"
    "--c3:#e39ac2;--c4:#e6b030;--c5:#8fd0f7;--c6:#b49bf0;--c7:#b0b0b0}}\n"
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",sans-serif;color:var(--ink);"
    "background:var(--page);margin:0 auto;max-width:78rem;padding:2.2rem 1.2rem 3rem}\n"
    "h1{font-size:2rem;line-height:1.15;margin:0 0 .3rem;letter-spacing:-.01em}\n"
    ".sub{color:var(--soft);margin:0 0 1.4rem}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;"
    "margin:0 0 .8rem}\n"
    ".tile,.card{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".tile{padding:.75rem 1rem}"
    ".tile b{display:block;font-size:1.45rem;line-height:1.2;font-weight:650;"
    "font-variant-numeric:tabular-nums;overflow:hidden;text-overflow:ellipsis;"
    "white-space:nowrap}.tile span{color:var(--soft);font-size:.85rem}\n"
    ".cards{columns:2 30rem;column-gap:.8rem;margin:0 0 .8rem}"
    ".card{padding:1.1rem 1.2rem 1rem;margin:0 0 .8rem;break-inside:avoid;overflow-x:auto}"
    ".cards .card:last-child{margin:0}\n"
    "h2{font-size:1.08rem;margin:0 0 .15rem}"
    ".card p{color:var(--soft);font-size:.9rem;margin:0 0 .8rem}\n"
    ".interim{border:1px solid var(--below);color:var(--ink);border-radius:10px;"
    "padding:.5rem 1rem;margin:0 0 .8rem;background:var(--card)}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th{color:var(--soft);font-weight:500;text-align:left}"
    "th,td{padding:.32rem .7rem;white-space:nowrap;border-bottom:1px solid var(--line)}"
    "tr:last-child td{border-bottom:0}.r{text-align:right}\n"
    "footer{color:var(--soft);font-size:.85rem;margin-top:1.4rem}"
    "code{font:.92em ui-monospace,monospace;overflow-wrap:anywhere}\n";

static const char chart_style[] =
    "svg{display:block;width:100%;height:auto}"
    "svg text{font:12.5px system-ui,-apple-system,\"Segoe UI\",sans-serif;fill:var(--ink)}\n"
    "svg .tick{fill:var(--soft);font-size:11.5px;font-variant-numeric:tabular-nums}"
    "svg .faint{fill:var(--faint);font-size:11.5px}"
    "svg .small{fill:var(--soft);font-size:11.5px;font-variant-numeric:tabular-nums}\n"
    "svg .figure{font-weight:600;font-variant-numeric:tabular-nums}"
    "svg .cell{font-variant-numeric:tabular-nums}svg .tiny{font-size:10px}\n"
    ".grid{stroke:var(--line);stroke-width:1}"
    ".zero{stroke:var(--faint);stroke-width:1;stroke-dasharray:3 3}\n"
    ".stripe{fill:var(--stripe)}.blank{fill:var(--card);stroke:var(--line);stroke-width:.5}"
    ".self{fill:var(--self)}\n"
    ".above,.column,.band{fill:var(--above)}.below{fill:var(--below)}.band{fill-opacity:.35}\n"
    ".whisker{stroke:var(--accent);stroke-width:1.8}.dot{fill:var(--accent)}"
    ".ring{fill:var(--card);stroke:var(--below);stroke-width:2}\n"
    ".bound{stroke-width:1.5;stroke-dasharray:6 4}.bound.above{stroke:var(--above)}"
    ".bound.below{stroke:var(--below)}\n"
    ".thin{stroke:var(--faint);stroke-width:1}.link{stroke:var(--faint);stroke-width:2}"
    ".hair{stroke-width:1.2;stroke-opacity:.6}.hair.first{stroke:var(--accent)}"
    ".hair.second{stroke:var(--below)}\n"
    ".curve{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".lead{stroke-width:1;stroke-opacity:.6}"
    ".curve.rest{stroke:var(--faint);stroke-width:1;stroke-opacity:.45}\n"
    ".c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}"
    ".c4{stroke:var(--c4)}.c5{stroke:var(--c5)}.c6{stroke:var(--c6)}.c7{stroke:var(--c7)}"
    ".c4,.c5,.c6,.c7{stroke-dasharray:7 3}\n"
    "svg .tag{font-weight:600}svg .t0{fill:var(--c0)}svg .t1{fill:var(--c1)}"
    "svg .t2{fill:var(--c2)}svg .t3{fill:var(--c3)}svg .t4{fill:var(--c4)}"
    "svg .t5{fill:var(--c5)}svg .t6{fill:var(--c6)}svg .t7{fill:var(--c7)}\n"
    ".k0{fill:var(--c1)}.k1{fill:var(--c0)}.k2{fill:var(--c5)}.k3{fill:var(--c3)}"
    ".k4{fill:var(--c4)}.k5{fill:var(--c2)}.k6{fill:var(--c6)}\n"
    /* On a phone the charts keep their size, and are scrolled within their cards. */
    "@media(max-width:40rem){body{padding:1rem .7rem 2rem}.card{padding:.9rem}"
    ".tiles{grid-template-columns:1fr 1fr}"
    ".card svg{min-width:32rem}}\n"
    "@media print{body{background:#fff}.card,.tile{break-inside:avoid}}\n";

_Static_assert(TURF_N_FORFEITS == 7, "every reason of a forfeit has a colour, .k0 to .k6");

/* ---- pieces -------------------------------------------------------------------------------- */

static void open_card(FILE *out, const char *title, const char *text)
{
    /* Wide charts and tables are scrolled within their card, also by keyboard. */
    fprintf(out, "<section class=\"card\" tabindex=\"0\" aria-label=\"%s\">\n<h2>%s</h2>\n", title,
            title);
    if (*text)
        fprintf(out, "<p>%s</p>\n", text);
}

static void close_card(FILE *out) { fputs("</section>\n", out); }

static void write_tile(FILE *out, const char *figure, const char *label)
{
    fputs("<div class=\"tile\"><b>", out);
    html_escape(figure, out);
    fputs("</b><span>", out);
    html_escape(label, out);
    fputs("</span></div>\n", out);
}

static const char *first_words(const RunView *view)
{
    return game_is_simultaneous(view->game) ? "being player 1" : "moving first";
}

/* ---- the head ------------------------------------------------------------------------------ */

static void write_interim(const RunView *view, const char *shard, FILE *out)
{
    char number[32], planned[32];
    svg_count(view->n_games, number);
    svg_count(view->n_planned, planned);
    fprintf(out, "<p class=\"interim\"><b>Interim:</b> ");
    if (*shard)
        fprintf(out, "%s games of %s have been played; all shards together have %s.</p>\n", number,
                shard, planned);
    else
        fprintf(out, "%s of %s games have been played.</p>\n", number, planned);
}

static void write_head(const RunView *view, bool hides_times, FILE *out)
{
    const char *schedule = run_view_schedule(view);
    time_t      created = (time_t)view->run.created;
    struct tm   utc;
    char        date[40] = "", shard[48] = "";
    if (!hides_times && gmtime_r(&created, &utc))
        (void)strftime(date, sizeof date, ", begun %Y-%m-%d %H:%M UTC", &utc);
    fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
          out);
    fprintf(out, "<title>%s: ", view->game->title);
    html_escape(schedule, out); /* a word of the plan */
    fprintf(out, " of %zu</title>\n<style>\n%s%s</style>\n", view->n_entrants, page_style,
            chart_style);
    run_view_shard(view, shard, sizeof shard);
    fprintf(out, "<main>\n<h1>%s</h1>\n<p class=\"sub\">", view->game->title);
    html_escape(schedule, out);
    fprintf(out, " of %zu players, run %lld%s%s%s</p>\n", view->n_entrants, (long long)view->run.id,
            *shard ? ", " : "", shard, date);
    if (view->n_games < view->n_planned)
        write_interim(view, shard, out);
}

static void write_tiles(const RunView *view, FILE *out)
{
    const Standings  *standings = view->standings;
    const TurfTotals *all = &standings->all;
    char              figure[64];
    fputs("<div class=\"tiles\">\n", out);
    svg_count(all->n_games, figure);
    write_tile(out, figure, "games");
    if (standings->n > 0 && (standings->is_swiss || standings->list[0].rating.status == RATED))
        write_tile(out, standings->list[0].name, "leads"); /* the style cuts it to what fits */
    if (standings->knows_first) {
        (void)snprintf(figure, sizeof figure, "%+.0f Elo",
                       stats_shown(standings->first_player.value, 0));
        write_tile(out, figure,
                   game_is_simultaneous(view->game) ? "for being player 1" : "for moving first");
    }
    double n = all->n_games > 0 ? (double)all->n_games : 1;
    (void)snprintf(figure, sizeof figure, "%.1f %%", 100 * (double)stats_draws(all) / n);
    write_tile(out, figure, "drawn");
    (void)snprintf(figure, sizeof figure, "%.1f", (double)all->length_sum / n);
    write_tile(out, figure, "moves on average");
    svg_count(stats_forfeits(all, 0) + stats_forfeits(all, 1), figure);
    write_tile(out, figure, "forfeits");
    fputs("</div>\n", out);
}

/* ---- the cards ----------------------------------------------------------------------------- */

static void write_ratings(const RunView *view, FILE *out)
{
    open_card(out, "Ratings", "Elo from one fit of all games, with 95 % intervals; the mean is 0.");
    chart_ratings(out, view->standings);
    close_card(out);
}

static void write_table(const RunView *view, FILE *out)
{
    Table *table = standings_table(view->standings);
    open_card(out, "Standings", "");
    table_print(table, TABLE_HTML, out);
    fputs("<p>", out);
    table_free(table);
    char  *notes = NULL;
    size_t length = 0;
    FILE  *stream = open_memstream(&notes, &length);
    if (stream) {
        standings_print_notes(view->standings, view->game, stream);
        fclose(stream);
    }
    html_escape(notes ? notes : "(these notes are missing: out of memory)", out);
    free(notes);
    fputs("</p>\n", out);
    close_card(out);
}

static bool write_cross_table(const RunView *view, FILE *out, TurfError *error)
{
    enum { MAX_PLAYERS = 120 }; /* the cells of more would be too small */
    if (view->standings->n > MAX_PLAYERS)
        return true;
    CrossCell *cells = standings_cross_cells(view->standings, view->results, view->n_pairings);
    if (!cells)
        return error_no_memory(error);
    open_card(out, "Cross table",
              "Score in percent of the row\u2019s player against the column\u2019s, in the order "
              "of the standings.");
    chart_cross_table(out, view->standings, cells);
    close_card(out);
    free(cells);
    return true;
}

/* How games are batched depends on timing, and the curve depends on the batches; so it is left out
 * of pages that must be reproducible. */
static bool write_scores(const RunView *view, Store *store, bool hides_times, FILE *out,
                         TurfError *error)
{
    if (hides_times && view->n_single < view->n_games)
        return true;
    double *scores = run_view_scores(view, store, error);
    if (!scores)
        return false;
    open_card(out, "Score over time", "Each player\u2019s score over all games so far.");
    chart_scores(out, view->standings, scores, RUN_VIEW_STEPS);
    close_card(out);
    free(scores);
    return true;
}

static bool write_lengths(const RunView *view, Store *store, FILE *out, TurfError *error)
{
    size_t    n_lengths = 0;
    uint64_t *counts = run_view_lengths(view, store, &n_lengths, error);
    char      recorded[32], text[160];
    if (!counts)
        return false;
    /* If only a sample was recorded, the totals of all games say more. */
    if (view->n_recorded * 2 > view->n_games) {
        svg_count(view->n_recorded, recorded);
        (void)snprintf(text, sizeof text, "Of %s recorded games, in moves.", recorded);
        open_card(out, "Game lengths", text);
        chart_lengths(out, counts, n_lengths);
    } else {
        open_card(out, "Game lengths",
                  "Moves, by player: shortest, average with one standard deviation either way, and "
                  "longest.");
        chart_length_ranges(out, view->standings);
    }
    close_card(out);
    free(counts);
    return true;
}

static bool write_sides(const RunView *view, FILE *out, TurfError *error)
{
    SideScores *scores = run_view_sides(view);
    char        text[200];
    if (!scores)
        return error_no_memory(error);
    if (view->standings->knows_first)
        (void)snprintf(text, sizeof text,
                       "Over all games, %s is worth %+.0f Elo (%+.0f to %+.0f). By player:",
                       first_words(view), stats_shown(view->standings->first_player.value, 0),
                       stats_shown(view->standings->first_player.low, 0),
                       stats_shown(view->standings->first_player.high, 0));
    else
        (void)snprintf(text, sizeof text,
                       "Too few games with sides changed to tell %s from strength.",
                       first_words(view));
    open_card(out, "First-player advantage", text);
    chart_sides(out, view->standings, scores);
    close_card(out);
    free(scores);
    return true;
}

static const char *test_state(const SprtStatus *status)
{
    if (status->state == SPRT_CONTINUE)
        return "Not settled: interim.";
    return status->state == SPRT_ACCEPT_1 ? "Settled: elo1." : "Settled: elo0.";
}

static bool write_test(const RunView *view, Store *store, FILE *out, TurfError *error)
{
    TestCourse course;
    char       text[240];
    if (!run_view_has_test(view))
        return true;
    if (!run_view_test(view, store, &course, error))
        return false;
    const Sprt *sprt = &course.sprt;
    (void)snprintf(text, sizeof text, "Is it %g Elo (elo0) or %g (elo1)? %s", sprt->elo0,
                   sprt->elo1, test_state(&course.last));
    open_card(out, "Sequential test", text);
    chart_test(out, &course.last, course.looks, course.llrs, course.n);
    close_card(out);
    test_course_release(&course);
    return true;
}

static void write_forfeits(const RunView *view, FILE *out)
{
    uint64_t n_forfeits =
        stats_forfeits(&view->standings->all, 0) + stats_forfeits(&view->standings->all, 1);
    open_card(out, "Forfeits",
              n_forfeits > 0 ? "Games lost without being played to their end, by reason."
                             : "None.");
    chart_forfeits(out, view->standings);
    close_card(out);
}

static void write_entrants(const RunView *view, FILE *out)
{
    static const char *const titles[] = {"player", "is"};
    bool                     is_plain = true;
    for (size_t i = 0; i < view->n_entrants; i++)
        is_plain &= !strcmp(view->entrants[i].name, view->entrants[i].spec);
    if (is_plain)
        return;
    Table *table = table_new("ll", titles);
    for (size_t i = 0; i < view->n_entrants; i++) {
        table_add(table, "%s", view->entrants[i].name);
        table_add(table, "%s", view->entrants[i].spec);
    }
    open_card(out, "Entrants", "");
    table_print(table, TABLE_HTML, out);
    close_card(out);
    table_free(table);
}

static void write_foot(const RunView *view, FILE *out)
{
    fprintf(out, "<footer>Made by turf %s. Plan %.16s, seed %lld: ", TURF_VERSION,
            view->run.plan_hash,
            (long long)json_integer_value(json_object_get(view->plan, "seed")));
    fputs("the same plan plays the same games. Point at a cell or a bar for its "
          "figures.</footer>\n</html>\n",
          out);
}

bool page_write(const RunView *view, Store *store, bool hides_times, FILE *out, TurfError *error)
{
    write_head(view, hides_times, out);
    write_tiles(view, out);
    fputs("<div class=\"cards\">\n", out);
    write_ratings(view, out);
    if (!write_test(view, store, out, error) || !write_sides(view, out, error) ||
        !write_scores(view, store, hides_times, out, error) ||
        !write_cross_table(view, out, error) || !write_lengths(view, store, out, error))
        return false;
    write_forfeits(view, out);
    fputs("</div>\n", out);
    write_table(view, out);
    write_entrants(view, out);
    fputs("</main>\n", out);
    write_foot(view, out);
    return true;
}
