/* SquirrelWar: the fast rules against the slow stepper, and the search against brute force. */
#include "support.h"

#include "base/clock.h"
#include "games/squirrel_war.h"
#include "players/player.h"
#include "search/squirrel_solver.h"
#include "search/squirrel_traverse.h"
#include "sw_slow.h"

#include <string.h>

static SlowNuts slow_nuts_from(const SwPosition *state)
{
    int      side = sw_side(state);
    SlowNuts nuts = {.side = side, .to_move = state->board.to_move ? 'O' : 'X'};
    for (int i = 0; i < side * side; i++) {
        nuts.value[i / side][i % side] = squirrel_war.cell_value(state, i / side, i % side);
        nuts.owner[i / side][i % side] = squirrel_war.cell(state, i / side, i % side);
    }
    return nuts;
}

static SwPosition random_values(TurfRng *rng)
{
    SwPosition state = {.unused = {0}};
    for (int i = 0; i < SW_SQUARES; i++)
        state.values.of[i] = (uint8_t)(1 + rng_below(rng, SW_MAX_VALUE));
    return state;
}

/* Any colouring with so many squares free, reached by play or not. */
static SwPosition any_position(TurfRng *rng, int n_empty)
{
    SwPosition state = random_values(rng);
    uint32_t   left = SW_ALL;
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
        SwPosition state = any_position(&rng, 1 + (int)rng_below(&rng, 25));
        SlowNuts   slow = slow_nuts_from(&state);
        TurfMove   moves[TURF_MAX_MOVES];
        size_t     n_moves = squirrel_war.moves(&state, moves);
        TurfMove   move = moves[rng_below(&rng, (uint32_t)n_moves)];
        squirrel_war.apply(&state, move);
        slow_nuts_play(&slow, (int)move / 5, (int)move % 5);
        SlowNuts after = slow_nuts_from(&state);
        assert_memory_equal(&after, &slow, sizeof slow);
        assert_int_equal(squirrel_war.own(&state, TURF_FIRST), slow_nuts_total(&slow, 'X'));
        assert_int_equal(squirrel_war.own(&state, TURF_SECOND), slow_nuts_total(&slow, 'O'));
    }
}

static void games_of_all_sizes_equal_the_slow_ones(void **unused)
{
    (void)unused;
    TurfRng rng = turf_rng(11);
    for (uint64_t i = 0, n = scaled(7000); i < n; i++) {
        char       name[4] = {(char)('2' + i % 7), 'x', (char)('2' + i % 7), '\0'};
        SwPosition state;
        TurfEnding ending;
        int        n_plies = 0;
        assert_true(squirrel_war.start(&state, name, &rng));
        SlowNuts slow = slow_nuts_from(&state);
        assert_int_equal(slow.side, 2 + (int)(i % 7));
        for (; !squirrel_war.is_over(&state, &ending); n_plies++) {
            TurfMove moves[TURF_MAX_MOVES];
            size_t   n_moves = squirrel_war.moves(&state, moves);
            TurfMove move = moves[rng_below(&rng, (uint32_t)n_moves)];
            assert_int_equal(n_moves, slow.side * slow.side - n_plies);
            squirrel_war.apply(&state, move);
            slow_nuts_play(&slow, (int)move / slow.side, (int)move % slow.side);
            SlowNuts after = slow_nuts_from(&state);
            assert_memory_equal(&after, &slow, sizeof slow);
        }
        assert_true(slow_nuts_is_full(&slow));
        int lead = slow_nuts_total(&slow, 'X') - slow_nuts_total(&slow, 'O');
        assert_int_equal(squirrel_war.own(&state, TURF_FIRST), slow_nuts_total(&slow, 'X'));
        assert_int_equal(ending == TURF_WON_BY_FIRST, lead > 0);
        assert_int_equal(ending == TURF_WON_BY_SECOND, lead < 0);
    }
}

