/* Ratings and SPRT: they agree with a reference implementation (tests/slow), intervals have their
 * nominal coverage, tests keep their error rates, and every figure is finite. */
#include "support.h"

#include "base/ratings.h"
#include "base/sprt.h"
#include "ratings_slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLAYERS = 16, MAX_COUNTS = 400 };

static const char *const names[MAX_PLAYERS] = {"ada", "bob", "cid",  "dot",  "eve", "fay",
                                               "gus", "hal", "iris", "jack", "kim", "lea",
                                               "max", "nan", "ole",  "pam"};

static double uniform(TurfRng *rng) { return (double)(rng_next(rng) >> 11) / 9007199254740992.0; }

/* ---- simulated tournaments ----------------------------------------------------------------- */

/* The parameters that games are drawn from. */
typedef struct World {
    size_t n_players;
    double strengths[MAX_PLAYERS], first, nu; /* in nats */
} World;

typedef struct Games {
    RatingCount counts[MAX_COUNTS];
    size_t      n_counts;
} Games;

/* Points of the first in halves. */
static int draw_game(const World *world, size_t i, size_t j, TurfRng *rng)
{
    double x = world->strengths[i] - world->strengths[j] + world->first;
    double win = exp(x / 2), loss = exp(-x / 2), at = uniform(rng) * (win + loss + world->nu);
    return at < win ? 2 : at < win + loss ? 0 : 1;
}

static void count_game(RatingCount *count, int points)
{
    count->wins += points == 2;
    count->draws += points == 1;
    count->losses += points == 0;
}

static void play_games(const World *world, size_t i, size_t j, int n_games, TurfRng *rng,
                       Games *games)
{
    RatingCount *count = &games->counts[games->n_counts++];
    *count = (RatingCount){.first = i, .second = j};
    for (int g = 0; g < n_games; g++)
        count_game(count, draw_game(world, i, j, rng));
}

typedef enum Shape { ROUND_ROBIN, GAUNTLET, SPARSE } Shape;

/* A round robin with self-play, a gauntlet, or rounds of neighbours as in a Swiss tournament. */
static void play_tournament(const World *world, Shape shape, int n_games, TurfRng *rng,
                            Games *games)
{
    size_t n = world->n_players;
    games->n_counts = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            size_t apart = (j + n - i) % n;
            bool   is_played = shape == ROUND_ROBIN ? true
                               : shape == GAUNTLET
                                   ? (i == 0) != (j == 0)
                                   : apart == 1 || apart == 2 || apart == n - 1 || apart == n - 2;
            if (is_played)
                play_games(world, i, j, n_games, rng, games);
        }
}

static World make_world(size_t n_players, double spread_elo, double first_elo, double nu,
                        TurfRng *rng)
{
    World  world = {.n_players = n_players, .nu = nu};
    double scale = log(10) / 400 * (2 + nu) / 2;
    for (size_t i = 0; i < n_players; i++)
        world.strengths[i] = (uniform(rng) - 0.5) * spread_elo * scale;
    world.first = first_elo * scale;
    return world;
}

static double true_elo(const World *world, size_t player)
{
    double mean = 0;
    for (size_t i = 0; i < world->n_players; i++)
        mean += world->strengths[i] / (double)world->n_players;
    return (world->strengths[player] - mean) * 400 / log(10) * 2 / (2 + world->nu);
}

/* ---- the fit ------------------------------------------------------------------------------- */

static void assert_agrees(double fast, double slow, double tolerance)
{
    if (!(fabs(fast - slow) < tolerance))
        fail_msg("%.6f is not %.6f", fast, slow);
}

