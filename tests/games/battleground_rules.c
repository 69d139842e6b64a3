/* AI Battleground as pictures: what is refused, what a step makes of a board, what a turn costs,
 * and who wins. */
#include "support.h"

#include "games/battleground.h"

#include <string.h>

/* ---- boards ------------------------------------------------------------------------------- */

static const BgConfig default_ = {.cell_gain_per_turn = 3,
                                  .max_cell_capacity = 15,
                                  .starting_cells = 3,
                                  .max_colonisation_distance = 2,
                                  .max_game_iterations = 60};

/* Rows of 1, 2 and . separated by blanks; they give the size. */
static BgState field_from(const char *picture, BgConfig config)
{
    BgState   state;
    TurfError error = {0};
    config.cols = (int32_t)strcspn(picture, " ");
    config.rows = ((int32_t)strlen(picture) + 1) / (config.cols + 1);
    if (!bg_check_config(&config, &error))
        fail_msg("%s", error.text);
    bg_start(&state, &config);
    for (int row = 0; row < config.rows; row++)
        for (int col = 0; col < config.cols; col++) {
            char c = picture[row * (config.cols + 1) + col];
            assert_non_null(strchr("12.", c));
            if (c != '.')
                bg_add(&state.cells[c == '2'], row, col);
        }
    return state;
}

static void assert_field(const BgState *state, const char *picture)
{
    char text[BG_MAX_SIDE * (BG_MAX_SIDE + 1)];
    int  n = 0;
    for (int row = 0; row < state->config.rows; row++) {
        if (row > 0)
            text[n++] = ' ';
        for (int col = 0; col < state->config.cols; col++)
            text[n++] = bg_has(&state->cells[0], row, col)   ? '1'
                        : bg_has(&state->cells[1], row, col) ? '2'
                                                             : '.';
    }
    text[n] = '\0';
    assert_string_equal(text, picture);
}

/* ---- illegal actions ---------------------------------------------------------------------- */

static void assert_refused(const BgState *state, TurfSide side, TurfCell cell, const char *sentence)
{
    TurfError  error = {0};
    TurfAction action = {&cell, 1};
    assert_false(bg_is_legal(state, side, &action, &error));
    assert_string_equal(error.text, sentence);
}

static void illegal_action_is_rejected_with_cell_and_reason(void **state)
{
    (void)state;
    BgState board = field_from("1....... "
                               "........ "
                               "........ "
                               "........ "
                               "....2...",
                               default_);
    assert_refused(&board, TURF_FIRST, (TurfCell){5, 1},
                   "[5,1] is off the board, which goes from [0,0] to [4,7]");
    assert_refused(&board, TURF_FIRST, (TurfCell){1, -1},
                   "[1,-1] is off the board, which goes from [0,0] to [4,7]");
    assert_refused(&board, TURF_FIRST, (TurfCell){0, 0},
                   "[0,0] is not dead: a cell of yours lives there");
    assert_refused(&board, TURF_FIRST, (TurfCell){4, 4},
                   "[4,4] is not dead: an enemy cell lives there");
    assert_refused(&board, TURF_FIRST, (TurfCell){1, 3},
                   "[1,3] is too far away: no live cell of yours is within 2");
    assert_refused(&board, TURF_SECOND, (TurfCell){2, 1},
                   "[2,1] is too far away: no live cell of yours is within 2");

    const TurfCell cells[] = {{0, 1}, {0, 1}, {0, 7}, {3, 6}};
    TurfAction     action = {cells, 4};
    TurfError      error = {0};
    assert_false(bg_is_legal(&board, TURF_FIRST, &action, &error));
    assert_string_equal(error.text, "[3,6] is one too many: 4 cells are listed, and 3 remain");
    action.n_cells = 3;
    assert_true(bg_is_legal(&board, TURF_FIRST, &action, &error));
    assert_true(bg_is_legal(&board, TURF_SECOND, &(TurfAction){NULL, 0}, &error));
}

