/* Amoeba Wars: the fast rules against the slow stepper on every size, the seed's opening, and the
 * recorded games. */
#include "support.h"

#include "aw_slow.h"
#include "games/amoeba_wars.h"
#include "games/aw_kernels.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

static AwState board_of(const char *start)
{
    AwState   state;
    TurfError error = {0};
    if (!game_start(&amoeba_wars, start, NULL, &state, &error))
        fail_msg("%s: %s", start, error.text);
    return state;
}

static AwState board_of_size(int size)
{
    char text[8];
    snprintf(text, sizeof text, "%d", size);
    return board_of(text);
}

/* Plays a move written as people do. */
static void play(AwState *state, const char *cell)
{
    TurfMove  move;
    TurfError error = {0};
    if (!amoeba_wars.move_from_text(state, cell, &move, &error) ||
        !amoeba_wars.is_legal(state, move, &error))
        fail_msg("%s: %s", cell, error.text);
    aw_apply(state, move);
}

static void assert_same(const AwState *fast, const SlowDish *slow)
{
    json_t       *json = amoeba_wars.to_json(fast);
    const json_t *rows = json_object_get(json, "board");
    for (int r = 0; r < slow->rows; r++)
        assert_memory_equal(json_string_value(json_array_get(rows, (size_t)r)), slow->cell[r],
                            (size_t)slow->columns);
    json_decref(json);
    assert_int_equal(fast->header.to_move, slow->to_move == 'X');
    assert_int_equal(fast->header.moves_left, slow->moves_left);
    assert_int_equal(amoeba_wars.own(fast, TURF_FIRST), slow_dish_score(slow, 'O'));
    assert_int_equal(amoeba_wars.own(fast, TURF_SECOND), slow_dish_score(slow, 'X'));
}

static void assert_same_end(TurfEnding ending, const SlowDish *slow)
{
    static const char letters[] = {[TURF_WON_BY_FIRST] = 'O', [TURF_WON_BY_SECOND] = 'X'};
    char              winner = slow_dish_winner(slow);
    assert_int_equal(ending == TURF_DRAWN ? '-' : letters[ending], winner);
}

/* A whole random game; what is kept up to date move by move is what counting anew would give.
 * Returns its positions. */
static uint64_t compare_game(AwState fast, SlowDish slow, TurfRng *rng, bool is_every_board_shown)
{
    for (uint64_t n_positions = 1;; n_positions++) {
        TurfMove   moves[TURF_MAX_MOVES];
        SlowCell   cells[26 * 26];
        TurfEnding ending = TURF_N_ENDINGS;
        size_t     n_moves = amoeba_wars.moves(&fast, moves);
        assert_int_equal(n_moves, slow_dish_moves(&slow, cells));
        assert_int_equal(n_moves, fast.header.n_feasible[fast.header.to_move]);
        for (size_t i = 0; i < n_moves; i++)
            assert_int_equal(moves[i], aw_move(cells[i].row, cells[i].column));
        assert_int_equal(aw_is_over(&fast.header, &ending), n_moves == 0);
        if (is_every_board_shown || n_moves == 0)
            assert_same(&fast, &slow);
        if (n_moves == 0) {
            assert_same_end(ending, &slow);
            return n_positions;
        }
        uint32_t pick = rng_below(rng, (uint32_t)n_moves);
        aw_apply(&fast, moves[pick]);
        slow_dish_play(&slow, cells[pick]);
    }
}

static void random_games_equal_the_slow_ones_on_every_size(void **state)
{
    (void)state;
    TurfRng  rng = turf_rng(1);
    uint64_t n_positions = 0;
    for (int size = AW_LEAST_SIZE; size <= AW_MAX_SIZE; size++)
        for (uint64_t game = 0, n = scaled(size <= 8 ? 3000 : 60); game < n; game++) {
            SlowDish slow;
            slow_dish_start(&slow, size, size);
            n_positions += compare_game(board_of_size(size), slow, &rng, game % 16 == 0);
        }
    print_message("# %llu positions\n", (unsigned long long)n_positions);
}

