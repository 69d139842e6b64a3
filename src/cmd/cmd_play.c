/* turf play: games at the terminal, between any two of people, built-in players and bots. One loop
 * asks whichever side is due, as live/live_game.h says, until the game is over or a person leaves.
 */
#include "arena/game_play.h"
#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "cmd/bot_terms.h"
#include "cmd/line_editor.h"
#include "cmd/terminal_game.h"
#include "games/cells.h"
#include "live/choose_ply.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- questions ---------------------------------------------------------------------------- */

/* Asks, and returns the answer without blanks at its ends; NULL at the end of the input. */
static char *ask(TerminalGame *terminal, const char *question)
{
    char *line = line_ask(&terminal->input, question);
    if (!line) {
        putchar('\n');
        return NULL;
    }
    line += strspn(line, " \t");
    for (size_t length = strlen(line); length > 0 && isspace((unsigned char)line[length - 1]);)
        line[--length] = '\0';
    return line;
}

/* The start of a game whose size the players may choose. False at the end of the input. */
static bool ask_size(TerminalGame *terminal, TurfState *start)
{
    TurfError error;
    for (char *line; (line = ask(terminal, "What size shall the board be, from 2x2 to 26x26? "));) {
        if (isdigit((unsigned char)*line) && game_parse(terminal->game, line, start, &error))
            return true;
        printf("Type a number from 2 to 26, like 8 or 8x8.\n");
    }
    return false;
}

static bool ask_again(TerminalGame *terminal)
{
    for (char *line; (line = ask(terminal, "Would you like to play another game (y/n)? "));) {
        if (!strcasecmp(line, "y") || !strcasecmp(line, "yes"))
            return true;
        if (!strcasecmp(line, "n") || !strcasecmp(line, "no"))
            return false;
        printf("Type y or n.\n");
    }
    return false;
}

/* Cells as pairs of numbers, with anything between them; false if they are not pairs. */
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

/* A ply from what a person typed; false, with a message, if it is not a legal one. */
static bool read_ply(const TerminalGame *terminal, int side, const char *line, TurfCell *cells,
                     Ply *ply)
{
    const TurfGame  *game = terminal->game;
    const TurfState *now = terminal_position(terminal);
    TurfError        error;
    *ply = (Ply){.side = side};
    if (game_is_simultaneous(game)) {
        TurfAction *action = &ply->actions[side];
        action->cells = cells;
        if (!read_cells(line, cells, &action->n_cells)) {
            printf("Type cells as row and column from 0, like 10 20, 10 18; or nothing.\n");
            return false;
        }
        if (game->is_legal_action(now, (TurfSide)side, action, &error))
            return true;
    } else if (!*line) {
        printf("Type a move like %s, or help.\n", game->move_form);
        return false;
    } else if (turf_move_from_text(game, now, line, &ply->move, &error) &&
               game->is_legal(now, ply->move, &error)) {
        return true;
    }
    printf("No: %s.\n", error.text);
    return false;
}

typedef enum Answer { ANSWER_PLY, ANSWER_OTHER, ANSWER_QUIT } Answer;

/* One line from the person who plays `side`. */
static Answer ask_ply(TerminalGame *terminal, int side, TurfCell *cells, Ply *ply)
{
    char prompt[32];
    snprintf(prompt, sizeof prompt, "%s> ", terminal->game->side_names[side]);
    char *line = ask(terminal, prompt);
    if (!line || !strcmp(line, "quit") || !strcmp(line, "q") || !strcmp(line, "exit"))
        return ANSWER_QUIT;
    if (*line && terminal_command(terminal, side, line))
        return ANSWER_OTHER;
    return read_ply(terminal, side, line, cells, ply) ? ANSWER_PLY : ANSWER_OTHER;
}

/* ---- turns -------------------------------------------------------------------------------- */

static void announce(const TerminalGame *terminal, int side)
{
    const TurfGame  *game = terminal->game;
    const TurfState *now = terminal_position(terminal);
    if (game->is_console) {
        int n_left = game->moves_left ? game->moves_left(now) : 1;
        printf("\nPlayer %s (%s): %d %s left. Feasible moves: ", game->side_names[side],
               terminal_name(terminal, side), n_left, n_left == 1 ? "move" : "moves");
        terminal_list_moves(terminal);
        return;
    }
    printf("\nMove %zu: %s (%s) to move; ", terminal->live.history.n_plies + 1,
           game->side_names[side], terminal_name(terminal, side));
    for (int s = 0; s < 2; s++)
        printf("%s %d%s", game->side_names[s], game->own(now, (TurfSide)s), s ? "\n" : ", ");
}