static void the_distance_goes_round_the_torus(void **state)
{
    (void)state;
    BgState board = field_from("1....... "
                               "........ "
                               "........ "
                               "........ "
                               "........ "
                               ".......2",
                               default_);
    BgSet   reach;
    bg_reach(&board, TURF_FIRST, &reach);
    board.cells[0] = reach;
    memset(&board.cells[1], 0, sizeof board.cells[1]);
    assert_field(&board, ".11...11 "
                         "111...11 "
                         "111...11 "
                         "........ "
                         "111...11 "
                         "111...1.");
}

static void nobody_reaches_anything_at_distance_0_or_without_cells(void **state)
{
    (void)state;
    BgConfig config = default_;
    BgSet    reach;
    config.max_colonisation_distance = 0;
    BgState board = field_from(".... .1.. ....", config);
    bg_reach(&board, TURF_FIRST, &reach);
    assert_int_equal(bg_count(&board.config, &reach), 0);
    board.config.max_colonisation_distance = INT32_MAX;
    bg_reach(&board, TURF_SECOND, &reach);
    assert_int_equal(bg_count(&board.config, &reach), 0);
    bg_reach(&board, TURF_FIRST, &reach);
    assert_int_equal(bg_count(&board.config, &reach), 11);
}

static void impossible_configs_are_refused(void **state)
{
    (void)state;
    BgConfig  config = default_;
    TurfError error = {0};
    config.rows = 128;
    config.cols = 1;
    assert_true(bg_check_config(&config, &error));
    config.cols = 129;
    assert_false(bg_check_config(&config, &error));
    assert_string_equal(error.text, "a board is from 1x1 to 128x128, not 128x129");
    config.cols = 0;
    assert_false(bg_check_config(&config, &error));
    config.cols = 24;
    config.rows = -1;
    assert_false(bg_check_config(&config, &error));
    config.rows = 24;
    config.max_cell_capacity = -3;
    assert_false(bg_check_config(&config, &error));
    assert_string_equal(error.text, "\"maxCellCapacity\" is -3; it cannot be below 0");
}

/* ---- the step, as pictures ---------------------------------------------------------------- */

static void assert_steps(BgRuleset ruleset, const char *from, const char *to)
{
    BgConfig config = default_;
    config.ruleset = ruleset;
    BgState board = field_from(from, config);
    bg_step(&board);
    assert_field(&board, to);
}

static void alone_a_side_plays_the_original_game(void **state)
{
    (void)state;
    for (BgRuleset ruleset = BG_DIFF; ruleset <= BG_CLASSIC; ruleset++) {
        assert_steps(ruleset, "..... ..1.. ..1.. ..1.. .....", "..... ..... .111. ..... .....");
        assert_steps(ruleset, "..... ..2.. ..2.. ..2.. .....", "..... ..... .222. ..... .....");
        assert_steps(ruleset, "..... .11.. .11.. ..... .....", "..... .11.. .11.. ..... .....");
        /* A glider over the corner of the torus. */
        assert_steps(ruleset, ".2... 22..2 ..... ..... 2....", ".2..2 22... 2.... ..... .....");
        assert_steps(ruleset, "1111 1111 1111 1111", ".... .... .... ....");
    }
}

static void by_difference_enemies_take_away_neighbours(void **state)
{
    (void)state;
    /* Between four of one side and one of the other a cell is born. */
    assert_steps(BG_DIFF,
                 "....... "
                 "..1.1.. "
                 "....... "
                 "..121.. "
                 "....... "
                 "....... "
                 ".......",
                 "....... "
                 "....... "
                 "...1... "
                 "....... "
                 "....... "
                 "....... "
                 ".......");
    /* A block loses the corner that has three friends and two enemies, and keeps the one that has a
     * single enemy. */
    assert_steps(BG_DIFF,
                 "....... "
                 ".11.... "
                 ".11.... "
                 "..22... "
                 "....... "
                 "....... "
                 ".......",
                 "....... "
                 ".11.... "
                 ".1..... "
                 "....... "
                 "....... "
                 "....... "
                 ".......");
}

