/* AI Battleground's conqueror: what it reckons with equals plain stepping, and what it does is
 * legal, repeatable, in time, best on the last turn, and better than what the simple players do. */
#include "support.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "games/battleground.h"
#include "players/player.h"
#include "search/projection.h"

#include <string.h>

/* ---- boards ------------------------------------------------------------------------------- */

static const int lengths[] = {1, 2, 3, 4, 5, 8, 13, 24, 40, 63, 64, 65, 127, 128};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static BgState any_board_of(TurfRng *rng, int rows, int cols)
{
    static const uint32_t percents[] = {0, 1, 10, 25, 40, 80};
    BgState               state;
    BgConfig              config = {.rows = rows,
                                    .cols = cols,
                                    .cell_gain_per_turn = (int32_t)rng_below(rng, 5),
                                    .max_cell_capacity = (int32_t)rng_below(rng, 20),
                                    .starting_cells = (int32_t)rng_below(rng, 10),
                                    .max_colonisation_distance = (int32_t)rng_below(rng, 5),
                                    .max_game_iterations = 50,
                                    .ruleset = rng_below(rng, 2) ? BG_CLASSIC : BG_DIFF,
                                    .collisions = rng_below(rng, 2) ? BG_TO_PLAYER_2 : BG_CANCEL,
                                    .scoring = rng_below(rng, 2) ? BG_SUM : BG_LAST_TURN};
    uint32_t              taken = percents[rng_below(rng, 6)];
    bg_start(&state, &config);
    state.remaining[1] = (int32_t)rng_below(rng, 30);
    state.iteration = (int32_t)rng_below(rng, 50);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (rng_below(rng, 100) < taken)
                bg_add(&state.cells[rng_below(rng, 2)], row, col);
    return state;
}

static BgState any_shape(TurfRng *rng)
{
    int rows = lengths[rng_below(rng, N_LENGTHS)], cols = lengths[rng_below(rng, N_LENGTHS)];
    return any_board_of(rng, rows, cols);
}

/* ---- what it reckons with ----------------------------------------------------------------- */

static int64_t plain_value(const BgState *state, const Projection *projection)
{
    BgState next = *state;
    int64_t value = 0;
    for (int step = 1; step <= projection->n_steps; step++) {
        bg_step(&next);
        value += (int64_t)projection->weights[step] *
                 (bg_live(&next, TURF_FIRST) - bg_live(&next, TURF_SECOND));
    }
    return value;
}

static TurfCell any_dead_cell(TurfRng *rng, const BgState *state)
{
    for (;;) {
        int row = (int)rng_below(rng, (uint32_t)state->config.rows);
        int col = (int)rng_below(rng, (uint32_t)state->config.cols);
        if (!bg_has(&state->cells[0], row, col) && !bg_has(&state->cells[1], row, col))
            return (TurfCell){row, col};
    }
}

static void compare_with_plain_steps(const ProjectionKernel *kernel)
{
    static Projection projection;
    TurfRng           rng = turf_rng(5);
    uint64_t          n_boards = scaled(2500), n_apart = 0;
    for (uint64_t i = 0; i < n_boards; i++) {
        BgState state = any_shape(&rng);
        int     n_live = bg_live(&state, TURF_FIRST) + bg_live(&state, TURF_SECOND);
        if (n_live + 2 > state.config.rows * state.config.cols)
            continue;
        projection.n_steps = 1 + (int)rng_below(&rng, PROJECTION_MAX_STEPS);
        for (int step = 1; step <= projection.n_steps; step++)
            projection.weights[step] = (int32_t)rng_below(&rng, 1000);
        projection_begin(kernel, &projection, &state);
        int64_t before = plain_value(&state, &projection), gains[2];
        assert_int_equal(projection.value, before);

        TurfCell  cells[2];
        TurfSide  sides[2];
        Footprint footprints[2];
        for (int k = 0; k < 2; k++) {
            sides[k] = rng_below(&rng, 2) ? TURF_SECOND : TURF_FIRST;
            cells[k] = any_dead_cell(&rng, &state);
            gains[k] =
                kernel->gain(&projection, sides[k], cells[k].row, cells[k].col, &footprints[k]);
            BgState with = state;
            bg_add(&with.cells[sides[k]], cells[k].row, cells[k].col);
            assert_int_equal(gains[k], plain_value(&with, &projection) - before);
        }
        if (projection_touches(&state.config, cells[0].row, &footprints[0], cells[1].row,
                               &footprints[1]))
            continue;
        n_apart++;
        bg_add(&state.cells[sides[0]], cells[0].row, cells[0].col);
        bg_add(&state.cells[sides[1]], cells[1].row, cells[1].col);
        assert_int_equal(gains[0] + gains[1], plain_value(&state, &projection) - before);
        projection_flip(kernel, &projection, sides[0], cells[0].row, cells[0].col);
        assert_int_equal(gains[1], kernel->gain(&projection, sides[1], cells[1].row, cells[1].col,
                                                &footprints[1]));
    }
    print_message("# %llu boards, %llu with two cells apart\n", (unsigned long long)n_boards,
                  (unsigned long long)n_apart);
    assert_true(n_apart > n_boards / 10);
}

