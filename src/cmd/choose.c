/* turf choose: positions in, a player's move out. */
#include "cmd/console.h"
#include "cmd/json_lines.h"
#include "players/player.h"

#include "base/error.h"

typedef struct Chooser {
    const TurfPlayer *player;
    bool              wants_all;
    uint64_t          seed;
} Chooser;

static json_t *value_json(const Verdict *verdict)
{
    return verdict->has_value ? json_integer(verdict->value) : json_null();
}

/* Where both move at once: what the player would do on either side. */
static json_t *choose_both(const Chooser *chooser, const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfCell   cells[2][TURF_MOST_CELLS];
    TurfAction actions[2];
    for (int side = 0; side < 2; side++) {
        actions[side].cells = cells[side];
        actions[side].n_cells =
            chooser->player->kind->act(chooser->player, state, (TurfSide)side, &(Thinking){.rng = rng}, cells[side]);
    }
    return json_pack("{s:o,s:n}", "move", game->actions_to_json(state, actions), "value");
}

static json_t *choose(const void *context, const TurfGame *game, const json_t *line, TurfError *error)
{
    const Chooser *chooser = context;
    TurfState      state;
    TurfMove       moves[TURF_MOST_MOVES];
    if (!game->from_json(&state, line, error))
        return NULL;
    if (game->to_move(&state) == TURF_MOVER_NOBODY)
        return json_pack("{s:n}", "move");

    /* What is drawn depends on the seed and the position, not on the lines before it. */
    TurfRng rng = turf_rng(chooser->seed ^ game->hash(&state));
    if (game_is_simultaneous(game))
        return choose_both(chooser, game, &state, &rng);
    Verdict verdict = player_judge(chooser->player, &state, chooser->wants_all, &(Thinking){.rng = &rng}, moves);
    if (!chooser->wants_all)
        return json_pack("{s:o,s:o}", "move", game->move_to_json(&state, moves[0]), "value", value_json(&verdict));
    json_t *list = json_array();
    for (size_t i = 0; i < verdict.n_moves; i++)
        json_array_append_new(list, game->move_to_json(&state, moves[i]));
    return json_pack("{s:o,s:o}", "moves", list, "value", value_json(&verdict));
}

int cmd_choose(const Arguments *arguments)
{
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *player = read_player(game, arguments->words[1]);
    if (player->kind->is_bot)
        die("choose asks built-in players; let a bot play a match instead");
    Chooser chooser = {player, arguments->settings.wants_all, arguments->settings.seed};
    int     status = json_lines(game, choose, &chooser);
    turf_player_free(player);
    return status;
}
