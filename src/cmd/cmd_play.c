/* turf play: games at the terminal, between any two of people, strategies and bots. */
#include "arena/game_play.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "cmd/bot_terms.h"
#include "cmd/terminal_game.h"
#include "games/cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

/* ---- questions ---------------------------------------------------------------------------- */

/* Asks, and returns the answer without blanks at its ends; NULL when there is no more input. */
static char *ask(TerminalGame *terminal_game, const char *question)
{
    fputs(question, stdout);
    console_finish();
    char *line = line_next(&terminal_game->input);
    if (!line) {
        putchar('\n');
        return NULL;
    }
    line += strspn(line, " \t");
    for (size_t length = strlen(line); length > 0 && isspace((unsigned char)line[length - 1]);)
        line[--length] = '\0';
    return line;
}

/* The start of a game whose size the players may choose. False when there is no more input. */
static bool ask_size(TerminalGame *terminal_game, TurfState *start)
{
    TurfError error;
    for (char *line;
         (line = ask(terminal_game, "What size shall the board be, from 2x2 to 26x26? "));) {
        if (isdigit((unsigned char)*line) && game_parse(terminal_game->game, line, start, &error))
            return true;
        printf("Type a number from 2 to 26, like 8 or 8x8.\n");
    }
    return false;
}

static bool ask_again(TerminalGame *terminal_game)
{
    for (char *line; (line = ask(terminal_game, "Would you like to play another game (y/n)? "));) {
        if (!strcasecmp(line, "y") || !strcasecmp(line, "yes"))
            return true;
        if (!strcasecmp(line, "n") || !strcasecmp(line, "no"))
            return false;
        printf("Type y or n.\n");
    }
    return false;
}

/* One line from the person to move. False when the person leaves; `has_moved` with a legal move. */
static bool ask_move(TerminalGame *terminal_game, TurfMove *move, bool *has_moved)
{
    const TurfGame *game = terminal_game->game;
    TurfError       error;
    char            prompt[16];
    *has_moved = false;
    snprintf(prompt, sizeof prompt, "%s> ",
             game->side_names[game->to_move(terminal_game_now(terminal_game))]);
    char *line = ask(terminal_game, prompt);
    if (!line || !strcmp(line, "quit") || !strcmp(line, "q") || !strcmp(line, "exit"))
        return false;
    if (!*line)
        printf("Type a move like %s, or help.\n", game->move_form);
    else if (terminal_game_command(terminal_game, line))
        ;
    else if (!game->move_from_text(terminal_game_now(terminal_game), line, move, &error) ||
             !game->is_legal(terminal_game_now(terminal_game), *move, &error))
        printf("No: %s.\n", error.text);
    else
        *has_moved = true;
    return true;
}

/* ---- turns -------------------------------------------------------------------------------- */

static void announce(const TerminalGame *terminal_game)
{
    const TurfGame *game = terminal_game->game;
    TurfMover       side = game->to_move(terminal_game_now(terminal_game));
    if (game->is_console) {
        int n_left = game->moves_left ? game->moves_left(terminal_game_now(terminal_game)) : 1;
        printf("\nPlayer %s (%s): %d %s left. Feasible moves: ", game->side_names[side],
               terminal_game_name(terminal_game, side), n_left, n_left == 1 ? "move" : "moves");
        terminal_game_list_moves(terminal_game);
        return;
    }
    printf("\nMove %u: %s (%s) to move; ", terminal_game->n_moves + 1, game->side_names[side],
           terminal_game_name(terminal_game, side));
    for (int s = 0; s < 2; s++)
        printf("%s %d%s", game->side_names[s],
               game->own(terminal_game_now(terminal_game), (TurfSide)s), s ? "\n" : ", ");
}

static void make_move(TerminalGame *terminal_game, TurfMove move)
{
    const TurfGame *game = terminal_game->game;
    if (!terminal_game->settings->is_quiet) {
        printf("%s moves ", game->side_names[game->to_move(terminal_game_now(terminal_game))]);
        terminal_game_print_move(terminal_game, move);
        putchar('\n');
        game_draw_move(game, terminal_game_now(terminal_game), move, &terminal_game->style, stdout);
    }
    terminal_game_go_on(terminal_game, move);
    game->apply(terminal_game_now(terminal_game), move);
}

