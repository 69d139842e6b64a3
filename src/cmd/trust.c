/* Asks before programs of a stranger's plan are started: at a terminal with a question, elsewhere
 * with an error that says what to type. */
#include "cmd/trust.h"

#include "arena/plan_signature.h"
#include "base/error.h"
#include "cmd/console.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line for each program or port, without control characters. */
static void show_commands(const Plan *plan)
{
    TurfError unused;
    for (size_t i = 0; i < plan->n_entrants; i++) {
        const EntrantRecord *entrant = &plan->entrants[i];
        const PlayerKind    *kind = player_kind_named(plan->game, entrant->spec, &unused);
        char                *line = NULL;
        if (!kind || !kind->is_external || kind->home_seat)
            continue;
        if (asprintf(&line, "  %s%s%s", entrant->spec, entrant->folder ? ", in " : "",
                     entrant->folder ? entrant->folder : "") < 0)
            die("out of memory");
        error_flatten(line);
        fprintf(stderr, "%s\n", line);
        free(line);
    }
}

static bool agrees(void)
{
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    fputs("Start them, in the sandbox? [y/N] ", stderr);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

bool is_own_run(Store *store, const RunRecord *run, const Settings *settings)
{
    Plan      plan;
    TurfError error;
    char      signature[SIGNATURE_BYTES + 1], quoted[ERROR_QUOTE_BYTES];
    if (!plan_from_json(&plan, run->plan, &error) ||
        !runs_signature(store, run->id, signature, sizeof signature, &error))
        die("%s", error.text);
    bool is_own = !plan_has_bots(&plan) || plan_is_own(run->plan, signature);
    if (!is_own && !settings->is_trusting) {
        fprintf(stderr, "turf resume: run %lld was begun elsewhere, and would start:\n",
                (long long)run->id);
        show_commands(&plan);
        if (!agrees())
            die("nothing was started; if you trust the programs of run %lld in '%s', add --trust",
                (long long)run->id, error_quote(quoted, store_path(store)));
    }
    plan_release(&plan);
    return is_own;
}
