#include "store/runs.h"

#include "base/error.h"
#include "store/sql.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Room for one more in a list that doubles; false when memory is short. */
static bool make_room(void **list, size_t n, size_t size, TurfError *error)
{
    if ((n & (n - 1)) != 0)
        return true; /* the last doubling still has room */
    void *larger = realloc(*list, (n ? 2 * n : 1) * size);
    if (!larger)
        return error_no_memory(error);
    *list = larger;
    return true;
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool insert_run(Store *store, RunRecord *run, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO runs(game, plan, plan_hash, shard, n_shards, created, version) "
                    "VALUES(?,?,?,?,?,?,?)",
                    error))
        return false;
    run->created = (int64_t)time(NULL);
    query_bind_text(&query, run->game);
    query_bind_text(&query, run->plan);
    query_bind_text(&query, run->plan_hash);
    query_bind_number(&query, run->shard);
    query_bind_number(&query, run->n_shards);
    query_bind_number(&query, run->created);
    query_bind_text(&query, run->version);
    if (!query_run(&query, error))
        return false;
    run->id = store_last_id(store);
    return true;
}

static bool insert_entrant(Store *store, int64_t run, size_t index, const EntrantRecord *entrant,
                           TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "INSERT INTO entrants(run, entrant, name, spec) VALUES(?,?,?,?)",
                    error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, (int64_t)index);
    query_bind_text(&query, entrant->name);
    query_bind_text(&query, entrant->spec);
    return query_run(&query, error);
}

bool runs_add(Store *store, RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
              TurfError *error)
{
    bool is_good = insert_run(store, run, error);
    for (size_t i = 0; i < n_entrants && is_good; i++)
        is_good = insert_entrant(store, run->id, i, &entrants[i], error);
    return is_good;
}

static bool insert_pairing(Store *store, int64_t run, size_t index, const PairingRecord *pairing,
                           TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO pairings(run, pairing, round, first, second, n_games, swaps_sides)"
                    " VALUES(?,?,?,?,?,?,?)",
                    error))
        return false;
    query_bind_number(&query, run);
    query_bind_number(&query, (int64_t)index);
    query_bind_number(&query, pairing->round);
    query_bind_number(&query, (int64_t)pairing->first);
    query_bind_number(&query, (int64_t)pairing->second);
    query_bind_number(&query, (int64_t)pairing->n_games);
    query_bind_number(&query, pairing->swaps_sides);
    return query_run(&query, error);
}

bool runs_add_pairings(Store *store, int64_t run, size_t first_index, const PairingRecord *pairings,
                       size_t n_pairings, TurfError *error)
{
    bool is_good = true;
    for (size_t i = 0; i < n_pairings && is_good; i++)
        is_good = insert_pairing(store, run, first_index + i, &pairings[i], error);
    return is_good;
}

bool runs_set_finished(Store *store, int64_t run, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "UPDATE runs SET is_finished=1 WHERE id=?", error))
        return false;
    query_bind_number(&query, run);
    store_set_patience(store, false);
    bool is_good = query_run(&query, error);
    store_set_patience(store, true);
    return is_good;
}

/* ---- reading ------------------------------------------------------------------------------ */

#define RUN_COLUMNS "id, game, plan, plan_hash, version, created, shard, n_shards, is_finished"

static RunRecord run_of(Query *query)
{
    RunRecord run = {.id = query_number(query)};
    run.game = query_text(query);
    run.plan = query_text(query);
    run.plan_hash = query_text(query);
    run.version = query_text(query);
    run.created = query_number(query);
    run.shard = (int)query_number(query);
    run.n_shards = (int)query_number(query);
    run.is_finished = query_number(query) != 0;
    return run;
}

static bool is_whole_run(const RunRecord *run)
{
    return run->game && run->plan && run->plan_hash && run->version;
}

void run_record_release(RunRecord *run)
{
    free(run->game);
    free(run->plan);
    free(run->plan_hash);
    free(run->version);
    *run = (RunRecord){0};
}

void runs_free(RunRecord *runs, size_t n_runs)
{
    for (size_t i = 0; i < n_runs; i++)
        run_record_release(&runs[i]);
    free(runs);
}

