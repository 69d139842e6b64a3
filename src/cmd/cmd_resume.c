/* turf resume: an interrupted run, finished. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/database.h"
#include "cmd/outcome.h"
#include "cmd/session.h"

#include <stdlib.h>

/* The number that was typed, or that of the last run that is not finished. */
static int64_t choose_run(const Arguments *arguments, Store *store)
{
    char       quoted[ERROR_QUOTE_BYTES];
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    int64_t    chosen = database_run(arguments);
    if (chosen)
        return chosen;
    if (!runs_read(store, &runs, &n_runs, &error))
        die("%s", error.text);
    int64_t last = n_runs > 0 ? runs[n_runs - 1].id : 0;
    for (size_t i = 0; i < n_runs; i++)
        if (!runs[i].is_finished)
            chosen = runs[i].id;
    runs_free(runs, n_runs);
    error_quote(quoted, store_path(store));
    if (n_runs == 0)
        die("there are no runs in '%s'", quoted);
    if (chosen == 0)
        die("every run in '%s' is finished; 'turf resume %lld' shows the last one again", quoted,
            (long long)last);
    return chosen;
}

int cmd_resume(const Arguments *arguments)
{
    TurfError   error;
    bool        is_named;
    RunRecord   record;
    Run         run;
    const char *name = session_db_name(&arguments->settings, &is_named);
    if (!name)
        die("--db none has nothing to resume; name a database");
    /* A finished run is only shown again, which needs no right to write. */
    Store *store = store_open(name, STORE_WRITE, &error);
    bool   can_write = store;
    if (!store)
        store = store_open(name, STORE_READ, &(TurfError){0});
    if (!store || !runs_find(store, choose_run(arguments, store), &record, &error) ||
        (!record.is_finished && !can_write))
        die("%s", error.text);
    if (!record.is_finished)
        session_warn_of_version(&record);
    if (!run_resume(&run, store, &record, !record.is_finished, &error))
        die("%s", error.text);
    bool is_finished = record.is_finished;
    run_record_release(&record);
    if (!is_finished)
        return session_resume(arguments, &run);
    outcome_print(&run, &arguments->settings);
    int status = outcome_status(&run, &arguments->settings);
    run_release(&run);
    store_close(store);
    return status;
}
