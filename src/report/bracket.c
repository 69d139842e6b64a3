/* The bracket of a knock-out. All rounds are listed, also those not yet decided: the page fills
 * them in as games end. Everything follows from knock_out_places, so that the bracket never says
 * anything else than the schedule. */
#include "report/bracket.h"

#include "arena/schedule.h"
#include "base/checked_json.h"
#include "base/stats.h"
#include "games/totals.h"

static const char *round_name(uint64_t n_left, char text[32])
{
    switch (n_left) {
    case 1: return "final";
    case 2: return "semi-finals";
    case 3: return "quarter-finals";
    default: (void)snprintf(text, 32, "round of %d", 1 << n_left); return text;
    }
}

static const char *name_of(const Run *run, size_t entrant)
{
    return entrant == BRACKET_NOBODY ? NULL : run->plan.entrants[entrant].name;
}

static double points_of(const TurfTotals *both, TurfEnding win)
{
    return (double)both->endings[win] + (double)stats_draws(both) / 2;
}

/* The games of two neighbours in a round; both points are 0 if they have not met. */
static void find_points(const Run *run, uint64_t round, size_t a, size_t b, double points[2])
{
    points[0] = points[1] = 0;
    for (size_t i = 0; i < run->n_pairings; i++) {
        const PairingRecord *pairing = &run->schedule[i];
        TurfTotals           both = totals_of_sides(run->totals[i]);
        bool                 is_turned = pairing->first == b && pairing->second == a;
        if ((uint64_t)pairing->round != round ||
            !(is_turned || (pairing->first == a && pairing->second == b)))
            continue;
        points[is_turned] = points_of(&both, TURF_WON_BY_FIRST);
        points[!is_turned] = points_of(&both, TURF_WON_BY_SECOND);
    }
}

/* Has every game of a round that is decided been played? Winners are known only then. */
static bool is_played(const Run *run, uint64_t round)
{
    bool is_there = false;
    for (size_t i = 0; i < run->n_pairings; i++) {
        if ((uint64_t)run->schedule[i].round != round)
            continue;
        is_there = true;
        if (run->totals[i][0].n_games + run->totals[i][1].n_games < run->pairings[i].n_games)
            return false;
    }
    return is_there;
}

static json_t *name_json(const Run *run, size_t entrant, bool is_bye)
{
    if (is_bye)
        return json_false();
    const char *name = name_of(run, entrant);
    return name ? json_string(name) : json_null();
}

static json_t *seed_json(size_t entrant)
{
    return entrant == BRACKET_NOBODY ? json_null() : json_integer((json_int_t)entrant + 1);
}

static json_t *pair_json(const Run *run, uint64_t round, size_t a, size_t b, size_t winner)
{
    double points[2];
    bool   is_bye = round == 1 && b == BRACKET_NOBODY;
    find_points(run, round, a, b, points);
    return json_pack("{s:[o,o],s:[o,o],s:[f,f],s:s?}", "names", name_json(run, a, false),
                     name_json(run, b, is_bye), "seeds", seed_json(a), seed_json(b), "points",
                     points[0], points[1], "winner", name_of(run, winner));
}

static void blank(size_t *places, size_t n)
{
    for (size_t i = 0; i < n; i++)
        places[i] = BRACKET_NOBODY;
}

json_t *bracket_json(const Run *run)
{
    size_t   here[MAX_ENTRANTS], next[MAX_ENTRANTS];
    uint64_t n_rounds = schedule_n_rounds(&run->plan);
    json_t  *rounds = json_array();
    size_t   winner = BRACKET_NOBODY;
    bool     is_known = true;
    for (uint64_t r = 1; r <= n_rounds; r++) {
        char    text[32];
        json_t *pairs = json_array();
        size_t  n =
            knock_out_places(&run->plan, r, run->schedule, run->totals, run->n_pairings, here);
        if (!is_known)
            blank(here, n);
        (void)knock_out_places(&run->plan, r + 1, run->schedule, run->totals, run->n_pairings,
                               next);
        is_known = is_known && is_played(run, r);
        for (size_t i = 0; i < n / 2; i++) {
            bool is_bye = r == 1 && here[2 * i + 1] == BRACKET_NOBODY;
            json_add(&pairs, pair_json(run, r, here[2 * i], here[2 * i + 1],
                                       is_known || is_bye ? next[i] : BRACKET_NOBODY));
        }
        json_add(&rounds, json_pack("{s:s,s:o}", "name", round_name(n_rounds - r + 1, text),
                                    "pairs", pairs));
        if (r == n_rounds && is_known)
            winner = next[0];
    }
    return json_pack("{s:o,s:s?}", "rounds", rounds, "winner", name_of(run, winner));
}

static const char *name_text(const json_t *name)
{
    if (json_is_false(name))
        return "(bye)";
    return json_is_string(name) ? json_string_value(name) : "?";
}

static void print_pair(const json_t *pair, FILE *out)
{
    const json_t *names = json_object_get(pair, "names"), *points = json_object_get(pair, "points");
    const char   *one = name_text(json_array_get(names, 0)),
               *other = name_text(json_array_get(names, 1));
    double first = json_number_value(json_array_get(points, 0)),
           second = json_number_value(json_array_get(points, 1));
    if (json_is_false(json_array_get(names, 1)))
        fprintf(out, "  %s has a bye\n", one);
    else if (first == 0 && second == 0)
        fprintf(out, "  %s - %s\n", one, other);
    else
        fprintf(out, "  %s - %s  %g : %g\n", one, other, first, second);
}

void bracket_print(const Run *run, FILE *out)
{
    json_t       *bracket = bracket_json(run);
    const json_t *round, *pair;
    size_t        i, j;
    json_array_foreach(json_object_get(bracket, "rounds"), i, round)
    {
        fprintf(out, "%s\n", json_string_value(json_object_get(round, "name")));
        json_array_foreach(json_object_get(round, "pairs"), j, pair) print_pair(pair, out);
    }
    const char *winner = json_string_value(json_object_get(bracket, "winner"));
    if (winner)
        fprintf(out, "%s wins.\n", winner);
    json_decref(bracket);
}
