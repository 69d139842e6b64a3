/* The cache of finished games; see record_cache.h. */
#include "web/record_cache.h"

#include <stdlib.h>
#include <string.h>

void record_cache_init(RecordCache *cache)
{
    *cache = (RecordCache){.n = 0};
    pthread_mutex_init(&cache->lock, NULL);
}

void cached_record_release(CachedRecord *cached)
{
    if (!cached || atomic_fetch_sub(&cached->n_references, 1) != 1)
        return;
    record_release(&cached->record);
    if (cached->has_analysis)
        analysis_release(&cached->analysis);
    pthread_mutex_destroy(&cached->analysis_lock);
    free(cached);
}

static CachedRecord *retain(CachedRecord *cached)
{
    atomic_fetch_add(&cached->n_references, 1);
    return cached;
}

static void drop_last(RecordCache *cache)
{
    CachedRecord *last = cache->list[--cache->n];
    cache->n_bytes -= last->n_bytes;
    cached_record_release(last);
}

void record_cache_release(RecordCache *cache)
{
    while (cache->n > 0)
        drop_last(cache);
    pthread_mutex_destroy(&cache->lock);
}

static void insert_first(RecordCache *cache, size_t n_after, CachedRecord *cached)
{
    memmove(cache->list + 1, cache->list, n_after * sizeof cache->list[0]);
    cache->list[0] = cached;
}

/* The lock is held. */
static CachedRecord *find(RecordCache *cache, const char *id)
{
    for (size_t i = 0; i < cache->n; i++) {
        CachedRecord *found = cache->list[i];
        if (strcmp(found->record.id, id) != 0)
            continue;
        insert_first(cache, i, found);
        return retain(found);
    }
    return NULL;
}

CachedRecord *record_cache_find(RecordCache *cache, const char *id)
{
    pthread_mutex_lock(&cache->lock);
    CachedRecord *found = find(cache, id);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

/* Adds it as the first, and drops the last ones if there is too much. One that is too large alone
 * is not kept. The lock is held. */
static void insert(RecordCache *cache, CachedRecord *cached)
{
    if (cached->n_bytes > MAX_CACHED_BYTES)
        return;
    while (cache->n == MAX_CACHED_RECORDS || cache->n_bytes + cached->n_bytes > MAX_CACHED_BYTES)
        drop_last(cache);
    insert_first(cache, cache->n++, retain(cached));
    cache->n_bytes += cached->n_bytes;
}

CachedRecord *record_cache_add(RecordCache *cache, Record *record)
{
    CachedRecord *made = calloc(1, sizeof *made);
    if (!made) {
        record_release(record);
        return NULL;
    }
    made->record = *record;
    /* With room for its analysis, which has a copy of the history. */
    made->n_bytes = sizeof *made + 2 * history_n_bytes(&record->history) +
                    (record->history.n_plies + 1) * (sizeof(Judgement) + sizeof(Verdict));
    atomic_init(&made->n_references, 1);
    pthread_mutex_init(&made->analysis_lock, NULL);
    pthread_mutex_lock(&cache->lock);
    CachedRecord *other = find(cache, record->id); /* another thread was quicker */
    if (!other)
        insert(cache, made);
    pthread_mutex_unlock(&cache->lock);
    if (other)
        cached_record_release(made);
    return other ? other : made;
}
