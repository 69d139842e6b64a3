/* The strategies: exactly the best moves, compared with plain minimax on the slow stepper, and the
 * games of the course's own program. */
#include "support.h"

#include "players/player.h"

#include <string.h>

static const TurnContext no_luck = {.rng = NULL};

typedef struct Case {
    const char *spec;
    int         depth, own_weight, other_weight;
    bool        wins_beyond;
    int         n_boards;
} Case;

static const Case cases[] = {
    {"bloodlust", 1, 0, -1, false, 3000}, {"self-preservation", 1, 1, 0, false, 3000},
    {"land-grab", 1, 1, -1, false, 3000}, {"minimax:depth=1", 1, 1, -1, false, 300},
    {"minimax", 2, 1, -1, false, 400},    {"minimax:wins=beyond", 2, 1, -1, true, 400},
};

/* All the best moves by brute force, in order. */
static int brute_force(const WolState *state, const Case *c, TurfMove *best, size_t *n_best)
{
    SlowBoard board = slow_from(state);
    SlowMove  moves[SLOW_MAX_MOVES];
    int       n_moves = slow_moves(&board, moves), best_value = 0;
    *n_best = 0;
    for (int i = 0; i < n_moves; i++) {
        int value =
            slow_value(&board, moves[i], c->depth, c->own_weight, c->other_weight, c->wins_beyond);
        if (i == 0 || value > best_value) {
            best_value = value;
            *n_best = 0;
        }
        if (value == best_value)
            best[(*n_best)++] = fast_move(moves[i]);
    }
    return best_value;
}

static void check(const Case *c, const WolState *board)
{
    TurfError   error;
    TurfMove    wanted[TURF_MAX_MOVES], moves[TURF_MAX_MOVES];
    size_t      n_wanted;
    TurfPlayer *player = turf_player_open(&war_of_life, c->spec, &error);
    assert_non_null(player);
    int    value = brute_force(board, c, wanted, &n_wanted);
    Choice all = player_choose_move(player, board, true, &no_luck, moves);
    assert_int_equal(all.value, value);
    assert_int_equal(all.n_moves, n_wanted);
    assert_memory_equal(moves, wanted, n_wanted * sizeof *moves);
    Choice first = player_choose_move(player, board, false, &no_luck, moves);
    assert_int_equal(first.n_moves, 1);
    assert_int_equal(first.value, value);
    assert_int_equal(moves[0], wanted[0]);
    turf_player_free(player);
}

static void best_moves_are_exactly_those_of_brute_force(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(1);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint64_t i = 0, n = scaled((uint64_t)cases[c].n_boards); i < n; i++) {
            WolState board = board_from_play(&rng);
            check(&cases[c], &board);
        }
}

/* Few pieces, so that brute force can go three deep, and near the end of the 250 moves. */
static void deep_minimax_is_exact_on_small_boards(void **state)
{
    (void)state;
    static const Case deep[] = {{"minimax:depth=3", 3, 1, -1, false, 0},
                                {"minimax:depth=3,wins=beyond", 3, 1, -1, true, 0}};
    TurfRng           rng = turf_rng(2);
    for (uint64_t i = 0, n = scaled(40); i < n; i++) {
        WolState   board = {.to_move = rng_below(&rng, 2), .moves_made = 244 + rng_below(&rng, 6)};
        TurfEnding ending;
        /* Two clusters of each colour that survive a crank or two. */
        for (int side = 0; side < 2; side++)
            board.pieces[side] = (UINT64_C(0x0303) | (rng_below(&rng, 2) ? UINT64_C(0x40000) : 0))
                                 << (side ? 36 + rng_below(&rng, 3) : rng_below(&rng, 4));
        if (wol_is_over(&board, &ending))
            continue;
        check(&deep[0], &board);
        check(&deep[1], &board);
    }
}