/* Nothing of a 5x5 position has changed: a start of that size draws the same values. */
static void five_by_five_is_the_default_to_the_byte(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 50; seed++) {
        TurfRng    one = turf_rng(seed), two = turf_rng(seed);
        SwPosition plain, sized;
        SwFive     five;
        assert_true(squirrel_war.start(&plain, "random", &one));
        assert_true(squirrel_war.start(&sized, "5x5", &two));
        assert_memory_equal(&plain, &sized, sizeof plain);
        memcpy(&five, &plain, sizeof five);
        assert_memory_equal(&five.values, &plain.values, sizeof five.values);
        for (size_t i = sizeof five; i < sizeof plain; i++)
            assert_int_equal(((const uint8_t *)&plain)[i], 0);
    }
}

static void searches_play_boards_of_other_sizes(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"alphabeta:nodes=300",   "alphabeta:time=1",
                                        "mcts:sims=30",          "minimax",
                                        "perfect:time=1,hash=1", "level:10"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        TurfRng     rng = turf_rng(i);
        TurfError   error = {0};
        TurfPlayer *player = turf_player_open(&squirrel_war, specs[i], &error);
        TurfState   state = {{0}};
        assert_non_null(player);
        assert_true(player_begin_game(player, NULL, &error));
        assert_true(turf_start(&squirrel_war, i % 2 ? "3x3" : "6x6", &rng, &state, &error));
        for (int n = 0; n < 9; n++) {
            TurfMove moves[TURF_MAX_MOVES];
            Choice   choice =
                player_choose_move(player, &state, false, &(TurnContext){.rng = &rng}, moves);
            assert_true(choice.n_moves > 0);
            assert_true(turf_play(&squirrel_war, &state, moves[0], &error));
        }
        turf_player_free(player);
    }
}

static void the_boards_of_the_war_game_are_starts(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         total; /* of all squares */
    } boards[] = {{"keren", 36},
                  {"narvik", 1800},
                  {"sevastopol", 378},
                  {"smolensk", 1653},
                  {"westerplatte", 72}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        TurfRng    rng = turf_rng(1), unused_rng = rng;
        SwPosition state;
        int        total = 0;
        assert_true(squirrel_war.start(&state, boards[i].name, &rng));
        assert_memory_equal(&rng, &unused_rng, sizeof rng);
        assert_int_equal(sw_side(&state), 6);
        for (int square = 0; square < 36; square++)
            total += squirrel_war.cell_value(&state, square / 6, square % 6);
        assert_int_equal(total, boards[i].total);
    }
}

static SwPosition position(const char *text)
{
    SwPosition state;
    TurfError  error = {0};
    if (!game_parse(&squirrel_war, text, &state, &error))
        fail_msg("%s", error.text);
    return state;
}

#define SEED_VALUES "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "

static void assert_after(const char *before, int square, const char *after)
{
    char text[256];
    snprintf(text, sizeof text, SEED_VALUES "%s", before);
    SwPosition state = position(text);
    sw_apply(&state.board, square);
    snprintf(text, sizeof text, SEED_VALUES "%s", after);
    SwPosition wanted = position(text);
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
        SwPosition state = any_position(&rng, 1 + (int)(i % 6));
        SlowNuts   slow = slow_nuts_from(&state);
        Lookahead  plan = {.own_weight = 1, .opponent_weight = -1, .depth = 6};
        TurfState  any = {{0}};
        TurfMove   best[TURF_MAX_MOVES];
        memcpy(&any, &state, sizeof state);
        assert_int_equal(lookahead_for(&squirrel_war)(&squirrel_war, &any, &plan, true, best).value,
                         slow_nuts_solve(&slow));
    }
}

static void minimax_and_alpha_beta_of_the_coursework_choose_what_the_players_choose(void **unused)
{
    (void)unused;
    TurfRng rng = turf_rng(3);
    for (uint64_t i = 0, n = scaled(300); i < n; i++) {
        SwPosition state = any_position(&rng, 1 + (int)rng_below(&rng, 12));
        int        depth = 1 + (int)rng_below(&rng, 3);
        Lookahead  plan = {.own_weight = 1, .opponent_weight = -1, .depth = depth};
        TurfState  any = {{0}};
        TurfMove   best[TURF_MAX_MOVES];
        memcpy(&any, &state, sizeof state);
        lookahead_for (&squirrel_war)(&squirrel_war, &any, &plan, false, best);
        assert_int_equal(sw_traverse(&state, SW_MINIMAX, depth, NULL, "\n"), best[0]);
        assert_int_equal(sw_traverse(&state, SW_ALPHA_BETA, depth, NULL, "\n"), best[0]);
        plan.depth = 1;
        lookahead_for (&squirrel_war)(&squirrel_war, &any, &plan, false, best);
        assert_int_equal(sw_traverse(&state, SW_GREEDY, depth, NULL, "\n"), best[0]);
    }
}

