/* turf step: JSON lines in, JSON lines out. */
#include "cmd/console.h"
#include "cmd/json_lines.h"

#include "base/error.h"

static json_t *step(const void *context, const TurfGame *game, const json_t *line, TurfError *error)
{
    (void)context;
    TurfState     state;
    TurfMove      move;
    const json_t *wanted = json_object_get(line, "move");
    if (!game->from_json(&state, line, error))
        return NULL;
    if (wanted && !json_is_null(wanted)) {
        if (!game->move_from_json(&state, wanted, &move, error) || !turf_play(game, &state, move, error))
            return NULL;
    } else if (game->pass) {
        game->pass(&state);
    } else {
        error_set(error, "there is no \"move\"; add one, like \"move\":%s", game->move_form);
        return NULL;
    }
    return game_to_json(game, &state);
}

int cmd_step(const Arguments *arguments) { return json_lines(read_game(arguments->words[0]), step, NULL); }
