/* SquirrelWar: the fast rules against the slow stepper, and the search against brute force. */
#include "support.h"

#include "games/squirrel_war.h"
#include "players/player.h"
#include "search/squirrel_traverse.h"
#include "sw_slow.h"

#include <string.h>

static SlowNuts slow_nuts_from(const SwState *state)
{
    SlowNuts nuts = {.to_move = state->board.to_move ? 'O' : 'X'};
    for (int i = 0; i < SW_SQUARES; i++) {
        nuts.value[i / 5][i % 5] = state->values.of[i];
        nuts.owner[i / 5][i % 5] = state->board.pieces[0] & sw_bit(i)   ? 'X'
                                   : state->board.pieces[1] & sw_bit(i) ? 'O'
                                                                        : '*';
    }
    return nuts;
}

static SwState random_values(TurfRng *rng)
{
    SwState state = {.unused = {0}};
    for (int i = 0; i < SW_SQUARES; i++)
        state.values.of[i] = (uint8_t)(1 + rng_below(rng, SW_MOST_VALUE));
    return state;
}

/* Any colouring with so many squares free, reached by play or not. */
static SwState any_position(TurfRng *rng, int n_empty)
{
    SwState  state = random_values(rng);
    uint32_t left = SW_ALL;
    for (int n = SW_SQUARES; n > n_empty; n--) {
        uint32_t square = (uint32_t)bits_nth(left, rng_below(rng, (uint32_t)n));
        left &= ~square;
        state.board.pieces[rng_below(rng, 2)] |= square;
    }
    state.board.to_move = rng_below(rng, 2);
    return state;
}

static void moves_equal_the_slow_ones_on_a_million_positions(void **unused)
{
    (void)unused;
    TurfRng rng = turf_rng(1);
    for (uint64_t i = 0, n = scaled(1000000); i < n; i++) {
        SwState  state = any_position(&rng, 1 + (int)rng_below(&rng, 25));
        SlowNuts slow = slow_nuts_from(&state);
        TurfMove moves[TURF_MOST_MOVES];
        size_t   n_moves = squirrel_war.moves(&state, moves);
        TurfMove move = moves[rng_below(&rng, (uint32_t)n_moves)];
        squirrel_war.apply(&state, move);
        slow_nuts_play(&slow, (int)move / 5, (int)move % 5);
        SlowNuts after = slow_nuts_from(&state);
        assert_memory_equal(&after, &slow, sizeof slow);
        assert_int_equal(squirrel_war.own(&state, TURF_FIRST), slow_nuts_total(&slow, 'X'));
        assert_int_equal(squirrel_war.own(&state, TURF_SECOND), slow_nuts_total(&slow, 'O'));
    }
}

static SwState position(const char *text)
{
    SwState   state;
    TurfError error = {""};
    if (!game_parse(&squirrel_war, text, &state, &error))
        fail_msg("%s", error.text);
    return state;
}

#define SEED_VALUES "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "

static void assert_after(const char *before, int square, const char *after)
{
    char text[256];
    snprintf(text, sizeof text, SEED_VALUES "%s", before);
    SwState state = position(text);
    sw_apply(&state.board, square);
    snprintf(text, sizeof text, SEED_VALUES "%s", after);
    SwState wanted = position(text);
    assert_int_equal(state.board.pieces[0], wanted.board.pieces[0]);
    assert_int_equal(state.board.pieces[1], wanted.board.pieces[1]);
}

static void a_raid_takes_its_neighbours_and_no_chain(void **unused)
{
    (void)unused;
    /* X at C2 raids: B2 and C1 are taken, A2 behind B2 is not. */
    assert_after("**O** OO*X* ***** ***** *****", 7, "**X** OXXX* ***** ***** *****");
}

static void a_raid_without_enemies_is_a_raid(void **unused)
{
    (void)unused;
    assert_after("X**** ***** ***** ***** *****", 1, "XX*** ***** ***** ***** *****");
}

