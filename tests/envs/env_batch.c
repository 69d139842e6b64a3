/* Batches: their arrays say what the functions for single positions say, whichever kernel wrote
 * them, and their games are those of a match. */
#include "support.h"

#include "envs/env_batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_GAMES = 37, N_STEPS = 400 };

typedef struct Setup {
    const TurfGame *game;
    const char     *start;
} Setup;

static const Setup setups[] = {
    {&war_of_life, NULL},        {&war_of_life, "cross"},    {&squirrel_war, NULL},
    {&amoeba_wars, NULL},        {&amoeba_wars, "2x2"},      {&amoeba_wars, "9x9"},
    {&ai_battleground, "5x5"},   {&ai_battleground, "7x65"}, {&ai_battleground, "random"},
    {&amoeba_wars, "virus-war"}, {&squirrel_war, "3x3"},     {&squirrel_war, "8x8"},
};

enum { N_SETUPS = sizeof setups / sizeof setups[0] };

static TurfBatch *make_batch(const Setup *setup, size_t n_games, uint64_t seed,
                             const BatchKind *kind)
{
    TurfBatchOptions options = {.n_games = n_games, .seed = seed, .start = setup->start};
    TurfError        error = {0};
    TurfBatch       *batch = batch_new(setup->game, &options, kind, &error);
    if (!batch)
        fail_msg("%s", error.text);
    return batch;
}

/* Room for the actions of all games, of either sort. */
static void *actions_for(const TurfBatch *batch)
{
    const TurfBatchShape *shape = turf_batch_shape(batch);
    void                 *actions = calloc(shape->n_games, sizeof(int32_t) + 2 * shape->n_actions);
    assert_non_null(actions);
    return actions;
}

static void sample(TurfBatch *batch, void *actions)
{
    if (batch->kind->sample)
        assert_true(turf_batch_sample(batch, actions, NULL));
    else
        assert_true(turf_batch_sample_cells(batch, actions, NULL));
}

static void step(TurfBatch *batch, const void *actions)
{
    TurfError error = {0};
    if (!(batch->kind->step ? turf_batch_step(batch, actions, &error)
                            : turf_batch_step_cells(batch, actions, &error)))
        fail_msg("%s", error.text);
}

static void assert_same_arrays(const TurfBatch *a, const TurfBatch *b)
{
    const TurfBatchShape  *shape = turf_batch_shape(a);
    const TurfBatchArrays *x = turf_batch_arrays(a), *y = turf_batch_arrays(b);
    size_t                 n = shape->n_games;
    assert_memory_equal(shape, turf_batch_shape(b), sizeof *shape);
    assert_memory_equal(x->observations, y->observations,
                        n * shape->n_planes * shape->rows * shape->cols);
    if (shape->n_numbers)
        assert_memory_equal(x->numbers, y->numbers, n * shape->n_numbers * sizeof(int32_t));
    assert_memory_equal(x->masks, y->masks, n * shape->n_masks * shape->n_actions);
    assert_memory_equal(x->to_move, y->to_move, n);
    assert_memory_equal(x->rewards, y->rewards, n * sizeof(float));
    assert_memory_equal(x->ended, y->ended, n);
    assert_memory_equal(x->endings, y->endings, n);
    assert_memory_equal(x->lengths, y->lengths, n * sizeof(uint32_t));
    for (size_t i = 0; i < n; i++) {
        TurfState one, other;
        uint64_t  games[2];
        assert_true(turf_batch_state(a, i, &one, &games[0], NULL));
        assert_true(turf_batch_state(b, i, &other, &games[1], NULL));
        assert_true(turf_equal(a->game, &one, &other));
        assert_int_equal(games[0], games[1]);
    }
}

