/* Plans: their entrants and players, and their canonical JSON. */
#include "arena/plan.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/checked_json.h"

#include <stdlib.h>
#include <string.h>

static const char *const schedule_names[N_SCHEDULES] = {"match", "round-robin", "gauntlet",
                                                        "swiss", "knock-out",   "pairs"};

const char *schedule_name(ScheduleKind schedule) { return schedule_names[schedule]; }

ScheduleKind schedule_find(const char *name)
{
    int found = name_find(name, schedule_names, N_SCHEDULES);
    return found >= 0 ? (ScheduleKind)found : N_SCHEDULES;
}

void plan_release(Plan *plan)
{
    for (size_t i = 0; i < plan->n_starts; i++)
        free(plan->starts[i]);
    free(plan->starts);
    free(plan->sandbox);
    free(plan->pairs);
    for (size_t i = 0; i < plan->n_entrants; i++)
        turf_player_free(plan->players[i]);
    free(plan->players);
    entrants_free(plan->entrants, plan->n_entrants);
    *plan = (Plan){0};
}

/* ---- players ------------------------------------------------------------------------------ */

static bool add_entrant(Plan *plan, const char *name, const char *spec, const char *folder,
                        int64_t time_ms)
{
    size_t         n = plan->n_entrants + 1;
    TurfPlayer   **players = realloc(plan->players, n * sizeof(TurfPlayer *));
    EntrantRecord *entrants = realloc(plan->entrants, n * sizeof *entrants);
    if (players)
        plan->players = players;
    if (entrants)
        plan->entrants = entrants;
    if (!players || !entrants)
        return false;
    EntrantRecord *entrant = &entrants[plan->n_entrants];
    *entrant = (EntrantRecord){strdup(name), strdup(spec), folder ? strdup(folder) : NULL, time_ms};
    players[plan->n_entrants++] = NULL;
    return entrant->name && entrant->spec && (entrant->folder || !folder);
}

bool plan_add_entrant(Plan *plan, const char *name, const char *spec, const char *folder)
{
    return add_entrant(plan, name, spec, folder, 0);
}

bool plan_add_player(Plan *plan, TurfPlayer *player)
{
    ProcessTerms *terms = &player->terms.process;
    if (!add_entrant(plan, player->name, player->spec, terms->folder, player->time_gain_ms)) {
        turf_player_free(player);
        return false;
    }
    plan->players[plan->n_entrants - 1] = player;
    terms->folder = plan->entrants[plan->n_entrants - 1].folder;
    return true;
}

TurfPlayer *plan_open_player(const Plan *plan, const char *spec, TurfError *error)
{
    size_t      name_length = strcspn(spec, "=:");
    bool        is_named = spec[name_length] == '=';
    const char *bare = is_named ? spec + name_length + 1 : spec;
    TurfPlayer *listener = NULL;
    for (size_t i = 0; i < plan->n_entrants; i++)
        if (plan->players[i] && plan->players[i]->kind->plays_alone &&
            !strcmp(plan->players[i]->spec, bare))
            listener = plan->players[i];
    if (!listener || (is_named && !player_is_good_name(spec, name_length)))
        return plan->schedule == SCHEDULE_MATCH ? turf_player_open(plan->game, spec, error)
                                                : player_open_any(plan->game, spec, error);
    char       *name = is_named ? strndup(spec, name_length) : strdup(bare);
    TurfPlayer *player = name ? player_copy(listener, error) : NULL;
    bool        is_good = player && player_rename(player, name);
    if (!is_good && (!name || player))
        error_no_memory(error);
    free(name);
    if (is_good)
        return player;
    turf_player_free(player);
    return NULL;
}

bool plan_open_players(Plan *plan, TurfError *error)
{
    for (size_t i = 0; i < plan->n_entrants; i++) {
        const EntrantRecord *entrant = &plan->entrants[i];
        TurfPlayer          *player = plan->players[i];
        if (player)
            continue;
        plan->players[i] = player = plan_open_player(plan, entrant->spec, error);
        if (!player)
            return false;
        if (!player_rename(player, entrant->name))
            return error_no_memory(error);
        player->time_gain_ms = entrant->time_ms;
        player->terms.process.folder = entrant->folder;
    }
    return true;
}

bool plan_has_name(const Plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_entrants; i++)
        if (!strcmp(plan->entrants[i].name, name))
            return true;
    return false;
}

bool plan_add_start(Plan *plan, const char *start)
{
    char **larger = realloc(plan->starts, (plan->n_starts + 1) * sizeof *larger);
    if (!larger)
        return false;
    plan->starts = larger;
    larger[plan->n_starts++] = strdup(start);
    return larger[plan->n_starts - 1] != NULL;
}

bool plan_has_random_start(const Plan *plan)
{
    size_t n_starts = plan->n_starts ? plan->n_starts : 1;
    for (size_t i = 0; i < n_starts; i++) {
        TurfState   state;
        TurfError   error;
        TurfRng     unused = turf_rng(1), rng = unused;
        const char *start = plan->n_starts ? plan->starts[i] : NULL;
        if (!game_start(plan->game, start, &rng, &state, &error) || rng.state != unused.state)
            return true;
    }
    return false;
}