/* ---- the solver --------------------------------------------------------------------------- */

/* Perfect play by trying everything, with the fast rules and nothing else. */
static int brute_force(const SwValues *values, const SwState *board)
{
    int best = -100000;
    if (!sw_empty(board))
        return sw_sum(values, board->pieces[board->to_move]) -
               sw_sum(values, board->pieces[board->to_move ^ 1]);
    for (uint32_t left = sw_empty(board); left; left &= left - 1) {
        SwState child = *board;
        sw_apply(&child, sw_lowest(left));
        int value = -brute_force(values, &child);
        best = value > best ? value : best;
    }
    return best;
}

static SwPosition reached_position(TurfRng *rng, int n_empty)
{
    SwPosition position = random_values(rng);
    while (sw_count(sw_empty(&position.board)) > n_empty)
        sw_apply(
            &position.board,
            bits_lowest(bits_nth(sw_empty(&position.board),
                                 rng_below(rng, (uint32_t)sw_count(sw_empty(&position.board))))));
    return position;
}

/* The line is legal, ends the game, and yields what was promised. */
static void assert_line(const SwPosition *position, const SwSolution *solution)
{
    SwState  board = position->board;
    unsigned mover = board.to_move;
    for (int i = 0; i < solution->pv_length; i++) {
        assert_true(sw_empty(&board) & sw_bit(solution->pv[i]));
        sw_apply(&board, solution->pv[i]);
    }
    assert_int_equal(sw_empty(&board), 0);
    int lead = sw_sum(&position->values, board.pieces[mover]) -
               sw_sum(&position->values, board.pieces[mover ^ 1]);
    assert_int_equal(lead, solution->lower);
}

static void the_solver_equals_brute_force_on_thousands_of_positions(void **unused)
{
    (void)unused;
    TurfRng   rng = turf_rng(4);
    SwSolver *solver = sw_solver_new(1 << 20, 1);
    for (uint64_t i = 0, n = scaled(4000); i < n; i++) {
        int        n_empty = (int)(i % 10);
        SwPosition position = i % 2 ? any_position(&rng, n_empty) : reached_position(&rng, n_empty);
        SwSolution solution;
        assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &solution));
        assert_int_equal(solution.lower, brute_force(&position.values, &position.board));
        assert_int_equal(solution.upper, solution.lower);
        assert_line(&position, &solution);
    }
    sw_solver_free(solver);
}

static void the_solver_equals_itself_across_threads_and_table_sizes(void **unused)
{
    (void)unused;
    static const struct {
        size_t hash_bytes;
        int    n_threads;
    } setups[] = {{1, 1},       {1, 2},       {1 << 12, 1}, {1 << 16, 2},
                  {1 << 24, 1}, {1 << 24, 2}, {1 << 24, 5}};
    TurfRng rng = turf_rng(5);
    for (uint64_t i = 0, n = scaled(40); i < n; i++) {
        SwPosition position = i % 2 ? any_position(&rng, 12) : reached_position(&rng, 13);
        SwSolution first;
        for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
            SwSolution solution;
            SwSolver  *solver = sw_solver_new(setups[s].hash_bytes, setups[s].n_threads);
            assert_true(
                sw_solver_solve(solver, &position.values, &position.board, NULL, &solution));
            sw_solver_free(solver);
            if (s == 0)
                first = solution;
            assert_int_equal(solution.lower, first.lower);
            assert_int_equal(solution.pv_length, first.pv_length);
            assert_memory_equal(solution.pv, first.pv, sizeof(int) * (size_t)first.pv_length);
        }
        assert_line(&position, &first);
    }
}

