/* Unpacking: libarchive reads a zip or tar, and every entry is checked before it is written. Only
 * files and folders with good names come out, no more than so many and so large. Nothing is
 * believed that a header says about sizes: what comes out is counted.
 *
 * Invariant: a name is written only after bundle_path_fault has found nothing, so that no file lies
 * outside of the current folder, and no link lies in it. */
#include "cmd/unpack.h"

#include "base/error.h"
#include "base/whole_io.h"
#include "league/bot_bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_archive(const char *bytes, size_t n_bytes)
{
    enum { TAR_MAGIC_AT = 257 };
    return (n_bytes >= 4 && (!memcmp(bytes, "PK\3\4", 4) || !memcmp(bytes, "PK\5\6", 4))) ||
           (n_bytes >= 2 && !memcmp(bytes, "\x1f\x8b", 2)) ||
           (n_bytes >= TAR_MAGIC_AT + 5 && !memcmp(bytes + TAR_MAGIC_AT, "ustar", 5));
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool cannot_write(const char *path, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (errno == EEXIST || errno == ENOTDIR || errno == EISDIR)
        return error_invalid(error, "'%s' is in the archive twice, or as a file and as a folder",
                             error_quote(quoted, path));
    return error_system(error, errno, "'%s' cannot be written: %s", error_quote(quoted, path),
                        strerror(errno));
}

/* Makes the folders of a path, up to its last slash. */
static bool make_folders(const char *path, TurfError *error)
{
    char folder[MAX_BUNDLE_PATH + 2];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        struct stat about;
        if (mkdir(folder, 0755) != 0 &&
            (errno != EEXIST || lstat(folder, &about) != 0 || !S_ISDIR(about.st_mode)))
            return cannot_write(path, error);
    }
    return true;
}

static int create_file(const char *path, bool is_executable, TurfError *error)
{
    if (!make_folders(path, error))
        return -1;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    is_executable ? 0755 : 0644);
    if (file < 0)
        cannot_write(path, error);
    return file;
}

static bool write_all(int file, const char *path, const char *bytes, size_t n_bytes,
                      TurfError *error)
{
    return write_whole(file, bytes, n_bytes) || cannot_write(path, error);
}

bool unpack_file(const char *path, bool is_executable, const char *bytes, size_t n_bytes,
                 TurfError *error)
{
    int file = create_file(path, is_executable, error);
    if (file < 0)
        return false;
    bool is_good = write_all(file, path, bytes, n_bytes, error);
    close(file);
    return is_good;
}

/* ---- entries ------------------------------------------------------------------------------ */

typedef struct Unpacking {
    struct archive *archive;
    size_t          n_entries;
    uint64_t        n_bytes;
} Unpacking;

static bool damaged(const Unpacking *unpacking, TurfError *error)
{
    const char *why = archive_error_string(unpacking->archive);
    return error_invalid(error, "the archive is damaged, or of a kind that turf does not read: %s",
                         why ? why : "it ends too early");
}

static bool too_large(TurfError *error)
{
    return error_invalid(error, "the archive is too large: at most %d MiB once it is unpacked",
                         MAX_UNPACKED_BYTES >> 20);
}

static bool copy_content(Unpacking *unpacking, int file, const char *path, TurfError *error)
{
    char buffer[64 << 10];
    for (;;) {
        ssize_t n = archive_read_data(unpacking->archive, buffer, sizeof buffer);
        if (n == 0)
            return true;
        if (n < 0)
            return damaged(unpacking, error);
        unpacking->n_bytes += (uint64_t)n;
        if (unpacking->n_bytes > MAX_UNPACKED_BYTES)
            return too_large(error);
        if (!write_all(file, path, buffer, (size_t)n, error))
            return false;
    }
}

/* What systems add to archives unasked. */
static bool is_litter(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return !strncmp(path, "__MACOSX/", 9) || !strcmp(name, ".DS_Store");
}

/* The name of an entry, without "./" before and a slash after it; NULL: see `error`. It is valid
 * until the next entry; the buffer is for names that are changed. */
static const char *read_name(struct archive_entry *entry, char name[MAX_BUNDLE_PATH + 1],
                             TurfError *error)
{
    const char *path = archive_entry_pathname(entry);
    char        quoted[ERROR_QUOTE_BYTES];
    if (!path)
        path = archive_entry_pathname_utf8(entry);
    if (!path) {
        error_invalid(error, "a name in the archive cannot be read");
        return NULL;
    }
    while (!strncmp(path, "./", 2))
        path += 2;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (!strcmp(path, ".") || length == 0)
        length = 0;
    const char *fault = length > 0 ? bundle_path_fault(path, length) : NULL;
    if (fault) {
        error_invalid(error, "the name '%s' in the archive %s", error_quote(quoted, path), fault);
        return NULL;
    }
    memcpy(name, path, length);
    name[length] = '\0';
    return name;
}

static const char *fault_of_type(struct archive_entry *entry)
{
    if (archive_entry_hardlink(entry) || archive_entry_symlink(entry) ||
        archive_entry_filetype(entry) == AE_IFLNK)
        return "is a link";
    if (archive_entry_is_encrypted(entry))
        return "is encrypted";
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR: return NULL;
    case AE_IFIFO: return "is a pipe";
    case AE_IFCHR:
    case AE_IFBLK: return "is a device";
    case AE_IFSOCK: return "is a socket";
    default: return "is neither a file nor a folder";
    }
}

static bool unpack_folder(const char *path, TurfError *error)
{
    char folder[MAX_BUNDLE_PATH + 2];
    (void)snprintf(folder, sizeof folder, "%s/", path);
    return make_folders(folder, error);
}

static bool unpack_entry(Unpacking *unpacking, struct archive_entry *entry, TurfError *error)
{
    char        buffer[MAX_BUNDLE_PATH + 1], quoted[ERROR_QUOTE_BYTES];
    const char *name = read_name(entry, buffer, error);
    const char *fault = fault_of_type(entry);
    if (!name)
        return false;
    if (fault)
        return error_invalid(error, "'%s' in the archive %s: only files and folders may be in it",
                             error_quote(quoted, name), fault);
    if (++unpacking->n_entries > MAX_UNPACKED_FILES)
        return error_invalid(error, "the archive has more than %d files", MAX_UNPACKED_FILES);
    if (!*name || is_litter(name))
        return true;
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return unpack_folder(name, error);
    if (archive_entry_size_is_set(entry) && archive_entry_size(entry) > MAX_UNPACKED_BYTES)
        return too_large(error);
    int file = create_file(name, archive_entry_perm(entry) & 0111, error);
    if (file < 0)
        return false;
    bool is_good = copy_content(unpacking, file, name, error);
    close(file);
    return is_good;
}

bool unpack(const char *bytes, size_t n_bytes, TurfError *error)
{
    Unpacking             unpacking = {.archive = archive_read_new()};
    struct archive_entry *entry;
    struct archive       *archive = unpacking.archive;
    bool                  is_good = true;
    int                   status = ARCHIVE_FATAL;
    if (!archive)
        return error_no_memory(error);
    archive_read_support_filter_gzip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    if (archive_read_open_memory(archive, bytes, n_bytes) == ARCHIVE_OK)
        while (is_good && (status = archive_read_next_header(archive, &entry)) == ARCHIVE_OK)
            is_good = unpack_entry(&unpacking, entry, error);
    if (is_good && status != ARCHIVE_EOF)
        is_good = damaged(&unpacking, error);
    archive_read_free(archive);
    return is_good;
}