bool plan_add_pair(Plan *plan, size_t first, size_t second)
{
    PlanPair *larger = realloc(plan->pairs, (plan->n_pairs + 1) * sizeof *larger);
    if (!larger)
        return false;
    plan->pairs = larger;
    larger[plan->n_pairs++] = (PlanPair){first, second};
    return true;
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* The numbers of a plan: the key in JSON, the words for messages, the field, and the bounds, which
 * are those of the options. */
typedef struct PlanNumber {
    const char *key, *words;
    size_t      offset;
    json_int_t  min, max;
} PlanNumber;

static const PlanNumber numbers[] = {
    {"games", "the number of games", offsetof(Plan, n_games), 1, MAX_STORED_GAMES},
    {"rounds", "the number of rounds", offsetof(Plan, n_rounds), 0, 1023},
    {"seed", "the seed", offsetof(Plan, seed), 0, INT64_MAX},
    {"time", "--time", offsetof(Plan, time_ms), 0, 86400000},
    {"move_cap", "--move-cap", offsetof(Plan, move_cap_ms), 0, 86400000},
    {"record", "--record", offsetof(Plan, n_recorded), 0, MAX_STORED_GAMES},
    {"bot_memory", "--bot-memory", offsetof(Plan, bot_mib), 0, 1 << 24},
    {"bot_processes", "--bot-processes", offsetof(Plan, bot_processes), 0, 4000},
    {"bot_cpu", "--bot-cpu", offsetof(Plan, bot_cpu_seconds), 0, 100000000},
    {"reuse", "--reuse", offsetof(Plan, is_reusing), 0, 1},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static uint64_t *number_at(const Plan *plan, const PlanNumber *number)
{
    return (uint64_t *)(void *)((char *)(uintptr_t)plan + number->offset);
}

static json_t *pairs_to_json(const Plan *plan)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < plan->n_pairs; i++)
        json_add(&pairs, json_pack("[I,I]", (json_int_t)plan->pairs[i].first,
                                   (json_int_t)plan->pairs[i].second));
    return pairs;
}

char *plan_to_json(const Plan *plan)
{
    json_t *entrants = json_array(), *starts = json_array();
    for (size_t i = 0; i < plan->n_entrants; i++) {
        const EntrantRecord *entrant = &plan->entrants[i];
        json_t *item = json_pack("{s:s,s:s}", "name", entrant->name, "player", entrant->spec);
        if (entrant->folder)
            json_put(&item, "folder", json_string(entrant->folder));
        if (entrant->time_ms)
            json_put(&item, "time", json_integer(entrant->time_ms));
        json_add(&entrants, item);
    }
    for (size_t i = 0; i < plan->n_starts; i++)
        json_add(&starts, json_string(plan->starts[i]));
    json_t *json = json_pack("{s:s,s:s,s:b,s:o,s:o,s:s?}", "game", plan->game->name, "schedule",
                             schedule_names[plan->schedule], "swap", (int)plan->swaps_sides,
                             "entrants", entrants, "starts", starts, "sandbox", plan->sandbox);
    for (size_t i = 0; i < N_NUMBERS; i++)
        json_put(&json, numbers[i].key, json_integer((json_int_t)*number_at(plan, &numbers[i])));
    if (plan->schedule == SCHEDULE_PAIRS)
        json_put(&json, "pairs", pairs_to_json(plan));
    if (plan->has_sprt) {
        char test[96];
        sprt_to_text(&plan->sprt, test);
        json_put(&json, "sprt", json_string(test));
    }
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(json);
    return text;
}

static bool read_pairs(Plan *plan, const json_t *json, TurfError *error)
{
    const json_t *item;
    size_t        i;
    json_array_foreach(json_object_get(json, "pairs"), i, item)
    {
        json_int_t first = json_integer_value(json_array_get(item, 0)),
                   second = json_integer_value(json_array_get(item, 1));
        if (json_array_size(item) != 2 || first < 0 || second < 0 || first == second ||
            (size_t)first >= plan->n_entrants || (size_t)second >= plan->n_entrants)
            return error_invalid(error, "\"pairs\" is not a list of pairs of entrants");
        if (!plan_add_pair(plan, (size_t)first, (size_t)second))
            return error_no_memory(error);
    }
    return true;
}

