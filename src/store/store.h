/* The store: one SQLite file with every finished game. What a function here has committed survives
 * a crash, a full disk and a power failure. A Store is used by one thread at a time; any number of
 * programs may have the same file open. */
#ifndef TURF_STORE_STORE_H
#define TURF_STORE_STORE_H

#include "turf.h"

/* Bounds of what turf itself writes; a database with other values is damaged. */
#define MAX_STORED_GAMES INT64_C(10000000000)    /* of a pairing */
#define MAX_STORED_SECONDS INT64_C(253402300799) /* since 1970: the end of the year 9999 */
#define MAX_STORED_MS (1000 * MAX_STORED_SECONDS)
enum {
    MAX_STORED_LENGTH = 1 << 24, /* moves of a game */
    MAX_STORED_SHARDS = 100000,
    MAX_STORED_ENTRANTS = 1024,
    MAX_STORED_PAIRINGS = 1 << 21,
    MAX_STORED_ROUNDS = 1 << 21
};

typedef struct Store Store;

typedef enum StoreMode {
    STORE_MAKE,  /* read and write; create the file if it does not exist */
    STORE_WRITE, /* read and write an existing file */
    STORE_READ   /* read an existing file */
} StoreMode;

/* NULL with NOT_FOUND if there is no such file, INVALID if it is not a turf database or one of a
 * later version, or another code if it cannot be opened. A file of an older version is migrated. */
Store      *store_open(const char *path, StoreMode mode, TurfError *error);
void        store_close(Store *store); /* NULL is fine */
const char *store_path(const Store *store);

/* Fills the error for values that cannot be, or contradict each other, and returns false: "the
 * database 'x.db' is damaged: ...". */
bool store_damage(const Store *store, const char *what, TurfError *error);

/* Locks a run, since only one program at a time may play it; BUSY if another does. Held until the
 * store is closed. */
bool store_lock_run(Store *store, int64_t run, TurfError *error);
/* The same for all live games at once. */
bool store_lock_live_games(Store *store, TurfError *error);
/* The same for the league of the file: who plays it, or merges a round. */
bool store_lock_league(Store *store, TurfError *error);
/* For a program that has the file open more than once: closing a store that has locked a run would
 * drop SQLite's locks of the other stores, so such a store stays open and unlocks run by run. */
void store_unlock_run(Store *store, int64_t run);
void store_unlock_league(Store *store);
/* Does another store, of this or another program, hold the lock of the league? */
bool store_league_is_locked(Store *store);

/* A transaction. If anything in it fails, call store_undo, which rolls back. */
bool store_begin(Store *store, TurfError *error);
bool store_commit(Store *store, TurfError *error);
void store_undo(Store *store);

/* A transaction that only reads: what others commit meanwhile is not seen. End it with store_undo.
 * Not for a store that was opened with STORE_READ. */
bool store_begin_read(Store *store, TurfError *error);
/* A number that changes when another connection, of this or another program, commits. */
bool store_data_version(Store *store, int64_t *version, TurfError *error);

/* How long a statement waits for a lock of another program before it fails with BUSY; 20 s unless
 * set. */
void store_set_max_wait(Store *store, int ms);

#endif
