/* A live game: two players, people or strategies, at one board in a terminal. */
#ifndef TURF_CMD_TERMINAL_GAME_H
#define TURF_CMD_TERMINAL_GAME_H

#include "cmd/console.h"
#include "players/player.h"

typedef struct TerminalGame {
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
} TerminalGame;

static inline TurfState *terminal_game_now(const TerminalGame *terminal_game)
{
    return &terminal_game->states[terminal_game->n_moves];
}

static inline bool terminal_game_has_person(const TerminalGame *terminal_game)
{
    return !terminal_game->players[0] || !terminal_game->players[1];
}

/* Who plays a side. */
const char *terminal_game_name(const TerminalGame *terminal_game, TurfMover side);
/* Another position like the last one, to be changed by a move. */
void terminal_game_go_on(TerminalGame *terminal_game, TurfMove move);
/* The moves that a saved game had come to, so that they are counted and can be taken back; none if
 * they do not lead to the position it was saved in. */
void terminal_game_recall(TerminalGame *terminal_game, const char *saved);
/* The moves so far, as JSON; none where both move at once. */
json_t *terminal_game_moves(const TerminalGame *terminal_game);
/* A move that is about to be made, as people write it. */
void terminal_game_print_move(const TerminalGame *terminal_game, TurfMove move);
/* All legal moves in one line or several. */
void terminal_game_list_moves(const TerminalGame *terminal_game);

/* Runs a line that begins with a command (moves, hint, undo, ...); false if it does not. */
bool terminal_game_command(TerminalGame *terminal_game, const char *line);

#endif
