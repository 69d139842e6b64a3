/* turf choose: reads positions and prints a player's move, or all its best moves, in each. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/explain.h"
#include "cmd/json_lines.h"
#include "games/cells.h"
#include "players/player.h"

#include <stdlib.h>

typedef struct Chooser {
    TurfPlayer *player;
    bool        wants_all, wants_explanation;
    uint64_t    seed;
} Chooser;

/* Each position is a game of its own, so an answer does not depend on the lines before it. */
static bool ask(const Chooser *chooser, const TurfState *state, const TurnContext *turn,
                Choice *choice, TurfMove *moves, TurfError *error)
{
    TurfPlayer *player = chooser->player;
    if (!player_begin_game(player, NULL, error))
        return false;
    *choice = player_choose_move(player, state, chooser->wants_all, turn, moves);
    return true;
}

static json_t *value_json(const Choice *choice)
{
    return choice->has_value ? json_integer(choice->value) : json_null();
}

/* Where both sides move at once: what the player would do on each side. */
static json_t *choose_both(const Chooser *chooser, const TurfGame *game, const TurfState *state,
                           TurfRng *rng)
{
    TurfCell   cells[2][TURF_MAX_CELLS];
    TurfAction actions[2];
    for (int side = 0; side < 2; side++) {
        actions[side].cells = cells[side];
        actions[side].n_cells = player_choose_cells(chooser->player, state, (TurfSide)side,
                                                    &(TurnContext){.rng = rng}, cells[side]);
    }
    json_t *both = game_actions_to_json(game, actions);
    return chooser->wants_all ? json_pack("{s:[o],s:n}", "moves", both, "value")
                              : json_pack("{s:o,s:n}", "move", both, "value");
}

static json_t *choose(const void *context, const TurfGame *game, const json_t *line,
                      TurfError *error)
{
    const Chooser *chooser = context;
    TurfState      state;
    TurfMove       moves[TURF_MAX_MOVES];
    if (!game_check_keys(game, line, error) || !game->from_json(&state, line, error))
        return NULL;
    if (game->to_move(&state) == TURF_MOVER_NONE)
        return json_pack("{s:n}", "move");

    /* Random choices depend on the seed and the position, not on the lines before it. */
    TurfRng rng = turf_rng(chooser->seed ^ game->hash(&state));
    if (game_is_simultaneous(game))
        return choose_both(chooser, game, &state, &rng);
    SearchInfo  info = {.n_moves = 0};
    TurnContext turn = {.rng = &rng, .info = chooser->wants_explanation ? &info : NULL};
    Choice      choice;
    if (!ask(chooser, &state, &turn, &choice, moves, error))
        return NULL;
    json_t *answer;
    if (chooser->wants_all) {
        json_t *list = json_array();
        for (size_t i = 0; i < choice.n_moves; i++)
            json_array_append_new(list, game->move_to_json(&state, moves[i]));
        answer = json_pack("{s:o,s:o}", "moves", list, "value", value_json(&choice));
    } else {
        answer = json_pack("{s:o,s:o}", "move", game->move_to_json(&state, moves[0]), "value",
                           value_json(&choice));
    }
    if (info.n_moves > 0)
        explain_json(game, &state, &info, answer);
    return answer;
}

static void print_answer(const Chooser *chooser, const TurfGame *game, const TurfState *state)
{
    TurfError error;
    json_t   *line = game->to_json(state), *answer = choose(chooser, game, line, &error);
    if (!answer)
        die("%s", error.text);
    print_json(answer, JSON_COMPACT);
    json_decref(line);
}

/* In words, under a picture of the position. */
static void print_explanation(const Chooser *chooser, const TurfGame *game, const TurfState *state)
{
    TurfRng     rng = turf_rng(chooser->seed ^ game->hash(state));
    SearchInfo  info = {.n_moves = 0};
    TurnContext turn = {.rng = &rng, .info = &info};
    Choice      choice;
    TurfMove    moves[TURF_MAX_MOVES];
    TurfError   error;
    if (game->to_move(state) == TURF_MOVER_NONE)
        die("the game is over in that position");
    if (!ask(chooser, state, &turn, &choice, moves, &error))
        die("%s", error.text);
    DrawStyle style = console_draw_style(stdout);
    game_draw(game, state, &style, stdout);
    putchar('\n');
    explain_text(game, state, moves[0], &info, stdout);
}

/* Instead of lines, the position of --start. */
static void choose_from_start(const Chooser *chooser, const TurfGame *game,
                              const Settings *settings)
{
    char     *start = read_start(game, settings);
    TurfRng   rng = turf_rng(settings->seed);
    TurfState state = {{0}};
    TurfError error;
    if (!game_start(game, start, &rng, &state, &error))
        die("%s", error.text);
    free(start);
    if (settings->wants_explanation && !settings->wants_json)
        print_explanation(chooser, game, &state);
    else
        print_answer(chooser, game, &state);
}

int cmd_choose(const Arguments *arguments)
{
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *player = read_player(game, arguments->words[1]);
    if (player->kind->is_external)
        die("turf choose needs a built-in player; bots play in turf match");
    if (game_is_simultaneous(game) && arguments->settings.wants_explanation)
        die("--explain does not work where both sides move at once; remove it");
    Chooser chooser = {player, arguments->settings.wants_all, arguments->settings.wants_explanation,
                       arguments->settings.seed};
    int     status = EXIT_FINE;
    if (arguments->settings.start || arguments->settings.size)
        choose_from_start(&chooser, game, &arguments->settings);
    else
        status = json_lines(game, choose, &chooser);
    turf_player_free(player);
    return status;
}
