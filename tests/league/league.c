/* Leagues in a real database: versions, rounds that are cut short, and one joint fit. */
#include "league/league.h"

#include "arena/run_play.h"
#include "base/ratings.h"
#include "games/totals.h"
#include "league/league_round.h"
#include "league/league_table.h"
#include "league_fixture.h"

#include <stdlib.h>
#include <string.h>

static void reopen(Fixture *fixture)
{
    TurfError error = {0};
    league_release(&fixture->league);
    store_close(fixture->store);
    open_league(fixture);
    assert_true(league_open(&fixture->league, fixture->store, &error));
}

static void add_four(Fixture *fixture)
{
    add(fixture, "a=random");
    add(fixture, "b=bloodlust");
    add(fixture, "c=land-grab");
    add(fixture, "d=minimax");
}

typedef struct Stop {
    uint64_t n_games; /* stop once so many are played */
} Stop;

static bool stop_after(void *context, const TurfTotals *totals, size_t n_pairings)
{
    const Stop *stop = context;
    uint64_t    n = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n += totals[i].n_games;
    return n < stop->n_games;
}

static void play(Fixture *fixture, int n_rounds, uint64_t n_games)
{
    TurfError error = {0};
    Stop      stop = {n_games};
    RunHooks  hooks = {.progress = stop_after, .context = &stop};
    for (int i = 0; i < n_rounds; i++) {
        LeagueRound round;
        RoundSize   size = {0};
        assert_true(league_begin_round(&fixture->league, &size, &round, &error));
        round.run.n_jobs = 2;
        assert_true(run_play(&round.run, &hooks, &error));
        assert_true(league_end_round(&fixture->league, &round, &error));
    }
}

static char *table_of(const League *league)
{
    json_t *json = league_json(league, true);
    char   *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    assert_non_null(text);
    return text;
}

static void a_new_version_takes_over_and_old_games_stay_with_the_old_one(void **state)
{
    Fixture *fixture = *state;
    add_four(fixture);
    play(fixture, 3, UINT64_MAX);
    TurfTotals before = league_totals(&fixture->league, 0);
    assert_true(before.n_games > 0);
    add(fixture, "a=land-grab");
    const LeagueTeam *team = league_team(&fixture->league, "a");
    assert_int_equal(team->n_versions, 2);
    assert_string_equal(fixture->league.versions[team->current].name, "a v2");
    assert_int_equal(fixture->league.versions[team->current].number, 2);
    play(fixture, 3, UINT64_MAX);
    TurfTotals after = league_totals(&fixture->league, 0);
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(league_totals(&fixture->league, team->current).n_games > 0);
    Standings *playing = league_standings(&fixture->league, false),
              *all = league_standings(&fixture->league, true);
    assert_int_equal(playing->n, 4);
    assert_int_equal(all->n, 5);
    standings_free(playing);
    standings_free(all);
}

static void what_was_counted_while_playing_equals_what_is_read_from_the_file(void **state)
{
    Fixture *fixture = *state;
    add_four(fixture);
    play(fixture, 5, UINT64_MAX);
    add(fixture, "c=random");
    play(fixture, 4, UINT64_MAX);
    char *played = table_of(&fixture->league);
    reopen(fixture);
    char *read = table_of(&fixture->league);
    assert_string_equal(played, read);
    free(played);
    free(read);
}

/* All games at once, in one count for each game. */
static bool add_count(void *context, const char *first, const char *second, bool is_swapped,
                      const TurfTotals *totals)
{
    struct Batch {
        const League *league;
        RatingCount   counts[10000];
        size_t        n;
    } *batch = context;
    size_t one = (size_t)(league_version(batch->league, first) - batch->league->versions),
           other = (size_t)(league_version(batch->league, second) - batch->league->versions);
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++)
        for (uint64_t i = 0; i < totals->endings[ending]; i++) {
            bool is_first = ending == TURF_WON_BY_FIRST, is_second = ending == TURF_WON_BY_SECOND;
            batch->counts[batch->n++] = (RatingCount){.first = is_swapped ? other : one,
                                                      .second = is_swapped ? one : other,
                                                      .wins = is_swapped ? is_second : is_first,
                                                      .losses = is_swapped ? is_first : is_second,
                                                      .draws = !is_first && !is_second};
        }
    return true;
}

static void ratings_are_those_of_one_fit_of_all_games(void **state)
{
    Fixture  *fixture = *state;
    TurfError error = {0};
    add_four(fixture);
    play(fixture, 8, UINT64_MAX);
    static struct Batch {
        const League *league;
        RatingCount   counts[10000];
        size_t        n;
    } batch;
    batch.league = &fixture->league;
    batch.n = 0;
    assert_true(leagues_each_result(fixture->store, 1, add_count, &batch, &error));
    assert_int_equal(batch.n, league_n_games(&fixture->league));
    const char *names[] = {"a", "b", "c", "d"};
    Ratings    *ratings = ratings_fit(names, 4, batch.counts, batch.n);
    Standings  *standings = league_standings(&fixture->league, true);
    for (size_t i = 0; i < 4; i++) {
        size_t version = (size_t)(standings->list[i].name[0] - 'a');
        assert_memory_equal(&standings->list[i].rating.elo, &ratings->players[version].elo,
                            sizeof(Estimate));
    }
    standings_free(standings);
    ratings_free(ratings);
}

