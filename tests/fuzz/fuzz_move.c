/* Moves: a line of 'turf step', with a position and a move in JSON, or else a move in notation, in
 * the game's default start. */
#include "fuzz.h"

#include "games/cells.h"

#include <stdlib.h>

static bool play_json(const TurfGame *game, TurfState *state, const json_t *wanted,
                      TurfError *error)
{
    static TurfCell cells[2][TURF_MAX_CELLS];
    TurfCell       *room[2] = {cells[0], cells[1]};
    TurfAction      actions[2];
    TurfMove        move;
    if (game_is_simultaneous(game)) {
        if (!game_actions_from_json(game, wanted, room, actions, error) ||
            !turf_play_both(game, state, actions, error))
            return false;
        json_t *written = game_actions_to_json(game, actions);
        claim(game_actions_from_json(game, written, room, actions, error),
              "cells that cannot be read again");
        json_decref(written);
        return true;
    }
    return game->move_from_json(state, wanted, &move, error) && turf_play(game, state, move, error);
}

static bool play_line(const TurfGame *game, const json_t *line, TurfError *error)
{
    TurfState state = {{0}};
    if (!game->from_json(&state, line, error) ||
        !play_json(game, &state, json_object_get(line, "move"), error))
        return false;
    fuzz_check_position(game, &state);
    return true;
}

static bool play_text(const TurfGame *game, const char *text, TurfError *error)
{
    TurfState state = {{0}};
    TurfRng   rng = turf_rng(1);
    TurfMove  move;
    claim(turf_start(game, NULL, &rng, &state, error), "no usual start");
    if (!turf_move_from_text(game, &state, text, &move, error) ||
        !turf_play(game, &state, move, error))
        return false;
    fuzz_check_position(game, &state);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const TurfGame *game = fuzz_game(&data, &size);
    char           *text = fuzz_text(data, size);
    TurfError       error = {0};
    json_t         *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (line ? !play_line(game, line, &error) : !play_text(game, text, &error))
        fuzz_check_line(error.text);
    json_decref(line);
    free(text);
    return 0;
}
