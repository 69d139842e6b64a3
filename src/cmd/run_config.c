/* turf run: a config file of the original AI Battleground server, as it stands. */
#include "base/error.h"
#include "bots/command.h"
#include "cmd/console.h"
#include "cmd/plan.h"
#include "cmd/session.h"
#include "players/player.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_PORT = 1989 };

typedef struct Config {
    const char     *path;
    const TurfGame *game;
    const json_t   *json;
    TurfPlayer     *players[2];
    char           *folders[2]; /* where the bots run; freed at the end */
    const Settings *settings;
} Config;

/* ---- the board ---------------------------------------------------------------------------- */

/* The cells with which a player begins, put into rows of text. */
static void put_cells(const Config *config, json_t *board, size_t index)
{
    const json_t *player = json_array_get(json_object_get(config->json, "players"), index), *cell;
    const json_t *cells = json_object_get(player, "startingCells");
    size_t        i;
    if (cells && !json_is_array(cells))
        die("%s: \"startingCells\" of player %zu is not a list of [row,col]", config->path, index + 1);
    json_array_foreach(cells, i, cell)
    {
        json_int_t row = json_integer_value(json_array_get(cell, 0)), col = json_integer_value(json_array_get(cell, 1));
        json_t    *text = row >= 0 ? json_array_get(board, (size_t)row) : NULL;
        if (json_array_size(cell) != 2 || !text || col < 0 || (size_t)col >= json_string_length(text))
            die("%s: cell %zu of \"startingCells\" of player %zu is not [row,col] on the board", config->path, i + 1,
                index + 1);
        char before = json_string_value(text)[col];
        if (before != '.' && before != (char)('1' + index))
            die("%s: both players begin with the cell [%d,%d]", config->path, (int)row, (int)col);
        char *row_text = strdup(json_string_value(text));
        if (!row_text)
            die("out of memory");
        row_text[col] = (char)('1' + index);
        json_string_set(text, row_text);
        free(row_text);
    }
}

/* The start as a position of ours, which checks the rest. */
static char *read_board(const Config *config)
{
    json_t    *settings = json_object_get(config->json, "game"), *board = json_array();
    json_int_t rows = json_integer_value(json_object_get(settings, "rows"));
    json_int_t cols = json_integer_value(json_object_get(settings, "cols"));
    enum { MOST_SIDE = 128 };
    char      dots[MOST_SIDE + 1];
    TurfState state;
    TurfError error;
    TurfRng   rng = turf_rng(0);
    if (rows < 1 || rows > MOST_SIDE || cols < 1 || cols > MOST_SIDE)
        die("%s: \"game\" needs \"rows\" and \"cols\", whole numbers from 1 to %d", config->path, MOST_SIDE);
    memset(dots, '.', sizeof dots);
    for (json_int_t row = 0; row < rows; row++)
        json_array_append_new(board, json_stringn(dots, (size_t)cols));
    for (size_t i = 0; i < 2; i++)
        put_cells(config, board, i);
    json_t *position = json_pack("{s:O,s:o}", "config", settings, "board", board);
    char   *text = position ? json_dumps(position, JSON_COMPACT) : NULL;
    json_decref(position);
    if (!text)
        die("out of memory");
    if (!game_start(config->game, text, &rng, &state, &error))
        die("%s: %s", config->path, error.text);
    return text;
}

/* ---- the players -------------------------------------------------------------------------- */

/* The command of a process. A program that is here is meant, and not one of the same name elsewhere; unless told
 * otherwise, it runs in the folder that holds it. */
static char *read_command(Config *config, const json_t *player, size_t index)
{
    const json_t *list = json_object_get(player, "command"), *folder = json_object_get(player, "workingDirectory");
    size_t        n_words = json_array_size(list);
    char          path[PATH_MAX], *command, *spec = NULL;
    if (n_words == 0)
        die("%s: player %zu is a process and needs a \"command\", like [\"python3\", \"bot.py\"]", config->path,
            index + 1);
    for (size_t i = 0; i < n_words; i++)
        if (!json_is_string(json_array_get(list, i)))
            die("%s: \"command\" of player %zu is not a list of strings", config->path, index + 1);
    if (folder && !json_is_string(folder))
        die("%s: \"workingDirectory\" of player %zu is not a string", config->path, index + 1);
    const char **words = calloc(n_words, sizeof *words);
    if (!words)
        die("out of memory");
    for (size_t i = 0; i < n_words; i++)
        words[i] = json_string_value(json_array_get(list, i));
    bool is_here = realpath(words[0], path) && access(path, X_OK) == 0;
    if (folder)
        config->folders[index] = strdup(json_string_value(folder));
    if (is_here) {
        words[0] = path;
        if (!folder)
            config->folders[index] = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
    }
    command = command_quote(words, n_words);
    if (!command || asprintf(&spec, "bot:%s", command) < 0)
        die("out of memory");
    free(command);
    free(words);
    return spec;
}

