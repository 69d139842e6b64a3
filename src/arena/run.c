/* Runs: opening and storing them, deciding rounds, counting games, and cutting the games not yet
 * played into batches. Nothing here starts a thread or takes a lock; while workers play, workers.c
 * guards a Run with its own lock. */
#include "arena/run.h"

#include "arena/plan_signature.h"
#include "arena/schedule.h"
#include "base/error.h"
#include "games/totals.h"
#include "store/run_check.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------ */

/* The chooser of a placeholder, which never plays. */
static TurfMove choose_nothing(void *context, const TurfGame *game, const TurfState *state,
                               TurfRng *rng)
{
    (void)context;
    (void)game;
    (void)state;
    (void)rng;
    return 0;
}

static bool make_placeholders(Plan *plan, TurfError *error)
{
    for (size_t i = 0; i < plan->n_entrants; i++)
        if (!plan->players[i] &&
            !(plan->players[i] =
                  player_custom(plan->game, plan->entrants[i].name, choose_nothing, NULL, error)))
            return false;
    return true;
}

static bool init(Run *run, bool will_play, TurfError *error)
{
    if (!schedule_check(&run->plan, error))
        return false;
    size_t n_pairings = schedule_n_pairings(&run->plan);
    run->schedule = calloc(n_pairings, sizeof *run->schedule);
    run->pairings = calloc(n_pairings, sizeof *run->pairings);
    run->totals = calloc(n_pairings, sizeof *run->totals);
    if (!run->schedule || !run->pairings || !run->totals)
        return error_no_memory(error);
    return will_play ? plan_open_players(&run->plan, error) : make_placeholders(&run->plan, error);
}

bool run_init(Run *run, Plan *plan, bool will_play, TurfError *error)
{
    *run = (Run){.plan = *plan, .shard = 1, .n_shards = 1};
    *plan = (Plan){0};
    if (init(run, will_play, error))
        return true;
    run_release(run);
    return false;
}

void run_release(Run *run)
{
    free(run->schedule);
    free(run->pairings);
    free(run->totals);
    free(run->points);
    game_set_release(&run->played);
    plan_release(&run->plan);
    *run = (Run){0};
}

/* ---- rounds ------------------------------------------------------------------------------- */

static void append_pairings(Run *run, const PairingRecord *pairings, size_t n_pairings)
{
    for (size_t i = 0; i < n_pairings; i++) {
        size_t at = run->n_pairings++;
        run->schedule[at] = pairings[i];
        run->pairings[at] = (TurfPairing){.players = {run->plan.players[pairings[i].first],
                                                      run->plan.players[pairings[i].second]},
                                          .n_games = pairings[i].n_games,
                                          .swap_sides = pairings[i].swaps_sides};
        run->totals[at][0] = run->totals[at][1] = TOTALS_NONE;
    }
}

/* Stores new pairings, and with the first round the run itself, in one transaction. */
static bool store_round(Run *run, RunRecord *new_run, const PairingRecord *pairings,
                        size_t n_pairings, TurfError *error)
{
    Store *store = run->store;
    if (!store_begin(store, error))
        return false;
    if (new_run) {
        if (!runs_add(store, new_run, run->plan.entrants, run->plan.n_entrants, error))
            goto undo;
        run->run_id = new_run->id;
    }
    if (!runs_add_pairings(store, run->run_id, run->n_pairings, pairings, n_pairings, error))
        goto undo;
    return store_commit(store, error);
undo:
    store_undo(store);
    return false;
}

static uint64_t last_round(const Run *run)
{
    return run->n_pairings > 0 ? (uint64_t)run->schedule[run->n_pairings - 1].round : 0;
}

static bool decide_round(Run *run, RunRecord *new_run, TurfError *error)
{
    PairingRecord *next = calloc(schedule_n_pairings(&run->plan), sizeof *next);
    size_t         n_next = 0;
    if (next)
        n_next = schedule_round(&run->plan, last_round(run) + 1, run->schedule, run->totals,
                                run->n_pairings, next);
    bool is_good = n_next > 0 || error_no_memory(error);
    if (is_good && run->store)
        is_good = store_round(run, new_run, next, n_next, error);
    if (is_good)
        append_pairings(run, next, n_next);
    free(next);
    return is_good;
}

bool run_decide_round(Run *run, TurfError *error) { return decide_round(run, NULL, error); }

bool run_is_last_round(const Run *run) { return last_round(run) >= schedule_n_rounds(&run->plan); }

/* ---- the store ---------------------------------------------------------------------------- */

bool run_begin(Run *run, Store *store, TurfError *error)
{
    if (!store)
        return decide_round(run, NULL, error);
    char      hash[17], signature[SIGNATURE_BYTES], *json = plan_to_json(&run->plan);
    RunRecord record = {.game = (char *)(uintptr_t)run->plan.game->name,
                        .plan = json,
                        .plan_hash = hash,
                        .version = (char *)(uintptr_t)TURF_VERSION,
                        .shard = run->shard,
                        .n_shards = run->n_shards,
                        .league_round = run->league_round,
                        .is_league_final = run->is_league_final};
    if (!json)
        return error_no_memory(error);
    plan_hash(json, hash);
    if (plan_has_bots(&run->plan) && plan_sign(json, signature))
        record.signature = signature;
    run->store = store;
    bool is_good = decide_round(run, &record, error) && store_lock_run(store, run->run_id, error);
    free(json);
    return is_good;
}

