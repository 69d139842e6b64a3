/* Signatures of plans. The secret is written to a file of another name and linked into place, so
 * that programs which begin at the same time agree on one. A file that others own or may read is
 * no secret, and not used. */
#include "arena/plan_signature.h"

#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECRET_BYTES = 32, FOLDER_BYTES = PATH_MAX - 64 };

bool plan_has_bots(const Plan *plan)
{
    TurfError unused;
    for (size_t i = 0; i < plan->n_entrants; i++) {
        const PlayerKind *kind = player_kind_named(plan->game, plan->entrants[i].spec, &unused);
        if (kind && kind->is_external && !kind->home_seat)
            return true;
    }
    return false;
}

/* ---- the secret --------------------------------------------------------------------------- */

/* Makes a folder and those above it; false if its home is somebody else's, as under sudo. */
static bool make_folders(char *path, size_t home_length)
{
    struct stat about;
    char        after = path[home_length];
    path[home_length] = '\0';
    bool is_ours = stat(path, &about) == 0 && about.st_uid == geteuid();
    path[home_length] = after;
    for (char *slash = path + home_length; is_ours && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    return is_ours && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

/* The folder for turf's state; false if there is none. */
static bool state_folder(char folder[FOLDER_BYTES])
{
    const char   *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct passwd entry, *found = NULL;
    char          room[4096];
    int           length;
    if (state && state[0] == '/') {
        length = snprintf(folder, FOLDER_BYTES, "%s/turf", state);
        (void)mkdir(state, 0700);
        return length < FOLDER_BYTES && make_folders(folder, strlen(state));
    }
    if (!home || home[0] != '/') {
        (void)getpwuid_r(geteuid(), &entry, room, sizeof room, &found);
        home = found ? found->pw_dir : NULL;
    }
    if (!home || home[0] != '/' || strlen(home) < 2)
        return false;
    length = snprintf(folder, FOLDER_BYTES, "%s/.local/state/turf", home);
    return length < FOLDER_BYTES && make_folders(folder, strlen(home));
}

static bool read_secret(const char *path, uint8_t secret[SECRET_BYTES])
{
    struct stat about;
    int         file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool        is_good = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                   about.st_uid == geteuid() && !(about.st_mode & 077) &&
                   read_whole(file, secret, SECRET_BYTES) == SECRET_BYTES;
    if (file >= 0)
        close(file);
    return is_good;
}

static bool make_secret(const char *folder, const char *path)
{
    uint8_t secret[SECRET_BYTES];
    char    draft[PATH_MAX];
    (void)snprintf(draft, sizeof draft, "%s/key.XXXXXX", folder);
    int  file = mkostemp(draft, O_CLOEXEC); /* with mode 0600 */
    bool is_good = file >= 0 && getentropy(secret, sizeof secret) == 0 &&
                   write_whole(file, secret, sizeof secret) && fsync(file) == 0;
    if (file < 0)
        return false;
    close(file);
    is_good = is_good && (link(draft, path) == 0 || errno == EEXIST);
    unlink(draft);
    return is_good;
}

static bool find_secret(bool may_make, uint8_t secret[SECRET_BYTES])
{
    char folder[FOLDER_BYTES], path[PATH_MAX];
    if (!state_folder(folder))
        return false;
    (void)snprintf(path, sizeof path, "%s/key", folder);
    return read_secret(path, secret) ||
           (may_make && make_secret(folder, path) && read_secret(path, secret));
}

/* ---- signing ------------------------------------------------------------------------------ */

static void sign(const uint8_t secret[SECRET_BYTES], const char *json,
                 char signature[SIGNATURE_BYTES])
{
    static const char      purpose[] = "turf plan\n"; /* of a secret that may get others */
    struct hmac_sha256_ctx context;
    uint8_t                digest[SHA256_DIGEST_SIZE];
    hmac_sha256_set_key(&context, SECRET_BYTES, secret);
    hmac_sha256_update(&context, strlen(purpose), (const uint8_t *)purpose);
    hmac_sha256_update(&context, strlen(json), (const uint8_t *)json);
    hmac_sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        (void)snprintf(signature + 2 * i, 3, "%02x", digest[i]);
}

bool plan_sign(const char *json, char signature[SIGNATURE_BYTES])
{
    uint8_t secret[SECRET_BYTES];
    signature[0] = '\0';
    if (!find_secret(true, secret))
        return false;
    sign(secret, json, signature);
    return true;
}

bool plan_is_own(const char *json, const char *signature)
{
    uint8_t secret[SECRET_BYTES];
    char    own[SIGNATURE_BYTES];
    if (strlen(signature) != SIGNATURE_BYTES - 1 || !find_secret(false, secret))
        return false;
    sign(secret, json, own);
    return memeql_sec(own, signature, SIGNATURE_BYTES - 1);
}
