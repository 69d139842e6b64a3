/* The commands of a person at the board. */
#include "cmd/terminal_game.h"

#include "base/checked_json.h"
#include "games/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *terminal_game_name(const TerminalGame *terminal_game, TurfMover side)
{
    return terminal_game->players[side] ? turf_player_name(terminal_game->players[side]) : "human";
}

void terminal_game_go_on(TerminalGame *terminal_game, TurfMove move)
{
    if (terminal_game->n_moves + 2 > terminal_game->room) {
        uint32_t   room = terminal_game->room ? 2 * terminal_game->room : 64;
        TurfState *states = realloc(terminal_game->states, room * sizeof *states);
        TurfMove  *moves = realloc(terminal_game->moves, room * sizeof *moves);
        if (!states || !moves)
            die("out of memory");
        terminal_game->states = states;
        terminal_game->moves = moves;
        terminal_game->room = room;
    }
    terminal_game->states[terminal_game->n_moves + 1] =
        terminal_game->states[terminal_game->n_moves];
    terminal_game->moves[terminal_game->n_moves++] = move;
}

json_t *terminal_game_moves(const TerminalGame *terminal_game)
{
    json_t *moves = json_array();
    for (uint32_t i = 0; i < terminal_game->n_moves && !game_is_simultaneous(terminal_game->game);
         i++)
        json_add(&moves, terminal_game->game->move_to_json(&terminal_game->states[i],
                                                           terminal_game->moves[i]));
    return moves;
}

static bool go_on_with(TerminalGame *terminal_game, const json_t *json)
{
    const TurfGame *game = terminal_game->game;
    TurfEnding      ending;
    TurfMove        move;
    TurfError       unused;
    if (game->is_over(terminal_game_now(terminal_game), &ending) ||
        !game->move_from_json(terminal_game_now(terminal_game), json, &move, &unused) ||
        !game->is_legal(terminal_game_now(terminal_game), move, &unused))
        return false;
    terminal_game_go_on(terminal_game, move);
    game->apply(terminal_game_now(terminal_game), move);
    return true;
}

void terminal_game_recall(TerminalGame *terminal_game, const char *saved)
{
    const TurfGame *game = terminal_game->game;
    TurfState       position = *terminal_game_now(terminal_game);
    TurfError       unused;
    json_t         *json = saved ? json_loads(saved, 0, NULL) : NULL;
    const json_t   *moves = json_object_get(json, "moves");
    bool            leads_here =
        !game_is_simultaneous(game) && json_array_size(moves) > 0 &&
        game->from_json(&terminal_game->states[0], json_object_get(json, "start"), &unused);
    for (size_t i = 0; leads_here && i < json_array_size(moves); i++)
        leads_here = go_on_with(terminal_game, json_array_get(moves, i));
    json_t *then = game->to_json(terminal_game_now(terminal_game)), *now = game->to_json(&position);
    if (!leads_here || !json_equal(then, now)) {
        terminal_game->n_moves = 0;
        terminal_game->states[0] = position;
    }
    json_decref(then);
    json_decref(now);
    json_decref(json);
}

static TurfMover mover_at(const TerminalGame *terminal_game, uint32_t move)
{
    return terminal_game->game->to_move(&terminal_game->states[move]);
}

void terminal_game_print_move(const TerminalGame *terminal_game, TurfMove move)
{
    char text[32];
    turf_move_to_text(terminal_game->game, terminal_game_now(terminal_game), move, text);
    fputs(text, stdout);
}

void terminal_game_list_moves(const TerminalGame *terminal_game)
{
    TurfMove    moves[TURF_MAX_MOVES];
    size_t      n_moves = terminal_game->game->moves(terminal_game_now(terminal_game), moves);
    bool        is_console = terminal_game->game->is_console;
    const char *separator = is_console ? ", " : " ";
    for (size_t i = 0; i < n_moves; i++) {
        terminal_game_print_move(terminal_game, moves[i]);
        bool is_end = i + 1 == n_moves || (!is_console && i % 7 == 6);
        fputs(is_end ? "\n" : separator, stdout);
    }
}

