/* turf play: games at the terminal, between any two of people, strategies and bots. */
#include "arena/match.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "cmd/bot_terms.h"
#include "cmd/sitting.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

/* ---- questions ---------------------------------------------------------------------------- */

/* Asks, and returns the answer without blanks at its ends; NULL when there is no more input. */
static char *ask(Sitting *sitting, const char *question)
{
    fputs(question, stdout);
    console_finish();
    char *line = line_next(&sitting->input);
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
static bool ask_size(Sitting *sitting, TurfState *start)
{
    TurfError error;
    for (char *line; (line = ask(sitting, "What size shall the board be, from 2x2 to 26x26? "));) {
        if (isdigit((unsigned char)*line) && game_parse(sitting->game, line, start, &error))
            return true;
        printf("Type a number from 2 to 26, like 8 or 8x8.\n");
    }
    return false;
}

static bool ask_again(Sitting *sitting)
{
    for (char *line; (line = ask(sitting, "Would you like to play another game (y/n)? "));) {
        if (!strcasecmp(line, "y") || !strcasecmp(line, "yes"))
            return true;
        if (!strcasecmp(line, "n") || !strcasecmp(line, "no"))
            return false;
        printf("Type y or n.\n");
    }
    return false;
}

/* One line from the person to move. False when the person leaves; `has_moved` with a legal move. */
static bool ask_move(Sitting *sitting, TurfMove *move, bool *has_moved)
{
    const TurfGame *game = sitting->game;
    TurfError       error;
    char            prompt[16];
    *has_moved = false;
    snprintf(prompt, sizeof prompt, "%s> ", game->side_names[game->to_move(sitting_now(sitting))]);
    char *line = ask(sitting, prompt);
    if (!line || !strcmp(line, "quit") || !strcmp(line, "q") || !strcmp(line, "exit"))
        return false;
    if (!*line)
        printf("Type a move like %s, or help.\n", game->move_form);
    else if (sitting_command(sitting, line))
        ;
    else if (!game->move_from_text(sitting_now(sitting), line, move, &error) ||
             !game->is_legal(sitting_now(sitting), *move, &error))
        printf("No: %s.\n", error.text);
    else
        *has_moved = true;
    return true;
}

/* ---- turns -------------------------------------------------------------------------------- */

static void announce(const Sitting *sitting)
{
    const TurfGame *game = sitting->game;
    TurfMover       side = game->to_move(sitting_now(sitting));
    if (game->is_console) {
        int n_left = game->moves_left ? game->moves_left(sitting_now(sitting)) : 1;
        printf("\nPlayer %s (%s): %d %s left. Feasible moves: ", game->side_names[side], sitting_name(sitting, side),
               n_left, n_left == 1 ? "move" : "moves");
        sitting_list_moves(sitting);
        return;
    }
    printf("\nMove %u: %s (%s) to move; ", sitting->n_moves + 1, game->side_names[side], sitting_name(sitting, side));
    for (int s = 0; s < 2; s++)
        printf("%s %d%s", game->side_names[s], game->own(sitting_now(sitting), (TurfSide)s), s ? "\n" : ", ");
}

static void make_move(Sitting *sitting, TurfMove move)
{
    const TurfGame *game = sitting->game;
    if (!sitting->settings->is_quiet) {
        printf("%s moves ", game->side_names[game->to_move(sitting_now(sitting))]);
        sitting_print_move(sitting, move);
        putchar('\n');
        game->draw_move(sitting_now(sitting), move, &sitting->style, stdout);
    }
    sitting_go_on(sitting, move);
    game->apply(sitting_now(sitting), move);
}

static void wait_a_little(const Sitting *sitting)
{
    struct timespec delay = {.tv_sec = (time_t)(sitting->settings->delay_ms / 1000),
                             .tv_nsec = (long)(sitting->settings->delay_ms % 1000) * 1000000};
    console_finish();
    if (sitting->settings->delay_ms > 0)
        nanosleep(&delay, NULL);
}

/* Cells as pairs of numbers, with anything between them; false with a message if they are no pairs. */
static bool read_cells(const char *line, TurfCell *cells, size_t *n_cells)
{
    long   number[2];
    size_t n_numbers = 0;
    *n_cells = 0;
    for (const char *at = line; *(at += strspn(at, " \t,;()[]"));) {
        char *end = NULL;
        number[n_numbers % 2] = strtol(at, &end, 10);
        if (end == at || *n_cells == TURF_MOST_CELLS || labs(number[n_numbers % 2]) > 100000)
            return false;
        if (n_numbers++ % 2)
            cells[(*n_cells)++] = (TurfCell){(int32_t)number[0], (int32_t)number[1]};
        at = end;
    }
    return n_numbers % 2 == 0;
}

/* The action of a person, who may also do nothing. False when the person leaves. */
static bool ask_action(Sitting *sitting, TurfSide side, TurfCell *cells, size_t *n_cells)
{
    const TurfGame *game = sitting->game;
    char            prompt[32];
    snprintf(prompt, sizeof prompt, "%s> ", game->side_names[side]);
    for (char *line;
         (line = ask(sitting, prompt)) && strcmp(line, "quit") && strcmp(line, "q") && strcmp(line, "exit");) {
        TurfError error;
        if (!strncmp(line, "undo", 4))
            printf("What both sides did at once cannot be taken back.\n");
        else if (*line && sitting_command(sitting, line))
            ;
        else if (!read_cells(line, cells, n_cells))
            printf("Type cells as row and column from 0, like 10 20, 10 18; or nothing.\n");
        else if (!game->is_legal_action(sitting_now(sitting), side, &(TurfAction){cells, *n_cells}, &error))
            printf("No: %s.\n", error.text);
        else
            return true;
    }
    return false;
}

/* A person waits for a bot no longer than the arena does. */
static Thinking thinking_for(Sitting *sitting, TurfSide side)
{
    Thinking thinking = {.rng = &sitting->rng[side], .forfeit = &sitting->forfeit};
    int64_t  cap_ms = sitting->settings->move_cap_ms ? (int64_t)sitting->settings->move_cap_ms : MATCH_MOVE_CAP_MS;
    if (sitting->players[side]->kind->is_bot)
        thinking.deadline_ns = clock_ns() + cap_ms * 1000000;
    return thinking;
}

static bool play_both(Sitting *sitting)
{
    const TurfGame *game = sitting->game;
    TurfCell        cells[2][TURF_MOST_CELLS];
    TurfAction      actions[2];
    for (int side = 0; side < 2; side++) {
        const TurfPlayer *player = sitting->players[side];
        actions[side].cells = cells[side];
        if (player) {
            Thinking thinking = thinking_for(sitting, (TurfSide)side);
            actions[side].n_cells =
                player->kind->act(player, sitting_now(sitting), (TurfSide)side, &thinking, cells[side]);
            if (actions[side].n_cells == PLAYER_FORFEITS) {
                sitting->forfeiter = side;
                return true;
            }
        } else if (!ask_action(sitting, (TurfSide)side, cells[side], &actions[side].n_cells)) {
            return false;
        }
    }
    sitting_go_on(sitting, 0);
    game->apply_both(sitting_now(sitting), actions);
    if (!sitting->settings->is_quiet) {
        putchar('\n');
        game->draw(sitting_now(sitting), &sitting->style, stdout);
    }
    wait_a_little(sitting);
    return true;
}

/* One move of one side, or one question to a person. False when the person leaves. */
static bool play_one(Sitting *sitting, bool is_new)
{
    TurfMover side = sitting->game->to_move(sitting_now(sitting));
    TurfMove  moves[TURF_MOST_MOVES];
    bool      has_moved = true;
    if (is_new && !sitting->settings->is_quiet)
        announce(sitting);
    if (sitting->players[side]) {
        Thinking thinking = thinking_for(sitting, (TurfSide)side);
        has_moved = player_judge(sitting->players[side], sitting_now(sitting), false, &thinking, moves).n_moves > 0;
        sitting->forfeiter = has_moved ? -1 : (int)side;
    } else if (!ask_move(sitting, &moves[0], &has_moved)) {
        return false;
    }
    if (has_moved) {
        make_move(sitting, moves[0]);
        if (sitting->players[side])
            wait_a_little(sitting);
    }
    return true;
}

/* Until the game is over; false if a person left it. */
static bool play(Sitting *sitting, TurfEnding *ending)
{
    bool is_new = true; /* nobody has been told yet whose move it is */
    while (!sitting->game->is_over(sitting_now(sitting), ending)) {
        uint32_t before = sitting->n_moves;
        if (!(game_is_simultaneous(sitting->game) ? play_both(sitting) : play_one(sitting, is_new)))
            return false;
        if (sitting->forfeiter >= 0) {
            *ending = sitting->forfeiter ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND;
            return true;
        }
        is_new = sitting->n_moves != before; /* by a move, or by taking one back */
    }
    return true;
}

static void congratulate(const Sitting *sitting, TurfEnding ending)
{
    const TurfGame  *game = sitting->game;
    const TurfState *last = sitting_now(sitting);
    printf("\nThe game is over. The final score is %s %d - %d %s.\n", game->side_names[0], game->own(last, TURF_FIRST),
           game->own(last, TURF_SECOND), game->side_names[1]);
    if (ending <= TURF_WON_BY_SECOND)
        printf("Congratulations, player %s (%s): you win!\n", game->side_names[ending],
               sitting_name(sitting, (TurfMover)ending));
    else
        printf("It is a tie.\n");
}

static void report_json(const Sitting *sitting, uint64_t seed, TurfEnding ending)
{
    const TurfGame *game = sitting->game;
    bool            is_won = ending <= TURF_WON_BY_SECOND, is_forfeit = sitting->forfeiter >= 0;
    json_t         *json = json_pack(
                "{s:s,s:I,s:s,s:s,s:s?,s:s,s:I,s:s?,s:s?,s:o,s:o,s:o}", "game", game->name, "seed", (json_int_t)seed, "first",
                sitting_name(sitting, TURF_MOVER_FIRST), "second", sitting_name(sitting, TURF_MOVER_SECOND), "winner",
        is_won ? sitting_name(sitting, (TurfMover)ending) : NULL, "outcome", game->ending_names[ending], "length",
                (json_int_t)sitting->n_moves, "forfeit", is_forfeit ? turf_forfeit_name(sitting->forfeit.reason) : NULL,
                "explanation", is_forfeit ? sitting->forfeit.text : NULL, "start", game_to_json(game, &sitting->states[0]),
                "moves", sitting_moves(sitting), "end", game_to_json(game, sitting_now(sitting)));
    print_json(json, JSON_COMPACT);
}

static void report(const Sitting *sitting, bool is_finished, TurfEnding ending)
{
    const TurfGame *game = sitting->game;
    unsigned        n = sitting->n_moves;
    const char     *moves = n == 1 ? "move" : "moves";
    if (sitting->forfeiter >= 0)
        printf("%s%s (%s) cannot go on: %s: %s.\n", sitting->settings->is_quiet ? "" : "\n",
               game->side_names[sitting->forfeiter], sitting_name(sitting, (TurfMover)sitting->forfeiter),
               turf_forfeit_name(sitting->forfeit.reason), sitting->forfeit.text);
    if (!is_finished)
        printf("The game was left after %u %s.\n", n, moves);
    else if (sitting->settings->is_quiet)
        printf("moves: %u\nwinner: %s\n", n, game->ending_names[ending]);
    else if (game->is_console)
        congratulate(sitting, ending);
    else if (ending <= TURF_WON_BY_SECOND)
        printf("\nThe game is over after %u %s: %s (%s) wins.\n", n, moves, game->side_names[ending],
               sitting_name(sitting, (TurfMover)ending));
    else
        printf("\nThe game is over after %u %s: nobody wins (%s).\n", n, moves, game->ending_names[ending]);
}

/* ---- the sitting -------------------------------------------------------------------------- */

static uint64_t any_seed(void)
{
    uint32_t seed = 1;
    (void)!getentropy(&seed, sizeof seed);
    return seed;
}

static void begin_game(Sitting *sitting)
{
    TurfError error;
    sitting->forfeiter = -1;
    for (int side = 0; side < 2; side++)
        if (sitting->players[side] && !player_begin_game(sitting->players[side], NULL, &error))
            die("%s", error.text);
}

static void end_game(Sitting *sitting)
{
    for (int side = 0; side < 2; side++) {
        TurfPlayer *player = sitting->players[side];
        if (player)
            player_end_game(player, sitting->forfeiter == side ? sitting->forfeit.text : NULL);
    }
}

/* One game from its start to its end; false if somebody left it. */
static bool play_from_start(Sitting *sitting, uint64_t seed)
{
    const Settings *settings = sitting->settings;
    const TurfGame *game = sitting->game;
    TurfEnding      ending = TURF_DRAWN;
    TurfError       error;
    TurfRng         start_rng = rng_stream(seed, 0);
    sitting->n_moves = 0;
    for (uint64_t side = 0; side < 2; side++)
        sitting->rng[side] = rng_stream(seed, 1 + side);
    if (game->is_console && sitting_has_person(sitting) && !settings->start && !settings->size) {
        if (!ask_size(sitting, sitting_now(sitting)))
            return false;
    } else {
        char *start = read_start(game, settings);
        if (!game_start(game, start, &start_rng, sitting_now(sitting), &error))
            die("%s", error.text);
        sitting_recall(sitting, start);
        free(start);
    }
    if (!settings->is_quiet) {
        printf("%s, seed %llu: %s is %s%s, %s is %s.\n", game->title, (unsigned long long)seed,
               sitting_name(sitting, TURF_MOVER_FIRST), game->side_names[0],
               game_is_simultaneous(game) ? "" : " and moves first", sitting_name(sitting, TURF_MOVER_SECOND),
               game->side_names[1]);
        game->draw(sitting_now(sitting), &sitting->style, stdout);
    }
    begin_game(sitting);
    bool is_finished = play(sitting, &ending);
    end_game(sitting);
    if (settings->wants_json)
        report_json(sitting, seed, ending);
    else
        report(sitting, is_finished, ending);
    return is_finished;
}

int cmd_play(const Arguments *arguments)
{
    Settings        settings = arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    Sitting         sitting = {.game = game, .settings = &settings, .input = {.stream = stdin}};
    TurfPlayer     *built[2];
    size_t          n_built = 0;
    for (int side = 0; side < 2; side++) {
        const char *spec = side + 1 < arguments->n_words ? arguments->words[side + 1] : "human";
        if (strcmp(spec, "human"))
            built[n_built++] = sitting.players[side] = read_player(game, spec);
        else if (settings.wants_json)
            die("--json is for games without a person; name two players");
    }
    set_bot_terms(built, n_built, &settings);
    settings.is_quiet = settings.is_quiet || settings.wants_json;
    if (!game_is_simultaneous(game))
        sitting.adviser = read_player(game, "alphabeta:time=100");
    sitting.style.has_colour = console_has_colour(stdout);
    sitting.states = calloc(1, sizeof *sitting.states);
    if (!sitting.states)
        die("out of memory");

    uint64_t seed = settings.has_seed ? settings.seed : any_seed();
    while (play_from_start(&sitting, seed++) && game->is_console && sitting_has_person(&sitting) && ask_again(&sitting))
        putchar('\n');

    free(sitting.states);
    free(sitting.moves);
    free(sitting.input.line);
    turf_player_free(sitting.adviser);
    turf_player_free(sitting.players[0]);
    turf_player_free(sitting.players[1]);
    return EXIT_FINE;
}
