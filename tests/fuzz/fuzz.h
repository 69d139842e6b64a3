/* What the fuzz targets share. A target is one function that takes any bytes; it must not crash,
 * and what it finds out about them is checked by `claim`. Under libFuzzer the bytes are invented;
 * without it, main.c feeds it files. */
#ifndef TURF_TESTS_FUZZ_H
#define TURF_TESTS_FUZZ_H

#include "games/game.h"
#include "turf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with the reason unless the claim holds. */
#define claim(holds, ...) ((holds) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The bytes as a string in room of just that size, to be freed; NUL bytes become \1, as when a file
 * is read. */
char *fuzz_text(const uint8_t *data, size_t size);
/* The game that the first byte chooses ('0' the first of them), and the rest of the bytes. */
const TurfGame *fuzz_game(const uint8_t **data, size_t *size);

/* One line that is not empty, without control characters. */
void fuzz_check_line(const char *text);
/* Written as JSON and read again, it is the same position; it can be drawn, and says whether it is
 * over. */
void fuzz_check_position(const TurfGame *game, const TurfState *state);
/* Its moves are legal, each is the same when written and read again, and leads to a good position.
 */
void fuzz_check_moves(const TurfGame *game, const TurfState *state);

#endif
