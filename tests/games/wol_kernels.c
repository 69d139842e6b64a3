/* The kernels: all the same games, and the statistics of random play. */
#include "support.h"

#include "games/totals.h"
#include "games/wol_kernels.h"

#include <math.h>
#include <string.h>

/* The games of a batch, one by one with the plain rules. */
static TurfTotals one_by_one(const RandomGames *batch)
{
    TurfTotals totals = TOTALS_NONE;
    for (uint64_t game = batch->first_game; game < batch->first_game + batch->n_games; game++) {
        TurfRng    start = rng_stream(batch->start_streams, game);
        TurfRng    rng[2] = {rng_stream(batch->side_streams[0], game),
                             rng_stream(batch->side_streams[1], game)};
        WolState   board = wol_random_start(&start);
        TurfEnding ending;
        TurfMove   move = 0;
        while (!wol_is_over(&board, &ending)) {
            assert_true(wol_draw_move(&board, rng_next(&rng[board.to_move]), &move));
            wol_apply(&board, move);
        }
        totals_add_game(&totals, ending, board.moves_made);
    }
    return totals;
}

static void every_kernel_plays_the_same_games(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0,  1,  2,  3,  4,  5,   7,   8,   9,   15,   16,
                                     17, 31, 63, 64, 65, 511, 512, 513, 520, 5000, 70001};
    int                   n_kernels = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        RandomGames batch = {.first_game = 1000 * s,
                             .n_games = sizes[s],
                             .start_streams = s,
                             .side_streams = {s + 1, ~s}};
        TurfTotals  wanted = one_by_one(&batch);
        assert_int_equal(wanted.n_games, sizes[s]);
        for (size_t k = 0; wol_kernel_at(k); k++) {
            if (!wol_kernel_at(k)->is_supported())
                continue;
            TurfTotals totals = TOTALS_NONE;
            wol_kernel_at(k)->play(&batch, &totals);
            if (memcmp(&totals, &wanted, sizeof totals))
                fail_msg("kernel %s differs on %llu games", wol_kernel_at(k)->name,
                         (unsigned long long)sizes[s]);
            n_kernels++;
        }
    }
    assert_true(n_kernels > 0);
}

static void games_of_a_batch_do_not_depend_on_how_it_is_cut(void **state)
{
    (void)state;
    RandomGames whole = {.first_game = 5,
                         .n_games = 3000,
                         .start_streams = 1,
                         .side_streams = {2, 3}},
                part = whole;
    TurfTotals wanted = TOTALS_NONE, totals = TOTALS_NONE;
    wol_kernel_best()->play(&whole, &wanted);
    part.n_games = 1000;
    for (part.first_game = 5; part.first_game < 3005; part.first_game += part.n_games)
        wol_kernel_best()->play(&part, &totals);
    assert_memory_equal(&totals, &wanted, sizeof totals);
}

static void assert_share(const char *what, uint64_t count, uint64_t n, double percent)
{
    double p = percent / 100, error = sqrt(p * (1 - p) / (double)n),
           distance = ((double)count / (double)n - p) / error;
    print_message("# %s %.4f %%, %.1f standard errors from %.3f %%\n", what,
                  100.0 * (double)count / (double)n, distance, percent);
    assert_true(fabs(distance) < 4);
}

/* The figures are those of an independent program, from 1.9 thousand million games. */
static void random_play_has_the_known_statistics(void **state)
{
    (void)state;
    RandomGames batch = {
        .n_games = scaled(10000000), .start_streams = 11, .side_streams = {12, 13}};
    TurfTotals totals = TOTALS_NONE;
    wol_kernel_best()->play(&batch, &totals);
    assert_share("blue", totals.endings[TURF_WON_BY_FIRST], totals.n_games, 47.566);
    assert_share("red", totals.endings[TURF_WON_BY_SECOND], totals.n_games, 47.734);
    assert_share("draw", totals.endings[TURF_DRAWN], totals.n_games, 4.548);
    assert_share("stalemate", totals.endings[TURF_STALEMATE], totals.n_games, 0.153);
    double n = (double)totals.n_games, mean = (double)totals.length_sum / n;
    double error = sqrt(((double)totals.length_square_sum / n - mean * mean) / n);
    print_message("# mean length %.4f moves, standard error %.4f\n", mean, error);
    assert_true(fabs(mean - 11.431) < 4 * error);
}

/* Each cell, and each pair of cells, is as often blue and as often red as it should be. */
static void random_starts_are_even(void **state)
{
    (void)state;
    enum { STARTS = 400000 };
    static uint32_t blue[64], red[64],
        both[64]; /* both: together with a piece on the cell before */
    TurfRng rng = turf_rng(5);
    for (int i = 0; i < STARTS; i++) {
        WolState board = wol_random_start(&rng);
        uint64_t taken = board.pieces[0] | board.pieces[1];
        assert_int_equal(bits_count(board.pieces[0]), 12);
        assert_int_equal(bits_count(board.pieces[1]), 12);
        assert_int_equal(board.pieces[0] & board.pieces[1], 0);
        for (int c = 0; c < 64; c++) {
            blue[c] += (uint32_t)(board.pieces[0] >> c & 1);
            red[c] += (uint32_t)(board.pieces[1] >> c & 1);
            both[c] += (taken >> c & 1) && (taken >> (c + 63) % 64 & 1);
        }
    }
    double single = 12.0 / 64, pair = 24.0 / 64 * 23 / 63;
    for (int c = 0; c < 64; c++) {
        assert_true(fabs(blue[c] - STARTS * single) < 5 * sqrt(STARTS * single * (1 - single)));
        assert_true(fabs(red[c] - STARTS * single) < 5 * sqrt(STARTS * single * (1 - single)));
        assert_true(fabs(both[c] - STARTS * pair) < 5 * sqrt(STARTS * pair * (1 - pair)));
    }
}

/* On a board with few moves, each is drawn equally often. */
static void random_moves_are_even(void **state)
{
    (void)state;
    enum { DRAWS = 300000 };
    WolState board =
        board_from("b....... ........ ........ ...bbr.. ........ ........ ........ .......b");
    TurfMove moves[TURF_MAX_MOVES], move = 0;
    size_t   n_moves = wol_moves(&board, moves);
    uint32_t count[64] = {0};
    TurfRng  rng = turf_rng(6);
    assert_true(n_moves < 64);
    for (int i = 0; i < DRAWS; i++) {
        size_t m = 0;
        assert_true(wol_draw_move(&board, rng_next(&rng), &move));
        while (m < n_moves && moves[m] != move)
            m++;
        assert_true(m < n_moves);
        count[m]++;
    }
    double p = 1.0 / (double)n_moves;
    for (size_t m = 0; m < n_moves; m++)
        assert_true(fabs(count[m] - DRAWS * p) < 5 * sqrt(DRAWS * p * (1 - p)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_plays_the_same_games),
        cmocka_unit_test(games_of_a_batch_do_not_depend_on_how_it_is_cut),
        cmocka_unit_test(random_play_has_the_known_statistics),
        cmocka_unit_test(random_starts_are_even),
        cmocka_unit_test(random_moves_are_even),
    };
    return cmocka_run_group_tests_name("war of life kernels", tests, NULL, NULL);
}
