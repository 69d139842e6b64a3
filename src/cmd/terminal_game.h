/* A live game at the terminal: the board, its players, and the commands of people. */
#ifndef TURF_CMD_TERMINAL_GAME_H
#define TURF_CMD_TERMINAL_GAME_H

#include "cmd/console.h"
#include "live/live_game.h"
#include "players/player.h"

typedef struct TerminalGame {
    const TurfGame *game;
    const Settings *settings;
    LiveGame        live;
    TurfPlayer     *players[2]; /* NULL: a person */
    TurfPlayer     *adviser;    /* gives the hints; NULL where both sides move at once */
    TurfRng         rng[2];
    LineReader      input;
    int             forfeiter; /* the side of a player that forfeited, or -1 */
    Forfeit         forfeit;
} TerminalGame;

static inline const TurfState *terminal_position(const TerminalGame *terminal)
{
    return &terminal->live.history.state;
}

bool terminal_has_person(const TerminalGame *terminal);
/* The name of who plays a side. */
const char *terminal_name(const TerminalGame *terminal, int side);
/* Begins a game in a position. If that comes from a saved game, `saved` is its text, and its moves
 * can be taken back; NULL otherwise. */
void terminal_begin(TerminalGame *terminal, const TurfState *start, const char *saved);
/* Draws the board, for the width that the terminal has now. */
void terminal_draw(const TerminalGame *terminal);
/* A move in the current position, as people write it. */
void terminal_print_move(const TerminalGame *terminal, TurfMove move);
/* All legal moves, in one line or several. */
void terminal_list_moves(const TerminalGame *terminal);

/* Runs a line of the person who plays `side` that begins with a command (moves, hint, undo, ...);
 * false if it does not. */
bool terminal_command(TerminalGame *terminal, int side, const char *line);

#endif
