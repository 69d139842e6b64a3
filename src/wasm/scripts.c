/* Bots that are scripts of the page (bots/process.h): the page runs a script in the worker of this
 * module, and a question is a call. A script that does not return keeps the whole worker; the page
 * ends such a worker, and the bot has lost. */
#include "wasm/house.h"

#include "base/clock.h"
#include "base/error.h"
#include "bots/command_line.h"
#include "bots/process.h"
#include "bots/sandbox.h"

#include <stdlib.h>
#include <string.h>

/* Is there a script of that name? */
IMPORT("has_script") extern bool page_has_script(const char *name);
/* Starts a script anew: a number from 1, or 0. */
IMPORT("start_script") extern int page_start_script(const char *name);
IMPORT("stop_script") extern void page_stop_script(int number);
/* Asks a script; what it answers goes to script_answers or script_fails during the call. */
IMPORT("ask_script") extern void page_ask_script(int number, const char *question, int left_ms);

static Process *asked; /* the process whose script is being asked */

static void answer(ProcessAnswer result, const char *text)
{
    asked->answer = result;
    free(asked->inbox);
    asked->inbox = strdup(text);
    asked->n_inbox = asked->n_line = asked->inbox ? strlen(text) : 0;
    if (!asked->inbox)
        asked->answer = PROCESS_GONE;
}

EXPORT("script_answers") void script_answers(const char *line)
{
    answer(strlen(line) > MAX_LINE_BYTES ? PROCESS_FLOODED : PROCESS_ANSWERED, line);
}

/* It threw an error, or has no function to ask. */
EXPORT("script_fails") void script_fails(const char *why)
{
    answer(PROCESS_GONE, "");
    free(asked->error_text);
    asked->error_text = strdup(why);
    asked->n_error_text = asked->error_text ? strlen(why) : 0;
}

/* It had not answered in time when it was asked before. */
EXPORT("script_hangs") void script_hangs(void) { answer(PROCESS_TIMED_OUT, ""); }

/* ---- processes ---------------------------------------------------------------------------- */

bool process_start(Process *process, char *const *words, const ProcessTerms *terms,
                   TurfError *error)
{
    (void)terms;
    *process = (Process){.to = -1, .from = -1, .errors = -1, .pid_fd = -1, .processor = -1};
    process->pid = page_start_script(words[0]);
    return process->pid || error_not_found(error, "the bot '%.60s' could not be started", words[0]);
}

bool process_accept(Process *process, int listener, int64_t deadline_ns, const atomic_bool *stop,
                    TurfError *error)
{
    (void)process;
    (void)listener;
    (void)deadline_ns;
    (void)stop;
    return error_invalid(error, "a page has no network");
}

void process_ask(Process *process, char *question, int64_t deadline_ns, const atomic_bool *stop)
{
    (void)stop;
    process->asked_ns = clock_ns();
    process->deadline_ns = deadline_ns;
    asked = process;
    process->answer = PROCESS_PENDING;
    int64_t left_ms = (deadline_ns - process->asked_ns) / 1000000;
    page_ask_script(process->pid, question, deadline_ns ? (int)left_ms : 0);
    free(question);
    if (process->answer == PROCESS_PENDING)
        script_fails("it gave no answer");
    process->answered_ns = clock_ns();
    if (deadline_ns && process->answered_ns > deadline_ns && process->answer == PROCESS_ANSWERED)
        process->answer = PROCESS_TIMED_OUT;
}

void process_wait(Process *const *processes, size_t n_processes)
{
    (void)processes; /* an answer is there when process_ask returns */
    (void)n_processes;
}

const char *process_line(const Process *process, size_t *length)
{
    *length = process->n_line;
    return process->inbox;
}

void process_tell(Process *process, const char *text)
{
    (void)process;
    (void)text;
}

size_t process_n_extra_lines(const Process *process)
{
    (void)process;
    return 0;
}

bool process_has_exited(const Process *process)
{
    (void)process;
    return false;
}

bool process_exits_at_end_of_input(Process *process, int64_t patience_ms)
{
    (void)process;
    (void)patience_ms;
    return true;
}

/* A script that failed has ended with status 1. */
int process_stop(Process *process)
{
    page_stop_script(process->pid);
    free(process->inbox);
    process->inbox = NULL;
    process->pid = 0;
    return process->answer == PROCESS_GONE;
}

/* ---- commands ----------------------------------------------------------------------------- */

bool command_read(const char *command, char ***words, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (!page_has_script(command))
        return error_not_found(error, "there is no bot '%s' in this page",
                               error_quote(quoted, command));
    char *name = strdup(command);
    *words = name ? calloc(2, sizeof **words) : NULL;
    if (!*words) {
        free(name);
        return error_no_memory(error);
    }
    (*words)[0] = name;
    return true;
}

char **command_copy(char *const *words)
{
    char    **copy = NULL;
    TurfError unused;
    return command_read(words[0], &copy, &unused) ? copy : NULL;
}

void command_free(char **words)
{
    if (words)
        free(words[0]);
    free(words);
}

char *command_quote(const char *const *words, size_t n_words)
{
    return n_words ? strdup(words[0]) : NULL;
}

bool sandbox_wrap(Sandbox *sandbox, char *const *words, const SandboxTerms *terms, TurfError *error)
{
    (void)sandbox;
    (void)words;
    (void)terms;
    return error_invalid(error, "the browser is the sandbox");
}

void sandbox_release(Sandbox *sandbox) { (void)sandbox; }
