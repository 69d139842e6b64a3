/* Bots' answers. The first byte selects the game, the second the number of moves played before, the
 * third the number of bytes that go to standard error; the rest is the answer. */
#include "base/clock.h"
#include "base/rng.h"
#include "fuzz.h"
#include "players/bot_memory.h"
#include "players/bot_player.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The bot's next answer. */
static struct {
    const uint8_t *bytes;
    size_t         n_bytes;
    int            pipe;
} answer = {.pipe = -1};

void __real_process_wait(Process *const *processes, size_t n_processes);
void __wrap_process_wait(Process *const *processes, size_t n_processes);

/* Delivers the answer once the bot is asked: earlier output would not count. */
void __wrap_process_wait(Process *const *processes, size_t n_processes)
{
    if (answer.pipe >= 0)
        (void)!write(answer.pipe, answer.bytes, answer.n_bytes);
    close(answer.pipe);
    answer.pipe = -1;
    __real_process_wait(processes, n_processes);
}

static int filled_pipe(const uint8_t *bytes, size_t n_bytes, int *writing_end)
{
    int ends[2];
    claim(!pipe2(ends, O_CLOEXEC | O_NONBLOCK), "there are no pipes");
    (void)!write(ends[1], bytes, n_bytes);
    *writing_end = ends[1];
    return ends[0];
}

/* Sets up the pipes of a process without starting one. */
static void begin(Bot *bot, const uint8_t *errors, size_t n_errors)
{
    int writing_end;
    bot->process = (Process){.to = open("/dev/null", O_WRONLY | O_CLOEXEC), .pid_fd = -1};
    bot->process.from = filled_pipe(NULL, 0, &answer.pipe);
    bot->process.errors = filled_pipe(errors, n_errors, &writing_end);
    close(writing_end);
    bot->process.inbox = malloc(MAX_LINE_BYTES + 1);
    bot->process.error_text = malloc(MAX_ERROR_TEXT_BYTES + 1);
    claim(bot->process.inbox && bot->process.error_text, "out of memory");
    bot->process.n_error_text = n_errors / 2; /* as if read in earlier turns */
    memcpy(bot->process.error_text, errors, n_errors / 2);
    bot->process.error_text[n_errors / 2] = '\0';
    bot->is_running = true;
}

static TurfState position_after(const TurfGame *game, unsigned n_moves)
{
    TurfState state = {{0}};
    TurfRng   rng = turf_rng(n_moves);
    TurfMove  moves[TURF_MAX_MOVES];
    TurfError error;
    claim(turf_start(game, NULL, &rng, &state, &error), "no usual start");
    for (size_t n; n_moves > 0 && (n = turf_moves(game, &state, moves)) > 0; n_moves--) {
        TurfState next = state;
        claim(turf_play(game, &next, moves[rng_below(&rng, (uint32_t)n)], &error), "%s",
              error.text);
        if (turf_to_move(game, &next) == TURF_MOVER_NONE)
            break;
        state = next;
    }
    return state;
}

static void ask(TurfPlayer *player, const TurfState *state)
{
    static TurfCell cells[TURF_MAX_CELLS];
    TurfMove        moves[TURF_MAX_MOVES];
    Forfeit         forfeit = {.reason = TURF_N_FORFEITS};
    TurfRng         rng = turf_rng(1);
    TurfError       error = {0};
    int64_t         used_ns = 0;
    TurnContext     turn = {.rng = &rng,
                            .deadline_ns = clock_ns() + INT64_C(60000000000),
                            .used_ns = &used_ns,
                            .forfeit = &forfeit,
                            .error = &error};
    bool            is_played;
    if (game_is_simultaneous(player->game)) {
        claim(player_ask(player, state, TURF_SECOND, &turn), "%s", error.text);
        size_t n_cells = player_choose_cells(player, state, TURF_SECOND, &turn, cells);
        is_played = n_cells != PLAYER_FORFEITS;
        claim(!is_played || player->game->is_legal_action(state, TURF_SECOND,
                                                          &(TurfAction){cells, n_cells}, &error),
              "taken, and not legal: %s", error.text);
    } else {
        claim(player_ask(player, state, TURF_FIRST, &turn), "%s", error.text);
        is_played = player_choose_move(player, state, false, &turn, moves).n_moves == 1;
        claim(!is_played || player->game->is_legal(state, moves[0], &error),
              "taken, and not legal: %s", error.text);
    }
    claim(is_played == (forfeit.reason == TURF_N_FORFEITS), "neither a move nor a reason, or both");
    if (!is_played)
        fuzz_check_line(forfeit.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const TurfGame *game = fuzz_game(&data, &size);
    TurfError       error = {0};
    char            words[BOT_LAST_LINE_BYTES];
    if (size < 2)
        return 0;
    size_t      n_errors = data[1] < size - 2 ? data[1] : size - 2;
    TurfState   state = position_after(game, data[0]);
    TurfPlayer *player = turf_player_open(game, "bot:sh", &error);
    claim(player, "%s", error.text);
    Bot *bot = player->memory;
    begin(bot, data + 2, n_errors);
    answer.bytes = data + 2 + n_errors;
    answer.n_bytes = size - 2 - n_errors;
    ask(player, &state);
    if (bot->is_running)
        bot_stop(bot);
    json_t *text = json_string(player_error_output(player));
    claim(text, "what is kept of standard error is not UTF-8");
    json_decref(text);
    if (*bot_last_line(player_error_output(player), words))
        fuzz_check_line(words);
    turf_player_free(player);
    return 0;
}