static void play_alike(const Setup *setup, const BatchKind *kind)
{
    TurfBatch *slow = make_batch(setup, N_GAMES, 5, &batch_table);
    TurfBatch *fast = make_batch(setup, N_GAMES, 5, kind);
    int32_t    actions[2][N_GAMES];
    assert_same_arrays(slow, fast);
    for (uint64_t i = 0; i < scaled(N_STEPS); i++) {
        sample(slow, actions[0]);
        sample(fast, actions[1]);
        assert_memory_equal(actions[0], actions[1], sizeof actions[0]);
        step(slow, actions[0]);
        step(fast, actions[0]);
        assert_same_arrays(slow, fast);
    }
    turf_batch_free(slow);
    turf_batch_free(fast);
}

static void kernels_write_what_the_tables_say(void **unused)
{
    (void)unused;
    for (size_t k = 0; batch_build_at(k); k++) {
        const BatchKernels *kernels = batch_build_at(k)->turns;
        const BatchKind    *wol = batch_build_at(k)->war_of_life;
        play_alike(&(Setup){&war_of_life, NULL}, wol);
        play_alike(&(Setup){&war_of_life, "gliders"}, wol);
        play_alike(&(Setup){&squirrel_war, NULL}, &kernels->squirrel_war);
        play_alike(&(Setup){&amoeba_wars, NULL}, &kernels->amoeba_wars);
        play_alike(&(Setup){&amoeba_wars, "8x8,chains,steps=5"}, &kernels->amoeba_wars);
    }
}

/* Row `index` of the arrays against the functions for one position. */
static void check_row(const TurfBatch *batch, size_t index)
{
    const TurfGame        *game = batch->game;
    const TurfBatchShape  *shape = turf_batch_shape(batch);
    const TurfBatchArrays *arrays = turf_batch_arrays(batch);
    static uint8_t         bytes[4 * TURF_MAX_CELLS];
    int32_t                numbers[TURF_MAX_NUMBERS];
    TurfState              state;
    assert_true(turf_batch_state(batch, index, &state, NULL, NULL));
    TurfMover mover = turf_to_move(game, &state);
    TurfSide  side = mover == TURF_MOVER_SECOND ? TURF_SECOND : TURF_FIRST;
    size_t    n_bytes = shape->n_planes * shape->rows * shape->cols;
    assert_int_equal(arrays->to_move[index], mover);
    turf_planes(game, &state, side, bytes);
    assert_memory_equal(bytes, arrays->observations + index * n_bytes, n_bytes);
    turf_numbers(game, &state, side, numbers);
    for (size_t k = 0; k < shape->n_numbers; k++)
        assert_int_equal(numbers[k], arrays->numbers[index * shape->n_numbers + k]);
    for (size_t m = 0; m < shape->n_masks; m++) {
        turf_action_mask(game, &state, shape->n_masks == 2 ? (TurfSide)m : side, bytes);
        assert_memory_equal(bytes, arrays->masks + (index * shape->n_masks + m) * shape->n_actions,
                            shape->n_actions);
    }
}

static void check_rows(const Setup *setup, const BatchKind *kind)
{
    TurfBatch *batch = make_batch(setup, 5, 1, kind);
    void      *actions = actions_for(batch);
    for (int i = 0; i < 60; i++) {
        for (size_t g = 0; g < 5; g++)
            check_row(batch, g);
        sample(batch, actions);
        step(batch, actions);
    }
    free(actions);
    turf_batch_free(batch);
}

static void arrays_say_what_functions_say(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++) {
        check_rows(&setups[s], NULL);
        for (size_t k = 0; game_is_simultaneous(setups[s].game) && batch_build_at(k); k++)
            check_rows(&setups[s], batch_build_at(k)->cells);
    }
}

/* ---- the games of a match ----------------------------------------------------------------- */

enum { N_COMPARED = 60 };

typedef struct Outcome {
    int      ending;
    uint32_t length;
} Outcome;

static void note_outcome(void *context, const TurfFinished *game)
{
    ((Outcome *)context)[game->game] = (Outcome){(int)game->ending, game->length};
}

