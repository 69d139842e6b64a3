/* Memory, index and replacement of the solver's table.
 *
 * Threads: words are read and written with relaxed atomics and no locks.
 * Concurrent stores may lose or duplicate a bound, never corrupt one. */
#include "search/squirrel_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SW_HUGE_PAGE = 1 << 21,
    SW_LINE_SHIFT = 3,
    /* 32 bounds per list. With 20 empty squares, lists of 8, 16, 32 and 64 took
     * 12.4, 8.6, 7.2 and 6.9 million nodes; 32 took the least time. The size
     * of the table matters little: a quarter of the memory costs 6 to 9 %
     * more nodes. */
    SW_LIST_SHIFT_MAX = 5
};

bool sw_table_init(SwTable *table, size_t bytes)
{
    const size_t line = SW_LINE_WORDS * sizeof(SwWord);
    memset(table, 0, sizeof *table);
    size_t n = 1;
    while (n <= bytes / line / 2)
        n *= 2;
    size_t alignment = n * line >= SW_HUGE_PAGE ? SW_HUGE_PAGE : line;
    table->words = aligned_alloc(alignment, n * line);
    if (table->words == NULL)
        return false;
    /* With 4 KiB pages nearly every probe would also miss the TLB. */
    if (n * line >= SW_HUGE_PAGE)
        (void)madvise((void *)table->words, n * line, MADV_HUGEPAGE);
    table->capacity = n;
    return true;
}

void sw_table_free(SwTable *table)
{
    free((void *)table->words);
    table->words = NULL;
}

/* Each empty square of the root gets one rank bit. Bits that do not fit into
 * the index go to the tag and flip a pattern of index bits. The first pattern
 * flips them all, so that a small set, which has many bounds, shares its list
 * with a large one, which has few. */
static void rank_squares(SwTable *table, uint32_t root_empty)
{
    static const uint32_t patterns[] = {0xFFFFFFFF, 0x55555555, 0x33333333, 0x0F0F0F0F,
                                        0x00FF00FF, 0x66666666, 0x3C3C3C3C, 0x5A5A5A5A};
    uint32_t              index_mask = (UINT32_C(1) << table->index_bits) - 1;
    memset(table->rank, 0, sizeof table->rank);
    int bit = 0;
    for (uint32_t left = root_empty; left != 0; left &= left - 1, bit++) {
        int      square = sw_lowest(left);
        uint32_t code = UINT32_C(1) << bit;
        if (bit >= table->index_bits)
            code |= patterns[(bit - table->index_bits) & 7] & index_mask;
        for (uint32_t i = 0; i < 512; i++)
            if ((i >> (square % 9) & 1) != 0)
                table->rank[square / 9][i] ^= code;
    }
}

void sw_table_prepare(SwTable *table, uint32_t root_empty, size_t max_bytes)
{
    int    line_bits = 0;
    size_t max_lines = max_bytes / (SW_LINE_WORDS * sizeof(SwWord));
    max_lines = max_lines < table->capacity ? max_lines : table->capacity;
    while ((size_t)2 << line_bits <= max_lines)
        line_bits++;
    int list_lines = SW_LIST_SHIFT_MAX - SW_LINE_SHIFT;
    list_lines = list_lines < line_bits ? list_lines : line_bits;
    int rank_bits = sw_count(root_empty), max = line_bits - list_lines;
    table->index_bits = max < rank_bits ? max : rank_bits;
    table->list_shift = SW_LINE_SHIFT + list_lines;
    rank_squares(table, root_empty);
    memset((void *)table->words, 0, sizeof(SwWord) << (table->index_bits + table->list_shift));
}

/* Does the new bound imply the old one? */
static bool word_is_implied(uint64_t old, uint64_t new)
{
    uint64_t differ = old ^ new;
    bool     same_set = differ >> SW_TAG_SHIFT == 0;
    bool     same_kind = (differ >> SW_KIND_SHIFT & 1) == 0;
    bool     fewer_pieces = ((uint32_t) new & ~(uint32_t)old &SW_ALL) == 0;
    if (!same_set || !same_kind || !fewer_pieces)
        return false;
    return sw_word_is_upper(new) ? sw_word_share(new) <= sw_word_share(old)
                                 : sw_word_share(new) >= sw_word_share(old);
}

/* Inserts the bound at the front and moves the others down, into the first
 * hole (a word that is empty or implied) or off the end. */
void sw_table_store(const SwTable *table, SwBucket bucket, uint32_t own, bool upper, int share)
{
    uint64_t new = (upper ? ~own & SW_ALL : own) | (uint64_t)upper << SW_KIND_SHIFT |
                   (uint64_t)share << SW_SHARE_SHIFT | (uint64_t)bucket.tag << SW_TAG_SHIFT;
    uint64_t carried = new;
    for (int i = 0; i < 1 << table->list_shift; i++) {
        uint64_t word = atomic_load_explicit(&bucket.list[i], memory_order_relaxed);
        atomic_store_explicit(&bucket.list[i], carried, memory_order_relaxed);
        if (word == 0 || word_is_implied(word, new))
            return;
        carried = word;
    }
}
