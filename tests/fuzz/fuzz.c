#include "fuzz.h"

#include "games/cells.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] ? (char)data[i] : '\1';
    text[size] = '\0';
    return text;
}

const TurfGame *fuzz_game(const uint8_t **data, size_t *size)
{
    enum { N_GAMES = 4 };
    if (*size == 0)
        return turf_game_at(0);
    const TurfGame *game = turf_game_at(**data % N_GAMES);
    (*data)++;
    (*size)--;
    return game;
}

void fuzz_check_line(const char *text)
{
    claim(*text, "an error without a word");
    for (const char *at = text; *at; at++)
        claim((unsigned char)*at >= 0x20 && *at != 0x7f, "a control character, %d, in '%s'", *at,
              text);
}

void fuzz_check_position(const TurfGame *game, const TurfState *state)
{
    TurfState  again = {{0}};
    TurfError  error;
    TurfEnding ending;
    char      *text = turf_position_to_json(game, state);
    claim(text && game_parse(game, text, &again, &error), "%s: cannot be read again: %s", text,
          error.text);
    claim(!memcmp(state, &again, game->state_size), "%s: is another position when read again",
          text);
    claim(game->hash(state) == game->hash(&again), "%s: has another hash when read again", text);
    free(text);
    bool is_over = turf_is_over(game, state, &ending);
    claim(is_over == (turf_to_move(game, state) == TURF_MOVER_NONE),
          "over, and somebody is to move, or neither");
    claim(!is_over || turf_game_ending_name(game, ending), "an ending without a name");
    claim(turf_own(game, state, TURF_FIRST) >= 0 && turf_own(game, state, TURF_SECOND) >= 0,
          "less than nothing is owned");

    char  *picture = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&picture, &length);
    claim(out, "no memory for a picture");
    game_draw(game, state, &(DrawStyle){.has_colour = true}, out);
    fclose(out);
    claim(length > 0, "an empty picture");
    free(picture);
}

static void check_move(const TurfGame *game, const TurfState *state, TurfMove move)
{
    TurfState next = *state;
    TurfError error;
    TurfMove  again;
    char      text[32];
    turf_move_to_text(game, state, move, text);
    claim(turf_move_from_text(game, state, text, &again, &error) && again == move,
          "the move %s is another when read again", text);
    claim(turf_play(game, &next, move, &error), "the move %s is listed and not legal: %s", text,
          error.text);
}

void fuzz_check_moves(const TurfGame *game, const TurfState *state)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = turf_moves(game, state, moves);
    claim(n_moves <= TURF_MAX_MOVES, "%zu moves", n_moves);
    for (size_t i = 0; i < n_moves; i++) {
        claim(i == 0 || moves[i - 1] < moves[i], "moves out of order");
        check_move(game, state, moves[i]);
    }
}

/* A table of a million MiB is a matter of course: there is no memory for it, and a player says so.
 */
const char                                        *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}
