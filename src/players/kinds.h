/* The list of the built-in kinds of players. */
#ifndef TURF_PLAYERS_KINDS_H
#define TURF_PLAYERS_KINDS_H

#include "players/player_kind.h"

/* The built-in kinds, in the order of the course; NULL past the last. */
const PlayerKind *player_kind_at(size_t index);
bool              player_kind_plays(const PlayerKind *kind, const TurfGame *game);
/* By its name, the beginning of it, or its alias, among those that play the game, or all if that is
 * NULL. NULL: `error` lists the names. */
const PlayerKind *player_kind_find(const TurfGame *game, const char *name, TurfError *error);

/* How players that search solve the ends of a game; NULL: they do not. */
const ExactPlay       *exact_play_of(const TurfGame *game);
extern const ExactPlay perfect_exact_play;

/* The functions of the kinds, each in the file of its player. bot_player.h has those of bots. */
OpenPlayer  alphabeta_open, mcts_open, level_open, conqueror_open, perfect_open;
ClosePlayer alphabeta_close, mcts_close, level_close, conqueror_close, perfect_close;
BeginGame   alphabeta_begin_game, mcts_begin_game, level_begin_game, conqueror_begin_game;
ChooseMove  lookahead_choose_move, alphabeta_choose_move, mcts_choose_move, level_choose_move,
    perfect_choose_move;
ChooseCells simple_random, simple_greedy, simple_settler, simple_dummy, level_choose_cells,
    conqueror_choose_cells;
/* The value of every move, in the order of the game, by a strategy that looks a fixed number of
 * moves ahead. False: it is another player. */
bool lookahead_values(const TurfPlayer *player, const void *state, int *values);
bool level_plays(const TurfGame *game);
bool perfect_plays(const TurfGame *game);
bool level_is_deterministic(const TurfPlayer *player);

/* The perfect player of Amoeba Wars (perfect_amoeba.c). */
OpenPlayer  perfect_amoeba_open;
ClosePlayer perfect_amoeba_close;
ChooseMove  perfect_amoeba_choose;

#endif
