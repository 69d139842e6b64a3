/* Sets of bits as bytes of 0 and 1, for arrays that other programs read and write. */
#ifndef TURF_BASE_EXPAND_H
#define TURF_BASE_EXPAND_H

#include "base/bits.h"

#include <stddef.h>
#include <string.h>

#ifdef __AVX512BW__
#include <immintrin.h>
#endif

/* Eight bits as the bytes of a word, the lowest bit first in memory. */
static inline uint64_t expand_8(uint64_t set)
{
#ifdef __BMI2__
    return _pdep_u64(set, BITS_EVERY(1));
#else
    uint64_t each = (set & 0xff) * BITS_EVERY(1) & UINT64_C(0x8040201008040201);
    return (each + BITS_EVERY(0x7f)) >> 7 & BITS_EVERY(1);
#endif
}

static inline void expand_64(uint64_t set, uint8_t *bytes)
{
#ifdef __AVX512BW__
    _mm512_storeu_si512(bytes, _mm512_maskz_set1_epi8(set, 1));
#elif defined(__AVX2__)
    const __m256i bit = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i of_byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,
                                             2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    for (int half = 0; half < 2; half++, set >>= 32) {
        __m256i copies = _mm256_shuffle_epi8(_mm256_set1_epi32((int)set), of_byte);
        __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(copies, bit), bit);
        _mm256_storeu_si256((__m256i *)(void *)(bytes + 32 * half),
                            _mm256_and_si256(is_set, _mm256_set1_epi8(1)));
    }
#else
    for (int i = 0; i < 8; i++, set >>= 8) {
        uint64_t eight = expand_8(set);
        memcpy(bytes + 8 * i, &eight, sizeof eight);
    }
#endif
}

/* The lowest n bits, at most 64. */
static inline void expand(uint64_t set, size_t n, uint8_t *bytes)
{
    if (n == 64) {
        expand_64(set, bytes);
        return;
    }
#ifdef __AVX512BW__
    _mm512_mask_storeu_epi8(bytes, (UINT64_C(1) << n) - 1, _mm512_maskz_set1_epi8(set, 1));
#else
    for (; n >= 8; n -= 8, set >>= 8, bytes += 8) {
        uint64_t eight = expand_8(set & 0xff);
        memcpy(bytes, &eight, sizeof eight);
    }
    for (; n > 0; n--, set >>= 1)
        *bytes++ = set & 1;
#endif
}

/* The other way round: which of n bytes, at most 64, are not 0. */
static inline uint64_t collect(const uint8_t *bytes, size_t n)
{
#ifdef __AVX512BW__
    uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
    __m512i  loaded = _mm512_maskz_loadu_epi8(all, bytes);
    return _mm512_test_epi8_mask(loaded, loaded);
#else
    uint64_t set = 0;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t eight = 0;
        memcpy(&eight, bytes + i, n - i < 8 ? n - i : 8);
        if (!eight)
            continue;
        eight = (((eight & BITS_EVERY(0x7f)) + BITS_EVERY(0x7f)) | eight) >> 7 & BITS_EVERY(1);
        set |= eight * UINT64_C(0x0102040810204080) >> 56 << i;
    }
    return set;
#endif
}

#endif