static void fit_agrees_with_the_reference_implementation(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(5);
    for (int round = 0; round < 4; round++) {
        static SlowGame list[MAX_COUNTS * 8];
        size_t          n_list = 0;
        World world = make_world(2 + (size_t)round % 3, 600, 100, round % 2 ? 0.6 : 0.05, &rng);
        Games games = {.n_counts = 0};
        for (size_t i = 0; i < world.n_players; i++)
            for (size_t j = 0; j < world.n_players; j++) {
                RatingCount *count = &games.counts[games.n_counts++];
                *count = (RatingCount){.first = i, .second = j};
                for (int g = 0; g < 6; g++) {
                    int points = draw_game(&world, i, j, &rng);
                    count_game(count, points);
                    list[n_list++] = (SlowGame){(int)i, (int)j, points, 0};
                }
                for (uint32_t f = i == j ? 0 : rng_below(&rng, 3); f > 0; f--) {
                    int by = (int)rng_below(&rng, 2);
                    count->forfeits[by]++;
                    list[n_list++] = (SlowGame){(int)i, (int)j, by ? 2 : 0, 1};
                }
            }
        Ratings    *fast = ratings_fit(names, world.n_players, games.counts, games.n_counts);
        SlowRatings slow = slow_ratings(list, n_list, (int)world.n_players);
        for (size_t i = 0; i < world.n_players; i++) {
            assert_agrees(fast->players[i].elo.value, slow.elo[i], 0.05);
            assert_agrees(fast->players[i].elo.high - slow.elo[i], STATS_Z_95 * slow.deviation[i],
                          0.1);
        }
        assert_agrees(fast->first_player.value, slow.first_player, 0.05);
        assert_agrees(fast->first_player.high - slow.first_player,
                      STATS_Z_95 * slow.first_deviation, 0.1);
        assert_agrees(fast->draw_share.value, slow.draw_share, 1e-4);
        ratings_free(fast);
    }
}

static void
equal_scores_in_a_round_robin_have_equal_ratings_and_the_order_is_that_of_the_scores(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(6);
    for (int round = 0; round < 50; round++) {
        World world = make_world(6, 500, 50, 0.3, &rng);
        Games games;
        play_tournament(&world, ROUND_ROBIN, 3, &rng, &games);
        double points[MAX_PLAYERS] = {0};
        for (size_t c = 0; c < games.n_counts; c++) {
            const RatingCount *count = &games.counts[c];
            if (count->first == count->second)
                continue;
            points[count->first] += (double)(2 * count->wins + count->draws);
            points[count->second] += (double)(2 * count->losses + count->draws);
        }
        Ratings *ratings = ratings_fit(names, 6, games.counts, games.n_counts);
        for (size_t i = 0; i < 6; i++)
            for (size_t j = 0; j < 6; j++) {
                double lead = ratings->players[i].elo.value - ratings->players[j].elo.value;
                if (points[i] > points[j] ? !(lead > 0)
                                          : points[i] == points[j] && !(fabs(lead) < 1e-6))
                    fail_msg("%g points against %g, but %g Elo apart", points[i], points[j], lead);
            }
        ratings_free(ratings);
    }
}

static void result_does_not_depend_on_the_order_of_input(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(7);
    for (int round = 0; round < 20; round++) {
        World world = make_world(7, 800, 60, 0.2, &rng);
        Games games;
        play_tournament(&world, round % 2 ? ROUND_ROBIN : SPARSE, 5, &rng, &games);
        Ratings *plain = ratings_fit(names, 7, games.counts, games.n_counts);

        size_t      places[7];
        const char *moved_names[7];
        for (size_t i = 0; i < 7; i++)
            places[i] = i;
        for (size_t i = 6; i > 0; i--) {
            size_t with = rng_below(&rng, (uint32_t)i + 1), kept = places[i];
            places[i] = places[with];
            places[with] = kept;
        }
        for (size_t i = 0; i < 7; i++)
            moved_names[places[i]] = names[i];
        /* Split every count, as shards do, and shuffle. */
        Games  moved = {.n_counts = 0};
        size_t n_cut = games.n_counts > 60 ? 60 : games.n_counts;
        for (size_t c = 0; c < games.n_counts; c++) {
            RatingCount count = games.counts[c];
            count.first = places[count.first];
            count.second = places[count.second];
            if (c < n_cut && count.wins > 0) {
                moved.counts[moved.n_counts++] =
                    (RatingCount){.first = count.first, .second = count.second, .wins = 1};
                count.wins--;
            }
            moved.counts[moved.n_counts++] = count;
        }
        for (size_t c = moved.n_counts - 1; c > 0; c--) {
            size_t      with = rng_below(&rng, (uint32_t)c + 1);
            RatingCount kept = moved.counts[c];
            moved.counts[c] = moved.counts[with];
            moved.counts[with] = kept;
        }
        Ratings *other = ratings_fit(moved_names, 7, moved.counts, moved.n_counts);
        for (size_t i = 0; i < 7; i++) {
            assert_memory_equal(&plain->players[i].elo, &other->players[places[i]].elo,
                                sizeof(Estimate));
            assert_true(ratings_superiority(plain, i, (i + 1) % 7) ==
                        ratings_superiority(other, places[i], places[(i + 1) % 7]));
        }
        assert_memory_equal(&plain->first_player, &other->first_player, sizeof(Estimate));
        ratings_free(plain);
        ratings_free(other);
    }
}