extern const ProjectionKernel projection_portable;
#ifdef TURF_X86_KERNELS
extern const ProjectionKernel projection_v3;
#endif

static void gains_of_cells_equal_plain_stepping(void **state)
{
    (void)state;
    compare_with_plain_steps(&projection_portable);
#ifdef TURF_X86_KERNELS
    if (cpu_has_v3())
        compare_with_plain_steps(&projection_v3);
#endif
}

/* ---- what it does ------------------------------------------------------------------------- */

static TurfPlayer *open_player(const char *spec)
{
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(&ai_battleground, spec, &error);
    if (!player)
        fail_msg("%s", error.text);
    return player;
}

static size_t choose_cells(const TurfPlayer *player, const BgState *state, TurfSide side,
                           TurfCell *cells)
{
    return player_choose_cells(player, state, side, &(TurnContext){.rng = NULL}, cells);
}

/* Legal, each cell once, and no more than it has. */
static void assert_good(const BgState *state, TurfSide side, const TurfCell *cells, size_t n_cells)
{
    TurfError  error = {0};
    TurfAction action = {cells, n_cells};
    if (!bg_is_legal(state, side, &action, &error))
        fail_msg("%dx%d: %s", state->config.rows, state->config.cols, error.text);
    assert_true(n_cells <= (size_t)state->remaining[side]);
    for (size_t i = 0; i < n_cells; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(cells[i].row == cells[k].row && cells[i].col == cells[k].col);
}

static void it_never_plays_illegal_cells(void **state)
{
    (void)state;
    static const char *const specs[] = {"conqueror:nodes=1", "conqueror:nodes=300",
                                        "conqueror:nodes=3000"};
    static TurfCell          cells[TURF_MAX_CELLS];
    TurfRng                  rng = turf_rng(6);
    uint64_t                 n_placed = 0;
    for (int s = 0; s < 3; s++) {
        TurfPlayer *player = open_player(specs[s]);
        for (uint64_t i = 0; i < scaled(300); i++) {
            BgState  board = any_shape(&rng);
            TurfSide side = rng_below(&rng, 2) ? TURF_SECOND : TURF_FIRST;
            size_t   n_cells = choose_cells(player, &board, side, cells);
            assert_good(&board, side, cells, n_cells);
            n_placed += n_cells;
        }
        turf_player_free(player);
    }
    assert_true(n_placed > 0);
}

static void it_answers_legally_without_time(void **state)
{
    (void)state;
    static TurfCell cells[TURF_MAX_CELLS];
    TurfPlayer     *player = open_player("conqueror"), *hasty = open_player("conqueror:time=1");
    TurfRng         rng = turf_rng(7);
    for (int i = 0; i < 50; i++) {
        BgState     board = any_board_of(&rng, 128, 128);
        TurnContext late = {.deadline_ns = clock_ns() - 1000000000, .time_gain_ms = 1};
        board.remaining[0] = 1000000;
        assert_good(&board, TURF_FIRST, cells,
                    player_choose_cells(player, &board, TURF_FIRST, &late, cells));
        assert_good(&board, TURF_FIRST, cells, choose_cells(hasty, &board, TURF_FIRST, cells));
    }
    turf_player_free(player);
    turf_player_free(hasty);
}

/* A game of one player on both sides; returns what the position is in the end. */
static BgState play_both_sides(const char *spec, int n_turns)
{
    static TurfCell cells[2][TURF_MAX_CELLS];
    TurfPlayer     *players[2] = {open_player(spec), open_player(spec)};
    TurfRng         rng = turf_rng(8);
    TurfState       start;
    BgState         board;
    assert_true(turf_start(&ai_battleground, "random", &rng, &start, NULL));
    memcpy(&board, &start, sizeof board);
    for (int turn = 0; turn < n_turns; turn++) {
        TurfAction actions[2];
        for (int side = 0; side < 2; side++) {
            actions[side].cells = cells[side];
            actions[side].n_cells =
                choose_cells(players[side], &board, (TurfSide)side, cells[side]);
        }
        bg_play(&board, actions);
    }
    turf_player_free(players[0]);
    turf_player_free(players[1]);
    return board;
}

static void a_node_limit_makes_it_deterministic(void **state)
{
    (void)state;
    BgState once = play_both_sides("conqueror:nodes=4000", 25),
            again = play_both_sides("conqueror:nodes=4000", 25);
    assert_memory_equal(&once, &again, sizeof once);
    BgState other = play_both_sides("conqueror:nodes=100", 25);
    assert_memory_not_equal(&once, &other, sizeof once);
}

/* ---- how well ----------------------------------------------------------------------------- */

static int lead_after(const BgState *state, TurfSide side, const TurfCell *cells, size_t n_cells)
{
    BgState    next = *state;
    TurfAction actions[2] = {{NULL, 0}, {NULL, 0}};
    actions[side] = (TurfAction){cells, n_cells};
    bg_play(&next, actions);
    return bg_live(&next, side) - bg_live(&next, (TurfSide)!side);
}

static void on_the_last_turn_it_is_at_least_as_good_as_any_single_cell(void **state)
{
    (void)state;
    static TurfCell cells[TURF_MAX_CELLS];
    TurfPlayer     *player = open_player("conqueror");
    TurfRng         rng = turf_rng(9);
    int             n_better = 0;
    for (int i = 0; i < (int)scaled(400); i++) {
        int      rows = 3 + (int)rng_below(&rng, 8), cols = 3 + (int)rng_below(&rng, 8);
        BgState  board = any_board_of(&rng, rows, cols);
        TurfSide side = rng_below(&rng, 2) ? TURF_SECOND : TURF_FIRST;
        BgSet    reach;
        board.iteration = board.config.max_game_iterations - 1;
        board.remaining[!side] = 0;
        int best = lead_after(&board, side, NULL, 0);
        bg_reach(&board, side, &reach);
        for (int32_t row = 0; row < rows && board.remaining[side] > 0; row++)
            for (int32_t col = 0; col < cols; col++) {
                int lead = bg_has(&reach, row, col)
                               ? lead_after(&board, side, &(TurfCell){row, col}, 1)
                               : best;
                best = lead > best ? lead : best;
            }
        int lead = lead_after(&board, side, cells, choose_cells(player, &board, side, cells));
        assert_true(lead >= best);
        n_better += lead > best;
    }
    assert_true(n_better > 0);
    turf_player_free(player);
}

static void it_beats_the_simple_players_from_either_side(void **state)
{
    (void)state;
    static const char start[] =
        "{\"config\":{\"rows\":16,\"cols\":16,\"maxGameIterations\":40},\"board\":["
        "\"................\",\"................\",\"...11......22...\",\"...11......22...\","
        "\"................\",\"................\",\"................\",\"................\","
        "\"................\",\"................\",\"................\",\"................\","
        "\"................\",\"................\",\"................\",\"................\"]}";
    static const char *const simple[] = {"random", "bloodlust", "self-preservation", "land-grab",
                                         "settler"};
    for (int i = 0; i < 5; i++) {
        TurfError   error = {0};
        TurfTotals  totals;
        TurfPlayer *players[2] = {open_player("conqueror:nodes=20000"), open_player(simple[i])};
        TurfPairing pairing = {
            .players = {players[0], players[1]}, .n_games = 2, .swap_sides = true};
        assert_true(turf_run(&ai_battleground, &pairing, 1,
                             &(TurfRunOptions){.seed = 1, .start = start}, &totals, &error));
        assert_int_equal(totals.endings[TURF_WON_BY_FIRST], 2);
        turf_player_free(players[0]);
        turf_player_free(players[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_of_cells_equal_plain_stepping),
        cmocka_unit_test(it_never_plays_illegal_cells),
        cmocka_unit_test(it_answers_legally_without_time),
        cmocka_unit_test(a_node_limit_makes_it_deterministic),
        cmocka_unit_test(on_the_last_turn_it_is_at_least_as_good_as_any_single_cell),
        cmocka_unit_test(it_beats_the_simple_players_from_either_side),
    };
    return cmocka_run_group_tests_name("conqueror", tests, NULL, NULL);
}