/* Every combination of the rules, on boards of any shape. */
static void random_games_equal_the_slow_ones_with_all_rules(void **state)
{
    (void)state;
    TurfRng  rng = turf_rng(2);
    uint64_t n_positions = 0;
    for (uint64_t game = 0, n = scaled(6000); game < n; game++) {
        int      max = game % 8 ? 8 : 26;
        SlowDish slow;
        char     start[64];
        int      rows = 2 + (int)rng_below(&rng, (uint32_t)max - 1),
            columns = 2 + (int)rng_below(&rng, (uint32_t)max - 1);
        slow_dish_start(&slow, rows, columns);
        slow.has_chains = rng_below(&rng, 4) > 0;
        slow.is_stuck_lost = rng_below(&rng, 2);
        slow.steps = 1 + (int)rng_below(&rng, 5);
        slow.moves_left = 1 + (int)rng_below(&rng, 5);
        snprintf(start, sizeof start, "%dx%d%s,steps=%d,first=%d,end=%s", rows, columns,
                 slow.has_chains ? ",chains" : "", slow.steps, slow.moves_left,
                 slow.is_stuck_lost ? "stuck" : "score");
        n_positions += compare_game(board_of(start), slow, &rng, game % 4 == 0);
    }
    print_message("# %llu positions\n", (unsigned long long)n_positions);
}

static void every_kernel_plays_the_same_games(void **state)
{
    (void)state;
    static const char *const starts[] = {"2x2", "3x3", "4x4", "5x5",       "6x6",
                                         "7x7", "8x8", "5x8", "virus-war", "8x4,chains,steps=5"};
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        AwState     start = board_of(starts[s]);
        RandomGames batch = {
            .first_game = 7, .n_games = 500, .start = &start, .side_streams = {1, 2}};
        TurfTotals wanted = TOTALS_NONE;
        for (uint64_t game = 7; game < 507; game++) {
            AwState    board = start;
            TurfRng    rng[2] = {rng_stream(1, game), rng_stream(2, game)};
            TurfEnding ending = TURF_N_ENDINGS;
            uint32_t   length = 0;
            for (; !aw_is_over(&board.header, &ending); length++)
                aw_apply(&board, amoeba_wars.random_move(&board, &rng[board.header.to_move]));
            totals_add_game(&wanted, ending, length);
        }
        for (size_t k = 0; aw_kernel_at(k); k++) {
            TurfTotals totals = TOTALS_NONE;
            if (!aw_kernel_at(k)->is_supported())
                continue;
            aw_kernel_at(k)->play(&batch, &totals);
            assert_memory_equal(&totals, &wanted, sizeof totals);
        }
    }
}

static char *drawn(const AwState *state)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    amoeba_wars.draw(state, &(DrawStyle){.has_colour = false}, out);
    fclose(out);
    return text;
}

static void assert_drawn(const AwState *state, const char *wanted)
{
    char *text = drawn(state);
    assert_string_equal(text, wanted);
    free(text);
}

static void the_board_is_drawn_as_in_the_description(void **state)
{
    (void)state;
    AwState board = board_of_size(8);
    assert_drawn(&board, "O 01 - 01 X\n"
                         "------------------\n"
                         "8| | | | | | | |X|\n"
                         "7| | | | | | | | |\n"
                         "6| | | | | | | | |\n"
                         "5| | | | | | | | |\n"
                         "4| | | | | | | | |\n"
                         "3| | | | | | | | |\n"
                         "2| | | | | | | | |\n"
                         "1|O| | | | | | | |\n"
                         "------------------\n"
                         "\n"
                         "|A|B|C|D|E|F|G|H|\n");
}

