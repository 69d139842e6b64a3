/* Submissions: bots that teams hand in, from the file to a version that plays.
 *
 * A submission is written to the league's file first, and then worked on: built in the sandbox
 * (league/bot_build.h), checked in it (arena/bot_check.h) under the rules of the league, and added
 * as a new version of the team's bot. What fails is refused with a sentence, and the last good
 * version plays on. Its files lie in FILE.bots, a folder beside the league's file, and can be built
 * again from the archive.
 *
 * One program at a time works on the submissions of a league: it holds a lock in FILE.bots, which
 * ends with it. A submission that it leaves unfinished is begun again by the next. */
#ifndef TURF_LEAGUE_SUBMISSION_H
#define TURF_LEAGUE_SUBMISSION_H

#include "league/league.h"
#include "store/submissions.h"

#include <jansson.h>
#include <stdatomic.h>

enum {
    MAX_SUBMISSIONS_PER_HOUR = 20, /* of a team */
    MAX_REFUSED_KEPT = 20          /* of a team */
};

typedef struct SubmissionTerms {
    const char        *turf; /* the path of this program, which is started to build */
    const atomic_bool *stop; /* ends the work when it is set; may be NULL */
    /* Called after each change of the submission; may be NULL. */
    void (*changed)(void *context, const SubmissionRecord *submission);
    void *context;
} SubmissionTerms;

/* A file that is handed in. */
typedef struct SubmittedFile {
    const char *name; /* anything; NULL: none */
    const void *bytes;
    size_t      n_bytes;
    bool        is_of_owner; /* who may hand in as often as he likes */
} SubmittedFile;

/* Enters a file of a team as waiting. INVALID if it is too large, the league is frozen or has no
 * sandbox; NOT_FOUND if there is no such team; BUSY if another one of the team waits, or it has
 * handed in too often. The caller releases the record. */
bool submission_hand_in(League *league, const char *team, const SubmittedFile *file,
                        SubmissionRecord *submission, TurfError *error);

/* Works on a submission until it is accepted or refused; nothing to do if it is. False: it could
 * not be worked on, and is begun again later. */
bool submission_process(Store *store, int64_t id, const SubmissionTerms *terms, TurfError *error);
/* Works on the oldest that waits; `id` gets it, or 0 if there is none. */
bool submission_process_next(Store *store, const SubmissionTerms *terms, int64_t *id,
                             TurfError *error);

/* Builds the versions again whose files are missing, if they were handed in here. */
bool submissions_restore(const League *league, const SubmissionTerms *terms, TurfError *error);

/* Was a version handed in by somebody? Then the league is played in the sandbox only. */
bool league_has_submissions(const League *league);

/* A submission for the API and for --json; NULL when out of memory. A list leaves out what the
 * steps said. */
json_t *submission_json(const SubmissionRecord *submission, bool has_texts);

#endif
