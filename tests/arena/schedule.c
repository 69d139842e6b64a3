/* Schedules for any number of entrants, the games of shards and resumed runs, starts, commits, and
 * the JSON of plans. */
#include "support.h"

#include "arena/run_play.h"
#include "arena/schedule.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Plan plan_for(ScheduleKind schedule, size_t n_entrants, uint64_t n_games)
{
    Plan plan = {.game = &war_of_life,
                 .schedule = schedule,
                 .n_games = n_games,
                 .n_rounds = 1,
                 .n_entrants = n_entrants};
    if (schedule == SCHEDULE_SWISS)
        plan.n_rounds = swiss_default_rounds(n_entrants);
    return plan;
}

/* How often each meets each, as first and as second. */
static unsigned *count_meetings(const Plan *plan, const PairingRecord *pairings, size_t n_pairings)
{
    unsigned *n_met = calloc(plan->n_entrants * plan->n_entrants, sizeof *n_met);
    for (size_t i = 0; i < n_pairings; i++) {
        assert_true(pairings[i].first < plan->n_entrants && pairings[i].second < plan->n_entrants);
        assert_int_equal(pairings[i].n_games, plan->n_games);
        n_met[pairings[i].first * plan->n_entrants + pairings[i].second]++;
    }
    return n_met;
}

static void round_robin_has_every_ordered_pair_once(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 40; n++) {
        Plan           plan = plan_for(SCHEDULE_ROUND_ROBIN, n, 3);
        PairingRecord *pairings = calloc(schedule_n_pairings(&plan), sizeof *pairings);
        size_t         n_pairings = schedule_round(&plan, 1, NULL, NULL, 0, pairings);
        unsigned      *n_met = count_meetings(&plan, pairings, n_pairings);
        assert_int_equal(n_pairings, n * n);
        for (size_t i = 0; i < n * n; i++)
            assert_int_equal(n_met[i], 1);
        free(n_met);
        free(pairings);
    }
}

static void gauntlet_pairs_the_first_entrant_with_all_others_on_both_sides(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 40; n++) {
        Plan           plan = plan_for(SCHEDULE_GAUNTLET, n, 3);
        PairingRecord *pairings = calloc(schedule_n_pairings(&plan), sizeof *pairings);
        size_t         n_pairings = schedule_round(&plan, 1, NULL, NULL, 0, pairings);
        unsigned      *n_met = count_meetings(&plan, pairings, n_pairings);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                assert_int_equal(n_met[a * n + b], (a == 0) != (b == 0));
        free(n_met);
        free(pairings);
    }
}

/* ---- Swiss -------------------------------------------------------------------------------- */

/* Results that follow the strength of the entrants, with some luck. */
static void make_results(const PairingRecord *pairing, TurfRng *rng, TurfTotals totals[2])
{
    totals[0] = totals[1] = TOTALS_NONE;
    for (uint64_t i = 0; i < pairing->n_games; i++) {
        uint32_t   luck = rng_below(rng, 10);
        bool       is_expected = luck < 7;
        TurfEnding ending = luck == 9 ? TURF_DRAWN
                            : (pairing->first < pairing->second) == is_expected
                                ? TURF_WON_BY_FIRST
                                : TURF_WON_BY_SECOND;
        totals_add_game(&totals[i % 2], ending, 10);
    }
}

typedef struct SwissTournament {
    Plan           plan;
    PairingRecord *pairings;
    TurfTotals (*totals)[2];
    size_t n_pairings;
} SwissTournament;

static SwissTournament play_swiss(size_t n, uint64_t n_rounds, uint64_t seed)
{
    SwissTournament run = {.plan = plan_for(SCHEDULE_SWISS, n, 2)};
    TurfRng         rng = turf_rng(seed);
    run.plan.n_rounds = n_rounds;
    run.pairings = calloc(schedule_n_pairings(&run.plan), sizeof *run.pairings);
    run.totals = calloc(schedule_n_pairings(&run.plan), sizeof *run.totals);
    for (uint64_t round = 1; round <= n_rounds; round++) {
        PairingRecord *next = &run.pairings[run.n_pairings];
        size_t         n_next =
            schedule_round(&run.plan, round, run.pairings, run.totals, run.n_pairings, next);
        assert_int_equal(n_next, n / 2);
        for (size_t i = 0; i < n_next; i++)
            make_results(&next[i], &rng, run.totals[run.n_pairings + i]);
        run.n_pairings += n_next;
    }
    return run;
}