/* O at B2; X at G7, F6, E5; O at C3, D4, and kills E5: board and score at each step. */
static void the_opening_of_the_description_can_be_replayed(void **state)
{
    (void)state;
    AwState                  board = board_of_size(8);
    static const char *const moves[] = {"B2", "G7", "F6", "E5", "C3", "D4", "E5"};
    static const char *const score[] = {"O 02 - 01 X", "O 02 - 02 X", "O 02 - 03 X", "O 02 - 04 X",
                                        "O 03 - 04 X", "O 04 - 04 X", "O 05 - 03 X"};
    static const char        movers[] = "OXXXOOO";
    static const int         moves_left[] = {1, 3, 2, 1, 3, 2, 1};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(board.header.to_move, movers[i] == 'X');
        assert_int_equal(board.header.moves_left, moves_left[i]);
        play(&board, moves[i]);
        char *text = drawn(&board);
        assert_memory_equal(text, score[i], strlen(score[i]));
        free(text);
    }
    assert_drawn(&board, "O 05 - 03 X\n"
                         "------------------\n"
                         "8| | | | | | | |X|\n"
                         "7| | | | | | |X| |\n"
                         "6| | | | | |X| | |\n"
                         "5| | | | |#| | | |\n"
                         "4| | | |O| | | | |\n"
                         "3| | |O| | | | | |\n"
                         "2| |O| | | | | | |\n"
                         "1|O| | | | | | | |\n"
                         "------------------\n"
                         "\n"
                         "|A|B|C|D|E|F|G|H|\n");
    assert_int_equal(board.header.to_move, TURF_SECOND);
    assert_int_equal(board.header.moves_left, 3);
}

static void the_first_feasible_moves_are_a2_b2_and_b1(void **state)
{
    (void)state;
    AwState                  board = board_of_size(8);
    static const char *const wanted[] = {"A2", "B2", "B1"};
    TurfMove                 moves[TURF_MAX_MOVES];
    assert_int_equal(amoeba_wars.moves(&board, moves), 3);
    for (int i = 0; i < 3; i++) {
        json_t *json = amoeba_wars.move_to_json(&board, moves[i]);
        assert_string_equal(json_string_value(json), wanted[i]);
        json_decref(json);
    }
}

static void cells_are_read_in_every_way_people_write_them(void **state)
{
    (void)state;
    static const char *const ways[] = {"B2", "b2", "2b", "2B", " b 2 ", "B 2", "\tb2\r", "b02"};
    AwState                  board = board_of_size(8);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        TurfMove  move = 0;
        TurfError error;
        assert_true(amoeba_wars.move_from_text(&board, ways[i], &move, &error));
        assert_int_equal(move, aw_move(6, 1));
    }
}

static void assert_no_move(const AwState *board, const char *cell, const char *fragment)
{
    TurfMove  move = 0;
    TurfError error = {0};
    bool      is_good = amoeba_wars.move_from_text(board, cell, &move, &error) &&
                   amoeba_wars.is_legal(board, move, &error);
    assert_false(is_good);
    if (!strstr(error.text, fragment))
        fail_msg("'%s' gave: %s", cell, error.text);
}

static void wrong_cells_are_refused_with_the_reason(void **state)
{
    (void)state;
    AwState                  board = board_of_size(8);
    static const char *const opening[] = {"B2", "G7", "F6", "E5", "C3",
                                          "D4", "E5", "G8", "F8", "E8"};
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        play(&board, opening[i]);
    assert_no_move(&board, "H1", "not next to a live amoeba of yours");
    assert_no_move(&board, "F7", "not next to a live amoeba of yours");
    assert_no_move(&board, "E5", "shaded");
    assert_no_move(&board, "B2", "your own");
    assert_no_move(&board, "I1", "off the board");
    assert_no_move(&board, "A9", "off the board");
    assert_no_move(&board, "A22", "off the board");
    assert_no_move(&board, "A0", "off the board");
    assert_no_move(&board, "A99999999999999999999", "off the board");
    assert_no_move(&board, "11", "not a cell");
    assert_no_move(&board, "AB", "not a cell");
    assert_no_move(&board, "A", "not a cell");
    assert_no_move(&board, "", "not a cell");
    assert_no_move(&board, "A2B", "not a cell");
    assert_no_move(&board, "2A2", "not a cell");
    assert_no_move(&board, "A-2", "not a cell");
}

