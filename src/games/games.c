/* The list of games, and what is the same for all of them. */
#include "base/error.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/checked_json.h"
#include "games/amoeba_wars.h"
#include "games/battleground.h"
#include "games/game.h"
#include "games/squirrel_war.h"
#include "games/war_of_life.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const TurfGame *const games[] = {&war_of_life, &amoeba_wars, &ai_battleground,
                                        &squirrel_war};

enum { N_GAMES = sizeof games / sizeof games[0] };

_Static_assert(sizeof(WolState) <= sizeof(TurfState) && sizeof(AwState) <= sizeof(TurfState) &&
                   sizeof(BgState) <= sizeof(TurfState) && sizeof(SwPosition) <= sizeof(TurfState),
               "every game's position fits a TurfState");

TurfRng turf_rng(uint64_t seed) { return rng_stream(seed, 0); }

uint64_t turf_rng_next(TurfRng *rng) { return rng_next(rng); }

uint32_t turf_rng_below(TurfRng *rng, uint32_t n) { return rng_below(rng, n); }

const TurfGame *turf_game_at(size_t index) { return index < N_GAMES ? games[index] : NULL; }

const TurfGame *turf_game_find(const char *name, TurfError *error)
{
    const char *names[N_GAMES];
    if (!name)
        name = "";
    for (size_t i = 0; i < N_GAMES; i++) {
        names[i] = games[i]->name;
        if (!strcmp(name, games[i]->short_name))
            return games[i];
    }
    int found = name_find(name, names, N_GAMES);
    if (found >= 0)
        return games[found];

    char   list[256] = "", quoted[ERROR_QUOTE_BYTES];
    size_t length = 0, n_alike = 0;
    for (size_t i = 0; i < N_GAMES; i++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s (%s)", i ? ", " : "",
                                   names[i], games[i]->short_name);
        n_alike += *name && !strncmp(name, names[i], strlen(name));
    }
    error_quote(quoted, name);
    const char *nearest = suggest(name, names, N_GAMES);
    if (n_alike > 1)
        error_invalid(error, "'%s' matches several games; choose from %s", quoted, list);
    else if (nearest)
        error_not_found(error, "there is no game '%s'; did you mean %s?", quoted, nearest);
    else
        error_not_found(error, "there is no game '%s'; choose from %s", quoted, list);
    return NULL;
}

const char *turf_game_name(const TurfGame *game) { return game->name; }

const char *turf_game_ending_name(const TurfGame *game, TurfEnding ending)
{
    return (unsigned)ending < TURF_N_ENDINGS ? game->ending_names[ending] : NULL;
}

bool turf_start(const TurfGame *game, const char *start, TurfRng *rng, TurfState *state,
                TurfError *error)
{
    TurfRng none = {0}, *drawn_from = rng ? rng : &none;
    if (!game || !state)
        return error_invalid(error, "a start needs a game and a position to fill in");
    if (!game_start(game, start, drawn_from, state, error))
        return false;
    if (none.state != 0)
        return error_invalid(error, "a random start needs a random number generator");
    return true;
}

TurfMover turf_to_move(const TurfGame *game, const TurfState *state)
{
    return game->to_move(state);
}

size_t turf_moves(const TurfGame *game, const TurfState *state, TurfMove *moves)
{
    TurfEnding ending;
    return game_is_simultaneous(game) || game->is_over(state, &ending) ? 0
                                                                       : game->moves(state, moves);
}

/* Apart, so that turf_play need not save registers. */
static __attribute__((noinline)) bool play_slowly(const TurfGame *game, TurfState *state,
                                                  TurfMove move, TurfError *error)
{
    if (!game || !state)
        return error_invalid(error, "a move needs a game and a position");
    if (game_is_simultaneous(game))
        return error_invalid(error, "in %s both sides move at once", game->name);
    if (!game->is_legal(state, move, error))
        return false;
    game->apply(state, move);
    return true;
}

bool turf_play(const TurfGame *game, TurfState *state, TurfMove move, TurfError *error)
{
    if (game && state && game->play)
        return game->play(state, move, error);
    return play_slowly(game, state, move, error);
}