static void wait_for_delay(const TerminalGame *terminal)
{
    struct timespec delay = {.tv_sec = (time_t)(terminal->settings->delay_ms / 1000),
                             .tv_nsec = (long)(terminal->settings->delay_ms % 1000) * 1000000};
    console_finish();
    if (terminal->settings->delay_ms > 0)
        nanosleep(&delay, NULL);
}

static void play_move(TerminalGame *terminal, const Ply *ply)
{
    const TurfGame *game = terminal->game;
    if (!terminal->settings->is_quiet) {
        printf("%s moves ", game->side_names[ply->side]);
        terminal_print_move(terminal, ply->move);
        putchar('\n');
        DrawStyle style = console_draw_style(stdout);
        game_draw_move(game, terminal_position(terminal), ply->move, &style, stdout);
    }
    if (!live_game_play(&terminal->live, ply, clock_ns()))
        die("out of memory");
    if (terminal->players[ply->side])
        wait_for_delay(terminal);
}

static void commit_action(TerminalGame *terminal, const Ply *ply)
{
    size_t n_before = terminal->live.history.n_plies;
    if (!live_game_commit(&terminal->live, ply->side, &ply->actions[ply->side], clock_ns()))
        die("out of memory");
    if (terminal->live.history.n_plies == n_before)
        return; /* the other side has not committed yet */
    if (!terminal->settings->is_quiet) {
        putchar('\n');
        terminal_draw(terminal);
    }
    wait_for_delay(terminal);
}

/* A person waits for a bot no longer than the arena does. */
static int64_t deadline_ns(const TerminalGame *terminal, int side)
{
    int64_t cap_ms = (int64_t)terminal->settings->move_cap_ms;
    if (!terminal->players[side]->kind->is_external)
        return 0;
    return clock_ns() + (cap_ms ? cap_ms : DEFAULT_MOVE_CAP_MS) * 1000000;
}

static void forfeit(TerminalGame *terminal, int side)
{
    Finish finish = finish_by_loss(
        terminal->game, side, turf_forfeit_name(terminal->forfeit.reason), terminal->forfeit.text);
    terminal->forfeiter = side;
    live_game_end(&terminal->live, &finish, clock_ns());
}

/* One choice of one side, or one command of a person. False if the person quits. */
static bool play_side(TerminalGame *terminal, int side)
{
    TurfCell          cells[TURF_MAX_CELLS];
    Ply               ply;
    const TurfPlayer *player = terminal->players[side];
    if (player) {
        TurfError   error = {.code = TURF_OK};
        TurnContext turn = {.rng = &terminal->rng[side],
                            .forfeit = &terminal->forfeit,
                            .error = &error,
                            .deadline_ns = deadline_ns(terminal, side)};
        if (!choose_ply(player, terminal_position(terminal), (TurfSide)side, &turn, cells, &ply)) {
            if (error.code != TURF_OK)
                die("%s", error.text);
            forfeit(terminal, side);
            return true;
        }
    } else {
        Answer answer = ask_ply(terminal, side, cells, &ply);
        if (answer != ANSWER_PLY)
            return answer != ANSWER_QUIT;
    }
    if (game_is_simultaneous(terminal->game))
        commit_action(terminal, &ply);
    else
        play_move(terminal, &ply);
    return true;
}

/* Until the game is over, or a person quits. */
static void play(TerminalGame *terminal)
{
    LiveGame *live = &terminal->live;
    size_t    n_announced = SIZE_MAX; /* the position whose mover has been announced */
    bool is_announcing = !terminal->settings->is_quiet && !game_is_simultaneous(live->history.game);
    while (!live->is_over) {
        int side = live_game_is_due(live, 0) ? 0 : 1;
        if (is_announcing && n_announced != live->history.n_plies)
            announce(terminal, side);
        n_announced = live->history.n_plies;
        if (!play_side(terminal, side))
            return;
    }
}

/* ---- results ------------------------------------------------------------------------------ */

