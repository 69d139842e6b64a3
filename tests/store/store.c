/* The store: committed data comes back, no game counts twice, other files are left alone, and
 * errors have the right codes. */
#include "support.h"

#include "games/totals.h"
#include "store/records.h"
#include "store/runs.h"
#include "store/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    char folder[64], path[96];
} Place;

static int make_place(void **state)
{
    Place *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/turf-store-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/turf.db", place->folder);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    Place *place = *state;
    char   path[128];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", place->path, (const char *[]){"", "-wal", "-shm"}[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    free(place);
    return 0;
}

static Store *open_store(const Place *place)
{
    TurfError error = {0};
    Store    *store = store_open(place->path, STORE_MAKE, &error);
    assert_string_equal(error.text, "");
    assert_non_null(store);
    return store;
}

static int64_t add_run(Store *store)
{
    TurfError     error = {0};
    EntrantRecord entrants[] = {{.name = "one", .spec = "random"},
                                {.name = "two \"2\"", .spec = "minimax"}};
    PairingRecord pairings[] = {{1, 0, 1, 100, false}, {1, 1, 0, 10, true}};
    RunRecord     run = {.game = "war-of-life",
                         .plan = "{}",
                         .plan_hash = "12",
                         .version = TURF_VERSION,
                         .shard = 1,
                         .n_shards = 1};
    assert_true(store_begin(store, &error));
    assert_true(runs_add(store, &run, entrants, 2, &error));
    assert_true(runs_add_pairings(store, run.id, 0, pairings, 2, &error));
    assert_true(store_commit(store, &error));
    return run.id;
}

static TurfTotals totals_of(uint64_t n_games, uint32_t length)
{
    TurfTotals totals = TOTALS_NONE;
    for (uint64_t i = 0; i < n_games; i++)
        totals_add_game(&totals, (TurfEnding)(i % TURF_N_ENDINGS), length + (uint32_t)i);
    totals.seconds = 0.25;
    return totals;
}

static bool add_batch(Store *store, int64_t run, size_t pairing, uint64_t first, uint64_t n,
                      TurfError *error)
{
    BatchRecord batch = {pairing, first, n, {totals_of(n, 5), TOTALS_NONE}};
    if (!store_begin(store, error))
        return false;
    if (records_add_batch(store, run, &batch, error))
        return store_commit(store, error);
    store_undo(store);
    return false;
}

static GameRecord some_game(uint64_t game)
{
    return (GameRecord){.pairing = 1,
                        .game = game,
                        .is_swapped = game % 2,
                        .ending = TURF_WON_BY_FIRST,
                        .length = 7,
                        .forfeiter = 1,
                        .reason = TURF_ILLEGAL,
                        .explanation = "off the board",
                        .last_words = "oh",
                        .seconds = 0.5,
                        .start = "{}",
                        .moves = "[[1,2,3,4]]",
                        .times = "[1.5]"};
}

static bool add_game(Store *store, int64_t run, GameRecord record, TurfError *error)
{
    if (!store_begin(store, error))
        return false;
    if (records_add_game(store, run, &record, error))
        return store_commit(store, error);
    store_undo(store);
    return false;
}

static void runs_round_trip(void **state)
{
    TurfError      error = {0};
    Store         *store = open_store(*state);
    int64_t        id = add_run(store);
    RunRecord      run;
    EntrantRecord *entrants;
    PairingRecord *pairings;
    size_t         n_entrants, n_pairings;
    store_close(store);
    store = open_store(*state);
    assert_true(runs_find(store, id, &run, &error));
    assert_string_equal(run.game, "war-of-life");
    assert_false(run.is_finished);
    assert_true(run.created > 0);
    run_record_release(&run);
    assert_true(runs_set_finished(store, id, &error));
    assert_true(runs_find(store, id, &run, &error));
    assert_true(run.is_finished);
    run_record_release(&run);
    assert_true(runs_entrants(store, id, &entrants, &n_entrants, &error));
    assert_int_equal(n_entrants, 2);
    assert_string_equal(entrants[1].name, "two \"2\"");
    entrants_free(entrants, n_entrants);
    assert_true(runs_pairings(store, id, &pairings, &n_pairings, &error));
    assert_int_equal(n_pairings, 2);
    assert_int_equal(pairings[1].n_games, 10);
    assert_true(pairings[1].swaps_sides);
    free(pairings);
    assert_false(runs_find(store, id + 1, &run, &error));
    assert_int_equal(error.code, TURF_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.text, "no run 2"));
    store_close(store);
}

