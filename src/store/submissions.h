/* The table of submissions: bots that teams of a league handed in. The archive is a blob beside its
 * row, so that a league stays one file; a submission that was refused keeps its words alone. */
#ifndef TURF_STORE_SUBMISSIONS_H
#define TURF_STORE_SUBMISSIONS_H

#include "store/store.h"

enum {
    FIRST_WITH_SUBMISSIONS = 5, /* migrations of a file that has the table */
    MAX_SUBMISSION_BYTES = 5 << 20,
    MAX_STEP_TEXT = 32 << 10, /* bytes of what a step said */
    MAX_SUBMISSION_TRIES = 1000
};

typedef enum SubmissionStatus {
    SUBMISSION_WAITING,
    SUBMISSION_BUILDING,
    SUBMISSION_CHECKING,
    SUBMISSION_ACCEPTED,
    SUBMISSION_REFUSED
} SubmissionStatus;
enum { N_SUBMISSION_STATUSES = SUBMISSION_REFUSED + 1 };
extern const char *const submission_status_names[N_SUBMISSION_STATUSES];

typedef enum SubmissionStep { STEP_UNPACK, STEP_BUILD, STEP_CHECK } SubmissionStep;
enum { N_SUBMISSION_STEPS = STEP_CHECK + 1, SUBMISSION_HASH_BYTES = 65 };
extern const char *const submission_step_names[N_SUBMISSION_STEPS];

typedef struct SubmissionRecord {
    int64_t          id, team, created; /* team: its id; created: seconds since 1970 */
    size_t           n_bytes;
    char            *file_name;
    char             hash[SUBMISSION_HASH_BYTES]; /* SHA-256 of the archive, in hexadecimal */
    SubmissionStatus status;
    int              n_tries;                   /* how often it was begun */
    int              version;                   /* of the team; 0 unless accepted */
    char            *sentence;                  /* why it was refused; else NULL */
    char            *steps[N_SUBMISSION_STEPS]; /* what each said; NULL: not reached */
} SubmissionRecord;

/* Frees the texts, and zeroes the record. */
void submission_record_release(SubmissionRecord *submission);
void submissions_free(SubmissionRecord *list, size_t n);

/* Call these in a transaction. The first sets `id` and `created`. */
bool submissions_add(Store *store, SubmissionRecord *submission, const void *archive,
                     TurfError *error);
/* Writes status, tries, version, sentence and steps. */
bool submissions_update(Store *store, const SubmissionRecord *submission, TurfError *error);
/* Forgets refused submissions of a team but the last `n_kept`. */
bool submissions_trim(Store *store, int64_t team, int n_kept, TurfError *error);

/* NOT_FOUND if there is none of that number. */
bool submissions_find(Store *store, int64_t id, SubmissionRecord *submission, TurfError *error);
/* The newest of a team, newest first. */
bool submissions_of_team(Store *store, int64_t team, int n_max, SubmissionRecord **list, size_t *n,
                         TurfError *error);
/* The oldest that is neither accepted nor refused; 0: none. */
bool submissions_next(Store *store, int64_t *id, TurfError *error);
/* How many a team has handed in since a time, and how many of all it has that wait. */
bool submissions_count(Store *store, int64_t team, int64_t since, int64_t *n_since,
                       int64_t *n_waiting, TurfError *error);
/* The bytes of an archive, to be freed. NOT_FOUND if they were forgotten. */
bool submissions_archive(Store *store, int64_t id, void **bytes, size_t *n_bytes, TurfError *error);

#endif