static void wait_a_little(const TerminalGame *terminal_game)
{
    struct timespec delay = {.tv_sec = (time_t)(terminal_game->settings->delay_ms / 1000),
                             .tv_nsec = (long)(terminal_game->settings->delay_ms % 1000) * 1000000};
    console_finish();
    if (terminal_game->settings->delay_ms > 0)
        nanosleep(&delay, NULL);
}

/* Cells as pairs of numbers, with anything between them; false with a message if they are no pairs.
 */
static bool read_cells(const char *line, TurfCell *cells, size_t *n_cells)
{
    long   number[2];
    size_t n_numbers = 0;
    *n_cells = 0;
    for (const char *at = line; *(at += strspn(at, " \t,;()[]"));) {
        char *end = NULL;
        number[n_numbers % 2] = strtol(at, &end, 10);
        if (end == at || *n_cells == TURF_MAX_CELLS || labs(number[n_numbers % 2]) > 100000)
            return false;
        if (n_numbers++ % 2)
            cells[(*n_cells)++] = (TurfCell){(int32_t)number[0], (int32_t)number[1]};
        at = end;
    }
    return n_numbers % 2 == 0;
}

/* The action of a person, who may also do nothing. False when the person leaves. */
static bool ask_action(TerminalGame *terminal_game, TurfSide side, TurfCell *cells, size_t *n_cells)
{
    const TurfGame *game = terminal_game->game;
    char            prompt[32];
    snprintf(prompt, sizeof prompt, "%s> ", game->side_names[side]);
    for (char *line; (line = ask(terminal_game, prompt)) && strcmp(line, "quit") &&
                     strcmp(line, "q") && strcmp(line, "exit");) {
        TurfError error;
        if (!strncmp(line, "undo", 4))
            printf("What both sides did at once cannot be taken back.\n");
        else if (*line && terminal_game_command(terminal_game, line))
            ;
        else if (!read_cells(line, cells, n_cells))
            printf("Type cells as row and column from 0, like 10 20, 10 18; or nothing.\n");
        else if (!game->is_legal_action(terminal_game_now(terminal_game), side,
                                        &(TurfAction){cells, *n_cells}, &error))
            printf("No: %s.\n", error.text);
        else
            return true;
    }
    return false;
}

/* A person waits for a bot no longer than the arena does. */
static TurnContext turn_context_for(TerminalGame *terminal_game, TurfSide side)
{
    TurnContext turn = {.rng = &terminal_game->rng[side], .forfeit = &terminal_game->forfeit};
    int64_t     cap_ms = terminal_game->settings->move_cap_ms
                             ? (int64_t)terminal_game->settings->move_cap_ms
                             : DEFAULT_MOVE_CAP_MS;
    if (terminal_game->players[side]->kind->is_bot)
        turn.deadline_ns = clock_ns() + cap_ms * 1000000;
    return turn;
}

static bool play_both(TerminalGame *terminal_game)
{
    const TurfGame *game = terminal_game->game;
    TurfCell        cells[2][TURF_MAX_CELLS];
    TurfAction      actions[2];
    for (int side = 0; side < 2; side++) {
        const TurfPlayer *player = terminal_game->players[side];
        actions[side].cells = cells[side];
        if (player) {
            TurnContext turn = turn_context_for(terminal_game, (TurfSide)side);
            actions[side].n_cells = player->kind->choose_cells(
                player, terminal_game_now(terminal_game), (TurfSide)side, &turn, cells[side]);
            if (actions[side].n_cells == PLAYER_FORFEITS) {
                terminal_game->forfeiter = side;
                return true;
            }
        } else if (!ask_action(terminal_game, (TurfSide)side, cells[side],
                               &actions[side].n_cells)) {
            return false;
        }
    }
    terminal_game_go_on(terminal_game, 0);
    game->apply_both(terminal_game_now(terminal_game), actions);
    if (!terminal_game->settings->is_quiet) {
        putchar('\n');
        game_draw(game, terminal_game_now(terminal_game), &terminal_game->style, stdout);
    }
    wait_a_little(terminal_game);
    return true;
}

