/* Starts and positions as --start takes them, as text and as JSON. */
#include "fuzz.h"

#include <stdlib.h>

static void check_after_turn(const TurfGame *game, const TurfState *state)
{
    TurfMove   moves[TURF_MAX_MOVES];
    TurfState  next = *state;
    TurfError  error;
    TurfAction nothing[2] = {{NULL, 0}, {NULL, 0}};
    if (game_is_simultaneous(game))
        claim(turf_play_both(game, &next, nothing, &error), "nobody may do nothing: %s",
              error.text);
    else if (turf_moves(game, state, moves) > 0)
        claim(turf_play(game, &next, moves[0], &error), "the first move is not legal: %s",
              error.text);
    else
        claim(false, "the game goes on without a move");
    fuzz_check_position(game, &next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const TurfGame *game = fuzz_game(&data, &size);
    char           *text = fuzz_text(data, size);
    TurfState       state = {{0}};
    TurfRng         rng = turf_rng(1);
    TurfError       error = {0};
    TurfEnding      ending;
    if (turf_start(game, text, &rng, &state, &error)) {
        fuzz_check_position(game, &state);
        fuzz_check_moves(game, &state);
        if (!turf_is_over(game, &state, &ending))
            check_after_turn(game, &state);
    } else {
        fuzz_check_line(error.text);
    }
    free(text);
    return 0;
}
