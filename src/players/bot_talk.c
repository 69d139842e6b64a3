/* The conversation with a bot: its questions, its answers, and what makes it forfeit.
 *
 * A bot forfeits for what it does: no answer in time, output that is no legal move, its exit. If
 * turf has no memory to ask it or to read its answer, that is an error of the game. */
#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/utf8.h"
#include "games/cells.h"
#include "games/question.h"
#include "players/bot_memory.h"
#include "players/bot_player.h"

#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- questions ---------------------------------------------------------------------------- */

/* Rounded up, so that a full clock is reported as full. */
static int64_t ms_left(const TurnContext *turn)
{
    int64_t left_ns = turn->deadline_ns - clock_ns();
    return left_ns > 0 ? (left_ns + 999999) / 1000000 : 0;
}

/* Takes the question over. The process only gets the answer. */
static bool ask_at_home(Bot *bot, char *question, const TurnContext *turn)
{
    char *nothing = strdup("");
    if (!nothing) {
        free(question);
        return error_no_memory(turn->error);
    }
    bot->lag_ns = home_seat_lag_ns(bot->home);
    int64_t deadline_ns = turn->deadline_ns;
    if (deadline_ns < INT64_MAX - bot->lag_ns)
        deadline_ns += bot->lag_ns;
    process_ask(&bot->process, nothing, deadline_ns, turn->stop);
    question[strlen(question) - 1] = '\0'; /* the newline */
    home_seat_ask(bot->home, question);
    free(question);
    return true;
}

bool bot_ask(const TurfPlayer *player, const void *state, TurfSide side, const TurnContext *turn)
{
    const TurfGame *game = player->game;
    Bot            *bot = player->memory;
    BotTime         time = {.left_ms = ms_left(turn), .gain_ms = turn->time_gain_ms};
    char           *question = question_text(game, state, side, &time), *line = NULL;
    char            preface[128] = "";
    /* A process that plays many games is told of each, unless the game has its own protocol. */
    if (bot->says_new_game && !game->question)
        snprintf(preface, sizeof preface, "{\"new_game\":{\"game\":\"%s\",\"you\":\"%s\"}}\n",
                 game->name, game->side_letters[side]);
    bool is_good = question && asprintf(&line, "%s%s\n", preface, question) >= 0;
    free(question);
    if (!is_good)
        return error_no_memory(turn->error);
    if (bot->home)
        return ask_at_home(bot, line, turn);
    process_ask(&bot->process, line, turn->deadline_ns, turn->stop);
    bot->said_new_game = *preface != '\0';
    bot->says_new_game = false;
    return true;
}

Process *bot_process(const TurfPlayer *player) { return &((Bot *)player->memory)->process; }

/* ---- answers ------------------------------------------------------------------------------ */

