/* Questions of every game's bot protocol, which 'turf bot' answers. */
#include "fuzz.h"
#include "games/question.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char   *text = fuzz_text(data, size);
    json_t *question = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    for (size_t g = 0; question && turf_game_at(g); g++) {
        TurfState state = {{0}};
        TurfSide  side;
        TurfError error = {0};
        if (question_read(turf_game_at(g), question, &state, &side, &error))
            fuzz_check_position(turf_game_at(g), &state);
        else
            fuzz_check_line(error.text);
    }
    json_decref(question);
    free(text);
    return 0;
}
