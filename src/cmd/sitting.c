/* The commands of a person at the board. */
#include "cmd/sitting.h"

#include "base/whole_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *sitting_name(const Sitting *sitting, TurfMover side)
{
    return sitting->players[side] ? turf_player_name(sitting->players[side]) : "human";
}

void sitting_go_on(Sitting *sitting, TurfMove move)
{
    if (sitting->n_moves + 2 > sitting->room) {
        uint32_t   room = sitting->room ? 2 * sitting->room : 64;
        TurfState *states = realloc(sitting->states, room * sizeof *states);
        TurfMove  *moves = realloc(sitting->moves, room * sizeof *moves);
        if (!states || !moves)
            die("out of memory");
        sitting->states = states;
        sitting->moves = moves;
        sitting->room = room;
    }
    sitting->states[sitting->n_moves + 1] = sitting->states[sitting->n_moves];
    sitting->moves[sitting->n_moves++] = move;
}

json_t *sitting_moves(const Sitting *sitting)
{
    json_t *moves = json_array();
    for (uint32_t i = 0; i < sitting->n_moves && !game_is_simultaneous(sitting->game); i++)
        json_add(&moves, sitting->game->move_to_json(&sitting->states[i], sitting->moves[i]));
    return moves;
}

static bool go_on_with(Sitting *sitting, const json_t *json)
{
    const TurfGame *game = sitting->game;
    TurfEnding      ending;
    TurfMove        move;
    TurfError       unused;
    if (game->is_over(sitting_now(sitting), &ending) ||
        !game->move_from_json(sitting_now(sitting), json, &move, &unused) ||
        !game->is_legal(sitting_now(sitting), move, &unused))
        return false;
    sitting_go_on(sitting, move);
    game->apply(sitting_now(sitting), move);
    return true;
}

void sitting_recall(Sitting *sitting, const char *saved)
{
    const TurfGame *game = sitting->game;
    TurfState       position = *sitting_now(sitting);
    TurfError       unused;
    json_t         *json = saved ? json_loads(saved, 0, NULL) : NULL;
    const json_t   *moves = json_object_get(json, "moves");
    bool            leads_here = !game_is_simultaneous(game) && json_array_size(moves) > 0 &&
                      game->from_json(&sitting->states[0], json_object_get(json, "start"), &unused);
    for (size_t i = 0; leads_here && i < json_array_size(moves); i++)
        leads_here = go_on_with(sitting, json_array_get(moves, i));
    json_t *then = game->to_json(sitting_now(sitting)), *now = game->to_json(&position);
    if (!leads_here || !json_equal(then, now)) {
        sitting->n_moves = 0;
        sitting->states[0] = position;
    }
    json_decref(then);
    json_decref(now);
    json_decref(json);
}

static TurfMover mover_at(const Sitting *sitting, uint32_t move)
{
    return sitting->game->to_move(&sitting->states[move]);
}

void sitting_print_move(const Sitting *sitting, TurfMove move)
{
    char text[32];
    turf_move_to_text(sitting->game, sitting_now(sitting), move, text);
    fputs(text, stdout);
}

void sitting_list_moves(const Sitting *sitting)
{
    TurfMove    moves[TURF_MOST_MOVES];
    size_t      n_moves = sitting->game->moves(sitting_now(sitting), moves);
    bool        is_console = sitting->game->is_console;
    const char *separator = is_console ? ", " : " ";
    for (size_t i = 0; i < n_moves; i++) {
        sitting_print_move(sitting, moves[i]);
        bool is_end = i + 1 == n_moves || (!is_console && i % 7 == 6);
        fputs(is_end ? "\n" : separator, stdout);
    }
}

static void do_help(Sitting *sitting, const char *rest)
{
    (void)rest;
    printf("A move:     %s\n", sitting->game->move_form);
    if (sitting->adviser)
        printf("moves       the legal moves\n"
               "hint        what %s would do\n"
               "undo        take your last move back\n",
               turf_player_name(sitting->adviser));
    printf("board       draw the board again\n"
           "save FILE   write the position and the game so far; --start FILE goes on from it\n"
           "quit        leave the game\n");
}

static void do_moves(Sitting *sitting, const char *rest)
{
    (void)rest;
    if (game_is_simultaneous(sitting->game)) {
        printf("There is no such help where both sides move at once.\n");
        return;
    }
    TurfMove moves[TURF_MOST_MOVES];
    sitting_list_moves(sitting);
    printf("%zu moves\n", sitting->game->moves(sitting_now(sitting), moves));
}

static void do_hint(Sitting *sitting, const char *rest)
{
    (void)rest;
    if (game_is_simultaneous(sitting->game)) {
        printf("There is no such help where both sides move at once.\n");
        return;
    }
    TurfMove moves[TURF_MOST_MOVES];
    TurfRng  rng = turf_rng(1);
    player_judge(sitting->adviser, sitting_now(sitting), false, &(Thinking){.rng = &rng}, moves);
    printf("hint: ");
    sitting_print_move(sitting, moves[0]);
    putchar('\n');
}

/* Back to the last position where the same person was to move, or any person where there are two. */
static void do_undo(Sitting *sitting, const char *rest)
{
    (void)rest;
    TurfMover mover = mover_at(sitting, sitting->n_moves);
    bool      has_two = !sitting->players[0] && !sitting->players[1];
    for (uint32_t back = sitting->n_moves; back-- > 0;)
        if (has_two || mover_at(sitting, back) == mover) {
            sitting->n_moves = back;
            printf("Back to move %u.\n", back + 1);
            sitting->game->draw(sitting_now(sitting), &sitting->style, stdout);
            return;
        }
    printf("There is no move of yours to take back.\n");
}

static void do_board(Sitting *sitting, const char *rest)
{
    (void)rest;
    sitting->game->draw(sitting_now(sitting), &sitting->style, stdout);
}

static void do_save(Sitting *sitting, const char *path)
{
    if (!*path) {
        printf("Save where? Type: save FILE\n");
        return;
    }
    if (is_of_database(path)) {
        printf("'%s' is a database, which would be lost; save to another file\n", path);
        return;
    }
    json_t *json = game_to_json(sitting->game, sitting_now(sitting));
    json_put(&json, "game", json_string(sitting->game->name));
    json_put(&json, "first", json_string(sitting_name(sitting, TURF_MOVER_FIRST)));
    json_put(&json, "second", json_string(sitting_name(sitting, TURF_MOVER_SECOND)));
    json_put(&json, "start", sitting->game->to_json(&sitting->states[0]));
    json_put(&json, "moves", sitting_moves(sitting));
    errno = 0;
    /* The game goes on whether or not the file could be written. */
    if (json_dump_file(json, path, JSON_COMPACT) == 0)
        /* With ./ it cannot be taken for the name of a start. */
        printf("Saved. To go on from here: turf play %s --start %s%s\n", sitting->game->name,
               strchr(path, '/') ? "" : "./", path);
    else
        printf("'%s' could not be written: %s\n", path, errno ? strerror(errno) : "out of memory");
    json_decref(json);
}

static const struct {
    const char *name;
    void (*run)(Sitting *sitting, const char *rest);
} commands[] = {
    {"help", do_help}, {"?", do_help},      {"moves", do_moves}, {"hint", do_hint},
    {"undo", do_undo}, {"board", do_board}, {"save", do_save},
};

bool sitting_command(Sitting *sitting, const char *line)
{
    size_t length = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && !strncmp(line, commands[i].name, length)) {
            const char *rest = line + length;
            commands[i].run(sitting, rest + strspn(rest, " \t"));
            return true;
        }
    return false;
}
