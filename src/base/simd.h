/* A SIMD vector of 64-bit lanes, one game in each: 8 with AVX-512, 4 with AVX2, else a plain word.
 * Ordinary operators come from the compilers' vector extension; this adds the operations it lacks.
 * A VectorMask has one boolean for each lane. */
#ifndef TURF_BASE_SIMD_H
#define TURF_BASE_SIMD_H

#include "base/bits.h"

#include <stdint.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VPOPCNTDQ__)

enum { N_LANES = 8 };
typedef uint64_t Vector __attribute__((vector_size(64)));
typedef __mmask8 VectorMask;

static inline Vector vector_count(Vector a) { return (Vector)_mm512_popcnt_epi64((__m512i)a); }
static inline Vector vector_mul(Vector a, Vector b)
{
    return (Vector)_mm512_mullo_epi64((__m512i)a, (__m512i)b);
}
static inline Vector vector_mul32(Vector a, Vector b)
{
    return (Vector)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
static inline Vector vector_rotate(Vector a, Vector by)
{
    return (Vector)_mm512_rolv_epi64((__m512i)a, (__m512i)by);
}
static inline VectorMask vector_equal(Vector a, Vector b)
{
    return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}
static inline VectorMask vector_greater(Vector a, Vector b)
{
    return _mm512_cmpgt_epi64_mask((__m512i)a, (__m512i)b);
}
static inline Vector vector_pick(VectorMask if_set, Vector then, Vector otherwise)
{
    return (Vector)_mm512_mask_blend_epi64(if_set, (__m512i)otherwise, (__m512i)then);
}
static inline VectorMask mask_or(VectorMask a, VectorMask b) { return (VectorMask)(a | b); }
static inline unsigned   mask_bits(VectorMask a) { return a; }
/* Expand: the lanes in `which` get the words at `from`, in order; the others stay. */
static inline Vector vector_deal(Vector a, unsigned which, const uint64_t *from)
{
    __m512i next = _mm512_loadu_si512(from);
    return (Vector)_mm512_mask_expand_epi64((__m512i)a, (__mmask8)which, next);
}

#elif defined(__AVX2__)

enum { N_LANES = 4 };
typedef uint64_t Vector __attribute__((vector_size(32)));
typedef Vector   VectorMask; /* all ones or all zeros */

static inline Vector vector_count(Vector a)
{
    /* Nibbles by table lookup, then a horizontal sum of the bytes of each lane (Mula). */
    const __m256i of_nibble = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                                               1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i       lower = _mm256_and_si256((__m256i)a, low);
    __m256i       upper = _mm256_and_si256(_mm256_srli_epi16((__m256i)a, 4), low);
    __m256i       bytes = _mm256_add_epi8(_mm256_shuffle_epi8(of_nibble, lower),
                                          _mm256_shuffle_epi8(of_nibble, upper));
    return (Vector)_mm256_sad_epu8(bytes, _mm256_setzero_si256());
}
static inline Vector vector_mul32(Vector a, Vector b)
{
    return (Vector)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
static inline Vector vector_mul(Vector a, Vector b)
{
    Vector crossed = vector_mul32(a >> 32, b) + vector_mul32(a, b >> 32);
    return vector_mul32(a, b) + (crossed << 32);
}
static inline Vector     vector_rotate(Vector a, Vector by) { return (a << by) | (a >> (64 - by)); }
static inline VectorMask vector_equal(Vector a, Vector b)
{
    return (Vector)_mm256_cmpeq_epi64((__m256i)a, (__m256i)b);
}
static inline VectorMask vector_greater(Vector a, Vector b)
{
    return (Vector)_mm256_cmpgt_epi64((__m256i)a, (__m256i)b);
}
static inline Vector vector_pick(VectorMask if_set, Vector then, Vector otherwise)
{
    return (Vector)_mm256_blendv_epi8((__m256i)otherwise, (__m256i)then, (__m256i)if_set);
}
static inline VectorMask mask_or(VectorMask a, VectorMask b) { return a | b; }
static inline unsigned mask_bits(VectorMask a) { return (unsigned)_mm256_movemask_pd((__m256d)a); }
static inline Vector   vector_deal(Vector a, unsigned which, const uint64_t *from)
{
    for (int lane = 0; lane < N_LANES; lane++)
        if (which >> lane & 1)
            a[lane] = *from++;
    return a;
}

#else

enum { N_LANES = 1 };
typedef uint64_t Vector;
typedef uint64_t VectorMask; /* 0 or 1 */

static inline Vector     vector_count(Vector a) { return (Vector)bits_count(a); }
static inline Vector     vector_mul(Vector a, Vector b) { return a * b; }
static inline Vector     vector_mul32(Vector a, Vector b) { return (a & UINT32_MAX) * (uint32_t)b; }
static inline VectorMask vector_equal(Vector a, Vector b) { return a == b; }
static inline VectorMask vector_greater(Vector a, Vector b) { return a > b; }
static inline Vector     vector_pick(VectorMask if_set, Vector then, Vector otherwise)
{
    return if_set ? then : otherwise;
}
static inline VectorMask mask_or(VectorMask a, VectorMask b) { return a | b; }
static inline unsigned   mask_bits(VectorMask a) { return (unsigned)a; }

#endif

static inline Vector vector_all(uint64_t value) { return (Vector){0} + value; }

static inline Vector vector_get(const uint64_t *at)
{
    Vector value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}

static inline void vector_put(uint64_t *at, Vector value)
{
    __builtin_memcpy(at, &value, sizeof value);
}

/* bits_nth for each lane. PDEP has no vector form, but lane by lane it is still faster than six
 * steps of binary search with popcounts. */
static inline Vector vector_nth(Vector set, Vector n)
{
    uint64_t sets[N_LANES], ns[N_LANES];
    vector_put(sets, set);
    vector_put(ns, n);
    for (int lane = 0; lane < N_LANES; lane++)
        sets[lane] = bits_nth(sets[lane], (uint32_t)ns[lane]);
    return vector_get(sets);
}

#endif
