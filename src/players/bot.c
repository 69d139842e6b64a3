#include "players/bot.h"

#include "base/clock.h"
#include "base/error.h"
#include "bots/sandbox.h"
#include "games/battleground.h"
#include "players/tcp.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANDSHAKE_MS = 30000 }; /* for a bot that connects, at the beginning of each game */

typedef struct Bot {
    char  **words;    /* its command */
    int     listener; /* where it is expected, if it connects by TCP; else -1 */
    Process process;
    bool    is_running, is_asked, has_started;
    bool    has_wrapper; /* which tells of a signal by a status above 128 */
    char    last_words[160];
} Bot;

/* ---- life --------------------------------------------------------------------------------- */

bool bot_open(TurfPlayer *player, TurfError *error)
{
    Bot *bot = calloc(1, sizeof *bot);
    player->memory = bot;
    if (bot)
        bot->listener = -1;
    return bot ? process_read_command(player->command, &bot->words, error) : error_set(error, "out of memory");
}

bool bot_open_tcp(TurfPlayer *player, TurfError *error)
{
    Bot *bot = calloc(1, sizeof *bot);
    player->memory = bot;
    if (!bot)
        return error_set(error, "out of memory");
    bot->listener = tcp_listen(player->command, error);
    return bot->listener >= 0;
}

/* The door stays the same, and one game is played at a time. */
bool bot_copy_tcp(const TurfPlayer *from, TurfPlayer *to, TurfError *error)
{
    Bot *bot = calloc(1, sizeof *bot);
    to->memory = bot;
    if (bot)
        bot->listener = fcntl(((const Bot *)from->memory)->listener, F_DUPFD_CLOEXEC, 3);
    return (bot && bot->listener >= 0) || error_set(error, "out of memory");
}

bool bot_begin_game_tcp(TurfPlayer *player, TurfError *error)
{
    Bot *bot = player->memory;
    bot->is_asked = false;
    bot->is_running = bot->has_started =
        process_accept(&bot->process, bot->listener, clock_ns() + HANDSHAKE_MS * INT64_C(1000000), NULL, error);
    return bot->is_running;
}

bool bot_copy(const TurfPlayer *from, TurfPlayer *to, TurfError *error)
{
    Bot *bot = calloc(1, sizeof *bot);
    to->memory = bot;
    if (bot)
        bot->listener = -1;
    if (bot)
        bot->words = process_copy_words(((const Bot *)from->memory)->words);
    return (bot && bot->words) || error_set(error, "out of memory");
}

bool bot_begin_game(TurfPlayer *player, TurfError *error)
{
    Bot *bot = player->memory;
    enum { MOST_TRIES = 40 };
    char **wrapped = player->is_sandboxed ? sandbox_wrap(bot->words) : NULL;
    bot->is_asked = false;
    if (player->is_sandboxed && !wrapped)
        return error_set(error, "the sandbox cannot be made: bubblewrap is missing");
    /* A shortage is the arena's and passes; anything else is the bot's. */
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        bot->is_running = process_start(&bot->process, wrapped ? wrapped : bot->words, error);
        int why = bot->process.start_errno;
        if (bot->is_running || (why != EAGAIN && why != EMFILE && why != ENFILE && why != ENOMEM))
            break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    bot->has_started = bot->is_running;
    bot->has_wrapper = wrapped != NULL;
    free(wrapped);
    return bot->is_running;
}

/* The last line that a bot wrote to standard error, which often says it all. */
static const char *last_line(Process *process)
{
    char  *text = process->error_text;
    size_t length = text ? strlen(text) : 0;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    if (length == 0)
        return "";
    char *line = memrchr(text, '\n', length);
    return line ? line + 1 : text;
}

/* Ends the process; how it ended is what process_stop says. */
static int stop(Bot *bot)
{
    int status = process_stop(&bot->process);
    snprintf(bot->last_words, sizeof bot->last_words, "%s", last_line(&bot->process));
    for (char *at = bot->last_words; *at; at++)
        if (!isprint((unsigned char)*at))
            *at = '?';
    free(bot->process.error_text);
    bot->process.error_text = NULL;
    bot->is_running = false;
    return status;
}

bool bot_has_started(const TurfPlayer *player) { return ((const Bot *)player->memory)->has_started; }

const char *bot_last_words(const TurfPlayer *player) { return ((const Bot *)player->memory)->last_words; }

void bot_end_game(TurfPlayer *player, const char *verdict)
{
    Bot *bot = player->memory;
    if (!bot->is_running)
        return;
    if (verdict) {
        json_t *json = json_pack("{s:s}", "error", verdict);
        char   *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
        if (text) {
            process_tell(&bot->process, text);
            process_tell(&bot->process, "\n");
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* to read it */
        }
        free(text);
        json_decref(json);
    }
    stop(bot);
}