/* ---- too few results ----------------------------------------------------------------------- */

static void assert_finite(const Ratings *ratings)
{
    for (size_t i = 0; i < ratings->n_players; i++) {
        const Estimate *elo = &ratings->players[i].elo;
        assert_true(isfinite(elo->value) && isfinite(elo->low) && isfinite(elo->high));
        assert_true(fabs(elo->value) < 20000 && elo->low <= elo->value && elo->value <= elo->high);
        for (size_t j = 0; j < ratings->n_players; j++) {
            double los = ratings_superiority(ratings, i, j);
            assert_true(los >= 0 && los <= 1);
        }
    }
    assert_true(isfinite(ratings->first_player.value) && isfinite(ratings->first_player.high));
    assert_true(ratings->draw_share.low >= 0 && ratings->draw_share.high <= 1);
}

static void player_that_never_lost_has_no_upper_bound_but_finite_figures(void **state)
{
    (void)state;
    const RatingCount counts[] = {{0, 1, 1000000, 0, 0, {0}},
                                  {1, 0, 0, 0, 1000000, {0}},
                                  {0, 2, 10, 0, 0, {0}},
                                  {1, 2, 3, 1, 4, {0}},
                                  {2, 1, 2, 0, 2, {0}}};
    Ratings          *ratings = ratings_fit(names, 3, counts, 5);
    assert_finite(ratings);
    assert_true(ratings->players[0].has_low && !ratings->players[0].has_high);
    assert_true(ratings->players[1].has_low && ratings->players[1].has_high);
    assert_true(ratings->is_connected && ratings_superiority(ratings, 0, 1) > 0.99);
    ratings_free(ratings);
}

static void separate_groups_are_not_connected(void **state)
{
    (void)state;
    const RatingCount counts[] = {
        {0, 1, 5, 0, 3, {0}}, {1, 0, 4, 0, 4, {0}}, {2, 3, 1, 0, 7, {0}}, {3, 2, 4, 0, 4, {0}}};
    Ratings *ratings = ratings_fit(names, 4, counts, 4);
    assert_finite(ratings);
    assert_true(!ratings->is_connected);
    for (size_t i = 0; i < 4; i++) /* the first group stands for itself */
        assert_true(ratings->players[i].has_low == (i < 2) &&
                    ratings->players[i].has_high == (i < 2));
    ratings_free(ratings);
}