static void sizes_are_from_2_to_26(void **state)
{
    (void)state;
    static const char *const bad[] = {"1",  "27",    "0",  "8x1", "27x8", "8x",
                                      "x8", "8x8x8", "-5", "8.5", "eight"};
    AwState                  board;
    TurfError                error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(game_parse(&amoeba_wars, bad[i], &board, &error));
    static const char *const good[] = {"2", "26x26", " 8 ", "8 x 8", "8X8", "3x26", "9 x 2"};
    static const int         rows[] = {2, 26, 8, 8, 8, 3, 9}, columns[] = {2, 26, 8, 8, 8, 26, 2};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(game_parse(&amoeba_wars, good[i], &board, &error));
        assert_int_equal(board.header.rows, rows[i]);
        assert_int_equal(board.header.columns, columns[i]);
    }
}

/* ---- the family --------------------------------------------------------------------------- */

static void rules_follow_the_board(void **state)
{
    (void)state;
    static const char *const virus_war[] = {
        "virus-war", "corners,chains,end=stuck", "8x8,end=stuck,chains", "8 , chains , end=stuck",
        ".......X/......../......../......../......../......../......../O.......,chains,end=stuck"};
    AwState wanted = board_of("virus-war");
    assert_int_equal(wanted.header.rules, AW_CHAINS | AW_STUCK);
    for (size_t i = 1; i < sizeof virus_war / sizeof *virus_war; i++) {
        AwState board = board_of(virus_war[i]);
        assert_memory_equal(&board, &wanted, sizeof board);
    }
    AwState board = board_of("virus-war,steps=5,first=2,end=score");
    assert_int_equal(board.header.rules, AW_CHAINS);
    assert_int_equal(board.header.steps, 5);
    assert_int_equal(board.header.moves_left, 2);
}

static void default_rules_may_be_spelt_out(void **state)
{
    (void)state;
    AwState board = board_of("8x8,steps=3,first=1,end=score"), plain = board_of("corners");
    assert_memory_equal(&board, &plain, sizeof board);
    assert_int_equal(amoeba_wars.hash(&board), amoeba_wars.hash(&plain));
    json_t *json = amoeba_wars.to_json(&board);
    assert_null(json_object_get(json, "rules"));
    json_decref(json);
}

static void wrong_rules_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *start, *fragment;
    } bad[] = {
        {"8x8,chain", "there is no rule 'chain'; rules are chains, steps=1..5"},
        {"8x8,steps=6", "steps is the moves of a turn, from 1 to 5"},
        {"8x8,steps=0", "steps is the moves of a turn, from 1 to 5"},
        {"8x8,first=9", "first is the moves of the first turn, from 1 to 5"},
        {"8x8,steps=", "there is no rule 'steps='"},
        {"8x8,end=never", "there is no rule 'end=never'"},
        {"o./.X,chains,forbid=1", "there is no rule 'forbid=1'"},
        {"O#/.X,chains", "with chains write o for a cell that O killed"},
        {"O#/.X", "1 shaded"},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":\"chains\"}", "\"rules\" is like"},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":{\"chains\":1}}", "true or false"},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":{\"steps\":7}}", "from 1 to 5"},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":{\"end\":\"no\"}}", "\"score\" or \"stuck\""},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":{\"walls\":1}}", "there is no rule 'walls'"},
        {"{\"board\":[\"O.\",\".X\"],\"rules\":{},\"moves_left\":6}", "from 1 to 5"},
        {"{\"board\":[\"Oo\",\".X\"],\"killed\":{\"X\":1}}", "the board shows 1 and 0"},
    };
    AwState board;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TurfError error = {0};
        assert_false(game_start(&amoeba_wars, bad[i].start, NULL, &board, &error));
        if (!strstr(error.text, bad[i].fragment))
            fail_msg("%s gave: %s", bad[i].start, error.text);
    }
}

