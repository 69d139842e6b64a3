/* The owner's token; see owner.h. No locks: nothing changes after owner_open. */
#include "web/owner.h"

#include "base/error.h"
#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to the room for a token and one byte more, which must not be there. */
static bool read_text(int file, char text[TOKEN_BYTES + 1], size_t *length)
{
    ssize_t n = read_whole(file, text, TOKEN_BYTES + 1);
    *length = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

/* The file belongs to us, and to nobody else. */
static bool check_file(int file, const char *path, TurfError *error)
{
    struct stat facts;
    if (fstat(file, &facts))
        return error_system(error, errno, "%s cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode) || facts.st_uid != geteuid())
        return error_invalid(error, "%s must be a file of yours; delete it for a new token", path);
    if (facts.st_mode & (S_IRWXG | S_IRWXO))
        return error_invalid(
            error, "others may read the owner's token in %s; delete it for a new one", path);
    return true;
}

static bool read_token(int file, const char *path, char token[TOKEN_BYTES], TurfError *error)
{
    char   text[TOKEN_BYTES + 1];
    size_t length, n_digits = TOKEN_BYTES - 1;
    if (!check_file(file, path, error))
        return false;
    if (!read_text(file, text, &length))
        return error_system(error, errno, "%s cannot be read: %s", path, strerror(errno));
    bool has_line = length == n_digits + 1 && text[n_digits] == '\n';
    text[length <= n_digits ? length : n_digits] = '\0';
    if ((length != n_digits && !has_line) || strspn(text, "0123456789abcdef") != n_digits)
        return error_invalid(error, "%s holds no owner's token; delete it for a new one", path);
    memcpy(token, text, TOKEN_BYTES);
    return true;
}

bool owner_read_token(const Owner *owner, char token[TOKEN_BYTES], TurfError *error)
{
    /* Without waiting for a writer, should it be a pipe; not through a link of somebody else. */
    int file = open(owner->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return error_system(error, errno, "%s cannot be read: %s", owner->path, strerror(errno));
    bool is_good = read_token(file, owner->path, token, error);
    close(file);
    return is_good;
}

static bool write_token(int file, const char token[TOKEN_BYTES])
{
    char   line[TOKEN_BYTES + 1];
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", token);
    return write_whole(file, line, length) && !fsync(file);
}

/* Makes the file; false with errno, EEXIST if it is there. */
static bool make_file(const char *path)
{
    char token[TOKEN_BYTES];
    int  file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return false;
    token_draw(token);
    bool is_good = write_token(file, token);
    int  why = errno;
    close(file);
    if (!is_good) /* the next start must not find half a token */
        unlink(path);
    errno = why;
    return is_good;
}

bool owner_open(Owner *owner, const char *database, TurfError *error)
{
    char token[TOKEN_BYTES];
    *owner = (Owner){.path = NULL};
    if (asprintf(&owner->path, "%s.owner", database) < 0) {
        owner->path = NULL;
        return error_no_memory(error);
    }
    owner->is_new = make_file(owner->path);
    if (!owner->is_new && errno != EEXIST)
        return error_system(error, errno, "the owner's token cannot be written to %s: %s",
                            owner->path, strerror(errno));
    if (!owner_read_token(owner, token, error))
        return false;
    token_hash(token, owner->hash);
    return true;
}

bool owner_has(const Owner *owner, const char *token)
{
    return token && token_matches(token, owner->hash);
}

void owner_release(Owner *owner) { free(owner->path); }