static void chain_of_results_bounds_every_rating(void **state)
{
    (void)state;
    const RatingCount counts[] = {{0, 1, 5, 0, 0, {0}}, {1, 2, 5, 0, 0, {0}}, {2, 0, 1, 0, 0, {0}}};
    Ratings          *ratings = ratings_fit(names, 3, counts, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(ratings->players[i].has_low && ratings->players[i].has_high);
    ratings_free(ratings);
}

static void players_without_games_do_not_affect_the_others(void **state)
{
    (void)state;
    const RatingCount counts[] = {
        {0, 2, 30, 4, 20, {0}}, {2, 0, 33, 4, 20, {0}}, {1, 1, 0, 0, 0, {0}}};
    const RatingCount without[] = {{0, 1, 30, 4, 20, {0}}, {1, 0, 33, 4, 20, {0}}};
    const char *const two[] = {names[0], names[2]};
    Ratings *ratings = ratings_fit(names, 4, counts, 3), *fewer = ratings_fit(two, 2, without, 2);
    assert_finite(ratings);
    assert_memory_equal(&ratings->players[0].elo, &fewer->players[0].elo, sizeof(Estimate));
    assert_memory_equal(&ratings->players[2].elo, &fewer->players[1].elo, sizeof(Estimate));
    assert_int_equal(ratings->players[1].status, UNRATED_NO_GAMES);
    assert_int_equal(ratings->players[3].status, UNRATED_NO_GAMES);
    ratings_free(ratings);
    ratings_free(fewer);
}

/* Eight players, and then more who do not belong; the ratings of the eight with and without. */
static void assert_the_same_without_the_last(Games *games, size_t n_players, RatingStatus status)
{
    enum { N_OWN = 8 };
    Ratings *with = ratings_fit(names, n_players, games->counts, games->n_counts);
    size_t   n_kept = 0;
    for (size_t c = 0; c < games->n_counts; c++)
        if (games->counts[c].first < N_OWN && games->counts[c].second < N_OWN)
            games->counts[n_kept++] = games->counts[c];
    Ratings *without = ratings_fit(names, N_OWN, games->counts, n_kept);
    assert_finite(with);
    for (size_t i = 0; i < N_OWN; i++) {
        assert_memory_equal(&with->players[i].elo, &without->players[i].elo, sizeof(Estimate));
        assert_true(with->players[i].has_low && with->players[i].has_high);
    }
    for (size_t i = N_OWN; i < n_players; i++)
        assert_int_equal(with->players[i].status, status);
    assert_memory_equal(&with->first_player, &without->first_player, sizeof(Estimate));
    assert_memory_equal(&with->draw_share, &without->draw_share, sizeof(Estimate));
    ratings_free(with);
    ratings_free(without);
}

static void broken_players_do_not_change_the_ratings_of_the_others(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(21);
    World   world = make_world(8, 400, 100, 0.2, &rng);
    Games   games;
    play_tournament(&world, ROUND_ROBIN, 20, &rng, &games);
    for (size_t broken = 8; broken < 11; broken++)
        for (size_t i = 0; i < 11; i++) {
            if (i == broken)
                continue;
            /* Of two broken ones the first to move forfeits first. */
            bool is_other_broken = i >= 8;
            games.counts[games.n_counts++] =
                (RatingCount){.first = broken, .second = i, .forfeits = {20, 0}};
            if (!is_other_broken)
                games.counts[games.n_counts++] =
                    (RatingCount){.first = i, .second = broken, .forfeits = {0, 20}};
        }
    assert_the_same_without_the_last(&games, 11, UNRATED_FORFEITS);
}

static void player_that_lost_every_game_does_not_change_the_ratings_of_the_others(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(22);
    World   world = make_world(8, 400, 100, 0.2, &rng);
    Games   games;
    play_tournament(&world, ROUND_ROBIN, 20, &rng, &games);
    for (size_t i = 0; i < 8; i++) {
        games.counts[games.n_counts++] = (RatingCount){.first = 8, .second = i, .losses = 20};
        games.counts[games.n_counts++] = (RatingCount){.first = i, .second = 8, .wins = 20};
    }
    assert_the_same_without_the_last(&games, 9, UNRATED_LOST_EVERY);
}

static void player_that_won_every_game_does_not_change_the_ratings_of_the_others(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(23);
    World   world = make_world(8, 400, 100, 0.2, &rng);
    Games   games;
    play_tournament(&world, ROUND_ROBIN, 20, &rng, &games);
    for (size_t i = 0; i < 8; i++) {
        games.counts[games.n_counts++] = (RatingCount){.first = 8, .second = i, .wins = 20};
        games.counts[games.n_counts++] = (RatingCount){.first = i, .second = 8, .losses = 20};
    }
    Ratings *ratings = ratings_fit(names, 9, games.counts, games.n_counts);
    assert_true(ratings->players[8].has_low && !ratings->players[8].has_high);
    for (size_t i = 0; i < 8; i++)
        assert_true(ratings->players[8].elo.value > ratings->players[i].elo.value);
    ratings_free(ratings);
    assert_the_same_without_the_last(&games, 9, RATED);
}

static void forfeits_say_nothing_about_moving_first(void **state)
{
    (void)state;
    RatingCount counts[] = {{0, 1, 60, 10, 30, {0}}, {1, 0, 60, 10, 30, {0}}};
    Ratings    *before = ratings_fit(names, 2, counts, 2);
    counts[0].forfeits[1] = counts[1].forfeits[1] = 50; /* always by the second to move */
    Ratings *after = ratings_fit(names, 2, counts, 2);
    assert_agrees(after->first_player.value, before->first_player.value, 0.01);
    assert_agrees(after->draw_share.value, before->draw_share.value, 1e-4);
    ratings_free(before);
    ratings_free(after);
}

static void odd_inputs_give_finite_figures(void **state)
{
    (void)state;
    static const RatingCount kinds[][3] = {
        {{0, 1, 0, 0, 0, {0}}},                         /* nothing played */
        {{0, 0, 7, 1, 2, {0}}},                         /* only against itself */
        {{0, 1, 0, 50, 0, {0}}, {1, 0, 0, 50, 0, {0}}}, /* all drawn */
        {{0, 1, 50, 0, 0, {0}}, {1, 0, 50, 0, 0, {0}}}, /* the first player always wins */
        {{0, 1, 1, 0, 0, {0}}},                         /* one game */
        {{0, 1, UINT64_C(1) << 40, 1, 0, {0}}, {1, 0, 0, 0, 1, {0}}}, /* very many games */
        {{0, 1, 100, 0, 0, {0}},
         {1, 2, 100, 0, 0, {0}},
         {0, 2, 0, 0, 0, {0}}} /* a ladder without a single upset */
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        Ratings *ratings = ratings_fit(names, 3, kinds[k], 3);
        assert_finite(ratings);
        ratings_free(ratings);
    }
    Ratings *none = ratings_fit(names, 0, NULL, 0);
    assert_non_null(none);
    ratings_free(none);
}

static void random_sparse_results_are_always_finite(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(8);
    for (uint64_t round = 0; round < scaled(400); round++) {
        Games  games = {.n_counts = 0};
        size_t n = 2 + rng_below(&rng, 8);
        for (uint32_t left = rng_below(&rng, 20); left > 0; left--) {
            RatingCount *count = &games.counts[games.n_counts++];
            *count = (RatingCount){.first = rng_below(&rng, (uint32_t)n),
                                   .second = rng_below(&rng, (uint32_t)n)};
            count->wins = rng_below(&rng, 3) ? 0 : rng_next(&rng) >> rng_below(&rng, 64) >> 20;
            count->draws = rng_below(&rng, 3) ? 0 : rng_below(&rng, 3);
            count->losses = rng_below(&rng, 3) ? 0 : rng_below(&rng, 1000);
        }
        Ratings *ratings = ratings_fit(names, n, games.counts, games.n_counts);
        assert_finite(ratings);
        ratings_free(ratings);
    }
}

static void first_move_advantage_is_unknown_without_swapped_sides(void **state)
{
    (void)state;
    const RatingCount one_way = {0, 1, 600, 0, 400, {0}},
                      both_ways[] = {{0, 1, 600, 0, 400, {0}}, {1, 0, 500, 0, 500, {0}}};
    Ratings *unknown = ratings_fit(names, 2, &one_way, 1),
            *known = ratings_fit(names, 2, both_ways, 2);
    assert_true(!unknown->knows_first && known->knows_first);
    ratings_free(unknown);
    ratings_free(known);
}

/* ---- coverage ------------------------------------------------------------------------------ */

static void rating_intervals_have_their_nominal_coverage(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Shape       shape;
        size_t      n_players;
        int         n_games;
        double      spread, first, nu;
    } shapes[] = {
        {"two players, 20 games each way", ROUND_ROBIN, 2, 20, 200, 50, 0.1},
        {"four players, 10 games a pairing, few draws", ROUND_ROBIN, 4, 10, 400, 50, 0.1},
        {"four players, 10 games a pairing, many draws", ROUND_ROBIN, 4, 10, 300, 50, 2},
        {"eight players far apart, 20 games a pairing", ROUND_ROBIN, 8, 20, 1200, 80, 0.3},
        {"a gauntlet of six, 15 games a pairing", GAUNTLET, 6, 15, 300, -40, 0.2},
        {"twelve players who meet four others", SPARSE, 12, 5, 400, 30, 0.1},
    };
    TurfRng rng = turf_rng(9);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        uint64_t n_tournaments = 400, n_intervals = 0, n_covered = 0, n_first_covered = 0;
        for (uint64_t t = 0; t < n_tournaments; t++) {
            World world = make_world(shapes[s].n_players, shapes[s].spread, shapes[s].first,
                                     shapes[s].nu, &rng);
            Games games;
            play_tournament(&world, shapes[s].shape, shapes[s].n_games, &rng, &games);
            Ratings *ratings = ratings_fit(names, world.n_players, games.counts, games.n_counts);
            for (size_t i = 0; i < world.n_players; i++) {
                const Rating *rating = &ratings->players[i];
                double        truth = true_elo(&world, i);
                n_intervals++;
                n_covered += (!rating->has_low || rating->elo.low <= truth) &&
                             (!rating->has_high || truth <= rating->elo.high);
            }
            n_first_covered += ratings->first_player.low <= shapes[s].first &&
                               shapes[s].first <= ratings->first_player.high;
            ratings_free(ratings);
        }
        double coverage = (double)n_covered / (double)n_intervals;
        double of_first = (double)n_first_covered / (double)n_tournaments;
        print_message("# %s: covered %.3f, first-player term %.3f\n", shapes[s].name, coverage,
                      of_first);
        assert_true(coverage > 0.93 && coverage < 0.975);
        assert_true(of_first > 0.92 && of_first < 0.98);
    }
}

