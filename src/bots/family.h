/* A bot and everything it starts, found by a token in their environment: also those that left its process group. */
#ifndef TURF_BOTS_FAMILY_H
#define TURF_BOTS_FAMILY_H

enum { FAMILY_TOKEN_BYTES = 48 };
typedef char FamilyToken[FAMILY_TOKEN_BYTES];

/* A new token, to be put into the environment of a bot. From the first one on a process of its own stands by, which
 * ends all families should this program end without doing so, even by kill -9. */
void family_begin(FamilyToken token);

/* Ends all who carry the token. */
void family_end(const FamilyToken token);

#endif