bool turf_play_both(const TurfGame *game, TurfState *state, const TurfAction actions[2],
                    TurfError *error)
{
    TurfEnding ending;
    if (!game || !state || !actions)
        return error_invalid(error, "a turn needs a game, a position and two actions");
    if (!game_is_simultaneous(game))
        return error_invalid(error, "in %s the sides move in turn", game->name);
    if (game->is_over(state, &ending))
        return error_invalid(error, "the game is over");
    for (int side = 0; side < 2; side++)
        if (actions[side].n_cells > 0 && !actions[side].cells)
            return error_invalid(error, "the action of side %d has no cells", side + 1);
        else if (!game->is_legal_action(state, (TurfSide)side, &actions[side], error))
            return false;
    game->apply_both(state, actions);
    return true;
}

bool turf_is_over(const TurfGame *game, const TurfState *state, TurfEnding *ending)
{
    if (ending)
        return game->is_over(state, ending);
    TurfEnding unused;
    return game->is_over(state, &unused);
}

int turf_own(const TurfGame *game, const TurfState *state, TurfSide side)
{
    return game->own(state, side);
}

void turf_move_to_text(const TurfGame *game, const TurfState *state, TurfMove move, char text[32])
{
    json_t *json = game->move_to_json ? game->move_to_json(state, move) : NULL;
    char   *dump = NULL;
    *text = '\0';
    if (json_is_string(json))
        (void)snprintf(text, 32, "%s", json_string_value(json));
    else if (json && (dump = json_dumps(json, JSON_COMPACT)))
        (void)snprintf(text, 32, "%s", dump);
    free(dump);
    json_decref(json);
}

bool turf_move_from_text(const TurfGame *game, const TurfState *state, const char *text,
                         TurfMove *move, TurfError *error)
{
    char word[64];
    if (!game || !state || !text || !move)
        return error_invalid(error, "a move needs a game, a position, a text and room for it");
    if (game_is_simultaneous(game))
        return error_invalid(error, "in %s both sides move at once", game->name);
    text += strspn(text, " \t\"");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n\"", text[length - 1]))
        length--;
    if (length < sizeof word) {
        memcpy(word, text, length);
        word[length] = '\0';
        text = word;
    }
    return game->move_from_text(state, text, move, error);
}

