/* Drawing tokens; see tokens.h. */
#include "web/tokens.h"

#include <stdlib.h>
#include <unistd.h>

/* getentropy fails only on kernels without it; there are no secrets without it. */
static void draw(void *bytes, size_t n_bytes)
{
    if (getentropy(bytes, n_bytes) != 0)
        abort();
}

void token_to_hex(const uint8_t *bytes, size_t n_bytes, char *text)
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
    token_to_hex(bytes, sizeof bytes, token);
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
    token_to_hex(bytes, sizeof bytes, name);
}

uint64_t token_seed(void)
{
    uint64_t word;
    draw(&word, sizeof word);
    return word >> 16;
}
