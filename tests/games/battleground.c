/* AI Battleground: the fast rules against the slow stepper on boards of all shapes,
 * and the recorded games. */
#include "support.h"

#include "bg_slow.h"
#include "games/battleground.h"

#include <string.h>

/* ---- boards ------------------------------------------------------------------------------- */

static const BgConfig default_ = {.cell_gain_per_turn = 3,
                                  .max_cell_capacity = 15,
                                  .starting_cells = 3,
                                  .max_colonisation_distance = 2,
                                  .max_game_iterations = 60};

/* The same position for the slow stepper, and back. */
static SlowField slow_field(const BgState *state)
{
    const BgConfig *config = &state->config;
    SlowField       field = {.rows = config->rows,
                             .cols = config->cols,
                             .gain = config->cell_gain_per_turn,
                             .capacity = config->max_cell_capacity,
                             .distance = config->max_colonisation_distance,
                             .is_classic = config->ruleset == BG_CLASSIC,
                             .is_player2_lucky = config->collisions == BG_TO_PLAYER_2,
                             .left = {state->remaining[0], state->remaining[1]},
                             .iteration = state->iteration};
    for (int row = 0; row < field.rows; row++)
        for (int col = 0; col < field.cols; col++)
            field.cell[row][col] = bg_has(&state->cells[0], row, col)   ? '1'
                                   : bg_has(&state->cells[1], row, col) ? '2'
                                                                        : '.';
    return field;
}

static BgState fast_field(const SlowField *field, const BgState *like)
{
    BgState state;
    bg_start(&state, &like->config);
    for (int side = 0; side < 2; side++) {
        state.remaining[side] = field->left[side];
        state.live_sum[side] = like->live_sum[side];
    }
    state.iteration = field->iteration;
    for (int row = 0; row < field->rows; row++)
        for (int col = 0; col < field->cols; col++)
            if (field->cell[row][col] != '.')
                bg_add(&state.cells[field->cell[row][col] == '2'], row, col);
    return state;
}

/* To the last bit, what lies off the board included. */
static void assert_same(const BgState *fast, const SlowField *slow)
{
    BgState wanted = fast_field(slow, fast);
    assert_memory_equal(fast, &wanted, sizeof wanted);
    assert_int_equal(bg_live(fast, TURF_FIRST), slow_field_count(slow, '1'));
    assert_int_equal(bg_live(fast, TURF_SECOND), slow_field_count(slow, '2'));
}

/* All pairs of these are shapes: lines, squares, and one column to either side of a full word. */
static const int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 24, 31, 63, 64, 65, 100, 127, 128};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

/* Looks at boards of one shape; `tally` counts what they had, so that nothing is tested in vain. */
typedef void ShapeTest(TurfRng *rng, const BgConfig *config, uint64_t n_boards, uint64_t *tally);

/* Runs a test on every shape with either ruleset and either rule of collisions; `n_cells` is how
 * many cells all boards of a shape may have together. Returns the number of boards. */
static uint64_t on_every_shape(ShapeTest *test, uint64_t n_cells, uint64_t max_boards,
                               uint64_t *tally)
{
    TurfRng  rng = turf_rng(1);
    uint64_t n_all = 0;
    for (int shape = 0; shape < N_LENGTHS * N_LENGTHS; shape++)
        for (int rules = 0; rules < 4; rules++) {
            BgConfig config = default_;
            config.rows = lengths[shape / N_LENGTHS];
            config.cols = lengths[shape % N_LENGTHS];
            config.ruleset = rules & 1 ? BG_CLASSIC : BG_DIFF;
            config.collisions = rules & 2 ? BG_TO_PLAYER_2 : BG_CANCEL;
            uint64_t n_boards = n_cells / (uint64_t)(config.rows * config.cols) + 3;
            n_boards = scaled(n_boards < max_boards ? n_boards : max_boards);
            test(&rng, &config, n_boards, tally);
            n_all += n_boards;
        }
    return n_all;
}

