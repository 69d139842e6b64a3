/* Opening, locking and transactions of a store. The file is in WAL mode with synchronous=FULL, so
 * that others can read while a run writes and a commit has reached the disk when it returns. Where
 * a file system has no WAL (some network ones), SQLite falls back to its rollback journal, which is
 * as safe. */
#include "store/store.h"

#include "base/error.h"
#include "store/schema.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_TIMEOUT_MS = 20000 };

bool store_damage(const Store *store, const char *what, TurfError *error)
{
    return sql_damage(store, what, error);
}

const char *store_path(const Store *store) { return store->path; }

/* Reads a pragma, or a query with one number. */
static bool read_setting(Store *store, const char *sql, int64_t *value)
{
    sqlite3_stmt *statement = NULL;
    bool          is_read = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_ROW;
    if (is_read)
        *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return is_read;
}

/* Runs the migrations that the file has not had. The caller holds a transaction. */
static bool migrate(Store *store, int64_t n_done, TurfError *error)
{
    char setting[64];
    snprintf(setting, sizeof setting, "PRAGMA user_version=%d;PRAGMA application_id=%d",
             N_MIGRATIONS, STORE_APPLICATION_ID);
    for (int64_t i = n_done; i < N_MIGRATIONS; i++)
        if (!sql_execute(store, store_migrations[i], error))
            return false;
    return sql_execute(store, setting, error);
}

/* Refuses files that are not turf's or of a later version, and migrates older ones. A writer calls
 * it inside a transaction, because another program may be creating the file at the same time. */
static bool check_schema(Store *store, StoreMode mode, TurfError *error)
{
    char    quoted[ERROR_QUOTE_BYTES];
    int64_t n_done, application, n_tables;
    error_quote(quoted, store->path);
    if (!read_setting(store, "PRAGMA user_version", &n_done) ||
        !read_setting(store, "PRAGMA application_id", &application) ||
        !read_setting(store, "SELECT count(*) FROM sqlite_schema", &n_tables))
        return sql_fail(store, error);
    bool is_empty = n_tables == 0 && n_done == 0 && application == 0;
    if (!is_empty && application != STORE_APPLICATION_ID)
        return error_invalid(error, "'%s' is an SQLite database, but not one of turf's", quoted);
    if (n_done < 0)
        return error_invalid(error, "'%s' is damaged: its schema version is %lld", quoted,
                             (long long)n_done);
    if (n_done > N_MIGRATIONS)
        return error_invalid(error, "'%s' was written by a later version of turf than %s", quoted,
                             TURF_VERSION);
    store->n_migrations = mode == STORE_READ ? n_done : N_MIGRATIONS;
    if (mode == STORE_READ && n_done >= N_MIGRATIONS_TO_READ)
        return true;
    if (mode == STORE_READ)
        return error_invalid(error,
                             is_empty ? "'%s' is empty: there are no games in it"
                                      : "'%s' is of an older version of turf; 'turf resume' or "
                                        "'turf serve' brings it up to date",
                             quoted);
    return n_done == N_MIGRATIONS || migrate(store, n_done, error);
}

/* A failure in here leaves a transaction open; store_open then closes the file, which rolls back.
 */
static bool prepare(Store *store, StoreMode mode, TurfError *error)
{
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    /* The file may be a stranger's, and its schema may hold more than tables. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (mode == STORE_READ)
        return check_schema(store, mode, error);
    if (!sql_execute(store,
                     "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON",
                     error) ||
        !sql_execute(store, "BEGIN IMMEDIATE", error) || !check_schema(store, mode, error) ||
        !sql_execute(store, "COMMIT", error))
        return false;
    return sqlite3_prepare_v3(store->db, "ROLLBACK", -1, SQLITE_PREPARE_PERSISTENT,
                              &store->rollback, NULL) == SQLITE_OK ||
           sql_fail(store, error);
}

/* Did opening fail because SQLite could not create its WAL files? */
static bool lacks_journal(const Store *store)
{
    int code = sqlite3_errcode(store->db) & 0xff;
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/* Opens a database in a folder that is not writable. SQLite would create WAL files there even to
 * read, unless it is told that the file is immutable; without a WAL file no program is writing it.
 */
static bool open_immutable(Store *store, TurfError *error)
{
    char *journal = NULL, *uri = sqlite3_mprintf("file:%s?immutable=1", store->path);
    bool  is_plain =
        uri && !strpbrk(store->path, "?#%") && asprintf(&journal, "%s-wal", store->path) >= 0;
    bool is_good = false;
    if (is_plain && access(journal, F_OK) != 0) {
        sqlite3_close(store->db);
        store->db = NULL;
        is_good = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
                      SQLITE_OK &&
                  prepare(store, STORE_READ, error);
    }
    free(journal);
    sqlite3_free(uri);
    return is_good;
}

static const int open_flags[] = {[STORE_MAKE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                 [STORE_WRITE] = SQLITE_OPEN_READWRITE,
                                 [STORE_READ] = SQLITE_OPEN_READONLY};

static bool open_file(Store *store, StoreMode mode, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    error_quote(quoted, store->path);
    int         why = access(store->path, F_OK) == 0 ? 0 : errno;
    struct stat about;
    if (why == 0 && stat(store->path, &about) == 0 && S_ISDIR(about.st_mode))
        return error_invalid(error, "'%s' is a folder; a database is a file, such as %s/turf.db",
                             quoted, quoted);
    if (mode != STORE_MAKE && (why == ENOENT || why == ENOTDIR))
        return error_not_found(error, "there is no database '%s'", quoted);
    if (mode != STORE_MAKE && why)
        return error_system(error, why, "'%s' cannot be opened: %s", quoted, strerror(why));
    if (sqlite3_open_v2(store->path, &store->db, open_flags[mode], NULL) != SQLITE_OK)
        return store->db ? sql_fail(store, error) : error_no_memory(error);
    return prepare(store, mode, error) ||
           (mode == STORE_READ && lacks_journal(store) && open_immutable(store, error));
}

Store *store_open(const char *path, StoreMode mode, TurfError *error)
{
    Store *store = calloc(1, sizeof *store);
    if (store) {
        store->path = strdup(path);
        store->lock_fd = -1;
    }
    if (!store || !store->path)
        error_no_memory(error);
    else if (open_file(store, mode, error)) {
        struct stat about;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            store->device = about.st_dev;
            store->inode = about.st_ino;
        }
        return store;
    }
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->n_cached; i++)
        sqlite3_finalize(store->cached[i].statement);
    sqlite3_finalize(store->rollback);
    sqlite3_close(store->db);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    free(store->path);
    free(store);
}

/* ---- run locks ----------------------------------------------------------------------------
 * A run is locked by an open-file-description lock on one byte far behind the end of the file and
 * behind the bytes that SQLite locks. The system releases it when the program ends, however that
 * happens. lock_fd is closed after SQLite's own descriptor, since closing any descriptor of the
 * file drops SQLite's POSIX locks. */

static struct flock run_lock(short type, int64_t run)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)1 << 48 | run, .l_len = 1};
}

