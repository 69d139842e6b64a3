/* A recorded game: as a line of JSON that stands on its own, and ready to be stepped through. */
#ifndef TURF_STORE_REPLAY_H
#define TURF_STORE_REPLAY_H

#include "games/game.h"
#include "store/records.h"

/* The line that 'turf export' writes and 'turf replay' reads. `names` are those of the pairing. */
json_t *replay_record_json(const GameRecord *record, const TurfGame *game,
                           const char *const names[2]);

typedef struct Replay {
    const TurfGame *game;
    char           *names[2]; /* of whoever moved first and second */
    json_t         *record;   /* the line it was made from */
    const json_t   *moves;
    uint32_t        n_moves;
    TurfState      *kept; /* the position after every so many moves */
    uint32_t        kept_every;
} Replay;

/* Plays the record through, so that every move in it is known to be legal. */
bool replay_init(Replay *replay, const json_t *record, TurfError *error);
void replay_release(Replay *replay);

/* The position after so many moves. */
void replay_at(const Replay *replay, uint32_t n_moves, TurfState *state);
/* The move number `index`, from 0, which is made in `before`; only where sides take turns. */
TurfMove replay_move(const Replay *replay, uint32_t index, const TurfState *before);
/* How it ended, without a full stop: "The game is over: red (land-grab) wins", or that it goes no
 * further. */
void replay_ending_text(const Replay *replay, char *text, size_t room);

#endif
