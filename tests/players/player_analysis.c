/* turf_player_analyse and turf_solve: value, visits, depth and best line of a search. */
#include "support.h"

#include "players/player.h"

#include <string.h>

static TurfState start_of(const TurfGame *game, const char *start)
{
    TurfRng   rng = turf_rng(1);
    TurfState state = {{0}};
    assert_true(turf_start(game, start, &rng, &state, NULL));
    return state;
}

/* What a player says about a position; its line must be legal. */
static TurfAnalysis analyse(const TurfGame *game, const char *spec, const TurfState *state)
{
    static TurfAnalysis analysis;
    TurfError           error = {.text = ""};
    TurfRng             rng = turf_rng(1);
    TurfPlayer         *player = turf_player_open(game, spec, &error);
    TurfState           at = *state;
    if (!player || !turf_player_analyse(player, state, &rng, &analysis, &error))
        fail_msg("%s: %s", spec, error.text);
    for (size_t i = 0; i < analysis.n_line; i++)
        assert_true(turf_play(game, &at, analysis.line[i], NULL));
    turf_player_free(player);
    return analysis;
}

static void searches_tell_value_depth_and_line(void **unused)
{
    static const TurfGame *const games[] = {&war_of_life, &amoeba_wars, &squirrel_war};
    static const char *const     specs[] = {"alphabeta:depth=3", "minimax:depth=3"};
    (void)unused;
    for (size_t g = 0; g < 3; g++)
        for (size_t s = 0; s < 2; s++) {
            TurfState    state = start_of(games[g], NULL);
            TurfAnalysis found = analyse(games[g], specs[s], &state);
            assert_true(found.has_value && !found.has_chances);
            assert_int_equal(found.depth, 3);
            assert_true(found.n_nodes > 0 && found.n_playouts == 0);
            assert_true(found.n_line >= 1 && found.n_moves >= 1);
            assert_int_equal(found.line[0], found.move);
            assert_int_equal(found.moves[0].move, found.move);
            assert_true(found.moves[0].value == found.value);
        }
}

static void tree_search_tells_the_visits_of_every_move(void **unused)
{
    TurfState    state = start_of(&war_of_life, "cross");
    TurfAnalysis found = analyse(&war_of_life, "mcts:sims=500", &state);
    TurfMove     moves[TURF_MAX_MOVES];
    uint32_t     n_visits = 0;
    (void)unused;
    assert_int_equal(found.n_moves, turf_moves(&war_of_life, &state, moves));
    assert_int_equal(found.n_playouts, 500);
    for (size_t i = 0; i < found.n_moves; i++) {
        n_visits += found.moves[i].n_visits;
        assert_true(found.moves[i].value >= 0 && found.moves[i].value <= 1);
        if (i > 0)
            assert_true(found.moves[i].n_visits <= found.moves[i - 1].n_visits);
    }
    assert_int_equal(n_visits, 500);
    assert_true(found.has_chances && found.value > 0 && found.value < 1);
}

static void forced_win_is_told(void **unused)
{
    /* Blue takes the last red piece by any crank that starves it. */
    TurfState    state = start_of(&war_of_life, "bb....../bb....../......../......../......../"
                                                   "......../......../.......r/");
    TurfAnalysis found = analyse(&war_of_life, "alphabeta:depth=3", &state);
    (void)unused;
    assert_int_equal(found.reward, 1);
}

static void player_that_does_not_look_ahead_has_no_value(void **unused)
{
    TurfState    state = start_of(&war_of_life, NULL);
    TurfAnalysis found = analyse(&war_of_life, "random", &state);
    (void)unused;
    assert_false(found.has_value);
    assert_int_equal(found.n_line, 0);
    assert_true(turf_play(&war_of_life, &state, found.move, NULL));
}