/* Between equal players a superiority of 95 % is a false positive. */
static void superiority_of_equal_players_exceeds_95_percent_in_5_percent_of_cases(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(10);
    int     n_claims = 0, n_pairs = 0;
    for (int t = 0; t < 2000; t++) {
        World world = make_world(3, 0, 40, 0.2, &rng);
        Games games;
        play_tournament(&world, ROUND_ROBIN, 20, &rng, &games);
        Ratings *ratings = ratings_fit(names, 3, games.counts, games.n_counts);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++) {
                n_pairs += i != j;
                n_claims += i != j && ratings_superiority(ratings, i, j) >= 0.95;
            }
        ratings_free(ratings);
    }
    double share = (double)n_claims / n_pairs;
    print_message("# %.4f of equals are called superior\n", share);
    assert_true(share > 0.042 && share < 0.058);
}

/* ---- matches and SPRT ---------------------------------------------------------------------- */

/* Single games, or pairs of games from starts that favour one side. */
static void add_scores(ScoreCounts *scores, double elo, bool in_pairs, TurfRng *rng)
{
    double draws = 0.2, score = 1 / (1 + pow(10, -elo / 400)),
           favour = in_pairs ? 0.2 * (2 * uniform(rng) - 1) : 0;
    size_t points = 0;
    for (int game = 0; game < (in_pairs ? 2 : 1); game++) {
        double win = score - draws / 2 + (game ? -favour : favour), at = uniform(rng);
        points += at < win ? 2 : at < win + draws ? 1 : 0;
    }
    scores->counts[points]++;
}

