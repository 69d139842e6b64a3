/* The page's files; see assets.h. No state, no locks. */
#include "web/assets.h"

#include "base/error.h"
#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 4 << 20 };

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t ending = strlen(types[i].ending);
        if (length > ending && !strcmp(path + length - ending, types[i].ending))
            return types[i].type;
    }
    return NULL;
}

static void make_etag(Asset *asset)
{
    uint64_t word = hash_bytes(asset->bytes, asset->n_bytes);
    snprintf(asset->etag, sizeof asset->etag, "\"%016llx\"", (unsigned long long)word);
}

/* Rejects paths that lead out of the folder or to hidden files. */
static bool is_plain(const char *path)
{
    for (const char *at = path; *at; at++)
        if ((!isalnum((unsigned char)*at) && !strchr("/._-", *at)) ||
            (*at == '/' && (at[1] == '.' || at[1] == '/')))
            return false;
    return path[0] == '/';
}

/* Reads and closes the file; -1 is none. */
static bool read_file(int file, Asset *asset)
{
    struct stat facts;
    bool        is_good = file >= 0 && !fstat(file, &facts) && S_ISREG(facts.st_mode) &&
                   facts.st_size <= MAX_FILE_BYTES;
    if (is_good) {
        size_t size = (size_t)facts.st_size;
        char  *bytes = malloc(size + 1);
        asset->n_bytes = 0;
        for (ssize_t n = 1; bytes && n > 0 && asset->n_bytes < size;) {
            n = read(file, bytes + asset->n_bytes, size - asset->n_bytes);
            asset->n_bytes += n > 0 ? (size_t)n : 0;
        }
        asset->bytes = asset->owned = bytes;
        is_good = bytes != NULL;
    }
    if (file >= 0)
        close(file);
    return is_good;
}

static bool read_from_folder(const char *folder, const char *path, Asset *asset)
{
    int  root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int  file = root >= 0 ? openat(root, path + 1, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    bool is_good = read_file(file, asset);
    if (root >= 0)
        close(root);
    return is_good;
}

static bool find_built_in(const char *path, Asset *asset)
{
    for (const PageFile *file = page_files; file->path; file++)
        if (!strcmp(file->path, path)) {
            asset->bytes = file->bytes;
            asset->n_bytes = file->n_bytes;
            return true;
        }
    return false;
}

bool asset_find(const char *folder, const char *path, Asset *asset)
{
    if (!strcmp(path, "/"))
        path = "/index.html";
    *asset = (Asset){.type = type_of(path)};
    if (!asset->type || !is_plain(path) ||
        !(folder ? read_from_folder(folder, path, asset) : find_built_in(path, asset)))
        return false;
    make_etag(asset);
    return true;
}

bool asset_read(const char *path, Asset *asset)
{
    *asset = (Asset){.type = type_of(path)};
    if (!asset->type || !read_file(open(path, O_RDONLY | O_CLOEXEC), asset))
        return false;
    make_etag(asset);
    return true;
}

void asset_release(Asset *asset)
{
    free(asset->owned);
    asset->owned = NULL;
}

bool assets_are_there(const char *folder, TurfError *error)
{
    Asset asset;
    char  quoted[ERROR_QUOTE_BYTES];
    if (asset_find(folder, "/", &asset)) {
        asset_release(&asset);
        return true;
    }
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return error_system(error, errno, "the folder '%s' of --page cannot be read: %s",
                            error_quote(quoted, folder), strerror(errno));
    close(root);
    return error_not_found(error, "there is no index.html in the folder '%s' of --page",
                           error_quote(quoted, folder));
}