char *turf_position_to_json(const TurfGame *game, const TurfState *state)
{
    json_t *json = game_to_json(game, state);
    char   *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

int name_find(const char *name, const char *const *names, size_t n_names)
{
    size_t length = strlen(name);
    int    found = -1, n_found = 0;
    for (size_t i = 0; i < n_names; i++) {
        size_t same = 0; /* underscores stand for hyphens */
        while (same < length && (name[same] == '_' ? '-' : name[same]) == names[i][same])
            same++;
        if (same < length || length == 0)
            continue;
        if (names[i][length] == '\0')
            return (int)i;
        found = (int)i;
        n_found++;
    }
    return n_found == 1 ? found : -1;
}

/* What may stand in a line besides the position itself: its move, a result, a question to a bot, a
 * saved game, and what people note down. */
static const char *const other_keys[] = {"move",      "over",
                                         "winner",    "outcome",
                                         "game_name", "you",
                                         "moves",     "timeLeftForMove",
                                         "game",      "first",
                                         "second",    "start",
                                         "players",   "timeGainPerTurn",
                                         "id",        "comment"};

enum { N_OTHER_KEYS = sizeof other_keys / sizeof *other_keys, MAX_KEYS = N_OTHER_KEYS + 16 };

/* The keys of a position as the game writes it, and of the forms that it also reads. */
static size_t list_keys(const json_t *position, const char *keys[MAX_KEYS])
{
    size_t      n = 0;
    const char *key;
    json_t     *value;
    for (; n < N_OTHER_KEYS; n++)
        keys[n] = other_keys[n];
    keys[n++] = "sums";
    keys[n++] = "rules";
    json_object_foreach((json_t *)(uintptr_t)position, key, value)
    {
        (void)value;
        if (n < MAX_KEYS)
            keys[n++] = key;
    }
    return n;
}

bool game_check_keys(const TurfGame *game, const json_t *position, TurfError *error)
{
    const char *keys[MAX_KEYS], *key;
    TurfState   state = {{0}};
    TurfRng     rng = turf_rng(1);
    json_t     *value, *example = NULL;
    bool        is_good = true;
    if (game_start(game, NULL, &rng, &state, NULL))
        example = game->to_json(&state);
    if (!example)
        return error_no_memory(error);
    size_t n_keys = list_keys(example, keys);
    json_object_foreach((json_t *)(uintptr_t)position, key, value)
    {
        char   quoted[ERROR_QUOTE_BYTES], meant[SUGGESTION_BYTES];
        size_t i = 0;
        while (i < n_keys && strcmp(key, keys[i]) != 0)
            i++;
        if (i < n_keys)
            continue;
        is_good = error_invalid(error, "there is no \"%s\" in a position of %s%s",
                                error_quote(quoted, key), game->name,
                                suggestion(meant, key, keys, n_keys, "\""));
        break;
    }
    json_decref(example);
    return is_good;
}

bool game_parse(const TurfGame *game, const char *text, void *state, TurfError *error)
{
    text += strspn(text, " \t\r\n");
    if (*text != '{')
        return game->parse(state, text, error);
    TurfError why;
    json_t   *json = json_read(text, JSON_REJECT_DUPLICATES, &why);
    if (!json)
        return error_set(error, why.code, "the position is not JSON: %.300s", why.text);
    bool is_good = game_check_keys(game, json, error) && game->from_json(state, json, error);
    json_decref(json);
    return is_good;
}

bool game_start(const TurfGame *game, const char *start, TurfRng *rng, void *state,
                TurfError *error)
{
    if (!start)
        start = game->starts[0].name;
    if (game->start(state, start, rng))
        return true;
    /* A lone word is a name that we do not have; anything else is a position written out. */
    size_t length = strlen(start);
    bool   is_word = isalpha((unsigned char)start[0]) && length < 32;
    for (size_t i = 0; i < length; i++)
        is_word &= isalnum((unsigned char)start[i]) || start[i] == '-' || start[i] == '_';
    if (!is_word)
        return game_parse(game, start, state, error);

    char   list[256] = "";
    size_t used = 0;
    for (const NamedStart *s = game->starts; s->name; s++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s, ", s->name);
    return error_invalid(error, "there is no start '%s' in %s; choose from %sor give %s", start,
                         game->name, list, game->start_forms);
}

/* A lead of so many points that it would look like a won game counts as just short of one. */
static int value_of_lead(const TurfGame *game, const void *state, TurfSide side)
{
    int64_t value =
        (int64_t)GAME_UNIT * (game->own(state, side) - game->own(state, (TurfSide)!side));
    if (value >= GAME_DECIDED)
        return GAME_DECIDED - 1;
    return value <= -GAME_DECIDED ? 1 - GAME_DECIDED : (int)value;
}

int game_measure(const TurfGame *game, const void *state, TurfSide side, unsigned without)
{
    return game->measure ? game->measure(state, side, without) : value_of_lead(game, state, side);
}

int game_value_when_over(const TurfGame *game, const void *state, TurfSide side)
{
    TurfEnding ending = TURF_DRAWN;
    if (game->value_when_over)
        return game->value_when_over(state, side);
    if (game->is_on_points)
        return value_of_lead(game, state, side);
    (void)game->is_over(state, &ending);
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    return (ending == TURF_WON_BY_FIRST) == (side == TURF_FIRST) ? GAME_WON : -GAME_WON;
}

json_t *game_to_json(const TurfGame *game, const void *state)
{
    TurfEnding ending;
    json_t    *json = game->to_json(state);
    if (json && game->is_over(state, &ending)) {
        bool is_won = ending == TURF_WON_BY_FIRST || ending == TURF_WON_BY_SECOND;
        json_put(&json, "over", json_true());
        json_put(&json, "winner", is_won ? json_string(game->side_letters[ending]) : json_null());
        json_put(&json, "outcome", json_string(game->ending_names[ending]));
    }
    return json;
}
