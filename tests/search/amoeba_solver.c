/* The exact solver of Amoeba Wars and its family against a second, simple program: minimax over the
 * slow stepper, without a table, without windows, move by move. */
#include "support.h"

#include "aw_slow.h"
#include "games/aw_positions.h"
#include "players/player_kind.h"
#include "search/amoeba_solver.h"

#include <string.h>

/* ---- the simple program ------------------------------------------------------------------- */

/* The final lead of O under best play; with is_stuck_lost 1 or -1. Worthless if it takes more than
 * max_nodes. */
static int minimax(const SlowDish *dish, uint64_t *n_nodes, uint64_t max_nodes)
{
    SlowCell moves[26 * 26];
    int      n_moves = slow_dish_moves(dish, moves);
    bool     is_max = dish->to_move == 'O';
    if (++*n_nodes > max_nodes)
        return 0;
    if (n_moves == 0 && dish->is_stuck_lost)
        return is_max ? -1 : 1;
    if (n_moves == 0)
        return slow_dish_score(dish, 'O') - slow_dish_score(dish, 'X');
    int best = is_max ? -1000 : 1000;
    for (int i = 0; i < n_moves; i++) {
        SlowDish next = *dish;
        slow_dish_play(&next, moves[i]);
        int value = minimax(&next, n_nodes, max_nodes);
        if (is_max ? value > best : value < best)
            best = value;
    }
    return best;
}

static SlowDish slow_of(const AwState *state)
{
    const AwHeader *header = &state->header;
    SlowDish        dish;
    slow_dish_start(&dish, header->rows, header->columns);
    dish.has_chains = header->rules & AW_CHAINS;
    dish.is_stuck_lost = header->rules & AW_STUCK;
    dish.steps = header->steps;
    dish.moves_left = header->moves_left;
    dish.to_move = header->to_move ? 'X' : 'O';
    for (int side = 0; side < 2; side++)
        dish.killed[side] = header->n_killed[side];
    for (int row = 0; row < header->rows; row++)
        for (int column = 0; column < header->columns; column++)
            dish.cell[row][column] = aw_letters[aw_cell_at(state, row, column)];
    return dish;
}

/* ---- positions ---------------------------------------------------------------------------- */

static AwState board_of(const char *start)
{
    AwState   state;
    TurfError error = {0};
    if (!game_start(&amoeba_wars, start, NULL, &state, &error))
        fail_msg("%s: %s", start, error.text);
    return state;
}

static AsSolution solve(AsSolver *solver, const AwState *state)
{
    AsSolution solution;
    assert_true(as_solver_solve(solver, state, NULL, &solution));
    assert_int_equal(solution.lower, solution.upper);
    return solution;
}

/* The line is legal, ends the game, and ends with the value. */
static void check_line(const AwState *start, const AsSolution *solution)
{
    AwState    state = *start;
    TurfEnding ending = TURF_N_ENDINGS;
    TurfSide   mover = (TurfSide)start->header.to_move;
    for (int i = 0; i < solution->line_length; i++) {
        assert_true(amoeba_wars.is_legal(&state, solution->line[i], NULL));
        aw_apply(&state, solution->line[i]);
    }
    assert_true(aw_is_over(&state.header, &ending));
    int value = aw_lead(&state.header, mover);
    if (state.header.rules & AW_STUCK)
        value = state.header.to_move == mover ? -1 : 1;
    assert_int_equal(value, solution->lower);
}

/* False if minimax would take too long. */
static bool check_with_minimax(AsSolver *solver, const AwState *state, uint64_t max_nodes)
{
    SlowDish slow = slow_of(state);
    uint64_t n_nodes = 0;
    int      wanted = minimax(&slow, &n_nodes, max_nodes);
    if (n_nodes > max_nodes)
        return false;
    AsSolution solution = solve(solver, state);
    if (solution.lower != (state->header.to_move ? -wanted : wanted)) {
        json_t *json = aw_to_json(state);
        fail_msg("%s: %d, and by minimax %d for O", json_dumps(json, JSON_COMPACT), solution.lower,
                 wanted);
    }
    check_line(state, &solution);
    return true;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void small_boards_have_the_value_of_minimax(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "2x2",           "2x3",         "3x2,chains", "2x3,chains,end=stuck", "2x4", "2x4,chains",
        "2x4,end=stuck", "3x3,steps=1", "3x3",        "2x3,steps=5,first=2"};
    AsSolver *solver = as_solver_new(1 << 20, 1);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        AwState board = board_of(starts[i]);
        assert_true(check_with_minimax(solver, &board, UINT64_MAX));
    }
    as_solver_free(solver);
}

/* A random game by random rules, played backwards: its last positions, while minimax can. */
static uint64_t check_endgame(AsSolver *solver, TurfRng *rng)
{
    enum { MAX_MOVES = 128, MAX_NODES = 3000 };
    static AwState positions[MAX_MOVES];
    char           start[64];
    TurfEnding     ending;
    size_t         n_positions = 0;
    uint64_t       n_checked = 0;
    int            rows = 2 + (int)rng_below(rng, 5), columns = 2 + (int)rng_below(rng, 5);
    snprintf(start, sizeof start, "%dx%d%s%s,steps=%d", rows, columns,
             rng_below(rng, 2) ? ",chains" : "", rng_below(rng, 2) ? ",end=stuck" : "",
             1 + (int)rng_below(rng, 5));
    for (AwState board = board_of(start); !aw_is_over(&board.header, &ending);
         aw_apply(&board, amoeba_wars.random_move(&board, rng)))
        positions[n_positions++] = board;
    while (n_positions > 0 && check_with_minimax(solver, &positions[--n_positions], MAX_NODES))
        n_checked++;
    return n_checked;
}

