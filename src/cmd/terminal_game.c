/* The board at the terminal, and the commands of a person: help, moves, hint, undo, board, save. */
#include "cmd/terminal_game.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "cmd/console.h"
#include "games/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_has_person(const TerminalGame *terminal)
{
    return !terminal->players[0] || !terminal->players[1];
}

const char *terminal_name(const TerminalGame *terminal, int side)
{
    const TurfPlayer *player = terminal->players[side];
    return player ? turf_player_name(player) : "human";
}

/* Takes the history of a saved game over if its moves lead to the current position. */
static void recall_moves(MoveHistory *history, const char *saved)
{
    const TurfGame *game = history->game;
    MoveHistory     earlier;
    TurfError       unused;
    json_t         *json = json_loads(saved, 0, NULL);
    const json_t   *start = json_object_get(json, "start"), *moves = json_object_get(json, "moves");
    if (json_array_size(moves) > 0 && history_read(&earlier, game, start, moves, NULL, &unused)) {
        json_t *then = game->to_json(&earlier.state), *now = game->to_json(&history->state);
        bool    leads_here = json_equal(then, now);
        history_release(leads_here ? history : &earlier);
        if (leads_here)
            *history = earlier;
        json_decref(then);
        json_decref(now);
    }
    json_decref(json);
}

void terminal_begin(TerminalGame *terminal, const TurfState *start, const char *saved)
{
    GameClock no_limit = game_clock(0, 0);
    live_game_init(&terminal->live, terminal->game, start, &no_limit, clock_ns());
    for (int side = 0; side < 2; side++)
        terminal->live.is_person[side] = !terminal->players[side];
    terminal->forfeiter = -1;
    if (saved)
        recall_moves(&terminal->live.history, saved);
}

void terminal_print_move(const TerminalGame *terminal, TurfMove move)
{
    char text[32];
    turf_move_to_text(terminal->game, terminal_position(terminal), move, text);
    fputs(text, stdout);
}

void terminal_list_moves(const TerminalGame *terminal)
{
    TurfMove    moves[TURF_MAX_MOVES];
    size_t      n_moves = terminal->game->moves(terminal_position(terminal), moves);
    bool        is_console = terminal->game->is_console;
    const char *separator = is_console ? ", " : " ";
    for (size_t i = 0; i < n_moves; i++) {
        terminal_print_move(terminal, moves[i]);
        bool is_end = i + 1 == n_moves || (!is_console && i % 7 == 6);
        fputs(is_end ? "\n" : separator, stdout);
    }
}

/* ---- commands ----------------------------------------------------------------------------- */

void terminal_draw(const TerminalGame *terminal)
{
    DrawStyle style = console_draw_style(stdout);
    game_draw(terminal->game, terminal_position(terminal), &style, stdout);
}

static void do_help(TerminalGame *terminal, int side, const char *rest)
{
    (void)side;
    (void)rest;
    printf("A move:     %s\n", terminal->game->move_form);
    if (terminal->adviser)
        printf("moves       the legal moves\n"
               "hint        what %s would do\n",
               turf_player_name(terminal->adviser));
    printf("undo        take your last move back\n"
           "board       draw the board again\n"
           "save FILE   write the position, the players and the game so far; --start FILE\n"
           "            continues it; save! FILE overwrites a file\n"
           "quit        leave the game\n");
}

/* False, with a message, where both sides move at once. */
static bool has_turns(const TerminalGame *terminal)
{
    bool has = !game_is_simultaneous(terminal->game);
    if (!has)
        printf("There is no such help where both sides move at once.\n");
    return has;
}

static void do_moves(TerminalGame *terminal, int side, const char *rest)
{
    (void)side;
    (void)rest;
    TurfMove moves[TURF_MAX_MOVES];
    if (!has_turns(terminal))
        return;
    terminal_list_moves(terminal);
    printf("%zu moves\n", terminal->game->moves(terminal_position(terminal), moves));
}

