/* Players that are programs outside of turf, speaking JSON lines (docs/protocol.md). */
#ifndef TURF_PLAYERS_BOT_PLAYER_H
#define TURF_PLAYERS_BOT_PLAYER_H

#include "bots/home_bots.h"
#include "bots/process.h"
#include "players/player_kind.h"

/* The time a bot has to connect by TCP at the beginning of each game. */
enum { BOT_HANDSHAKE_MS = 30000 };

OpenPlayer  bot_open, bot_open_tcp, bot_open_home;
CopyPlayer  bot_copy; /* the same command, another process */
ClosePlayer bot_close;
BeginGame   bot_begin_game;
EndGame     bot_end_game;
AskPlayer   bot_ask;
ChooseMove  bot_choose_move;
ChooseCells bot_choose_cells;
Process    *bot_process(const TurfPlayer *player);
HomeSeat   *bot_home_seat(const TurfPlayer *player);
/* Why its program cannot be found, if it was opened nevertheless; else NULL. */
const char *bot_absence(const TurfPlayer *player);

/* Starts it and closes its input: does it exit by itself? True if it cannot be started. */
bool bot_exits_at_end_of_input(TurfPlayer *player, int64_t patience_ms);

/* Lines that it printed besides its answers, in its current or last process. */
size_t bot_n_extra_lines(const TurfPlayer *player);
/* Was it running in the last game? */
bool bot_has_started(const TurfPlayer *player);
/* The last of what it wrote to standard error, up to its end in the game before this one. */
const char *bot_error_output(const TurfPlayer *player);
/* The last line of that, made printable, and the place that a Python traceback names. Returns
 * `line`. */
enum { BOT_LAST_LINE_BYTES = 160 };
const char *bot_last_line(const char *errors, char line[BOT_LAST_LINE_BYTES]);

#endif
