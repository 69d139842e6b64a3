/* Live games by themselves: no server, no terminal, and a clock that the test sets. */
#include "support.h"

#include "live/choose_ply.h"
#include "live/live_game.h"

#include <string.h>

#define SECOND INT64_C(1000000000)

/* A live game between two people at time 1 s. */
static LiveGame begin(const TurfGame *rules, int64_t initial_ms, int64_t gain_ms)
{
    LiveGame  game;
    TurfState start;
    TurfRng   rng = turf_rng(3);
    TurfError error;
    GameClock clock = game_clock(initial_ms, gain_ms);
    if (!turf_start(rules, NULL, &rng, &start, &error))
        fail_msg("%s", error.text);
    live_game_init(&game, rules, &start, &clock, SECOND);
    game.is_person[0] = game.is_person[1] = true;
    live_game_update_clocks(&game, SECOND);
    return game;
}

static void play_first(LiveGame *game, int64_t now_ns)
{
    const TurfGame *rules = game->history.game;
    TurfMove        moves[TURF_MAX_MOVES];
    assert_true(rules->moves(&game->history.state, moves) > 0);
    Ply ply = {.side = (int)rules->to_move(&game->history.state), .move = moves[0]};
    assert_true(live_game_play(game, &ply, now_ns));
}

static void commit_nothing(LiveGame *game, int side)
{
    assert_true(live_game_commit(game, side, &(TurfAction){NULL, 0}, 2 * SECOND));
}

/* ---- clocks ---- */

static void only_the_side_to_move_loses_time(void **state)
{
    (void)state;
    LiveGame game = begin(&war_of_life, 10000, 2000);
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 4 * SECOND), 7000);
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 4 * SECOND), 10000);
    play_first(&game, 4 * SECOND);
    assert_int_equal(game.history.plies[0].ms, 3000);
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 9 * SECOND), 9000); /* with the gain */
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 9 * SECOND), 5000);
    live_game_release(&game);
}

static void time_is_gained_for_a_turn_and_not_for_each_ply_of_it(void **state)
{
    (void)state;
    LiveGame game = begin(&amoeba_wars, 10000, 2000);
    play_first(&game, SECOND); /* the first turn has one move */
    assert_int_equal(game_clock_left_ms(&game.clock, 0, SECOND), 12000);
    play_first(&game, SECOND);
    play_first(&game, SECOND);
    assert_int_equal(game_clock_left_ms(&game.clock, 1, SECOND), 10000);
    play_first(&game, SECOND);
    assert_int_equal(game_clock_left_ms(&game.clock, 1, SECOND), 12000);
    live_game_release(&game);
}

static void a_paused_clock_stands(void **state)
{
    (void)state;
    LiveGame game = begin(&war_of_life, 10000, 0);
    game.is_paused[0] = true;
    live_game_update_clocks(&game, 2 * SECOND);
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 60 * SECOND), 9000);
    assert_false(live_game_check_time(&game, 60 * SECOND));
    live_game_release(&game);
}

static void a_side_whose_clock_runs_out_has_lost(void **state)
{
    (void)state;
    LiveGame game = begin(&war_of_life, 10000, 0);
    assert_false(live_game_check_time(&game, 10 * SECOND));
    assert_true(live_game_check_time(&game, 11 * SECOND));
    assert_true(game.is_over);
    assert_int_equal(game.finish.winner, 1);
    assert_string_equal(game.finish.reason, "time");
    assert_string_equal(game.finish.text, "blue ran out of time");
    assert_false(live_game_check_time(&game, 99 * SECOND)); /* once */
    live_game_release(&game);
}

/* ---- pending actions ---- */

static void a_turn_of_both_is_played_once_both_have_committed(void **state)
{
    (void)state;
    LiveGame game = begin(&ai_battleground, 10000, 0);
    assert_true(live_game_is_due(&game, 0) && live_game_is_due(&game, 1));
    commit_nothing(&game, 1);
    assert_true(live_game_is_due(&game, 0) && !live_game_is_due(&game, 1));
    assert_int_equal(game.history.n_plies, 0);
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 5 * SECOND), 9000); /* stands since 2 s */
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 5 * SECOND), 6000);
    commit_nothing(&game, 1); /* it may think again */
    commit_nothing(&game, 0);
    assert_int_equal(game.history.n_plies, 1);
    assert_false(game.pending[0].is_in || game.pending[1].is_in);
    live_game_release(&game);
}