/* Any board, from empty to full and of any mixture, with any amounts. */
static BgState any_field(TurfRng *rng, const BgConfig *like)
{
    static const uint32_t percents[] = {0, 1, 10, 25, 37, 50, 75, 100};
    BgConfig              config = *like;
    BgState               state;
    uint32_t              taken = percents[rng_below(rng, 8)], first = percents[rng_below(rng, 8)];
    config.cell_gain_per_turn = (int32_t)rng_below(rng, 6);
    config.max_cell_capacity = (int32_t)rng_below(rng, 20);
    config.starting_cells = (int32_t)rng_below(rng, 12);
    config.max_colonisation_distance = (int32_t)rng_below(rng, 5);
    bg_start(&state, &config);
    state.remaining[1] = (int32_t)rng_below(rng, 12);
    state.iteration = (int32_t)rng_below(rng, 50);
    for (int row = 0; row < config.rows; row++)
        for (int col = 0; col < config.cols; col++)
            if (rng_below(rng, 100) < taken)
                bg_add(&state.cells[rng_below(rng, 100) >= first], row, col);
    return state;
}

/* ---- actions ------------------------------------------------------------------------------ */

enum { MAX_LISTED = 32 };

/* The same cells for both steppers. */
typedef struct Listed {
    TurfCell cells[MAX_LISTED];
    SlowSpot spots[MAX_LISTED];
    int      n;
} Listed;

static void list(Listed *listed, int row, int col)
{
    listed->cells[listed->n] = (TurfCell){row, col};
    listed->spots[listed->n++] = (SlowSpot){row, col};
}

static TurfAction action_of(const Listed *listed)
{
    return (TurfAction){listed->cells, (size_t)listed->n};
}

/* Up to all the cells that remain, some of them twice, and some of those that the other side lists.
 */
static Listed any_action(TurfRng *rng, const SlowField *field, char player, const Listed *other)
{
    Listed   listed = {.n = 0};
    uint32_t n_tries = rng_below(rng, 10);
    for (uint32_t i = 0; i < n_tries && listed.n < field->left[player == '2']; i++) {
        int row = (int)rng_below(rng, (uint32_t)field->rows),
            col = (int)rng_below(rng, (uint32_t)field->cols);
        SlowSpot spot = {row, col};
        if (listed.n > 0 && rng_below(rng, 6) == 0)
            spot = listed.spots[rng_below(rng, (uint32_t)listed.n)];
        else if (other->n > 0 && rng_below(rng, 2) == 0)
            spot = other->spots[rng_below(rng, (uint32_t)other->n)];
        if (slow_field_check_spot(field, player, spot) == SLOW_LEGAL)
            list(&listed, spot.row, spot.col);
    }
    return listed;
}

enum { COLLISIONS, DUPLICATES };

static void note(const Listed listed[2], uint64_t *tally)
{
    for (int i = 0; i < listed[0].n; i++) {
        for (int k = 0; k < listed[1].n; k++)
            tally[COLLISIONS] +=
                !memcmp(&listed[0].spots[i], &listed[1].spots[k], sizeof(SlowSpot));
        for (int k = 0; k < i; k++)
            tally[DUPLICATES] +=
                !memcmp(&listed[0].spots[i], &listed[0].spots[k], sizeof(SlowSpot));
    }
}

static void play_turns(TurfRng *rng, const BgConfig *config, uint64_t n_boards, uint64_t *tally)
{
    static const Listed nothing;
    for (uint64_t board = 0; board < n_boards; board++) {
        BgState   fast = any_field(rng, config);
        SlowField slow = slow_field(&fast);
        Listed    listed[2];
        TurfError error = {0};
        listed[0] = any_action(rng, &slow, '1', &nothing);
        listed[1] = any_action(rng, &slow, '2', &listed[0]);
        TurfAction actions[2] = {action_of(&listed[0]), action_of(&listed[1])};
        for (int side = 0; side < 2; side++)
            if (!bg_is_legal(&fast, (TurfSide)side, &actions[side], &error))
                fail_msg("%dx%d: %s", config->rows, config->cols, error.text);
        note(listed, tally);
        bg_play(&fast, actions);
        slow_field_play(&slow, listed[0].spots, listed[0].n, listed[1].spots, listed[1].n);
        assert_same(&fast, &slow);
        bg_step(&fast);
        slow_field_step(&slow);
        assert_same(&fast, &slow);
    }
}

