/* Shared by the fuzz targets. A target is one function that takes any bytes; it must not crash, and
 * checks its invariants with `claim`. Without libFuzzer, main.c feeds it files. */
#ifndef TURF_TESTS_FUZZ_H
#define TURF_TESTS_FUZZ_H

#include "games/game.h"
#include "turf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts with a message unless the claim holds. */
#define claim(holds, ...) ((holds) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The bytes as a string in a block of exactly that size, to be freed; NUL bytes become \1, as when
 * a file is read. */
char *fuzz_text(const uint8_t *data, size_t size);
/* The first byte selects the game ('0' is the first); advances to the rest. */
const TurfGame *fuzz_game(const uint8_t **data, size_t *size);

/* Claims: one line, not empty, without control characters. */
void fuzz_check_line(const char *text);
/* Claims: the position survives a JSON round trip and can be drawn. */
void fuzz_check_position(const TurfGame *game, const TurfState *state);
/* Claims: its moves are legal, survive a round trip and lead to valid positions. */
void fuzz_check_moves(const TurfGame *game, const TurfState *state);

#endif