static void late_positions_have_the_value_of_minimax(void **state)
{
    (void)state;
    TurfRng   rng = turf_rng(5);
    AsSolver *solvers[2] = {as_solver_new(64, 1), as_solver_new(1 << 16, 2)};
    uint64_t  n_checked = 0;
    for (uint64_t game = 0, n = scaled(300); game < n; game++)
        n_checked += check_endgame(solvers[game % 2], &rng);
    as_solver_free(solvers[0]);
    as_solver_free(solvers[1]);
    print_message("# %llu positions\n", (unsigned long long)n_checked);
    assert_true(n_checked > 50);
}

static void values_do_not_depend_on_threads_or_the_table(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        int         value;
    } known[] = {{"2x2", 2},
                 {"3x3", -2},
                 {"4x4", -2},
                 {"4x5", -1},
                 {"5x4", -1},
                 {"3x7", 0},
                 {"4x4,chains,end=stuck", 0}}; /* 0: not checked */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        AwState board = board_of(known[i].start);
        int     first = 0;
        for (int n_threads = 1; n_threads <= 3; n_threads++) {
            AsSolver  *solver = as_solver_new(n_threads == 3 ? 1 << 16 : 1 << 24, n_threads);
            AsSolution solution = solve(solver, &board);
            check_line(&board, &solution);
            first = n_threads == 1 ? solution.lower : first;
            assert_int_equal(solution.lower, first);
            as_solver_free(solver);
        }
        if (known[i].value)
            assert_int_equal(first, known[i].value);
    }
}

static void the_names_of_the_sides_do_not_matter(void **state)
{
    (void)state;
    AsSolver *solver = as_solver_new(1 << 22, 1);
    AwState   board = board_of("{\"board\":[\"...X\",\"..XX\",\"OO.X\",\"O...\"],\"to_move\":\"O\","
                                 "\"moves_left\":3}"),
            exchanged = board_of("{\"board\":[\"...O\",\"..OO\",\"XX.O\",\"X...\"],"
                                 "\"to_move\":\"X\",\"moves_left\":3}");
    assert_int_equal(solve(solver, &board).lower, solve(solver, &exchanged).lower);
    as_solver_free(solver);
}

static void a_stopped_search_gives_bounds_that_hold(void **state)
{
    (void)state;
    AsSolver   *solver = as_solver_new(1 << 20, 2);
    AwState     board = board_of("6x6");
    atomic_bool stop = true;
    AsOptions   options = {.stop = &stop};
    AsSolution  solution;
    assert_false(as_solver_solve(solver, &board, &options, &solution));
    assert_false(solution.is_exact);
    assert_true(solution.lower < solution.upper);
    as_solver_free(solver);
}

static void the_perfect_player_keeps_the_value_to_the_end(void **state)
{
    (void)state;
    static const char *const starts[] = {"3x3", "4x4", "3x4,chains,end=stuck", "2x5,steps=2"};
    TurfRng                  rng = turf_rng(3);
    AsSolver                *solver = as_solver_new(1 << 22, 1);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        TurfError   error = {0};
        TurfPlayer *player = turf_player_open(&amoeba_wars, "perfect:time=60000,hash=4", &error);
        assert_non_null(player);
        AwState  board = board_of(starts[i]);
        unsigned mover = board.header.to_move;
        int      value = solve(solver, &board).lower;
        while (!aw_is_over(&board.header, &(TurfEnding){0})) {
            TurfMove moves[TURF_MAX_MOVES];
            Choice   choice =
                player_choose_move(player, &board, i % 2, &(TurnContext){.rng = &rng}, moves);
            assert_true(choice.has_value);
            assert_int_equal(choice.value, board.header.to_move == mover ? value : -value);
            aw_apply(&board, moves[rng_below(&rng, (uint32_t)choice.n_moves)]);
        }
        turf_player_free(player);
    }
    as_solver_free(solver);
}

static void a_limit_of_nodes_is_kept_and_means_the_same_each_time(void **state)
{
    (void)state;
    AsSolver  *solver = as_solver_new(1 << 20, 1);
    AwState    board = board_of("5x5");
    AsOptions  options = {.nodes = 50000};
    AsSolution one, two;
    assert_false(as_solver_solve(solver, &board, &options, &one));
    assert_true(one.nodes >= 50000 && one.nodes < 100000);
    as_solver_forget(solver);
    assert_false(as_solver_solve(solver, &board, &options, &two));
    assert_int_equal(one.nodes, two.nodes);
    as_solver_free(solver);
}

static void large_boards_are_refused(void **state)
{
    (void)state;
    AwState   board = board_of("9x4");
    TurfError error = {0};
    assert_false(as_solver_takes(&board, &error));
    assert_non_null(strstr(error.text, "boards of up to 8x8 can be solved, and this one is 9x4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_boards_have_the_value_of_minimax),
        cmocka_unit_test(late_positions_have_the_value_of_minimax),
        cmocka_unit_test(values_do_not_depend_on_threads_or_the_table),
        cmocka_unit_test(the_names_of_the_sides_do_not_matter),
        cmocka_unit_test(a_stopped_search_gives_bounds_that_hold),
        cmocka_unit_test(the_perfect_player_keeps_the_value_to_the_end),
        cmocka_unit_test(a_limit_of_nodes_is_kept_and_means_the_same_each_time),
        cmocka_unit_test(large_boards_are_refused),
    };
    return cmocka_run_group_tests_name("amoeba solver", tests, NULL, NULL);
}
