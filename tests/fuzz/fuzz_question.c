/* What AI Battleground's wire asks a bot, which 'turf bot' answers. */
#include "cmd/bot_question.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char     *text = fuzz_text(data, size);
    json_t   *question = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    BgState   board;
    TurfError error = {0};
    if (question && bot_question_read(question, &board, &error)) {
        TurfState state = {{0}};
        memcpy(&state, &board, sizeof board);
        fuzz_check_position(turf_game_find("ai-battleground", NULL), &state);
    } else if (question) {
        fuzz_check_line(error.text);
    }
    json_decref(question);
    free(text);
    return 0;
}
