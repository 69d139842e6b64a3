/* turf.h as a C programmer may use it: every function in any order answers with a result or a
 * sentence, also for a position that is over, a game without turns, a bot, and a NULL. */
#include "support.h"

#include "players/player.h"

#include <stdlib.h>
#include <string.h>

static const TurfGame *const turns[] = {&war_of_life, &amoeba_wars, &squirrel_war};

static TurfMove choose_first(void *context, const TurfGame *game, const TurfState *state,
                             TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES] = {0};
    (void)context, (void)rng;
    (void)turf_moves(game, state, moves);
    return moves[0];
}

static TurfState start_of(const TurfGame *game)
{
    TurfRng   rng = turf_rng(1);
    TurfState state = {{0}};
    assert_true(turf_start(game, NULL, &rng, &state, NULL));
    return state;
}

static TurfState end_of(const TurfGame *game)
{
    TurfRng    rng = turf_rng(1);
    TurfState  state = start_of(game);
    TurfAction nothing[2] = {{NULL, 0}, {NULL, 0}};
    TurfMove   moves[TURF_MAX_MOVES];
    while (!turf_is_over(game, &state, NULL)) {
        size_t n_moves = turf_moves(game, &state, moves);
        if (turf_to_move(game, &state) == TURF_MOVER_BOTH)
            assert_true(turf_play_both(game, &state, nothing, NULL));
        else
            assert_true(turf_play(game, &state, moves[rng_below(&rng, (uint32_t)n_moves)], NULL));
    }
    return state;
}

static TurfPlayer *open(const TurfGame *game, const char *spec)
{
    TurfError   error = {.text = ""};
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        fail_msg("%s: %s", spec, error.text);
    return player;
}

/* A sentence, and with a NULL for the error no crash. */
#define assert_error(call, words)                                                                  \
    do {                                                                                           \
        TurfError error_ = {.text = ""}, *error = &error_;                                         \
        assert_false(call);                                                                        \
        if (error_.code != TURF_ERROR_INVALID || !strstr(error_.text, words))                      \
            fail_msg("'%s' instead of '%s'", error_.text, words);                                  \
        error = NULL;                                                                              \
        assert_false(call);                                                                        \
    } while (0)

static void bot_plays_in_runs_only(void **unused)
{
    (void)unused;
    static const TurfGame *const games[] = {&war_of_life, &ai_battleground};
    for (size_t g = 0; g < 2; g++) {
        TurfPlayer *bot = open(games[g], "mine=bot:true");
        TurfState   state = start_of(games[g]);
        TurfRng     rng = turf_rng(1);
        TurfMove    move;
        assert_error(turf_player_choose(bot, &state, &rng, &move, error),
                     "mine is a bot, which plays in runs only");
        turf_player_free(bot);
    }
}

static void every_player_of_a_game_without_turns_has_cells_and_no_move(void **unused)
{
    (void)unused;
    TurfState state = start_of(&ai_battleground);
    TurfRng   rng = turf_rng(1);
    TurfMove  move;
    for (size_t i = 0; player_kind_at(i); i++) {
        const PlayerKind *kind = player_kind_at(i);
        if (!player_kind_plays(kind, &ai_battleground) || kind->is_external)
            continue;
        TurfPlayer *player =
            open(&ai_battleground, strcmp(kind->name, "level") ? kind->name : "level=1");
        TurfCell  *cells = calloc(TURF_MAX_CELLS, sizeof *cells);
        TurfAction actions[2] = {{cells, 0}, {NULL, 0}};
        TurfState  next = state;
        assert_error(turf_player_choose(player, &state, &rng, &move, error), "both sides move");
        assert_true(turf_player_choose_cells(player, &state, TURF_FIRST, &rng, cells,
                                             &actions[0].n_cells, NULL));
        assert_true(turf_play_both(&ai_battleground, &next, actions, NULL));
        assert_error(turf_player_choose_cells(player, &state, (TurfSide)2, &rng, cells,
                                              &actions[0].n_cells, error),
                     "a side is");
        free(cells);
        turf_player_free(player);
    }
}

