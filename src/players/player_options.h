/* The options of players, as data.
 *
 * One table describes each option: its name, type, range, help and field of PlayerOptions. The
 * parser, canonical descriptions, help, the manual, completion and the player catalogue of the
 * server all read it. A kind says which options it has, and their defaults. */
#ifndef TURF_PLAYERS_PLAYER_OPTIONS_H
#define TURF_PLAYERS_PLAYER_OPTIONS_H

#include "players/player_kind.h"

/* Bits, in the order of canonical descriptions: never change it, for stored runs and the random
 * numbers of games depend on these. */
typedef enum PlayerOptionId {
    OPTION_LEVEL = 1 << 0, /* the value alone follows the colon: level:3 */
    OPTION_DEPTH = 1 << 1,
    OPTION_TIME = 1 << 2,
    OPTION_NODES = 1 << 3,
    OPTION_SIMS = 1 << 4,
    OPTION_HASH = 1 << 5,
    OPTION_THREADS = 1 << 6,
    OPTION_WITHOUT = 1 << 7,
    OPTION_TIES = 1 << 8,
    OPTION_WINS = 1 << 9,
    OPTION_NET = 1 << 10,
} PlayerOptionId;

typedef enum PlayerOptionType {
    OPTION_INTEGER, /* from min to max */
    OPTION_CHOICE,  /* one of `values`, by index */
    OPTION_TERMS,   /* names of the game's evaluation terms joined by '+', as bits */
    OPTION_FILE     /* a path, as a string of its own */
} PlayerOptionType;

typedef struct PlayerOption {
    PlayerOptionId     id;
    const char        *name;
    PlayerOptionType   type;
    size_t             offset; /* of an int64_t in PlayerOptions; of a file, of a char pointer */
    int64_t            min, max;
    const char        *unit;   /* stands for the value in help, such as MS; NULL: its range does */
    const char *const *values; /* of a choice; ends with NULL */
    bool               is_limit; /* on the search for a move */
    const char        *help;
} PlayerOption;

/* In canonical order; NULL past the last. */
const PlayerOption *player_option_at(size_t index);
/* The next option of a kind, from *index on, which moves past it; NULL past the last. */
const PlayerOption *player_kind_option(const PlayerKind *kind, size_t *index);

/* The names that a value may have in a game, such as those of a choice; ends with NULL. */
const char *const *player_option_names(const PlayerOption *option, const TurfGame *game);

/* Its value where none is given; 0 for an integer or a set of terms that then does not matter. */
int64_t player_option_default(const PlayerKind *kind, const PlayerOption *option);

/* Reads "name=value,..." into the player's options. */
bool player_options_read(TurfPlayer *player, char *text, TurfError *error);
/* Reads one value. `value` may be NULL. */
bool player_option_read(const PlayerOption *option, const TurfGame *game, const char *value,
                        PlayerOptions *options, TurfError *error);

/* Writes ":name=value,..." for the options that differ from the kind's defaults. */
void player_options_write(const TurfPlayer *player, FILE *out);

/* The options of a kind for people, such as "depth=1..20 (2), ties=first|random"; "" if none. */
enum { PLAYER_OPTIONS_BYTES = 256 };
const char *player_options_text(const PlayerKind *kind, char text[PLAYER_OPTIONS_BYTES]);

#endif
