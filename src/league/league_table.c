/* The table of a league. All of it is made of one joint fit (league_standings). */
#include "league/league_table.h"

#include "base/checked_json.h"
#include "base/stats.h"
#include "league/league_round.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const LeagueVersion *version_of(const League *league, const Standing *standing)
{
    return league_version(league, standing->name);
}

static bool rests(const League *league, const LeagueVersion *version)
{
    return version->retired == 0 && league_rests(league, (size_t)(version - league->versions));
}

/* ---- text ---------------------------------------------------------------------------------- */

static void add_row(Table *table, const League *league, const Standings *standings, size_t i)
{
    const Standing      *standing = &standings->list[i];
    const LeagueVersion *version = version_of(league, standing);
    const TurfTotals    *t = &standing->totals;
    bool                 is_rated = standing->rating.status == RATED;
    bool has_next = i + 1 < standings->n && standings->list[i + 1].rating.status == RATED;
    char interval[48], superiority[16];
    standings_interval_text(&standing->rating, interval);
    standings_likelihood_text(standing->superiority, superiority);
    if (is_rated)
        table_add(table, "%zu", i + 1);
    else
        table_add(table, "%s", "");
    table_add(table, "%s", league->teams[version->team].name);
    table_add(table, "%d", version->number);
    table_add(table, "%" PRIu64, t->n_games);
    table_add(table, "%" PRIu64, t->endings[TURF_WON_BY_FIRST]);
    table_add(table, "%" PRIu64, t->endings[TURF_WON_BY_SECOND]);
    table_add(table, "%" PRIu64, stats_draws(t));
    table_add(table, "%" PRIu64, stats_forfeits(t, 0));
    table_add(table, "%.2f %%", 100 * stats_score(t).value);
    if (is_rated)
        table_add(table, "%+.0f", stats_shown(standing->rating.elo.value, 0));
    else
        table_add(table, "%s", "");
    table_add(table, "%s%s", interval, rests(league, version) ? ", rests" : "");
    table_add(table, "%s", has_next ? superiority : "");
}

static bool has_played(const League *league, size_t version)
{
    for (size_t i = 0; i < league->n_results; i++)
        if (league->results[i].first == version || league->results[i].second == version)
            return true;
    return false;
}

/* Versions that wait for their first game. */
static void print_waiting(const League *league, FILE *out)
{
    const char *comma = "Waiting for a first game: ";
    for (size_t i = 0; i < league->n_versions; i++)
        if (league->versions[i].retired == 0 && !has_played(league, i)) {
            fprintf(out, "%s%s", comma, league->versions[i].name);
            comma = ", ";
        }
    if (*comma == ',')
        fputs(".\n", out);
}