/* Both may connect to the one port; then the first to connect is the first player. */
static TurfPlayer *open_tcp(const Config *config)
{
    const json_t *given = json_object_get(config->json, "port");
    const char   *address = config->settings->listen ? config->settings->listen : "127.0.0.1";
    char          spec[300];
    TurfError     error;
    TurfPlayer   *first = config->players[0], *player;
    if (given && (!json_is_integer(given) || json_integer_value(given) < 1 || json_integer_value(given) > 65535))
        die("%s: \"port\" is not a number from 1 to 65535", config->path);
    snprintf(spec, sizeof spec, "tcp:%.200s:%d", address, given ? (int)json_integer_value(given) : USUAL_PORT);
    if (!first || !first->kind->plays_alone)
        return read_player(config->game, spec);
    if (!(player = player_copy(first, &error)))
        die("%s", error.text);
    return player;
}

static void read_timer(const Config *config, const json_t *json, size_t index)
{
    const json_t *timer = json_object_get(json, "timer"), *length = json_object_get(timer, "maxLength");
    if (!timer || json_is_null(timer))
        return;
    if (!json_is_integer(length) || json_integer_value(length) < 1 || json_integer_value(length) > 86400000)
        die("%s: \"timer\" of player %zu needs \"maxLength\", milliseconds from 1 to 86400000", config->path,
            index + 1);
    config->players[index]->time_gain_ms = json_integer_value(length);
}

static void read_config_player(Config *config, size_t index)
{
    const json_t *json = json_array_get(json_object_get(config->json, "players"), index);
    const char   *type = json_string_value(json_object_get(json, "type"));
    const char   *name = json_string_value(json_object_get(json, "name"));
    char          quoted[ERROR_QUOTE_BYTES], *spec = NULL;
    if (type && !strcmp(type, "dummy"))
        config->players[index] = read_player(config->game, "dummy");
    else if (type && !strcmp(type, "process"))
        config->players[index] = read_player(config->game, spec = read_command(config, json, index));
    else if (type && !strcmp(type, "tcp"))
        config->players[index] = open_tcp(config);
    else
        die("%s: \"type\" of player %zu is '%s'; it is dummy, process or tcp", config->path, index + 1,
            error_quote(quoted, type ? type : ""));
    free(spec);
    if (name && !player_rename(config->players[index], name))
        die("out of memory");
    read_timer(config, json, index);
}

int cmd_run(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    json_error_t    where;
    Config          config = {.path = arguments->words[0], .game = read_game("ai-battleground"), .settings = settings};
    char           *text = read_file(config.path);
    json_t         *json = json_loads(text, 0, &where);
    free(text);
    if (!json)
        die("%s, line %d: this is not JSON: %s", config.path, where.line, where.text);
    config.json = json;
    if (json_array_size(json_object_get(json, "players")) != 2 || !json_is_object(json_object_get(json, "game")))
        die("%s: a config has \"players\", a list of two, and \"game\"", config.path);
    Plan  plan = plan_begin(config.game, SCHEDULE_MATCH, settings, 1);
    char *board = read_board(&config);
    bool  is_good = plan_add_start(&plan, board);
    for (size_t i = 0; i < 2; i++)
        read_config_player(&config, i);
    for (size_t i = 0; i < 2; i++) {
        config.players[i]->terms.process.folder = config.folders[i];
        is_good &= plan_add_entrant(&plan, config.players[i]);
    }
    for (int i = 0; i < 2; i++) {
        turf_player_free(config.players[i]);
        free(config.folders[i]);
    }
    free(board);
    json_decref(json);
    if (!is_good)
        die("out of memory");
    return session_play(arguments, &plan);
}