static void do_help(TerminalGame *terminal_game, const char *rest)
{
    (void)rest;
    printf("A move:     %s\n", terminal_game->game->move_form);
    if (terminal_game->adviser)
        printf("moves       the legal moves\n"
               "hint        what %s would do\n"
               "undo        take your last move back\n",
               turf_player_name(terminal_game->adviser));
    printf("board       draw the board again\n"
           "save FILE   write the position and the game so far; --start FILE goes on from it\n"
           "quit        leave the game\n");
}

static void do_moves(TerminalGame *terminal_game, const char *rest)
{
    (void)rest;
    if (game_is_simultaneous(terminal_game->game)) {
        printf("There is no such help where both sides move at once.\n");
        return;
    }
    TurfMove moves[TURF_MAX_MOVES];
    terminal_game_list_moves(terminal_game);
    printf("%zu moves\n", terminal_game->game->moves(terminal_game_now(terminal_game), moves));
}

static void do_hint(TerminalGame *terminal_game, const char *rest)
{
    (void)rest;
    if (game_is_simultaneous(terminal_game->game)) {
        printf("There is no such help where both sides move at once.\n");
        return;
    }
    TurfMove moves[TURF_MAX_MOVES];
    TurfRng  rng = turf_rng(1);
    player_choose_move(terminal_game->adviser, terminal_game_now(terminal_game), false,
                       &(TurnContext){.rng = &rng}, moves);
    printf("hint: ");
    terminal_game_print_move(terminal_game, moves[0]);
    putchar('\n');
}

/* Back to the last position where the same person was to move, or any person where there are two.
 */
static void do_undo(TerminalGame *terminal_game, const char *rest)
{
    (void)rest;
    TurfMover mover = mover_at(terminal_game, terminal_game->n_moves);
    bool      has_two = !terminal_game->players[0] && !terminal_game->players[1];
    for (uint32_t back = terminal_game->n_moves; back-- > 0;)
        if (has_two || mover_at(terminal_game, back) == mover) {
            terminal_game->n_moves = back;
            printf("Back to move %u.\n", back + 1);
            game_draw(terminal_game->game, terminal_game_now(terminal_game), &terminal_game->style,
                      stdout);
            return;
        }
    printf("There is no move of yours to take back.\n");
}

static void do_board(TerminalGame *terminal_game, const char *rest)
{
    (void)rest;
    game_draw(terminal_game->game, terminal_game_now(terminal_game), &terminal_game->style, stdout);
}

static void do_save(TerminalGame *terminal_game, const char *path)
{
    if (!*path) {
        printf("Save where? Type: save FILE\n");
        return;
    }
    if (is_of_database(path)) {
        printf("'%s' is a database, which would be lost; save to another file\n", path);
        return;
    }
    json_t *json = game_to_json(terminal_game->game, terminal_game_now(terminal_game));
    json_put(&json, "game", json_string(terminal_game->game->name));
    json_put(&json, "first", json_string(terminal_game_name(terminal_game, TURF_MOVER_FIRST)));
    json_put(&json, "second", json_string(terminal_game_name(terminal_game, TURF_MOVER_SECOND)));
    json_put(&json, "start", terminal_game->game->to_json(&terminal_game->states[0]));
    json_put(&json, "moves", terminal_game_moves(terminal_game));
    errno = 0;
    /* The game goes on whether or not the file could be written. */
    if (json_dump_file(json, path, JSON_COMPACT) == 0)
        /* With ./ it cannot be taken for the name of a start. */
        printf("Saved. To go on from here: turf play %s --start %s%s\n", terminal_game->game->name,
               strchr(path, '/') ? "" : "./", path);
    else
        printf("'%s' could not be written: %s\n", path, errno ? strerror(errno) : "out of memory");
    json_decref(json);
}

static const struct {
    const char *name;
    void (*run)(TerminalGame *terminal_game, const char *rest);
} commands[] = {
    {"help", do_help}, {"?", do_help},      {"moves", do_moves}, {"hint", do_hint},
    {"undo", do_undo}, {"board", do_board}, {"save", do_save},
};

bool terminal_game_command(TerminalGame *terminal_game, const char *line)
{
    size_t length = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && !strncmp(line, commands[i].name, length)) {
            const char *rest = line + length;
            commands[i].run(terminal_game, rest + strspn(rest, " \t"));
            return true;
        }
    return false;
}
