#include "cmd/database.h"

#include "base/error.h"
#include "cmd/console.h"
#include "cmd/session.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

Store *database_read(const Settings *settings)
{
    TurfError   error;
    bool        is_named;
    const char *name = session_db_name(settings, &is_named);
    if (!name)
        die("--db none has nothing to look at; name a database");
    Store *store = store_open(name, STORE_READ, &error);
    if (!store)
        die(is_named ? "%s" : "%s; name one with --db", error.text);
    return store;
}

int64_t database_run(const Arguments *arguments)
{
    char quoted[ERROR_QUOTE_BYTES], *end = NULL;
    if (arguments->n_words == 0)
        return 0;
    errno = 0;
    long long id = strtoll(arguments->words[0], &end, 10);
    if (!isdigit((unsigned char)*arguments->words[0]) || *end || errno || id == 0)
        die("'%s' is not the number of a run; 'turf runs' lists them",
            error_quote(quoted, arguments->words[0]));
    return id;
}
