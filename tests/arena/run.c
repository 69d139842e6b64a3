/* turf_run: results are independent of threads, kernels and other pairings; custom players. */
#include "support.h"

#include "arena/game_play.h"
#include "players/player.h"

#include <stdlib.h>
#include <string.h>

static TurfPlayer *player(const char *spec)
{
    TurfError   error = {0};
    TurfPlayer *opened = turf_player_open(&war_of_life, spec, &error);
    assert_string_equal(error.text, "");
    return opened;
}

static void run(const TurfPairing *pairings, size_t n, TurfRunOptions options, TurfTotals *totals)
{
    TurfError error = {0};
    assert_true(turf_run(&war_of_life, pairings, n, &options, totals, &error));
    for (size_t i = 0; i < n; i++)
        totals[i].seconds = 0;
}

static void results_do_not_depend_on_thread_count(void **state)
{
    (void)state;
    static const char *const starts[] = {"random", "cross", "checkers"};
    TurfPlayer *players[3] = {player("random"), player("bloodlust:ties=random"), player("minimax")};
    for (size_t s = 0; s < 3; s++) {
        TurfPairing pairings[9];
        TurfTotals  one[9], more[9];
        for (size_t i = 0; i < 9; i++)
            pairings[i] = (TurfPairing){{players[i / 3], players[i % 3]}, 50 + 13 * i, i % 2};
        run(pairings, 9, (TurfRunOptions){.seed = s, .start = starts[s], .n_jobs = 1}, one);
        for (int n_jobs = 2; n_jobs < 6; n_jobs++) {
            run(pairings, 9, (TurfRunOptions){.seed = s, .start = starts[s], .n_jobs = n_jobs},
                more);
            assert_memory_equal(one, more, sizeof one);
        }
        for (size_t i = 0; i < 9; i++)
            assert_int_equal(one[i].n_games, pairings[i].n_games);
    }
    for (size_t i = 0; i < 3; i++)
        turf_player_free(players[i]);
}

static void ignore_game(void *context, const TurfFinished *game)
{
    (void)game;
    ++*(uint64_t *)context;
}

