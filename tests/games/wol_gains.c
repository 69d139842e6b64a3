/* The best moves of War of Life, all at once: the same as by turning the crank after every move. */
#include "support.h"

#include "games/wol_gains.h"

/* The moves with the largest value, in order. */
static size_t by_cranks(const WolState *board, const WolAim *aim, int *value, TurfMove *best)
{
    TurfMove moves[WOL_MAX_MOVES];
    size_t   n_moves = wol_moves(board, moves), n_best = 0;
    for (size_t i = 0; i < n_moves; i++) {
        WolState next = *board;
        wol_apply(&next, moves[i]);
        int after = bits_count(next.pieces[board->to_move] & aim->counts_own) -
                    bits_count(next.pieces[!board->to_move] & aim->counts_other);
        if (n_best == 0 || after > *value) {
            *value = after;
            n_best = 0;
        }
        if (after == *value)
            best[n_best++] = moves[i];
    }
    return n_best;
}

static void compare(const WolState *board)
{
    static const WolAim aims[] = {
        {~UINT64_C(0), 0}, {0, ~UINT64_C(0)}, {~UINT64_C(0), ~UINT64_C(0)}};
    for (size_t a = 0; a < sizeof aims / sizeof *aims; a++) {
        TurfMove moves[WOL_MAX_MOVES];
        int      value = 0;
        size_t   n_best = by_cranks(board, &aims[a], &value, moves);
        WolBest  best =
            wol_best(board->pieces[board->to_move], board->pieces[!board->to_move], &aims[a]);
        assert_int_equal(wol_best_count(&best), n_best);
        if (n_best == 0) {
            assert_int_equal(best.any, 0);
            continue;
        }
        assert_int_equal(best.value, value);
        for (size_t i = 0; i < n_best; i++)
            assert_int_equal(wol_best_nth(&best, (uint32_t)i),
                             wol_from(moves[i]) | wol_to(moves[i]));
    }
}

static void best_moves_of_games_are_those_found_by_the_crank(void **state)
{
    (void)state;
    TurfRng rng = {1};
    for (int game = 0; game < 500; game++) {
        WolState   board = wol_random_start(&rng);
        TurfEnding ending;
        TurfMove   move = 0;
        while (!wol_is_over(&board, &ending)) {
            compare(&board);
            assert_true(wol_draw_move(&board, rng_next(&rng), &move));
            wol_apply(&board, move);
        }
    }
}

static void best_moves_of_boards_from_empty_to_full_are_those_found_by_the_crank(void **state)
{
    (void)state;
    TurfRng rng = {2};
    for (int i = 0; i < 4000; i++) {
        uint64_t taken = rng_next(&rng), blue = rng_next(&rng);
        for (int n = i % 5; n > 0; n--) /* ever fewer empty cells, or ever fewer pieces */
            taken = i % 2 ? taken | rng_next(&rng) : taken & rng_next(&rng);
        for (int n = i % 3; n > 0; n--)
            blue |= rng_next(&rng);
        compare(
            &(WolState){.pieces = {taken & blue, taken & ~blue}, .to_move = (uint32_t)(i / 2 % 2)});
    }
    compare(&(WolState){.pieces = {0, 0}});
    compare(&(WolState){.pieces = {~UINT64_C(0), 0}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_moves_of_games_are_those_found_by_the_crank),
        cmocka_unit_test(best_moves_of_boards_from_empty_to_full_are_those_found_by_the_crank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
