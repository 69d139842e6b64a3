/* What the C tests share: boards from pictures, the slow stepper beside the fast rules, cmocka. */
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

/* A board drawn as eight rows separated by blanks; blue is to move. Fails the test if it is none.
 */
WolState board_from(const char *picture);
void     assert_board(const WolState *state, const char *picture);

/* The same position for the slow stepper, and back. */
SlowBoard slow_from(const WolState *state);
WolState  fast_from(const SlowBoard *board);
TurfMove  fast_move(SlowMove move);
/* TURF_N_ENDINGS while the game goes on. */
TurfEnding fast_ending(SlowEnding ending);

/* Any board, from empty to full and of any mixture, not only boards that games reach. */
WolState any_board(TurfRng *rng);
/* A position that a random game comes to. */
WolState board_from_play(TurfRng *rng);

/* A file of the oracles, or NULL, in which case the test is to be skipped: TURF_ORACLES is unset.
 */
FILE *oracle_open(const char *name);
/* The next line of a file of JSON lines; NULL at the end. */
json_t *json_line(FILE *file);

/* A list of [row,column] as a set of cells. */
uint64_t cells_of(const json_t *list);

/* More work than an instrumented build can do in reasonable time is cut down by this. */
uint64_t scaled(uint64_t n);

#endif
