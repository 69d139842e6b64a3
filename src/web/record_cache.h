/* Finished games that were looked at lately, so that stepping through a long one does not read and
 * replay it for each request. A finished game never changes.
 *
 * Thread safety: one lock guards the list; a record is not changed after it was added, and lives
 * until its last user has released it. Its analysis grows under a lock of its own. */
#ifndef TURF_WEB_RECORD_CACHE_H
#define TURF_WEB_RECORD_CACHE_H

#include "live/analysis.h"
#include "web/record.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_CACHED_RECORDS = 32, MAX_CACHED_BYTES = 64 << 20 };

typedef struct CachedRecord {
    Record     record;
    atomic_int n_references;
    size_t     n_bytes;

    pthread_mutex_t analysis_lock;
    bool            has_analysis; /* it was begun */
    Analysis        analysis;
} CachedRecord;

typedef struct RecordCache {
    pthread_mutex_t lock;
    CachedRecord   *list[MAX_CACHED_RECORDS]; /* the last one used comes first */
    size_t          n, n_bytes;
} RecordCache;

void record_cache_init(RecordCache *cache);
void record_cache_release(RecordCache *cache);

/* Both return a reference. NULL: it is not there. */
CachedRecord *record_cache_find(RecordCache *cache, const char *id);
/* Takes the record over; NULL: out of memory, and then it is released. */
CachedRecord *record_cache_add(RecordCache *cache, Record *record);
void          cached_record_release(CachedRecord *cached); /* NULL is fine */

#endif