/* Minimax through the game table without any cut-off. */
static int plain_value(const TurfGame *game, const TurfState *state, const Lookahead *plan,
                       TurfMover root, int depth)
{
    TurfEnding ending;
    TurfMove   moves[TURF_MAX_MOVES];
    bool       is_over = game->is_over(state, &ending);
    if (is_over && plan->wins_beyond)
        return ending > TURF_WON_BY_SECOND ? 0
               : (int)ending == (int)root  ? LOOKAHEAD_WIN
                                           : -LOOKAHEAD_WIN;
    if (is_over || depth == 0)
        return plan->own_weight * game->own(state, (TurfSide)root) +
               plan->opponent_weight * game->own(state, (TurfSide)!root);
    size_t n_moves = game->moves(state, moves);
    bool   is_maximum = game->to_move(state) == root;
    int    best = 0;
    for (size_t i = 0; i < n_moves; i++) {
        TurfState child = *state;
        game->apply(&child, moves[i]);
        int value = plain_value(game, &child, plan, root, depth - 1);
        if (i == 0 || (is_maximum ? value > best : value < best))
            best = value;
    }
    return best;
}

static void lookahead_equals_plain_minimax_in_every_game(void **state)
{
    (void)state;
    static const struct {
        const TurfGame *game;
        const char     *start;
    } games[] = {{&amoeba_wars, "3x3"},
                 {&amoeba_wars, "4x4"},
                 {&amoeba_wars, "9x9"},
                 {&squirrel_war, NULL},
                 {&war_of_life, NULL}};
    for (size_t c = 0; c < sizeof games / sizeof games[0]; c++)
        for (uint64_t i = 0, n = scaled(60); i < n; i++) {
            const TurfGame *game = games[c].game;
            TurfRng         rng = rng_stream(c, i);
            TurfState       position = {{0}};
            TurfMove        moves[TURF_MAX_MOVES], best[TURF_MAX_MOVES], wanted[TURF_MAX_MOVES];
            assert_true(turf_start(game, games[c].start, &rng, &position, NULL));
            for (uint32_t k = rng_below(&rng, 12); k > 0; k--) {
                size_t n_moves = turf_moves(game, &position, moves);
                if (n_moves > 0)
                    game->apply(&position, moves[rng_below(&rng, (uint32_t)n_moves)]);
            }
            size_t n_moves = turf_moves(game, &position, moves), n_wanted = 0;
            if (n_moves == 0)
                continue;
            Lookahead plan = {.own_weight = 1,
                              .opponent_weight = -1,
                              .depth = 1 + (int)(i % (c < 2 ? 4 : 2)),
                              .wins_beyond = i % 2};
            TurfMover root = game->to_move(&position);
            int       best_value = 0;
            for (size_t m = 0; m < n_moves; m++) {
                TurfState child = position;
                game->apply(&child, moves[m]);
                int value = plain_value(game, &child, &plan, root, plan.depth - 1);
                if (m == 0 || value > best_value) {
                    best_value = value;
                    n_wanted = 0;
                }
                if (value == best_value)
                    wanted[n_wanted++] = moves[m];
            }
            LookaheadResult result = lookahead_for(game)(game, &position, &plan, true, best);
            assert_int_equal(result.value, best_value);
            assert_int_equal(result.n_best, n_wanted);
            assert_memory_equal(best, wanted, n_wanted * sizeof *best);
        }
}

static void players_on_a_clock_move_legally_however_short_the_time(void **state)
{
    (void)state;
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        if (game_is_simultaneous(game))
            continue;
        TurfError   error = {0};
        TurfPlayer *player = turf_player_open(game, "alphabeta:time=1", &error);
        TurfRng     rng = turf_rng(1);
        TurfState   position = {{0}};
        TurfEnding  ending;
        assert_true(turf_start(game, NULL, &rng, &position, NULL));
        for (int i = 0; i < 20 && !turf_is_over(game, &position, &ending); i++)
            assert_true(turf_play(game, &position, chosen_by(player, &position, &rng), &error));
        turf_player_free(player);
    }
}

