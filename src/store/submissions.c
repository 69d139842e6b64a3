/* The table league_submissions. Rows are read as those of strangers: what does not fit together is
 * damage. A file that was made before there were submissions has none. */
#include "store/submissions.h"

#include "base/error.h"
#include "store/sql.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const submission_status_names[N_SUBMISSION_STATUSES] = {
    "waiting", "building", "checking", "accepted", "refused"};
const char *const submission_step_names[N_SUBMISSION_STEPS] = {"unpack", "build", "check"};

enum { MAX_NAME_BYTES = 400, MAX_VERSION = 100000 };

void submission_record_release(SubmissionRecord *submission)
{
    free(submission->file_name);
    free(submission->sentence);
    for (int i = 0; i < N_SUBMISSION_STEPS; i++)
        free(submission->steps[i]);
    *submission = (SubmissionRecord){0};
}

void submissions_free(SubmissionRecord *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        submission_record_release(&list[i]);
    free(list);
}

/* ---- writing ------------------------------------------------------------------------------ */

bool submissions_add(Store *store, SubmissionRecord *submission, const void *archive,
                     TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "INSERT INTO league_submissions(team, created, file_name, n_bytes, hash,"
                    " status, archive) VALUES(?,?,?,?,?,?,?)",
                    error))
        return false;
    submission->created = (int64_t)time(NULL);
    submission->status = SUBMISSION_WAITING;
    query_bind_number(&query, submission->team);
    query_bind_number(&query, submission->created);
    query_bind_text(&query, submission->file_name);
    query_bind_number(&query, (int64_t)submission->n_bytes);
    query_bind_text(&query, submission->hash);
    query_bind_text(&query, submission_status_names[submission->status]);
    query_bind_bytes(&query, archive, submission->n_bytes);
    if (!query_run(&query, error))
        return false;
    submission->id = sql_last_id(store);
    return true;
}

bool submissions_update(Store *store, const SubmissionRecord *submission, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "UPDATE league_submissions SET status=?, n_tries=?, version=nullif(?, 0),"
                    " sentence=?, unpacked=?, built=?, checked=?,"
                    " archive=iif(?, NULL, archive) WHERE id=?",
                    error))
        return false;
    query_bind_text(&query, submission_status_names[submission->status]);
    query_bind_number(&query, submission->n_tries);
    query_bind_number(&query, submission->version);
    query_bind_text(&query, submission->sentence);
    for (int i = 0; i < N_SUBMISSION_STEPS; i++)
        query_bind_text(&query, submission->steps[i]);
    query_bind_number(&query, submission->status == SUBMISSION_REFUSED);
    query_bind_number(&query, submission->id);
    return query_run(&query, error);
}

bool submissions_trim(Store *store, int64_t team, int n_kept, TurfError *error)
{
    Query query;
    if (!query_open(&query, store,
                    "DELETE FROM league_submissions WHERE team=?1 AND status='refused' AND id NOT"
                    " IN (SELECT id FROM league_submissions WHERE team=?1 AND status='refused'"
                    " ORDER BY id DESC LIMIT ?2)",
                    error))
        return false;
    query_bind_number(&query, team);
    query_bind_number(&query, n_kept);
    return query_run(&query, error);
}

/* ---- reading ------------------------------------------------------------------------------ */

#define COLUMNS                                                                                    \
    "id, team, created, file_name, n_bytes, hash, status, n_tries, coalesce(version, 0),"          \
    " archive IS NOT NULL, sentence, unpacked, built, checked FROM league_submissions"

static SubmissionStatus read_status(Query *query)
{
    const char *word = query_text(query, "league_submissions.status");
    for (int i = 0; i < N_SUBMISSION_STATUSES; i++)
        if (!strcmp(word, submission_status_names[i]))
            return (SubmissionStatus)i;
    query_check(query, false, "league_submissions.status");
    return SUBMISSION_REFUSED;
}

static void read_hash(Query *query, char hash[SUBMISSION_HASH_BYTES])
{
    const char *text = query_text(query, "league_submissions.hash");
    bool        is_good = strlen(text) == SUBMISSION_HASH_BYTES - 1 &&
                   strspn(text, "0123456789abcdef") == SUBMISSION_HASH_BYTES - 1;
    query_check(query, is_good, "league_submissions.hash");
    if (is_good)
        memcpy(hash, text, SUBMISSION_HASH_BYTES);
}

/* False when out of memory. */
static bool read_words(Query *query, size_t max_bytes, const char *name, char **copy)
{
    const char *text = query_text_or_null(query, name);
    if (!text)
        return true;
    query_check(query, strlen(text) <= max_bytes, name);
    *copy = strdup(text);
    return *copy != NULL;
}

