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
#ifdef __AVX2__
#include <immintrin.h>
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

/* What a lookup asks for: bounds that hold for a mover with these pieces, and decide whether its
 * share is at least `goal`. */
typedef struct SwQuestion {
    uint32_t own, tag;
    int      goal;
} SwQuestion;

static inline bool sw_word_answers(uint64_t word, const SwQuestion *question)
{
    bool     upper = sw_word_is_upper(word);
    uint32_t clash = upper ? question->own : ~question->own & SW_ALL;
    return word != 0 && ((uint32_t)word & clash) == 0 && word >> SW_TAG_SHIFT == question->tag &&
           (sw_word_share(word) >= question->goal) != upper;
}

/* Four words at once: a bit for each that may answer; *is_end: one of them ends the list. Only a
 * filter: what passes is read again and checked, so a word read half written does no harm. The
 * whole question by vectors takes 8 % less time than pieces alone, as hardly any branch is taken
 * in vain. */
static inline unsigned sw_four_candidates(const SwWord *words, const SwQuestion *question,
                                          bool *is_end)
{
#if defined(__AVX2__) && !defined(__SANITIZE_THREAD__)
    const __m256i zero = _mm256_setzero_si256(), all = _mm256_set1_epi64x(SW_ALL);
    const __m256i others = _mm256_set1_epi64x((int64_t)(~question->own & SW_ALL));
    const __m256i below = _mm256_set1_epi64x((int64_t)question->goal * (1 << SW_SHARE_SHIFT) - 1);
    const __m256i share = _mm256_set1_epi64x((int64_t)SW_SHARE_MASK << SW_SHARE_SHIFT);
    __m256i       four = _mm256_load_si256((const __m256i *)(const void *)words);
    __m256i       upper = _mm256_cmpgt_epi64(zero, _mm256_slli_epi64(four, 63 - SW_KIND_SHIFT));
    __m256i       clash = _mm256_xor_si256(others, _mm256_and_si256(upper, all));
    __m256i       fits = _mm256_cmpeq_epi64(_mm256_and_si256(four, clash), zero);
    __m256i       is_same = _mm256_cmpeq_epi64(_mm256_srli_epi64(four, SW_TAG_SHIFT),
                                               _mm256_set1_epi64x(question->tag));
    __m256i       decides =
        _mm256_xor_si256(upper, _mm256_cmpgt_epi64(_mm256_and_si256(four, share), below));
    __m256i good = _mm256_and_si256(_mm256_and_si256(fits, is_same), decides);
    *is_end = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(four, zero))) != 0;
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(good));
#else
    unsigned candidates = 0;
    *is_end = false;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = atomic_load_explicit(&words[i], memory_order_relaxed);
        *is_end |= word == 0;
        candidates |= (unsigned)sw_word_answers(word, question) << i;
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
    SwQuestion question = {.own = own, .tag = bucket.tag, .goal = goal};
    int        found = -1;
    bool       is_end = false;
    for (int i = 0; i < 1 << table->list_shift && !is_end; i += 4) {
        unsigned candidates = sw_four_candidates(bucket.list + i, &question, &is_end);
        for (; candidates != 0; candidates &= candidates - 1) {
            int      at = i + __builtin_ctz(candidates);
            uint64_t word = atomic_load_explicit(&bucket.list[at], memory_order_relaxed);
            int      bound = sw_word_share(word);
            if (!sw_word_answers(word, &question))
                continue;
            if (found < 0 || (sw_word_is_upper(word) ? bound < *share : bound > *share)) {
                *share = bound;
                found = at;
            }
        }
    }
    if (found >= SW_LINE_WORDS)
        sw_table_promote(bucket, found);
    return found >= 0;
}

/* Stores a bound. For a lower bound `own` may leave out pieces that the proof
 * did not need. */
void sw_table_store(const SwTable *table, SwBucket bucket, uint32_t own, bool upper, int share);

#endif
