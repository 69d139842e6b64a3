/* The server's parts, opened without a network; and its database, an SQLite file in memory that
 * the page keeps in the browser's storage.
 *
 * Invariant: between two calls of the page no statement and no transaction is open, so the bytes of
 * the file are a whole database. */
#include "wasm/house.h"

#include "base/error.h"
#include "store/live_games.h"
#include "store/sql.h"
#include "web/hosted_game.h"
#include "web/registry.h"
#include "web/tournaments.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_GAMES = 1000, MAX_BOTS = 64, MAX_KEPT = 10000 };

static const char DATABASE[] = "/turf.db";

static WebOptions options = {
    .database = DATABASE, .max_games = MAX_GAMES, .max_bots = MAX_BOTS, .patience_ms = 60000};
static Server    server;
static TurfError failure;

Server *house(void) { return &server; }

EXPORT("malloc") void *house_malloc(size_t n_bytes) { return malloc(n_bytes); }
EXPORT("free") void house_free(void *bytes) { free(bytes); }
/* Why the last call that returned 0 failed. */
EXPORT("failure") const char *house_failure(void) { return failure.text; }

/* ---- SQLite without a file system --------------------------------------------------------- */

static int open_nothing(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    (void)name;
    (void)flags;
    (void)out;
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

static int draw_random(sqlite3_vfs *vfs, int n_bytes, char *bytes)
{
    (void)vfs;
    return getentropy(bytes, (size_t)n_bytes) ? 0 : n_bytes;
}

static int sleep_never(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    return us;
}

static int current_time(sqlite3_vfs *vfs, sqlite3_int64 *ms)
{
    (void)vfs;
    const int64_t julian_ms_1970 = INT64_C(210866760000000);
    *ms = julian_ms_1970 + now_ms();
    return SQLITE_OK;
}

/* SQLite calls it when it starts. Its memory files (memdb) ask this one for time and chance. */
int sqlite3_os_init(void)
{
    static sqlite3_vfs nothing = {.iVersion = 2,
                                  .szOsFile = sizeof(sqlite3_file),
                                  .mxPathname = 64,
                                  .zName = "nothing",
                                  .xOpen = open_nothing,
                                  .xRandomness = draw_random,
                                  .xSleep = sleep_never,
                                  .xCurrentTimeInt64 = current_time};
    return sqlite3_vfs_register(&nothing, 1);
}

int sqlite3_os_end(void) { return SQLITE_OK; }

static sqlite3_file *database; /* open as long as the module lives */

/* Writes the bytes of a database into the file in memory, before anybody opens it. */
static bool load(const void *bytes, size_t n_bytes, TurfError *error)
{
    sqlite3_vfs *memory = sqlite3_initialize() ? NULL : sqlite3_vfs_find("memdb");
    int          flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB;
    if (!memory || sqlite3_vfs_register(memory, 1) ||
        !(database = calloc(1, (size_t)memory->szOsFile)) ||
        memory->xOpen(memory, DATABASE, database, flags, &flags) ||
        (n_bytes && (database->pMethods->xLock(database, SQLITE_LOCK_SHARED) ||
                     database->pMethods->xWrite(database, bytes, (int)n_bytes, 0) ||
                     database->pMethods->xUnlock(database, SQLITE_LOCK_NONE))))
        return error_no_memory(error);
    return true;
}

/* How often the database has changed: the page saves it when this has grown. */
EXPORT("changes") double house_changes(void)
{
    int64_t n =
        sqlite3_total_changes64(server.store->db) + sqlite3_total_changes64(server.reader->db);
    for (int i = 0; i < MAX_RUNNING; i++)
        if (server.tournaments->stores[i])
            n += sqlite3_total_changes64(server.tournaments->stores[i]->db);
    return (double)n;
}

EXPORT("database_size") size_t house_database_size(void)
{
    sqlite3_int64 size = 0;
    (void)database->pMethods->xFileSize(database, &size);
    return (size_t)size;
}

/* Copies the database, database_size bytes; false: it cannot be read. */
EXPORT("database_read") bool house_database_read(void *bytes)
{
    return database->pMethods->xRead(database, bytes, (int)house_database_size(), 0) == SQLITE_OK;
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool open_parts(void)
{
    TurfError *error = &failure;
    return ((server.live = channel_new(SNAPSHOT_LASTS)) || error_no_memory(error)) &&
           (server.registry = registry_new(error)) &&
           (server.tournaments = tournaments_new(error)) &&
           (server.players = pool_new(1, MAX_THINKING_JOBS, error)) &&
           (server.bots = pool_new(1, MAX_THINKING_JOBS, error)) &&
           (server.leavers = pool_new(0, MAX_THINKING_JOBS, error)) &&
           (server.choices = pool_new(0, MAX_CHOICES, error)) &&
           (server.readers = pool_new(0, MAX_READS, error)) &&
           catalogue_open(&server.catalogue, NULL, 0, error);
}

/* Opens the house with a database that was read before; without one it is empty. A database that
 * cannot be used is a failure, and the module is of no use then. */
EXPORT("open") bool house_open(const void *bytes, size_t n_bytes)
{
    server = (Server){.options = &options, .started_ms = now_ms()};
    server.http.server = &server;
    server.http.is_leaving = &server.is_leaving;
    server.http.quota = &server.quota;
    quota_init(&server.quota, 4 * MAX_GAMES, 4 * MAX_GAMES); /* one client may have half of them */
    bot_slots_init(&server.bot_slots, MAX_BOTS, &server.is_leaving);
    record_cache_init(&server.records);
    return load(bytes, n_bytes, &failure) && open_parts() &&
           (server.store = store_open(DATABASE, STORE_MAKE, &failure)) &&
           live_games_prepare(server.store, &failure) &&
           (server.reader = store_open(DATABASE, STORE_MAKE, &failure)) &&
           registry_restore(&server, &failure);
}

/* Says which scripts may play, as a list of NAME=bot:NAME separated by line feeds. */
EXPORT("allow") bool house_allow(char *list)
{
    enum { MAX_SCRIPTS = 64 };
    const char     *allowed[MAX_SCRIPTS];
    size_t          n_allowed = 0;
    PlayerCatalogue catalogue;
    for (char *each = strtok(list, "\n"); each && n_allowed < MAX_SCRIPTS;
         each = strtok(NULL, "\n"))
        allowed[n_allowed++] = each;
    if (!catalogue_open(&catalogue, allowed, n_allowed, &failure))
        return false;
    catalogue_release(&server.catalogue);
    server.catalogue = catalogue;
    return true;
}

/* Regular work, ten times a second and after every request. */
EXPORT("tick") void house_tick(void)
{
    TurfError unused;
    registry_tick(&server);
    tournaments_work();
    tournaments_tick(&server);
    if (now_ms() - server.trimmed_ns > 60000) {
        server.trimmed_ns = now_ms();
        (void)live_games_trim(server.store, MAX_KEPT, &unused);
    }
}