static void do_hint(TerminalGame *terminal, int side, const char *rest)
{
    (void)side;
    (void)rest;
    TurfMove moves[TURF_MAX_MOVES];
    TurfRng  rng = turf_rng(1);
    if (!has_turns(terminal))
        return;
    player_choose_move(terminal->adviser, terminal_position(terminal), false,
                       &(TurnContext){.rng = &rng}, moves);
    printf("hint: ");
    terminal_print_move(terminal, moves[0]);
    putchar('\n');
}

/* Two people at one terminal agree on everything. */
static void do_undo(TerminalGame *terminal, int side, const char *rest)
{
    (void)rest;
    TurfError unused;
    bool      has_two = !terminal->players[0] && !terminal->players[1];
    if (!live_game_undo(&terminal->live, side, has_two, clock_ns(), &unused)) {
        printf("There is no move of yours to take back.\n");
        return;
    }
    printf("Back to move %zu.\n", terminal->live.history.n_plies + 1);
    terminal_draw(terminal);
}

static void do_board(TerminalGame *terminal, int side, const char *rest)
{
    (void)side;
    (void)rest;
    terminal_draw(terminal);
}

/* How a side is described on the command line, so that the saved game can be continued. */
static json_t *player_json(const TerminalGame *terminal, int side)
{
    const TurfPlayer *player = terminal->players[side];
    if (!player)
        return json_string("human");
    if (!strcmp(player->name, player->spec))
        return json_string(player->spec);
    return json_sprintf("%s=%s", player->name, player->spec);
}

static void save(const TerminalGame *terminal, const char *path)
{
    const TurfGame    *game = terminal->game;
    const MoveHistory *history = &terminal->live.history;
    json_t            *json = game_to_json(game, &history->state);
    json_put(&json, "game", json_string(game->name));
    json_put(&json, "first", json_string(terminal_name(terminal, 0)));
    json_put(&json, "second", json_string(terminal_name(terminal, 1)));
    json_put(&json, "players",
             json_pack("[o,o]", player_json(terminal, 0), player_json(terminal, 1)));
    json_put(&json, "start", game->to_json(&history->start));
    json_put(&json, "moves", history_moves_json(history));
    errno = 0;
    /* The game continues whether or not the file could be written. */
    if (json_dump_file(json, path, JSON_COMPACT) == 0)
        /* With ./ it cannot be taken for the name of a start. */
        printf("Saved. To continue from here: turf play %s --start %s%s\n", game->name,
               strchr(path, '/') ? "" : "./", path);
    else
        printf("'%s' could not be written: %s\n", path, errno ? strerror(errno) : "out of memory");
    json_decref(json);
}

/* Never overwrites a file unless told so. */
static void do_save(TerminalGame *terminal, int side, const char *path)
{
    (void)side;
    if (!*path)
        printf("Save where? Type: save FILE\n");
    else if (access(path, F_OK) == 0)
        printf("'%s' exists. To overwrite it type: save! %s\n", path, path);
    else
        save(terminal, path);
}

static void do_save_over(TerminalGame *terminal, int side, const char *path)
{
    (void)side;
    if (!*path)
        printf("Save where? Type: save! FILE\n");
    else if (is_of_database(path))
        printf("'%s' is a database, which would be lost; save to another file\n", path);
    else
        save(terminal, path);
}

static const struct {
    const char *name;
    void (*run)(TerminalGame *terminal, int side, const char *rest);
} commands[] = {
    {"help", do_help}, {"?", do_help},      {"moves", do_moves}, {"hint", do_hint},
    {"undo", do_undo}, {"board", do_board}, {"save", do_save},   {"save!", do_save_over},
};

bool terminal_command(TerminalGame *terminal, int side, const char *line)
{
    size_t length = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && !strncmp(line, commands[i].name, length)) {
            const char *rest = line + length;
            commands[i].run(terminal, side, rest + strspn(rest, " \t"));
            return true;
        }
    return false;
}
