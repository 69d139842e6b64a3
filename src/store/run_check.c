/* Cross-checks of stored runs. The plan is the authority: it is compared with its hash, and the
 * rows with it. */
#include "store/run_check.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/hash.h"
#include "store/records.h"

#include <string.h>

static bool has_text(const json_t *json, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(json, key));
    return value && !strcmp(value, text);
}

static bool fits_run(const json_t *plan, const RunRecord *run)
{
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016llx",
                   (unsigned long long)hash_bytes(run->plan, strlen(run->plan)));
    return has_text(plan, "game", run->game) && !strcmp(hash, run->plan_hash);
}

static bool has_entrants(const json_t *plan, const EntrantRecord *entrants, size_t n_entrants)
{
    const json_t *list = json_object_get(plan, "entrants");
    if (!json_is_array(list) || json_array_size(list) != n_entrants)
        return false;
    for (size_t i = 0; i < n_entrants; i++)
        if (!has_text(json_array_get(list, i), "name", entrants[i].name) ||
            !has_text(json_array_get(list, i), "player", entrants[i].spec))
            return false;
    return true;
}

/* The rounds of a schedule: a Swiss tournament pairs all entrants in each, a knock-out those of its
 * bracket that are left; the others have one round of any number of pairings. */
typedef struct Rounds {
    bool       is_swiss, is_knock_out;
    json_int_t n;
    size_t     n_entrants, bracket;
} Rounds;

static Rounds rounds_of(const json_t *plan, size_t n_entrants)
{
    Rounds rounds = {.is_swiss = has_text(plan, "schedule", "swiss"),
                     .is_knock_out = has_text(plan, "schedule", "knock-out"),
                     .n = 1,
                     .n_entrants = n_entrants,
                     .bracket = 2};
    if (rounds.is_swiss)
        rounds.n = json_integer_value(json_object_get(plan, "rounds"));
    for (; rounds.is_knock_out && rounds.bracket < n_entrants; rounds.bracket *= 2)
        rounds.n++;
    return rounds;
}

static size_t pairings_in(const Rounds *rounds, json_int_t round)
{
    if (rounds->is_swiss && rounds->n_entrants > 1)
        return rounds->n_entrants / 2;
    if (!rounds->is_knock_out)
        return SIZE_MAX;
    return round == 1 ? rounds->n_entrants - rounds->bracket / 2 : rounds->bracket >> round;
}

static bool has_pairings(const json_t *plan, size_t n_entrants, const PairingRecord *pairings,
                         size_t n_pairings)
{
    json_int_t n_games = json_integer_value(json_object_get(plan, "games"));
    Rounds     rounds = rounds_of(plan, n_entrants);
    bool       has_rounds = rounds.is_swiss || rounds.is_knock_out;
    bool       swaps_sides = has_rounds || json_is_true(json_object_get(plan, "swap"));
    json_int_t round = 1;
    size_t     n_in_round = 0;
    for (size_t i = 0; i < n_pairings; i++) {
        const PairingRecord *pairing = &pairings[i];
        if (n_in_round == pairings_in(&rounds, round)) {
            round++;
            n_in_round = 0;
        }
        n_in_round++;
        if (pairing->first >= n_entrants || pairing->second >= n_entrants ||
            (json_int_t)pairing->n_games != n_games || pairing->swaps_sides != swaps_sides ||
            pairing->round != round || round > rounds.n)
            return false;
    }
    return !has_rounds || n_pairings == 0 || n_in_round == pairings_in(&rounds, round);
}

bool run_check(Store *store, const RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
               const PairingRecord *pairings, size_t n_pairings, TurfError *error)
{
    TurfError why;
    json_t   *plan = json_read(run->plan, 0, &why);
    bool      is_good = plan || (why.code == TURF_ERROR_NO_MEMORY
                                     ? error_no_memory(error)
                                     : store_damage(store, "a plan is not JSON", error));
    if (is_good && !fits_run(plan, run))
        is_good = store_damage(store, "a plan is not the one that its run was begun with", error);
    if (is_good && !has_entrants(plan, entrants, n_entrants))
        is_good = store_damage(store, "the entrants of a run are not those of its plan", error);
    if (is_good && !has_pairings(plan, n_entrants, pairings, n_pairings))
        is_good = store_damage(store, "the pairings of a run do not fit its plan", error);
    json_decref(plan);
    return is_good && records_check(store, run->id, error);
}