static void match_of(const Setup *setup, Outcome outcomes[N_COMPARED])
{
    TurfError      error = {0};
    TurfPlayer    *player = turf_player_open(setup->game, "random", &error);
    TurfPairing    pairing = {.players = {player, player}, .n_games = N_COMPARED};
    TurfRunOptions options = {.seed = 9,
                              .start = setup->start,
                              .n_jobs = 1,
                              .finished = note_outcome,
                              .context = outcomes};
    TurfTotals     totals;
    if (!turf_run(setup->game, &pairing, 1, &options, &totals, &error))
        fail_msg("%s", error.text);
    turf_player_free(player);
}

static size_t count_missing(const Outcome outcomes[N_COMPARED])
{
    size_t n_missing = 0;
    for (size_t i = 0; i < N_COMPARED; i++)
        n_missing += outcomes[i].length == 0;
    return n_missing;
}

static void sampled_games_are_those_of_a_match(void **unused)
{
    static const size_t n_places[] = {1, 7, N_COMPARED};
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++)
        for (size_t k = 0; k < 3; k++) {
            Outcome    expected[N_COMPARED] = {{0}}, found[N_COMPARED] = {{0}};
            TurfBatch *batch = make_batch(&setups[s], n_places[k], 9, NULL);
            void      *actions = actions_for(batch);
            match_of(&setups[s], expected);
            while (count_missing(found) > 0) {
                uint64_t games[N_COMPARED];
                memcpy(games, batch->rows.games, n_places[k] * sizeof *games);
                sample(batch, actions);
                step(batch, actions);
                for (size_t i = 0; i < n_places[k]; i++)
                    if (batch->rows.arrays.ended[i] && games[i] < N_COMPARED)
                        found[games[i]] =
                            (Outcome){batch->rows.arrays.endings[i], batch->rows.arrays.lengths[i]};
            }
            assert_memory_equal(expected, found, sizeof found);
            free(actions);
            turf_batch_free(batch);
        }
}

/* Move by move: each game of a match is a game of a batch with as many places. */
typedef struct Sequel {
    TurfMove moves[N_COMPARED][512];
    uint32_t lengths[N_COMPARED];
} Sequel;

static void note_moves(void *context, const TurfFinished *game)
{
    Sequel *sequel = context;
    memcpy(sequel->moves[game->game], game->moves, game->length * sizeof(TurfMove));
    sequel->lengths[game->game] = game->length;
}

static void sampled_moves_are_those_of_a_match(void **unused)
{
    static Sequel expected;
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++) {
        if (game_is_simultaneous(setups[s].game))
            continue;
        const TurfGame *game = setups[s].game;
        TurfPlayer     *player = turf_player_open(game, "random", NULL);
        TurfPairing     pairing = {.players = {player, player}, .n_games = N_COMPARED};
        TurfRunOptions  options = {.seed = 9,
                                   .start = setups[s].start,
                                   .finished = note_moves,
                                   .context = &expected,
                                   .wants_moves = true};
        TurfTotals      totals;
        TurfBatch      *batch = make_batch(&setups[s], N_COMPARED, 9, NULL);
        bool            is_over[N_COMPARED] = {false};
        int32_t         actions[N_COMPARED];
        assert_true(turf_run(game, &pairing, 1, &options, &totals, NULL));
        for (uint32_t ply = 0, n_over = 0; n_over < N_COMPARED; ply++) {
            sample(batch, actions);
            for (size_t i = 0; i < N_COMPARED; i++) {
                TurfState state;
                TurfMove  move;
                assert_true(turf_batch_state(batch, i, &state, NULL, NULL));
                assert_true(turf_move_of_action(game, &state, (size_t)actions[i], &move, NULL));
                if (!is_over[i])
                    assert_int_equal(move, expected.moves[i][ply]);
            }
            step(batch, actions);
            for (size_t i = 0; i < N_COMPARED; i++)
                if (!is_over[i] && turf_batch_arrays(batch)->ended[i]) {
                    assert_int_equal(expected.lengths[i], ply + 1);
                    is_over[i] = true;
                    n_over++;
                }
        }
        turf_batch_free(batch);
        turf_player_free(player);
    }
}

/* ---- threads ------------------------------------------------------------------------------ */

enum { N_SHARED = 300, N_THREADS = 3 };