static void a_sneak_takes_nothing_and_diagonals_do_not_count(void **unused)
{
    (void)unused;
    assert_after("*O*** O*O** *O*X* ***** *****", 6, "*O*** OXO** *O*X* ***** *****");
}

static void rows_do_not_wrap(void **unused)
{
    (void)unused;
    /* E1 and A2 are not neighbours. */
    assert_after("****X O**** ***** ***** *****", 10, "****X O**** X**** ***** *****");
    assert_after("***XO X**** ***** ***** *****", 9, "***XO X***X ***** ***** *****");
}

static void the_lookahead_to_the_end_is_perfect_play(void **unused)
{
    (void)unused;
    TurfRng rng = turf_rng(2);
    for (uint64_t i = 0, n = scaled(200); i < n; i++) {
        SwState   state = any_position(&rng, 1 + (int)(i % 6));
        SlowNuts  slow = slow_nuts_from(&state);
        Lookahead plan = {.own_weight = 1, .opponent_weight = -1, .depth = 6};
        TurfState any = {{0}};
        TurfMove  best[TURF_MOST_MOVES];
        size_t    n_best;
        memcpy(&any, &state, sizeof state);
        assert_int_equal(lookahead_for(&squirrel_war)(&squirrel_war, &any, &plan, true, best, &n_best),
                         slow_nuts_solve(&slow));
    }
}

static void minimax_and_alpha_beta_of_the_coursework_choose_what_the_players_choose(void **unused)
{
    (void)unused;
    TurfRng rng = turf_rng(3);
    for (uint64_t i = 0, n = scaled(300); i < n; i++) {
        SwState   state = any_position(&rng, 1 + (int)rng_below(&rng, 12));
        int       depth = 1 + (int)rng_below(&rng, 3);
        Lookahead plan = {.own_weight = 1, .opponent_weight = -1, .depth = depth};
        TurfState any = {{0}};
        TurfMove  best[TURF_MOST_MOVES];
        size_t    n_best;
        memcpy(&any, &state, sizeof state);
        lookahead_for (&squirrel_war)(&squirrel_war, &any, &plan, false, best, &n_best);
        assert_int_equal(sw_traverse(&state, SW_MINIMAX, depth, NULL, "\n"), best[0]);
        assert_int_equal(sw_traverse(&state, SW_ALPHA_BETA, depth, NULL, "\n"), best[0]);
        plan.depth = 1;
        lookahead_for (&squirrel_war)(&squirrel_war, &any, &plan, false, best, &n_best);
        assert_int_equal(sw_traverse(&state, SW_GREEDY, depth, NULL, "\n"), best[0]);
    }
}

static void assert_refused(const char *text, const char *fragment)
{
    SwState   state;
    TurfError error = {""};
    assert_false(game_parse(&squirrel_war, text, &state, &error));
    if (!strstr(error.text, fragment))
        fail_msg("'%s' gave: %s", text, error.text);
}

static void positions_that_are_none_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    assert_refused("1 2 3", "3 values");
    assert_refused("0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "A1 is 0");
    assert_refused("1 1 1 1 1 1 1 100 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "C2 is 100");
    assert_refused(SEED_VALUES "7", "A1 is '7'");
    assert_refused(SEED_VALUES "XXXXX", "5 squares");
    assert_refused(SEED_VALUES "****Z *****", "E1 is 'Z'");
    assert_refused("{\"values\":[[1,2]]}", "five rows");
    assert_refused("{}", "five rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_equal_the_slow_ones_on_a_million_positions),
        cmocka_unit_test(a_raid_takes_its_neighbours_and_no_chain),
        cmocka_unit_test(a_raid_without_enemies_is_a_raid),
        cmocka_unit_test(a_sneak_takes_nothing_and_diagonals_do_not_count),
        cmocka_unit_test(rows_do_not_wrap),
        cmocka_unit_test(the_lookahead_to_the_end_is_perfect_play),
        cmocka_unit_test(minimax_and_alpha_beta_of_the_coursework_choose_what_the_players_choose),
        cmocka_unit_test(positions_that_are_none_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests_name("squirrel war", tests, NULL, NULL);
}
