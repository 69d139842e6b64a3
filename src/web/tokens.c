/* Tokens; see tokens.h. Stored as SHA-256, compared in constant time. */
#include "web/tokens.h"

#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* getentropy fails only on kernels without it; there are no secrets without it. */
static void draw(void *bytes, size_t n_bytes)
{
    if (getentropy(bytes, n_bytes) != 0)
        abort();
}

static void to_hex(const uint8_t *bytes, size_t n_bytes, char *text)
{
    for (size_t i = 0; i < n_bytes; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * n_bytes] = '\0';
}

void token_draw(char token[TOKEN_BYTES])
{
    uint8_t bytes[16];
    draw(bytes, sizeof bytes);
    to_hex(bytes, sizeof bytes, token);
}

void token_hash(const char *token, char hash[TOKEN_HASH_BYTES])
{
    struct sha256_ctx context;
    uint8_t           digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, strlen(token), (const uint8_t *)token);
    sha256_digest(&context, sizeof digest, digest);
    to_hex(digest, sizeof digest, hash);
}

bool token_matches(const char *token, const char hash[TOKEN_HASH_BYTES])
{
    char own[TOKEN_HASH_BYTES];
    token_hash(token, own);
    return hash[0] && memeql_sec(own, hash, TOKEN_HASH_BYTES);
}

void token_name(char name[TOKEN_NAME_BYTES])
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789"; /* without l, o, 0 and 1 */
    uint8_t           bytes[TOKEN_NAME_BYTES - 1];
    draw(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        name[i] = letters[bytes[i] & 31];
    name[sizeof bytes] = '\0';
}

void token_short(char name[TOKEN_SHORT_BYTES])
{
    uint8_t bytes[4];
    draw(bytes, sizeof bytes);
    to_hex(bytes, sizeof bytes, name);
}

uint64_t token_seed(void)
{
    uint64_t word;
    draw(&word, sizeof word);
    return word >> 16;
}