static bool read_submission(Query *query, void *item)
{
    SubmissionRecord *submission = item;
    submission->id = query_number_in(query, 1, INT64_MAX, "league_submissions.id");
    submission->team = query_number_in(query, 1, INT64_MAX, "league_submissions.team");
    submission->created =
        query_number_in(query, 0, MAX_STORED_SECONDS, "league_submissions.created");
    const char *name = query_text(query, "league_submissions.file_name");
    query_check(query, strlen(name) <= MAX_NAME_BYTES, "league_submissions.file_name");
    submission->file_name = strdup(name);
    submission->n_bytes =
        (size_t)query_number_in(query, 0, MAX_SUBMISSION_BYTES, "league_submissions.n_bytes");
    read_hash(query, submission->hash);
    submission->status = read_status(query);
    submission->n_tries =
        (int)query_number_in(query, 0, MAX_SUBMISSION_TRIES, "league_submissions.n_tries");
    submission->version = (int)query_number_in(query, 0, MAX_VERSION, "league_submissions.version");
    query_check(query, (submission->version > 0) == (submission->status == SUBMISSION_ACCEPTED),
                "league_submissions.version");
    bool has_archive = query_flag(query, "league_submissions.archive");
    query_check(query, has_archive == (submission->status != SUBMISSION_REFUSED),
                "league_submissions.archive");
    bool is_good =
        submission->file_name &&
        read_words(query, MAX_STEP_TEXT, "league_submissions.sentence", &submission->sentence);
    static const char *const names[] = {"league_submissions.unpacked", "league_submissions.built",
                                        "league_submissions.checked"};
    for (int i = 0; i < N_SUBMISSION_STEPS && is_good; i++)
        is_good = read_words(query, MAX_STEP_TEXT, names[i], &submission->steps[i]);
    return is_good;
}

static bool is_too_old(const Store *store) { return store->n_migrations < FIRST_WITH_SUBMISSIONS; }

typedef struct Found {
    SubmissionRecord *submission;
    bool              has_memory;
} Found;

static bool read_found(void *context, Query *query)
{
    Found *found = context;
    found->has_memory = read_submission(query, found->submission);
    return true;
}

bool submissions_find(Store *store, int64_t id, SubmissionRecord *submission, TurfError *error)
{
    static const char missing[] = "there is no such submission";
    Query             query;
    Found             found = {submission, true};
    *submission = (SubmissionRecord){0};
    if (is_too_old(store))
        return error_not_found(error, missing);
    if (!query_open(&query, store, "SELECT " COLUMNS " WHERE id=?", error))
        return false;
    query_bind_number(&query, id);
    bool is_good = query_visit_one(&query, read_found, &found, missing, error) &&
                   (found.has_memory || error_no_memory(error));
    if (!is_good)
        submission_record_release(submission);
    return is_good;
}

bool submissions_of_team(Store *store, int64_t team, int n_max, SubmissionRecord **list, size_t *n,
                         TurfError *error)
{
    Query query;
    *list = NULL;
    *n = 0;
    if (is_too_old(store))
        return true;
    if (!query_open(&query, store, "SELECT " COLUMNS " WHERE team=? ORDER BY id DESC LIMIT ?",
                    error))
        return false;
    query_bind_number(&query, team);
    query_bind_number(&query, n_max);
    if (query_read_list(&query, read_submission, sizeof **list, (void **)list, n, error))
        return true;
    submissions_free(*list, *n);
    *list = NULL;
    *n = 0;
    return false;
}

bool submissions_next(Store *store, int64_t *id, TurfError *error)
{
    Query query;
    *id = 0;
    if (is_too_old(store))
        return true;
    if (!query_open(&query, store,
                    "SELECT coalesce(min(id), 0) FROM league_submissions WHERE status NOT IN"
                    " ('accepted', 'refused')",
                    error))
        return false;
    if (query_next(&query))
        *id = query_number_in(&query, 0, INT64_MAX, "league_submissions.id");
    return query_end(&query, error);
}

bool submissions_count(Store *store, int64_t team, int64_t since, int64_t *n_since,
                       int64_t *n_waiting, TurfError *error)
{
    Query query;
    *n_since = *n_waiting = 0;
    if (is_too_old(store))
        return true;
    if (!query_open(&query, store,
                    "SELECT coalesce(sum(created>=?), 0), coalesce(sum(status NOT IN ('accepted',"
                    " 'refused')), 0) FROM league_submissions WHERE team=?",
                    error))
        return false;
    query_bind_number(&query, since);
    query_bind_number(&query, team);
    if (query_next(&query)) {
        *n_since = query_number_in(&query, 0, INT64_MAX, "league_submissions.created");
        *n_waiting = query_number_in(&query, 0, INT64_MAX, "league_submissions.status");
    }
    return query_end(&query, error);
}

typedef struct Bytes {
    void  *bytes;
    size_t n;
    bool   has_memory;
} Bytes;

static bool read_archive(void *context, Query *query)
{
    Bytes *archive = context;
    archive->has_memory = query_copy_bytes(
        query, MAX_SUBMISSION_BYTES, "league_submissions.archive", &archive->bytes, &archive->n);
    return true;
}

bool submissions_archive(Store *store, int64_t id, void **bytes, size_t *n_bytes, TurfError *error)
{
    static const char missing[] = "the archive of this submission is not in the file";
    Query             query;
    Bytes             archive = {NULL, 0, true};
    *bytes = NULL;
    *n_bytes = 0;
    if (is_too_old(store))
        return error_not_found(error, missing);
    if (!query_open(&query, store,
                    "SELECT archive FROM league_submissions WHERE id=? AND archive IS NOT NULL",
                    error))
        return false;
    query_bind_number(&query, id);
    bool is_good = query_visit_one(&query, read_archive, &archive, missing, error) &&
                   (archive.has_memory || error_no_memory(error));
    if (!is_good) {
        free(archive.bytes);
        return false;
    }
    *bytes = archive.bytes;
    *n_bytes = archive.n;
    return true;
}