static void release_swiss(SwissTournament *run)
{
    free(run->pairings);
    free(run->totals);
}

static void swiss_rounds_pair_everybody_once_and_share_the_byes(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 41; n++) {
        uint64_t        n_rounds = swiss_max_rounds(n);
        SwissTournament run = play_swiss(n, n_rounds, n);
        unsigned       *n_byes = calloc(n, sizeof *n_byes);
        for (uint64_t round = 1; round <= n_rounds; round++) {
            unsigned *n_played = calloc(n, sizeof *n_played), max = 0, min = UINT32_MAX;
            for (size_t i = 0; i < run.n_pairings; i++)
                if ((uint64_t)run.pairings[i].round == round) {
                    n_played[run.pairings[i].first]++;
                    n_played[run.pairings[i].second]++;
                    assert_true(run.pairings[i].swaps_sides);
                }
            for (size_t i = 0; i < n; i++) {
                assert_true(n_played[i] <= 1);
                n_byes[i] += n_played[i] == 0;
                max = n_byes[i] > max ? n_byes[i] : max;
                min = n_byes[i] < min ? n_byes[i] : min;
            }
            assert_true(n % 2 ? max - min <= 1 : max == 0);
            free(n_played);
        }
        free(n_byes);
        release_swiss(&run);
    }
}

static void swiss_tournaments_of_default_length_have_no_rematches(void **state)
{
    (void)state;
    static const size_t sizes[] = {2,  3,  4,  5,  6,  7,  8,  9,   10, 15,
                                   16, 17, 31, 32, 33, 64, 99, 100, 257};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t          n = sizes[s];
        SwissTournament run = play_swiss(n, swiss_default_rounds(n), s);
        unsigned       *n_met = count_meetings(&run.plan, run.pairings, run.n_pairings);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                assert_true(n_met[a * n + b] + n_met[b * n + a] <= 1 &&
                            (a != b || n_met[a * n + b] == 0));
        free(n_met);
        release_swiss(&run);
    }
}

/* The winners of the first round meet winners in the second. */
static void swiss_rounds_pair_entrants_with_equal_points(void **state)
{
    (void)state;
    Plan          plan = plan_for(SCHEDULE_SWISS, 16, 2);
    PairingRecord pairings[128];
    TurfTotals    totals[128][2];
    size_t        n = schedule_round(&plan, 1, NULL, NULL, 0, pairings);
    bool          has_won[16] = {false};
    assert_int_equal(n, 8);
    for (size_t i = 0; i < n; i++) {
        totals[i][0] = totals[i][1] = TOTALS_NONE;
        totals_add_game(&totals[i][0], i % 2 ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND, 9);
        totals_add_game(&totals[i][1], i % 2 ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND, 9);
        has_won[i % 2 ? pairings[i].first : pairings[i].second] = true;
    }
    assert_int_equal(schedule_round(&plan, 2, pairings, totals, n, pairings + n), 8);
    for (size_t i = n; i < 2 * n; i++)
        assert_int_equal(has_won[pairings[i].first], has_won[pairings[i].second]);
}

/* ---- knock-out -------------------------------------------------------------------------- */

/* Plays a knock-out in which the better seed always wins, or always the worse. */
static size_t play_knock_out(size_t n, bool is_upset, PairingRecord *pairings,
                             TurfTotals (*totals)[2], size_t *winner)
{
    Plan   plan = plan_for(SCHEDULE_KNOCK_OUT, n, 2);
    size_t n_pairings = 0, places[MAX_ENTRANTS];
    for (uint64_t round = 1; round <= schedule_n_rounds(&plan); round++) {
        size_t n_next =
            schedule_round(&plan, round, pairings, totals, n_pairings, &pairings[n_pairings]);
        for (size_t i = n_pairings; i < n_pairings + n_next; i++) {
            assert_true(pairings[i].first < pairings[i].second && pairings[i].swaps_sides);
            totals[i][0] = totals[i][1] = TOTALS_NONE;
            totals_add_game(&totals[i][0], is_upset ? TURF_WON_BY_SECOND : TURF_WON_BY_FIRST, 9);
            totals_add_game(&totals[i][1], TURF_DRAWN, 9);
        }
        n_pairings += n_next;
    }
    assert_int_equal(
        knock_out_places(&plan, schedule_n_rounds(&plan) + 1, pairings, totals, n_pairings, places),
        1);
    *winner = places[0];
    return n_pairings;
}