/* O killed B2; from there it reaches the right-hand column, which is not next to A1. */
static void a_chain_of_kills_extends_the_reach(void **state)
{
    (void)state;
    AwState chained = board_of("X.../.o../O...,chains"), plain = board_of("X.../.o../O...");
    assert_int_equal(chained.header.n_feasible[0], 7);
    assert_int_equal(plain.header.n_feasible[0], 2);
    assert_int_equal(amoeba_wars.own(&plain, TURF_FIRST), 2);
    play(&chained, "A3");
    assert_int_equal(amoeba_wars.cell(&chained, 0, 0), 'o');
}

/* The same kills, but no live cell of O's touches them. */
static void a_chain_that_touches_no_live_cell_is_dead(void **state)
{
    (void)state;
    AwState dead = board_of("XX..o/....o/O....,chains"),
            alive = board_of("XX..o/...oo/..O..,chains");
    assert_no_move(&dead, "D2", "nor to a chain of your kills");
    play(&alive, "D3");
}

static void a_killed_cell_does_not_extend_its_victim(void **state)
{
    (void)state;
    AwState board = board_of(
        "{\"board\":[\"X...\",\".o..\",\"O...\"],\"to_move\":\"X\",\"rules\":{\"chains\":true}}");
    assert_no_move(&board, "C3", "nor to a chain");
    play(&board, "A2");
}

static void whoever_is_stuck_loses_whatever_the_score(void **state)
{
    (void)state;
    static const char json[] = "{\"board\":[\"OO\",\"xX\"],\"to_move\":\"X\",\"moves_left\":1,"
                               "\"rules\":{\"end\":\"stuck\"}}";
    AwState           board = board_of(json);
    TurfEnding        ending = TURF_N_ENDINGS;
    play(&board, "A2");
    play(&board, "B1");
    assert_true(aw_is_over(&board.header, &ending));
    assert_int_equal(ending, TURF_WON_BY_SECOND); /* O has two moves left and nowhere to go */
    assert_int_equal(amoeba_wars.own(&board, TURF_FIRST), amoeba_wars.own(&board, TURF_SECOND));
    board.header.rules = 0;
    assert_true(aw_is_over(&board.header, &ending));
    assert_int_equal(ending, TURF_DRAWN);
}

static void a_rectangle_is_drawn_and_read_by_its_columns(void **state)
{
    (void)state;
    AwState board = board_of("..X/...,chains");
    assert_drawn(&board, "O 00 - 01 X\n"
                         "--------\n"
                         "2| | |X|\n"
                         "1| | | |\n"
                         "--------\n"
                         "\n"
                         "|A|B|C|\n");
    board = board_of("oXX/.O.,chains");
    assert_drawn(&board, "O 02 - 02 X\n"
                         "--------\n"
                         "2|o|X|X|\n"
                         "1| |O| |\n"
                         "--------\n"
                         "\n"
                         "|A|B|C|\n");
    assert_no_move(&board, "D1", "off the board, which goes from A1 to C2");
    assert_no_move(&board, "A3", "off the board");
}

static void boards_that_are_none_are_refused(void **state)
{
    (void)state;
    AwState   board;
    TurfError error;
    assert_false(game_parse(&amoeba_wars, "O./.Q", &board, &error));
    assert_non_null(strstr(error.text, "row 2 from the top has 'Q' in column B"));
    assert_false(game_parse(&amoeba_wars, "O./.../..", &board, &error));
    assert_non_null(strstr(error.text, "the top row has 2 cells, but row 2 has 3"));
    assert_false(game_parse(&amoeba_wars, "O.", &board, &error));
    assert_false(game_parse(&amoeba_wars, "O#/.X", &board, &error));
    assert_non_null(strstr(error.text, "1 shaded"));
    assert_false(game_parse(&amoeba_wars, "{\"board\":[\"O#\",\".X\"],\"killed\":{\"O\":2}}",
                            &board, &error));
    assert_true(game_parse(&amoeba_wars, "{\"board\":[\"O#\",\".X\"],\"killed\":{\"O\":1}}", &board,
                           &error));
    assert_false(
        game_parse(&amoeba_wars, "{\"board\":[\"O.\",\".X\"],\"moves_left\":4}", &board, &error));
}

