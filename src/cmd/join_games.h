/* The games of a bot at home: each has a slot with a thread, which starts the bot's program, hands
 * it the questions that come, and gives its answers to the connection.
 *
 * Thread safety: the functions are for the main thread. */
#ifndef TURF_CMD_JOIN_GAMES_H
#define TURF_CMD_JOIN_GAMES_H

#include "cmd/join_http.h"
#include "players/player.h"

typedef struct JoinGames JoinGames;

/* Slots for copies of a bot, which stays the caller's. Dies if there is no memory. */
JoinGames *join_games_new(const TurfPlayer *bot, int n_slots, JoinHttp *http, bool is_quiet);
/* Stops all games. */
void join_games_free(JoinGames *games);

/* The server's events. */
void join_games_begin(JoinGames *games, json_int_t game);
void join_games_ask(JoinGames *games, json_int_t game, const char *line);
/* `error`: why it was lost, or NULL. */
void join_games_end(JoinGames *games, json_int_t game, const char *error);
/* All games are over for us: the session ended. */
void join_games_drop(JoinGames *games);

/* Being played, begun and over so far. */
int      join_games_n_playing(JoinGames *games);
uint64_t join_games_n_begun(JoinGames *games);
uint64_t join_games_n_over(JoinGames *games);

#endif
