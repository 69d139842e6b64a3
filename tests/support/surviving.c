#include "surviving.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Some reports print a message in place of a missing table. */
static bool says_so(const char *text) { return strstr(text, "out of memory") != NULL; }

/* Runs the task; NULL if it failed. The output stream itself is exempt from failures. */
static char *answer_of(Task *task, const Place *place, const void *detail, uint64_t nth,
                       FailingMode mode, bool *has_failed, TurfError *error)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    *error = (TurfError){0};
    failing_begin(nth, mode);
    bool is_good = task(place, detail, out, error);
    *has_failed = failing_end();
    fclose(out);
    if (is_good)
        return text;
    free(text);
    return NULL;
}

static void fail_where(uint64_t nth, const char *answer, const char *expected)
{
    size_t same = 0;
    while (answer[same] && answer[same] == expected[same])
        same++;
    const char *from = answer + (same > 100 ? same - 100 : 0);
    fail_msg("allocation %llu failed, and the answer went on after '%.*s' with '%.60s' instead of "
             "'%.60s'",
             (unsigned long long)nth, (int)(answer + same - from), from, answer + same,
             expected + same);
}

void survives(Task *task, const Place *place, const void *detail, uint64_t spread)
{
    bool      has_failed = false;
    TurfError error;
    char     *expected = answer_of(task, place, detail, 0, FAILING_ONCE, &has_failed, &error);
    assert_string_equal(error.text, "");
    assert_non_null(expected);
    for (FailingMode mode = FAILING_ONCE; mode <= FAILING_ON; mode++) {
        uint64_t nth = 1;
        do {
            int64_t n_before = failing_n_blocks();
            char   *answer = answer_of(task, place, detail, nth, mode, &has_failed, &error);
            if (!answer && !(has_failed && *error.text))
                fail_msg("it failed without a word when allocation %llu did",
                         (unsigned long long)nth);
            if (answer && strcmp(answer, expected) && !says_so(answer))
                fail_where(nth, answer, expected);
            free(answer);
            if (failing_n_blocks() != n_before)
                fail_msg("allocation %llu failed, and %lld blocks were lost",
                         (unsigned long long)nth, (long long)(failing_n_blocks() - n_before));
            nth += 1 + nth / spread;
        } while (has_failed);
    }
    free(expected);
}
