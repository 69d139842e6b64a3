/* War of Life: the fast rules against the slow stepper, the pictures of the rules, and the oracles.
 */
#include "support.h"

#include <string.h>

static void crank_equals_the_slow_one_on_ten_million_boards(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(1);
    for (uint64_t i = 0, n = scaled(10000000); i < n; i++) {
        WolState  fast = i % 2 ? any_board(&rng) : wol_random_start(&rng);
        SlowBoard slow = slow_from(&fast);
        wol_turn_crank(&fast);
        slow_crank(&slow);
        WolState wanted = fast_from(&slow);
        if (memcmp(&fast, &wanted, sizeof fast))
            fail_msg("board %llu differs", (unsigned long long)i);
    }
}

static void a_lonely_piece_dies_and_a_block_lives(void **state)
{
    (void)state;
    WolState board =
        board_from("........ .b...... ........ ....rr.. ....rb.. ........ ........ .......r");
    wol_turn_crank(&board);
    assert_board(&board, "........ ........ ........ ....rr.. ....rb.. ........ ........ ........");
}

static void a_birth_takes_the_colour_of_the_majority(void **state)
{
    (void)state;
    WolState board =
        board_from("........ .bbr.... ........ ........ ........ .rrb.... ........ ........");
    wol_turn_crank(&board);
    assert_board(&board, "..b..... ..b..... ..b..... ........ ..r..... ..r..... ..r..... ........");
}

static void a_crowded_piece_dies_and_edges_do_not_wrap(void **state)
{
    (void)state;
    WolState board =
        board_from("b......b ........ ........ ..bb.... ..bb.... ...r.... ........ b......b");
    wol_turn_crank(&board);
    assert_board(&board, "........ ........ ........ ..bb.... ....b... ..br.... ........ ........");
}

static void moves_and_endings_equal_the_slow_ones(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(2);
    for (uint64_t i = 0, n = scaled(300000); i < n; i++) {
        WolState  fast = any_board(&rng);
        SlowBoard slow = slow_from(&fast);
        TurfMove  moves[TURF_MAX_MOVES];
        SlowMove  slow_list[SLOW_MAX_MOVES];
        size_t    n_moves = wol_moves(&fast, moves);
        assert_int_equal(n_moves, slow_moves(&slow, slow_list));
        assert_true(n_moves <= WOL_MAX_MOVES);
        for (size_t m = 0; m < n_moves; m++)
            assert_int_equal(moves[m], fast_move(slow_list[m]));
        TurfEnding ending = TURF_N_ENDINGS;
        if (!wol_is_over(&fast, &ending))
            ending = TURF_N_ENDINGS;
        assert_int_equal(ending, fast_ending(slow_ending(&slow)));
    }
}

static void whole_games_equal_the_slow_ones(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(3);
    for (uint64_t i = 0, n = scaled(20000); i < n; i++) {
        WolState   fast = wol_random_start(&rng);
        SlowBoard  slow = slow_from(&fast);
        TurfEnding ending;
        while (!wol_is_over(&fast, &ending)) {
            SlowMove list[SLOW_MAX_MOVES];
            int      n_moves = slow_moves(&slow, list);
            SlowMove move = list[rng_below(&rng, (uint32_t)n_moves)];
            wol_apply(&fast, fast_move(move));
            slow_play(&slow, move);
            WolState wanted = fast_from(&slow);
            assert_memory_equal(&fast, &wanted, sizeof fast);
        }
        assert_int_equal(ending, fast_ending(slow_ending(&slow)));
    }
}

static void assert_ending(const char *picture, uint32_t to_move, uint32_t moves_made,
                          TurfEnding wanted)
{
    WolState   board = board_from(picture);
    TurfEnding ending = TURF_N_ENDINGS;
    board.to_move = to_move;
    board.moves_made = moves_made;
    if (!wol_is_over(&board, &ending))
        ending = TURF_N_ENDINGS;
    assert_int_equal(ending, wanted);
}

static void every_ending_is_told_apart(void **state)
{
    (void)state;
    const char *empty = "........ ........ ........ ........ ........ ........ ........ ........";
    const char *only_blue =
        "........ ..b..... ........ ........ ........ ........ ........ ........";
    const char *only_red =
        "........ ........ ........ ........ ........ .....r.. ........ ........";
    const char *both = "........ ..b..... ........ ........ ........ .....r.. ........ ........";
    const char *shut_in = "brr..... rrr..... rrr..... ........ ........ ........ ........ ........";
    for (uint32_t side = 0; side < 2; side++) {
        assert_ending(empty, side, 10, TURF_DRAWN);
        assert_ending(only_blue, side, 10, TURF_WON_BY_FIRST);
        assert_ending(only_red, side, 10, TURF_WON_BY_SECOND);
        assert_ending(both, side, 249, TURF_N_ENDINGS);
        assert_ending(both, side, 250, TURF_EXHAUSTED);
        /* The 250th move may still win. */
        assert_ending(only_blue, side, 250, TURF_WON_BY_FIRST);
        assert_ending(empty, side, 250, TURF_DRAWN);
    }
    assert_ending(shut_in, 0, 10, TURF_STALEMATE);
    assert_ending(shut_in, 1, 10, TURF_N_ENDINGS);
    assert_ending(shut_in, 0, 250, TURF_EXHAUSTED);
}

