/* AI Battleground: its table, and its positions and actions as text, JSON and pictures. The rules
 * are in battleground.h. */
#include "base/error.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/checked_json.h"
#include "games/battleground.h"
#include "games/bg_wire.h"
#include "games/cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The configuration of the original contest's final. */
static const BgConfig final_config = {
    .rows = 24,
    .cols = 24,
    .cell_gain_per_turn = 3,
    .max_cell_capacity = 15,
    .starting_cells = 3,
    .max_colonisation_distance = 2,
    .max_game_iterations = 500,
};

static const NamedStart starts[] = {
    {"final", "24x24, 500 turns, a block of four cells each, as in the contest's final"},
    {"random", "the same, with ten cells each in a random order, alike but turned round"},
    {NULL, NULL},
};

static const int sizes[] = {16, 24, 40, 64, 100, 128, 0};

static const char start_forms[] =
    "a size such as 40x17, up to 128x128; rows of 1, 2 and .; or JSON";

/* A block of four on either side of the middle, as far as there is room for it. */
static void put_blocks(BgState *state)
{
    int rows = state->config.rows, cols = state->config.cols;
    for (int i = 0; i < 4; i++) {
        int row = (rows / 2 - 1 + i / 2 + rows) % rows;
        int left = cols / 4 - 1 + i % 2, right = cols - 1 - left;
        if (left >= 0 && left < right) {
            bg_add(&state->cells[0], row, left);
            bg_add(&state->cells[1], row, right);
        }
    }
}

/* Ten cells of a square of 25 somewhere in the left half; turned round, they are the enemy's in the
 * right half. */
static void put_colonies(BgState *state, TurfRng *rng)
{
    enum { SQUARE = 5, N_CELLS = 10 };
    int rows = state->config.rows, cols = state->config.cols;
    int top = (int)rng_below(rng, (uint32_t)rows),
        left = (int)rng_below(rng, (uint32_t)(cols / 2 - SQUARE + 1));
    for (int n_put = 0; n_put < N_CELLS;) {
        int cell = (int)rng_below(rng, SQUARE * SQUARE), row = (top + cell / SQUARE) % rows,
            col = left + cell % SQUARE;
        n_put += !bg_has(&state->cells[0], row, col);
        bg_add(&state->cells[0], row, col);
        bg_add(&state->cells[1], rows - 1 - row, cols - 1 - col);
    }
}

static bool start(void *state, const char *name, TurfRng *rng)
{
    bool is_random = !strcmp(name, "random");
    if (!is_random && strcmp(name, "final"))
        return false;
    bg_start(state, &final_config);
    if (is_random)
        put_colonies(state, rng);
    else
        put_blocks(state);
    return true;
}

/* ---- positions written out ---------------------------------------------------------------- */

static bool put_letter(BgState *state, int row, int col, char letter, TurfError *error)
{
    if (letter == '1' || letter == '2')
        bg_add(&state->cells[letter == '2'], row, col);
    else if (letter != '.')
        return error_invalid(error, "row %d has '%c' in column %d (from 0); cells are 1, 2 and .",
                             row, isprint((unsigned char)letter) ? letter : '?', col);
    return true;
}

static bool parse_size(const char *text, BgConfig *config)
{
    char *end = NULL;
    long  rows = strtol(text, &end, 10);
    if (end == text || (*end != 'x' && *end != 'X'))
        return false;
    char *second = end + 1;
    long  cols = strtol(second, &end, 10);
    if (end == second || end[strspn(end, " \t\r\n")] || rows < 0 || cols < 0 || rows > 10000 ||
        cols > 10000)
        return false;
    config->rows = (int)rows;
    config->cols = (int)cols;
    return true;
}

static bool parse_rows(BgState *state, const char *text, TurfError *error)
{
    for (int row = 0; row < state->config.rows; row++) {
        text += strspn(text, "\n/ \r\t");
        if ((int)strcspn(text, "\n/ \r\t") != state->config.cols)
            return error_invalid(error, "row %d (from 0) is not %d cells long, as row 0 is", row,
                                 state->config.cols);
        for (int col = 0; col < state->config.cols; col++)
            if (!put_letter(state, row, col, *text++, error))
                return false;
    }
    return true;
}

