/* turf.h: calls in any order that a C programmer could make. Each byte of the input is a call or an
 * argument of one. Positions and players of earlier calls are the arguments of later ones, also
 * those whose making failed: a zeroed position, a player that is NULL. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { N_SLOTS = 4, MAX_CALLS = 64, MAX_RUNS = 3, MAX_LISTED_CELLS = 8 };

/* What the calls work on. A position remembers its game, as a programmer would. */
typedef struct Objects {
    const uint8_t  *data;
    size_t          size;
    const TurfGame *game;
    TurfState       states[N_SLOTS];
    const TurfGame *games[N_SLOTS];
    TurfPlayer     *players[N_SLOTS];
    const TurfGame *player_games[N_SLOTS];
    TurfRng         rng;
    TurfError       error;
    int             n_runs;
} Objects;

static uint8_t next_byte(Objects *objects)
{
    if (objects->size == 0)
        return 0;
    objects->size--;
    return *objects->data++;
}

/* One of a list, which ends with NULL; that is an answer too. */
static const char *pick(Objects *objects, const char *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return list[next_byte(objects) % (n + 1)];
}

static TurfError *maybe_error(Objects *objects)
{
    objects->error = (TurfError){.text = ""};
    return next_byte(objects) % 4 ? &objects->error : NULL;
}

static TurfRng *maybe_rng(Objects *objects)
{
    return next_byte(objects) % 8 ? &objects->rng : NULL;
}

static void check(const Objects *objects, bool is_good, const TurfError *error)
{
    if (!is_good && error)
        fuzz_check_line(objects->error.text);
}

/* Any move, or one of the legal ones. */
static TurfMove any_move(Objects *objects, size_t slot)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = turf_moves(objects->games[slot], &objects->states[slot], moves);
    uint8_t  choice = next_byte(objects);
    if (choice % 4 && n_moves > 0)
        return moves[choice % n_moves];
    return (TurfMove)(choice * UINT32_C(16843009)) >> next_byte(objects) % 32;
}

static TurfMove choose_badly(void *context, const TurfGame *game, const TurfState *state,
                             TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES] = {0};
    size_t   n_moves = turf_moves(game, state, moves);
    (void)rng;
    return context ? (TurfMove)1 << 31 : moves[n_moves / 2];
}

/* A cell that the context says, or none; it need not be legal. */
static size_t choose_cells_badly(void *context, const TurfGame *game, const TurfState *state,
                                 TurfSide side, TurfRng *rng, TurfCell *cells)
{
    int rows, cols;
    turf_board_size(game, state, &rows, &cols);
    cells[0] = (TurfCell){(int32_t)turf_rng_below(rng, (uint32_t)rows + 1), (int)side};
    return context ? 1 : 0;
}

/* ---- calls -------------------------------------------------------------------------------- */

static void call_start(Objects *objects, size_t slot)
{
    static const char *const starts[] = {"random",  "cross",   "4x4", "final", "6x9",
                                         "128x128", "nowhere", "{}",  "",      NULL};
    TurfError               *error = maybe_error(objects);
    const char              *start = pick(objects, starts);
    TurfRng                 *rng = maybe_rng(objects);
    objects->games[slot] = objects->game;
    memset(&objects->states[slot], 0, sizeof objects->states[slot]);
    bool is_good = turf_start(objects->game, start, rng, &objects->states[slot], error);
    check(objects, is_good, error);
    if (is_good)
        fuzz_check_position(objects->game, &objects->states[slot]);
}

static void call_play(Objects *objects, size_t slot)
{
    TurfError *error = maybe_error(objects);
    TurfState  before = objects->states[slot];
    TurfMove   move = any_move(objects, slot);
    bool       is_good = turf_play(objects->games[slot], &objects->states[slot], move, error);
    check(objects, is_good, error);
    claim(is_good || !memcmp(&before, &objects->states[slot], sizeof before),
          "an illegal move changed the position");
}

static void call_play_both(Objects *objects, size_t slot)
{
    TurfCell   cells[2][MAX_LISTED_CELLS];
    TurfAction actions[2];
    TurfError *error = maybe_error(objects);
    for (int side = 0; side < 2; side++) {
        uint8_t n = next_byte(objects);
        actions[side] = (TurfAction){n % 5 ? cells[side] : NULL, n % (MAX_LISTED_CELLS + 1)};
        for (size_t i = 0; i < actions[side].n_cells; i++)
            cells[side][i] = (TurfCell){(int8_t)next_byte(objects), (int8_t)next_byte(objects)};
    }
    bool is_good = turf_play_both(objects->games[slot], &objects->states[slot], actions, error);
    check(objects, is_good, error);
}

static void call_moves(Objects *objects, size_t slot)
{
    fuzz_check_moves(objects->games[slot], &objects->states[slot]);
}