static void kernels_play_the_same_games_as_the_slow_path(void **state)
{
    (void)state;
    static const struct {
        const TurfGame *game;
        const char     *start;
    } cases[] = {{&war_of_life, NULL},  {&war_of_life, "cross"}, {&amoeba_wars, NULL},
                 {&amoeba_wars, "2x2"}, {&amoeba_wars, "5x5"},   {&amoeba_wars, "9x9"},
                 {&squirrel_war, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TurfError      error = {0};
        TurfPlayer    *random = turf_player_open(cases[i].game, "random", &error);
        TurfPairing    pairing = {{random, random}, 3000, false};
        TurfTotals     fast, slow;
        uint64_t       n_told = 0;
        TurfRunOptions quick = {.seed = 9, .start = cases[i].start}, told = quick;
        told.finished = ignore_game;
        told.context = &n_told;
        assert_true(turf_run(cases[i].game, &pairing, 1, &quick, &fast, &error));
        assert_true(turf_run(cases[i].game, &pairing, 1, &told, &slow, &error));
        fast.seconds = slow.seconds = 0;
        assert_memory_equal(&fast, &slow, sizeof fast);
        assert_int_equal(n_told, pairing.n_games);
        turf_player_free(random);
    }
}

static void a_pairing_does_not_depend_on_other_pairings(void **state)
{
    (void)state;
    TurfPlayer *random = player("random"), *greedy = player("land-grab"),
               *minimax = player("minimax");
    TurfPairing alone = {{random, greedy}, 200, false};
    TurfPairing together[3] = {
        {{minimax, random}, 30, false}, alone, {{greedy, random}, 10, false}};
    TurfTotals one, all[3];
    run(&alone, 1, (TurfRunOptions){.seed = 4}, &one);
    run(together, 3, (TurfRunOptions){.seed = 4}, all);
    assert_memory_equal(&one, &all[1], sizeof one);
    turf_player_free(random);
    turf_player_free(greedy);
    turf_player_free(minimax);
}

static void different_seeds_play_different_games(void **state)
{
    (void)state;
    TurfPlayer *random = player("random");
    TurfPairing pairing = {{random, random}, 5000, false};
    TurfTotals  one, two;
    run(&pairing, 1, (TurfRunOptions){.seed = 1}, &one);
    run(&pairing, 1, (TurfRunOptions){.seed = 2}, &two);
    assert_memory_not_equal(&one, &two, sizeof one);
    turf_player_free(random);
}

/* Two deterministic players on a fixed start: the games with sides changed are the games of the
 * pairing the other way round, and are counted for the player and not for the colour. */
static void swapped_games_count_for_the_player_not_the_side(void **state)
{
    (void)state;
    TurfPlayer *minimax = player("minimax"), *blood = player("bloodlust");
    TurfPairing swapped = {{minimax, blood}, 2, true};
    TurfPairing forth = {{minimax, blood}, 1, false}, back = {{blood, minimax}, 1, false};
    TurfTotals  both, one, two;
    for (uint64_t seed = 0; seed < 30; seed++) {
        run(&swapped, 1, (TurfRunOptions){.seed = seed}, &both);
        run(&forth, 1, (TurfRunOptions){.seed = seed}, &one);
        run(&back, 1, (TurfRunOptions){.seed = seed}, &two);
        assert_int_equal(both.endings[TURF_WON_BY_FIRST],
                         one.endings[TURF_WON_BY_FIRST] + two.endings[TURF_WON_BY_SECOND]);
        assert_int_equal(both.endings[TURF_WON_BY_SECOND],
                         one.endings[TURF_WON_BY_SECOND] + two.endings[TURF_WON_BY_FIRST]);
        assert_int_equal(both.length_sum, one.length_sum + two.length_sum);
    }
    turf_player_free(minimax);
    turf_player_free(blood);
}

static TurfMove choose_last(void *context, const TurfGame *game, const TurfState *position,
                            TurfRng *rng)
{
    (void)rng;
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = turf_moves(game, position, moves);
    return context ? 4095 : moves[n_moves - 1];
}

static void custom_player_can_play(void **state)
{
    (void)state;
    TurfError   error = {0};
    TurfPlayer *own = turf_player_custom(&war_of_life, "last", choose_last, NULL, &error),
               *random = player("random");
    TurfPairing pairing = {{own, random}, 100, false};
    TurfTotals  totals;
    run(&pairing, 1, (TurfRunOptions){.seed = 1}, &totals);
    assert_int_equal(totals.n_games, 100);
    turf_player_free(own);
    turf_player_free(random);
}

static void illegal_move_of_a_custom_player_fails_the_run_and_names_it(void **state)
{
    (void)state;
    TurfError   error = {0};
    int         is_bad = 1;
    TurfPlayer *bad = turf_player_custom(&war_of_life, "cheat", choose_last, &is_bad, &error),
               *random = player("random");
    TurfPairing    pairing = {{random, bad}, 100, false};
    TurfTotals     totals;
    TurfRunOptions options = {.seed = 1};
    assert_false(turf_run(&war_of_life, &pairing, 1, &options, &totals, &error));
    assert_non_null(strstr(error.text, "cheat"));
    turf_player_free(bad);
    turf_player_free(random);
}

/* Lists the first cell in reach, or with a context one that is not on the board. */
static size_t choose_one_cell(void *context, const TurfGame *game, const TurfState *position,
                              TurfSide side, TurfRng *rng, TurfCell *cells)
{
    uint8_t mask[32 * 32];
    size_t  n_actions = turf_n_actions(game, position), action = 0;
    int     rows, cols;
    (void)rng;
    turf_board_size(game, position, &rows, &cols);
    turf_action_mask(game, position, side, mask);
    while (action < n_actions && !mask[action])
        action++;
    cells[0] = context ? (TurfCell){-1, 0} : (TurfCell){(int)action / cols, (int)action % cols};
    return context || action < n_actions;
}

static void custom_player_can_play_where_both_move_at_once(void **state)
{
    (void)state;
    TurfError   error = {0};
    int         is_bad = 1;
    TurfPlayer *own =
                   turf_player_custom_cells(&ai_battleground, "one", choose_one_cell, NULL, &error),
               *bad = turf_player_custom_cells(&ai_battleground, "cheat", choose_one_cell, &is_bad,
                                               &error),
               *settler = turf_player_open(&ai_battleground, "settler", &error);
    TurfPairing    pairings[2] = {{{own, settler}, 20, true}, {{settler, bad}, 2, false}};
    TurfTotals     totals[2];
    TurfRunOptions options = {.seed = 1, .start = "12x12"};
    assert_true(turf_run(&ai_battleground, pairings, 1, &options, totals, &error));
    assert_int_equal(totals[0].n_games, 20);
    assert_false(turf_run(&ai_battleground, pairings, 2, &options, totals, &error));
    assert_non_null(strstr(error.text, "cheat chose illegal cells: [-1,0] is off the board"));
    assert_null(turf_player_custom_cells(&war_of_life, "one", choose_one_cell, NULL, &error));
    assert_non_null(strstr(error.text, "use turf_player_custom"));
    assert_null(turf_player_custom_cells(&ai_battleground, "one", NULL, NULL, NULL));
    turf_player_free(own);
    turf_player_free(bad);
    turf_player_free(settler);
}

typedef struct Told {
    const TurfGame *game;
    int             n_games, n_swapped;
} Told;

/* Replays the moves, and the game ends as it was told. */
static void replay(void *context, const TurfFinished *game)
{
    Told      *told = context;
    TurfState  at;
    TurfEnding ending;
    assert_true(turf_position_from_text(told->game, game->start, &at, NULL));
    for (uint32_t i = 0; i < game->length; i++)
        assert_true(turf_play(told->game, &at, game->moves[i], NULL));
    assert_true(turf_is_over(told->game, &at, &ending));
    if (game->is_swapped && (ending == TURF_WON_BY_FIRST || ending == TURF_WON_BY_SECOND))
        ending = ending == TURF_WON_BY_FIRST ? TURF_WON_BY_SECOND : TURF_WON_BY_FIRST;
    assert_int_equal(ending, game->ending);
    assert_true(game->moves_json[0] == '[');
    told->n_games++;
    told->n_swapped += game->is_swapped;
}

static void moves_of_finished_games_can_be_replayed(void **state)
{
    static const TurfGame *const games[] = {&war_of_life, &amoeba_wars, &squirrel_war};
    (void)state;
    for (size_t g = 0; g < 3; g++) {
        TurfError      error = {0};
        Told           told = {.game = games[g]};
        TurfPlayer    *random = turf_player_open(games[g], "random", &error);
        TurfPlayer    *greedy = turf_player_open(games[g], "land-grab", &error);
        TurfPairing    pairings[2] = {{{random, greedy}, 30, true}, {{random, random}, 30, false}};
        TurfTotals     plain[2], totals[2];
        TurfRunOptions options = {.seed = 4},
                       logging = {
                           .seed = 4, .finished = replay, .context = &told, .wants_moves = true};
        assert_true(turf_run(games[g], pairings, 2, &options, plain, &error));
        assert_true(turf_run(games[g], pairings, 2, &logging, totals, &error));
        assert_int_equal(told.n_games, 60);
        assert_int_equal(told.n_swapped, 15);
        for (int p = 0; p < 2; p++) {
            plain[p].seconds = totals[p].seconds = 0;
            assert_memory_equal(&plain[p], &totals[p], sizeof plain[p]);
        }
        turf_player_free(random);
        turf_player_free(greedy);
    }
}

static bool stop_at_once(void *context, const TurfTotals *totals, size_t n_pairings)
{
    (void)context;
    (void)totals;
    (void)n_pairings;
    return false;
}

static void a_stopped_run_keeps_the_games_played_so_far(void **state)
{
    (void)state;
    TurfPlayer    *minimax = player("minimax:depth=3");
    TurfPairing    pairing = {{minimax, minimax}, 1000000, false};
    TurfTotals     totals;
    TurfError      error;
    TurfRunOptions options = {.seed = 1, .progress = stop_at_once};
    assert_true(turf_run(&war_of_life, &pairing, 1, &options, &totals, &error));
    assert_true(totals.n_games < pairing.n_games);
    turf_player_free(minimax);
}

static void malformed_starts_are_rejected_before_any_game(void **state)
{
    (void)state;
    TurfPlayer    *random = player("random");
    TurfPairing    pairing = {{random, random}, 10, false};
    TurfTotals     totals;
    TurfError      error;
    TurfRunOptions options = {.start = "nowhere"};
    assert_false(turf_run(&war_of_life, &pairing, 1, &options, &totals, &error));
    assert_non_null(strstr(error.text, "nowhere"));
    turf_player_free(random);
}

static void players_of_another_game_are_rejected(void **state)
{
    (void)state;
    TurfError   error = {0};
    TurfPlayer *nuts = turf_player_open(&squirrel_war, "random", &error),
               *random = player("random");
    TurfPairing    pairing = {{random, nuts}, 1, false};
    TurfTotals     totals;
    TurfRunOptions options = {.seed = 1};
    assert_false(turf_run(&war_of_life, &pairing, 1, &options, &totals, &error));
    assert_non_null(strstr(error.text, "squirrel-war"));
    turf_player_free(nuts);
    turf_player_free(random);
}

/* Fills the first empty square, and says stop when that was the last. */
static TurfMove stop_at_the_end(void *context, const TurfGame *game, const TurfState *state,
                                TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES];
    (void)rng;
    if (turf_moves(game, state, moves) == 1)
        atomic_store((atomic_bool *)context, true);
    return moves[0];
}