static void the_seeds_piece_at_3_8_has_the_moves_it_names(void **state)
{
    (void)state;
    WolState board =
        board_from(".......r .r...... ...bb.rb bb...r.. .brb.bb. .b...r.. ..b.brrr ..r...rr");
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = wol_moves(&board, moves), n_found = 0;
    for (size_t i = 0; i < n_moves; i++) {
        json_t *json = war_of_life.move_to_json(&board, moves[i]);
        if (json_integer_value(json_array_get(json, 0)) == 3 &&
            json_integer_value(json_array_get(json, 1)) == 8) {
            static const int wanted[4][2] = {{2, 7}, {2, 8}, {4, 7}, {4, 8}};
            assert_true(n_found < 4);
            assert_int_equal(json_integer_value(json_array_get(json, 2)), wanted[n_found][0]);
            assert_int_equal(json_integer_value(json_array_get(json, 3)), wanted[n_found][1]);
            n_found++;
        }
        json_decref(json);
    }
    assert_int_equal(n_found, 4);
}

static uint64_t slow_perft(const SlowBoard *board, int depth)
{
    SlowMove moves[SLOW_MAX_MOVES];
    uint64_t sum = 0;
    if (depth == 0)
        return 1;
    if (slow_ending(board) != SLOW_GOES_ON)
        return 0;
    int n_moves = slow_moves(board, moves);
    for (int i = 0; i < n_moves; i++) {
        SlowBoard child = *board;
        slow_play(&child, moves[i]);
        sum += slow_perft(&child, depth - 1);
    }
    return sum;
}

static uint64_t fast_perft(const WolState *board, int depth)
{
    TurfMove   moves[TURF_MAX_MOVES];
    TurfEnding ending;
    uint64_t   sum = 0;
    if (depth == 0)
        return 1;
    if (wol_is_over(board, &ending))
        return 0;
    size_t n_moves = wol_moves(board, moves);
    for (size_t i = 0; i < n_moves; i++) {
        WolState child = *board;
        wol_apply(&child, moves[i]);
        sum += fast_perft(&child, depth - 1);
    }
    return sum;
}

static void perft_of_the_named_starts_equals_the_slow_count(void **state)
{
    (void)state;
    for (const NamedStart *start = war_of_life.starts; start->name; start++) {
        WolState fast;
        TurfRng  rng = turf_rng(7);
        assert_true(war_of_life.start(&fast, start->name, &rng));
        SlowBoard slow = slow_from(&fast);
        assert_int_equal(fast_perft(&fast, 3), slow_perft(&slow, 3));
    }
}

static void named_starts_are_those_of_the_old_program(void **state)
{
    (void)state;
    WolState board;
    TurfRng  rng = turf_rng(1);
    assert_true(war_of_life.start(&board, "cross", &rng));
    assert_board(&board, "b......r .b....r. ..b..r.. ...br... ...rb... ..r..b.. .r....b. r......b");
    assert_true(war_of_life.start(&board, "checkers", &rng));
    assert_board(&board, "........ ........ b.b.b.b. .b.b.b.b r.r.r.r. .r.r.r.r ........ ........");
    assert_true(war_of_life.start(&board, "gliders", &rng));
    assert_board(&board, "..b..... b.b..... .bb..... ........ ........ .....rrr .....r.. ......r.");
}

static void oracle_cranks_agree(void **state)
{
    (void)state;
    FILE *file = oracle_open("war-of-life/crank.jsonl");
    int   n = 0;
    if (!file)
        skip();
    for (json_t *line; (line = json_line(file)); n++) {
        WolState board = {.pieces = {cells_of(json_object_get(line, "blue")),
                                     cells_of(json_object_get(line, "red"))}};
        wol_turn_crank(&board);
        assert_int_equal(board.pieces[0], cells_of(json_object_get(line, "next_blue")));
        assert_int_equal(board.pieces[1], cells_of(json_object_get(line, "next_red")));
        json_decref(line);
    }
    fclose(file);
    print_message("# %d cranks checked\n", n);
    assert_int_equal(n, 1000);
}

static void oracle_question_1_agrees_for_three_generations(void **state)
{
    (void)state;
    FILE    *file = oracle_open("war-of-life/question1.txt");
    char     line[256], rows[4][80] = {""};
    WolState board;
    int      generation = -1;
    if (!file)
        skip();
    while (fgets(line, sizeof line, file)) {
        if (!strncmp(line, "generation", 10))
            generation++;
        else if (strlen(line) >= 8 && generation >= 0 && generation < 4) {
            size_t used = strlen(rows[generation]);
            snprintf(rows[generation] + used, sizeof rows[0] - used, "%s%.8s", used ? " " : "",
                     line);
        }
    }
    fclose(file);
    assert_int_equal(generation, 3);
    board = board_from(rows[0]);
    for (int i = 1; i < 4; i++) {
        wol_turn_crank(&board);
        assert_board(&board, rows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crank_equals_the_slow_one_on_ten_million_boards),
        cmocka_unit_test(a_lonely_piece_dies_and_a_block_lives),
        cmocka_unit_test(a_birth_takes_the_colour_of_the_majority),
        cmocka_unit_test(a_crowded_piece_dies_and_edges_do_not_wrap),
        cmocka_unit_test(moves_and_endings_equal_the_slow_ones),
        cmocka_unit_test(whole_games_equal_the_slow_ones),
        cmocka_unit_test(every_ending_is_told_apart),
        cmocka_unit_test(the_seeds_piece_at_3_8_has_the_moves_it_names),
        cmocka_unit_test(perft_of_the_named_starts_equals_the_slow_count),
        cmocka_unit_test(named_starts_are_those_of_the_old_program),
        cmocka_unit_test(oracle_cranks_agree),
        cmocka_unit_test(oracle_question_1_agrees_for_three_generations),
    };
    return cmocka_run_group_tests_name("war of life rules", tests, NULL, NULL);
}