static TurfBatch *make_shared(const Setup *setup)
{
    TurfBatchOptions options = {
        .n_games = N_SHARED, .seed = 5, .start = setup->start, .n_threads = N_THREADS};
    TurfError  error = {0};
    TurfBatch *batch = turf_batch_new(setup->game, &options, &error);
    if (!batch)
        fail_msg("%s", error.text);
    assert_int_equal(batch->n_parts, N_THREADS);
    return batch;
}

static void step_both(TurfBatch *one, TurfBatch *other, int n_steps)
{
    void *actions = actions_for(one);
    for (int i = 0; i < n_steps; i++) {
        sample(one, actions);
        step(one, actions);
        sample(other, actions);
        step(other, actions);
    }
    assert_same_arrays(one, other);
    free(actions);
}

static void games_do_not_depend_on_the_number_of_threads(void **unused)
{
    static const uint8_t which[N_SHARED] = {[3] = 1, [170] = 1, [N_SHARED - 1] = 1};
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++) {
        TurfBatch *alone = make_batch(&setups[s], N_SHARED, 5, NULL);
        TurfBatch *shared = make_shared(&setups[s]);
        assert_same_arrays(alone, shared);
        step_both(alone, shared, 30);
        assert_true(turf_batch_restart(alone, which, NULL));
        assert_true(turf_batch_restart(shared, which, NULL));
        step_both(alone, shared, 10);
        turf_batch_free(alone);
        turf_batch_free(shared);
    }
}

static void first_illegal_action_is_named_by_any_number_of_threads(void **unused)
{
    static int32_t actions[N_SHARED];
    TurfBatch     *shared = make_shared(&(Setup){&war_of_life, NULL});
    TurfError      error;
    (void)unused;
    sample(shared, actions);
    actions[130] = actions[299] = 512;
    assert_false(turf_batch_step(shared, actions, &error));
    assert_non_null(strstr(error.text, "game 130:"));
    turf_batch_free(shared);
}

/* As Python's multiprocessing does. */
static void child_of_a_fork_steps_alone(void **unused)
{
    TurfBatch *shared = make_shared(&(Setup){&squirrel_war, NULL});
    void      *actions = actions_for(shared);
    int        status = -1;
    (void)unused;
    sample(shared, actions);
    pid_t child = fork();
    if (child == 0) {
        bool is_good = turf_batch_step(shared, actions, NULL);
        turf_batch_free(shared);
        _exit(is_good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    step(shared, actions);
    free(actions);
    turf_batch_free(shared);
}

/* ---- rewards, resets, errors -------------------------------------------------------------- */

/* SquirrelWar lasts 25 moves, so X makes the last one. */
static void rewards_are_of_the_side_that_moved(void **unused)
{
    enum { N = 50, LENGTH = 25 };
    TurfBatch             *batch = make_batch(&(Setup){&squirrel_war, NULL}, N, 3, NULL);
    const TurfBatchArrays *arrays = turf_batch_arrays(batch);
    int32_t                actions[N];
    int                    n_won = 0, n_lost = 0;
    (void)unused;
    for (int i = 1; i <= LENGTH; i++) {
        sample(batch, actions);
        step(batch, actions);
        for (size_t g = 0; g < N; g++) {
            assert_int_equal(arrays->ended[g], i == LENGTH);
            assert_int_equal(arrays->lengths[g], i);
            if (i < LENGTH)
                assert_true(arrays->rewards[g] == 0 && arrays->endings[g] == -1);
        }
    }
    for (size_t g = 0; g < N; g++) {
        assert_true((arrays->endings[g] == TURF_WON_BY_FIRST) == (arrays->rewards[g] > 0));
        assert_true((arrays->endings[g] == TURF_WON_BY_SECOND) == (arrays->rewards[g] < 0));
        n_won += arrays->rewards[g] > 0;
        n_lost += arrays->rewards[g] < 0;
    }
    assert_true(n_won > 0 && n_lost > 0);
    turf_batch_free(batch);
}

static void seed_decides_games_and_reset_repeats_them(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++) {
        TurfBatch *batch = make_batch(&setups[s], 4, 1, NULL);
        TurfBatch *other = make_batch(&setups[s], 4, 2, NULL);
        void      *actions = actions_for(batch);
        for (int i = 0; i < 10; i++) {
            sample(batch, actions);
            step(batch, actions);
        }
        assert_true(turf_batch_reset(batch, 2, NULL));
        assert_same_arrays(batch, other);
        for (int i = 0; i < 10; i++) {
            sample(batch, actions);
            step(batch, actions);
            sample(other, actions);
            step(other, actions);
            assert_same_arrays(batch, other);
        }
        free(actions);
        turf_batch_free(batch);
        turf_batch_free(other);
    }
}

static void restart_begins_the_next_game_where_asked(void **unused)
{
    static const uint8_t which[4] = {0, 1, 0, 1};
    TurfBatch           *batch = make_batch(&(Setup){&war_of_life, NULL}, 4, 1, NULL);
    int32_t              actions[4];
    (void)unused;
    sample(batch, actions);
    step(batch, actions);
    assert_true(turf_batch_restart(batch, which, NULL));
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(batch->rows.games[i], which[i] ? i + 4 : i);
        assert_int_equal(turf_batch_arrays(batch)->lengths[i], !which[i]);
        check_row(batch, i);
    }
    turf_batch_free(batch);
}

