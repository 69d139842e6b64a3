/* Logs of bots. Several processes of a bot, in several threads, append to one file; the lock is
 * held from the look at its size to the end of the write, so one of them fills it, and says so
 * once. Another turf that writes to the same file may exceed the limit by a piece of text. */
#include "bots/bot_log.h"

#include "base/utf8.h"
#include "base/whole_io.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;

/* How many bytes at the end belong to a character that is not complete. */
static size_t cut_length(const char *text, size_t length)
{
    for (size_t n = 1; n <= 3 && n <= length; n++) {
        unsigned char byte = (unsigned char)text[length - n];
        if (byte < 0x80)
            return 0;
        if (byte >= 0xc0) {
            size_t n_bytes = 2u + (byte >= 0xe0) + (byte >= 0xf0);
            return n < n_bytes ? n : 0;
        }
    }
    return 0;
}

/* Replaces what is not printable, but for line ends and tabs. */
static void clean(char *text, size_t length)
{
    utf8_replace_invalid(text, length);
    for (size_t at = 0; at < length; at++)
        if (!text[at])
            text[at] = '?';
        else if (text[at] != '\n' && text[at] != '\t')
            memset(text + at, '?', utf8_control_length(text + at));
}

/* Appends as much as the log has room for. */
static void append(const BotLog *log, const char *text, size_t length)
{
    static const char mark[] = "\n[turf: this log is full; what follows is not kept]\n";
    struct stat       about;
    if (fstat(log->file, &about) != 0 || about.st_size >= log->max_bytes)
        return;
    size_t room = (size_t)(log->max_bytes - about.st_size);
    (void)write_whole(log->file, text, length < room ? length : room);
    if (length >= room)
        (void)write_whole(log->file, mark, sizeof mark - 1);
}

void bot_log_write(BotLog *log, const char *text, size_t length)
{
    enum { MAX_PIECE = 4096 };
    char piece[MAX_PIECE + sizeof log->cut + 1];
    if (log->file <= 0 || length > MAX_PIECE)
        return;
    memcpy(piece, log->cut, log->n_cut);
    memcpy(piece + log->n_cut, text, length);
    length += log->n_cut;
    piece[length] = '\0';
    log->n_cut = cut_length(piece, length);
    length -= log->n_cut;
    memcpy(log->cut, piece + length, log->n_cut);
    piece[length] = '\0';
    clean(piece, length);
    pthread_mutex_lock(&write_lock);
    append(log, piece, length);
    pthread_mutex_unlock(&write_lock);
}
