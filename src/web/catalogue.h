/* The player catalogue: the built-in players, and those that the owner of the server allows. The
 * name that a browser sends is looked up here and never parsed as a description, so a browser can
 * never name a command. */
#ifndef TURF_WEB_CATALOGUE_H
#define TURF_WEB_CATALOGUE_H

#include "players/player.h"

typedef struct CatalogueEntry {
    char             *id;        /* its name in the API */
    char             *spec;      /* as turf_player_open reads it */
    char             *canonical; /* the canonical description of an allowed player; else NULL */
    const PlayerKind *kind;
    const TurfGame   *only_game;  /* NULL: every game that the kind plays */
    int               level;      /* from 1; 0: not a level */
    bool              is_allowed; /* by the owner; browsers set no options of it */
} CatalogueEntry;

typedef struct PlayerCatalogue {
    CatalogueEntry *entries;
    size_t          n_entries, room;
} PlayerCatalogue;

/* The built-in players and `allowed`, each NAME=SPEC or SPEC, with GAME/ before it if it plays only
 * that. */
bool catalogue_open(PlayerCatalogue *catalogue, const char *const *allowed, size_t n_allowed,
                    TurfError *error);
void catalogue_release(PlayerCatalogue *catalogue);

bool                  catalogue_plays(const CatalogueEntry *entry, const TurfGame *game);
const CatalogueEntry *catalogue_find(const PlayerCatalogue *catalogue, const TurfGame *game,
                                     const char *id);
/* The description of a player with the options that the browser chose (an object or NULL). The
 * caller frees it. */
char *catalogue_spec(const CatalogueEntry *entry, const TurfGame *game, const json_t *options,
                     TurfError *error);
/* Is a player with this canonical description allowed? */
bool catalogue_allows(const PlayerCatalogue *catalogue, const TurfGame *game,
                      const char *canonical);
/* Are there external players in it? */
bool catalogue_has_bots(const PlayerCatalogue *catalogue);
/* The players of a game, for /api/games. */
json_t *catalogue_json(const PlayerCatalogue *catalogue, const TurfGame *game);

#endif
