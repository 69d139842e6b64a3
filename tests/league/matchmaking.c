/* Matchmaking: the rules of a round, and whether it is worth its name. A simulated league has
 * players of known strength, whose games are drawn from the Bradley-Terry model; its rounds are
 * planned by the league itself. TURF_LEAGUES=500 plays so many instead of a few, and prints the
 * figures of docs/league.md. */
#include "league/matchmaking.h"

#include "base/rng.h"
#include "games/totals.h"
#include "league/league_round.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PLAYERS = 40, N_ROUNDS = 15 };

typedef struct Simulation {
    League  league;
    TurfRng rng;
    double  strengths[N_PLAYERS + 1];
    bool    is_random; /* opponents are drawn */
} Simulation;

static double uniform(TurfRng *rng) { return (double)(rng_next(rng) >> 11) / 9007199254740992.0; }

/* By the sum of twelve uniform numbers. */
static double normal(TurfRng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(rng);
    return sum;
}

static void add_version(Simulation *simulation, double strength)
{
    League *league = &simulation->league;
    size_t  i = league->n_versions++;
    char    name[16];
    snprintf(name, sizeof name, "p%zu", i);
    simulation->strengths[i] = strength;
    league->versions[i] = (LeagueVersion){
        .id = (int64_t)i + 1, .number = 1, .name = strdup(name), .spec = strdup("random")};
}

static void begin(Simulation *simulation, uint64_t seed, double deviation, bool is_random)
{
    *simulation = (Simulation){.rng = rng_stream(seed, 1), .is_random = is_random};
    simulation->league.plan = (Plan){.game = turf_game_find("war-of-life", NULL),
                                     .schedule = SCHEDULE_PAIRS,
                                     .swaps_sides = true,
                                     .seed = 1,
                                     .n_rounds = 1};
    simulation->league.next_round = 1;
    simulation->league.versions = calloc(N_PLAYERS + 1, sizeof(LeagueVersion));
    for (int i = 0; i < N_PLAYERS; i++)
        add_version(simulation, deviation * normal(&simulation->rng));
}

static void end(Simulation *simulation)
{
    League *league = &simulation->league;
    league_release(league);
}

static void play_pair(Simulation *simulation, size_t a, size_t b, uint64_t n_games)
{
    League *league = &simulation->league;
    double  chance = 1 / (1 + pow(10, (simulation->strengths[b] - simulation->strengths[a]) / 400));
    for (uint64_t g = 0; g < n_games; g++) {
        TurfTotals totals = TOTALS_NONE;
        bool       is_won = uniform(&simulation->rng) < chance;
        totals_add_game(&totals, is_won ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND, 10);
        assert_true(league_count(league, league->versions[a].name, league->versions[b].name, g % 2,
                                 &totals));
    }
}