static void sprt_keeps_its_error_rates(void **state)
{
    (void)state;
    const Sprt sprt = {.elo0 = 0, .elo1 = 40, .alpha = 0.05, .beta = 0.1};
    TurfRng    rng = turf_rng(11);
    for (int in_pairs = 0; in_pairs < 2; in_pairs++) {
        enum { TESTS = 1000, LOOK_EVERY = 8 };
        int      n_wrong[2] = {0, 0};
        uint64_t n_scores = 0;
        for (int truth = 0; truth < 2; truth++)
            for (int t = 0; t < TESTS; t++) {
                ScoreCounts scores = {.n_kinds = in_pairs ? SPRT_PAIR_KINDS : SPRT_GAME_KINDS};
                SprtStatus  standing = {.state = SPRT_CONTINUE};
                while (standing.state == SPRT_CONTINUE) {
                    for (int i = 0; i < LOOK_EVERY; i++)
                        add_scores(&scores, truth ? sprt.elo1 : sprt.elo0, in_pairs, &rng);
                    n_scores += LOOK_EVERY;
                    standing = sprt_status(&sprt, &scores);
                }
                n_wrong[truth] += standing.state == (truth ? SPRT_ACCEPT_0 : SPRT_ACCEPT_1);
            }
        print_message("# %s: took elo1 in %d of %d where elo0 was true, elo0 in %d of %d where "
                      "elo1 was; %.0f on average\n",
                      in_pairs ? "pairs" : "games", n_wrong[0], TESTS, n_wrong[1], TESTS,
                      (double)n_scores / (2 * TESTS));
        assert_true(n_wrong[0] > 0.01 * TESTS && n_wrong[0] < 0.065 * TESTS);
        assert_true(n_wrong[1] > 0.04 * TESTS && n_wrong[1] < 0.125 * TESTS);
    }
}

