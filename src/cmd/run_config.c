/* Reads a config of the original AI Battleground server: "game" with the board and its rules,
 * "players" with two of type dummy, process or tcp, and "port". */
#include "cmd/run_config.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "bots/command_line.h"
#include "cmd/console.h"
#include "games/cells.h"
#include "players/player.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_PORT = 1989 };

typedef struct Config {
    Plan         *plan; /* gets the start and the players */
    const json_t *json;
    const char   *address; /* to listen at */
} Config;

/* ---- the board ---------------------------------------------------------------------------- */

typedef struct Board {
    int  n_rows, n_cols;
    char rows[MAX_BOARD_SIDE][MAX_BOARD_SIDE + 1];
} Board;

static bool put_cell(Board *board, size_t index, TurfCell cell, size_t number, TurfError *error)
{
    if (cell.row < 0 || cell.row >= board->n_rows || cell.col < 0 || cell.col >= board->n_cols)
        return error_invalid(error,
                             "cell %zu of \"startingCells\" of player %zu is not on the board",
                             number, index + 1);
    char *at = &board->rows[cell.row][cell.col], letter = (char)('1' + index);
    if (*at != '.' && *at != letter)
        return error_invalid(error, "both players begin with the cell [%d,%d]", (int)cell.row,
                             (int)cell.col);
    *at = letter;
    return true;
}

static bool put_cells(const Config *config, Board *board, size_t index, TurfError *error)
{
    const json_t *player = json_array_get(json_object_get(config->json, "players"), index);
    const json_t *list = json_object_get(player, "startingCells");
    TurfCell      cells[TURF_MAX_CELLS];
    size_t        n_cells = 0;
    TurfError     why;
    if (list && !cells_from_json(list, cells, &n_cells, &why))
        return error_invalid(error, "\"startingCells\" of player %zu: %.300s", index + 1, why.text);
    for (size_t i = 0; i < n_cells; i++)
        if (!put_cell(board, index, cells[i], i + 1, error))
            return false;
    return true;
}