/* Tries for a second: a child that was forked just before its turf was killed may hold the lock a
 * little longer. True where files cannot be locked at all. */
static bool lock_byte(Store *store, int64_t run)
{
    enum { N_TRIES = 50, TRY_MS = 20 };
    struct flock lock = run_lock(F_WRLCK, run);
    if (store->lock_fd < 0)
        store->lock_fd = open(store->path, O_RDWR | O_CLOEXEC);
    for (int i = 0; i < N_TRIES; i++) {
        if (store->lock_fd < 0 || fcntl(store->lock_fd, F_OFD_SETLK, &lock) == 0 ||
            (errno != EAGAIN && errno != EACCES))
            return true;
        nanosleep(&(struct timespec){.tv_nsec = TRY_MS * 1000000L}, NULL);
    }
    return false;
}

bool store_lock_run(Store *store, int64_t run, TurfError *error)
{
    return lock_byte(store, run) ||
           error_busy(error, "another turf is playing run %lld now", (long long)run);
}

bool store_lock_live_games(Store *store, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    return lock_byte(store, 0) || /* run numbers begin at 1 */
           error_busy(error, "another 'turf serve' has '%s' now; give this one another with --db",
                      error_quote(quoted, store->path));
}

#define LEAGUE_BYTE (INT64_C(1) << 44) /* behind all runs */

bool store_lock_league(Store *store, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    return lock_byte(store, LEAGUE_BYTE) ||
           error_busy(error, "another turf is playing the league '%s' now",
                      error_quote(quoted, store->path));
}

void store_unlock_run(Store *store, int64_t run)
{
    struct flock lock = run_lock(F_UNLCK, run);
    if (store->lock_fd >= 0)
        (void)fcntl(store->lock_fd, F_OFD_SETLK, &lock);
}

bool store_league_is_locked(Store *store)
{
    struct flock lock = run_lock(F_WRLCK, LEAGUE_BYTE);
    if (store->lock_fd < 0)
        store->lock_fd = open(store->path, O_RDWR | O_CLOEXEC);
    return store->lock_fd >= 0 && fcntl(store->lock_fd, F_OFD_GETLK, &lock) == 0 &&
           lock.l_type != F_UNLCK;
}

void store_unlock_league(Store *store) { store_unlock_run(store, LEAGUE_BYTE); }

/* ---- transactions ------------------------------------------------------------------------- */

bool store_begin(Store *store, TurfError *error)
{
    store_undo(store); /* in case the last rollback failed */
    return sql_execute(store, "BEGIN IMMEDIATE", error);
}

bool store_begin_read(Store *store, TurfError *error)
{
    store_undo(store);
    return sql_execute(store, "BEGIN", error);
}

bool store_data_version(Store *store, int64_t *version, TurfError *error)
{
    Query query;
    if (!query_open(&query, store, "PRAGMA data_version", error))
        return false;
    *version = query_next(&query) ? query_number_in(&query, 0, INT64_MAX, "data_version") : 0;
    return query_end(&query, error);
}

/* SQLite goes on writing to a file that has lost its name, and all of that would be lost. */
static bool check_is_there(Store *store, TurfError *error)
{
    struct stat about;
    char        quoted[ERROR_QUOTE_BYTES];
    if (store->inode == 0 || (stat(store->path, &about) == 0 && about.st_ino == store->inode &&
                              about.st_dev == store->device))
        return true;
    return error_io(error, "the database '%s' was moved, deleted or replaced while it was in use",
                    error_quote(quoted, store->path));
}

bool store_commit(Store *store, TurfError *error)
{
    bool is_there = check_is_there(store, error);
    if (is_there && sql_execute(store, "COMMIT", error))
        return true;
    store_undo(store);
    /* A file that was moved has left its write-ahead log behind: it gets what was committed. */
    if (!is_there)
        (void)sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return false;
}

void store_undo(Store *store)
{
    enum { N_TRIES = 50, TRY_MS = 20 };
    /* Some failures roll back by themselves. A transaction left open would lock the file for
     * every program, so a failed rollback is tried again. */
    for (int i = 0; i < N_TRIES && !sqlite3_get_autocommit(store->db); i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = TRY_MS * 1000000L}, NULL);
        (void)sqlite3_step(store->rollback);
        (void)sqlite3_reset(store->rollback);
    }
}

void store_set_max_wait(Store *store, int ms) { (void)sqlite3_busy_timeout(store->db, ms); }
