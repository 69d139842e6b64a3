#include "cmd/bot_question.h"

#include "base/error.h"

/* A number that is not there is 0. What is more than any board can use is as good as this. */
static int32_t read_amount(const json_t *question, const char *name)
{
    enum { PLENTY = 1000000 };
    json_int_t amount = json_integer_value(json_object_get(question, name));
    return amount < 0 ? -1 : amount > PLENTY ? PLENTY : (int32_t)amount;
}

bool bot_question_read(const json_t *question, BgState *state, TurfError *error)
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
    bg_start(state, &config);
    json_int_t iteration = json_integer_value(json_object_get(question, "currIteration"));
    state->iteration =
        iteration > 0 && iteration < config.max_game_iterations ? (int32_t)iteration : 0;
    json_array_foreach(field, i, row)
    {
        if (json_string_length(row) != (size_t)config.cols)
            return error_invalid(error, "row %zu of \"field\" is not as long as the first", i);
        for (int col = 0; col < config.cols; col++) {
            char cell = json_string_value(row)[col];
            if (cell == '#' || cell == 'O')
                bg_add(&state->cells[cell == 'O'], (int)i, col);
        }
    }
    return true;
}
