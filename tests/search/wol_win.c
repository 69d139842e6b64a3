/* Forced wins in War of Life: the same as exhaustive search finds, which has no table and no order
 * of moves; the same on any number of threads and with any table. */
#include "support.h"

#include "base/rng.h"
#include "search/wol_win.h"
#include "wol_slow.h"

#include <string.h>

enum { DEPTH = 5, SMALLEST_TABLE = 1 };

/* ---- exhaustive search, by the rules header ------------------------------------------------ */

static bool is_win(const WolState *state, TurfSide attacker, int plies)
{
    TurfEnding ending;
    if (wol_is_over(state, &ending))
        return ending == (attacker == TURF_FIRST ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND);
    if (plies == 0)
        return false;
    TurfMove moves[WOL_MAX_MOVES];
    size_t   n_moves = wol_moves(state, moves);
    bool     is_attacking = state->to_move == (uint32_t)attacker;
    for (size_t i = 0; i < n_moves; i++) {
        WolState child = *state;
        wol_apply(&child, moves[i]);
        if (is_win(&child, attacker, plies - 1) == is_attacking)
            return is_attacking;
    }
    return !is_attacking;
}

/* The length of the shortest forced win, or 0. */
static int shortest_win(const WolState *state, TurfSide attacker, int max_plies)
{
    for (int plies = 1; plies <= max_plies; plies++)
        if (is_win(state, attacker, plies))
            return plies;
    return 0;
}

/* ---- the same on the slow stepper ---------------------------------------------------------- */

static bool is_slow_win(const SlowBoard *board, char attacker, int plies)
{
    SlowEnding ending = slow_ending(board);
    if (ending != SLOW_GOES_ON)
        return ending == (attacker == 'b' ? SLOW_BLUE : SLOW_RED);
    SlowMove moves[SLOW_MAX_MOVES];
    int      n_moves = plies > 0 ? slow_moves(board, moves) : 0;
    if (plies == 0)
        return false;
    bool is_attacking = board->to_move == attacker;
    for (int i = 0; i < n_moves; i++) {
        SlowBoard child = *board;
        slow_play(&child, moves[i]);
        if (is_slow_win(&child, attacker, plies - 1) == is_attacking)
            return is_attacking;
    }
    return !is_attacking;
}

static int slow_shortest_win(const WolState *state, TurfSide attacker, int max_plies)
{
    SlowBoard board = {.to_move = state->to_move ? 'r' : 'b', .moves_made = (int)state->moves_made};
    for (int cell = 0; cell < 64; cell++) {
        char *at = &board.cell[cell / 8 + 1][cell % 8 + 1];
        *at = '.';
        if (state->pieces[0] >> cell & 1)
            *at = 'b';
        if (state->pieces[1] >> cell & 1)
            *at = 'r';
    }
    for (int plies = 1; plies <= max_plies; plies++)
        if (is_slow_win(&board, attacker ? 'r' : 'b', plies))
            return plies;
    return 0;
}

/* ---- positions ----------------------------------------------------------------------------- */

/* The position so many plies before the end of a random game. */
static WolState near_the_end(uint64_t number, int n_before)
{
    enum { KEPT = 16 };
    WolState   history[KEPT];
    TurfEnding ending;
    TurfRng    rng = rng_stream(22, number);
    WolState   state = wol_random_start(&rng);
    uint32_t   n = 0;
    do {
        TurfMove move = 0;
        history[n++ % KEPT] = state;
        assert_true(wol_draw_move(&state, rng_next(&rng), &move));
        wol_apply(&state, move);
    } while (!wol_is_over(&state, &ending));
    uint32_t back = (uint32_t)n_before < n ? (uint32_t)n_before : n;
    return history[(n - back) % KEPT];
}

static WolWin search(WolWinSolver *solver, const WolState *state, TurfSide attacker, int max_plies)
{
    WolWinPlan plan = {.attacker = attacker, .max_plies = max_plies};
    WolWin     win;
    assert_true(wol_win_search(solver, state, &plan, &win));
    assert_true(win.is_complete);
    return win;
}

/* The line is legal, ends in the win, and is as long as the win. */
static void check_line(const WolState *state, TurfSide attacker, const WolWin *win)
{
    WolState   at = *state;
    TurfEnding ending;
    assert_int_equal(win->line_length, win->plies);
    for (int i = 0; i < win->line_length; i++) {
        assert_false(wol_is_over(&at, &ending));
        assert_true(war_of_life.is_legal(&at, win->line[i], NULL));
        wol_apply(&at, win->line[i]);
    }
    if (win->plies) {
        assert_true(wol_is_over(&at, &ending));
        assert_int_equal(ending, attacker == TURF_FIRST ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND);
    }
}

/* The list of first moves has every move that wins so quickly, and no other. */
static void check_moves(const WolState *state, TurfSide attacker, const WolWin *win)
{
    TurfMove moves[WOL_MAX_MOVES];
    size_t   n_moves = wol_moves(state, moves), n_found = 0;
    if (!win->plies || state->to_move != (uint32_t)attacker) {
        assert_int_equal(win->n_moves, 0);
        return;
    }
    for (size_t i = 0; i < n_moves; i++) {
        WolState child = *state;
        wol_apply(&child, moves[i]);
        if (is_win(&child, attacker, win->plies - 1)) {
            assert_true(n_found < win->n_moves);
            assert_int_equal(win->moves[n_found++], moves[i]);
        }
    }
    assert_int_equal(n_found, win->n_moves);
}