static void oracle_games_agree_at_every_move(void **state)
{
    (void)state;
    FILE *file = oracle_open("amoeba-wars/games.jsonl");
    int   n_games = 0, n_steps = 0;
    if (!file)
        skip();
    for (json_t *line; (line = json_line(file)); n_games++) {
        AwState board = board_of_size((int)json_integer_value(json_object_get(line, "size")));
        size_t  i;
        json_t *step;
        json_array_foreach(json_object_get(line, "steps"), i, step)
        {
            const json_t *feasible = json_object_get(step, "feasible"),
                         *score = json_object_get(step, "score");
            TurfMove moves[TURF_MAX_MOVES];
            size_t   n_moves = amoeba_wars.moves(&board, moves);
            assert_int_equal(n_moves, json_array_size(feasible));
            assert_int_equal(board.header.moves_left,
                             json_integer_value(json_object_get(step, "moves_left")));
            /* The recorded list has an order of its own. */
            for (size_t m = 0; m < n_moves; m++) {
                TurfMove  move;
                TurfError error;
                bool      is_found = false;
                assert_true(
                    amoeba_wars.move_from_json(&board, json_array_get(feasible, m), &move, &error));
                for (size_t k = 0; k < n_moves; k++)
                    is_found |= moves[k] == move;
                assert_true(is_found);
            }
            play(&board, json_string_value(json_object_get(step, "move")));
            json_t *now = amoeba_wars.to_json(&board);
            assert_true(json_equal(json_object_get(now, "board"), json_object_get(step, "board")));
            json_decref(now);
            assert_int_equal(amoeba_wars.own(&board, TURF_FIRST),
                             json_integer_value(json_object_get(score, "O")));
            assert_int_equal(amoeba_wars.own(&board, TURF_SECOND),
                             json_integer_value(json_object_get(score, "X")));
            n_steps++;
        }
        TurfEnding  ending = TURF_N_ENDINGS;
        const char *winner = json_string_value(json_object_get(line, "winner"));
        assert_true(aw_is_over(&board.header, &ending));
        assert_string_equal(amoeba_wars.ending_names[ending], winner ? winner : "tie");
        json_decref(line);
    }
    fclose(file);
    print_message("# %d games, %d moves checked\n", n_games, n_steps);
    assert_int_equal(n_games, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_equal_the_slow_ones_on_every_size),
        cmocka_unit_test(every_kernel_plays_the_same_games),
        cmocka_unit_test(the_board_is_drawn_as_in_the_description),
        cmocka_unit_test(the_opening_of_the_description_can_be_replayed),
        cmocka_unit_test(the_first_feasible_moves_are_a2_b2_and_b1),
        cmocka_unit_test(cells_are_read_in_every_way_people_write_them),
        cmocka_unit_test(wrong_cells_are_refused_with_the_reason),
        cmocka_unit_test(random_games_equal_the_slow_ones_with_all_rules),
        cmocka_unit_test(sizes_are_from_2_to_26),
        cmocka_unit_test(rules_follow_the_board),
        cmocka_unit_test(default_rules_may_be_spelt_out),
        cmocka_unit_test(wrong_rules_are_refused),
        cmocka_unit_test(a_chain_of_kills_extends_the_reach),
        cmocka_unit_test(a_chain_that_touches_no_live_cell_is_dead),
        cmocka_unit_test(a_killed_cell_does_not_extend_its_victim),
        cmocka_unit_test(whoever_is_stuck_loses_whatever_the_score),
        cmocka_unit_test(a_rectangle_is_drawn_and_read_by_its_columns),
        cmocka_unit_test(boards_that_are_none_are_refused),
        cmocka_unit_test(oracle_games_agree_at_every_move),
    };
    return cmocka_run_group_tests_name("amoeba wars", tests, NULL, NULL);
}
