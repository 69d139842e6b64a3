/* The log of a bot: its standard error in a file, with a limit on the size of the file and without
 * control characters, since people read it on terminals. */
#ifndef TURF_BOTS_BOT_LOG_H
#define TURF_BOTS_BOT_LOG_H

#include <stddef.h>
#include <stdint.h>

typedef struct BotLog {
    int     file;      /* open for appending, and shared by all processes of a bot; 0: none */
    int64_t max_bytes; /* of the file; what comes after that is dropped, and the log says so */
    char    cut[4];    /* the beginning of a character whose end has not come yet */
    size_t  n_cut;
} BotLog;

/* Writes some text. Errors are ignored: a full disk must not cost a bot its game. */
void bot_log_write(BotLog *log, const char *text, size_t length);

#endif
