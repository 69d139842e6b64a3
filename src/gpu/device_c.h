/* The C that kernels are written in: OpenCL C with the names that rules headers use. It stands for
 * the headers of the C library and for turf.h, of which it has what rules need. The bench compiles
 * kernels as CUDA too, with these names defined by itself. */
#ifndef TURF_GPU_DEVICE_C_H
#define TURF_GPU_DEVICE_C_H

#ifdef __OPENCL_C_VERSION__
typedef uchar  uint8_t;
typedef ushort uint16_t;
typedef uint   uint32_t;
typedef int    int32_t;
typedef ulong  uint64_t;
typedef long   int64_t;
#define UINT64_C(number) number##UL
/* Rules and arrays are passed by pointer, and should still end up in registers: so no function is
 * left to be called. embed_kernel.py writes INLINE for "static inline" in the headers too. */
#define INLINE static inline __attribute__((always_inline))
/* A kernel; a variable that its work-group shares. */
#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
#define SHARED __local
#endif

typedef enum TurfSide { TURF_FIRST = 0, TURF_SECOND = 1 } TurfSide;

/* device.c checks that the numbers are those of turf.h. */
typedef enum TurfEnding {
    TURF_WON_BY_FIRST,
    TURF_WON_BY_SECOND,
    TURF_DRAWN,
    TURF_STALEMATE,
    TURF_EXHAUSTED,
    TURF_N_ENDINGS
} TurfEnding;

typedef uint32_t TurfMove;

typedef struct TurfRng {
    uint64_t state;
} TurfRng;

#endif
