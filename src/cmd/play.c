/* turf play: one game at the terminal, between any two of people and strategies. */
#include "base/error.h"
#include "base/rng.h"
#include "cmd/console.h"
#include "players/player.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const char hint_player[] = "minimax:depth=3,wins=beyond";

typedef struct Sitting {
    const TurfGame *game;
    const Settings *settings;
    TurfPlayer     *players[2]; /* NULL: a person */
    TurfPlayer     *adviser;
    TurfRng         rng[2];
    DrawStyle       style;
    LineReader      input;
    TurfState      *states; /* of the game so far, the start first */
    TurfMove       *moves;
    uint32_t        n_moves;
} Sitting;

static TurfState *now(Sitting *sitting) { return &sitting->states[sitting->n_moves]; }

static TurfMover mover_at(const Sitting *sitting, uint32_t move)
{
    return sitting->game->to_move(&sitting->states[move]);
}

static const char *player_name(const Sitting *sitting, TurfMover side)
{
    return sitting->players[side] ? turf_player_name(sitting->players[side]) : "human";
}

static void print_move(const TurfGame *game, const void *before, TurfMove move, FILE *out)
{
    json_t *json = game->move_to_json(before, move);
    json_dumpf(json, out, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(json);
}

/* ---- the commands ------------------------------------------------------------------------- */

static void do_help(Sitting *sitting, const char *rest)
{
    (void)rest;
    printf("A move:     %s\n"
           "moves       the legal moves\n"
           "hint        what %s would do\n"
           "undo        take your last move back\n"
           "board       draw the board again\n"
           "save FILE   write the position and the game so far; --start FILE goes on from it\n"
           "quit        leave the game\n",
           sitting->game->move_form, hint_player);
}

static void do_moves(Sitting *sitting, const char *rest)
{
    (void)rest;
    TurfMove moves[TURF_MOST_MOVES];
    size_t   n_moves = sitting->game->moves(now(sitting), moves);
    for (size_t i = 0; i < n_moves; i++) {
        print_move(sitting->game, now(sitting), moves[i], stdout);
        putchar(i % 7 == 6 || i + 1 == n_moves ? '\n' : ' ');
    }
    printf("%zu moves\n", n_moves);
}

static void do_hint(Sitting *sitting, const char *rest)
{
    (void)rest;
    TurfMove moves[TURF_MOST_MOVES];
    player_judge(sitting->adviser, now(sitting), false, moves);
    printf("hint: ");
    print_move(sitting->game, now(sitting), moves[0], stdout);
    putchar('\n');
}

/* Back to the last position where the same person was to move. */
static void do_undo(Sitting *sitting, const char *rest)
{
    (void)rest;
    TurfMover mover = mover_at(sitting, sitting->n_moves);
    uint32_t  back = sitting->n_moves;
    while (back > 0) {
        back--;
        bool is_person = !sitting->players[mover_at(sitting, back)];
        bool has_two = !sitting->players[0] && !sitting->players[1];
        if (is_person && (has_two || mover_at(sitting, back) == mover)) {
            sitting->n_moves = back;
            printf("Back to move %u.\n", back + 1);
            sitting->game->draw(now(sitting), &sitting->style, stdout);
            return;
        }
    }
    printf("There is no move of yours to take back.\n");
}

static void do_board(Sitting *sitting, const char *rest)
{
    (void)rest;
    sitting->game->draw(now(sitting), &sitting->style, stdout);
}

static void do_save(Sitting *sitting, const char *path)
{
    if (!*path) {
        printf("Save where? Type: save FILE\n");
        return;
    }
    json_t *json = game_to_json(sitting->game, now(sitting)), *moves = json_array();
    for (uint32_t i = 0; i < sitting->n_moves; i++)
        json_array_append_new(moves, sitting->game->move_to_json(&sitting->states[i], sitting->moves[i]));
    json_object_set_new(json, "game", json_string(sitting->game->name));
    json_object_set_new(json, "start", sitting->game->to_json(&sitting->states[0]));
    json_object_set_new(json, "moves", moves);
    errno = 0;
    /* The game goes on whether or not the file could be written. */
    if (json_dump_file(json, path, JSON_COMPACT) == 0)
        printf("Saved. To go on from here: turf play %s --start %s\n", sitting->game->name, path);
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

/* ---- turns -------------------------------------------------------------------------------- */

/* Runs a line that begins with a command; false if it does not. */
static bool run_command(Sitting *sitting, const char *line)
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

/* One line from the person to move. False when the person leaves; `has_moved` with a legal move. */
static bool ask(Sitting *sitting, TurfMove *move, bool *has_moved)
{
    TurfError error;
    *has_moved = false;
    printf("%s> ", sitting->game->side_names[mover_at(sitting, sitting->n_moves)]);
    console_finish();
    char *line = line_next(&sitting->input);
    if (!line) {
        putchar('\n');
        return false;
    }
    line += strspn(line, " \t");
    for (size_t length = strlen(line); length > 0 && isspace((unsigned char)line[length - 1]);)
        line[--length] = '\0';
    if (!strcmp(line, "quit") || !strcmp(line, "q") || !strcmp(line, "exit"))
        return false;
    if (!*line)
        printf("Type a move like %s, or help.\n", sitting->game->move_form);
    else if (run_command(sitting, line))
        ;
    else if (isalpha((unsigned char)*line) && !strpbrk(line, "0123456789"))
        printf("That is no command; type a move like %s, or help.\n", sitting->game->move_form);
    else if (!sitting->game->move_from_text(now(sitting), line, move, &error) ||
             !sitting->game->is_legal(now(sitting), *move, &error))
        printf("No: %s.\n", error.text);
    else
        *has_moved = true;
    return true;
}

static void announce(Sitting *sitting)
{
    TurfMover side = mover_at(sitting, sitting->n_moves);
    printf("\nMove %u: %s (%s) to move; ", sitting->n_moves + 1, sitting->game->side_names[side],
           player_name(sitting, side));
    for (int s = 0; s < 2; s++)
        printf("%s %d%s", sitting->game->side_names[s], sitting->game->own(now(sitting), (TurfSide)s), s ? "\n" : ", ");
}

static void make_move(Sitting *sitting, TurfMove move)
{
    const TurfGame *game = sitting->game;
    const void     *before = now(sitting);
    if (!sitting->settings->is_quiet) {
        printf("%s moves ", game->side_names[mover_at(sitting, sitting->n_moves)]);
        print_move(game, before, move, stdout);
        putchar('\n');
        game->draw_move(before, move, &sitting->style, stdout);
    }
    sitting->states[sitting->n_moves + 1] = sitting->states[sitting->n_moves];
    sitting->moves[sitting->n_moves] = move;
    sitting->n_moves++;
    game->apply(now(sitting), move);
}

static void wait_a_little(Sitting *sitting)
{
    struct timespec delay = {.tv_sec = (time_t)(sitting->settings->delay_ms / 1000),
                             .tv_nsec = (long)(sitting->settings->delay_ms % 1000) * 1000000};
    console_finish();
    if (sitting->settings->delay_ms > 0)
        nanosleep(&delay, NULL);
}

/* Until the game is over; false if a person left it. */
static bool play(Sitting *sitting, TurfEnding *ending)
{
    bool is_new = true; /* nobody has been told yet whose move it is */
    while (!sitting->game->is_over(now(sitting), ending)) {
        TurfMover side = mover_at(sitting, sitting->n_moves);
        TurfMove  move;
        bool      has_moved = true;
        if (is_new && !sitting->settings->is_quiet)
            announce(sitting);
        if (sitting->players[side])
            move = turf_player_choose(sitting->players[side], now(sitting), &sitting->rng[side]);
        else if (!ask(sitting, &move, &has_moved))
            return false;
        if (has_moved) {
            make_move(sitting, move);
            if (sitting->players[side])
                wait_a_little(sitting);
        }
        is_new = has_moved;
    }
    return true;
}

static void report(Sitting *sitting, bool is_finished, TurfEnding ending)
{
    const TurfGame *game = sitting->game;
    unsigned        n = sitting->n_moves;
    const char     *moves = n == 1 ? "move" : "moves";
    if (!is_finished)
        printf("The game was left after %u %s.\n", n, moves);
    else if (sitting->settings->is_quiet)
        printf("moves: %u\nwinner: %s\n", n, game->ending_names[ending]);
    else if (ending <= TURF_WON_BY_SECOND)
        printf("\nThe game is over after %u %s: %s (%s) wins.\n", n, moves, game->side_names[ending],
               player_name(sitting, (TurfMover)ending));
    else
        printf("\nThe game is over after %u %s: nobody wins (%s).\n", n, moves, game->ending_names[ending]);
}

static uint64_t any_seed(void)
{
    uint32_t seed = 1;
    (void)!getrandom(&seed, sizeof seed, 0);
    return seed;
}

int cmd_play(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    Sitting sitting = {.game = read_game(arguments->words[0]), .settings = settings, .input = {.stream = stdin}};
    for (int side = 0; side < 2; side++) {
        const char *spec = side + 1 < arguments->n_words ? arguments->words[side + 1] : "human";
        if (strcmp(spec, "human"))
            sitting.players[side] = read_player(sitting.game, spec);
    }
    sitting.adviser = read_player(sitting.game, hint_player);
    sitting.style.has_colour = console_has_colour(stdout);
    sitting.states = calloc(sitting.game->longest_game + 2, sizeof *sitting.states);
    sitting.moves = calloc(sitting.game->longest_game + 2, sizeof *sitting.moves);
    if (!sitting.states || !sitting.moves)
        die("out of memory");

    uint64_t  seed = settings->has_seed ? settings->seed : any_seed();
    TurfError error;
    TurfRng   start_rng = rng_stream(seed, 0);
    char     *start = read_start(sitting.game, settings->start);
    sitting.rng[0] = rng_stream(seed, 1);
    sitting.rng[1] = rng_stream(seed, 2);
    if (!game_start(sitting.game, start, &start_rng, now(&sitting), &error))
        die("%s", error.text);
    if (!settings->is_quiet) {
        printf("%s, seed %llu: %s is %s and moves first, %s is %s.\n", sitting.game->title, (unsigned long long)seed,
               player_name(&sitting, TURF_MOVER_FIRST), sitting.game->side_names[0],
               player_name(&sitting, TURF_MOVER_SECOND), sitting.game->side_names[1]);
        sitting.game->draw(now(&sitting), &sitting.style, stdout);
    }
    TurfEnding ending = TURF_DRAWN;
    bool       is_finished = play(&sitting, &ending);
    report(&sitting, is_finished, ending);

    free(start);
    free(sitting.states);
    free(sitting.moves);
    free(sitting.input.line);
    turf_player_free(sitting.adviser);
    turf_player_free(sitting.players[0]);
    turf_player_free(sitting.players[1]);
    return EXIT_FINE;
}
