/* The store: one SQLite file that keeps every finished game. Whatever a function here has committed
 * survives the end of the program, of its disk space and of its power. A Store is used by one
 * thread at a time; any number of programs may have the same file open. */
#ifndef TURF_STORE_STORE_H
#define TURF_STORE_STORE_H

#include "turf.h"

typedef struct Store Store;

typedef enum StoreMode {
    STORE_MAKE,  /* to read and write; made if it is not there */
    STORE_WRITE, /* to read and write what is there */
    STORE_READ   /* to read what is there */
} StoreMode;

/* NULL, with a sentence that names the file, if it cannot be opened, is no database of turf's, or
 * is one of a later turf. An older one is brought up to date. */
Store      *store_open(const char *path, StoreMode mode, TurfError *error);
void        store_close(Store *store); /* NULL is fine */
const char *store_path(const Store *store);

/* Only one program at a time plays a run: false, with a sentence, if another does. Held until the
 * store is closed. */
bool store_lock_run(Store *store, int64_t run, TurfError *error);
/* The same for the games of people, all of them. */
bool store_lock_live_games(Store *store, TurfError *error);
/* For a program that has the file open more than once: closing a store that has locked a run lets
 * go of what SQLite holds for the others, so such a store stays open, and its locks are undone one
 * by one. */
void store_unlock_run(Store *store, int64_t run);

/* What lies between the two is kept whole or not at all. When something between them fails,
 * store_undo. */
bool store_begin(Store *store, TurfError *error);
bool store_commit(Store *store, TurfError *error);
void store_undo(Store *store);

/* How long a statement waits while another program writes; as long as people may, until it is set.
 */
void store_set_max_wait(Store *store, int ms);
/* Was that why the last statement that failed did? */
bool store_was_in_use(const Store *store);

#endif
