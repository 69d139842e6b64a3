/* A sitting: two players, people or strategies, at one board in a terminal. */
#ifndef TURF_CMD_SITTING_H
#define TURF_CMD_SITTING_H

#include "cmd/console.h"
#include "players/player.h"

typedef struct Sitting {
    const TurfGame *game;
    const Settings *settings;
    TurfPlayer     *players[2]; /* NULL: a person */
    TurfPlayer     *adviser;    /* gives the hints */
    TurfRng         rng[2];
    DrawStyle       style;
    LineReader      input;
    TurfState      *states; /* of the game so far, the start first */
    TurfMove       *moves;  /* between them; not kept where both move at once */
    uint32_t        n_moves, room;
    int             forfeiter; /* the side of a bot that cannot go on; -1: nobody */
    Forfeit         forfeit;
} Sitting;

static inline TurfState *sitting_now(const Sitting *sitting) { return &sitting->states[sitting->n_moves]; }

static inline bool sitting_has_person(const Sitting *sitting) { return !sitting->players[0] || !sitting->players[1]; }

/* Who plays a side. */
const char *sitting_name(const Sitting *sitting, TurfMover side);
/* Another position like the last one, to be changed by a move. */
void sitting_go_on(Sitting *sitting, TurfMove move);
/* The moves that a saved game had come to, so that they are counted and can be taken back; none if they do not lead to
 * the position it was saved in. */
void sitting_recall(Sitting *sitting, const char *saved);
/* The moves so far, as JSON; none where both move at once. */
json_t *sitting_moves(const Sitting *sitting);
/* A move that is about to be made, as people write it. */
void sitting_print_move(const Sitting *sitting, TurfMove move);
/* All legal moves in one line or several. */
void sitting_list_moves(const Sitting *sitting);

/* Runs a line that begins with a command (moves, hint, undo, ...); false if it does not. */
bool sitting_command(Sitting *sitting, const char *line);

#endif
