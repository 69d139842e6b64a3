/* The opponent model: inferring the depth of predictable players, and swindles against them. */
#include "support.h"

#include "games/squirrel_war.h"
#include "players/player.h"
#include "search/alphabeta.h"
#include "search/opponent_model.h"
#include "search/squirrel_solver.h"

static TurfPlayer *open_player(const char *spec)
{
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(&squirrel_war, spec, &error);
    if (!player)
        fail_msg("'%s': %s", spec, error.text);
    return player;
}

static TurfMove move_of(const TurfPlayer *player, const SwPosition *position, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    player_choose_move(player, position, false, &(TurnContext){.rng = rng}, moves);
    return moves[0];
}

static SwPosition any_start(TurfRng *rng)
{
    SwPosition position;
    assert_true(squirrel_war.start(&position, "random", rng));
    return position;
}

static TurfMove any_move(const SwPosition *position, TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    return moves[rng_below(rng, (uint32_t)squirrel_war.moves(position, moves))];
}

/* The model of a player after n of its moves against a random opponent. */
static OpponentModel watch(const char *spec, uint64_t number, int n_moves)
{
    TurfRng       rng = rng_stream(5, number);
    TurfPlayer   *watched = open_player(spec);
    SwPosition    position = any_start(&rng);
    OpponentModel opponent;
    opponent_reset(&opponent);
    for (; n_moves > 0; n_moves--) {
        TurfMove move = any_move(&position, &rng);
        opponent_note_move(&opponent, &squirrel_war, &position, move);
        squirrel_war.apply(&position, move);
        squirrel_war.apply(&position, move_of(watched, &position, &rng));
        opponent_observe(&opponent, &squirrel_war, &position);
    }
    turf_player_free(watched);
    return opponent;
}

static void depth_of_a_lookahead_player_is_inferred(void **state)
{
    (void)state;
    static const char *const specs[] = {NULL, "land-grab", "minimax", "minimax:depth=3",
                                        "minimax:depth=4"};
    for (int depth = 1; depth <= MAX_OPPONENT_DEPTH; depth++)
        for (uint64_t i = 0; i < 5; i++) {
            OpponentModel opponent = watch(specs[depth], i, 9);
            assert_int_equal(opponent_depth(&opponent), depth);
        }
}

static void random_player_is_not_mistaken_for_lookahead(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        OpponentModel opponent = watch("random", i, 6);
        assert_int_equal(opponent_depth(&opponent), 0);
    }
}

static void unknown_opponent_has_the_prior(void **state)
{
    (void)state;
    OpponentModel opponent = watch("minimax", 1, 9);
    assert_int_not_equal(opponent_depth(&opponent), 0);
    TurfRng    rng = rng_stream(6, 0);
    SwPosition other = any_start(&rng);
    opponent_observe(&opponent, &squirrel_war, &other);
    assert_int_equal(opponent_depth(&opponent), 0);
}

/* The best final lead against a player, by exhaustive search. */
static int max_against(const TurfPlayer *player, const SwPosition *position, TurfSide side)
{
    TurfMove   moves[TURF_MAX_MOVES];
    TurfEnding ending;
    if (squirrel_war.is_over(position, &ending))
        return squirrel_war.own(position, side) - squirrel_war.own(position, (TurfSide)!side);
    SwPosition after = *position;
    if (squirrel_war.to_move(position) != (TurfMover)side) {
        squirrel_war.apply(&after, move_of(player, position, NULL));
        return max_against(player, &after, side);
    }
    size_t n_moves = squirrel_war.moves(position, moves);
    int    max = -10000;
    for (size_t i = 0; i < n_moves; i++) {
        after = *position;
        squirrel_war.apply(&after, moves[i]);
        int lead = max_against(player, &after, side);
        max = lead > max ? lead : max;
    }
    return max;
}

static void swindle_is_optimal_against_the_modelled_opponent(void **state)
{
    (void)state;
    const AbGame *how = ab_game_for(&squirrel_war, NULL);
    TurfPlayer   *opponent = open_player("minimax");
    for (uint64_t i = 0; i < 40; i++) {
        TurfRng    rng = rng_stream(7, i);
        SwPosition position = any_start(&rng);
        while (sw_count(sw_empty(&position.board)) > 5 + (int)(i % 4))
            squirrel_war.apply(&position, any_move(&position, &rng));
        TurfSide    side = (TurfSide)squirrel_war.to_move(&position);
        SwindlePlan plan = {.opponent_depth = 2, .measure = how->measure, .unit = how->unit};
        Swindle     swindle = opponent_swindle(&squirrel_war, &position, &plan);
        assert_true(swindle.is_found);
        assert_int_equal(swindle.hope, how->unit * max_against(opponent, &position, side));
        squirrel_war.apply(&position, swindle.move);
        assert_int_equal(swindle.hope, how->unit * max_against(opponent, &position, side));
    }
    turf_player_free(opponent);
}

/* Plays a game against a predictable player: 1 won, 0 drawn, -1 lost. */
static int play_against(TurfPlayer *player, const TurfPlayer *opponent, SwSolver *solver,
                        uint64_t number)
{
    TurfRng    rng = rng_stream(8, number);
    SwPosition position = any_start(&rng);
    TurfEnding ending;
    assert_true(player_begin_game(player, NULL, NULL));
    while (!squirrel_war.is_over(&position, &ending)) {
        bool is_exact = sw_count(sw_empty(&position.board)) <= 10,
             is_its_turn = position.board.to_move == TURF_SECOND;
        SwSolution before, after;
        if (is_exact)
            assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &before));
        squirrel_war.apply(&position, move_of(is_its_turn ? player : opponent, &position, &rng));
        if (!is_exact || !is_its_turn || before.lower < 0)
            continue;
        assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &after));
        assert_int_equal(-after.lower, before.lower);
    }
    int lead = squirrel_war.own(&position, TURF_SECOND) - squirrel_war.own(&position, TURF_FIRST);
    return (lead > 0) - (lead < 0);
}

static void swindles_win_lost_games_and_risk_no_won_ones(void **state)
{
    (void)state;
    TurfPlayer *player = open_player("alphabeta:nodes=10000,hash=2"),
               *sound = open_player("alphabeta:nodes=10000,hash=2,without=rival"),
               *opponent = open_player("minimax");
    SwSolver *solver = sw_solver_new(1 << 20, 1);
    assert_non_null(solver);
    int      with = 0, without = 0;
    uint64_t n_games = 24;
    for (uint64_t i = 0; i < n_games; i++) {
        with += play_against(player, opponent, solver, i);
        without += play_against(sound, opponent, solver, i);
    }
    assert_true(with > without);
    sw_solver_free(solver);
    turf_player_free(player);
    turf_player_free(sound);
    turf_player_free(opponent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_of_a_lookahead_player_is_inferred),
        cmocka_unit_test(random_player_is_not_mistaken_for_lookahead),
        cmocka_unit_test(unknown_opponent_has_the_prior),
        cmocka_unit_test(swindle_is_optimal_against_the_modelled_opponent),
        cmocka_unit_test(swindles_win_lost_games_and_risk_no_won_ones),
    };
    return cmocka_run_group_tests_name("opponent_model", tests, NULL, NULL);
}