/* A position of SquirrelWar that is solved at once. */
static TurfState late_squirrel(void)
{
    TurfState state = start_of(&squirrel_war, NULL);
    TurfMove  moves[TURF_MAX_MOVES];
    for (int i = 0; i < 15; i++) {
        assert_true(turf_moves(&squirrel_war, &state, moves) > 0);
        assert_true(turf_play(&squirrel_war, &state, moves[0], NULL));
    }
    return state;
}

static void solution_is_the_value_at_the_end_of_its_line(void **unused)
{
    TurfState    state = late_squirrel(), at = state;
    TurfAnalysis found;
    TurfError    error = {.text = ""};
    TurfMover    mover = turf_to_move(&squirrel_war, &state);
    (void)unused;
    if (!turf_solve(&squirrel_war, &state, &(TurfSolveOptions){.n_threads = 1}, &found, &error))
        fail_msg("%s", error.text);
    assert_true(found.is_exact);
    assert_int_equal(found.n_line, 10);
    for (size_t i = 0; i < found.n_line; i++)
        assert_true(turf_play(&squirrel_war, &at, found.line[i], NULL));
    int lead = turf_own(&squirrel_war, &at, TURF_FIRST) - turf_own(&squirrel_war, &at, TURF_SECOND);
    assert_true(found.value == (mover == TURF_MOVER_FIRST ? lead : -lead));
    assert_int_equal(found.reward, (found.value > 0) - (found.value < 0));
    TurfAnalysis perfect = analyse(&squirrel_war, "perfect", &state);
    assert_true(perfect.is_exact && perfect.value == found.value);
}

static void what_cannot_be_solved_or_analysed_is_an_error(void **unused)
{
    static TurfAnalysis found;
    TurfState           wol = start_of(&war_of_life, NULL), squirrel = late_squirrel();
    TurfState           bg = start_of(&ai_battleground, NULL);
    TurfRng             rng = turf_rng(1);
    TurfError           error;
    TurfPlayer         *settler = turf_player_open(&ai_battleground, "settler", NULL);
    (void)unused;
    assert_false(turf_solve(&war_of_life, &wol, NULL, &found, &error));
    assert_string_equal(error.text, "only squirrel-war can be solved, not war-of-life");
    assert_false(turf_solve(NULL, &wol, NULL, &found, NULL));
    assert_false(turf_solve(&squirrel_war, &squirrel, NULL, NULL, NULL));
    assert_false(
        turf_solve(&squirrel_war, &squirrel, &(TurfSolveOptions){.time_ms = -1}, &found, &error));
    assert_false(turf_solve(&squirrel_war, &squirrel, &(TurfSolveOptions){.hash_mib = SIZE_MAX},
                            &found, &error));
    assert_false(turf_player_analyse(NULL, &wol, &rng, &found, &error));
    assert_false(turf_player_analyse(settler, &bg, &rng, NULL, &error));
    assert_false(turf_player_analyse(settler, &bg, &rng, &found, &error));
    assert_non_null(strstr(error.text, "both sides move at once"));
    turf_player_free(settler);
}

static void time_that_is_not_enough_is_an_error_with_bounds(void **unused)
{
    TurfState    state = start_of(&squirrel_war, NULL);
    TurfAnalysis found;
    TurfError    error;
    (void)unused;
    assert_false(turf_solve(&squirrel_war, &state,
                            &(TurfSolveOptions){.time_ms = 1, .hash_mib = 1, .n_threads = 1},
                            &found, &error));
    assert_int_equal(error.code, TURF_ERROR_INTERRUPTED);
    assert_non_null(strstr(error.text, "the value is between"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_tell_value_depth_and_line),
        cmocka_unit_test(tree_search_tells_the_visits_of_every_move),
        cmocka_unit_test(forced_win_is_told),
        cmocka_unit_test(player_that_does_not_look_ahead_has_no_value),
        cmocka_unit_test(solution_is_the_value_at_the_end_of_its_line),
        cmocka_unit_test(what_cannot_be_solved_or_analysed_is_an_error),
        cmocka_unit_test(time_that_is_not_enough_is_an_error_with_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