static void turns_equal_the_slow_ones_on_every_shape(void **state)
{
    (void)state;
    uint64_t tally[2] = {0}, n_boards = on_every_shape(play_turns, 25000, 1000, tally);
    print_message("# %llu boards, %llu collisions, %llu duplicates\n", (unsigned long long)n_boards,
                  (unsigned long long)tally[COLLISIONS], (unsigned long long)tally[DUPLICATES]);
    assert_true(tally[COLLISIONS] > 100 && tally[DUPLICATES] > 100);
}

/* Every cell of small boards, and as many drawn from large ones. */
static void look_at_reach(TurfRng *rng, const BgConfig *config, uint64_t n_boards, uint64_t *tally)
{
    const int32_t distances[] = {
        0, 1, 2, 3, 5, config->cols / 2, config->rows / 2 - 1, config->cols, INT32_MAX};
    enum { MAX_LOOKED_AT = 200 };
    for (uint64_t board = 0; board < n_boards; board++) {
        BgState   fast = any_field(rng, config);
        int32_t   distance = distances[rng_below(rng, sizeof distances / sizeof distances[0])];
        TurfSide  side = rng_below(rng, 2) ? TURF_SECOND : TURF_FIRST;
        uint32_t  n_cells = (uint32_t)(config->rows * config->cols);
        int       n_reached = 0;
        BgSet     reach;
        SlowField slow;
        fast.config.max_colonisation_distance = distance > 0 ? distance : 0;
        slow = slow_field(&fast);
        bg_reach(&fast, side, &reach);
        for (uint32_t i = 0; i < n_cells && i < MAX_LOOKED_AT; i++) {
            int  cell = (int)(n_cells <= MAX_LOOKED_AT ? i : rng_below(rng, n_cells));
            int  row = cell / config->cols, col = cell % config->cols;
            bool is_wanted =
                slow_field_check_spot(&slow, side ? '2' : '1', (SlowSpot){row, col}) == SLOW_LEGAL;
            assert_int_equal(bg_has(&reach, row, col), is_wanted);
            n_reached += is_wanted;
            ++*tally;
        }
        if (n_cells <= MAX_LOOKED_AT)
            assert_int_equal(bg_count(config, &reach), n_reached);
    }
}

static void reach_is_every_dead_cell_near_enough(void **state)
{
    (void)state;
    uint64_t n_looked_at = 0, n_boards = on_every_shape(look_at_reach, 3000, 60, &n_looked_at);
    print_message("# %llu boards, %llu cells\n", (unsigned long long)n_boards,
                  (unsigned long long)n_looked_at);
}

/* A number that is mostly, but not always, a row or a column. */
static int any_coordinate(TurfRng *rng, int length)
{
    static const int odd[] = {-1, INT32_MIN, INT32_MAX, -64, 64, 128, 1 << 30};
    if (rng_below(rng, 40) == 0)
        return odd[rng_below(rng, sizeof odd / sizeof odd[0])];
    return (int)rng_below(rng, (uint32_t)length + (rng_below(rng, 20) == 0));
}