static bool parse(void *state, const char *text, TurfError *error)
{
    BgConfig config = final_config;
    BgState  board;
    bool     is_size = parse_size(text, &config);
    if (!is_size) {
        config.cols = (int)strcspn(text, "\n/ \r\t");
        config.rows = 0;
        for (const char *at = text; *(at += strspn(at, "\n/ \r\t")); at += strcspn(at, "\n/ \r\t"))
            config.rows++;
    }
    if (!bg_check_config(&config, error))
        return false;
    bg_start(&board, &config);
    if (is_size)
        put_blocks(&board);
    else if (!parse_rows(&board, text, error))
        return false;
    memcpy(state, &board, sizeof board);
    return true;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static const char *const        ruleset_words[] = {"diff", "classic"},
                         *const collision_words[] = {"cancel", "player2"},
                         *const scoring_words[] = {"last", "sum"};

/* The numbers of a configuration under their old names. */
static const struct {
    const char *name;
    size_t      offset;
} numbers[] = {
    {"rows", offsetof(BgConfig, rows)},
    {"cols", offsetof(BgConfig, cols)},
    {"cellGainPerTurn", offsetof(BgConfig, cell_gain_per_turn)},
    {"maxCellCapacity", offsetof(BgConfig, max_cell_capacity)},
    {"startingCells", offsetof(BgConfig, starting_cells)},
    {"maxColonisationDistance", offsetof(BgConfig, max_colonisation_distance)},
    {"maxGameIterations", offsetof(BgConfig, max_game_iterations)},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static bool read_number(const json_t *json, const char *name, int32_t *number, TurfError *error)
{
    const json_t *value = json_object_get(json, name);
    if (!value)
        return true;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > 1000000)
        return error_invalid(error, "\"%s\" must be an integer from 0 to 1000000", name);
    *number = (int32_t)json_integer_value(value);
    return true;
}

/* One of two words, the first of which is meant when nothing is said. */
static bool read_word(const json_t *json, const char *name, const char *const words[2], int *choice,
                      TurfError *error)
{
    const json_t *value = json_object_get(json, name);
    const char   *word = value ? json_string_value(value) : words[0];
    if (!word || (strcmp(word, words[0]) && strcmp(word, words[1])))
        return error_invalid(error, "\"%s\" is \"%s\" or \"%s\"", name, words[0], words[1]);
    *choice = !strcmp(word, words[1]);
    return true;
}

/* Rejects misspelt keys. */
static bool knows_keys(const json_t *config, TurfError *error)
{
    const char *keys[N_NUMBERS + 3] = {"ruleset", "collisions", "scoring"}, *key;
    char        quoted[ERROR_QUOTE_BYTES], meant[SUGGESTION_BYTES];
    json_t     *value;
    for (size_t i = 0; i < N_NUMBERS; i++)
        keys[i + 3] = numbers[i].name;
    json_object_foreach((json_t *)(uintptr_t)config, key, value)
    {
        size_t i = 0;
        (void)value;
        while (i < N_NUMBERS + 3 && strcmp(key, keys[i]) != 0)
            i++;
        if (i == N_NUMBERS + 3)
            return error_invalid(error, "there is no \"%s\" in a \"config\"%s",
                                 error_quote(quoted, key),
                                 suggestion(meant, key, keys, N_NUMBERS + 3, "\""));
    }
    return true;
}

static bool read_config(const json_t *json, BgConfig *config, TurfError *error)
{
    int ruleset = 0, collisions = 0, scoring = 0;
    if (!knows_keys(json, error))
        return false;
    for (size_t i = 0; i < N_NUMBERS; i++)
        if (!read_number(json, numbers[i].name,
                         (int32_t *)(void *)((char *)config + numbers[i].offset), error))
            return false;
    if (!read_word(json, "ruleset", ruleset_words, &ruleset, error) ||
        !read_word(json, "collisions", collision_words, &collisions, error) ||
        !read_word(json, "scoring", scoring_words, &scoring, error))
        return false;
    config->ruleset = (BgRuleset)ruleset;
    config->collisions = (BgCollisions)collisions;
    config->scoring = (BgScoring)scoring;
    return bg_check_config(config, error);
}

static bool read_board(const json_t *rows, BgState *state, TurfError *error)
{
    const BgConfig *config = &state->config;
    if (json_array_size(rows) != (size_t)config->rows)
        return error_invalid(error, "\"board\" has %zu rows, and the config says %d",
                             json_array_size(rows), config->rows);
    for (int row = 0; row < config->rows; row++) {
        const json_t *text = json_array_get(rows, (size_t)row);
        if (json_string_length(text) != (size_t)config->cols)
            return error_invalid(error, "row %d (from 0) of \"board\" is not a string of %d cells",
                                 row, config->cols);
        for (int col = 0; col < config->cols; col++)
            if (!put_letter(state, row, col, json_string_value(text)[col], error))
                return false;
    }
    return true;
}

/* A pair of numbers, one for each side. */
static bool read_pair(const json_t *json, const char *name, int64_t max, int64_t pair[2],
                      TurfError *error)
{
    const json_t *value = json_object_get(json, name);
    for (size_t side = 0; side < 2 && value; side++) {
        const json_t *item = json_array_get(value, side);
        if (!json_is_integer(item) || json_integer_value(item) < 0 ||
            json_integer_value(item) > max)
            return error_invalid(error, "\"%s\" must be two integers, like [3,3]", name);
        pair[side] = json_integer_value(item);
    }
    return true;
}

static bool from_json(void *state, const json_t *json, TurfError *error)
{
    BgConfig      config = final_config;
    const json_t *rows = json_object_get(json, "board");
    BgState       board;
    if (json_is_array(rows)) { /* what the config does not say */
        config.rows = (int32_t)json_array_size(rows);
        config.cols = (int32_t)json_string_length(json_array_get(rows, 0));
    }
    if (!read_config(json_object_get(json, "config"), &config, error))
        return false;
    bg_start(&board, &config);
    int64_t remaining[2] = {board.remaining[0], board.remaining[1]}, sums[2] = {0, 0};
    if (!read_board(rows, &board, error) || !read_pair(json, "cells", 1000000, remaining, error) ||
        !read_pair(json, "sums", INT64_C(1) << 50, sums, error) ||
        !read_number(json, "iteration", &board.iteration, error))
        return false;
    for (int side = 0; side < 2; side++) {
        board.remaining[side] = (int32_t)remaining[side];
        board.live_sum[side] =
            config.scoring == BG_SUM ? sums[side] : 0; /* they mean nothing elsewhere */
    }
    memcpy(state, &board, sizeof board);
    return true;
}

static json_t *config_json(const BgConfig *config)
{
    json_t *json = json_object();
    for (size_t i = 0; i < N_NUMBERS; i++)
        json_put(&json, numbers[i].name,
                 json_integer(
                     *(const int32_t *)(const void *)((const char *)config + numbers[i].offset)));
    json_put(&json, "ruleset", json_string(ruleset_words[config->ruleset]));
    json_put(&json, "collisions", json_string(collision_words[config->collisions]));
    json_put(&json, "scoring", json_string(scoring_words[config->scoring]));
    return json;
}

static char letter_at(const BgState *state, int row, int col)
{
    if (bg_has(&state->cells[0], row, col))
        return '1';
    return bg_has(&state->cells[1], row, col) ? '2' : '.';
}

static void size(const void *state, int *rows, int *cols)
{
    const BgConfig *config = &((const BgState *)state)->config;
    *rows = config->rows;
    *cols = config->cols;
}

static char cell(const void *state, int row, int col) { return letter_at(state, row, col); }

static json_t *to_json(const void *state)
{
    const BgState *board = state;
    json_t        *json =
        json_pack("{s:o,s:o,s:[i,i],s:i}", "config", config_json(&board->config), "board",
                  game_board_json(&ai_battleground, state), "cells", board->remaining[0],
                  board->remaining[1], "iteration", board->iteration);
    if (board->config.scoring == BG_SUM)
        json_put(
            &json, "sums",
            json_pack("[I,I]", (json_int_t)board->live_sum[0], (json_int_t)board->live_sum[1]));
    return json;
}

static bool configure(void *state, const json_t *changes, bool is_new, TurfError *error)
{
    json_t *position = to_json(state), *config = json_object_get(position, "config");
    json_t *starting = json_object_get(changes, "startingCells");
    bool    is_good = false;
    if (!position) {
        error_no_memory(error);
    } else if (knows_keys(changes, error)) {
        json_keep_if(&position, json_object_update(config, (json_t *)changes));
        if (starting && is_new)
            json_put(&position, "cells", json_pack("[O,O]", starting, starting));
        is_good = (position || error_no_memory(error)) && from_json(state, position, error);
    }
    json_decref(position);
    return is_good;
}

static bool is_within(const void *state, uint32_t max_turns, TurfError *error)
{
    const BgState  *board = state;
    const BgConfig *config = &board->config;
    if (config->max_game_iterations > (int64_t)max_turns)
        return error_invalid(error, "\"maxGameIterations\" is at most %u here", max_turns);
    if (config->cell_gain_per_turn > TURF_MAX_CELLS || config->max_cell_capacity > TURF_MAX_CELLS ||
        config->starting_cells > TURF_MAX_CELLS || board->remaining[0] > TURF_MAX_CELLS ||
        board->remaining[1] > TURF_MAX_CELLS)
        return error_invalid(error,
                             "\"cellGainPerTurn\", \"maxCellCapacity\", \"startingCells\" and "
                             "\"cells\" are at most %d here",
                             TURF_MAX_CELLS);
    return true;
}

/* ---- actions ------------------------------------------------------------------------------ */

static size_t reach(const void *state, TurfSide side, TurfCell *cells)
{
    const BgConfig *config = &((const BgState *)state)->config;
    BgSet           set;
    size_t          n_cells = 0;
    bg_reach(state, side, &set);
    for (int32_t row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
            for (uint64_t left = set.stripes[stripe][row]; left; left = bits_rest(left))
                cells[n_cells++] = (TurfCell){row, BG_STRIPE_COLS * stripe + bits_lowest(left)};
    return n_cells;
}

static size_t max_cells(const void *state, TurfSide side)
{
    int32_t remaining = ((const BgState *)state)->remaining[side];
    if (remaining > TURF_MAX_CELLS)
        return TURF_MAX_CELLS;
    return remaining > 0 ? (size_t)remaining : 0;
}

static const char *ply_kind(const void *before, const Ply *ply)
{
    (void)before, (void)ply;
    return "step";
}

static void play_before_step(void *state, const Ply *ply) { bg_colonise(state, ply->actions); }

static bool is_legal_action(const void *state, TurfSide side, const TurfAction *action,
                            TurfError *why_not)
{
    return bg_is_legal(state, side, action, why_not);
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* The numbers of the columns: every tenth in full, and the last digit of each. */
static void draw_columns(int n_cols, FILE *out)
{
    fputs("    ", out);
    for (int col = 0; col < n_cols; col += 10)
        fprintf(out, "%-*d", col + 10 < n_cols ? 10 : 1, col);
    fputs("\n    ", out);
    for (int col = 0; col < n_cols; col++)
        fputc('0' + col % 10, out);
    fputc('\n', out);
}

/* The board under both sides' points and a bar that shows who dominates. */
static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    static const char *const paint[2] = {"\033[1;34m", "\033[1;31m"};
    const BgState           *board = state;
    int                      live[2] = {bg_live(board, TURF_FIRST), bg_live(board, TURF_SECOND)};
    int                      n_needed = 4 + board->config.cols;
    bool                     is_cut = draw_is_narrow(style, n_needed);
    int                      n_cols = is_cut ? style->n_columns - 4 : board->config.cols;
    int                      width = n_cols > 20 ? n_cols : 20, all = live[0] + live[1];
    int                      first = all ? (width * live[0] + all / 2) / all : width / 2;
    bool                     is_narrow = draw_is_narrow(style, 80);
    fprintf(out,
            is_narrow ? "1: %d cells, %d to place\n2: %d cells, %d to place\nturn %d of %d\n"
                      : "1: %d cells, %d to place    2: %d cells, %d to place    turn %d of %d\n",
            live[0], board->remaining[0], live[1], board->remaining[1], board->iteration,
            board->config.max_game_iterations);
    for (int i = 0; i < width; i++)
        fprintf(out, "%s%c%s", style->has_colour ? paint[i >= first] : "", i < first ? '1' : '2',
                style->has_colour ? "\033[0m" : "");
    fputc('\n', out);
    draw_columns(n_cols, out);
    for (int row = 0; row < board->config.rows; row++) {
        fprintf(out, "%3d ", row);
        for (int col = 0; col < n_cols; col++) {
            char letter = letter_at(board, row, col);
            bool is_painted = style->has_colour && letter != '.';
            fprintf(out, "%s%c%s", is_painted ? paint[letter == '2'] : "", letter,
                    is_painted ? "\033[0m" : "");
        }
        fputc('\n', out);
    }
    draw_needed_columns(style, n_needed, out);
}

/* ---- the table ---------------------------------------------------------------------------- */

static TurfMover to_move(const void *state)
{
    TurfEnding ending;
    return bg_is_over(state, &ending) ? TURF_MOVER_NONE : TURF_MOVER_BOTH;
}

static const char *const number_names[] = {"cells_left", "cells_left_to_other", "turn", NULL};

static void write_numbers(const void *state, TurfSide side, int32_t *list)
{
    const BgState *board = state;
    list[0] = board->remaining[side];
    list[1] = board->remaining[!side];
    list[2] = board->iteration;
}

static void apply_both(void *state, const TurfAction actions[2]) { bg_play(state, actions); }

static bool is_over(const void *state, TurfEnding *ending) { return bg_is_over(state, ending); }

static int own(const void *state, TurfSide side) { return bg_live(state, side); }

static void pass(void *state) { bg_step(state); }

static uint64_t hash(const void *state)
{
    const BgState *board = state;
    uint64_t       key =
        rng_stream_family((uint64_t)board->iteration,
                          (uint64_t)board->remaining[0] << 32 | (uint32_t)board->remaining[1]);
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&board->config); stripe++)
            for (int row = 0; row < board->config.rows; row++)
                key = rng_stream_family(key, board->cells[side].stripes[stripe][row]);
    return key;
}