bool runs_read(Store *store, RunRecord **runs, size_t *n_runs, TurfError *error)
{
    Query query;
    *runs = NULL;
    *n_runs = 0;
    if (!query_open(&query, store, "SELECT " RUN_COLUMNS " FROM runs ORDER BY id", error))
        return false;
    bool is_good = true;
    while (is_good && query_next(&query, error)) {
        is_good = make_room((void **)runs, *n_runs, sizeof **runs, error);
        if (is_good) {
            RunRecord *run = &(*runs)[(*n_runs)++];
            *run = run_of(&query);
            is_good = is_whole_run(run) || error_no_memory(error);
        }
        if (!is_good)
            query_close(&query);
    }
    if (is_good && !error->code)
        return true;
    runs_free(*runs, *n_runs);
    *runs = NULL;
    *n_runs = 0;
    return false;
}

bool runs_look_up(Store *store, int64_t id, RunRecord *run, TurfError *error)
{
    Query query;
    *run = (RunRecord){0};
    if (!query_open(&query, store, "SELECT " RUN_COLUMNS " FROM runs WHERE id=?", error))
        return false;
    query_bind_number(&query, id);
    if (!query_next(&query, error))
        return false;
    *run = run_of(&query);
    query_close(&query);
    if (is_whole_run(run))
        return true;
    run_record_release(run);
    return error_no_memory(error);
}

bool runs_find(Store *store, int64_t id, RunRecord *run, TurfError *error)
{
    RunRecord *runs;
    size_t     n_runs;
    char       quoted[ERROR_QUOTE_BYTES];
    if (runs_look_up(store, id, run, error))
        return true;
    if (*error->text || !runs_read(store, &runs, &n_runs, error))
        return false;
    error_quote(quoted, store_path(store));
    if (n_runs == 0)
        error_not_found(error, "there are no runs in '%s'", quoted);
    else
        error_not_found(error, "there is no run %lld in '%s'; it has runs %lld to %lld",
                        (long long)id, quoted, (long long)runs[0].id,
                        (long long)runs[n_runs - 1].id);
    runs_free(runs, n_runs);
    return false;
}

void entrants_free(EntrantRecord *entrants, size_t n_entrants)
{
    for (size_t i = 0; i < n_entrants; i++) {
        free(entrants[i].name);
        free(entrants[i].spec);
        free(entrants[i].folder);
    }
    free(entrants);
}

bool runs_entrants(Store *store, int64_t run, EntrantRecord **entrants, size_t *n_entrants,
                   TurfError *error)
{
    Query query;
    *entrants = NULL;
    *n_entrants = 0;
    if (!query_open(&query, store, "SELECT name, spec FROM entrants WHERE run=? ORDER BY entrant",
                    error))
        return false;
    query_bind_number(&query, run);
    bool is_good = true;
    while (is_good && query_next(&query, error)) {
        is_good = make_room((void **)entrants, *n_entrants, sizeof **entrants, error);
        if (is_good) {
            EntrantRecord *entrant = &(*entrants)[(*n_entrants)++];
            entrant->name = query_text(&query);
            entrant->spec = query_text(&query);
            entrant->folder = NULL;
            entrant->time_ms = 0;
            is_good = (entrant->name && entrant->spec) || error_no_memory(error);
        }
        if (!is_good)
            query_close(&query);
    }
    if (is_good && !error->code)
        return true;
    entrants_free(*entrants, *n_entrants);
    *entrants = NULL;
    *n_entrants = 0;
    return false;
}

bool runs_pairings(Store *store, int64_t run, PairingRecord **pairings, size_t *n_pairings,
                   TurfError *error)
{
    Query query;
    *pairings = NULL;
    *n_pairings = 0;
    if (!query_open(&query, store,
                    "SELECT round, first, second, n_games, swaps_sides FROM pairings WHERE run=? "
                    "ORDER BY pairing",
                    error))
        return false;
    query_bind_number(&query, run);
    bool is_good = true;
    while (is_good && query_next(&query, error)) {
        is_good = make_room((void **)pairings, *n_pairings, sizeof **pairings, error);
        if (is_good) {
            PairingRecord *pairing = &(*pairings)[(*n_pairings)++];
            pairing->round = (int)query_number(&query);
            pairing->first = (size_t)query_number(&query);
            pairing->second = (size_t)query_number(&query);
            pairing->n_games = (uint64_t)query_number(&query);
            pairing->swaps_sides = query_number(&query) != 0;
        } else {
            query_close(&query);
        }
    }
    if (is_good && !error->code)
        return true;
    free(*pairings);
    *pairings = NULL;
    *n_pairings = 0;
    return false;
}