static void agrees_with_exhaustive_search_on_1000_positions(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 20, 1);
    int           n_of_length[DEPTH + 1] = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        WolState state = near_the_end(i, 1 + (int)(i % 8));
        TurfSide attacker = (TurfSide)(i / 8 % 2 ? state.to_move : !state.to_move);
        WolWin   win = search(solver, &state, attacker, DEPTH);
        int      expected = shortest_win(&state, attacker, DEPTH);
        assert_int_equal(win.plies, expected);
        assert_int_equal(win.refuted, expected ? expected - 1 : DEPTH);
        check_line(&state, attacker, &win);
        check_moves(&state, attacker, &win);
        n_of_length[expected]++;
    }
    /* The positions are worth the test: wins of every length, and none. */
    for (int length = 0; length <= DEPTH; length++)
        assert_true(n_of_length[length] >= 10);
    wol_win_solver_free(solver);
}

static void agrees_with_the_slow_stepper(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 16, 1);
    int           n_checked = 0;
    for (uint64_t i = 0; n_checked < 300; i++) {
        WolState state = near_the_end(1000 + i, 1 + (int)(i % 5));
        TurfSide attacker = (TurfSide)state.to_move;
        if (bits_count(wol_empty(&state)) < 64 - 9)
            continue;
        WolWin win = search(solver, &state, attacker, 4);
        assert_int_equal(win.plies, slow_shortest_win(&state, attacker, 4));
        n_checked++;
    }
    wol_win_solver_free(solver);
}

static void result_depends_neither_on_threads_nor_on_the_table(void **unused)
{
    (void)unused;
    WolWinSolver *one = wol_win_solver_new(1 << 22, 1);
    WolWinSolver *two = wol_win_solver_new(SMALLEST_TABLE, 2);
    for (uint64_t i = 0; i < 60; i++) {
        WolState state = near_the_end(5000 + i, 3 + (int)(i % 10));
        TurfSide attacker = (TurfSide)(i / 8 % 2 ? state.to_move : !state.to_move);
        WolWin   win = search(one, &state, attacker, 6);
        WolWin   same = search(two, &state, attacker, 6);
        same.nodes = win.nodes;
        same.seconds = win.seconds;
        assert_memory_equal(&win, &same, sizeof win);
        check_line(&state, attacker, &win);
    }
    wol_win_solver_free(one);
    wol_win_solver_free(two);
}

/* ---- single positions ---------------------------------------------------------------------- */

static WolState position(const char *rows, TurfSide to_move, uint32_t moves_made)
{
    WolState  state;
    TurfError error;
    assert_true(game_parse(&war_of_life, rows, &state, &error));
    state.to_move = to_move;
    state.moves_made = moves_made;
    return state;
}

/* Red's two pieces die of loneliness as soon as the crank turns. */
#define LONELY "bb....../bb....../......../......../......../....r.../......../.......r"

static void opponent_that_dies_by_itself_is_a_win_in_one(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 16, 1);
    WolState      state = position(LONELY, TURF_FIRST, 0);
    WolWin        win = search(solver, &state, TURF_FIRST, 9);
    assert_int_equal(win.plies, 1);
    /* Nor can red save itself if it is to move. */
    state.to_move = TURF_SECOND;
    win = search(solver, &state, TURF_FIRST, 9);
    assert_int_equal(win.plies, 1);
    assert_int_equal(win.n_moves, 0);
    assert_int_equal(win.line_length, 1);
    assert_int_equal(search(solver, &state, TURF_SECOND, 4).plies, 0);
    wol_win_solver_free(solver);
}

static void no_win_is_counted_after_move_250(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 16, 1);
    int           n_later = 0;
    for (uint64_t i = 0; i < 400; i++) {
        WolState state = near_the_end(i, 3);
        WolWin   win = search(solver, &state, (TurfSide)state.to_move, 3);
        if (win.plies < 3)
            continue;
        n_later++;
        state.moves_made = WOL_LONGEST - 3;
        assert_int_equal(search(solver, &state, (TurfSide)state.to_move, 9).plies, 3);
        state.moves_made = WOL_LONGEST - 2;
        win = search(solver, &state, (TurfSide)state.to_move, 9);
        assert_int_equal(win.plies, 0);
        assert_int_equal(win.refuted, 9);
    }
    assert_true(n_later > 0);
    wol_win_solver_free(solver);
}

static void stopped_search_keeps_what_it_proved(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 16, 1);
    TurfRng       rng = turf_rng(1);
    WolState      state = wol_random_start(&rng);
    atomic_bool   stop = true;
    WolWinPlan    plan = {.max_plies = 40, .stop = &stop};
    WolWin        win;
    assert_false(wol_win_search(solver, &state, &plan, &win));
    assert_false(win.is_complete);
    assert_int_equal(win.plies, 0);
    assert_true(win.refuted >= 1 && win.refuted < 40);
    wol_win_solver_free(solver);
}

static void game_that_is_over_has_no_forced_win(void **unused)
{
    (void)unused;
    WolWinSolver *solver = wol_win_solver_new(1 << 16, 1);
    WolState      state = {.pieces = {1, 0}};
    assert_int_equal(search(solver, &state, TURF_FIRST, 3).plies, 0);
    wol_win_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_exhaustive_search_on_1000_positions),
        cmocka_unit_test(agrees_with_the_slow_stepper),
        cmocka_unit_test(result_depends_neither_on_threads_nor_on_the_table),
        cmocka_unit_test(opponent_that_dies_by_itself_is_a_win_in_one),
        cmocka_unit_test(no_win_is_counted_after_move_250),
        cmocka_unit_test(stopped_search_keeps_what_it_proved),
        cmocka_unit_test(game_that_is_over_has_no_forced_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