static void in_the_classic_rules_enemies_only_prevent_births(void **state)
{
    (void)state;
    assert_steps(BG_CLASSIC,
                 "....... "
                 "..1.1.. "
                 "....... "
                 "..1.... "
                 "...2... "
                 "....... "
                 ".......",
                 "....... "
                 "....... "
                 "...1... "
                 "....... "
                 "....... "
                 "....... "
                 ".......");
    assert_steps(BG_CLASSIC,
                 "....... "
                 "..1.1.. "
                 "....... "
                 "..1.2.. "
                 "....... "
                 "....... "
                 ".......",
                 "....... "
                 "....... "
                 "....... "
                 "....... "
                 "....... "
                 "....... "
                 ".......");
    assert_steps(BG_CLASSIC,
                 "....... "
                 ".11.... "
                 ".11.... "
                 "...22.. "
                 "...22.. "
                 "....... "
                 ".......",
                 "....... "
                 ".11.... "
                 ".11.... "
                 "...22.. "
                 "...22.. "
                 "....... "
                 ".......");
}

/* A neighbour counts once for every one of the eight steps that leads to it, the cell itself too.
 */
static void on_narrow_boards_a_cell_is_its_own_neighbour(void **state)
{
    (void)state;
    for (BgRuleset ruleset = BG_DIFF; ruleset <= BG_CLASSIC; ruleset++) {
        assert_steps(ruleset, "1", "."); /* eight times itself */
        assert_steps(ruleset, "..1..",
                     ".111."); /* itself above and below; beside it, three times */
        assert_steps(ruleset, ". . 2 . .", ". 2 2 2 .");
        assert_steps(ruleset, "..... ..1..", "..... .....");
        assert_steps(ruleset, "1. ..", ".. .."); /* the other three: twice, twice and four times */
        assert_steps(ruleset, "1.. ... ...", "... ... ...");
        assert_steps(ruleset, "11. 1.. ...", "111 111 111");
    }
}

/* ---- turns -------------------------------------------------------------------------------- */

static BgState after_a_collision(BgCollisions collisions)
{
    BgConfig config = default_;
    config.collisions = collisions;
    /* Each side has two cells of a row of three that would turn. */
    BgState        board = field_from("....... "
                                             "..1.2.. "
                                             "....... "
                                             "..1.2.. "
                                             "....... "
                                             "....... "
                                             "....... "
                                             "....... "
                                             ".......",
                                      config);
    const TurfCell first[] = {{7, 1}, {2, 3}}, second[] = {{2, 3}, {2, 3}, {2, 3}};
    board.config.max_colonisation_distance = 4;
    TurfAction actions[2] = {{first, 2}, {second, 3}};
    for (int side = 0; side < 2; side++)
        assert_true(bg_is_legal(&board, (TurfSide)side, &actions[side], NULL));
    bg_play(&board, actions);
    assert_int_equal(board.remaining[0], 4);
    assert_int_equal(board.remaining[1], 3);
    assert_int_equal(board.iteration, 1);
    return board;
}

/* The cell between all four counts for nobody, or for player 2, whose two cells it joins. */
static void a_cell_that_both_pick_stays_dead_or_goes_to_player_2(void **state)
{
    (void)state;
    BgState board = after_a_collision(BG_CANCEL);
    assert_int_equal(bg_live(&board, TURF_FIRST) + bg_live(&board, TURF_SECOND), 0);
    board = after_a_collision(BG_TO_PLAYER_2);
    assert_field(&board, "....... "
                         "....... "
                         "....2.. "
                         "....... "
                         "....... "
                         "....... "
                         "....... "
                         "....... "
                         ".......");
}