static void llr_without_draws_is_that_of_the_binomial_test(void **state)
{
    (void)state;
    const Sprt sprt = {.elo0 = -10, .elo1 = 30, .alpha = 0.05, .beta = 0.05};
    double     p0 = 1 / (1 + pow(10, 10.0 / 400)), p1 = 1 / (1 + pow(10, -30.0 / 400));
    SprtStatus standing =
        sprt_status(&sprt, &(ScoreCounts){.counts = {400, 0, 460}, .n_kinds = SPRT_GAME_KINDS});
    assert_agrees(standing.llr, 460 * log(p1 / p0) + 400 * log((1 - p1) / (1 - p0)), 0.01);
    assert_agrees(standing.high, log(0.95 / 0.05), 1e-12);
    assert_agrees(standing.low, -log(0.95 / 0.05), 1e-12);
}

static void sprt_without_games_continues_and_extremes_are_finite(void **state)
{
    (void)state;
    const Sprt sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    assert_int_equal(sprt_status(&sprt, &(ScoreCounts){.n_kinds = 5}).state, SPRT_CONTINUE);
    for (size_t k = 0; k < SPRT_PAIR_KINDS; k++) {
        ScoreCounts scores = {.n_kinds = SPRT_PAIR_KINDS};
        scores.counts[k] = UINT64_C(1) << 33;
        assert_true(isfinite(sprt_status(&sprt, &scores).llr));
        EloDifference difference = elo_difference(&scores);
        assert_true(difference.has_value == (k > 0 && k < 4));
        assert_true(isfinite(difference.elo.value) && isfinite(difference.elo.low) &&
                    isfinite(difference.elo.high));
        assert_true(difference.superiority >= 0 && difference.superiority <= 1);
    }
    EloDifference none = elo_difference(&(ScoreCounts){.n_kinds = 3});
    assert_true(!none.has_value && !none.has_low && !none.has_high && none.superiority == 0.5);
}

static void elo_difference_interval_has_its_nominal_coverage(void **state)
{
    (void)state;
    static const double elos[] = {0, 60, 120};
    static const int    sizes[] = {20, 100, 500};
    TurfRng             rng = turf_rng(12);
    for (size_t e = 0; e < 3; e++)
        for (size_t s = 0; s < 3; s++)
            for (int in_pairs = 0; in_pairs < 2; in_pairs++) {
                enum { MATCHES = 600 };
                int n_covered = 0;
                for (int m = 0; m < MATCHES; m++) {
                    ScoreCounts scores = {.n_kinds = in_pairs ? SPRT_PAIR_KINDS : SPRT_GAME_KINDS};
                    for (int i = 0; i < sizes[s]; i++)
                        add_scores(&scores, elos[e], in_pairs, &rng);
                    EloDifference d = elo_difference(&scores);
                    n_covered += (!d.has_low || d.elo.low <= elos[e]) &&
                                 (!d.has_high || elos[e] <= d.elo.high);
                }
                if (!(n_covered > 0.925 * MATCHES))
                    fail_msg("%d of %d covered at %g Elo, %d %s", n_covered, MATCHES, elos[e],
                             sizes[s], in_pairs ? "pairs" : "games");
                assert_true(sizes[s] < 500 || n_covered < 0.98 * MATCHES);
            }
}

