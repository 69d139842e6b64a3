#include "cmd/run_config.h"

#include "base/error.h"
#include "bots/command.h"
#include "players/player.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_PORT = 1989 };

typedef struct Config {
    const TurfGame *game;
    const json_t   *json;
    TurfPlayer     *players[2];
    char           *folders[2]; /* where the bots run; freed at the end */
    const char     *address;    /* to listen at */
} Config;

/* ---- the board ---------------------------------------------------------------------------- */

/* One cell with which a player begins, put into rows of text. */
static bool put_cell(json_t *board, size_t index, const json_t *cell, size_t number,
                     TurfError *error)
{
    json_int_t row = json_integer_value(json_array_get(cell, 0)),
               col = json_integer_value(json_array_get(cell, 1));
    json_t *text = row >= 0 ? json_array_get(board, (size_t)row) : NULL;
    if (json_array_size(cell) != 2 || !text || col < 0 || (size_t)col >= json_string_length(text))
        return error_invalid(
            error, "cell %zu of \"startingCells\" of player %zu is not [row,col] on the board",
            number, index + 1);
    char before = json_string_value(text)[col];
    if (before != '.' && before != (char)('1' + index))
        return error_invalid(error, "both players begin with the cell [%d,%d]", (int)row, (int)col);
    char *row_text = strdup(json_string_value(text));
    if (!row_text)
        return error_no_memory(error);
    row_text[col] = (char)('1' + index);
    json_string_set(text, row_text);
    free(row_text);
    return true;
}

static bool put_cells(const Config *config, json_t *board, size_t index, TurfError *error)
{
    const json_t *player = json_array_get(json_object_get(config->json, "players"), index), *cell;
    const json_t *cells = json_object_get(player, "startingCells");
    size_t        i;
    if (cells && !json_is_array(cells))
        return error_invalid(error, "\"startingCells\" of player %zu is not a list of [row,col]",
                             index + 1);
    json_array_foreach(cells, i, cell)
    {
        if (!put_cell(board, index, cell, i + 1, error))
            return false;
    }
    return true;
}

