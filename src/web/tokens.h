/* Random tokens, names and seeds from the kernel. */
#ifndef TURF_WEB_TOKENS_H
#define TURF_WEB_TOKENS_H

#include "turf.h"

enum {
    TOKEN_BYTES = 33,      /* 128 bits in hex, and a NUL */
    TOKEN_HASH_BYTES = 65, /* SHA-256 in hex, and a NUL */
    TOKEN_NAME_BYTES = 13, /* 60 bits in letters and digits, and a NUL */
    TOKEN_SHORT_BYTES = 9
};

void token_draw(char token[TOKEN_BYTES]);
/* Two digits for each byte, and a NUL. */
void     token_to_hex(const uint8_t *bytes, size_t n_bytes, char *text);
void     token_hash(const char *token, char hash[TOKEN_HASH_BYTES]);
bool     token_matches(const char *token, const char hash[TOKEN_HASH_BYTES]);
void     token_name(char name[TOKEN_NAME_BYTES]); /* the id of a live game */
void     token_short(char name[TOKEN_SHORT_BYTES]);
uint64_t token_seed(void); /* 48 bits: exact in JavaScript */

#endif