static void custom_player_needs_a_game_with_turns(void **unused)
{
    (void)unused;
    assert_error(turf_player_custom(&ai_battleground, "mine", choose_first, NULL, error),
                 "both sides move at once");
    assert_error(turf_player_custom(&war_of_life, NULL, choose_first, NULL, error), "a name");
    assert_error(turf_player_custom(&war_of_life, "", choose_first, NULL, error), "must be UTF-8");
    assert_error(turf_player_custom(&war_of_life, "mine", NULL, NULL, error), "a function");
    assert_error(turf_player_custom(NULL, "mine", choose_first, NULL, error), "a game");
}

static void nobody_chooses_when_the_game_is_over(void **unused)
{
    (void)unused;
    for (size_t g = 0; g < sizeof turns / sizeof *turns; g++) {
        TurfState over = end_of(turns[g]);
        TurfRng   rng = turf_rng(1);
        TurfMove  move = 12345, moves[TURF_MAX_MOVES];
        for (size_t i = 0; player_kind_at(i); i++) {
            const PlayerKind *kind = player_kind_at(i);
            if (!player_kind_plays(kind, turns[g]) || kind->is_external)
                continue;
            TurfPlayer *player =
                open(turns[g], strcmp(kind->name, "level") ? kind->name : "level=1");
            assert_error(turf_player_choose(player, &over, &rng, &move, error), "game is over");
            turf_player_free(player);
        }
        assert_int_equal(move, 12345);
        assert_int_equal(turf_moves(turns[g], &over, moves), 0);
        assert_false(turf_play(turns[g], &over, 0, NULL));
    }
    TurfAction nothing[2] = {{NULL, 0}, {NULL, 0}};
    TurfState  over = end_of(&ai_battleground);
    assert_error(turf_play_both(&ai_battleground, &over, nothing, error), "game is over");
}

static void illegal_choice_of_a_custom_player_is_an_error(void **unused)
{
    (void)unused;
    TurfPlayer *mine = turf_player_custom(&squirrel_war, "mine", choose_first, NULL, NULL);
    TurfState   state = start_of(&squirrel_war), empty = {{0}};
    TurfRng     rng = turf_rng(1);
    TurfMove    move;
    assert_true(turf_player_choose(mine, &state, &rng, &move, NULL));
    assert_true(turf_play(&squirrel_war, &state, move, NULL));
    assert_false(turf_player_choose(mine, &empty, &rng, &move, NULL) &&
                 !turf_play(&squirrel_war, &empty, move, NULL));
    turf_player_free(mine);
}

static void missing_argument_is_an_error(void **unused)
{
    (void)unused;
    TurfState      state = start_of(&war_of_life);
    TurfRng        rng = turf_rng(1);
    TurfMove       move;
    TurfPlayer    *random = open(&war_of_life, "random");
    TurfPairing    pairing = {.players = {random, NULL}, .n_games = 1};
    TurfRunOptions options = {.seed = 1};
    TurfTotals     totals;
    assert_null(turf_game_find(NULL, NULL));
    assert_error(turf_start(NULL, NULL, &rng, &state, error), "needs a game");
    assert_error(turf_start(&war_of_life, "random", NULL, &state, error), "random number");
    assert_true(turf_start(&war_of_life, "cross", NULL, &state, NULL));
    assert_error(turf_player_open(NULL, "random", error), "needs a game");
    assert_error(turf_player_open(&war_of_life, NULL, error), "a description");
    assert_error(turf_player_choose(NULL, &state, &rng, &move, error), "a player");
    assert_error(turf_player_choose(random, &state, NULL, &move, error), "random number");
    assert_error(turf_play_both(&ai_battleground, &state, NULL, error), "two actions");
    assert_error(turf_move_from_text(&war_of_life, &state, NULL, &move, error), "a text");
    assert_error(turf_run(&war_of_life, &pairing, 1, &options, &totals, error), "lacks a player");
    assert_error(turf_run(&war_of_life, &pairing, 1, NULL, &totals, error), "options");
    assert_error(turf_run(NULL, &pairing, 1, &options, &totals, error), "a game");
    turf_player_free(random);
}