static void congratulate(const TerminalGame *terminal)
{
    const TurfGame  *game = terminal->game;
    const TurfState *last = terminal_position(terminal);
    int              winner = terminal->live.finish.winner;
    printf("\nThe game is over. The final score is %s %d - %d %s.\n", game->side_names[0],
           game->own(last, TURF_FIRST), game->own(last, TURF_SECOND), game->side_names[1]);
    if (winner >= 0 && game->why_won && game->why_won(last))
        printf("%s.\n", game->why_won(last));
    if (winner >= 0)
        printf("Congratulations, player %s (%s): you win!\n", game->side_names[winner],
               terminal_name(terminal, winner));
    else
        printf("It is a tie.\n");
}

static void report_json(const TerminalGame *terminal, uint64_t seed)
{
    const TurfGame    *game = terminal->game;
    const MoveHistory *history = &terminal->live.history;
    const Finish      *finish = &terminal->live.finish;
    const char        *winner = NULL, *forfeit = NULL, *explanation = NULL;
    if (finish->winner >= 0)
        winner = terminal_name(terminal, finish->winner);
    if (terminal->forfeiter >= 0) {
        forfeit = turf_forfeit_name(terminal->forfeit.reason);
        explanation = terminal->forfeit.text;
    }
    json_t *json = json_pack("{s:s,s:I,s:s,s:s,s:s?,s:s,s:I,s:s?,s:s?}", "game", game->name, "seed",
                             (json_int_t)seed, "first", terminal_name(terminal, 0), "second",
                             terminal_name(terminal, 1), "winner", winner, "outcome",
                             finish->outcome, "length", (json_int_t)history->n_plies, "forfeit",
                             forfeit, "explanation", explanation);
    json_put(&json, "start", game_to_json(game, &history->start));
    json_put(&json, "moves", history_moves_json(history));
    json_put(&json, "end", game_to_json(game, &history->state));
    print_json(json, JSON_COMPACT);
}

static void report(const TerminalGame *terminal)
{
    const TurfGame *game = terminal->game;
    const Finish   *finish = &terminal->live.finish;
    bool            is_quiet = terminal->settings->is_quiet;
    size_t          n = terminal->live.history.n_plies;
    const char     *moves = n == 1 ? "move" : "moves";
    if (terminal->forfeiter >= 0)
        printf("%s%s (%s) cannot go on: %s: %s.\n", is_quiet ? "" : "\n",
               game->side_names[terminal->forfeiter], terminal_name(terminal, terminal->forfeiter),
               turf_forfeit_name(terminal->forfeit.reason), terminal->forfeit.text);
    if (!terminal->live.is_over)
        printf("The game was left after %zu %s.\n", n, moves);
    else if (is_quiet)
        printf("moves: %zu\nwinner: %s\n", n, finish->outcome);
    else if (game->is_console)
        congratulate(terminal);
    else if (finish->winner >= 0)
        printf("\nThe game is over after %zu %s: %s (%s) wins.\n", n, moves,
               game->side_names[finish->winner], terminal_name(terminal, finish->winner));
    else
        printf("\nThe game is over after %zu %s: nobody wins (%s).\n", n, moves, finish->outcome);
}

/* ---- whole games -------------------------------------------------------------------------- */

static uint64_t any_seed(void)
{
    uint32_t seed = 1;
    (void)!getentropy(&seed, sizeof seed);
    return seed;
}

/* The position the game starts from; false if a person leaves before it does. */
static bool start_game(TerminalGame *terminal, uint64_t seed)
{
    const Settings *settings = terminal->settings;
    const TurfGame *game = terminal->game;
    TurfState       start;
    TurfError       error;
    TurfRng         rng = rng_stream(seed, 0);
    bool            is_asked = game->is_console && !settings->start && !settings->size;
    if (is_asked && terminal_has_person(terminal)) {
        if (!ask_size(terminal, &start))
            return false;
        terminal_begin(terminal, &start, NULL);
        return true;
    }
    char *text = read_start(game, settings);
    if (!game_start(game, text, &rng, &start, &error))
        die("%s", error.text);
    terminal_begin(terminal, &start, text);
    free(text);
    return true;
}

static void begin_players(TerminalGame *terminal, uint64_t seed)
{
    TurfError error;
    for (int side = 0; side < 2; side++) {
        TurfPlayer *player = terminal->players[side];
        terminal->rng[side] = rng_stream(seed, 1 + (uint64_t)side);
        if (player && !player_begin_game(player, NULL, &error))
            die("%s", error.text);
    }
}

