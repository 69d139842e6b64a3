#include "store/spans.h"

#include <stdlib.h>
#include <string.h>

static bool is_before(const Span *span, size_t pairing, uint64_t game)
{
    return span->pairing < pairing || (span->pairing == pairing && span->first + span->n <= game);
}

/* The index of the first span that ends after a game. */
static size_t find(const Spans *spans, size_t pairing, uint64_t game)
{
    size_t low = 0, high = spans->n;
    if (high > 0 && is_before(&spans->list[high - 1], pairing, game))
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&spans->list[middle], pairing, game))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert_at(Spans *spans, size_t at, Span span)
{
    if (spans->n == spans->room) {
        size_t room = spans->room ? 2 * spans->room : 16;
        Span  *larger = realloc(spans->list, room * sizeof *larger);
        if (!larger)
            return false;
        spans->list = larger;
        spans->room = room;
    }
    memmove(&spans->list[at + 1], &spans->list[at], (spans->n - at) * sizeof *spans->list);
    spans->list[at] = span;
    spans->n++;
    return true;
}

bool spans_add(Spans *spans, Span span)
{
    if (span.n == 0)
        return true;
    /* All that overlap or touch it become one with it. */
    size_t   at = find(spans, span.pairing, span.first), end;
    uint64_t last = span.first + span.n;
    if (at > 0 && spans->list[at - 1].pairing == span.pairing &&
        spans->list[at - 1].first + spans->list[at - 1].n == span.first)
        at--;
    for (end = at; end < spans->n && spans->list[end].pairing == span.pairing && spans->list[end].first <= last;
         end++) {
        const Span *old = &spans->list[end];
        if (old->first < span.first)
            span.first = old->first;
        if (old->first + old->n > last)
            last = old->first + old->n;
    }
    span.n = last - span.first;
    if (end == at)
        return insert_at(spans, at, span);
    spans->list[at] = span;
    memmove(&spans->list[at + 1], &spans->list[end], (spans->n - end) * sizeof *spans->list);
    spans->n -= end - at - 1;
    return true;
}

void spans_release(Spans *spans)
{
    free(spans->list);
    *spans = (Spans){0};
}

Span spans_first_missing(const Spans *spans, Span span)
{
    uint64_t last = span.first + span.n;
    size_t   at = find(spans, span.pairing, span.first);
    if (at < spans->n && spans->list[at].pairing == span.pairing && spans->list[at].first <= span.first) {
        uint64_t behind = spans->list[at].first + spans->list[at].n;
        span.first = behind < last ? behind : last;
        at++;
    }
    if (at < spans->n && spans->list[at].pairing == span.pairing && spans->list[at].first < last)
        last = spans->list[at].first;
    span.n = last - span.first;
    return span;
}

bool spans_overlap(const Spans *spans, Span span)
{
    size_t at = find(spans, span.pairing, span.first);
    return span.n > 0 && at < spans->n && spans->list[at].pairing == span.pairing &&
           spans->list[at].first < span.first + span.n;
}

bool spans_contain(const Spans *spans, Span span) { return spans_first_missing(spans, span).n == 0; }
