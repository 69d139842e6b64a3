/* The number of processors, and their instruction sets, to choose among kernels at run time. */
#ifndef TURF_BASE_CPU_H
#define TURF_BASE_CPU_H

#include <unistd.h>

/* At least 1, also where it is unknown. */
static inline int cpu_count(void)
{
    long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    return n_processors > 1 ? (int)n_processors : 1;
}

#ifdef TURF_X86_KERNELS

#include <cpuid.h>
#include <stdbool.h>

/* The features of x86-64-v3 that not every compiler knows in __builtin_cpu_supports. */
static inline bool cpu_has_rest_of_v3(void)
{
    unsigned a, b, c, d;
    bool     has_movbe_f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) && (c & bit_F16C);
    return has_movbe_f16c && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* x86-64-v3: AVX2, BMI2, POPCNT. */
static inline bool cpu_has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("fma") && cpu_has_rest_of_v3();
}

/* x86-64-v4 and AVX512_VPOPCNTDQ. */
static inline bool cpu_has_avx512(void)
{
    return cpu_has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

#endif
#endif