static void forfeit(const TurnContext *turn, TurfForfeit reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void forfeit(const TurnContext *turn, TurfForfeit reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    turn->forfeit->reason = reason;
    (void)vsnprintf(turn->forfeit->text, sizeof turn->forfeit->text, format, arguments);
    va_end(arguments);
    utf8_make_printable(turn->forfeit->text);
}

/* Added to the reason where the line that announces a game may be what the bot stumbled over. */
static const char *after_new_game(const Bot *bot)
{
    return bot->said_new_game ? "; the line before the question was {\"new_game\":...}, which "
                                "--reuse sends and which has no answer"
                              : "";
}

/* The signal that ended a process, or 0. */
static int signal_of(const Bot *bot, int status)
{
    enum { SHELL_SIGNAL = 128 }; /* a wrapper exits with this and the signal's number */
    if (status == -1)
        return 0;
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    bool is_wrapped = bot->has_wrapper && WEXITSTATUS(status) > SHELL_SIGNAL;
    return is_wrapped ? WEXITSTATUS(status) - SHELL_SIGNAL : 0;
}

/* The bot exited or closed its output. Stops it, and forfeits with how it ended and the last line
 * of its standard error. */
static void forfeit_after_exit(Bot *bot, const ProcessTerms *terms, const TurnContext *turn)
{
    char        last_line[BOT_LAST_LINE_BYTES];
    int         status = bot_stop(bot), signal_number = signal_of(bot, status);
    const char *colon;
    bot_last_line(bot->errors ? bot->errors : "", last_line);
    colon = *last_line ? ": " : "";
    if (bot->process.breach == TOO_MUCH_MEMORY)
        forfeit(turn, TURF_MEMORY, "used more than %lld MiB of memory", (long long)terms->max_mib);
    else if (bot->process.breach == TOO_MANY_PROCESSES)
        forfeit(turn, TURF_CRASH, "killed: it had more than %lld processes and threads",
                (long long)terms->max_processes);
    else if (bot->process.breach == TOO_MUCH_CPU ||
             (signal_number == SIGXCPU && terms->max_cpu_seconds > 0))
        forfeit(turn, TURF_CRASH, "used up its %lld s of CPU time",
                (long long)terms->max_cpu_seconds);
    else if (signal_number > 0)
        forfeit(turn, TURF_CRASH, "ended by signal %d%s%.150s", signal_number, colon, last_line);
    else if (status != -1 && WEXITSTATUS(status) != 0)
        forfeit(turn, TURF_CRASH, "ended with status %d%s%.150s%s", WEXITSTATUS(status), colon,
                last_line, after_new_game(bot));
    else
        forfeit(turn, TURF_DISCONNECTED,
                status == -1 ? "closed its output%s%.150s%s" : "ended without an answer%s%.150s%s",
                colon, last_line, after_new_game(bot));
}

/* The first bytes of a line, with unprintable ones as \xNN. */
static const char *escape(const char *line, size_t length, char text[BOT_LAST_LINE_BYTES])
{
    enum { MAX_BYTES = 36 };
    char *at = text;
    for (size_t i = 0; i < length && i < MAX_BYTES; i++)
        at +=
            sprintf(at, isprint((unsigned char)line[i]) ? "%c" : "\\x%02x", (unsigned char)line[i]);
    (void)stpcpy(at, length > MAX_BYTES ? "..." : "");
    return text;
}

static void forfeit_at_home(Bot *bot, const TurnContext *turn)
{
    char        text[HOME_FAULT_BYTES];
    TurfForfeit reason = home_seat_fault(bot->home, text);
    bot_stop(bot);
    forfeit(turn, reason, "%s", text);
}

/* The time between question and answer, without the lag of its connection. */
static int64_t time_used(const Bot *bot)
{
    int64_t used_ns = bot->process.answered_ns - bot->process.asked_ns - bot->lag_ns;
    return used_ns > 0 ? used_ns : 0;
}

/* The answer as JSON; NULL: a forfeit, or turn->error has a code. */
static json_t *collect(const TurfPlayer *player, const TurnContext *turn)
{
    Bot      *bot = player->memory;
    Process  *process = &bot->process;
    TurfError why;
    char      escaped[BOT_LAST_LINE_BYTES];
    process_wait(&process, 1);
    if (turn->used_ns)
        *turn->used_ns = time_used(bot);
    switch (process->answer) {
    case PROCESS_TIMED_OUT:
        forfeit(turn, TURF_TIMEOUT, "no answer within %lld ms",
                (long long)(process->deadline_ns - bot->lag_ns - process->asked_ns + 500000) /
                    1000000);
        return NULL;
    case PROCESS_FLOODED:
        forfeit(turn, TURF_FLOOD, "a line of more than %d bytes, or output without end",
                MAX_LINE_BYTES);
        return NULL;
    case PROCESS_ANSWERED: break;
    default:
        if (bot->home)
            forfeit_at_home(bot, turn);
        else
            forfeit_after_exit(bot, &player->terms.process, turn);
        return NULL;
    }
    size_t      length;
    const char *line = process_line(process, &length);
    json_t     *json = json_read_bytes(line, length, JSON_REJECT_DUPLICATES, &why);
    if (!json && why.code == TURF_ERROR_NO_MEMORY)
        error_no_memory(turn->error);
    else if (!json_is_object(json))
        forfeit(turn, TURF_GARBAGE, "not a JSON object: %s%s", escape(line, length, escaped),
                after_new_game(bot));
    if (json_is_object(json))
        return json;
    json_decref(json);
    return NULL;
}

/* What the answer has under a key. Without it the bot forfeits, and other keys, which otherwise do
 * no harm, are named: one of them may be misspelt. */
static const json_t *needed(const json_t *answer, const char *key, const TurnContext *turn)
{
    const json_t *value = json_object_get(answer, key);
    void         *other = json_object_iter((json_t *)(uintptr_t)answer);
    char          quoted[ERROR_QUOTE_BYTES];
    if (value)
        return value;
    if (other)
        forfeit(turn, TURF_GARBAGE, "the answer has no \"%s\", but \"%s\"", key,
                error_quote(quoted, json_object_iter_key(other)));
    else
        forfeit(turn, TURF_GARBAGE, "the answer has no \"%s\"", key);
    return NULL;
}

/* The answer cannot be read: why, and what it was. */
static void forfeit_unreadable(const Bot *bot, const TurnContext *turn, const char *why)
{
    char        escaped[BOT_LAST_LINE_BYTES];
    size_t      length;
    const char *line = process_line(&bot->process, &length);
    forfeit(turn, TURF_GARBAGE, "%.150s; the answer was %s", why, escape(line, length, escaped));
}

Choice bot_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                       const TurnContext *turn, TurfMove *moves)
{
    (void)want_all;
    TurfError     error;
    json_t       *answer = collect(player, turn);
    Choice        choice = {.n_moves = 0};
    const json_t *move = answer ? needed(answer, "move", turn) : NULL;
    if (move && !player->game->move_from_json(state, move, &moves[0], &error))
        forfeit_unreadable(player->memory, turn, error.text);
    else if (move && !player->game->is_legal(state, moves[0], &error))
        forfeit(turn, TURF_ILLEGAL, "%s", error.text);
    else if (move)
        choice.n_moves = 1;
    json_decref(answer);
    return choice;
}

size_t bot_choose_cells(const TurfPlayer *player, const void *state, TurfSide side,
                        const TurnContext *turn, TurfCell *cells)
{
    TurfError     error;
    size_t        n_cells;
    json_t       *answer = collect(player, turn);
    const json_t *list = answer ? needed(answer, "cells", turn) : NULL;
    bool          is_read = list && cells_from_json(list, cells, &n_cells, &error);
    if (list && !is_read)
        forfeit_unreadable(player->memory, turn, error.text);
    json_decref(answer);
    if (!is_read)
        return PLAYER_FORFEITS;
    if (!player->game->is_legal_action(state, side, &(TurfAction){cells, n_cells}, &error)) {
        forfeit(turn, TURF_ILLEGAL, "%s", error.text);
        return PLAYER_FORFEITS;
    }
    return n_cells;
}