bool league_print_table(const League *league, bool lists_all, FILE *out)
{
    static const char *const titles[] = {"",      "team", "version",       "games",
                                         "won",   "lost", "drawn",         "forfeited",
                                         "score", "Elo",  "95 % interval", "LOS"};
    Standings               *standings = league_standings(league, lists_all);
    if (!standings)
        return false;
    fprintf(out, "%s, %" PRIu64 " games in %" PRId64 " rounds%s.\n\n", league->plan.game->title,
            league_n_games(league), league->next_round - 1, league->is_frozen ? ", frozen" : "");
    if (standings->n > 0) {
        Table *table = table_new("rlrrrrrrrrrr", titles);
        for (size_t i = 0; i < standings->n; i++)
            add_row(table, league, standings, i);
        table_print(table, TABLE_TEXT, out);
        table_free(table);
        fputc('\n', out);
        standings_print_notes(standings, league->plan.game, out);
    }
    print_waiting(league, out);
    standings_free(standings);
    return true;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *rank_json(const Standings *standings, size_t i)
{
    bool is_rated = standings->list[i].rating.status == RATED;
    return is_rated ? json_integer((json_int_t)i + 1) : json_null();
}

static json_t *rows_json(const League *league, const Standings *standings)
{
    json_t *rows = standings_json(standings, league->plan.game), *row;
    size_t  i;
    json_array_foreach(rows, i, row)
    {
        const LeagueVersion *version = version_of(league, &standings->list[i]);
        json_t              *more =
            json_pack("{s:s,s:i,s:o,s:b,s:b}", "team", league->teams[version->team].name, "version",
                      version->number, "rank", rank_json(standings, i), "is_current",
                      (int)(version->retired == 0), "rests", (int)rests(league, version));
        if (!more || json_object_update(row, more)) {
            json_decref(more);
            json_decref(rows);
            return NULL;
        }
        json_decref(more);
    }
    return rows;
}

static json_t *waiting_json(const League *league)
{
    json_t *names = json_array();
    for (size_t i = 0; i < league->n_versions; i++)
        if (league->versions[i].retired == 0 && !has_played(league, i))
            json_add(&names, json_string(league->versions[i].name));
    return names;
}

json_t *league_json(const League *league, bool lists_all)
{
    Standings *standings = league_standings(league, lists_all);
    if (!standings)
        return NULL;
    json_t *json =
        json_pack("{s:s,s:I,s:I,s:I,s:b,s:o,s:o,s:o}", "game", league->plan.game->name, "seed",
                  (json_int_t)league->plan.seed, "games", (json_int_t)league_n_games(league),
                  "rounds", (json_int_t)(league->next_round - 1), "frozen", (int)league->is_frozen,
                  "standings", rows_json(league, standings), "waiting", waiting_json(league), "fit",
                  standings_fit_json(standings));
    standings_free(standings);
    return json;
}

/* ---- teams -------------------------------------------------------------------------------- */

/* The version of a team that plays, or its last. */
static const LeagueVersion *last_version(const League *league, size_t team)
{
    for (size_t i = league->n_versions; i-- > 0;)
        if (league->versions[i].team == team)
            return &league->versions[i];
    return NULL;
}

static const Standing *standing_of(const Standings *standings, const char *name)
{
    for (size_t i = 0; i < standings->n; i++)
        if (!strcmp(standings->list[i].name, name))
            return &standings->list[i];
    return NULL;
}

static const char *status_of(const League *league, const LeagueVersion *version,
                             const Standing *standing)
{
    if (version && version->retired)
        return "retired";
    if (version && rests(league, version))
        return "rests";
    if (!standing)
        return "waits";
    return standing->rating.status == RATED ? "plays" : "unrated";
}

static void fill_rows(const League *league, LeagueRows *rows)
{
    size_t n_ranked = 0;
    for (size_t i = 0; i < rows->all->n; i++) {
        const Standing      *standing = &rows->all->list[i];
        const LeagueVersion *version = version_of(league, standing);
        if (version->retired)
            continue;
        bool is_rated = standing->rating.status == RATED;
        n_ranked += is_rated;
        rows->list[rows->n++] = (LeagueRow){.team = &league->teams[version->team],
                                            .version = version,
                                            .standing = standing,
                                            .rank = is_rated ? n_ranked : 0};
    }
    for (int is_retired = 0; is_retired < 2; is_retired++)
        for (size_t i = 0; i < league->n_teams; i++) {
            const LeagueVersion *version = last_version(league, i);
            const Standing      *standing = version ? standing_of(rows->all, version->name) : NULL;
            if ((version && version->retired) == is_retired && (is_retired || !standing))
                rows->list[rows->n++] = (LeagueRow){
                    .team = &league->teams[i], .version = version, .standing = standing};
        }
    for (size_t i = 0; i < rows->n; i++)
        rows->list[i].status = status_of(league, rows->list[i].version, rows->list[i].standing);
}

void league_rows_free(LeagueRows *rows)
{
    if (!rows)
        return;
    standings_free(rows->all);
    free(rows->list);
    free(rows);
}

LeagueRows *league_rows(const League *league)
{
    LeagueRows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->all = league_standings(league, true);
    rows->list = calloc(league->n_teams + 1, sizeof *rows->list);
    if (rows->all && rows->list) {
        fill_rows(league, rows);
        return rows;
    }
    league_rows_free(rows);
    return NULL;
}

/* ---- grades -------------------------------------------------------------------------------- */

static void write_rating(const Rating *rating, FILE *out)
{
    if (rating->status != RATED) {
        fputs(",,,", out);
        return;
    }
    fprintf(out, ",%.1f,", stats_shown(rating->elo.value, 1));
    if (rating->has_low)
        fprintf(out, "%.1f", stats_shown(rating->elo.low, 1));
    fputc(',', out);
    if (rating->has_high)
        fprintf(out, "%.1f", stats_shown(rating->elo.high, 1));
}

static void write_team(const LeagueRow *row, FILE *out)
{
    static const Standing nothing = {.rating = {.status = UNRATED_NO_GAMES}};
    const LeagueTeam     *team = row->team;
    const Standing       *shown = row->standing ? row->standing : &nothing;
    const TurfTotals     *t = &shown->totals;
    if (row->rank > 0)
        fprintf(out, "%zu", row->rank);
    fputc(',', out);
    table_write_csv_cell(team->name, out);
    write_rating(&shown->rating, out);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, t->n_games,
            t->endings[TURF_WON_BY_FIRST], t->endings[TURF_WON_BY_SECOND], stats_draws(t),
            stats_forfeits(t, 0));
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        fprintf(out, ",%" PRIu64, t->forfeits[0][f]);
    fprintf(out, ",%zu,%s\r\n", team->n_versions, row->status);
}

bool league_write_grades(const League *league, FILE *out)
{
    LeagueRows *rows = league_rows(league);
    fputs("rank,team,rating,low,high,games,won,lost,drawn,forfeited", out);
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        fprintf(out, ",%s", turf_forfeit_name((TurfForfeit)f));
    fputs(",versions,status\r\n", out);
    for (size_t i = 0; rows && i < rows->n; i++)
        write_team(&rows->list[i], out);
    league_rows_free(rows);
    return rows != NULL;
}
