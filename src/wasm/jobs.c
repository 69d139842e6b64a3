/* Work for other workers: the page fetches a question (take_job), gives it to a worker, whose
 * module answers it (do_job), and brings the answer back (job_done). Questions and answers are
 * JSON; numbers of 64 bits travel as text. */
#include "wasm/house.h"

#include "base/checked_json.h"
#include "wasm/work.h"

#include <stdlib.h>
#include <string.h>

typedef struct Job {
    struct Job *next;
    int         number;
    json_t     *question; /* NULL: it was taken */
    JobDone    *done;
    void       *context;
} Job;

static Job *jobs;
static int  n_jobs;

int job_add(json_t *question, JobDone *done, void *context)
{
    Job *job = malloc(sizeof *job);
    if (!job || !question) {
        free(job);
        json_decref(question);
        return 0;
    }
    *job = (Job){
        .next = jobs, .number = ++n_jobs, .question = question, .done = done, .context = context};
    json_object_set_new(question, "job", json_integer(job->number));
    jobs = job;
    return job->number;
}

/* The oldest question that was not taken yet; NULL: there is none. The page frees it. */
EXPORT("take_job") char *house_take_job(void)
{
    Job *oldest = NULL;
    for (Job *each = jobs; each; each = each->next)
        if (each->question)
            oldest = each;
    if (!oldest)
        return NULL;
    char *text = json_dumps(oldest->question, JSON_COMPACT);
    json_decref(oldest->question);
    oldest->question = NULL;
    return text;
}

EXPORT("job_done") void house_job_done(int number, const char *text)
{
    for (Job **at = &jobs; *at; at = &(*at)->next)
        if ((*at)->number == number) {
            Job    *job = *at;
            json_t *answer = json_loads(text, 0, NULL);
            *at = job->next;
            job->done(job->context, answer);
            json_decref(answer);
            json_decref(job->question);
            free(job);
            return;
        }
}

/* Does a job of another module; the page frees the answer. */
EXPORT("do_job") char *engine_do_job(const char *text)
{
    json_t     *question = json_loads(text, 0, NULL), *answer = NULL;
    const char *kind = json_string_value(json_object_get(question, "kind"));
    if (kind && !strcmp(kind, "think"))
        answer = work_think(question);
    else if (kind && !strcmp(kind, "play"))
        answer = work_play(question);
    else if (kind && !strcmp(kind, "leave"))
        answer = work_leave(question);
    char *line = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    json_decref(question);
    json_decref(answer);
    return line ? line : strdup("{\"error\":\"out of memory\"}");
}