static void knock_out_leaves_one_and_the_first_two_seeds_meet_last(void **state)
{
    (void)state;
    static PairingRecord pairings[MAX_ENTRANTS];
    static TurfTotals    totals[MAX_ENTRANTS][2];
    for (size_t n = 2; n <= 70; n++)
        for (int is_upset = 0; is_upset < 2; is_upset++) {
            size_t winner, n_lost[70] = {0};
            size_t n_pairings = play_knock_out(n, is_upset, pairings, totals, &winner);
            assert_int_equal(n_pairings, n - 1);
            for (size_t i = 0; i < n_pairings; i++)
                n_lost[is_upset ? pairings[i].first : pairings[i].second]++;
            for (size_t i = 0; i < n; i++)
                assert_int_equal(n_lost[i], i != winner);
            if (is_upset)
                continue;
            assert_int_equal(winner, 0);
            assert_int_equal(pairings[n_pairings - 1].first, 0);
            assert_int_equal(pairings[n_pairings - 1].second, 1);
        }
}

static void knock_out_with_equal_points_sends_the_better_seed_on(void **state)
{
    (void)state;
    Plan          plan = plan_for(SCHEDULE_KNOCK_OUT, 4, 2);
    PairingRecord pairings[4];
    TurfTotals    totals[4][2];
    assert_int_equal(schedule_round(&plan, 1, NULL, NULL, 0, pairings), 2);
    for (int i = 0; i < 2; i++) {
        totals[i][0] = totals[i][1] = TOTALS_NONE;
        totals_add_game(&totals[i][0], TURF_WON_BY_SECOND, 9);
        totals_add_game(&totals[i][1], TURF_WON_BY_FIRST, 9);
    }
    assert_int_equal(schedule_round(&plan, 2, pairings, totals, 2, &pairings[2]), 1);
    assert_int_equal(pairings[2].first, 0);
    assert_int_equal(pairings[2].second, 1);
}

/* ---- batches ---------------------------------------------------------------------------- */

static void shards_have_every_game_once(void **state)
{
    (void)state;
    for (size_t n_pairings = 1; n_pairings <= 9; n_pairings++)
        for (int n_shards = 1; n_shards <= 7; n_shards += 3) {
            TurfPairing pairings[9] = {{{NULL, NULL}, 0, false}};
            uint64_t    n_games = 0, n_seen = 0;
            GameSet     seen = {0};
            for (size_t p = 0; p < n_pairings; p++)
                n_games += pairings[p].n_games = 1 + p * p * 37 + (p == 4 ? 70000 : 0);
            for (int shard = 1; shard <= n_shards; shard++) {
                Run          run = {.pairings = pairings,
                                    .n_pairings = n_pairings,
                                    .shard = shard,
                                    .n_shards = n_shards};
                GameIterator left = run_games_left(&run, ALL_GAMES);
                for (GameRange games; next_games(&left, &games);) {
                    assert_false(game_set_overlaps(&seen, games));
                    assert_true(game_set_add(&seen, games));
                    n_seen += games.n;
                }
            }
            assert_int_equal(n_seen, n_games);
            assert_int_equal(seen.n, n_pairings);
            game_set_release(&seen);
        }
}