static void call_ask(Objects *objects, size_t slot)
{
    const TurfGame  *game = objects->games[slot];
    const TurfState *state = &objects->states[slot];
    TurfEnding       ending = TURF_N_ENDINGS;
    char             text[32], *json = turf_position_to_json(game, state);
    bool             is_over = turf_is_over(game, state, next_byte(objects) % 2 ? &ending : NULL);
    claim(is_over == (turf_to_move(game, state) == TURF_MOVER_NONE), "over, and somebody moves");
    claim(json, "no JSON");
    free(json);
    (void)turf_own(game, state, TURF_FIRST);
    (void)turf_game_ending_name(game, (TurfEnding)(next_byte(objects) - 3));
    (void)turf_forfeit_name((TurfForfeit)(next_byte(objects) - 3));
    turf_move_to_text(game, state, any_move(objects, slot), text);
    claim(strlen(text) < sizeof text, "a text without end");
}

static void call_read_move(Objects *objects, size_t slot)
{
    static const char *const texts[] = {"C3", "3 8 2 7", "[1,1,1,2]", "", "zz", "{", NULL};
    TurfError               *error = maybe_error(objects);
    TurfMove                 move;
    bool is_good = turf_move_from_text(objects->games[slot], &objects->states[slot],
                                       pick(objects, texts), &move, error);
    check(objects, is_good, error);
}

static void call_observe(Objects *objects, size_t slot)
{
    static uint8_t   bytes[4 * TURF_MAX_CELLS];
    const TurfGame  *game = objects->games[slot];
    const TurfState *state = &objects->states[slot];
    TurfSide         side = (TurfSide)(next_byte(objects) % 2);
    TurfRng         *rng = maybe_rng(objects);
    TurfError       *error = maybe_error(objects);
    int32_t          numbers[TURF_MAX_NUMBERS];
    TurfMove         move;
    size_t           n_actions = turf_n_actions(game, state);
    claim(n_actions <= TURF_MAX_CELLS, "too many actions");
    turf_board(game, state, (char *)bytes);
    turf_planes(game, state, side, bytes);
    turf_numbers(game, state, side, numbers);
    turf_action_mask(game, state, side, bytes);
    claim(turf_equal(game, state, state), "a position that differs from itself");
    (void)turf_hash(game, state);
    (void)turf_reward(game, state, side);
    size_t action = next_byte(objects) * (size_t)3;
    bool   is_good = turf_move_of_action(game, state, action, &move, error);
    check(objects, is_good, error);
    claim(!is_good || !bytes[action] || turf_action_of_move(game, state, move) == action,
          "an action that is not its move's");
    is_good = turf_random_move(game, state, rng, &move, error);
    check(objects, is_good, error);
}

/* Any symmetry, also one that is not there; of those that are, the inverse leads back. */
static void call_transform(Objects *objects, size_t slot)
{
    const TurfGame  *game = objects->games[slot];
    const TurfState *state = &objects->states[slot];
    size_t           symmetry = next_byte(objects) % 10, action = next_byte(objects) * (size_t)3;
    size_t           inverse = symmetry == 5 || symmetry == 6 ? 11 - symmetry : symmetry;
    TurfError       *error = maybe_error(objects);
    TurfState        image = {{0}}, back = {{0}};
    bool             is_good = turf_transform(game, state, symmetry, &image, error);
    check(objects, is_good, error);
    claim(turf_action_under(game, state, inverse,
                            turf_action_under(game, state, symmetry, action)) == action,
          "a symmetry without an inverse");
    claim(turf_cell_under(game, state, 0, action) == action, "a cell that moves by itself");
    if (!is_good || !turf_transform(game, &image, inverse, &back, NULL))
        return;
    claim(turf_hash(game, state) == turf_hash(game, &back), "an inverse that does not lead back");
    claim(!turf_is_over(game, state, NULL) == !turf_is_over(game, &image, NULL), "over or not");
}

static void call_draw(Objects *objects, size_t slot)
{
    uint32_t n = (uint32_t)slot * next_byte(objects);
    (void)turf_rng_next(&objects->rng);
    claim(turf_rng_below(&objects->rng, n) < (n ? n : 1), "a draw out of range");
}