static void judge_actions(TurfRng *rng, const BgConfig *config, uint64_t n_boards, uint64_t *tally)
{
    static const BgFaultKind kinds[] = {[SLOW_LEGAL] = BG_NO_FAULT,
                                        [SLOW_TOO_MANY] = BG_TOO_MANY,
                                        [SLOW_OUTSIDE] = BG_OFF_BOARD,
                                        [SLOW_ALIVE] = BG_NOT_DEAD,
                                        [SLOW_FAR] = BG_TOO_FAR};
    for (uint64_t board = 0; board < n_boards; board++) {
        BgState   fast = any_field(rng, config), before = fast;
        SlowField slow = slow_field(&fast);
        TurfSide  side = rng_below(rng, 2) ? TURF_SECOND : TURF_FIRST;
        Listed    listed = {.n = 0};
        int       at = 0;
        for (uint32_t n = rng_below(rng, 6); n > 0; n--) {
            int row = any_coordinate(rng, config->rows), col = any_coordinate(rng, config->cols);
            list(&listed, row, col);
        }
        TurfAction   action = action_of(&listed);
        BgFault      fault = bg_find_fault(&fast, side, &action);
        SlowLegality choice =
            slow_field_check(&slow, side ? '2' : '1', listed.spots, listed.n, &at);
        assert_int_equal(fault.kind, kinds[choice]);
        if (choice != SLOW_LEGAL)
            assert_int_equal(fault.at, at);
        assert_int_equal(bg_is_legal(&fast, side, &action, NULL), choice == SLOW_LEGAL);
        assert_memory_equal(&fast, &before, sizeof fast);
        tally[choice]++;
    }
}

static void legality_equals_the_slow_one_with_its_reason(void **state)
{
    (void)state;
    uint64_t tally[5] = {0}, n_boards = on_every_shape(judge_actions, 10000, 200, tally);
    print_message("# %llu actions", (unsigned long long)n_boards);
    for (int choice = 0; choice < 5; choice++) {
        print_message("%s %llu", choice ? "," : ":", (unsigned long long)tally[choice]);
        assert_true(tally[choice] > n_boards / 100);
    }
    print_message("\n");
}

/* ---- starts ------------------------------------------------------------------------------- */

static void random_starts_are_fair_and_differ(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(3);
    BgState last = {.iteration = 0};
    for (int i = 0; i < 200; i++) {
        TurfState start;
        BgState   board;
        assert_true(turf_start(&ai_battleground, "random", &rng, &start, NULL));
        memcpy(&board, &start, sizeof board);
        assert_int_equal(bg_live(&board, TURF_FIRST), 10);
        for (int row = 0; row < 24; row++)
            for (int col = 0; col < 24; col++)
                assert_int_equal(bg_has(&board.cells[0], row, col),
                                 bg_has(&board.cells[1], 23 - row, 23 - col));
        assert_memory_not_equal(&board, &last, sizeof board);
        last = board;
    }
}

/* ---- the recorded games ------------------------------------------------------------------- */

static int32_t number(const json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    assert_true(json_is_integer(value));
    return (int32_t)json_integer_value(value);
}

static BgConfig config_from_json(const json_t *json)
{
    return (BgConfig){.rows = number(json, "rows"),
                      .cols = number(json, "cols"),
                      .cell_gain_per_turn = number(json, "cellGainPerTurn"),
                      .max_cell_capacity = number(json, "maxCellCapacity"),
                      .starting_cells = number(json, "startingCells"),
                      .max_colonisation_distance = number(json, "maxColonisationDistance"),
                      .max_game_iterations = number(json, "maxGameIterations"),
                      .ruleset =
                          strcmp(json_string_value(json_object_get(json, "ruleset")), "classic")
                              ? BG_DIFF
                              : BG_CLASSIC,
                      .collisions = BG_TO_PLAYER_2};
}

static void add_from_json(BgState *board, const json_t *rows)
{
    for (int row = 0; row < board->config.rows; row++) {
        const char *text = json_string_value(json_array_get(rows, (size_t)row));
        for (int col = 0; col < board->config.cols; col++)
            if (text[col] != '.')
                bg_add(&board->cells[text[col] == '2'], row, col);
    }
}

static Listed listed_from_json(const json_t *json)
{
    Listed  listed = {.n = 0};
    size_t  i;
    json_t *cell;
    assert_true(json_array_size(json) <= MAX_LISTED);
    json_array_foreach(json, i, cell)
    {
        list(&listed, (int)json_integer_value(json_array_get(cell, 0)),
             (int)json_integer_value(json_array_get(cell, 1)));
    }
    return listed;
}

