/* What a page has no use for: everybody at it is the owner, its tokens keep nothing from anybody,
 * plans are not signed, and nobody connects. */
#include "arena/plan_signature.h"
#include "base/error.h"
#include "players/tcp.h"
#include "web/hosted_game.h"
#include "web/owner.h"
#include "web/tokens.h"

#include <string.h>

/* The token itself, filled up to the length of a hash. */
void token_hash(const char *token, char hash[TOKEN_HASH_BYTES])
{
    size_t length = strnlen(token, TOKEN_HASH_BYTES - 1);
    memset(hash, '0', TOKEN_HASH_BYTES - 1);
    memcpy(hash, token, length);
    hash[TOKEN_HASH_BYTES - 1] = '\0';
}

bool token_matches(const char *token, const char hash[TOKEN_HASH_BYTES])
{
    char own[TOKEN_HASH_BYTES];
    token_hash(token, own);
    return hash[0] && !strcmp(own, hash);
}

bool owner_has(const Owner *owner, const char *token)
{
    (void)owner;
    (void)token;
    return true;
}

bool plan_sign(const char *plan, char signature[SIGNATURE_BYTES])
{
    (void)plan;
    (void)signature;
    return false;
}

bool plan_has_bots(const Plan *plan)
{
    (void)plan;
    return false;
}

int tcp_listen(const char *place, TurfError *error)
{
    (void)place;
    error_invalid(error, "a page has no network; bots that connect play at 'turf serve'");
    return -1;
}
