#include "cmd/bot_question.h"

#include "base/error.h"

bool bot_question_read(const json_t *line, BgState *state, TurfError *error)
{
    const json_t *field = json_object_get(line, "field"), *row;
    size_t        i;
    BgConfig      config = {.rows = (int32_t)json_array_size(field),
                            .cols = (int32_t)json_string_length(json_array_get(field, 0)),
                            .cell_gain_per_turn = (int32_t)json_integer_value(json_object_get(line, "cellGainPerTurn")),
                            .max_cell_capacity = (int32_t)json_integer_value(json_object_get(line, "maxCellCapacity")),
                            .starting_cells = (int32_t)json_integer_value(json_object_get(line, "cellsRemaining")),
                            .max_colonisation_distance =
                                (int32_t)json_integer_value(json_object_get(line, "maxColonisationDistance")),
                            .max_game_iterations = (int32_t)json_integer_value(json_object_get(line, "maxGameIterations"))};
    if (!bg_check_config(&config, error))
        return false;
    bg_start(state, &config);
    json_int_t iteration = json_integer_value(json_object_get(line, "currIteration"));
    state->iteration = iteration > 0 && iteration < config.max_game_iterations ? (int32_t)iteration : 0;
    json_array_foreach(field, i, row)
    {
        if (json_string_length(row) != (size_t)config.cols)
            return error_set(error, "row %zu of \"field\" is not as long as the first", i);
        for (int col = 0; col < config.cols; col++) {
            char cell = json_string_value(row)[col];
            if (cell == '#' || cell == 'O')
                bg_add(&state->cells[cell == 'O'], (int)i, col);
        }
    }
    return true;
}