/* A round of pairs drawn at random, of two games each. */
static void play_random_round(Simulation *simulation)
{
    size_t order[N_PLAYERS], n = simulation->league.n_versions;
    for (size_t i = 0; i < n; i++) {
        size_t at = rng_below(&simulation->rng, (uint32_t)i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (size_t i = 0; i + 1 < n; i += 2)
        play_pair(simulation, order[i], order[i + 1], 2);
}

static void play_round(Simulation *simulation)
{
    Plan      plan;
    TurfError error;
    RoundSize size = {0};
    if (simulation->is_random) {
        play_random_round(simulation);
        return;
    }
    assert_true(league_plan_round(&simulation->league, &size, &plan, &error));
    assert_int_equal(plan.n_games, 2);
    for (size_t i = 0; i < plan.n_pairs; i++)
        play_pair(simulation, plan.pairs[i].first, plan.pairs[i].second, plan.n_games);
    plan_release(&plan);
    simulation->league.next_round++;
}

/* The mean distance between a player's place in the table and its true one. */
static double rank_error(const Simulation *simulation)
{
    Standings *standings = league_standings(&simulation->league, false);
    double     sum = 0;
    size_t     n = simulation->league.n_versions;
    assert_int_equal(standings->n, n);
    for (size_t i = 0; i < n; i++) {
        size_t player = (size_t)atoi(standings->list[i].name + 1), place = 0;
        for (size_t j = 0; j < n; j++)
            place += simulation->strengths[j] > simulation->strengths[player];
        sum += fabs((double)i - (double)place);
    }
    standings_free(standings);
    return sum / (double)n;
}

static double error_of_league(uint64_t seed, double deviation, bool is_random)
{
    Simulation simulation;
    begin(&simulation, seed, deviation, is_random);
    for (int round = 0; round < N_ROUNDS; round++)
        play_round(&simulation);
    for (size_t i = 0; i < N_PLAYERS; i++)
        assert_int_equal(league_totals(&simulation.league, i).n_games, 2 * N_ROUNDS);
    double error = rank_error(&simulation);
    end(&simulation);
    return error;
}

static void test_ranks_are_nearer_than_with_random_opponents(void **state)
{
    const char *wanted = getenv("TURF_LEAGUES");
    int         n_leagues = wanted ? atoi(wanted) : 12;
    double      sums[2] = {0};
    (void)state;
    for (int i = 0; i < n_leagues; i++)
        for (int is_random = 0; is_random < 2; is_random++)
            sums[is_random] += error_of_league((uint64_t)i, 300, is_random);
    if (wanted)
        printf("# %d leagues of %d players, %d games each: mean error in rank %.2f, with random "
               "opponents %.2f\n",
               n_leagues, N_PLAYERS, 2 * N_ROUNDS, sums[0] / n_leagues, sums[1] / n_leagues);
    assert_true(sums[0] < sums[1]);
}

/* It has about one place in ten of error, and one in four on the way there. */
static void test_a_newcomer_is_placed_within_30_games(void **state)
{
    double sum = 0;
    enum { N_LEAGUES = 8 };
    (void)state;
    for (uint64_t seed = 100; seed < 100 + N_LEAGUES; seed++) {
        Simulation simulation;
        begin(&simulation, seed, 300, false);
        for (int round = 0; round < 30; round++)
            play_round(&simulation);
        size_t newcomer = simulation.league.n_versions;
        add_version(&simulation, 300 * normal(&simulation.rng));
        int n_rounds = 0;
        while (league_totals(&simulation.league, newcomer).n_games < PLACEMENT_GAMES) {
            play_round(&simulation);
            n_rounds++;
        }
        assert_true(n_rounds <= PLACEMENT_GAMES / 4); /* it plays more than the others */
        Standings *standings = league_standings(&simulation.league, false);
        size_t     place = 0, true_place = 0;
        while (strcmp(standings->list[place].name, simulation.league.versions[newcomer].name))
            place++;
        for (size_t i = 0; i < newcomer; i++)
            true_place += simulation.strengths[i] > simulation.strengths[newcomer];
        sum += fabs((double)place - (double)true_place);
        standings_free(standings);
        end(&simulation);
    }
    assert_true(sum / N_LEAGUES <= N_PLAYERS / 10.0);
}

static void test_pairs_are_of_near_ratings_and_wide_intervals(void **state)
{
    /* 0 and 1 are equal, 2 and 3 are far from both and from each other; all have played much. */
    Candidate candidates[] = {{.elo = 0, .precision = 1e-3, .n_games = 200},
                              {.elo = 0, .precision = 1e-3, .n_games = 200},
                              {.elo = 800, .precision = 1e-3, .n_games = 200},
                              {.elo = -800, .precision = 1e-3, .n_games = 200}};
    uint32_t  played[16] = {0};
    PlanPair  pairs[16];
    size_t    n_pairs;
    (void)state;
    assert_true(matchmaking_pairs(candidates, 4, played, 2, pairs, &n_pairs));
    assert_int_equal(n_pairs, 2);
    assert_int_equal(pairs[0].first, 0);
    assert_int_equal(pairs[0].second, 1);
    candidates[1].precision = 0; /* little is known of 1 and 2 */
    candidates[2].precision = 0;
    candidates[2].elo = 100;
    assert_true(matchmaking_pairs(candidates, 4, played, 2, pairs, &n_pairs));
    assert_int_equal(pairs[0].first, 1);
    assert_int_equal(pairs[0].second, 2);
}

static void test_who_rests_is_not_paired_and_an_odd_one_waits(void **state)
{
    Candidate candidates[4] = {{.is_resting = true}};
    uint32_t  played[16] = {0};
    PlanPair  pairs[16];
    size_t    n_pairs;
    (void)state;
    assert_true(matchmaking_pairs(candidates, 4, played, 2, pairs, &n_pairs));
    assert_int_equal(n_pairs, 1);
    assert_true(pairs[0].first > 0 && pairs[0].second > pairs[0].first);
    assert_true(matchmaking_pairs(candidates, 0, played, 2, pairs, &n_pairs));
    assert_int_equal(n_pairs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_are_nearer_than_with_random_opponents),
        cmocka_unit_test(test_a_newcomer_is_placed_within_30_games),
        cmocka_unit_test(test_pairs_are_of_near_ratings_and_wide_intervals),
        cmocka_unit_test(test_who_rests_is_not_paired_and_an_odd_one_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
