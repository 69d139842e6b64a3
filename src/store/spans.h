/* A set of games: spans of numbers, by pairing. */
#ifndef TURF_STORE_SPANS_H
#define TURF_STORE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Span {
    size_t   pairing;
    uint64_t first, n;
} Span;

/* Sorted, never overlapping, never touching. */
typedef struct Spans {
    Span  *list;
    size_t n, room;
} Spans;

/* False when memory is short. Adding in rising order is quick. */
bool spans_add(Spans *spans, Span span);
void spans_release(Spans *spans);

/* The first games of `span` that are not in the set; none left: n is 0. */
Span spans_first_missing(const Spans *spans, Span span);
bool spans_overlap(const Spans *spans, Span span);
bool spans_contain(const Spans *spans, Span span);

#endif