static void callers_arrays_are_written_and_never_read(void **unused)
{
    enum { N = 3 };
    static uint8_t   observations[N * 2 * 64], masks[N * 512], to_move[N], ended[N];
    static int32_t   numbers[N];
    static float     rewards[N];
    static int8_t    endings[N];
    static uint32_t  lengths[N];
    TurfBatchOptions options = {
        .n_games = N,
        .seed = 1,
        .arrays = {observations, numbers, masks, to_move, rewards, ended, endings, lengths}};
    TurfBatch *batch = turf_batch_new(&war_of_life, &options, NULL);
    TurfBatch *own = make_batch(&(Setup){&war_of_life, NULL}, N, 1, NULL);
    int32_t    actions[N];
    (void)unused;
    assert_ptr_equal(turf_batch_arrays(batch)->masks, masks);
    for (int i = 0; i < 100; i++) {
        memset(masks, 0xff, sizeof masks);
        memset(to_move, 0xff, sizeof to_move);
        memset(lengths, 0xff, sizeof lengths);
        sample(batch, actions);
        step(batch, actions);
        sample(own, actions);
        step(own, actions);
        assert_same_arrays(batch, own);
    }
    turf_batch_free(batch);
    turf_batch_free(own);
}

static void illegal_action_is_named_and_changes_nothing(void **unused)
{
    TurfBatch *batch = make_batch(&(Setup){&amoeba_wars, NULL}, 3, 1, NULL);
    TurfBatch *untouched = make_batch(&(Setup){&amoeba_wars, NULL}, 3, 1, NULL);
    int32_t    actions[3];
    TurfError  error;
    (void)unused;
    sample(batch, actions);
    sample(untouched, actions);
    actions[1] = 7;
    assert_false(turf_batch_step(batch, actions, &error));
    assert_string_equal(error.text, "game 1, action 7: H8 is not next to a live amoeba of yours");
    for (int i = 0; i < 3; i++) {
        static const int32_t off[] = {-1, 64, INT32_MIN};
        actions[1] = off[i];
        assert_false(turf_batch_step(batch, actions, &error));
        assert_non_null(strstr(error.text, "they go from 0 to 63"));
    }
    assert_same_arrays(batch, untouched);
    turf_batch_free(batch);
    turf_batch_free(untouched);
}

