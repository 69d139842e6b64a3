/* Finds the database and the run that a command works on. */
#include "cmd/database.h"

#include "base/error.h"
#include "cmd/console.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *database_name(const Settings *settings, bool *is_named)
{
    const char *name = settings->db, *from_environment = getenv("TURF_DB");
    if (!name && from_environment && *from_environment)
        name = from_environment;
    *is_named = name != NULL;
    if (!name)
        return "turf.db";
    if (!*name)
        die("--db needs the name of a file, or none");
    return strcmp(name, "none") ? name : NULL;
}

Store *database_read(const Settings *settings)
{
    TurfError   error;
    bool        is_named;
    const char *name = database_name(settings, &is_named);
    if (!name)
        die("--db none has no runs; name a database");
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
