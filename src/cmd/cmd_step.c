/* turf step: reads positions with moves as JSON lines and writes the next positions. */
#include "cmd/console.h"
#include "cmd/json_lines.h"
#include "games/cells.h"

#include "base/error.h"

static bool play_move(const TurfGame *game, TurfState *state, const json_t *wanted,
                      TurfError *error)
{
    TurfMove move;
    return game->move_from_json(state, wanted, &move, error) && turf_play(game, state, move, error);
}

static bool play_actions(const TurfGame *game, TurfState *state, const json_t *wanted,
                         TurfError *error)
{
    TurfCell   cells[2][TURF_MAX_CELLS], *room[2] = {cells[0], cells[1]};
    TurfAction actions[2];
    return game_actions_from_json(game, wanted, room, actions, error) &&
           turf_play_both(game, state, actions, error);
}

static json_t *step(const void *context, const TurfGame *game, const json_t *line, TurfError *error)
{
    (void)context;
    TurfState     state;
    const json_t *wanted = json_object_get(line, "move");
    if (!game_check_keys(game, line, error) || !game->from_json(&state, line, error))
        return NULL;
    if (wanted && !json_is_null(wanted)) {
        bool is_played = game_is_simultaneous(game) ? play_actions(game, &state, wanted, error)
                                                    : play_move(game, &state, wanted, error);
        if (!is_played)
            return NULL;
    } else if (game->pass) {
        game->pass(&state);
    } else {
        error_invalid(error, "\"move\" is missing; add one, like \"move\":%s",
                      game->json_move_form);
        return NULL;
    }
    return game_to_json(game, &state);
}

int cmd_step(const Arguments *arguments)
{
    return json_lines(read_game(arguments->words[0]), step, NULL);
}