static void games_left_are_those_not_played(void **state)
{
    (void)state;
    TurfPairing  pairings[2] = {{{NULL, NULL}, 1000, false}, {{NULL, NULL}, 10, false}};
    GameRange    played[] = {{0, 0, 3}, {0, 10, 1}, {0, 500, 400}, {1, 9, 1}};
    Run          run = {.plan = {.n_recorded = 20}, .pairings = pairings, .n_pairings = 2};
    GameSet      seen = {0};
    uint64_t     n_left = 0;
    GameIterator iterators[2];
    for (size_t i = 0; i < sizeof played / sizeof played[0]; i++)
        assert_true(game_set_add(&run.played, played[i]));
    iterators[0] = run_games_left(&run, ONLY_RECORDED);
    iterators[1] = run_games_left(&run, NOT_RECORDED);
    for (int i = 0; i < 2; i++)
        for (GameRange games; next_games(&iterators[i], &games);) {
            assert_true(games.n > 0 && (i == 0 || games.first >= run.plan.n_recorded));
            assert_false(game_set_overlaps(&run.played, games) || game_set_overlaps(&seen, games));
            assert_true(game_set_add(&seen, games));
            n_left += games.n;
        }
    assert_int_equal(n_left, 1010 - 3 - 1 - 400 - 1);
    game_set_release(&seen);
    game_set_release(&run.played);
}

/* ---- commits ------------------------------------------------------------------------------ */

typedef struct Watcher {
    const char *path;
    uint64_t    n_committed, n_finished;
} Watcher;

/* Looks into the database with a connection of its own. */
static uint64_t count_stored(const char *path)
{
    TurfError    error = {0};
    RecordCounts counts = {0};
    Store       *store = store_open(path, STORE_READ, &error);
    assert_true(store && records_count(store, 1, &counts, &error));
    store_close(store);
    return counts.n_single + counts.n_in_batches;
}

static void see_commit(void *context, const BatchResult *results)
{
    Watcher *watcher = context;
    for (const BatchResult *result = results; result; result = result->next)
        watcher->n_committed += result->games.n;
    assert_true(count_stored(watcher->path) >= watcher->n_committed);
}

static void see_game(void *context, const TurfFinished *game)
{
    Watcher *watcher = context;
    (void)game;
    watcher->n_finished++;
    assert_true(watcher->n_finished <= watcher->n_committed);
}

