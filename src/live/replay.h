/* A recorded game, read from one JSON line of `turf export`, ready to be stepped through. */
#ifndef TURF_LIVE_REPLAY_H
#define TURF_LIVE_REPLAY_H

#include "live/move_history.h"

typedef struct Replay {
    MoveHistory history;
    char       *names[2]; /* of who moved first and second */
    json_t     *record;   /* the line it was read from */
} Replay;

/* Plays the record through, so every move in it is known to be legal; it stands at the end then. */
bool replay_init(Replay *replay, const json_t *record, TurfError *error);
void replay_release(Replay *replay);

/* How it ended, without a full stop: "The game is over: red (land-grab) wins", or that the record
 * ends before the game does. */
void replay_ending_text(const Replay *replay, char *text, size_t room);

#endif