static void a_round_that_was_cut_short_is_continued(void **state)
{
    Fixture *fixture = *state;
    add(fixture, "a=mcts:sims=4000"); /* slow enough to be stopped in the middle */
    add(fixture, "b=mcts:sims=4001");
    add(fixture, "c=mcts:sims=4002");
    add(fixture, "d=mcts:sims=4003");
    play(fixture, 1, 1); /* stopped as soon as something was played */
    int64_t  unfinished = fixture->league.unfinished;
    uint64_t n_before = league_n_games(&fixture->league);
    assert_true(unfinished > 0 && n_before > 0);
    reopen(fixture);
    assert_int_equal(fixture->league.unfinished, unfinished);
    assert_int_equal(league_n_games(&fixture->league), n_before);
    play(fixture, 1, UINT64_MAX);
    assert_int_equal(fixture->league.unfinished, 0);
    assert_int_equal(fixture->league.next_round, 2);
    uint64_t n_games = league_n_games(&fixture->league);
    reopen(fixture);
    assert_int_equal(league_n_games(&fixture->league), n_games);
    assert_int_equal(n_games, 2 * 2 * 4); /* two pairs, four starts, both sides */
}

static void the_next_round_depends_on_the_file_alone(void **state)
{
    Fixture  *fixture = *state;
    TurfError error = {0};
    RoundSize size = {0};
    Plan      one, other;
    add_four(fixture);
    play(fixture, 3, UINT64_MAX);
    assert_true(league_plan_round(&fixture->league, &size, &one, &error));
    reopen(fixture);
    assert_true(league_plan_round(&fixture->league, &size, &other, &error));
    char *left = plan_to_json(&one), *right = plan_to_json(&other);
    assert_string_equal(left, right);
    free(left);
    free(right);
    plan_release(&one);
    plan_release(&other);
}

static void a_frozen_league_refuses_versions_and_plays_on(void **state)
{
    Fixture  *fixture = *state;
    TurfError error = {0};
    add_four(fixture);
    assert_true(league_freeze(&fixture->league, true, &error));
    TurfPlayer *player = turf_player_open(fixture->league.plan.game, "a=minimax", &error);
    assert_false(league_add(&fixture->league, player, NULL, &error));
    assert_non_null(strstr(error.text, "frozen"));
    assert_false(league_retire(&fixture->league, "a", &error));
    play(fixture, 1, UINT64_MAX);
    assert_true(league_freeze(&fixture->league, false, &error));
    assert_true(league_add(&fixture->league, player, NULL, &error));
    turf_player_free(player);
}

static void names_that_look_like_versions_are_refused(void **state)
{
    Fixture                 *fixture = *state;
    static const char *const bad[] = {"x v2=random", "a v10=random"};
    for (size_t i = 0; i < 2; i++) {
        TurfError   error = {0};
        TurfPlayer *player = turf_player_open(fixture->league.plan.game, bad[i], &error);
        assert_false(league_add(&fixture->league, player, NULL, &error));
        assert_int_equal(error.code, TURF_ERROR_INVALID);
        turf_player_free(player);
    }
    add(fixture, "v2=random");
    add(fixture, "xv2=random");
    assert_int_equal(fixture->league.n_teams, 2);
}

static void a_final_is_continued_and_does_not_count_in_the_table(void **state)
{
    Fixture  *fixture = *state;
    TurfError error = {0};
    add_four(fixture);
    play(fixture, 4, UINT64_MAX);
    uint64_t                  n_games = league_n_games(&fixture->league);
    static const ScheduleKind schedules[] = {SCHEDULE_KNOCK_OUT, SCHEDULE_SWISS, SCHEDULE_PAIRS};
    for (size_t i = 0; i < 3; i++) {
        FinalTerms  terms = {.schedule = schedules[i], .n_best = 3, .n_games = 4, .seed = 99};
        LeagueRound round;
        Stop        stop = {1};
        RunHooks    hooks = {.progress = stop_after, .context = &stop};
        assert_true(league_begin_final(&fixture->league, &terms, &round, &error));
        assert_true(run_play(&round.run, &hooks, &error));
        assert_true(league_end_round(&fixture->league, &round, &error));
        reopen(fixture);
        if (fixture->league.unfinished_final) {
            assert_true(league_begin_final(&fixture->league, &terms, &round, &error));
            assert_true(run_play(&round.run, &(RunHooks){0}, &error));
            assert_true(run_is_whole(&round.run));
            assert_true(league_end_round(&fixture->league, &round, &error));
        }
        assert_int_equal(fixture->league.unfinished_final, 0);
        assert_true(fixture->league.final > 0);
        assert_int_equal(league_n_games(&fixture->league), n_games);
    }
}

int main(void)
{
#define league_test(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        league_test(a_new_version_takes_over_and_old_games_stay_with_the_old_one),
        league_test(what_was_counted_while_playing_equals_what_is_read_from_the_file),
        league_test(ratings_are_those_of_one_fit_of_all_games),
        league_test(a_round_that_was_cut_short_is_continued),
        league_test(the_next_round_depends_on_the_file_alone),
        league_test(a_frozen_league_refuses_versions_and_plays_on),
        league_test(names_that_look_like_versions_are_refused),
        league_test(a_final_is_continued_and_does_not_count_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