void bot_close(TurfPlayer *player)
{
    Bot *bot = player->memory;
    if (!bot)
        return;
    bot_end_game(player, NULL);
    process_free_words(bot->words);
    if (bot->listener >= 0)
        close(bot->listener);
    free(bot);
}

/* ---- questions ---------------------------------------------------------------------------- */

static json_t *time_left(const Thinking *thinking)
{
    int64_t left_ns = thinking->deadline_ns - clock_ns();
    return json_integer(left_ns > 0 ? left_ns / 1000000 : 0);
}

/* The position, whose side the bot is on, the legal moves, and the time. */
static json_t *turn_question(const TurfGame *game, const void *state, const Thinking *thinking)
{
    TurfMove moves[TURF_MOST_MOVES];
    size_t   n_moves = game->moves(state, moves);
    json_t  *json = game->to_json(state), *list = json_array();
    for (size_t i = 0; i < n_moves; i++)
        json_array_append_new(list, game->move_to_json(state, moves[i]));
    json_object_set_new(json, "you", json_string(game->side_letters[game->to_move(state)]));
    json_object_set_new(json, "moves", list);
    json_object_set_new(json, "timeLeftForMove", time_left(thinking));
    return json;
}

/* AI Battleground's own wire, with its keys in their old order. */
static json_t *battleground_question(const BgState *state, TurfSide side, const Thinking *thinking)
{
    const BgConfig *config = &state->config;
    json_t         *field = json_array();
    for (int row = 0; row < config->rows; row++) {
        char text[BG_MOST_SIDE];
        for (int col = 0; col < config->cols; col++)
            text[col] = bg_has(&state->cells[side], row, col)    ? '#'
                        : bg_has(&state->cells[!side], row, col) ? 'O'
                                                                 : '.';
        json_array_append_new(field, json_stringn(text, (size_t)config->cols));
    }
    json_t *json = json_pack("{s:o,s:i,s:i,s:i,s:i,s:i,s:i}", "field", field, "cellsRemaining", state->remaining[side],
                             "cellGainPerTurn", config->cell_gain_per_turn, "maxCellCapacity",
                             config->max_cell_capacity, "maxColonisationDistance", config->max_colonisation_distance,
                             "currIteration", state->iteration, "maxGameIterations", config->max_game_iterations);
    if (thinking->time_gain_ms > 0) {
        json_object_set_new(json, "timeGainPerTurn", json_integer(thinking->time_gain_ms));
        json_object_set_new(json, "timeLeftForMove", time_left(thinking));
    }
    return json;
}

static void ask(Bot *bot, json_t *question, const Thinking *thinking)
{
    char *text = question ? json_dumps(question, JSON_COMPACT) : NULL, *line = NULL;
    if (text && asprintf(&line, "%s\n", text) >= 0)
        process_ask(&bot->process, line, thinking->deadline_ns, thinking->stop);
    bot->is_asked = line != NULL;
    free(line);
    free(text);
    json_decref(question);
}

/* ---- answers ------------------------------------------------------------------------------ */

static void forfeit(const Thinking *thinking, TurfForfeit reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void forfeit(const Thinking *thinking, TurfForfeit reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thinking->forfeit->reason = reason;
    (void)vsnprintf(thinking->forfeit->text, sizeof thinking->forfeit->text, format, arguments);
    va_end(arguments);
    for (char *at = thinking->forfeit->text; *at; at++)
        if (!isprint((unsigned char)*at))
            *at = '?';
}

/* The bot is gone: how? Its end is awaited here, for what it leaves behind. */
static void forfeit_of_the_gone(Bot *bot, const Thinking *thinking)
{
    int         status = stop(bot);
    const char *words = bot->last_words, *colon = *words ? ": " : "";
    int         signal_number = status == -1                                    ? 0
                                : WIFSIGNALED(status)                           ? WTERMSIG(status)
                                : bot->has_wrapper && WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                                                                : 0;
    if (signal_number > 0)
        forfeit(thinking, TURF_CRASH, "ended by signal %d%s%.150s", signal_number, colon, words);
    else if (status != -1 && WEXITSTATUS(status) != 0)
        forfeit(thinking, TURF_CRASH, "ended with status %d%s%.150s", WEXITSTATUS(status), colon, words);
    else
        forfeit(thinking, TURF_DISCONNECTED,
                status == -1 ? "closed its output%s%.150s" : "ended without an answer%s%.150s", colon, words);
    free(bot->process.error_text);
    bot->process.error_text = NULL;
}

/* The answer as JSON, or NULL with the forfeit filled in. */
static json_t *collect(Bot *bot, const Thinking *thinking)
{
    Process     *process = &bot->process;
    json_error_t where;
    process_wait(&process, 1);
    bot->is_asked = false;
    if (thinking->used_ns)
        *thinking->used_ns = process->answered_ns - process->asked_ns;
    switch (process->answer) {
    case PROCESS_LATE:
        forfeit(thinking, TURF_TIMEOUT, "no answer within %lld ms",
                (long long)(process->deadline_ns - process->asked_ns + 500000) / 1000000);
        return NULL;
    case PROCESS_FLOODS:
        forfeit(thinking, TURF_FLOOD, "a line of more than %d bytes, or output without end", PROCESS_LONGEST_LINE);
        return NULL;
    case PROCESS_ANSWERED: break;
    default: forfeit_of_the_gone(bot, thinking); return NULL;
    }
    size_t      length;
    const char *line = process_line(process, &length);
    json_t     *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(json)) {
        forfeit(thinking, TURF_GARBAGE, "not a JSON object: %.60s", line);
        json_decref(json);
        return NULL;
    }
    return json;
}