/* Checks that these are the pairings that the schedule makes. Those of later rounds (Swiss,
 * knock-out) depend on results; run_check has looked at them. */
static bool check_schedule(const Run *run, const PairingRecord *pairings, size_t n_pairings,
                           TurfError *error)
{
    size_t         n = schedule_n_pairings(&run->plan);
    PairingRecord *planned = calloc(n + 1, sizeof *planned);
    bool           is_good = n_pairings <= n;
    if (!planned)
        return error_no_memory(error);
    if (!schedule_has_rounds(&run->plan)) {
        is_good = n_pairings == schedule_round(&run->plan, 1, NULL, NULL, 0, planned);
        for (size_t i = 0; is_good && i < n_pairings; i++)
            is_good =
                pairings[i].first == planned[i].first && pairings[i].second == planned[i].second;
    }
    free(planned);
    return is_good ||
           store_damage(run->store, "the pairings of a run do not fit its schedule", error);
}

static bool read_pairings(Run *run, const RunRecord *record, TurfError *error)
{
    PairingRecord *pairings = NULL;
    EntrantRecord *entrants = NULL;
    size_t         n_pairings = 0, n_entrants = 0;
    bool           is_good =
        runs_entrants(run->store, run->run_id, &entrants, &n_entrants, error) &&
        runs_pairings(run->store, run->run_id, &pairings, &n_pairings, error) &&
        run_check(run->store, record, entrants, n_entrants, pairings, n_pairings, error) &&
        check_schedule(run, pairings, n_pairings, error);
    if (is_good)
        append_pairings(run, pairings, n_pairings);
    entrants_free(entrants, n_entrants);
    free(pairings);
    return is_good;
}

static bool add_points(Run *run, const GameRecord *record)
{
    if (!run_is_paired(run) || record->is_sample)
        return true;
    if (record->game >= run->n_points) {
        uint64_t room = 2 * record->game + 64;
        uint8_t *larger = realloc(run->points, room);
        if (!larger)
            return false;
        memset(larger + run->n_points, 0, room - run->n_points);
        run->points = larger;
        run->n_points = room;
    }
    switch (game_record_ending(record)) {
    case TURF_WON_BY_FIRST: run->points[record->game] = 3; break;
    case TURF_WON_BY_SECOND: run->points[record->game] = 1; break;
    default: run->points[record->game] = 2;
    }
    return true;
}

static bool add_stored_points(void *run, const GameRecord *record)
{
    return add_points(run, record);
}

bool run_attach(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error)
{
    run->store = store;
    run->run_id = record->id;
    run->shard = record->shard;
    run->n_shards = record->n_shards;
    if (will_play && !store_lock_run(store, record->id, error))
        return false;
    if (!read_pairings(run, record, error) ||
        !records_add_totals(store, record->id, run->totals, run->n_pairings, error) ||
        !records_played(store, record->id, &run->played, error))
        return false;
    if (run_is_paired(run) &&
        !records_each_game(store, record->id, 0, add_stored_points, run, error))
        return false;
    if (run->plan.has_sprt)
        run_update_test(run);
    run->n_before = run_n_played(run);
    return true;
}

bool run_resume(Run *run, Store *store, const RunRecord *record, bool will_play, TurfError *error)
{
    Plan plan;
    if (!plan_from_json(&plan, record->plan, error) || !run_init(run, &plan, will_play, error))
        return false;
    if (run_attach(run, store, record, will_play, error))
        return true;
    run_release(run);
    return false;
}

/* ---- counting ----------------------------------------------------------------------------- */

bool run_count(Run *run, GameRange games, const TurfTotals totals[2], const GameRecord *single)
{
    if (!game_set_add(&run->played, games) || (single && !add_points(run, single)))
        return false;
    for (int side = 0; side < 2; side++)
        totals_add(&run->totals[games.pairing][side], &totals[side]);
    return true;
}

uint64_t run_n_games(const Run *run)
{
    uint64_t n_games = run_n_played(run);
    if (run->plan.has_sprt && run->test.state != SPRT_CONTINUE)
        return n_games;
    if (run->n_shards == 1)
        return schedule_n_pairings(&run->plan) * run->plan.n_games;
    GameIterator left = run_games_left(run, ALL_GAMES);
    for (GameRange games; next_games(&left, &games);)
        n_games += games.n;
    return n_games;
}

uint64_t run_n_decided(const Run *run)
{
    if (run->n_shards > 1 || (run->plan.has_sprt && run->test.state != SPRT_CONTINUE))
        return run_n_games(run);
    uint64_t n_games = 0;
    for (size_t p = 0; p < run->n_pairings; p++)
        n_games += run->pairings[p].n_games;
    return n_games;
}