/* A batch for a few steps, with actions as they are drawn or as the input has them. */
static void call_batch(Objects *objects, size_t slot)
{
    static const char *const starts[] = {"random", "cross", "4x4", "9x9", "nowhere", "", NULL};
    static uint8_t           cells[3 * 2 * TURF_MAX_CELLS];
    int32_t                  actions[3];
    TurfError               *error = maybe_error(objects);
    TurfBatchOptions         options = {.n_games = slot, .seed = next_byte(objects)};
    options.n_threads = next_byte(objects) % 4 ? 0 : next_byte(objects) * (size_t)5;
    options.start = pick(objects, starts);
    TurfBatch *batch = turf_batch_new(objects->game, &options, error);
    check(objects, batch != NULL, error);
    for (int n_steps = next_byte(objects) % 32; batch && n_steps > 0; n_steps--) {
        uint8_t what = next_byte(objects);
        bool    has_cells = turf_batch_shape(batch)->n_masks == 2;
        (void)(has_cells ? turf_batch_sample_cells(batch, cells, error)
                         : turf_batch_sample(batch, actions, error));
        if (what % 32 == 3)
            check(objects, turf_batch_restart(batch, cells, error), error);
        if (what % 32 == 5)
            check(objects, turf_batch_reset(batch, what, error), error);
        if (what % 4 == 0)
            actions[0] = (int32_t)(what * UINT32_C(16843009)) >> next_byte(objects) % 32;
        if (what % 8 == 0)
            cells[next_byte(objects)] = what;
        bool is_good = what % 16 == 1 || !has_cells ? turf_batch_step(batch, actions, error)
                                                    : turf_batch_step_cells(batch, cells, error);
        check(objects, is_good, error);
    }
    turf_batch_free(batch);
}

/* ---- players ------------------------------------------------------------------------------ */

/* Quick players only, and no command that is not listed here. */
static void call_open(Objects *objects, size_t slot)
{
    static const char *const specs[] = {"random",
                                        "bloodlust",
                                        "minimax:depth=1",
                                        "alphabeta:depth=1,hash=1",
                                        "mcts:sims=9",
                                        "level=1",
                                        "settler",
                                        "conqueror:nodes=50",
                                        "dummy",
                                        "perfect:time=1,hash=1",
                                        "bot:true",
                                        "x=bot:no-such-program",
                                        "minimax:depth=99",
                                        "nobody",
                                        "",
                                        "=",
                                        NULL};
    TurfError               *error = maybe_error(objects);
    turf_player_free(objects->players[slot]);
    objects->player_games[slot] = objects->game;
    objects->players[slot] = turf_player_open(objects->game, pick(objects, specs), error);
    check(objects, objects->players[slot] != NULL, error);
}

static void call_custom(Objects *objects, size_t slot)
{
    static const char *const names[] = {"mine", "", "\x1b[0m", "\xff", NULL};
    TurfError               *error = maybe_error(objects);
    turf_player_free(objects->players[slot]);
    objects->player_games[slot] = objects->game;
    const char *name = pick(objects, names);
    bool        has_function = next_byte(objects) % 8;
    void       *context = next_byte(objects) % 4 ? NULL : objects;
    objects->players[slot] =
        next_byte(objects) % 2
            ? turf_player_custom(objects->game, name, has_function ? choose_badly : NULL, context,
                                 error)
            : turf_player_custom_cells(objects->game, name,
                                       has_function ? choose_cells_badly : NULL, context, error);
    check(objects, objects->players[slot] != NULL, error);
}

/* A player is asked about positions of its own game: they do not say which game they are of. */
static bool is_of_the_same_game(const Objects *objects, size_t slot, size_t player)
{
    return !objects->players[player] || objects->player_games[player] == objects->games[slot];
}

static void call_choose(Objects *objects, size_t slot)
{
    size_t     player = next_byte(objects) % N_SLOTS;
    TurfError *error = maybe_error(objects);
    TurfRng   *rng = maybe_rng(objects);
    TurfMove   move = 0;
    if (!is_of_the_same_game(objects, slot, player))
        return;
    bool is_good =
        turf_player_choose(objects->players[player], &objects->states[slot], rng, &move, error);
    check(objects, is_good, error);
    claim(!is_good || turf_play(objects->games[slot], &objects->states[slot], move, NULL),
          "an illegal choice");
}

static void call_analyse(Objects *objects, size_t slot)
{
    static TurfAnalysis analysis;
    size_t              player = next_byte(objects) % N_SLOTS;
    TurfError          *error = maybe_error(objects);
    TurfRng            *rng = maybe_rng(objects);
    TurfState           at = objects->states[slot];
    if (!is_of_the_same_game(objects, slot, player))
        return;
    bool is_good = turf_player_analyse(objects->players[player], &objects->states[slot], rng,
                                       next_byte(objects) % 8 ? &analysis : NULL, error);
    check(objects, is_good, error);
    claim(!is_good || analysis.n_line <= TURF_MAX_LINE, "a line that is too long");
    for (size_t i = 0; is_good && i < analysis.n_line; i++)
        claim(turf_play(objects->games[slot], &at, analysis.line[i], NULL), "an illegal line");
}