Verdict bot_judge(const TurfPlayer *player, const void *state, bool want_all, const Thinking *thinking, TurfMove *moves)
{
    (void)want_all;
    Bot      *bot = player->memory;
    TurfError error;
    ask(bot, turn_question(player->game, state, thinking), thinking);
    json_t *answer = collect(bot, thinking);
    Verdict verdict = {.n_moves = 0};
    if (!answer)
        return verdict;
    if (!player->game->move_from_json(state, json_object_get(answer, "move"), &moves[0], &error))
        forfeit(thinking, TURF_GARBAGE, "%s", error.text);
    else if (!player->game->is_legal(state, moves[0], &error))
        forfeit(thinking, TURF_ILLEGAL, "%s", error.text);
    else
        verdict.n_moves = 1;
    json_decref(answer);
    return verdict;
}

void bot_ask_ahead(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking)
{
    if (player->kind->is_bot)
        ask(player->memory, battleground_question(state, side, thinking), thinking);
}

void bot_wait_for_both(const TurfPlayer *const players[2])
{
    Process *processes[2];
    size_t   n = 0;
    for (int side = 0; side < 2; side++)
        if (players[side]->kind->is_bot)
            processes[n++] = &((Bot *)players[side]->memory)->process;
    process_wait(processes, n);
}

/* The cells of an answer {"cells":[[r,c],...]}; SIZE_MAX if it is none. */
static size_t read_cells(const json_t *answer, TurfCell *cells, const Thinking *thinking)
{
    const json_t *list = json_object_get(answer, "cells"), *cell;
    size_t        i;
    if (!json_is_array(list) || json_array_size(list) > TURF_MOST_CELLS) {
        forfeit(thinking, TURF_GARBAGE, "there is no list of \"cells\" in the answer, or it is too long");
        return PLAYER_FORFEITS;
    }
    json_array_foreach(list, i, cell)
    {
        const json_t *row = json_array_get(cell, 0), *col = json_array_get(cell, 1);
        json_int_t    r = json_integer_value(row), c = json_integer_value(col);
        if (json_array_size(cell) != 2 || !json_is_integer(row) || !json_is_integer(col)) {
            forfeit(thinking, TURF_GARBAGE, "cell %zu is not [row,col]", i + 1);
            return PLAYER_FORFEITS;
        }
        bool is_huge = r < -1000000 || r > 1000000 || c < -1000000 || c > 1000000;
        cells[i] = is_huge ? (TurfCell){-1000000, -1000000} : (TurfCell){(int32_t)r, (int32_t)c};
    }
    return json_array_size(list);
}

size_t bot_act(const TurfPlayer *player, const void *state, TurfSide side, const Thinking *thinking, TurfCell *cells)
{
    Bot      *bot = player->memory;
    TurfError error;
    if (!bot->is_asked)
        bot_ask_ahead(player, state, side, thinking);
    json_t *answer = collect(bot, thinking);
    if (!answer)
        return PLAYER_FORFEITS;
    size_t n_cells = read_cells(answer, cells, thinking);
    json_decref(answer);
    if (n_cells != PLAYER_FORFEITS &&
        !player->game->is_legal_action(state, side, &(TurfAction){cells, n_cells}, &error)) {
        forfeit(thinking, TURF_ILLEGAL, "%s", error.text);
        return PLAYER_FORFEITS;
    }
    return n_cells;
}