static void a_rolled_back_commitment_leaves_the_earlier_one(void **state)
{
    (void)state;
    LiveGame game = begin(&ai_battleground, 0, 0);
    TurfCell cell = {3, 4};
    assert_true(live_game_commit(&game, 0, &(TurfAction){&cell, 1}, SECOND));
    commit_nothing(&game, 0);
    assert_int_equal(game.pending[0].n_cells, 0);
    live_game_rollback(&game);
    assert_true(game.pending[0].is_in);
    assert_int_equal(game.pending[0].n_cells, 1);
    assert_int_equal(game.pending[0].cells[0].col, 4);
    commit_nothing(&game, 0);
    commit_nothing(&game, 1);
    assert_int_equal(game.history.n_plies, 1);
    live_game_rollback(&game); /* as if the turn could not be stored */
    assert_int_equal(game.history.n_plies, 0);
    assert_true(game.pending[0].is_in && !game.pending[1].is_in);
    live_game_release(&game);
}

/* ---- undo ---- */

static void people_take_back_only_within_their_turn_unless_they_agree(void **state)
{
    (void)state;
    LiveGame game = begin(&amoeba_wars, 0, 0);
    assert_int_equal(live_game_undo_target(&game, 0, UNDO_TOGETHER), -1);
    play_first(&game, SECOND);
    assert_int_equal(live_game_undo_target(&game, 0, UNDO_OWN), -1);
    play_first(&game, SECOND);
    assert_int_equal(live_game_undo_target(&game, 1, UNDO_OWN), 1); /* in its turn of three */
    assert_int_equal(live_game_undo_target(&game, 0, UNDO_OWN), -1);
    assert_int_equal(live_game_undo_target(&game, 0, UNDO_TOGETHER), 1);
    live_game_release(&game);
}

static void against_a_player_its_answer_is_taken_back_too(void **state)
{
    (void)state;
    LiveGame  game = begin(&war_of_life, 0, 0);
    TurfState before;
    TurfError error;
    game.is_person[1] = false;
    play_first(&game, SECOND);
    play_first(&game, SECOND);
    before = game.history.state;
    play_first(&game, SECOND);
    play_first(&game, SECOND);
    assert_int_equal(live_game_undo_target(&game, 1, UNDO_OWN), -1);
    assert_true(live_game_undo(&game, 0, UNDO_OWN, SECOND, &error));
    assert_int_equal(game.history.n_plies, 2);
    assert_memory_equal(&game.history.state, &before, war_of_life.state_size);
    live_game_rollback(&game);
    assert_int_equal(game.history.n_plies, 4);
    assert_true(live_game_undo(&game, 0, UNDO_OWN, SECOND, &error));
    assert_true(live_game_undo(&game, 0, UNDO_OWN, SECOND, &error));
    assert_false(live_game_undo(&game, 0, UNDO_OWN, SECOND, &error));
    assert_int_equal(error.code, TURF_ERROR_INVALID);
    live_game_release(&game);
}

static void agreeing_takes_a_commitment_back_first(void **state)
{
    (void)state;
    LiveGame  game = begin(&ai_battleground, 0, 0);
    TurfError error;
    commit_nothing(&game, 0);
    commit_nothing(&game, 1);
    commit_nothing(&game, 1);
    assert_true(live_game_undo(&game, 0, UNDO_TOGETHER, SECOND, &error));
    assert_int_equal(game.history.n_plies, 1);
    assert_false(game.pending[1].is_in);
    assert_true(live_game_undo(&game, 0, UNDO_TOGETHER, SECOND, &error));
    assert_int_equal(game.history.n_plies, 0);
    live_game_release(&game);
}

