/* The tables runs, entrants and pairings. They are written before the first game of a run (pairings
 * of later Swiss rounds when those are drawn) and never changed, but for runs.is_finished. */
#include "store/runs.h"

#include "base/error.h"
#include "store/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    run->id = sql_last_id(store);
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

static bool insert_signature(Store *store, const RunRecord *run, TurfError *error)
{
    Query query;
    if (!run->signature)
        return true;
    if (!query_open(&query, store, "INSERT INTO signatures(run, signature) VALUES(?,?)", error))
        return false;
    query_bind_number(&query, run->id);
    query_bind_text(&query, run->signature);
    return query_run(&query, error);
}

/* In the same transaction as the run: a round is never half there. */
static bool insert_league_round(Store *store, const RunRecord *run, TurfError *error)
{
    Query query;
    if (run->league_round == 0)
        return true;
    if (!query_open(&query, store, "INSERT INTO league_rounds(run, round, is_final) VALUES(?,?,?)",
                    error))
        return false;
    query_bind_number(&query, run->id);
    query_bind_number(&query, run->league_round);
    query_bind_number(&query, run->is_league_final);
    return query_run(&query, error);
}

bool runs_add(Store *store, RunRecord *run, const EntrantRecord *entrants, size_t n_entrants,
              TurfError *error)
{
    bool is_good = insert_run(store, run, error) && insert_signature(store, run, error) &&
                   insert_league_round(store, run, error);
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
    sql_set_sync(store, false);
    bool is_good = query_run(&query, error);
    sql_set_sync(store, true);
    return is_good;
}

/* ---- reading ------------------------------------------------------------------------------ */

#define RUN_COLUMNS "id, game, plan, plan_hash, version, created, shard, n_shards, is_finished"

static bool read_run(Query *query, void *item)
{
    RunRecord *run = item;
    run->id = query_number_in(query, 1, INT64_MAX, "runs.id");
    run->game = query_copy(query, "runs.game");
    run->plan = query_copy(query, "runs.plan");
    run->plan_hash = query_copy(query, "runs.plan_hash");
    run->version = query_copy(query, "runs.version");
    run->created = query_number_in(query, 0, MAX_STORED_SECONDS, "runs.created");
    run->shard = (int)query_number_in(query, 1, MAX_STORED_SHARDS, "runs.shard");
    run->n_shards = (int)query_number_in(query, 1, MAX_STORED_SHARDS, "runs.n_shards");
    query_check(query, run->shard <= run->n_shards, "runs.shard");
    run->is_finished = query_flag(query, "runs.is_finished");
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
    if (query_read_list(&query, read_run, sizeof **runs, (void **)runs, n_runs, error))
        return true;
    runs_free(*runs, *n_runs);
    *runs = NULL;
    *n_runs = 0;
    return false;
}

/* NOT_FOUND, with the numbers that there are. */
static bool fail_not_found(Store *store, int64_t id, TurfError *error)
{
    Query query;
    char  quoted[ERROR_QUOTE_BYTES];
    if (!query_open(&query, store, "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM runs",
                    error))
        return false;
    (void)query_next(&query);
    int64_t first = query_number_in(&query, 0, INT64_MAX, "runs.id");
    int64_t last = query_number_in(&query, 0, INT64_MAX, "runs.id");
    if (!query_end(&query, error))
        return false;
    error_quote(quoted, store_path(store));
    if (last == 0)
        return error_not_found(error,
                               "there are no runs in '%s' yet; 'turf match' and 'turf "
                               "tournament' make them",
                               quoted);
    return error_not_found(error, "there is no run %lld in '%s'; it has runs %lld to %lld",
                           (long long)id, quoted, (long long)first, (long long)last);
}

bool runs_find(Store *store, int64_t id, RunRecord *run, TurfError *error)
{
    Query query;
    *run = (RunRecord){0};
    if (!query_open(&query, store,
                    "SELECT " RUN_COLUMNS " FROM runs WHERE id=?1 OR ?1=0 ORDER BY id DESC LIMIT 1",
                    error))
        return false;
    query_bind_number(&query, id);
    bool is_found = query_next(&query), is_whole = is_found && read_run(&query, run);
    if (!query_end(&query, error)) {
        run_record_release(run);
        return false;
    }
    if (!is_found)
        return fail_not_found(store, id, error);
    if (is_whole)
        return true;
    run_record_release(run);
    return error_no_memory(error);
}

bool runs_signature(Store *store, int64_t run, char *signature, size_t room, TurfError *error)
{
    enum { FIRST_WITH_SIGNATURES = 3 };
    Query query;
    *signature = '\0';
    if (store->n_migrations < FIRST_WITH_SIGNATURES)
        return true;
    if (!query_open(&query, store, "SELECT signature FROM signatures WHERE run=?", error))
        return false;
    query_bind_number(&query, run);
    if (query_next(&query))
        (void)snprintf(signature, room, "%s", query_text(&query, "signatures.signature"));
    return query_end(&query, error);
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

static bool read_entrant(Query *query, void *item)
{
    EntrantRecord *entrant = item;
    entrant->name = query_copy(query, "entrants.name");
    entrant->spec = query_copy(query, "entrants.spec");
    return entrant->name && entrant->spec;
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
    if (query_read_list(&query, read_entrant, sizeof **entrants, (void **)entrants, n_entrants,
                        error))
        return true;
    entrants_free(*entrants, *n_entrants);
    *entrants = NULL;
    *n_entrants = 0;
    return false;
}

static bool read_pairing(Query *query, void *item)
{
    PairingRecord *pairing = item;
    pairing->round = (int)query_number_in(query, 1, MAX_STORED_ROUNDS, "pairings.round");
    pairing->first = (size_t)query_number_in(query, 0, MAX_STORED_ENTRANTS - 1, "pairings.first");
    pairing->second = (size_t)query_number_in(query, 0, MAX_STORED_ENTRANTS - 1, "pairings.second");
    pairing->n_games = (uint64_t)query_number_in(query, 1, MAX_STORED_GAMES, "pairings.n_games");
    pairing->swaps_sides = query_flag(query, "pairings.swaps_sides");
    return true;
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
    if (query_read_list(&query, read_pairing, sizeof **pairings, (void **)pairings, n_pairings,
                        error))
        return true;
    free(*pairings);
    *pairings = NULL;
    *n_pairings = 0;
    return false;
}