static void games_are_reported_after_their_commit(void **state)
{
    (void)state;
    char      folder[] = "/tmp/turf-commit-XXXXXX", path[64];
    TurfError error = {0};
    Plan      plan = {.game = &war_of_life, .n_games = 300, .n_rounds = 1, .n_recorded = 5};
    Run       run;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/turf.db", folder);
    Watcher  watcher = {.path = path};
    RunHooks hooks = {.finished = see_game, .committed = see_commit, .context = &watcher};
    Store   *store = store_open(path, STORE_MAKE, &error);
    for (int i = 0; i < 2; i++)
        assert_true(plan_add_player(&plan, turf_player_open(plan.game, "bloodlust", &error)));
    assert_true(run_init(&run, &plan, true, &error) && run_begin(&run, store, &error));
    assert_true(run_play(&run, &hooks, &error));
    assert_true(run_is_whole(&run));
    assert_int_equal(watcher.n_finished, 300);
    assert_int_equal(count_stored(path), 300);
    run_release(&run);
    store_close(store);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- starts ------------------------------------------------------------------------------- */

typedef struct Seen {
    char   start[8][600]; /* of game i */
    size_t n;
} Seen;

static void look(void *context, const BatchResult *results)
{
    Seen *seen = context;
    for (const BatchResult *result = results; result; result = result->next)
        for (size_t g = 0; g < result->n_played; g++) {
            const GameRecord *record = &result->played[g].record;
            snprintf(seen->start[record->pairing * 4 + record->game], sizeof seen->start[0], "%s",
                     record->start);
            seen->n++;
        }
}

static void pairings_share_their_starts_and_swap_plays_each_twice(void **state)
{
    (void)state;
    static const char *const lists[][2] = {{"random", "random"}, {"cross", "checkers"}};
    TurfError                error = {0};
    static const char *const specs[] = {"random", "bloodlust"};
    for (int swaps = 0; swaps < 2; swaps++)
        for (size_t list = 0; list < 2; list++) {
            Run  run;
            Plan plan = {.game = &war_of_life,
                         .schedule = SCHEDULE_GAUNTLET,
                         .n_games = 4,
                         .n_rounds = 1,
                         .swaps_sides = swaps,
                         .seed = 3,
                         .n_recorded = 4};
            Seen seen = {.n = 0};
            for (size_t i = 0; i < 2; i++)
                assert_true(plan_add_start(&plan, lists[list][i]));
            for (size_t i = 0; i < 2; i++)
                assert_true(plan_add_player(&plan, turf_player_open(plan.game, specs[i], &error)));
            assert_true(run_init(&run, &plan, true, &error));
            assert_true(run_play(&run, &(RunHooks){.committed = look, .context = &seen}, &error));
            run_release(&run);
            assert_int_equal(seen.n, 8);
            for (size_t i = 0; i < 4; i++) {
                assert_string_equal(seen.start[i], seen.start[4 + i]);
                bool is_repeated = swaps ? i % 2 : list == 1 && i >= 2;
                if (is_repeated)
                    assert_string_equal(seen.start[i], seen.start[swaps ? i - 1 : i - 2]);
                else if (i > 0)
                    assert_string_not_equal(seen.start[i], seen.start[i - 1]);
            }
        }
}

/* ---- plans -------------------------------------------------------------------------------- */

static void plans_round_trip_through_json_and_differences_are_named(void **state)
{
    (void)state;
    TurfError error = {0};
    Plan      plan = plan_for(SCHEDULE_GAUNTLET, 0, 17), back;
    char      hash[17], other_hash[17], text[200];
    plan.seed = 9;
    plan.swaps_sides = true;
    plan.time_ms = 300;
    static const char *const specs[] = {"bot:sh -c 'exit 1' with a long name that does not fit",
                                        "x=minimax:depth=3", "random"};
    for (size_t i = 0; i < 3; i++) {
        TurfPlayer *player = turf_player_open(&war_of_life, specs[i], &error);
        assert_non_null(player);
        player->time_gain_ms = 100 * (int64_t)i;
        player->terms.process.folder = i == 0 ? "/somewhere" : NULL;
        assert_true(plan_add_player(&plan, player));
    }
    assert_true(plan_add_start(&plan, "cross"));
    char *json = plan_to_json(&plan);
    assert_true(plan_from_json(&back, json, &error));
    char *again = plan_to_json(&back);
    assert_string_equal(json, again);
    assert_false(plan_difference(json, again, text, sizeof text));
    assert_true(plan_open_players(&back, &error));
    TurfPlayer **players = back.players;
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(players[i]->name, plan.entrants[i].name);
        assert_string_equal(players[i]->spec, plan.entrants[i].spec);
        assert_int_equal(players[i]->time_gain_ms, 100 * i);
    }
    assert_string_equal(players[0]->terms.process.folder, "/somewhere");
    assert_null(players[1]->terms.process.folder);
    plan_hash(json, hash);
    free(again);
    back.seed = 10;
    again = plan_to_json(&back);
    plan_hash(again, other_hash);
    assert_string_not_equal(hash, other_hash);
    assert_true(plan_difference(json, again, text, sizeof text));
    assert_string_equal(text, "the seed: 9 here, 10 there");
    free(again);
    free(json);
    plan_release(&plan);
    plan_release(&back);
    assert_false(plan_from_json(&back, "{}", &error));
    assert_false(plan_from_json(&back, "nonsense", &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_has_every_ordered_pair_once),
        cmocka_unit_test(gauntlet_pairs_the_first_entrant_with_all_others_on_both_sides),
        cmocka_unit_test(swiss_rounds_pair_everybody_once_and_share_the_byes),
        cmocka_unit_test(swiss_tournaments_of_default_length_have_no_rematches),
        cmocka_unit_test(swiss_rounds_pair_entrants_with_equal_points),
        cmocka_unit_test(knock_out_leaves_one_and_the_first_two_seeds_meet_last),
        cmocka_unit_test(knock_out_with_equal_points_sends_the_better_seed_on),
        cmocka_unit_test(shards_have_every_game_once),
        cmocka_unit_test(games_left_are_those_not_played),
        cmocka_unit_test(games_are_reported_after_their_commit),
        cmocka_unit_test(pairings_share_their_starts_and_swap_plays_each_twice),
        cmocka_unit_test(plans_round_trip_through_json_and_differences_are_named),
    };
    return cmocka_run_group_tests_name("schedules", tests, NULL, NULL);
}