static const GameLevel levels[LEVEL_HIGHEST] = {
    {"random", 0},   {"land-grab", 80}, {"land-grab", 55}, {"land-grab", 20}, {"settler", 80},
    {"settler", 60}, {"settler", 30},   {"settler", 0},    {"conqueror", 15}, {"conqueror", 0},
};

const TurfGame ai_battleground = {
    .name = "ai-battleground",
    .short_name = "bg",
    .title = "AI Battleground",
    .summary = "colonise a torus that lives by a two-colour Game of Life, both sides at once",
    .side_names = {"player 1", "player 2"},
    .side_letters = {"1", "2"},
    .side_symbols = {"■", "◘"},
    .side_colours = {"#35d0f5", "#ffb02e"},
    .unit = "cells",
    .ending_names = {"player 1", "player 2", "draw", NULL, NULL},
    .starts = starts,
    .start_forms = start_forms,
    .move_form = "10 20, 10 18",
    .json_move_form = "{\"1\":[[10,20]],\"2\":[]}",
    .is_on_points = true,
    .sizes = sizes,
    .levels = levels,
    .level_spread = 25,
    .state_size = sizeof(BgState),
    .longest_game = 1000000,
    .start = start,
    .parse = parse,
    .from_json = from_json,
    .to_json = to_json,
    .size = size,
    .cell = cell,
    .to_move = to_move,
    .is_over = is_over,
    .own = own,
    .hash = hash,
    .is_legal_action = is_legal_action,
    .apply_both = apply_both,
    .reach = reach,
    .max_cells = max_cells,
    .ply_kind = ply_kind,
    .play_before_step = play_before_step,
    .question = bg_question,
    .read_question = bg_read_question,
    .configure = configure,
    .is_within = is_within,
    .draw = draw,
    .pass = pass,
    .number_names = number_names,
    .numbers = write_numbers,
    .is_symmetric = true,
};
