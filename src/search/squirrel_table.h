/* The solver's transposition table of proved bounds, shared by all threads.
 *
 *
 * Giving one of the opponent's pieces to the mover never hurts the mover (play
 * the same moves: its set of pieces stays a superset). So a proved bound holds
 * for every node with the same empty squares whose mover owns more (lower
 * bound) or less (upper bound). The table is therefore organised by the set of
 * empty squares alone: each has a short list of bounds, newest first, and a
 * lookup takes any bound that covers the node. Against a table that only knows
 * exact matches this saves 27 % of the nodes with 16 empty squares, 33 % with
 * 18 and 41 % with 20.
 *
 * A bound is about the mover's share: the sum of what the mover ends up with
 * among the squares still open. It is one 64-bit word, read and written
 * without locks; from the low end
 *     pieces (25 bits) | kind (1) | share (12) | tag (up to 25)
 * `pieces` are those the mover must own (lower bound) or must not own (upper
 * bound). The tag is what the index does not say about the empty squares, so
 * an entry is never taken for another, even in a table of one cache line. A
 * zero word ends a list. */
#ifndef TURF_SEARCH_SQUIRREL_TABLE_H
#define TURF_SEARCH_SQUIRREL_TABLE_H

#include "games/squirrel_war.h"

#include <stdatomic.h>
#include <stddef.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    SW_LINE_WORDS = 8, /* of 64 bytes: one cache line */
    SW_KIND_SHIFT = 25,
    SW_SHARE_SHIFT = 26,
    SW_SHARE_MASK = 4095,
    SW_TAG_SHIFT = 38
};

typedef _Atomic uint64_t SwWord;

typedef struct {
    SwWord  *words;
    size_t   capacity;     /* lines allocated, a power of two */
    int      index_bits;   /* log2 of the lists in use */
    int      list_shift;   /* log2 of the words per list */
    uint32_t rank[3][512]; /* set of empty squares -> index and tag */
} SwTable;

/* The list of bounds for one set of empty squares. */
typedef struct {
    SwWord  *list;
    uint32_t tag;
} SwBucket;

/* Allocates the largest power of two that is at most `bytes`, and at least 64. False if out of
 * memory. */
bool sw_table_init(SwTable *table, size_t bytes);
void sw_table_free(SwTable *table);
/* Clears the table, using at most `max_bytes` of it, and sets up its index for
 * the positions that can follow one with these empty squares. */
void sw_table_prepare(SwTable *table, uint32_t root_empty, size_t max_bytes);

static inline SwBucket sw_table_bucket(const SwTable *table, uint32_t empty)
{
    uint32_t rank = table->rank[0][empty & 511] ^ table->rank[1][empty >> 9 & 511] ^
                    table->rank[2][empty >> 18];
    uint32_t index = rank & ((UINT32_C(1) << table->index_bits) - 1);
    SwBucket bucket;
    bucket.list = table->words + ((size_t)index << table->list_shift);
    bucket.tag = rank >> table->index_bits;
    return bucket;
}

static inline void sw_table_prefetch(SwBucket bucket)
{
    /* The second line may lie beyond a one-line list; prefetching it anyway
     * is harmless and cheaper than a test. */
    __builtin_prefetch((const void *)bucket.list);
    __builtin_prefetch((const char *)(const void *)bucket.list + 64);
}

static inline bool sw_word_is_upper(uint64_t word) { return (word >> SW_KIND_SHIFT & 1) != 0; }

static inline int sw_word_share(uint64_t word)
{
    return (int)(word >> SW_SHARE_SHIFT & SW_SHARE_MASK);
}

/* Four words at once: a bit for each whose pieces do not clash with the
 * mover's, and for each zero word. Only a filter: what passes is read again
 * and checked, so a word read half written does no harm. */
static inline unsigned sw_four_candidates(const SwWord *words, uint32_t own)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
    const __m128i *pairs = (const __m128i *)(const void *)words;
    __m128         first = _mm_castsi128_ps(_mm_load_si128(pairs));
    __m128         second = _mm_castsi128_ps(_mm_load_si128(pairs + 1));
    __m128i        low = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    __m128i        upper = _mm_srai_epi32(_mm_slli_epi32(low, 31 - SW_KIND_SHIFT), 31);
    __m128i        clash = _mm_xor_si128(_mm_set1_epi32((int)~own), upper);
    clash = _mm_and_si128(clash, _mm_set1_epi32((int)SW_ALL));
    __m128i none = _mm_cmpeq_epi32(_mm_and_si128(low, clash), _mm_setzero_si128());
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(none));
#else
    unsigned candidates = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = atomic_load_explicit(&words[i], memory_order_relaxed);
        uint32_t clash = sw_word_is_upper(word) ? own : ~own & SW_ALL;
        candidates |= (unsigned)(((uint32_t)word & clash) == 0) << i;
    }
    return candidates;
#endif
}

/* Moves a bound that was of use halfway to the front of its list, so that those of no use fall off
 * first. Saves 4 % of the nodes where 3 bounds compete for a word, 10 % where 7 do. Another thread
 * may change the list meanwhile: then a bound is lost or doubled. */
static inline void sw_table_promote(SwBucket bucket, int at)
{
    SwWord  *from = &bucket.list[at], *to = &bucket.list[at / 2];
    uint64_t word = atomic_load_explicit(from, memory_order_relaxed);
    atomic_store_explicit(from, atomic_load_explicit(to, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_store_explicit(to, word, memory_order_relaxed);
}

/* Probes for a bound that decides whether the mover, owning these live pieces,
 * gets a share of at least `goal`. If found, *share is the strongest: a lower one
 * if it is >= goal, otherwise an upper one. A stronger bound makes stronger ones
 * above: with the first that decides the search took 9 % more nodes. */
static inline bool sw_table_decides(const SwTable *table, SwBucket bucket, uint32_t own, int goal,
                                    int *share)
{
    int found = -1;
    for (int i = 0; i < 1 << table->list_shift; i += 4) {
        unsigned candidates = sw_four_candidates(bucket.list + i, own);
        for (; candidates != 0; candidates &= candidates - 1) {
            int      at = i + __builtin_ctz(candidates);
            uint64_t word = atomic_load_explicit(&bucket.list[at], memory_order_relaxed);
            bool     upper = sw_word_is_upper(word);
            uint32_t clash = upper ? own : ~own & SW_ALL;
            int      bound = sw_word_share(word);
            if (word == 0)
                goto end;
            if (((uint32_t)word & clash) != 0 || word >> SW_TAG_SHIFT != bucket.tag ||
                (bound >= goal) == upper)
                continue;
            if (found < 0 || (upper ? bound < *share : bound > *share)) {
                *share = bound;
                found = at;
            }
        }
    }
end:
    if (found >= SW_LINE_WORDS)
        sw_table_promote(bucket, found);
    return found >= 0;
}

/* Stores a bound. For a lower bound `own` may leave out pieces that the proof
 * did not need. */
void sw_table_store(const SwTable *table, SwBucket bucket, uint32_t own, bool upper, int share);

#endif