static bool read_lists(Plan *plan, const json_t *json, TurfError *error)
{
    const json_t *item;
    size_t        i;
    json_array_foreach(json_object_get(json, "starts"), i, item)
    {
        if (!json_is_string(item))
            return error_invalid(error, "\"starts\" is not a list of strings");
        if (!plan_add_start(plan, json_string_value(item)))
            return error_no_memory(error);
    }
    json_array_foreach(json_object_get(json, "entrants"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *spec = json_string_value(json_object_get(item, "player"));
        const char *folder = json_string_value(json_object_get(item, "folder"));
        int64_t     time_ms = json_integer_value(json_object_get(item, "time"));
        if (!name || !spec)
            return error_invalid(error, "an entrant needs \"name\" and \"player\"");
        if (!player_is_good_name(name, strlen(name)))
            return error_invalid(error, "an entrant's name cannot be shown");
        if (time_ms < 0 || time_ms > 86400000)
            return error_invalid(error, "an entrant's time must be at most a day");
        if (!add_entrant(plan, name, spec, folder, time_ms))
            return error_no_memory(error);
    }
    return read_pairs(plan, json, error);
}

static bool read_plan(Plan *plan, const json_t *json, TurfError *error)
{
    const char *game = json_string_value(json_object_get(json, "game"));
    const char *schedule = json_string_value(json_object_get(json, "schedule"));
    const char *sandbox = json_string_value(json_object_get(json, "sandbox"));
    plan->game = game ? turf_game_find(game, error) : NULL;
    plan->schedule = schedule ? schedule_find(schedule) : N_SCHEDULES;
    if (!plan->game || plan->schedule == N_SCHEDULES)
        return error_invalid(error, "this turf does not know its game or schedule");
    for (size_t i = 0; i < N_NUMBERS; i++) {
        const json_t *value = json_object_get(json, numbers[i].key);
        json_int_t    number = json_integer_value(value);
        if ((value && !json_is_integer(value)) || number < numbers[i].min ||
            number > numbers[i].max)
            return error_invalid(error, "\"%s\" must be an integer from %lld to %lld",
                                 numbers[i].key, (long long)numbers[i].min,
                                 (long long)numbers[i].max);
        *number_at(plan, &numbers[i]) = (uint64_t)number;
    }
    plan->swaps_sides = json_is_true(json_object_get(json, "swap"));
    const char *sprt = json_string_value(json_object_get(json, "sprt"));
    plan->has_sprt = sprt != NULL;
    if (sprt && !sprt_parse(sprt, &plan->sprt, error))
        return false;
    plan->sandbox = sandbox ? strdup(sandbox) : NULL;
    if (sandbox && !plan->sandbox)
        return error_no_memory(error);
    return read_lists(plan, json, error);
}

bool plan_from_json(Plan *plan, const char *text, TurfError *error)
{
    TurfError why;
    json_t   *json = json_read(text, 0, &why);
    *plan = (Plan){0};
    bool is_good = json && read_plan(plan, json, &why);
    json_decref(json);
    if (is_good)
        return true;
    plan_release(plan);
    if (why.code == TURF_ERROR_NO_MEMORY)
        return error_no_memory(error);
    return error_set(error, why.code, "the plan cannot be read: %.300s", why.text);
}

void plan_hash(const char *json, char hash[17])
{
    (void)snprintf(hash, 17, "%016llx", (unsigned long long)hash_bytes(json, strlen(json)));
}

/* What a message calls the member `key`. */
static const char *words_for(const char *key)
{
    for (size_t i = 0; i < N_NUMBERS; i++)
        if (!strcmp(key, numbers[i].key))
            return numbers[i].words;
    static const char *const others[][2] = {{"game", "the game"},     {"schedule", "the schedule"},
                                            {"swap", "--swap"},       {"entrants", "the players"},
                                            {"starts", "the starts"}, {"sandbox", "--sandbox"},
                                            {"sprt", "--sprt"},       {"pairs", "the pairs"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strcmp(key, others[i][0]))
            return others[i][1];
    return key;
}

static void cut_dump(const json_t *json, char text[64])
{
    char *dump = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    if (!dump)
        (void)snprintf(text, 64, "none");
    else
        (void)snprintf(text, 64, "%.60s%s", dump, strlen(dump) > 60 ? ".." : "");
    free(dump);
}

/* Narrows two lists down to the first items that differ. */
static void narrow(const json_t **one, const json_t **other)
{
    size_t i = 0;
    if (!json_is_array(*one) || !json_is_array(*other))
        return;
    while (i < json_array_size(*one) &&
           json_equal(json_array_get(*one, i), json_array_get(*other, i)))
        i++;
    *one = json_array_get(*one, i);
    *other = json_array_get(*other, i);
}

bool plan_difference(const char *here, const char *there, char *text, size_t room)
{
    json_t     *a = json_loads(here, 0, NULL), *b = json_loads(there, 0, NULL), *value;
    const char *key;
    bool        is_different = !json_equal(a, b);
    (void)snprintf(text, room, "they cannot be compared");
    json_object_foreach(a, key, value)
    {
        const json_t *one = value, *other = json_object_get(b, key);
        char          left[64], right[64];
        if (json_equal(one, other))
            continue;
        narrow(&one, &other);
        cut_dump(one, left);
        cut_dump(other, right);
        (void)snprintf(text, room, "%s: %s here, %s there", words_for(key), left, right);
        break;
    }
    json_decref(a);
    json_decref(b);
    return is_different;
}