static void illegal_cells_are_named_and_change_nothing(void **unused)
{
    enum { CELLS = 24 * 24 };
    static uint8_t cells[3][2][CELLS];
    TurfBatch     *batch = make_batch(&(Setup){&ai_battleground, NULL}, 3, 1, NULL);
    TurfBatch     *untouched = make_batch(&(Setup){&ai_battleground, NULL}, 3, 1, NULL);
    TurfError      error;
    (void)unused;
    cells[2][1][0] = 1;
    assert_false(turf_batch_step_cells(batch, &cells[0][0][0], &error));
    assert_non_null(strstr(error.text, "game 2, player 2: [0,0] is too far away"));
    memset(cells, 0, sizeof cells);
    memcpy(cells[1][0], turf_batch_arrays(batch)->masks, CELLS);
    assert_false(turf_batch_step_cells(batch, &cells[0][0][0], &error));
    assert_non_null(strstr(error.text, "game 1, player 1: "));
    assert_non_null(strstr(error.text, "is one too many"));
    assert_same_arrays(batch, untouched);
    turf_batch_free(batch);
    turf_batch_free(untouched);
}

static void assert_no_batch(const TurfGame *game, const TurfBatchOptions *options, const char *why)
{
    TurfError error = {0};
    assert_null(turf_batch_new(game, options, &error));
    if (!strstr(error.text, why))
        fail_msg("'%s' does not say '%s'", error.text, why);
}

static void wrong_calls_are_errors(void **unused)
{
    TurfBatch *wol = make_batch(&(Setup){&war_of_life, NULL}, 1, 1, NULL);
    TurfBatch *bg = make_batch(&(Setup){&ai_battleground, "3x3"}, 1, 1, NULL);
    int32_t    action;
    uint8_t    cells[18];
    TurfState  state;
    (void)unused;
    assert_no_batch(NULL, &(TurfBatchOptions){.n_games = 1}, "a game");
    assert_no_batch(&war_of_life, NULL, "options");
    assert_no_batch(&war_of_life, &(TurfBatchOptions){.n_games = 0}, "from 1 to");
    assert_no_batch(&war_of_life, &(TurfBatchOptions){.n_games = SIZE_MAX}, "from 1 to");
    assert_no_batch(&war_of_life, &(TurfBatchOptions){.n_games = 1, .start = "nowhere"},
                    "there is no start 'nowhere'");
    assert_no_batch(&war_of_life,
                    &(TurfBatchOptions){.n_games = 1,
                                        .start = "......../......../......../......../......../"
                                                 "......../......../......../"},
                    "the game is over");
    assert_no_batch(&war_of_life, &(TurfBatchOptions){.n_games = 1, .n_threads = 1025},
                    "at most 1024 threads");
    assert_false(turf_batch_step(NULL, &action, NULL));
    assert_false(turf_batch_step(wol, NULL, NULL));
    assert_false(turf_batch_step_cells(wol, cells, NULL));
    assert_false(turf_batch_sample_cells(wol, cells, NULL));
    assert_false(turf_batch_step(bg, &action, NULL));
    assert_false(turf_batch_sample(bg, &action, NULL));
    assert_false(turf_batch_reset(NULL, 1, NULL));
    assert_false(turf_batch_restart(wol, NULL, NULL));
    assert_false(turf_batch_state(wol, 1, &state, NULL, NULL));
    turf_batch_free(wol);
    turf_batch_free(bg);
    turf_batch_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_write_what_the_tables_say),
        cmocka_unit_test(arrays_say_what_functions_say),
        cmocka_unit_test(sampled_games_are_those_of_a_match),
        cmocka_unit_test(sampled_moves_are_those_of_a_match),
        cmocka_unit_test(games_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(first_illegal_action_is_named_by_any_number_of_threads),
        cmocka_unit_test(child_of_a_fork_steps_alone),
        cmocka_unit_test(rewards_are_of_the_side_that_moved),
        cmocka_unit_test(seed_decides_games_and_reset_repeats_them),
        cmocka_unit_test(restart_begins_the_next_game_where_asked),
        cmocka_unit_test(callers_arrays_are_written_and_never_read),
        cmocka_unit_test(illegal_action_is_named_and_changes_nothing),
        cmocka_unit_test(illegal_cells_are_named_and_change_nothing),
        cmocka_unit_test(wrong_calls_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
