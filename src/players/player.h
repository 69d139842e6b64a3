/* Making players of descriptions: [NAME=]KIND[:option=value,...], level=N, bot:COMMAND, tcp:PORT.
 */
#ifndef TURF_PLAYERS_PLAYER_H
#define TURF_PLAYERS_PLAYER_H

#include "gpu/device.h"
#include "players/kinds.h"
#include "players/player_kind.h"

/* The kind that a description names, in a game, or in any if that is NULL. NULL: `error` lists the
 * names. */
const PlayerKind *player_kind_named(const TurfGame *game, const char *spec, TurfError *error);

/* Is it the plain `random`? Two of them can be left to the game's play_random_games. */
bool player_is_random(const TurfPlayer *player);

/* How a device plays as this player; false: no device can. */
bool player_for_device(const TurfPlayer *player, DevicePlayer *rules);

/* Names are shown in tables and written to JSON: printable UTF-8, neither empty nor too long. */
enum { MAX_NAME_LETTERS = 40 };
bool player_is_good_name(const char *name, size_t length);

/* Gives a player another name, cut to the length of a name. False when memory is short. */
bool player_rename(TurfPlayer *player, const char *name);

/* As turf_player_open, but a bot whose program is not there is opened too, and forfeits its games:
 * one missing program must not stop a tournament. */
TurfPlayer *player_open_any(const TurfGame *game, const char *spec, TurfError *error);

/* A custom player without any checks, in any game: it also stands for a player that never plays. */
TurfPlayer *player_custom(const TurfGame *game, const char *name, TurfChooser *choose,
                          void *context, TurfError *error);

/* Are the cells that a custom player chose legal? True for players of turf's own. */
bool player_check_cells(const TurfPlayer *player, const void *state, TurfSide side,
                        const TurfCell *cells, size_t n_cells, TurfError *error);

/* Can a player be asked by itself, outside of a run? `chosen` is room for the answer. */
bool player_can_choose(const TurfPlayer *player, const TurfState *state, const TurfRng *rng,
                       const void *chosen, TurfError *error);
/* turf_player_choose with a context; its forfeit and error are set here. */
bool player_choose_alone(const TurfPlayer *player, const TurfState *state, TurnContext *turn,
                         TurfMove *move, Choice *choice, TurfError *error);

/* Another player like this one, with a memory of its own. NULL: see `error`. */
TurfPlayer *player_copy(const TurfPlayer *player, TurfError *error);

#endif