static void table_and_rules_header_searches_agree(void **state)
{
    (void)state;
    TurfRng rng = turf_rng(3);
    for (uint64_t i = 0, n = scaled(2000); i < n; i++) {
        WolState  board = board_from_play(&rng);
        TurfState any = {{0}};
        Lookahead plan = {.own_weight = 1,
                          .opponent_weight = -1,
                          .depth = 1 + (int)(i % 3),
                          .wins_beyond = i % 2};
        TurfMove  one[TURF_MAX_MOVES], two[TURF_MAX_MOVES];
        memcpy(&any, &board, sizeof board);
        LookaheadResult by_table = lookahead_table(&war_of_life, &any, &plan, true, one);
        LookaheadResult by_rules =
            lookahead_for(&war_of_life)(&war_of_life, &any, &plan, true, two);
        assert_int_equal(by_table.value, by_rules.value);
        assert_int_equal(by_table.n_best, by_rules.n_best);
        assert_memory_equal(one, two, by_table.n_best * sizeof *one);
    }
}

static void random_ties_play_every_best_move_and_no_other(void **state)
{
    (void)state;
    TurfError   error;
    TurfPlayer *player = turf_player_open(&war_of_life, "land-grab:ties=random", &error);
    TurfRng     rng = turf_rng(4);
    for (int i = 0; i < 50; i++) {
        WolState  board = board_from_play(&rng);
        TurfState any = {{0}};
        TurfMove  moves[TURF_MAX_MOVES];
        Choice    all = player_choose_move(player, &board, true, &no_luck, moves);
        bool      is_taken[TURF_MAX_MOVES] = {false};
        size_t    n_taken = 0;
        memcpy(&any, &board, sizeof board);
        for (size_t draw = 0; draw < 60 * all.n_moves; draw++) {
            TurfMove move = chosen_by(player, &any, &rng);
            size_t   m = 0;
            while (m < all.n_moves && moves[m] != move)
                m++;
            assert_true(m < all.n_moves);
            n_taken += !is_taken[m];
            is_taken[m] = true;
        }
        assert_int_equal(n_taken, all.n_moves);
    }
    turf_player_free(player);
}

/* What the old program says of how a game ended: it calls a game exhausted whose 250th move wins.
 */
static const char *old_name(TurfEnding ending, uint32_t length)
{
    static const char *const names[TURF_N_ENDINGS] = {"b", "r", "draw", "stalemate", "exhaust"};
    return length == 250 ? "exhaust" : names[ending];
}

static void games_equal_those_of_the_oracle(void **state)
{
    (void)state;
    FILE     *file = oracle_open("war-of-life/games.jsonl");
    int       n = 0;
    TurfError error;
    if (!file)
        skip();
    for (json_t *line; (line = json_line(file)); n++) {
        TurfPlayer *players[2] = {
            turf_player_open(&war_of_life, json_string_value(json_object_get(line, "p1")), &error),
            turf_player_open(&war_of_life, json_string_value(json_object_get(line, "p2")), &error)};
        WolState   board = {.pieces = {cells_of(json_object_get(line, "blue")),
                                       cells_of(json_object_get(line, "red"))}};
        TurfEnding ending;
        assert_non_null(players[0]);
        assert_non_null(players[1]);
        while (!wol_is_over(&board, &ending)) {
            TurfMove moves[TURF_MAX_MOVES];
            player_choose_move(players[board.to_move], &board, false, &no_luck, moves);
            wol_apply(&board, moves[0]);
        }
        assert_int_equal(board.moves_made, json_integer_value(json_object_get(line, "moves")));
        assert_string_equal(old_name(ending, board.moves_made),
                            json_string_value(json_object_get(line, "winner")));
        turf_player_free(players[0]);
        turf_player_free(players[1]);
        json_decref(line);
    }
    fclose(file);
    print_message("# %d games checked\n", n);
    assert_int_equal(n, 991);
}

static void assert_refused(const char *spec, const char *fragment)
{
    TurfError error = {0};
    assert_null(turf_player_open(&war_of_life, spec, &error));
    if (!strstr(error.text, fragment))
        fail_msg("'%s' gave: %s", spec, error.text);
}