static void end_players(TerminalGame *terminal)
{
    for (int side = 0; side < 2; side++) {
        TurfPlayer *player = terminal->players[side];
        if (player)
            player_end_game(player, terminal->forfeiter == side ? terminal->forfeit.text : NULL);
    }
}

/* One game from its start to its end; false if a person left it. */
static bool play_game(TerminalGame *terminal, uint64_t seed)
{
    const TurfGame *game = terminal->game;
    if (!start_game(terminal, seed))
        return false;
    if (!terminal->settings->is_quiet) {
        printf("%s, seed %llu: %s is %s%s, %s is %s.\n", game->title, (unsigned long long)seed,
               terminal_name(terminal, 0), game->side_names[0],
               game_is_simultaneous(game) ? "" : " and moves first", terminal_name(terminal, 1),
               game->side_names[1]);
        terminal_draw(terminal);
    }
    begin_players(terminal, seed);
    play(terminal);
    end_players(terminal);
    if (terminal->settings->wants_json)
        report_json(terminal, seed);
    else
        report(terminal);
    bool is_finished = terminal->live.is_over;
    live_game_release(&terminal->live);
    return is_finished;
}

/* The players of the saved game that --start names, as its "players" describe them; NULL if it is
 * not a saved game, or comes from standard input, which can be read once. The caller releases it.
 */
static json_t *saved_players(const TurfGame *game, const Settings *settings)
{
    bool    is_file = settings->start && strcmp(settings->start, "-") != 0;
    char   *text = is_file ? read_start(game, settings) : NULL;
    json_t *saved = text ? json_loads(text, 0, NULL) : NULL;
    json_t *players = json_incref(json_object_get(saved, "players"));
    free(text);
    json_decref(saved);
    if (json_array_size(players) == 2 && json_is_string(json_array_get(players, 0)) &&
        json_is_string(json_array_get(players, 1)))
        return players;
    json_decref(players);
    return NULL;
}

/* Opens a player. One of a saved game must not be a bot: whoever wrote the file would choose what
 * is run here. */
static TurfPlayer *open_player(const TurfGame *game, const char *spec, bool is_saved)
{
    const PlayerKind *kind = is_saved ? player_kind_named(game, spec, NULL) : NULL;
    if (kind && kind->is_external)
        die("the saved game was played by the bot '%s', which a file cannot start; name both "
            "players again: turf play %s P1 P2 --start FILE",
            spec, game->name);
    static const char *const person[] = {"human"};
    TurfError                unused;
    char                     meant[SUGGESTION_BYTES], quoted[ERROR_QUOTE_BYTES];
    if (!player_kind_find(game, spec, &unused) && suggest(spec, person, 1))
        die("there is no player '%s'%s", error_quote(quoted, spec),
            suggestion(meant, spec, person, 1, ""));
    return read_player(game, spec);
}

int cmd_play(const Arguments *arguments)
{
    Settings        settings = arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TerminalGame    terminal = {.game = game, .settings = &settings, .input = {.stream = stdin}};
    TurfPlayer     *built[2];
    size_t          n_built = 0;
    json_t         *saved = arguments->n_words == 1 ? saved_players(game, &settings) : NULL;
    for (int side = 0; side < 2; side++) {
        const char *spec = side + 1 < arguments->n_words ? arguments->words[side + 1] : "human";
        if (saved)
            spec = json_string_value(json_array_get(saved, (size_t)side));
        if (strcmp(spec, "human"))
            built[n_built++] = terminal.players[side] = open_player(game, spec, saved != NULL);
        else if (settings.wants_json)
            die("--json is for games without a person; name two players");
    }
    json_decref(saved);
    set_bot_terms(built, n_built, &settings);
    settings.is_quiet = settings.is_quiet || settings.wants_json;
    if (!game_is_simultaneous(game))
        terminal.adviser = read_player(game, "alphabeta:time=100");

    uint64_t seed = settings.has_seed ? settings.seed : any_seed();
    while (play_game(&terminal, seed++) && game->is_console && terminal_has_person(&terminal) &&
           ask_again(&terminal))
        putchar('\n');

    free(terminal.input.line);
    turf_player_free(terminal.adviser);
    turf_player_free(terminal.players[0]);
    turf_player_free(terminal.players[1]);
    return EXIT_FINE;
}