static void a_game_stopped_in_its_last_turn_does_not_count(void **state)
{
    (void)state;
    for (int is_stopping = 0; is_stopping < 2; is_stopping++) {
        atomic_bool stop = false, ignored = false;
        TurfError   error = {0};
        TurfState   board;
        TurfRng     rng = turf_rng(1);
        GameResult  result;
        TurfPlayer *own = turf_player_custom(&squirrel_war, "own", stop_at_the_end,
                                             is_stopping ? &stop : &ignored, &error);
        GamePlay    match = {.game = &squirrel_war, .players = {own, own}, .stop = &stop};
        assert_true(turf_start(&squirrel_war, NULL, &rng, &board, &error));
        assert_true(game_play(&match, &board, &result, &error));
        assert_int_equal(result.length, 25);
        assert_int_equal(result.is_whole, !is_stopping);
        turf_player_free(own);
    }
}

static void players_out_of_time_answer_at_once(void **state)
{
    (void)state;
    static const char *const specs[] = {"bloodlust", "self-preservation", "land-grab", "settler"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        static TurfCell cells[TURF_MAX_CELLS];
        TurfError       error = {0};
        TurfState       board;
        TurfRng         rng = turf_rng(1);
        TurfPlayer     *opened = turf_player_open(&ai_battleground, specs[i], &error);
        TurnContext late = {.rng = &rng, .deadline_ns = 1, .time_gain_ms = 1}, free = {.rng = &rng};
        assert_true(turf_start(&ai_battleground, NULL, &rng, &board, &error));
        assert_int_equal(player_choose_cells(opened, &board, TURF_FIRST, &late, cells), 0);
        assert_true(i == 0 || player_choose_cells(opened, &board, TURF_FIRST, &free, cells) > 0);
        turf_player_free(opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(kernels_play_the_same_games_as_the_slow_path),
        cmocka_unit_test(a_pairing_does_not_depend_on_other_pairings),
        cmocka_unit_test(different_seeds_play_different_games),
        cmocka_unit_test(swapped_games_count_for_the_player_not_the_side),
        cmocka_unit_test(custom_player_can_play),
        cmocka_unit_test(custom_player_can_play_where_both_move_at_once),
        cmocka_unit_test(moves_of_finished_games_can_be_replayed),
        cmocka_unit_test(illegal_move_of_a_custom_player_fails_the_run_and_names_it),
        cmocka_unit_test(a_stopped_run_keeps_the_games_played_so_far),
        cmocka_unit_test(players_of_another_game_are_rejected),
        cmocka_unit_test(a_game_stopped_in_its_last_turn_does_not_count),
        cmocka_unit_test(players_out_of_time_answer_at_once),
        cmocka_unit_test(malformed_starts_are_rejected_before_any_game),
    };
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