static void cells_without_a_list_are_an_error(void **unused)
{
    (void)unused;
    TurfState  state = start_of(&ai_battleground);
    TurfAction lost[2] = {{NULL, 3}, {NULL, 0}};
    assert_error(turf_play_both(&ai_battleground, &state, lost, error), "no cells");
}

static void numbers_out_of_range_are_errors_of_a_run(void **unused)
{
    (void)unused;
    TurfPlayer *random = open(&war_of_life, "random");
    TurfPairing pairing = {.players = {random, random}, .n_games = 2};
    TurfTotals  totals;
    const struct {
        TurfRunOptions options;
        const char    *words;
    } wrong[] = {{{.n_jobs = -1}, "n_jobs"},
                 {{.n_jobs = 1 << 30}, "n_jobs"},
                 {{.time_ms = -5}, "time_ms"},
                 {{.time_ms = INT64_MAX}, "time_ms"},
                 {{.move_cap_ms = INT64_MIN}, "move_cap_ms"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(turf_run(&war_of_life, &pairing, 1, &wrong[i].options, &totals, error),
                     wrong[i].words);
    pairing.n_games = UINT64_MAX;
    TurfRunOptions options = {.seed = 1};
    assert_error(turf_run(&war_of_life, &pairing, 1, &options, &totals, error), "games");
    assert_true(turf_run(&war_of_life, NULL, 0, &options, NULL, NULL));
    turf_player_free(random);
}

/* Left by a turf_start whose failure nobody looked at. */
static void zeroed_position_is_safe(void **unused)
{
    (void)unused;
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        TurfState       state = {{0}};
        TurfMove        moves[TURF_MAX_MOVES];
        char            text[32], *json = turf_position_to_json(game, &state);
        assert_non_null(json);
        free(json);
        (void)turf_is_over(game, &state, NULL);
        (void)turf_to_move(game, &state);
        size_t n_moves = turf_moves(game, &state, moves);
        for (size_t i = 0; i < n_moves; i++)
            turf_move_to_text(game, &state, moves[i], text);
        (void)turf_play(game, &state, 0, NULL);
        (void)turf_own(game, &state, TURF_SECOND);
    }
}

static void any_number_is_a_move_that_can_be_named_and_rejected(void **unused)
{
    (void)unused;
    static const TurfMove numbers[] = {0, 63, 64 * 64, 65535, 65536, UINT32_MAX};
    for (size_t g = 0; turf_game_at(g); g++) {
        TurfState before = start_of(turf_game_at(g)), state = before;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            char text[32];
            turf_move_to_text(turf_game_at(g), &state, numbers[i], text);
            if (!turf_play(turf_game_at(g), &state, numbers[i], NULL))
                assert_memory_equal(&state, &before, sizeof state);
            state = before;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bot_plays_in_runs_only),
        cmocka_unit_test(every_player_of_a_game_without_turns_has_cells_and_no_move),
        cmocka_unit_test(custom_player_needs_a_game_with_turns),
        cmocka_unit_test(nobody_chooses_when_the_game_is_over),
        cmocka_unit_test(illegal_choice_of_a_custom_player_is_an_error),
        cmocka_unit_test(missing_argument_is_an_error),
        cmocka_unit_test(cells_without_a_list_are_an_error),
        cmocka_unit_test(numbers_out_of_range_are_errors_of_a_run),
        cmocka_unit_test(zeroed_position_is_safe),
        cmocka_unit_test(any_number_is_a_move_that_can_be_named_and_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