static bool check_game(void *context, const GameRecord *record)
{
    GameRecord expected = some_game(record->game);
    assert_int_equal(record->ending, expected.ending);
    assert_int_equal(record->length, expected.length);
    assert_int_equal(record->forfeiter, expected.forfeiter);
    assert_int_equal(record->reason, expected.reason);
    assert_string_equal(record->explanation, expected.explanation);
    assert_string_equal(record->last_words, expected.last_words);
    assert_string_equal(record->moves, expected.moves);
    assert_string_equal(record->times, expected.times);
    assert_int_equal(record->is_swapped, expected.is_swapped);
    ++*(int *)context;
    return true;
}

static void swapped_games_count_for_the_player_not_the_side(void **state)
{
    TurfError  error = {0};
    Store     *store = open_store(*state);
    int64_t    run = add_run(store);
    TurfTotals totals[2][2] = {{TOTALS_NONE, TOTALS_NONE}, {TOTALS_NONE, TOTALS_NONE}};
    int        n_seen = 0;
    assert_true(add_game(store, run, some_game(0), &error));
    assert_true(add_game(store, run, some_game(1), &error));
    assert_true(records_each_game(store, run, RECORDS_ALL, check_game, &n_seen, &error));
    assert_int_equal(n_seen, 2);
    assert_true(records_add_totals(store, run, totals, 2, &error));
    /* The side that moved second forfeited: the pairing's second entrant in game 0, its first in
     * game 1. */
    assert_int_equal(totals[1][0].endings[TURF_WON_BY_FIRST], 1);
    assert_int_equal(totals[1][0].forfeits[1][TURF_ILLEGAL], 1);
    assert_int_equal(totals[1][1].endings[TURF_WON_BY_SECOND], 1);
    assert_int_equal(totals[1][1].forfeits[0][TURF_ILLEGAL], 1);
    assert_int_equal(totals[0][0].n_games, 0);
    store_close(store);
}

static void samples_of_batches_are_not_counted_twice(void **state)
{
    TurfError  error = {0};
    Store     *store = open_store(*state);
    int64_t    run = add_run(store);
    TurfTotals totals[2][2] = {{TOTALS_NONE, TOTALS_NONE}, {TOTALS_NONE, TOTALS_NONE}},
               expected = totals_of(40, 5);
    BatchRecord swapped = {1, 0, 10, {totals_of(5, 3), totals_of(5, 30)}};
    GameRecord  sample = some_game(3);
    sample.is_sample = true;
    sample.pairing = 0;
    assert_true(add_batch(store, run, 0, 0, 40, &error));
    assert_true(add_game(store, run, sample, &error));
    assert_true(store_begin(store, &error));
    assert_true(records_add_batch(store, run, &swapped, &error));
    assert_true(store_commit(store, &error));
    assert_true(records_add_totals(store, run, totals, 2, &error));
    assert_memory_equal(&totals[0][0], &expected, sizeof expected);
    assert_memory_equal(&totals[1][0], &swapped.totals[0], sizeof expected);
    assert_memory_equal(&totals[1][1], &swapped.totals[1], sizeof expected);
    GameSet played = {0};
    assert_true(records_played(store, run, &played, &error));
    assert_int_equal(played.n, 2);
    assert_int_equal(played.list[0].n, 40);
    assert_int_equal(played.list[1].n, 10);
    game_set_release(&played);
    store_close(store);
}