static void call_solve(Objects *objects, size_t slot)
{
    static TurfAnalysis analysis;
    TurfError          *error = maybe_error(objects);
    TurfSolveOptions options = {.time_ms = next_byte(objects) - 2, .hash_mib = 1, .n_threads = 1};
    if (options.time_ms == 0 || options.time_ms > 5)
        options.time_ms = 1;
    bool is_good =
        turf_solve(objects->games[slot], &objects->states[slot], &options, &analysis, error);
    check(objects, is_good, error);
}

static void call_choose_cells(Objects *objects, size_t slot)
{
    static TurfCell cells[2][TURF_MAX_CELLS];
    TurfAction      actions[2] = {{cells[0], 0}, {cells[1], 0}};
    size_t          player = next_byte(objects) % N_SLOTS;
    TurfError      *error = maybe_error(objects);
    bool            is_good = is_of_the_same_game(objects, slot, player);
    for (int side = 0; side < 2 && is_good; side++) {
        is_good = turf_player_choose_cells(objects->players[player], &objects->states[slot],
                                           (TurfSide)side, &objects->rng, cells[side],
                                           &actions[side].n_cells, error);
        check(objects, is_good, error);
    }
    claim(!is_good || turf_play_both(objects->games[slot], &objects->states[slot], actions, NULL),
          "illegal cells");
}

static bool go_on(void *context, const TurfTotals *totals, size_t n_pairings)
{
    (void)totals, (void)n_pairings;
    return !context;
}

static void note_game(void *context, const TurfFinished *game)
{
    (void)context;
    claim(game->ending < TURF_N_ENDINGS, "no ending");
    for (uint32_t i = 0; game->moves && i < game->length; i++)
        claim(game->moves[i] < 65536, "no move");
}

static void note_forfeit(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                         const char *text, const char *errors)
{
    (void)context, (void)game, (void)errors;
    claim(turf_forfeit_name(reason) && *turf_player_name(player), "a forfeit without a name");
    fuzz_check_line(text);
}

static void call_run(Objects *objects, size_t slot)
{
    static const char *const starts[] = {"random", "4x4", "6x9", "nowhere", NULL};
    TurfPairing              pairings[2];
    TurfTotals               totals[2];
    size_t                   n_pairings = next_byte(objects) % 3;
    TurfError               *error = maybe_error(objects);
    if (objects->n_runs++ >= MAX_RUNS)
        return;
    for (size_t p = 0; p < 2; p++)
        pairings[p] = (TurfPairing){
            .players = {objects->players[slot], objects->players[next_byte(objects) % N_SLOTS]},
            .n_games = next_byte(objects) % 4,
            .swap_sides = next_byte(objects) % 2};
    TurfRunOptions options = {.seed = next_byte(objects),
                              .start = pick(objects, starts),
                              .n_jobs = (int8_t)next_byte(objects) / 40,
                              .time_ms = (int8_t)next_byte(objects) / 100 * 100,
                              .progress = next_byte(objects) % 2 ? go_on : NULL,
                              .finished = next_byte(objects) % 2 ? note_game : NULL,
                              .forfeited = next_byte(objects) % 2 ? note_forfeit : NULL,
                              .context = next_byte(objects) % 4 ? NULL : objects,
                              .wants_moves = next_byte(objects) % 2};
    bool           is_good = turf_run(objects->game, pairings, n_pairings, &options, totals, error);
    check(objects, is_good, error);
}

/* ---- all of them -------------------------------------------------------------------------- */

static void call_find(Objects *objects, size_t slot)
{
    static const char *const names[] = {"wol", "aw", "bg", "sw", "squirrel-war", "a", "", NULL};
    TurfError               *error = maybe_error(objects);
    const TurfGame          *game = turf_game_find(pick(objects, names), error);
    check(objects, game != NULL, error);
    objects->game = game || slot ? game : turf_game_at(0); /* nobody looked at the NULL */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(Objects *, size_t) = {
        call_find,      call_start, call_play,      call_play_both, call_moves,        call_ask,
        call_read_move, call_open,  call_custom,    call_choose,    call_choose_cells, call_run,
        call_observe,   call_batch, call_transform, call_solve,     call_analyse,      call_draw,
    };
    Objects objects = {.data = data, .size = size, .rng = turf_rng(1)};
    objects.game = turf_game_at(0);
    for (size_t i = 0; i < N_SLOTS; i++)
        objects.games[i] = turf_game_at(i);
    for (int i = 0; i < MAX_CALLS && objects.size > 0; i++) {
        uint8_t call = next_byte(&objects) % (sizeof calls / sizeof *calls);
        size_t  slot = next_byte(&objects) % N_SLOTS;
        bool    needs_a_game = (call >= 2 && call <= 6) || calls[call] == call_observe ||
                            calls[call] == call_transform;
        /* the position's, which may be NULL */
        if (!needs_a_game || objects.games[slot])
            calls[call](&objects, slot);
    }
    for (size_t i = 0; i < N_SLOTS; i++)
        turf_player_free(objects.players[i]);
    return 0;
}
