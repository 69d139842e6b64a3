/* Move histories: the position after any number of plies is the one that playing them leads to. */
#include "support.h"

#include "live/finish.h"
#include "live/move_history.h"
#include "live/replay.h"

#include <string.h>

static void start_game(const TurfGame *game, TurfState *start)
{
    TurfRng   rng = turf_rng(3);
    TurfError error;
    if (!turf_start(game, NULL, &rng, start, &error))
        fail_msg("%s", error.text);
}

/* Some legal ply; of both sides, one cell that the first side may colonise. */
static Ply some_ply(const TurfGame *game, const TurfState *state, TurfRng *rng, TurfCell *cell)
{
    TurfMove moves[TURF_MAX_MOVES];
    Ply      ply = {.side = (int)game->to_move(state)};
    if (!game_is_simultaneous(game)) {
        ply.move = moves[rng->state++ % game->moves(state, moves)];
        return ply;
    }
    ply.side = SIDE_BOTH;
    for (int i = 0; i < 24 * 24 && ply.actions[0].n_cells == 0; i++) {
        TurfAction action = {cell, 1};
        *cell = (TurfCell){i / 24, i % 24};
        if (game->is_legal_action(state, TURF_FIRST, &action, NULL))
            ply.actions[0] = action;
    }
    return ply;
}

/* Plays up to `max` plies; `states` gets the position after each. */
static size_t play(MoveHistory *history, TurfState *states, size_t max)
{
    TurfRng    rng = turf_rng(5);
    TurfEnding ending;
    TurfCell   cell;
    size_t     n = 0;
    states[0] = history->state;
    while (n < max && !history->game->is_over(&history->state, &ending)) {
        Ply ply = some_ply(history->game, &history->state, &rng, &cell);
        assert_true(history_add(history, &ply, 7));
        states[++n] = history->state;
    }
    assert_int_equal(history->n_plies, n);
    return n;
}

enum { MAX_PLIES = 200 };
static TurfState states[MAX_PLIES + 1];

static void assert_at(const MoveHistory *history, size_t n_plies)
{
    assert_int_equal(history->n_plies, n_plies);
    assert_memory_equal(&history->state, &states[n_plies], history->game->state_size);
}

static void seeking_leads_to_the_positions_that_were_played(void **state)
{
    (void)state;
    const TurfGame *game;
    for (size_t i = 0; (game = turf_game_at(i)); i++) {
        MoveHistory history;
        TurfState   start;
        start_game(game, &start);
        history_init(&history, game, &start);
        size_t n = play(&history, states, MAX_PLIES), n_cells = history.n_cells;
        for (size_t at = n + 1; at-- > 0;) {
            history_seek(&history, at);
            assert_at(&history, at);
        }
        assert_int_equal(history.n_cells, 0);
        for (size_t at = 0; at <= n; at += 3) {
            history_seek(&history, at);
            assert_at(&history, at);
        }
        history_seek(&history, n);
        assert_at(&history, n);
        assert_int_equal(history.n_cells, n_cells);
        history_release(&history);
    }
}

static void a_new_ply_replaces_those_taken_back(void **state)
{
    (void)state;
    MoveHistory history;
    TurfState   start;
    TurfMove    moves[TURF_MAX_MOVES];
    start_game(&amoeba_wars, &start);
    history_init(&history, &amoeba_wars, &start);
    size_t n = play(&history, states, 150);
    assert_true(n > CHECKPOINT_PLIES);
    history_seek(&history, CHECKPOINT_PLIES - 1);
    assert_int_equal(history.n_kept, n);
    size_t n_moves = amoeba_wars.moves(&history.state, moves);
    Ply    ply = {.side = (int)amoeba_wars.to_move(&history.state), .move = moves[n_moves - 1]};
    assert_true(history_add(&history, &ply, 0));
    assert_int_equal(history.n_kept, CHECKPOINT_PLIES);
    TurfState after = history.state, again;
    history_seek(&history, 0);
    history_position_at(&history, CHECKPOINT_PLIES, &again);
    assert_memory_equal(&after, &again, amoeba_wars.state_size);
    history_release(&history);
}

static void a_copy_has_the_plies_up_to_the_current_position(void **state)
{
    (void)state;
    MoveHistory history, copy;
    TurfState   start;
    start_game(&ai_battleground, &start);
    history_init(&history, &ai_battleground, &start);
    (void)play(&history, states, 10);
    history_seek(&history, 6);
    assert_true(history_copy(&copy, &history));
    history_release(&history);
    assert_at(&copy, 6);
    assert_int_equal(copy.n_kept, 6);
    assert_int_equal(copy.plies[5].ms, 7);
    history_release(&copy);
}

static void a_history_written_as_json_reads_back(void **state)
{
    (void)state;
    const TurfGame *game;
    for (size_t i = 0; (game = turf_game_at(i)); i++) {
        MoveHistory history, again;
        TurfState   start;
        TurfError   error;
        start_game(game, &start);
        history_init(&history, game, &start);
        size_t  n = play(&history, states, 20);
        json_t *begin = game->to_json(&start), *moves = history_moves_json(&history);
        if (!history_read(&again, game, begin, moves, NULL, &error))
            fail_msg("%s: %s", game->name, error.text);
        assert_at(&again, n);
        history_release(&again);
        json_array_append_new(moves, json_string("no move"));
        assert_false(history_read(&again, game, begin, moves, NULL, &error));
        assert_int_equal(error.code, TURF_ERROR_INVALID);
        assert_non_null(strstr(error.text, "of the record is wrong"));
        json_decref(begin);
        json_decref(moves);
        history_release(&history);
    }
}

static void a_loss_outside_the_rules_is_won_by_the_other_side(void **state)
{
    (void)state;
    Finish finish = finish_by_loss(&war_of_life, 0, "resigned", "blue resigned");
    assert_int_equal(finish.winner, 1);
    assert_string_equal(finish.outcome, "red");
    assert_string_equal(finish.reason, "resigned");
    assert_string_equal(finish.text, "blue resigned");
    assert_int_equal(finish_without_winner("abandoned", "").winner, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeking_leads_to_the_positions_that_were_played),
        cmocka_unit_test(a_new_ply_replaces_those_taken_back),
        cmocka_unit_test(a_copy_has_the_plies_up_to_the_current_position),
        cmocka_unit_test(a_history_written_as_json_reads_back),
        cmocka_unit_test(a_loss_outside_the_rules_is_won_by_the_other_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