static void overlapping_batches_and_repeated_games_are_rejected(void **state)
{
    TurfError error = {0};
    Store    *store = open_store(*state);
    int64_t   run = add_run(store);
    assert_true(add_batch(store, run, 0, 20, 10, &error));
    assert_false(add_batch(store, run, 0, 20, 10, &error));
    assert_false(add_batch(store, run, 0, 25, 1, &error));
    assert_false(add_batch(store, run, 0, 15, 6, &error));
    assert_false(add_batch(store, run, 0, 0, 100, &error));
    assert_int_equal(error.code, TURF_ERROR_BUSY);
    assert_non_null(strstr(error.text, "another turf"));
    assert_true(add_batch(store, run, 0, 10, 10, &error));
    assert_true(add_batch(store, run, 0, 30, 1, &error));
    assert_true(add_game(store, run, some_game(4), &error));
    assert_false(add_game(store, run, some_game(4), &error));
    assert_int_equal(error.code, TURF_ERROR_INVALID);
    store_close(store);
}

static void locked_run_is_busy_for_other_programs(void **state)
{
    TurfError error = {0};
    Store    *one = open_store(*state), *other = open_store(*state);
    int64_t   run = add_run(one), second = add_run(one);
    assert_true(store_lock_run(one, run, &error));
    assert_false(store_lock_run(other, run, &error));
    assert_int_equal(error.code, TURF_ERROR_BUSY);
    assert_non_null(strstr(error.text, "run 1"));
    assert_true(store_lock_run(other, second, &error));
    store_close(one);
    assert_true(store_lock_run(other, run, &error));
    store_close(other);
}

static void uncommitted_data_is_rolled_back(void **state)
{
    TurfError   error = {0};
    Store      *store = open_store(*state);
    int64_t     run = add_run(store);
    GameSet     played = {0};
    BatchRecord batch = {0, 0, 3, {totals_of(3, 1), TOTALS_NONE}};
    assert_true(store_begin(store, &error));
    assert_true(records_add_batch(store, run, &batch, &error));
    store_close(store);
    store = open_store(*state);
    assert_true(records_played(store, run, &played, &error));
    assert_int_equal(played.n, 0);
    store_close(store);
}

static void refused(const Place *place, StoreMode mode, TurfErrorCode code, const char *saying)
{
    TurfError error = {0};
    assert_null(store_open(place->path, mode, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, saying))
        fail_msg("'%s' is not in '%s'", saying, error.text);
}

static void other_files_are_rejected_and_left_alone(void **state)
{
    Place      *place = *state;
    struct stat about;
    FILE       *file = fopen(place->path, "w");
    assert_non_null(file);
    for (int i = 0; i < 2000; i++)
        fputs("not a database ", file);
    fclose(file);
    refused(place, STORE_MAKE, TURF_ERROR_INVALID, "not a turf database");
    refused(place, STORE_READ, TURF_ERROR_INVALID, "not a turf database");
    assert_int_equal(stat(place->path, &about), 0);
    assert_int_equal(about.st_size, 30000);
    unlink(place->path);

    sqlite3 *db;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA application_id=-5; CREATE TABLE theirs(x)", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    refused(place, STORE_MAKE, TURF_ERROR_INVALID, "not one of turf's");
    unlink(place->path);

    store_close(open_store(place));
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version=-1", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refused(place, STORE_MAKE, TURF_ERROR_INVALID, "is damaged");
    refused(place, STORE_READ, TURF_ERROR_INVALID, "is damaged");
    unlink(place->path);

    refused(place, STORE_READ, TURF_ERROR_NOT_FOUND, "there is no database");
    refused(place, STORE_WRITE, TURF_ERROR_NOT_FOUND, "there is no database");
}

static void database_of_a_later_version_is_rejected(void **state)
{
    Place   *place = *state;
    sqlite3 *db;
    store_close(open_store(place));
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version=1000", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refused(place, STORE_MAKE, TURF_ERROR_INVALID, "later version of turf");
}

static void missing_folder_is_named_in_the_error(void **state)
{
    (void)state;
    TurfError error = {0};
    assert_null(store_open("/nosuch/folder/turf.db", STORE_MAKE, &error));
    assert_int_equal(error.code, TURF_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.text, "/nosuch/folder/turf.db"));
}