static void a_solver_that_is_stopped_returns_bounds_that_hold(void **unused)
{
    (void)unused;
    TurfRng     rng = turf_rng(6);
    atomic_bool stop = true;
    SwSolver   *solver = sw_solver_new(1 << 22, 1);
    for (int i = 0; i < 20; i++) {
        SwPosition     position = reached_position(&rng, 13);
        SwSolution     exact, cut;
        SwSolveOptions at_once = {.stop = &stop}, soon = {.deadline_ns = clock_ns() + 200000};
        assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &exact));
        SwSolver *fresh = sw_solver_new(1 << 16, 1);
        sw_solver_solve(fresh, &position.values, &position.board, i % 2 ? &soon : &at_once, &cut);
        assert_true(cut.lower <= exact.lower && exact.lower <= cut.upper);
        assert_true(sw_empty(&position.board) & sw_bit(cut.best_square));
        sw_solver_free(fresh);
    }
    sw_solver_free(solver);
}

static void the_perfect_player_keeps_the_value_to_the_end(void **unused)
{
    (void)unused;
    TurfRng     rng = turf_rng(7);
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(&squirrel_war, "perfect:hash=1", &error);
    assert_non_null(player);
    for (int i = 0; i < 10; i++) {
        SwPosition position = reached_position(&rng, 10);
        int        value = brute_force(&position.values, &position.board);
        unsigned   mover = position.board.to_move;
        while (sw_empty(&position.board)) {
            TurfMove moves[TURF_MAX_MOVES];
            Choice   choice =
                player_choose_move(player, &position, i % 2, &(TurnContext){.rng = &rng}, moves);
            assert_true(choice.has_value);
            assert_int_equal(choice.value, position.board.to_move == mover ? value : -value);
            sw_apply(&position.board, (int)moves[choice.n_moves - 1]);
        }
    }
    turf_player_free(player);
}

static void the_perfect_player_lists_all_best_moves_however_short_its_time(void **unused)
{
    (void)unused;
    TurfRng     rng = turf_rng(8);
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(&squirrel_war, "perfect:hash=1,time=1", &error);
    size_t      n_several = 0;
    for (int i = 0; i < 60; i++) {
        SwPosition position = reached_position(&rng, 7);
        memset(position.values.of, 1 + i % 2,
               sizeof position.values.of); /* so that many moves are as good */
        TurfMove moves[TURF_MAX_MOVES];
        size_t   n_found = 0;
        int      value = brute_force(&position.values, &position.board);
        Choice   choice =
            player_choose_move(player, &position, true, &(TurnContext){.rng = &rng}, moves);
        for (uint32_t left = sw_empty(&position.board); left; left &= left - 1) {
            SwState child = position.board;
            sw_apply(&child, sw_lowest(left));
            if (-brute_force(&position.values, &child) == value)
                assert_int_equal(moves[n_found++], sw_lowest(left));
        }
        assert_int_equal(choice.n_moves, n_found);
        n_several += n_found > 1;
    }
    assert_true(n_several > 10);
    turf_player_free(player);
}

static void assert_refused(const char *text, const char *fragment)
{
    SwPosition state;
    TurfError  error = {0};
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
        cmocka_unit_test(games_of_all_sizes_equal_the_slow_ones),
        cmocka_unit_test(five_by_five_is_the_default_to_the_byte),
        cmocka_unit_test(searches_play_boards_of_other_sizes),
        cmocka_unit_test(the_boards_of_the_war_game_are_starts),
        cmocka_unit_test(a_raid_takes_its_neighbours_and_no_chain),
        cmocka_unit_test(a_raid_without_enemies_is_a_raid),
        cmocka_unit_test(a_sneak_takes_nothing_and_diagonals_do_not_count),
        cmocka_unit_test(rows_do_not_wrap),
        cmocka_unit_test(the_lookahead_to_the_end_is_perfect_play),
        cmocka_unit_test(minimax_and_alpha_beta_of_the_coursework_choose_what_the_players_choose),
        cmocka_unit_test(the_solver_equals_brute_force_on_thousands_of_positions),
        cmocka_unit_test(the_solver_equals_itself_across_threads_and_table_sizes),
        cmocka_unit_test(a_solver_that_is_stopped_returns_bounds_that_hold),
        cmocka_unit_test(the_perfect_player_keeps_the_value_to_the_end),
        cmocka_unit_test(the_perfect_player_lists_all_best_moves_however_short_its_time),
        cmocka_unit_test(positions_that_are_none_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests_name("squirrel war", tests, NULL, NULL);
}