/* One move of one side, or one question to a person. False when the person leaves. */
static bool play_one(TerminalGame *terminal_game, bool is_new)
{
    TurfMover side = terminal_game->game->to_move(terminal_game_now(terminal_game));
    TurfMove  moves[TURF_MAX_MOVES];
    bool      has_moved = true;
    if (is_new && !terminal_game->settings->is_quiet)
        announce(terminal_game);
    if (terminal_game->players[side]) {
        TurnContext turn = turn_context_for(terminal_game, (TurfSide)side);
        has_moved = player_choose_move(terminal_game->players[side],
                                       terminal_game_now(terminal_game), false, &turn, moves)
                        .n_moves > 0;
        terminal_game->forfeiter = has_moved ? -1 : (int)side;
    } else if (!ask_move(terminal_game, &moves[0], &has_moved)) {
        return false;
    }
    if (has_moved) {
        make_move(terminal_game, moves[0]);
        if (terminal_game->players[side])
            wait_a_little(terminal_game);
    }
    return true;
}

/* Until the game is over; false if a person left it. */
static bool play(TerminalGame *terminal_game, TurfEnding *ending)
{
    bool is_new = true; /* nobody has been told yet whose move it is */
    while (!terminal_game->game->is_over(terminal_game_now(terminal_game), ending)) {
        uint32_t before = terminal_game->n_moves;
        if (!(game_is_simultaneous(terminal_game->game) ? play_both(terminal_game)
                                                        : play_one(terminal_game, is_new)))
            return false;
        if (terminal_game->forfeiter >= 0) {
            *ending = terminal_game->forfeiter ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
            return true;
        }
        is_new = terminal_game->n_moves != before; /* by a move, or by taking one back */
    }
    return true;
}

static void congratulate(const TerminalGame *terminal_game, TurfEnding ending)
{
    const TurfGame  *game = terminal_game->game;
    const TurfState *last = terminal_game_now(terminal_game);
    printf("\nThe game is over. The final score is %s %d - %d %s.\n", game->side_names[0],
           game->own(last, TURF_FIRST), game->own(last, TURF_SECOND), game->side_names[1]);
    if (ending <= TURF_WON_BY_SECOND)
        printf("Congratulations, player %s (%s): you win!\n", game->side_names[ending],
               terminal_game_name(terminal_game, (TurfMover)ending));
    else
        printf("It is a tie.\n");
}

static void report_json(const TerminalGame *terminal_game, uint64_t seed, TurfEnding ending)
{
    const TurfGame *game = terminal_game->game;
    bool    is_won = ending <= TURF_WON_BY_SECOND, is_forfeit = terminal_game->forfeiter >= 0;
    json_t *json = json_pack(
        "{s:s,s:I,s:s,s:s,s:s?,s:s,s:I,s:s?,s:s?,s:o,s:o,s:o}", "game", game->name, "seed",
        (json_int_t)seed, "first", terminal_game_name(terminal_game, TURF_MOVER_FIRST), "second",
        terminal_game_name(terminal_game, TURF_MOVER_SECOND), "winner",
        is_won ? terminal_game_name(terminal_game, (TurfMover)ending) : NULL, "outcome",
        game->ending_names[ending], "length", (json_int_t)terminal_game->n_moves, "forfeit",
        is_forfeit ? turf_forfeit_name(terminal_game->forfeit.reason) : NULL, "explanation",
        is_forfeit ? terminal_game->forfeit.text : NULL, "start",
        game_to_json(game, &terminal_game->states[0]), "moves", terminal_game_moves(terminal_game),
        "end", game_to_json(game, terminal_game_now(terminal_game)));
    print_json(json, JSON_COMPACT);
}

static void report(const TerminalGame *terminal_game, bool is_finished, TurfEnding ending)
{
    const TurfGame *game = terminal_game->game;
    unsigned        n = terminal_game->n_moves;
    const char     *moves = n == 1 ? "move" : "moves";
    if (terminal_game->forfeiter >= 0)
        printf("%s%s (%s) cannot go on: %s: %s.\n", terminal_game->settings->is_quiet ? "" : "\n",
               game->side_names[terminal_game->forfeiter],
               terminal_game_name(terminal_game, (TurfMover)terminal_game->forfeiter),
               turf_forfeit_name(terminal_game->forfeit.reason), terminal_game->forfeit.text);
    if (!is_finished)
        printf("The game was left after %u %s.\n", n, moves);
    else if (terminal_game->settings->is_quiet)
        printf("moves: %u\nwinner: %s\n", n, game->ending_names[ending]);
    else if (game->is_console)
        congratulate(terminal_game, ending);
    else if (ending <= TURF_WON_BY_SECOND)
        printf("\nThe game is over after %u %s: %s (%s) wins.\n", n, moves,
               game->side_names[ending], terminal_game_name(terminal_game, (TurfMover)ending));
    else
        printf("\nThe game is over after %u %s: nobody wins (%s).\n", n, moves,
               game->ending_names[ending]);
}