static void assert_recorded(const BgState *board, const json_t *line)
{
    BgState    wanted;
    TurfEnding ending;
    bg_start(&wanted, &board->config);
    add_from_json(&wanted, json_object_get(line, "field"));
    assert_memory_equal(board->cells, wanted.cells, sizeof wanted.cells);
    assert_int_equal(board->iteration, number(line, "iteration"));
    assert_int_equal(board->remaining[0], number(line, "cells1"));
    assert_int_equal(board->remaining[1], number(line, "cells2"));
    assert_int_equal(bg_live(board, TURF_FIRST), number(line, "live1"));
    assert_int_equal(bg_live(board, TURF_SECOND), number(line, "live2"));
    assert_int_equal(bg_is_over(board, &ending), json_is_true(json_object_get(line, "final")));
}

/* The same turn where collisions cancel: here the slow stepper alone can tell. */
static bool assert_same_with_cancel(BgState board, SlowField slow, const TurfAction actions[2],
                                    const Listed listed[2])
{
    bool is_other;
    board.config.collisions = BG_CANCEL;
    slow.is_player2_lucky = false;
    BgState lucky = board;
    lucky.config.collisions = BG_TO_PLAYER_2;
    bg_play(&board, actions);
    bg_play(&lucky, actions);
    slow_field_play(&slow, listed[0].spots, listed[0].n, listed[1].spots, listed[1].n);
    assert_same(&board, &slow);
    is_other = memcmp(board.cells, lucky.cells, sizeof board.cells) != 0;
    return is_other;
}

/* Only the first board of a game is taken from the record; the slow stepper has to agree as well.
 */
static void oracle_games_agree_at_every_turn(void **state)
{
    (void)state;
    FILE     *file = oracle_open("ai-battleground/traces.jsonl");
    BgState   board;
    SlowField slow;
    int       n_games = 0, n_turns = 0, n_other_with_cancel = 0;
    if (!file)
        skip();
    for (json_t *line; (line = json_line(file)); json_decref(line)) {
        if (number(line, "iteration") == 0) {
            BgConfig config = config_from_json(json_object_get(line, "config"));
            assert_true(bg_check_config(&config, NULL));
            bg_start(&board, &config);
            add_from_json(&board, json_object_get(line, "field"));
            slow = slow_field(&board);
            n_games++;
        }
        assert_recorded(&board, line);
        assert_same(&board, &slow);
        if (json_is_true(json_object_get(line, "final")))
            continue;
        Listed     listed[2] = {listed_from_json(json_object_get(line, "actions1")),
                                listed_from_json(json_object_get(line, "actions2"))};
        TurfAction actions[2] = {action_of(&listed[0]), action_of(&listed[1])};
        TurfError  error = {0};
        for (int side = 0; side < 2; side++)
            if (!bg_is_legal(&board, (TurfSide)side, &actions[side], &error))
                fail_msg("game %d: %s", number(line, "game"), error.text);
        n_other_with_cancel += assert_same_with_cancel(board, slow, actions, listed);
        bg_play(&board, actions);
        slow_field_play(&slow, listed[0].spots, listed[0].n, listed[1].spots, listed[1].n);
        n_turns++;
    }
    fclose(file);
    print_message("# %d games, %d turns checked, %d of them other where collisions cancel\n",
                  n_games, n_turns, n_other_with_cancel);
    assert_true(n_other_with_cancel > 0);
    assert_int_equal(n_games, 111);
    assert_int_equal(n_turns, 1812);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_equal_the_slow_ones_on_every_shape),
        cmocka_unit_test(reach_is_every_dead_cell_near_enough),
        cmocka_unit_test(legality_equals_the_slow_one_with_its_reason),
        cmocka_unit_test(random_starts_are_fair_and_differ),
        cmocka_unit_test(oracle_games_agree_at_every_turn),
    };
    return cmocka_run_group_tests_name("ai battleground", tests, NULL, NULL);
}
