/* Records of games, as 'turf export' writes and 'turf replay' reads them. */
#include "fuzz.h"
#include "store/replay.h"

#include <stdlib.h>
#include <string.h>

/* Wherever one looks, it is the same game. */
static void check_replay(const Replay *replay)
{
    TurfState state, next;
    char      text[500];
    for (uint32_t i = 0; i < replay->n_moves; i++) {
        TurfError  error;
        TurfEnding ending;
        replay_at(replay, i, &state);
        replay_at(replay, i + 1, &next);
        claim(!turf_is_over(replay->game, &state, &ending), "a move after the end");
        if (game_is_simultaneous(replay->game))
            continue;
        TurfMove move = replay_move(replay, i, &state);
        claim(turf_play(replay->game, &state, move, &error), "move %u: %s", i, error.text);
        claim(!memcmp(&state, &next, replay->game->state_size), "move %u leads elsewhere", i);
    }
    replay_at(replay, replay->n_moves, &state);
    fuzz_check_position(replay->game, &state);
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