static void database_that_another_program_writes_is_busy(void **state)
{
    TurfError error = {0};
    Store    *one = open_store(*state), *other = open_store(*state);
    store_set_max_wait(other, 10);
    assert_true(store_begin(one, &error));
    assert_false(store_begin(other, &error));
    assert_int_equal(error.code, TURF_ERROR_BUSY);
    store_undo(one);
    assert_true(store_begin(other, &error));
    store_close(one);
    store_close(other);
}

static bool count_visit(void *context, const GameRecord *record)
{
    (void)record;
    ++*(int *)context;
    return true;
}

static void record_that_does_not_exist_is_not_found(void **state)
{
    TurfError error = {0};
    Store    *store = open_store(*state);
    int       n_visits = 0;
    int64_t   id;
    assert_false(records_find_game(store, 1, count_visit, &n_visits, &error));
    assert_int_equal(error.code, TURF_ERROR_NOT_FOUND);
    assert_true(records_last_game(store, &id, &error));
    assert_int_equal(id, 0);
    assert_true(add_game(store, add_run(store), some_game(0), &error));
    assert_true(records_last_game(store, &id, &error));
    assert_true(records_find_game(store, id, count_visit, &n_visits, &error));
    assert_int_equal(n_visits, 1);
    store_close(store);
}

/* ---- sets of games ------------------------------------------------------------------------ */

enum { PAIRINGS = 3, GAMES = 40 };

static void assert_same_set(const GameSet *set, bool has[PAIRINGS][GAMES])
{
    for (size_t i = 0; i + 1 < set->n; i++) {
        const GameRange *one = &set->list[i], *next = &set->list[i + 1];
        assert_true(one->pairing < next->pairing || one->first + one->n < next->first);
    }
    for (size_t p = 0; p < PAIRINGS; p++)
        for (uint64_t from = 0; from < GAMES; from++) {
            assert_int_equal(game_set_contains(set, (GameRange){p, from, 1}), has[p][from]);
            for (uint64_t to = from; to <= GAMES; to++) {
                uint64_t first = from, end, n_has = 0;
                while (first < to && has[p][first])
                    first++;
                for (end = first; end < to && !has[p][end];)
                    end++;
                for (uint64_t g = from; g < to; g++)
                    n_has += has[p][g];
                GameRange missing = game_set_first_missing(set, (GameRange){p, from, to - from});
                assert_int_equal(missing.n, end - first);
                assert_true(missing.n == 0 || missing.first == first);
                assert_int_equal(game_set_overlaps(set, (GameRange){p, from, to - from}),
                                 n_has > 0);
            }
        }
}

static void game_set_contains_the_ranges_added_to_it(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(5);
    for (int round = 0; round < 60; round++) {
        GameSet set = {0};
        bool    has[PAIRINGS][GAMES] = {{false}};
        for (int i = 0; i < 12; i++) {
            GameRange range = {rng_below(&rng, PAIRINGS), rng_below(&rng, GAMES), 0};
            range.n = rng_below(&rng, 8);
            if (range.first + range.n > GAMES)
                range.n = GAMES - range.first;
            for (uint64_t g = 0; g < range.n; g++)
                has[range.pairing][range.first + g] = true;
            assert_true(game_set_add(&set, range));
            assert_same_set(&set, has);
        }
        game_set_release(&set);
    }
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLACE(runs_round_trip),
        WITH_PLACE(swapped_games_count_for_the_player_not_the_side),
        WITH_PLACE(samples_of_batches_are_not_counted_twice),
        WITH_PLACE(overlapping_batches_and_repeated_games_are_rejected),
        WITH_PLACE(locked_run_is_busy_for_other_programs),
        WITH_PLACE(uncommitted_data_is_rolled_back),
        WITH_PLACE(other_files_are_rejected_and_left_alone),
        WITH_PLACE(database_of_a_later_version_is_rejected),
        WITH_PLACE(database_that_another_program_writes_is_busy),
        WITH_PLACE(record_that_does_not_exist_is_not_found),
        cmocka_unit_test(missing_folder_is_named_in_the_error),
        cmocka_unit_test(game_set_contains_the_ranges_added_to_it),
    };
    return cmocka_run_group_tests_name("the store", tests, NULL, NULL);
}
