/* Puzzles: one best move, by a deeper search than the one that made them; the same for each seed.
 */
#include "support.h"

#include "games/squirrel_war.h"
#include "live/puzzles.h"
#include "search/squirrel_solver.h"

#include <stdlib.h>
#include <string.h>

/* As many for each game as TURF_PUZZLES says. */
static uint64_t n_wanted(void)
{
    const char *wanted = getenv("TURF_PUZZLES");
    return wanted ? strtoull(wanted, NULL, 10) : scaled(4);
}

static PuzzleMaker *maker_for(const TurfGame *game)
{
    TurfError    error;
    PuzzleMaker *maker = puzzle_maker_new(game, &error);
    if (!maker)
        fail_msg("%s", error.text);
    return maker;
}

static Puzzle puzzle_of(PuzzleMaker *maker, uint64_t seed, uint64_t number)
{
    Puzzle    puzzle;
    TurfError error;
    if (!puzzle_make(maker, seed, number, NULL, &puzzle, &error))
        fail_msg("%s", error.text);
    return puzzle;
}

/* In SquirrelWar: no other move has the result of the solution, by the solver. */
static void assert_only_solution(SwSolver *solver, const Puzzle *puzzle)
{
    const SwPosition *position = (const void *)&puzzle->state;
    int               best = 0, second = -1;
    for (uint32_t left = sw_empty(&position->board); left; left &= left - 1) {
        SwState    child = position->board;
        SwSolution solution;
        sw_apply(&child, sw_lowest(left));
        assert_true(sw_solver_solve(solver, &position->values, &child,
                                    &(SwSolveOptions){.skip_pv = true}, &solution));
        int result = (solution.lower < 0) - (solution.lower > 0);
        if ((TurfMove)sw_lowest(left) == puzzle->judgement.lines[0].moves[0])
            best = result;
        else if (result > second)
            second = result;
    }
    assert_true(best > second);
}

static void a_puzzle_has_one_best_move_by_a_deeper_search(void **unused)
{
    (void)unused;
    const AnalystLimits deeper = {.nodes = 4 * PUZZLE_VERIFY_NODES};
    uint64_t            n = n_wanted();
    int                 n_wrong = 0;
    SwSolver           *solver = sw_solver_new(1 << 22, 1);
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        if (!analyst_knows(game, &(TurfError){0}))
            continue;
        PuzzleMaker *maker = maker_for(game);
        Analyst     *analyst = analyst_new(game, &deeper, &(TurfError){0});
        assert_non_null(analyst);
        for (uint64_t i = 0; i < n; i++) {
            Puzzle    puzzle = puzzle_of(maker, 7, i);
            Judgement judgement;
            assert_true(puzzle.grade >= 1 && puzzle.grade <= PUZZLE_MAX_GRADE);
            if (game == &squirrel_war) {
                assert_only_solution(solver, &puzzle);
                continue;
            }
            assert_true(analyst_judge(analyst, &puzzle.state, NULL, &deeper, NULL, &judgement));
            if (judgement.lines[0].moves[0] != puzzle.judgement.lines[0].moves[0] ||
                judgement.lines[0].chance - judgement.lines[1].chance < PUZZLE_MARGIN / 3) {
                n_wrong++;
                print_error("%s, puzzle %llu: %g and %g, then %g and %g\n", game->name,
                            (unsigned long long)i, puzzle.judgement.lines[0].chance,
                            puzzle.judgement.lines[1].chance, judgement.lines[0].chance,
                            judgement.lines[1].chance);
            }
        }
        analyst_free(analyst);
        puzzle_maker_free(maker);
    }
    sw_solver_free(solver);
    assert_int_equal(n_wrong, 0);
}

static void a_puzzle_depends_on_seed_and_number_alone(void **unused)
{
    (void)unused;
    PuzzleMaker *maker = maker_for(&amoeba_wars), *other = maker_for(&amoeba_wars);
    Puzzle       third = puzzle_of(maker, 5, 2), again;
    (void)puzzle_of(other, 5, 1);
    again = puzzle_of(other, 5, 2);
    assert_memory_equal(&third.state, &again.state, amoeba_wars.state_size);
    assert_int_equal(third.grade, again.grade);
    assert_memory_equal(third.judgement.lines, again.judgement.lines, sizeof third.judgement.lines);
    again = puzzle_of(other, 6, 2);
    assert_false(turf_equal(&amoeba_wars, &third.state, &again.state));
    puzzle_maker_free(maker);
    puzzle_maker_free(other);
}

static void a_task_names_the_side_and_what_to_do(void **unused)
{
    (void)unused;
    PuzzleMaker *maker = maker_for(&squirrel_war);
    Puzzle       puzzle = puzzle_of(maker, 1, 0);
    char         task[128];
    puzzle_task(&puzzle, task, sizeof task);
    assert_true(!strncmp(task, "X to move: find the ", 20) ||
                !strncmp(task, "O to move: find the ", 20));
    json_t *json = puzzle_json(&puzzle);
    assert_string_equal(json_string_value(json_object_get(json, "task")), task);
    assert_non_null(json_object_get(json_object_get(json, "solution"), "move"));
    json_decref(json);
    puzzle_maker_free(maker);
}

static void a_stopped_maker_says_so(void **unused)
{
    (void)unused;
    PuzzleMaker *maker = maker_for(&war_of_life);
    atomic_bool  stop = true;
    Puzzle       puzzle;
    TurfError    error;
    assert_false(puzzle_make(maker, 1, 0, &stop, &puzzle, &error));
    assert_int_equal(error.code, TURF_ERROR_INTERRUPTED);
    puzzle_maker_free(maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puzzle_has_one_best_move_by_a_deeper_search),
        cmocka_unit_test(a_puzzle_depends_on_seed_and_number_alone),
        cmocka_unit_test(a_task_names_the_side_and_what_to_do),
        cmocka_unit_test(a_stopped_maker_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