uint64_t run_n_played(const Run *run)
{
    uint64_t n_played = 0;
    for (size_t p = 0; p < run->n_pairings; p++)
        n_played += run->totals[p][0].n_games + run->totals[p][1].n_games;
    return n_played;
}

bool run_is_whole(const Run *run)
{
    return run->n_pairings > 0 && run_n_played(run) >= run_n_games(run);
}

/* ---- the scores of a match ---------------------------------------------------------------- */

bool run_is_paired(const Run *run)
{
    return run->plan.schedule == SCHEDULE_MATCH && run->plan.swaps_sides;
}

ScoreCounts run_scores(const Run *run)
{
    ScoreCounts pairs = {.n_kinds = SPRT_PAIR_KINDS};
    uint64_t    n_noted = 0;
    for (uint64_t g = 0; g + 1 < run->n_points; g += 2) {
        uint8_t one = run->points[g], other = run->points[g + 1];
        n_noted += (uint64_t)(one > 0) + (uint64_t)(other > 0);
        if (one > 0 && other > 0)
            pairs.counts[one + other - 2]++;
    }
    if (n_noted > 0 && n_noted == run_n_played(run))
        return pairs;
    TurfTotals sum = totals_of_sides(run->totals[0]);
    return (ScoreCounts){.n_kinds = SPRT_GAME_KINDS,
                         .counts = {sum.endings[TURF_WON_BY_SECOND], stats_draws(&sum),
                                    sum.endings[TURF_WON_BY_FIRST]}};
}

void run_update_test(Run *run)
{
    uint64_t    n_played = run_n_played(run);
    ScoreCounts scores = run_scores(run);
    run->test = sprt_status(&run->plan.sprt, &scores);
    if (sprt_look(n_played, run->plan.n_games) != n_played)
        run->test.state = SPRT_CONTINUE;
}

/* ---- batches ------------------------------------------------------------------------------ */

enum { BATCHES_PER_PAIRING = 64, MAX_BATCH_GAMES = 1 << 16 };

static uint64_t batch_length(const TurfPairing *pairing)
{
    uint64_t length = (pairing->n_games + BATCHES_PER_PAIRING - 1) / BATCHES_PER_PAIRING;
    if (length > MAX_BATCH_GAMES)
        return MAX_BATCH_GAMES;
    return length > 0 ? length : 1;
}

/* As many as the longest pairing needs, for each pairing: the others end with empty batches. */
static uint64_t count_batches(const Run *run)
{
    uint64_t max = 0;
    for (size_t p = 0; p < run->n_pairings; p++) {
        uint64_t length = batch_length(&run->pairings[p]),
                 n = (run->pairings[p].n_games + length - 1) / length;
        max = n > max ? n : max;
    }
    return max * run->n_pairings;
}

static GameRange batch_at(const Run *run, uint64_t index)
{
    size_t   p = (size_t)(index % run->n_pairings);
    uint64_t n_games = run->pairings[p].n_games, length = batch_length(&run->pairings[p]),
             first = index / run->n_pairings * length;
    uint64_t left = first < n_games ? n_games - first : 0;
    return (GameRange){p, first, left < length ? left : length};
}

/* Shards take turns, shifted by one in each row, so that none gets all batches of a slow pairing.
 */
static bool is_in_shard(const Run *run, uint64_t index)
{
    if (run->n_shards <= 1)
        return true;
    uint64_t column = index % run->n_pairings, row = index / run->n_pairings;
    return (int)((column + row) % (uint64_t)run->n_shards) + 1 == run->shard;
}

GameIterator run_games_left(const Run *run, GameFilter filter)
{
    return (GameIterator){.run = run, .filter = filter, .n_batches = count_batches(run), .step = 1};
}

GameIterator run_games_left_of(const Run *run, size_t pairing)
{
    return (GameIterator){.run = run,
                          .filter = NOT_RECORDED,
                          .next_batch = pairing,
                          .n_batches = count_batches(run),
                          .step = run->n_pairings};
}

static bool next_batch(GameIterator *iterator)
{
    const Run *run = iterator->run;
    while (iterator->next_batch < iterator->n_batches) {
        uint64_t  index = iterator->next_batch;
        GameRange batch = batch_at(run, index);
        bool      is_recorded = batch.first < run->plan.n_recorded;
        iterator->next_batch += iterator->step;
        if (is_in_shard(run, index) && !(iterator->skipped && iterator->skipped[batch.pairing]) &&
            (iterator->filter == ALL_GAMES || is_recorded == (iterator->filter == ONLY_RECORDED))) {
            iterator->rest = batch;
            return true;
        }
    }
    return false;
}

bool next_games(GameIterator *iterator, GameRange *games)
{
    GameRange *rest = &iterator->rest;
    while (rest->n > 0 || next_batch(iterator)) {
        *games = game_set_first_missing(&iterator->run->played, *rest);
        uint64_t end = rest->first + rest->n;
        rest->first = games->first + games->n;
        rest->n = games->n > 0 ? end - rest->first : 0;
        if (games->n > 0)
            return true;
    }
    return false;
}