static void budgets_are_charged_filled_up_and_capped(void **state)
{
    (void)state;
    BgConfig config = default_;
    config.starting_cells = 20; /* above the capacity, as one of the recorded games has it */
    BgState    board = field_from("..... .11.. .11.. ..... .....", config);
    TurfCell   twice[] = {{0, 0}, {0, 0}, {0, 0}};
    TurfAction actions[2] = {{twice, 3}, {NULL, 0}};
    bg_play(&board, actions);
    assert_int_equal(board.remaining[0], 15);
    assert_int_equal(board.remaining[1], 15);
    board.remaining[0] = 14;
    board.remaining[1] = 2;
    actions[0].n_cells = 0;
    bg_play(&board, actions);
    assert_int_equal(board.remaining[0], 15);
    assert_int_equal(board.remaining[1], 5);
    board.config.cell_gain_per_turn = board.config.max_cell_capacity = INT32_MAX;
    bg_play(&board, actions);
    assert_int_equal(board.remaining[0], INT32_MAX);
}

/* ---- the winner --------------------------------------------------------------------------- */

static TurfEnding ending_of(const char *picture, BgScoring scoring, int n_turns)
{
    static const TurfAction nothing[2];
    BgConfig                config = default_;
    TurfEnding              ending = TURF_N_ENDINGS;
    config.scoring = scoring;
    config.max_game_iterations = n_turns;
    BgState board = field_from(picture, config);
    for (int turn = 0; turn < n_turns; turn++) {
        assert_false(bg_is_over(&board, &ending));
        bg_play(&board, nothing);
    }
    assert_true(bg_is_over(&board, &ending));
    return ending;
}

static void the_last_turn_or_the_sum_of_all_decides(void **state)
{
    (void)state;
    /* Player 1 has a block and keeps it; player 2 has 10 cells after the first turn, then 8, then
     * none. */
    const char *picture = "................ "
                          "................ "
                          "................ "
                          "...2222......... "
                          ".....2......11.. "
                          "...2222.....11.. "
                          "................ "
                          "................ "
                          "................";
    assert_int_equal(ending_of(picture, BG_LAST_TURN, 0), TURF_WON_BY_SECOND);
    assert_int_equal(ending_of(picture, BG_SUM, 0), TURF_DRAWN); /* the start is no turn */
    assert_int_equal(ending_of(picture, BG_LAST_TURN, 2), TURF_WON_BY_SECOND);
    assert_int_equal(ending_of(picture, BG_LAST_TURN, 3), TURF_WON_BY_FIRST);
    assert_int_equal(ending_of(picture, BG_SUM, 3), TURF_WON_BY_SECOND);
    assert_int_equal(ending_of(picture, BG_SUM, 4), TURF_WON_BY_SECOND);
    assert_int_equal(ending_of(picture, BG_SUM, 5), TURF_WON_BY_FIRST);
    assert_int_equal(ending_of(".... .11. .11. ....", BG_LAST_TURN, 3), TURF_WON_BY_FIRST);
    assert_int_equal(ending_of(".... .22. .22. ....", BG_SUM, 3), TURF_WON_BY_SECOND);
    assert_int_equal(ending_of("11..... 11..... ....... ...22.. ...22.. .......", BG_LAST_TURN, 3),
                     TURF_DRAWN);
    assert_int_equal(ending_of("11..... 11..... ....... ...22.. ...22.. .......", BG_SUM, 3),
                     TURF_DRAWN);
    assert_int_equal(ending_of("1", BG_LAST_TURN, 5), TURF_DRAWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_action_is_rejected_with_cell_and_reason),
        cmocka_unit_test(the_distance_goes_round_the_torus),
        cmocka_unit_test(nobody_reaches_anything_at_distance_0_or_without_cells),
        cmocka_unit_test(impossible_configs_are_refused),
        cmocka_unit_test(alone_a_side_plays_the_original_game),
        cmocka_unit_test(by_difference_enemies_take_away_neighbours),
        cmocka_unit_test(in_the_classic_rules_enemies_only_prevent_births),
        cmocka_unit_test(on_narrow_boards_a_cell_is_its_own_neighbour),
        cmocka_unit_test(a_cell_that_both_pick_stays_dead_or_goes_to_player_2),
        cmocka_unit_test(budgets_are_charged_filled_up_and_capped),
        cmocka_unit_test(the_last_turn_or_the_sum_of_all_decides),
    };
    return cmocka_run_group_tests_name("ai battleground rules", tests, NULL, NULL);
}
