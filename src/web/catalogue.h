/* Who may play here: the built-in players, and those that the owner of the server allows by name.
 * What a browser names is looked up in this list and never read as a description, so it can never
 * name a command. */
#ifndef TURF_WEB_CATALOGUE_H
#define TURF_WEB_CATALOGUE_H

#include "players/player.h"

typedef struct CatalogueEntry {
    char             *id;        /* as the browser names it */
    char             *spec;      /* as turf_player_open reads it */
    char             *canonical; /* of one that is allowed: the one way to write it */
    const PlayerKind *kind;
    const TurfGame   *only_game;  /* NULL: every game that the kind plays */
    int               level;      /* from 1; 0: it is no level */
    bool              is_allowed; /* by the owner, and so without options for the browser to set */
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
/* The description of a player with what the browser chose of its options (an object or NULL); freed
 * by the caller. */
char *catalogue_spec(const CatalogueEntry *entry, const TurfGame *game, const json_t *options,
                     TurfError *error);
/* Is a bot of this description, as players write it themselves, among those allowed? */
bool catalogue_allows(const PlayerCatalogue *catalogue, const TurfGame *game,
                      const char *canonical);
/* Are there any bots in it? */
bool catalogue_has_bots(const PlayerCatalogue *catalogue);
/* Those who play a game, for the page. */
json_t *catalogue_json(const PlayerCatalogue *catalogue, const TurfGame *game);

#endif
