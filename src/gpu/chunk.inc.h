/* The totals of a chunk, for the kernels of all games.
 *
 * A work-item plays one game after the other; finished games are counted by ending and length in a
 * histogram of the group, from which its totals are made at the end. Which item plays which game
 * does not matter to the totals.
 *
 *   GROUP  items in a work-group */

enum { CHUNK_LENGTHS = CHUNK_MAX_LENGTH + 1, CHUNK_BINS = TURF_N_ENDINGS * CHUNK_LENGTHS };

INLINE void chunk_begin(__local uint *bins, __local uint *fields)
{
    for (uint i = get_local_id(0); i < CHUNK_BINS; i += GROUP)
        bins[i] = 0;
    for (uint i = get_local_id(0); i < CHUNK_FIELDS; i += GROUP)
        fields[i] = i == CHUNK_SHORTEST ? ~0u : 0;
}

INLINE void chunk_count(__local uint *bins, uint ending, uint length)
{
    atomic_inc(&bins[ending * CHUNK_LENGTHS + length]);
}

/* After a barrier. */
INLINE void chunk_end(__local const uint *bins, __local uint *fields, __global uint *totals)
{
    for (uint i = get_local_id(0); i < CHUNK_BINS; i += GROUP) {
        uint n = bins[i], ending = i / CHUNK_LENGTHS, length = i % CHUNK_LENGTHS;
        if (n == 0)
            continue;
        atomic_add(&fields[ending], n);
        atomic_add(&fields[CHUNK_LENGTH_SUM], n * length);
        atomic_add(&fields[CHUNK_SQUARE_SUM], n * length * length);
        atomic_min(&fields[CHUNK_SHORTEST], length);
        if (ending != TURF_EXHAUSTED)
            atomic_max(&fields[CHUNK_LONGEST], length);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < CHUNK_FIELDS; i += GROUP)
        totals[get_group_id(0) * CHUNK_FIELDS + i] = fields[i];
}
