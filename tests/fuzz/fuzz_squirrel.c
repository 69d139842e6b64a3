/* The input files of the SquirrelWar coursework. */
#include "cmd/squirrel_input.h"
#include "fuzz.h"

#include <string.h>

/* Deeper searches take time and test nothing more. */
enum { MAX_DEPTH = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SquirrelTask task;
    TurfError    error = {0};
    FILE        *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file)
        return 0;
    if (!squirrel_read(file, &task, &error)) {
        fuzz_check_line(error.text);
    } else {
        int depth = task.players[0].depth < MAX_DEPTH ? task.players[0].depth : MAX_DEPTH;
        int square = sw_traverse(&task.state, task.players[0].algorithm, depth, NULL, "\n");
        claim(square < SW_SQUARES && (square >= 0) == (sw_empty(&task.state.board) != 0),
              "the move is square %d", square);
        if (task.warning_line == 0) {
            TurfState state = {{0}};
            memcpy(&state, &task.state, sizeof task.state);
            fuzz_check_position(turf_game_find("squirrel-war", NULL), &state);
        }
    }
    fclose(file);
    return 0;
}
