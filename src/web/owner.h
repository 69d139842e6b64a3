/* The owner of the server: whoever has the token in the file DATABASE.owner. Requests that only the
 * owner may make carry it; where they come from proves nothing, since a proxy on this machine
 * passes on those of strangers. */
#ifndef TURF_WEB_OWNER_H
#define TURF_WEB_OWNER_H

#include "web/tokens.h"

typedef struct Owner {
    char *path;                   /* of the file */
    char  hash[TOKEN_HASH_BYTES]; /* of its token, which is not kept in memory */
    bool  is_new;                 /* the file was made by owner_open */
} Owner;

/* Reads the token beside a database, or makes one. A file that others can read is an error. */
bool owner_open(Owner *owner, const char *database, TurfError *error);
void owner_release(Owner *owner);
/* Is it the owner's token? `token` may be NULL. */
bool owner_has(const Owner *owner, const char *token);
/* Reads the token once more, to show it. */
bool owner_read_token(const Owner *owner, char token[TOKEN_BYTES], TurfError *error);

#endif