static void sprt_looks_are_even_and_an_eighth_apart(void **state)
{
    (void)state;
    enum { MAX = 100001 };
    uint64_t before = 0, n_looks = 0;
    for (uint64_t n = 0; n <= MAX; n++) {
        uint64_t look = sprt_look(n, MAX);
        assert_true(look >= n && look <= MAX);
        if (look != n)
            continue;
        n_looks++;
        assert_true(n % 2 == 0 || n == MAX);
        assert_true(n == MAX || (n - before >= 64 && n - before <= 64 + before / 8));
        /* The next look from anywhere between two looks is the later one. */
        for (uint64_t between = before + 1; between <= n; between += 1 + (n - before) / 7)
            assert_int_equal(sprt_look(between, MAX), n);
        before = n;
    }
    assert_true(n_looks > 40 && n_looks < 100);
    assert_int_equal(sprt_look(0, 10), 10);
}

static void sprt_text_is_parsed_or_rejected_with_a_reason(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",          "0",     "0,5,0.05", "5,0",  "0,0", "0,5,0,0.05", "0,5,0.05,0.7", "0;5", "a,b",
        "0,5,1,2,3", "0,nan", "0,inf",    "0,5,", ",5",  "-2000,5",    "0,5,.1,,",     "0,5x"};
    Sprt      sprt;
    TurfError error;
    char      text[96];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (sprt_parse(bad[i], &sprt, &error))
            fail_msg("'%s' was read", bad[i]);
    assert_true(sprt_parse("-1.5,2.5", &sprt, &error) && sprt.elo0 == -1.5 && sprt.elo1 == 2.5 &&
                sprt.alpha == 0.05);
    assert_true(sprt_parse("0,5,0.01,0.02", &sprt, &error) && sprt.alpha == 0.01 &&
                sprt.beta == 0.02);
    sprt_to_text(&sprt, text);
    assert_string_equal(text, "0,5,0.01,0.02");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_agrees_with_the_reference_implementation),
        cmocka_unit_test(
            equal_scores_in_a_round_robin_have_equal_ratings_and_the_order_is_that_of_the_scores),
        cmocka_unit_test(result_does_not_depend_on_the_order_of_input),
        cmocka_unit_test(player_that_never_lost_has_no_upper_bound_but_finite_figures),
        cmocka_unit_test(separate_groups_are_not_connected),
        cmocka_unit_test(chain_of_results_bounds_every_rating),
        cmocka_unit_test(players_without_games_do_not_affect_the_others),
        cmocka_unit_test(broken_players_do_not_change_the_ratings_of_the_others),
        cmocka_unit_test(player_that_lost_every_game_does_not_change_the_ratings_of_the_others),
        cmocka_unit_test(player_that_won_every_game_does_not_change_the_ratings_of_the_others),
        cmocka_unit_test(forfeits_say_nothing_about_moving_first),
        cmocka_unit_test(odd_inputs_give_finite_figures),
        cmocka_unit_test(random_sparse_results_are_always_finite),
        cmocka_unit_test(first_move_advantage_is_unknown_without_swapped_sides),
        cmocka_unit_test(rating_intervals_have_their_nominal_coverage),
        cmocka_unit_test(superiority_of_equal_players_exceeds_95_percent_in_5_percent_of_cases),
        cmocka_unit_test(sprt_keeps_its_error_rates),
        cmocka_unit_test(llr_without_draws_is_that_of_the_binomial_test),
        cmocka_unit_test(sprt_without_games_continues_and_extremes_are_finite),
        cmocka_unit_test(elo_difference_interval_has_its_nominal_coverage),
        cmocka_unit_test(sprt_looks_are_even_and_an_eighth_apart),
        cmocka_unit_test(sprt_text_is_parsed_or_rejected_with_a_reason),
    };
    return cmocka_run_group_tests_name("ratings", tests, NULL, NULL);
}
