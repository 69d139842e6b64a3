/* Bots that teams keep at home: programs on other machines, whose questions and answers go through
 * a connection to the server (web/api_join.c).
 *
 * A HomeBot is a team's connection, a HomeSeat a player's place in one game of it. The seat of a
 * game is taken before the game begins, for both players at once: the bot at home starts its
 * program and says that it is ready. A bot that is not connected plays no game, and loses none; one
 * that leaves in a game loses that game.
 *
 * Clocks: the bot is charged what passes between question and answer, less the lag of its
 * connection. That is the median of the last pings, at most MAX_HOME_LAG_MS, since a bot could
 * delay its answers to pings.
 *
 * Thread safety: all functions may be called from any thread, but those of a HomeBot by its owner
 * alone. One lock guards all of it. */
#ifndef TURF_BOTS_HOME_BOTS_H
#define TURF_BOTS_HOME_BOTS_H

#include "bots/process.h"
#include "turf.h"

#include <jansson.h>
#include <stdatomic.h>

enum {
    MAX_HOME_LAG_MS = 500,
    MAX_HOME_GAMES = 64,       /* at a time, of one bot */
    HOME_HANDSHAKE_MS = 10000, /* to start its program for a game */
    HOME_SILENCE_MS = 10000,   /* without an answer to a ping, and it is gone */
    HOME_FAULT_BYTES = 200
};

typedef struct HomeBot  HomeBot;
typedef struct HomeSeat HomeSeat;

/* ---- the side of the connection --------------------------------------------------------- */

/* Sends an event to the bot, and takes `data` over; NULL is out of memory. It is called under the
 * lock, so it must not wait, nor call anything here:
 *
 *   begin {"game"}            start the program, and say ready
 *   question {"game","line"}  one line for it
 *   end {"game","error"}      the game is over; error: why it was lost, or null
 *   ping {"ping","lag_ms"}    to be answered at once; the lag so far, or null */
typedef void HomeSend(void *context, const char *type, json_t *data);

/* A bot that may play `n_games` at a time. NULL: out of memory. There must be none of that team. */
HomeBot *home_bot_connect(const char *team, int n_games, HomeSend *send, void *context);
/* The bot loses the games that it is in. NULL is fine. */
void home_bot_disconnect(HomeBot *bot);
/* Sends pings; call it about ten times a second. False: the bot does not answer any more. */
bool home_bot_tick(HomeBot *bot);
/* It begins no more games. Returns the number of those it is in. */
int home_bot_leave(HomeBot *bot);

/* What the bot says. False: there is no such game, or ping, any more. */
bool home_bot_pong(HomeBot *bot, int64_t ping);
bool home_bot_ready(HomeBot *bot, int64_t game);
bool home_bot_answer(HomeBot *bot, int64_t game, const char *line, size_t length);
/* Its program cannot go on. */
bool home_bot_fault(HomeBot *bot, int64_t game, TurfForfeit reason, const char *text);

/* The lag for which it is compensated; -1: it is not known yet. */
int64_t home_bot_lag_ns(HomeBot *bot);

/* ---- the side of the arena -------------------------------------------------------------- */

/* May the bot of this team be asked to play? */
bool home_is_connected(const char *team);

HomeSeat *home_seat_new(const char *team); /* NULL: out of memory */
void      home_seat_free(HomeSeat *seat);  /* NULL is fine */

typedef enum HomePresence { HOME_PRESENT, HOME_ABSENT, HOME_STOPPED, HOME_SHORTAGE } HomePresence;

/* Takes one or two seats at once, so that two games never wait for each other, when the bots have
 * no more games than they may, and waits until both are ready. Waits `patience_ms` for a bot that
 * is not connected. Unless they are present, no seat is taken. HOME_SHORTAGE: see `error`. */
HomePresence home_seats_take(HomeSeat *const *seats, size_t n_seats, int64_t patience_ms,
                             const atomic_bool *stop, TurfError *error);
bool         home_seat_is_taken(const HomeSeat *seat);

/* Begins the game: `process` gets the answers. False: the program could not be started. */
bool    home_seat_begin(HomeSeat *seat, Process *process, TurfError *error);
void    home_seat_ask(HomeSeat *seat, const char *line);
int64_t home_seat_lag_ns(HomeSeat *seat);
/* Why it does not answer any more, and a sentence. */
TurfForfeit home_seat_fault(HomeSeat *seat, char text[HOME_FAULT_BYTES]);
/* The game is over; `error`: why it was lost, or NULL. Nothing happens if no seat is taken. */
void home_seat_end(HomeSeat *seat, const char *error);

#endif
