#include "failing_memory.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The linker's names for the wrapped functions and for the originals. */
void *__wrap_malloc(size_t n_bytes);
void *__wrap_calloc(size_t n, size_t n_bytes);
void *__wrap_realloc(void *old, size_t n_bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t n_bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t max);
int   __wrap_vasprintf(char **text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int   __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
FILE *__wrap_open_memstream(char **text, size_t *length);
void  __wrap_free(void *block);
void *__real_malloc(size_t n_bytes);
void *__real_calloc(size_t n, size_t n_bytes);
void *__real_realloc(void *old, size_t n_bytes);
void *__real_aligned_alloc(size_t alignment, size_t n_bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t max);
int   __real_vasprintf(char **text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
FILE *__real_open_memstream(char **text, size_t *length);
void  __real_free(void *block);

static atomic_uint_fast64_t n_asked, fails_from;
static atomic_bool          fails_on, has_failed;
static atomic_int_fast64_t  n_blocks;

void failing_begin(uint64_t nth, FailingMode mode)
{
    n_asked = 0;
    has_failed = false;
    fails_on = mode == FAILING_ON;
    fails_from = nth;
}

bool failing_end(void)
{
    fails_from = 0;
    return has_failed;
}

int64_t failing_n_blocks(void) { return n_blocks; }

static bool fails_now(void)
{
    uint64_t from = fails_from, number = from ? ++n_asked : 0;
    bool     fails = from && (number == from || (fails_on && number > from));
    if (fails)
        has_failed = true;
    return fails;
}

static void *counted(void *block)
{
    n_blocks += block != NULL;
    return block;
}

void *__wrap_malloc(size_t n_bytes) { return fails_now() ? NULL : counted(__real_malloc(n_bytes)); }

void *__wrap_calloc(size_t n, size_t n_bytes)
{
    return fails_now() ? NULL : counted(__real_calloc(n, n_bytes));
}

void *__wrap_realloc(void *old, size_t n_bytes)
{
    if (fails_now())
        return NULL;
    return old ? __real_realloc(old, n_bytes) : counted(__real_realloc(NULL, n_bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t n_bytes)
{
    return fails_now() ? NULL : counted(__real_aligned_alloc(alignment, n_bytes));
}

char *__wrap_strdup(const char *text) { return fails_now() ? NULL : counted(__real_strdup(text)); }

char *__wrap_strndup(const char *text, size_t max)
{
    return fails_now() ? NULL : counted(__real_strndup(text, max));
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    int length = fails_now() ? -1 : __real_vasprintf(text, format, arguments);
    if (length >= 0)
        (void)counted(*text);
    else
        memset(text, 0x5a, sizeof *text); /* undefined: must not be read */
    return length;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
    FILE *stream = fails_now() ? NULL : __real_open_memstream(text, length);
    n_blocks += stream != NULL; /* the buffer, which the caller frees */
    return stream;
}

void __wrap_free(void *block)
{
    n_blocks -= block != NULL;
    __real_free(block);
}

/* ---- SQLite asks for block sizes ---------------------------------------------------------- */

enum { HEAD = 16 };

static void *sql_malloc(int n_bytes)
{
    char *block = __wrap_malloc((size_t)n_bytes + HEAD);
    if (!block)
        return NULL;
    memcpy(block, &n_bytes, sizeof n_bytes);
    return block + HEAD;
}

static void sql_free(void *block) { __wrap_free((char *)block - HEAD); }

static int sql_size(void *block)
{
    int n_bytes = 0;
    if (block)
        memcpy(&n_bytes, (char *)block - HEAD, sizeof n_bytes);
    return n_bytes;
}

static void *sql_realloc(void *old, int n_bytes)
{
    char *block = __wrap_realloc((char *)old - HEAD, (size_t)n_bytes + HEAD);
    if (!block)
        return NULL;
    memcpy(block, &n_bytes, sizeof n_bytes);
    return block + HEAD;
}

static int  sql_roundup(int n_bytes) { return (n_bytes + 7) & ~7; }
static int  sql_init(void *unused) { return (void)unused, SQLITE_OK; }
static void sql_shutdown(void *unused) { (void)unused; }

static void *spared_malloc(size_t n_bytes) { return counted(__real_malloc(n_bytes)); }

void failing_spare_json(bool is_spared)
{
    json_set_alloc_funcs(is_spared ? spared_malloc : __wrap_malloc, __wrap_free);
}

void failing_install(void)
{
    static const sqlite3_mem_methods methods = {sql_malloc,  sql_free, sql_realloc,  sql_size,
                                                sql_roundup, sql_init, sql_shutdown, NULL};
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    (void)sqlite3_initialize();
}