static void an_undo_gives_back_what_the_moves_gained(void **state)
{
    (void)state;
    LiveGame  game = begin(&war_of_life, 10000, 5000);
    TurfError error;
    game.is_person[1] = false;
    play_first(&game, 10 * SECOND); /* 1 s left, and 5 gained */
    play_first(&game, 10 * SECOND);
    assert_true(live_game_undo(&game, 0, false, 10 * SECOND, &error));
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 10 * SECOND), 1000);
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 10 * SECOND), 10000);
    live_game_rollback(&game);
    assert_int_equal(game_clock_left_ms(&game.clock, 0, 10 * SECOND), 6000);
    /* Two seconds later, one second would be missing. */
    assert_false(live_game_undo(&game, 0, false, 12 * SECOND, &error));
    assert_int_equal(game.history.n_plies, 2);
    live_game_release(&game);
}

/* ---- the end, and rollback ---- */

static void who_resigns_has_lost_and_nothing_can_be_taken_back(void **state)
{
    (void)state;
    LiveGame  game = begin(&war_of_life, 10000, 0);
    TurfError error;
    play_first(&game, 2 * SECOND);
    live_game_resign(&game, 1, 3 * SECOND);
    assert_true(game.is_over);
    assert_int_equal(game.finish.winner, 0);
    assert_string_equal(game.finish.text, "red resigned");
    assert_false(live_game_is_due(&game, 1));
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 60 * SECOND), 9000);
    assert_false(live_game_undo(&game, 0, true, 3 * SECOND, &error));
    live_game_rollback(&game);
    assert_false(game.is_over);
    assert_true(live_game_is_due(&game, 1));
    assert_int_equal(game_clock_left_ms(&game.clock, 1, 7 * SECOND), 5000);
    live_game_release(&game);
}

static void a_rolled_back_ply_has_not_happened(void **state)
{
    (void)state;
    LiveGame game = begin(&squirrel_war, 10000, 1000), before = game;
    play_first(&game, 5 * SECOND);
    live_game_rollback(&game);
    assert_int_equal(game.history.n_plies, 0);
    assert_memory_equal(&game.history.state, &before.history.state, squirrel_war.state_size);
    assert_memory_equal(&game.clock, &before.clock, sizeof game.clock);
    assert_int_equal(game.changed_ns, before.changed_ns);
    live_game_release(&game);
}

/* ---- players ---- */

static void a_whole_game_between_players_ends_by_the_rules(void **state)
{
    (void)state;
    const TurfGame *rules;
    for (size_t i = 0; (rules = turf_game_at(i)); i++) {
        static TurfCell cells[TURF_MAX_CELLS];
        LiveGame        game = begin(rules, 0, 0);
        TurfRng         rng = turf_rng(9);
        TurfError       error;
        Ply             ply;
        Forfeit         forfeit;
        TurfPlayer     *player = turf_player_open(rules, "random", &error);
        TurnContext     turn = {.rng = &rng, .forfeit = &forfeit};
        while (!game.is_over) {
            int side = live_game_is_due(&game, 0) ? 0 : 1;
            assert_true(
                choose_ply(player, &game.history.state, (TurfSide)side, &turn, cells, &ply));
            if (game_is_simultaneous(rules))
                assert_true(live_game_commit(&game, side, &ply.actions[side], SECOND));
            else
                assert_true(live_game_play(&game, &ply, SECOND));
        }
        assert_string_equal(game.finish.reason, "rules");
        turf_player_free(player);
        live_game_release(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_side_to_move_loses_time),
        cmocka_unit_test(time_is_gained_for_a_turn_and_not_for_each_ply_of_it),
        cmocka_unit_test(a_paused_clock_stands),
        cmocka_unit_test(a_side_whose_clock_runs_out_has_lost),
        cmocka_unit_test(a_turn_of_both_is_played_once_both_have_committed),
        cmocka_unit_test(a_rolled_back_commitment_leaves_the_earlier_one),
        cmocka_unit_test(people_take_back_only_within_their_turn_unless_they_agree),
        cmocka_unit_test(against_a_player_its_answer_is_taken_back_too),
        cmocka_unit_test(agreeing_takes_a_commitment_back_first),
        cmocka_unit_test(an_undo_gives_back_what_the_moves_gained),
        cmocka_unit_test(who_resigns_has_lost_and_nothing_can_be_taken_back),
        cmocka_unit_test(a_rolled_back_ply_has_not_happened),
        cmocka_unit_test(a_whole_game_between_players_ends_by_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
