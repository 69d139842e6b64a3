/* turf puzzles: positions with one best move, as boards with the solutions at the end, or as lines
 * of JSON. */
#include "cmd/console.h"
#include "games/cells.h"
#include "live/puzzles.h"

#include <stdlib.h>

enum { DEFAULT_PUZZLES = 5, MAX_PUZZLES = 10000 };

static void print_puzzle(const Puzzle *puzzle)
{
    char task[128];
    puzzle_task(puzzle, task, sizeof task);
    printf("Puzzle %llu. %s Look %d moves ahead.\n\n", (unsigned long long)puzzle->number + 1, task,
           puzzle->grade);
    game_draw(puzzle->game, &puzzle->state, &(DrawStyle){.has_colour = console_has_colour(stdout)},
              stdout);
    putchar('\n');
    fflush(stdout);
}

static void print_solution(const Puzzle *puzzle)
{
    const AnalystLine *line = &puzzle->judgement.lines[0];
    TurfState          at = puzzle->state;
    char               text[32];
    printf("%4llu. ", (unsigned long long)puzzle->number + 1);
    for (size_t i = 0; i < line->n_moves; i++) {
        turf_move_to_text(puzzle->game, &at, line->moves[i], text);
        printf("%s%s", i ? ", " : "", text);
        puzzle->game->apply(&at, line->moves[i]);
    }
    putchar('\n');
}

int cmd_puzzles(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    uint64_t        n = settings->has_n_games ? settings->n_games : DEFAULT_PUZZLES;
    TurfError       error;
    if (n > MAX_PUZZLES)
        die("-n must be at most %d", MAX_PUZZLES);
    PuzzleMaker *maker = puzzle_maker_new(game, &error);
    if (!maker)
        die("%s", error.text);
    Puzzle *puzzles = or_die(calloc(settings->wants_json ? 1 : n, sizeof *puzzles));
    for (uint64_t i = 0; i < n; i++) {
        Puzzle *puzzle = &puzzles[settings->wants_json ? 0 : i];
        if (!puzzle_make(maker, settings->seed, i, NULL, puzzle, &error))
            die("%s", error.text);
        if (settings->wants_json)
            print_json(puzzle_json(puzzle), JSON_COMPACT);
        else
            print_puzzle(puzzle);
        fflush(stdout);
    }
    if (!settings->wants_json)
        puts("Solutions");
    for (uint64_t i = 0; i < n && !settings->wants_json; i++)
        print_solution(&puzzles[i]);
    free(puzzles);
    puzzle_maker_free(maker);
    return EXIT_FINE;
}