/* ---- the live game -------------------------------------------------------------------------- */

static uint64_t any_seed(void)
{
    uint32_t seed = 1;
    (void)!getentropy(&seed, sizeof seed);
    return seed;
}

static void begin_game(TerminalGame *terminal_game)
{
    TurfError error;
    terminal_game->forfeiter = -1;
    for (int side = 0; side < 2; side++)
        if (terminal_game->players[side] &&
            !player_begin_game(terminal_game->players[side], NULL, &error))
            die("%s", error.text);
}

static void end_game(TerminalGame *terminal_game)
{
    for (int side = 0; side < 2; side++) {
        TurfPlayer *player = terminal_game->players[side];
        if (player)
            player_end_game(player,
                            terminal_game->forfeiter == side ? terminal_game->forfeit.text : NULL);
    }
}

/* One game from its start to its end; false if somebody left it. */
static bool play_from_start(TerminalGame *terminal_game, uint64_t seed)
{
    const Settings *settings = terminal_game->settings;
    const TurfGame *game = terminal_game->game;
    TurfEnding      ending = TURF_DRAWN;
    TurfError       error;
    TurfRng         start_rng = rng_stream(seed, 0);
    terminal_game->n_moves = 0;
    for (uint64_t side = 0; side < 2; side++)
        terminal_game->rng[side] = rng_stream(seed, 1 + side);
    if (game->is_console && terminal_game_has_person(terminal_game) && !settings->start &&
        !settings->size) {
        if (!ask_size(terminal_game, terminal_game_now(terminal_game)))
            return false;
    } else {
        char *start = read_start(game, settings);
        if (!game_start(game, start, &start_rng, terminal_game_now(terminal_game), &error))
            die("%s", error.text);
        terminal_game_recall(terminal_game, start);
        free(start);
    }
    if (!settings->is_quiet) {
        printf("%s, seed %llu: %s is %s%s, %s is %s.\n", game->title, (unsigned long long)seed,
               terminal_game_name(terminal_game, TURF_MOVER_FIRST), game->side_names[0],
               game_is_simultaneous(game) ? "" : " and moves first",
               terminal_game_name(terminal_game, TURF_MOVER_SECOND), game->side_names[1]);
        game_draw(game, terminal_game_now(terminal_game), &terminal_game->style, stdout);
    }
    begin_game(terminal_game);
    bool is_finished = play(terminal_game, &ending);
    end_game(terminal_game);
    if (settings->wants_json)
        report_json(terminal_game, seed, ending);
    else
        report(terminal_game, is_finished, ending);
    return is_finished;
}

int cmd_play(const Arguments *arguments)
{
    Settings        settings = arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TerminalGame terminal_game = {.game = game, .settings = &settings, .input = {.stream = stdin}};
    TurfPlayer  *built[2];
    size_t       n_built = 0;
    for (int side = 0; side < 2; side++) {
        const char *spec = side + 1 < arguments->n_words ? arguments->words[side + 1] : "human";
        if (strcmp(spec, "human"))
            built[n_built++] = terminal_game.players[side] = read_player(game, spec);
        else if (settings.wants_json)
            die("--json is for games without a person; name two players");
    }
    set_bot_terms(built, n_built, &settings);
    settings.is_quiet = settings.is_quiet || settings.wants_json;
    if (!game_is_simultaneous(game))
        terminal_game.adviser = read_player(game, "alphabeta:time=100");
    terminal_game.style.has_colour = console_has_colour(stdout);
    terminal_game.states = calloc(1, sizeof *terminal_game.states);
    if (!terminal_game.states)
        die("out of memory");

    uint64_t seed = settings.has_seed ? settings.seed : any_seed();
    while (play_from_start(&terminal_game, seed++) && game->is_console &&
           terminal_game_has_person(&terminal_game) && ask_again(&terminal_game))
        putchar('\n');

    free(terminal_game.states);
    free(terminal_game.moves);
    free(terminal_game.input.line);
    turf_player_free(terminal_game.adviser);
    turf_player_free(terminal_game.players[0]);
    turf_player_free(terminal_game.players[1]);
    return EXIT_FINE;
}
