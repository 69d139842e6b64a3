/* turf perft: counts the positions at each depth, one for every sequence of moves that leads there.
 * Two programs that agree on these numbers agree on the rules. */
#include "base/clock.h"
#include "base/error.h"
#include "cmd/console.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count(const TurfGame *game, const TurfState *state, int depth)
{
    TurfEnding ending;
    TurfMove   moves[TURF_MAX_MOVES];
    if (depth == 0)
        return 1;
    if (game->is_over(state, &ending))
        return 0;
    size_t n_moves = game->moves(state, moves);
    if (depth == 1)
        return n_moves;
    uint64_t sum = 0;
    for (size_t i = 0; i < n_moves; i++) {
        TurfState child;
        memcpy(&child, state, game->state_size);
        game->apply(&child, moves[i]);
        sum += count(game, &child, depth - 1);
    }
    return sum;
}

int cmd_perft(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    if (game_is_simultaneous(game))
        die("perft does not support %s, where both sides move at once", game->name);
    char *end = NULL, quoted[ERROR_QUOTE_BYTES];
    long  depth = strtol(arguments->words[1], &end, 10);
    if (end == arguments->words[1] || *end || depth < 0 || depth > MAX_PERFT_DEPTH)
        die("DEPTH must be an integer from 0 to %d, not '%s'", MAX_PERFT_DEPTH,
            error_quote(quoted, arguments->words[1]));

    TurfState state;
    TurfError error;
    TurfRng   rng = turf_rng(settings->seed);
    char     *start = read_start(game, settings);
    if (!game_start(game, start, &rng, &state, &error))
        die("%s", error.text);
    if (!settings->wants_json)
        printf("depth  positions\n");
    for (int d = 0; d <= depth; d++) {
        int64_t            begin_ns = clock_ns();
        unsigned long long positions = count(game, &state, d);
        double             seconds = clock_seconds_since(begin_ns);
        if (settings->wants_json)
            printf("{\"depth\":%d,\"positions\":%llu,\"seconds\":%.6f}\n", d, positions, seconds);
        else
            printf("%5d  %llu\n", d, positions);
        console_finish();
    }
    free(start);
    return EXIT_FINE;
}
