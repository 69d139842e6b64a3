/* The questions of the original AI Battleground server, written and read. */
#include "games/bg_wire.h"

#include "base/error.h"
#include "games/battleground.h"

#include <stdlib.h>
#include <string.h>

static char mark(const BgState *board, TurfSide side, int row, int col)
{
    if (bg_has(&board->cells[side], row, col))
        return '#';
    return bg_has(&board->cells[!side], row, col) ? 'O' : '.';
}

char *bg_question(const void *state, TurfSide side, const BotTime *time)
{
    enum { ROOM_FOR_NUMBERS = 512 };
    const BgState  *board = state;
    const BgConfig *config = &board->config;
    size_t          room = (size_t)config->rows * ((size_t)config->cols + 3) + ROOM_FOR_NUMBERS;
    char           *text = malloc(room), *at = text;
    if (!text)
        return NULL;
    at = stpcpy(at, "{\"field\":[");
    for (int row = 0; row < config->rows; row++) {
        at = stpcpy(at, row ? ",\"" : "\"");
        for (int col = 0; col < config->cols; col++)
            *at++ = mark(board, side, row, col);
        *at++ = '"';
    }
    at +=
        snprintf(at, ROOM_FOR_NUMBERS - 64,
                 "],\"cellsRemaining\":%d,\"cellGainPerTurn\":%d,\"maxCellCapacity\":%d,"
                 "\"maxColonisationDistance\":%d,\"currIteration\":%d,\"maxGameIterations\":%d",
                 board->remaining[side], config->cell_gain_per_turn, config->max_cell_capacity,
                 config->max_colonisation_distance, board->iteration, config->max_game_iterations);
    if (time->gain_ms > 0)
        at += sprintf(at, ",\"timeGainPerTurn\":%lld,\"timeLeftForMove\":%lld",
                      (long long)time->gain_ms, (long long)time->left_ms);
    (void)stpcpy(at, "}");
    return text;
}

/* A number that is not there is 0. What is more than any board can use is as good as this. */
static int32_t read_amount(const json_t *question, const char *name)
{
    enum { PLENTY = 1000000 };
    json_int_t amount = json_integer_value(json_object_get(question, name));
    if (amount < 0)
        return -1;
    return amount > PLENTY ? PLENTY : (int32_t)amount;
}

bool bg_read_question(const json_t *question, void *state, TurfError *error)
{
    const json_t *field = json_object_get(question, "field"), *row;
    size_t        i;
    BgConfig      config = {.rows = (int32_t)json_array_size(field),
                            .cols = (int32_t)json_string_length(json_array_get(field, 0)),
                            .cell_gain_per_turn = read_amount(question, "cellGainPerTurn"),
                            .max_cell_capacity = read_amount(question, "maxCellCapacity"),
                            .starting_cells = read_amount(question, "cellsRemaining"),
                            .max_colonisation_distance =
                                read_amount(question, "maxColonisationDistance"),
                            .max_game_iterations = read_amount(question, "maxGameIterations")};
    if (!bg_check_config(&config, error))
        return false;
    BgState board;
    bg_start(&board, &config);
    json_int_t iteration = json_integer_value(json_object_get(question, "currIteration"));
    board.iteration =
        iteration > 0 && iteration < config.max_game_iterations ? (int32_t)iteration : 0;
    json_array_foreach(field, i, row)
    {
        if (json_string_length(row) != (size_t)config.cols)
            return error_invalid(error, "row %zu of \"field\" is not as long as the first", i);
        for (int col = 0; col < config.cols; col++) {
            char cell = json_string_value(row)[col];
            if (cell == '#' || cell == 'O')
                bg_add(&board.cells[cell == 'O'], (int)i, col);
        }
    }
    memcpy(state, &board, sizeof board);
    return true;
}
