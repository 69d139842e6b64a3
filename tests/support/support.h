/* Shared by the C tests: boards from pictures, conversions for the slow stepper, cmocka. */
#ifndef TURF_TESTS_SUPPORT_H
#define TURF_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/game.h"
#include "games/war_of_life.h"
#include "wol_slow.h"

/* Parses a board of eight rows separated by blanks, blue to move; fails the test if malformed. */
WolState board_from(const char *picture);
void     assert_board(const WolState *state, const char *picture);

/* Conversions between the fast rules and the slow stepper. */
SlowBoard slow_from(const WolState *state);
WolState  fast_from(const SlowBoard *board);
TurfMove  fast_move(SlowMove move);
/* TURF_N_ENDINGS while the game goes on. */
TurfEnding fast_ending(SlowEnding ending);

/* A random board of any density and mixture, not only those that games reach. */
WolState any_board(TurfRng *rng);
/* A position from a random game. */
WolState board_from_play(TurfRng *rng);

/* A player's move; fails the test if there is none. */
TurfMove chosen_by(const TurfPlayer *player, const TurfState *state, TurfRng *rng);

/* Opens a file of the oracles; NULL if TURF_ORACLES is unset, and the test is to be skipped. */
FILE *oracle_open(const char *name);
/* The next line of a file of JSON lines; NULL at the end. */
json_t *json_line(FILE *file);

/* A list of [row,column] as a set of cells. */
uint64_t cells_of(const json_t *list);

/* Reduces an amount of work in instrumented builds, which are slow. */
uint64_t scaled(uint64_t n);

#endif
