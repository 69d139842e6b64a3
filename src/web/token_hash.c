/* Tokens are stored as SHA-256 and compared in constant time. */
#include "web/tokens.h"

#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>

void token_hash(const char *token, char hash[TOKEN_HASH_BYTES])
{
    struct sha256_ctx context;
    uint8_t           digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, strlen(token), (const uint8_t *)token);
    sha256_digest(&context, sizeof digest, digest);
    token_to_hex(digest, sizeof digest, hash);
}

bool token_matches(const char *token, const char hash[TOKEN_HASH_BYTES])
{
    char own[TOKEN_HASH_BYTES];
    token_hash(token, own);
    return hash[0] && memeql_sec(own, hash, TOKEN_HASH_BYTES);
}