/* The start as a position of ours, which checks the rest; to be freed. */
static char *read_board(const Config *config, TurfError *error)
{
    json_t    *settings = json_object_get(config->json, "game");
    json_int_t rows = json_integer_value(json_object_get(settings, "rows"));
    json_int_t cols = json_integer_value(json_object_get(settings, "cols"));
    enum { MAX_SIDE = 128 };
    char      dots[MAX_SIDE + 1];
    TurfState state;
    TurfRng   rng = turf_rng(0);
    if (rows < 1 || rows > MAX_SIDE || cols < 1 || cols > MAX_SIDE) {
        error_invalid(error, "\"game\" needs \"rows\" and \"cols\", whole numbers from 1 to %d",
                      MAX_SIDE);
        return NULL;
    }
    json_t *board = json_array();
    memset(dots, '.', sizeof dots);
    for (json_int_t row = 0; row < rows; row++)
        json_array_append_new(board, json_stringn(dots, (size_t)cols));
    bool    is_good = put_cells(config, board, 0, error) && put_cells(config, board, 1, error);
    json_t *position = json_pack("{s:O,s:o}", "config", settings, "board", board);
    char   *text = is_good && position ? json_dumps(position, JSON_COMPACT) : NULL;
    json_decref(position);
    if (is_good && !text)
        error_no_memory(error);
    if (text && !game_start(config->game, text, &rng, &state, error)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- the players -------------------------------------------------------------------------- */

/* The words of a command; the array is to be freed. */
static const char **read_words(const json_t *list, size_t index, TurfError *error)
{
    size_t n_words = json_array_size(list);
    if (n_words == 0) {
        error_invalid(
            error,
            "player %zu is a process and needs a \"command\", like [\"python3\", \"bot.py\"]",
            index + 1);
        return NULL;
    }
    const char **words = calloc(n_words, sizeof *words);
    if (!words)
        error_no_memory(error);
    for (size_t i = 0; words && i < n_words; i++)
        if (!(words[i] = json_string_value(json_array_get(list, i)))) {
            error_invalid(error, "\"command\" of player %zu is not a list of strings", index + 1);
            free(words);
            return NULL;
        }
    return words;
}

/* The command of a process as a description of a player, to be freed. A program that is here is
 * meant, and not one of the same name elsewhere; unless told otherwise, it runs in the folder that
 * holds it. */
static char *read_command(Config *config, const json_t *player, size_t index, TurfError *error)
{
    const json_t *list = json_object_get(player, "command"),
                 *folder = json_object_get(player, "workingDirectory");
    char path[PATH_MAX], *spec = NULL;
    if (folder && !json_is_string(folder)) {
        error_invalid(error, "\"workingDirectory\" of player %zu is not a string", index + 1);
        return NULL;
    }
    const char **words = read_words(list, index, error);
    if (!words)
        return NULL;
    bool is_here = realpath(words[0], path) && access(path, X_OK) == 0;
    if (folder)
        config->folders[index] = strdup(json_string_value(folder));
    if (is_here) {
        words[0] = path;
        if (!folder)
            config->folders[index] = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
    }
    char *command = command_quote(words, json_array_size(list));
    if (!command || asprintf(&spec, "bot:%s", command) < 0) {
        error_no_memory(error);
        spec = NULL;
    }
    free(command);
    free(words);
    return spec;
}

static TurfPlayer *open_process(Config *config, const json_t *json, size_t index, TurfError *error)
{
    char       *spec = read_command(config, json, index, error);
    TurfPlayer *player = spec ? turf_player_open(config->game, spec, error) : NULL;
    free(spec);
    return player;
}

/* Both may connect to the one port; then the first to connect is the first player. */
static TurfPlayer *open_tcp(const Config *config, TurfError *error)
{
    const json_t *given = json_object_get(config->json, "port");
    char          spec[300];
    TurfPlayer   *first = config->players[0];
    if (given && (!json_is_integer(given) || json_integer_value(given) < 1 ||
                  json_integer_value(given) > 65535)) {
        error_invalid(error, "\"port\" is not a number from 1 to 65535");
        return NULL;
    }
    snprintf(spec, sizeof spec, "tcp:%.200s:%d", config->address,
             given ? (int)json_integer_value(given) : DEFAULT_PORT);
    return first && first->kind->plays_alone ? player_copy(first, error)
                                             : turf_player_open(config->game, spec, error);
}

static bool read_timer(const Config *config, const json_t *json, size_t index, TurfError *error)
{
    const json_t *timer = json_object_get(json, "timer"),
                 *length = json_object_get(timer, "maxLength");
    if (!timer || json_is_null(timer))
        return true;
    if (!json_is_integer(length) || json_integer_value(length) < 1 ||
        json_integer_value(length) > 86400000)
        return error_invalid(
            error, "\"timer\" of player %zu needs \"maxLength\", milliseconds from 1 to 86400000",
            index + 1);
    config->players[index]->time_gain_ms = json_integer_value(length);
    return true;
}

static bool read_player_of(Config *config, size_t index, TurfError *error)
{
    const json_t *json = json_array_get(json_object_get(config->json, "players"), index);
    const char   *type = json_string_value(json_object_get(json, "type"));
    const char   *name = json_string_value(json_object_get(json, "name"));
    char          quoted[ERROR_QUOTE_BYTES];
    TurfPlayer   *player = NULL;
    if (type && !strcmp(type, "dummy"))
        player = turf_player_open(config->game, "dummy", error);
    else if (type && !strcmp(type, "process"))
        player = open_process(config, json, index, error);
    else if (type && !strcmp(type, "tcp"))
        player = open_tcp(config, error);
    else
        error_invalid(error, "\"type\" of player %zu is '%s'; it is dummy, process or tcp",
                      index + 1, error_quote(quoted, type ? type : ""));
    config->players[index] = player;
    if (!player || !read_timer(config, json, index, error))
        return false;
    return !name || player_rename(player, name) || error_no_memory(error);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool read_config(Config *config, Plan *plan, TurfError *error)
{
    const json_t *json = config->json;
    if (json_array_size(json_object_get(json, "players")) != 2 ||
        !json_is_object(json_object_get(json, "game")))
        return error_invalid(error, "a config has \"players\", a list of two, and \"game\"");
    char *board = read_board(config, error);
    bool  is_good = board && (plan_add_start(plan, board) || error_no_memory(error));
    free(board);
    for (size_t i = 0; i < 2; i++)
        is_good = is_good && read_player_of(config, i, error);
    for (size_t i = 0; i < 2 && is_good; i++) {
        config->players[i]->terms.process.folder = config->folders[i];
        is_good = plan_add_entrant(plan, config->players[i]) || error_no_memory(error);
    }
    return is_good;
}

bool run_config_read(Plan *plan, const char *text, const char *address, TurfError *error)
{
    json_error_t where;
    json_t      *json = json_loads(text, 0, &where);
    Config config = {.game = plan->game, .json = json, .address = address ? address : "127.0.0.1"};
    bool   is_good =
        json ? read_config(&config, plan, error)
               : error_invalid(error, "line %d: this is not JSON: %s", where.line, where.text);
    for (int i = 0; i < 2; i++) {
        turf_player_free(config.players[i]);
        free(config.folders[i]);
    }
    json_decref(json);
    return is_good;
}