/* The start as JSON of a position, checked; to be freed. */
static char *read_board(const Config *config, TurfError *error)
{
    json_t    *settings = json_object_get(config->json, "game");
    json_int_t rows = json_integer_value(json_object_get(settings, "rows"));
    json_int_t cols = json_integer_value(json_object_get(settings, "cols"));
    TurfState  state;
    TurfRng    rng = turf_rng(0);
    if (rows < 1 || rows > MAX_BOARD_SIDE || cols < 1 || cols > MAX_BOARD_SIDE) {
        error_invalid(error, "\"game\" needs \"rows\" and \"cols\", whole numbers from 1 to %d",
                      MAX_BOARD_SIDE);
        return NULL;
    }
    Board board = {.n_rows = (int)rows, .n_cols = (int)cols};
    memset(board.rows, '.', sizeof board.rows);
    if (!put_cells(config, &board, 0, error) || !put_cells(config, &board, 1, error))
        return NULL;
    json_t *lines = json_array();
    for (int row = 0; row < board.n_rows; row++)
        json_add(&lines, json_stringn(board.rows[row], (size_t)cols));
    json_t *position = or_die(json_pack("{s:O,s:o}", "config", settings, "board", lines));
    char   *text = or_die(json_dumps(position, JSON_COMPACT));
    json_decref(position);
    if (!game_start(config->plan->game, text, &rng, &state, error)) {
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
    const char **words = or_die(calloc(n_words, sizeof *words));
    for (size_t i = 0; i < n_words; i++)
        if (!(words[i] = json_string_value(json_array_get(list, i)))) {
            error_invalid(error, "\"command\" of player %zu is not a list of strings", index + 1);
            free(words);
            return NULL;
        }
    return words;
}

/* The command of a process as the spec of a player, to be freed. A program in this directory goes
 * before one of the same name in PATH, and runs in the folder that holds it unless the config names
 * another; `folder` gets that, to be freed. */
static char *read_command(const json_t *player, size_t index, char **folder, TurfError *error)
{
    const json_t *list = json_object_get(player, "command"),
                 *given = json_object_get(player, "workingDirectory");
    char path[PATH_MAX];
    if (given && !json_is_string(given)) {
        error_invalid(error, "\"workingDirectory\" of player %zu is not a string", index + 1);
        return NULL;
    }
    const char **words = read_words(list, index, error);
    if (!words)
        return NULL;
    bool is_here = realpath(words[0], path) && access(path, X_OK) == 0;
    if (is_here)
        words[0] = path;
    if (given)
        *folder = or_die(strdup(json_string_value(given)));
    else if (is_here)
        *folder = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
    char *command = or_die(command_quote(words, json_array_size(list)));
    char *spec = format_text("bot:%s", command);
    free(command);
    free(words);
    return spec;
}

/* If both players connect to the port, the first to connect is the first player. */
static char *read_port(const Config *config, TurfError *error)
{
    const json_t *given = json_object_get(config->json, "port");
    json_int_t    port = given ? json_integer_value(given) : DEFAULT_PORT;
    if (port < 1 || port > 65535) {
        error_invalid(error, "\"port\" is not a number from 1 to 65535");
        return NULL;
    }
    return format_text("tcp:%.200s:%d", config->address, (int)port);
}

static char *read_spec(const Config *config, const json_t *json, size_t index, char **folder,
                       TurfError *error)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    char        quoted[ERROR_QUOTE_BYTES];
    if (type && !strcmp(type, "dummy"))
        return format_text("dummy");
    if (type && !strcmp(type, "process"))
        return read_command(json, index, folder, error);
    if (type && !strcmp(type, "tcp"))
        return read_port(config, error);
    error_invalid(error, "\"type\" of player %zu must be dummy, process or tcp, not '%s'",
                  index + 1, error_quote(quoted, type ? type : ""));
    return NULL;
}

static bool read_timer(TurfPlayer *player, const json_t *json, size_t index, TurfError *error)
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
    player->time_gain_ms = json_integer_value(length);
    return true;
}

static bool add_player(const Config *config, size_t index, TurfError *error)
{
    const json_t *json = json_array_get(json_object_get(config->json, "players"), index);
    const char   *name = json_string_value(json_object_get(json, "name"));
    char         *folder = NULL, *spec = read_spec(config, json, index, &folder, error);
    TurfPlayer   *player = spec ? plan_open_player(config->plan, spec, error) : NULL;
    bool          is_good = player && read_timer(player, json, index, error);
    if (is_good && name)
        is_good = player_rename(player, name) || error_no_memory(error);
    if (is_good) {
        player->terms.process.folder = folder;
        is_good = plan_add_player(config->plan, player) || error_no_memory(error);
    } else {
        turf_player_free(player);
    }
    free(spec);
    free(folder);
    return is_good;
}

/* ---- the config --------------------------------------------------------------------------- */

static bool read_config(const Config *config, TurfError *error)
{
    const json_t *json = config->json;
    if (json_array_size(json_object_get(json, "players")) != 2 ||
        !json_is_object(json_object_get(json, "game")))
        return error_invalid(error, "a config has \"players\", a list of two, and \"game\"");
    char *board = read_board(config, error);
    bool  is_good = board && (plan_add_start(config->plan, board) || error_no_memory(error));
    free(board);
    return is_good && add_player(config, 0, error) && add_player(config, 1, error);
}

bool run_config_read(Plan *plan, const char *text, const char *address, TurfError *error)
{
    json_error_t where;
    json_t      *json = json_loads(text, 0, &where);
    Config       config = {plan, json, address ? address : "127.0.0.1"};
    if (!json)
        return error_invalid(error, "line %d: this is not JSON: %s", where.line, where.text);
    bool is_good = read_config(&config, error);
    json_decref(json);
    return is_good;
}