static void malformed_descriptions_are_rejected_with_what_to_type(void **state)
{
    (void)state;
    assert_refused("berserk", "choose from random, bloodlust");
    assert_refused("", "choose from");
    assert_refused("s-p", "choose from random, bloodlust, self-preservation, land-grab, minimax");
    assert_refused("random:ties=first", "has no options (got 'ties')");
    assert_refused("bloodlust:depth=2", "no option 'depth'; it has ties=first|random");
    assert_refused("minimax:depth=0", "depth must be an integer from 1 to 20, not 0");
    assert_refused("minimax:depth=21", "from 1 to 20");
    assert_refused("minimax:depth=two", "from 1 to 20");
    assert_refused("minimax:depth", "depth needs a value: an integer from 1 to 20");
    assert_refused("minimax:ties=last", "ties must be first or random, not last");
    assert_refused("minimax:wins=", "wins needs a value: measure or beyond");
    assert_refused("minimax:s=2", "no option 's'");
    assert_refused("minimax:ties=first,ties=random", "ties is given twice");
    assert_refused("alphabeta:depth=3,time=50", "one limit only");
    assert_refused("alphabeta:nodes=3,time=50", "one limit only");
    assert_refused("mcts:sims=3,time=50", "one limit only: time or sims");
    assert_refused("alphabeta:without=luck", "without must be crank, mobility, reductions or net");
    assert_refused("alphabeta:without=", "without needs a value: crank");
    assert_refused("mcts:depth=2", "no option 'depth'");
    assert_refused("perfect", "choose from");
    assert_refused("\x01=random", "printable");
}

static void descriptions_have_one_canonical_form(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"self_preservation", "self-preservation", "self-preservation"},
        {"self", "self-preservation", "self-preservation"},
        {"greedy", "land-grab", "land-grab"},
        {"minimax:depth=2", "minimax", "minimax"},
        {"minimax:ties=random,depth=3", "minimax:depth=3,ties=random",
         "minimax:depth=3,ties=random"},
        {"deep=minimax:depth=4", "deep", "minimax:depth=4"},
        {"x=random", "x", "random"},
        {"alphabeta:hash=16,nodes=50", "alphabeta:nodes=50", "alphabeta:nodes=50"},
        {"alphabeta:without=mobility+crank", "alphabeta:without=crank+mobility",
         "alphabeta:without=crank+mobility"},
        {"mcts:hash=64,sims=7", "mcts:sims=7", "mcts:sims=7"},
        {"level=3", "level:3", "level:3"},
        {"x=minimax:wins=beyond,ties=random,depth=3", "x",
         "minimax:depth=3,ties=random,wins=beyond"},
        {"x=alphabeta:ties=random,without=reductions,threads=2,hash=4,nodes=9", "x",
         "alphabeta:nodes=9,hash=4,threads=2,without=reductions,ties=random"},
        {"x=mcts:hash=4,time=9", "x", "mcts:time=9,hash=4"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        TurfError   error = {0};
        TurfPlayer *player = turf_player_open(&war_of_life, pairs[i][0], &error);
        assert_string_equal(error.text, "");
        assert_string_equal(turf_player_name(player), pairs[i][1]);
        assert_string_equal(player->spec, pairs[i][2]);
        turf_player_free(player);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_moves_are_exactly_those_of_brute_force),
        cmocka_unit_test(deep_minimax_is_exact_on_small_boards),
        cmocka_unit_test(table_and_rules_header_searches_agree),
        cmocka_unit_test(lookahead_equals_plain_minimax_in_every_game),
        cmocka_unit_test(players_on_a_clock_move_legally_however_short_the_time),
        cmocka_unit_test(random_ties_play_every_best_move_and_no_other),
        cmocka_unit_test(games_equal_those_of_the_oracle),
        cmocka_unit_test(malformed_descriptions_are_rejected_with_what_to_type),
        cmocka_unit_test(descriptions_have_one_canonical_form),
    };
    return cmocka_run_group_tests_name("strategies", tests, NULL, NULL);
}
