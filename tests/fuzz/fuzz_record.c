/* Records of games, as 'turf export' writes and 'turf replay' reads them. */
#include "fuzz.h"
#include "live/replay.h"

#include <stdlib.h>
#include <string.h>

/* Claims: seeking reaches the same positions as playing the moves. */
static void check_replay(Replay *replay)
{
    MoveHistory    *history = &replay->history;
    const TurfGame *game = history->game;
    TurfState       state = history->start;
    char            text[500];
    fuzz_check_position(game, &history->state);
    for (size_t i = 0; i < history->n_kept; i++) {
        TurfEnding ending;
        claim(!turf_is_over(game, &state, &ending), "a move after the end");
        ply_apply(game, &state, &history->plies[i].ply);
        history_seek(history, i + 1);
        claim(!memcmp(&state, &history->state, game->state_size), "move %zu leads elsewhere", i);
    }
    replay_ending_text(replay, text, sizeof text);
    fuzz_check_line(text);
    for (int side = 0; side < 2; side++)
        if (*replay->names[side])
            fuzz_check_line(replay->names[side]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char     *text = fuzz_text(data, size);
    json_t   *record = json_loads(text, 0, NULL);
    Replay    replay;
    TurfError error = {0};
    if (record && replay_init(&replay, record, &error)) {
        check_replay(&replay);
        replay_release(&replay);
    } else if (record) {
        fuzz_check_line(error.text);
    }
    json_decref(record);
    free(text);
    return 0;
}
