/* The player that searches with alphabeta.h. */
#ifndef TURF_PLAYERS_ALPHABETA_PLAYER_H
#define TURF_PLAYERS_ALPHABETA_PLAYER_H

#include "players/player.h"

bool   alphabeta_open(TurfPlayer *player, TurfError *error);
void   alphabeta_close(TurfPlayer *player);
bool   alphabeta_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error);
Choice alphabeta_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                             const TurnContext *turn, TurfMove *moves);
/* The bits of AbPlan.without for names joined by '+'; false if there is no such term in the game's
 * measure. */
bool alphabeta_read_terms(const TurfGame *game, const char *names, unsigned *bits,
                          TurfError *error);
/* The names for the bits. */
enum { ALPHABETA_TERMS_BYTES = 128 };
const char *alphabeta_write_terms(const TurfGame *game, unsigned bits,
                                  char names[ALPHABETA_TERMS_BYTES]);

#endif
