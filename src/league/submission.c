/* Submissions: the queue in the file, and the work on one of them, step by step. Each step is in
 * the file before the next begins, so that everybody sees how far it is, and a program that is
 * killed leaves a submission that can be begun again. */
#include "league/submission.h"

#include "arena/bot_check.h"
#include "base/checked_json.h"
#include "base/error.h"
#include "base/utf8.h"
#include "bots/sandbox.h"
#include "league/bot_build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_TRIES = 3,
    CHECK_TURNS = 16, /* of each game: a slow bot must not hold the others up */
    DEFAULT_MIB = 2048,
    DEFAULT_PROCESSES = 256
};

/* ---- the folder --------------------------------------------------------------------------- */

/* FILE.bots, with a name in it if that is given. False: the path is too long, or there is none. */
static bool bots_path(const Store *store, const char *name, char path[PATH_MAX], TurfError *error)
{
    char real[PATH_MAX];
    if (!realpath(store_path(store), real))
        return error_system(error, errno, "the league's file cannot be found: %s", strerror(errno));
    int length = snprintf(path, PATH_MAX, "%s.bots%s%s", real, *name ? "/" : "", name);
    return (length > 0 && length < PATH_MAX) ||
           error_invalid(error, "the path of the league's file is too long");
}

/* Where the files of an accepted submission lie. */
static bool version_path(const Store *store, const SubmissionRecord *submission,
                         char path[PATH_MAX], TurfError *error)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%lld-%.16s", (long long)submission->id, submission->hash);
    return bots_path(store, name, path, error);
}

/* Where they are built. */
static bool draft_path(const Store *store, const SubmissionRecord *submission, char path[PATH_MAX],
                       TurfError *error)
{
    char name[64];
    (void)snprintf(name, sizeof name, "draft-%lld", (long long)submission->id);
    return bots_path(store, name, path, error);
}

/* Waits for the lock; a descriptor, to be closed. -1: see `error`. */
static int lock_bots(const Store *store, const atomic_bool *stop, TurfError *error)
{
    enum { NAP_NS = 100000000 };
    char path[PATH_MAX];
    if (!bots_path(store, "", path, error))
        return -1;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        error_system(error, errno, "the folder '%s' cannot be made: %s", path, strerror(errno));
        return -1;
    }
    int file = -1;
    if (bots_path(store, "lock", path, error) &&
        (file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0)
        error_system(error, errno, "'%s' cannot be opened: %s", path, strerror(errno));
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (!(stop && atomic_load(stop))) {
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
            continue;
        }
        close(file);
        file = -1;
        error_set(error, TURF_ERROR_INTERRUPTED, "stopped while another bot was checked");
    }
    return file;
}

/* ---- handing in ----------------------------------------------------------------------------- */

static void hash_bytes_of(const void *bytes, size_t n_bytes, char hash[SUBMISSION_HASH_BYTES])
{
    struct sha256_ctx context;
    uint8_t           digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, n_bytes, bytes);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        (void)snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

/* The name as it is shown and built with: one line, not too long, without its folder. */
static char *clean_name(const char *name)
{
    enum { MAX_FILE_NAME = 100 };
    const char *slash = name ? strrchr(name, '/') : NULL;
    const char *last = slash ? slash + 1 : name;
    if (!last || !*last)
        return strdup("bot");
    char *copy = strndup(last, utf8_prefix(last, MAX_FILE_NAME));
    if (copy)
        utf8_make_printable(copy);
    return copy;
}

static bool check_terms(const League *league, const SubmittedFile *file, TurfError *error)
{
    if (file->n_bytes == 0)
        return error_invalid(error, "the file is empty");
    if (file->n_bytes > MAX_SUBMISSION_BYTES)
        return error_invalid(error, "the file is too large: at most %d MiB",
                             MAX_SUBMISSION_BYTES >> 20);
    if (league->is_frozen)
        return error_invalid(error, "the league is frozen: no version may come or go");
    if (league->plan.sandbox && !strcmp(league->plan.sandbox, "off"))
        return error_invalid(error, "this league runs its bots without a sandbox, so none can be "
                                    "handed in");
    return true;
}

static bool check_quota(League *league, const LeagueTeam *team, TurfError *error)
{
    enum { HOUR_S = 3600 };
    int64_t n_since, n_waiting;
    if (!submissions_count(league->store, team->id, (int64_t)time(NULL) - HOUR_S, &n_since,
                           &n_waiting, error))
        return false;
    if (n_waiting > 0)
        return error_busy(error, "a bot of %s is being built and checked; wait until that is done",
                          team->name);
    return n_since < MAX_SUBMISSIONS_PER_HOUR ||
           error_busy(error, "%s has handed in %d bots within an hour; wait a while", team->name,
                      MAX_SUBMISSIONS_PER_HOUR);
}

/* In a transaction. */
static bool enter(League *league, const char *name, const SubmittedFile *file,
                  SubmissionRecord *submission, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (!league_reload(league, error) || !check_terms(league, file, error))
        return false;
    const LeagueTeam *team = league_team(league, name);
    if (!team)
        return error_not_found(error, "there is no team '%s'; 'turf league invite' makes one",
                               error_quote(quoted, name));
    submission->team = team->id;
    return (file->is_of_owner || check_quota(league, team, error)) &&
           submissions_trim(league->store, team->id, MAX_REFUSED_KEPT, error) &&
           submissions_add(league->store, submission, file->bytes, error);
}

bool submission_hand_in(League *league, const char *team, const SubmittedFile *file,
                        SubmissionRecord *submission, TurfError *error)
{
    *submission = (SubmissionRecord){.file_name = clean_name(file->name), .n_bytes = file->n_bytes};
    if (!submission->file_name)
        return error_no_memory(error);
    hash_bytes_of(file->bytes, file->n_bytes, submission->hash);
    if (!sandbox_works()) {
        submission_record_release(submission);
        return error_invalid(error, "bots are built and checked in a sandbox only, and bubblewrap "
                                    "is not installed here, or not permitted");
    }
    bool is_begun = store_begin(league->store, error);
    if (is_begun && enter(league, team, file, submission, error) &&
        store_commit(league->store, error))
        return true;
    if (is_begun)
        store_undo(league->store);
    submission_record_release(submission);
    return false;
}

/* ---- the work ------------------------------------------------------------------------------- */

typedef struct Work {
    Store                 *store;
    const SubmissionTerms *terms;
    SubmissionRecord      *submission;
    League                 league;
    const char            *team; /* its name */
    char                   draft[PATH_MAX], folder[PATH_MAX];
    bool                   is_stored; /* false: a step could not be written */
    TurfError              store_error;
} Work;

/* Writes the submission as it is now, and tells. */
static bool save(Work *work, TurfError *error)
{
    Store *store = work->store;
    if (!store_begin(store, error))
        return false;
    if (!submissions_update(store, work->submission, error) || !store_commit(store, error)) {
        store_undo(store);
        return false;
    }
    if (work->terms->changed)
        work->terms->changed(work->terms->context, work->submission);
    return true;
}

/* False when out of memory. */
static bool set_text(char **text, const char *value)
{
    free(*text);
    *text = strndup(value, utf8_prefix(value, MAX_STEP_TEXT / 4));
    return *text != NULL;
}

static void note_step(void *context, SubmissionStep step, bool is_good, const char *text)
{
    Work *work = context;
    (void)is_good;
    if (!set_text(&work->submission->steps[step], text))
        work->is_stored = error_no_memory(&work->store_error);
    else if (work->is_stored)
        work->is_stored = save(work, &work->store_error);
}

/* The step that is being worked on. */
static SubmissionStep step_of(const SubmissionRecord *submission)
{
    if (submission->status == SUBMISSION_CHECKING)
        return STEP_CHECK;
    return submission->steps[STEP_UNPACK] ? STEP_BUILD : STEP_UNPACK;
}

static bool refuse(Work *work, const char *sentence, TurfError *error)
{
    SubmissionRecord *submission = work->submission;
    SubmissionStep    step = step_of(submission);
    if ((!submission->steps[step] && !set_text(&submission->steps[step], sentence)) ||
        !set_text(&submission->sentence, sentence))
        return error_no_memory(error);
    submission->status = SUBMISSION_REFUSED;
    return save(work, error);
}

static bool read_archive(const Work *work, void **bytes, size_t *n_bytes, TurfError *error)
{
    char hash[SUBMISSION_HASH_BYTES];
    if (!submissions_archive(work->store, work->submission->id, bytes, n_bytes, error))
        return false;
    hash_bytes_of(*bytes, *n_bytes, hash);
    if (!strcmp(hash, work->submission->hash))
        return true;
    free(*bytes);
    *bytes = NULL;
    return store_damage(work->store, "the archive of a submission is not the one handed in", error);
}

static bool build(Work *work, BuiltBot *built, TurfError *error)
{
    void  *bytes;
    size_t n_bytes;
    if (!read_archive(work, &bytes, &n_bytes, error))
        return false;
    BotBuildTerms terms = {work->terms->turf, work->terms->stop, note_step, work};
    bool          is_good =
        bot_build(&terms, work->submission->file_name, bytes, n_bytes, work->draft, built, error);
    free(bytes);
    if (is_good && !work->is_stored) {
        built_bot_release(built);
        return error_set(error, work->store_error.code, "%s", work->store_error.text);
    }
    return is_good;
}

/* Opens the bot as the team's player, to run in a folder under the limits of the league. */
static TurfPlayer *open_bot(const Work *work, const char *command, TurfError *error)
{
    const Plan *plan = &work->league.plan;
    char       *spec = NULL;
    if (asprintf(&spec, "bot:%s", command) < 0) {
        error_no_memory(error);
        return NULL;
    }
    TurfPlayer *bot = turf_player_open(plan->game, spec, error);
    free(spec);
    if (bot && !player_rename(bot, work->team)) {
        turf_player_free(bot);
        error_no_memory(error);
        return NULL;
    }
    if (bot)
        bot->terms = (BotTerms){
            .is_sandboxed = true,
            .is_reused = plan->is_reusing,
            .process = {.folder = work->draft,
                        .max_mib = plan->bot_mib ? (int64_t)plan->bot_mib : DEFAULT_MIB,
                        .max_processes =
                            plan->bot_processes ? (int64_t)plan->bot_processes : DEFAULT_PROCESSES,
                        .max_cpu_seconds = (int64_t)plan->bot_cpu_seconds}};
    return bot;
}

/* What was found as text, and in one sentence if something failed. */
static bool note_findings(Work *work, const BotFindings *findings, const BotCheckTerms *terms,
                          char sentence[600])
{
    char  *text = NULL;
    size_t length;
    FILE  *out = open_memstream(&text, &length);
    if (!out)
        return false;
    bot_findings_write(findings, terms, out);
    if (fclose(out) != 0)
        return false;
    bot_clean_text(text, length);
    bool is_good = set_text(&work->submission->steps[STEP_CHECK], text);
    free(text);
    *sentence = '\0';
    for (int c = N_BOT_CHECKS; c-- > 0;)
        if (findings->has_failed[c])
            (void)snprintf(sentence, 600, "a check failed, that %s: %s",
                           bot_check_name((BotCheck)c), findings->why[c]);
    utf8_make_printable(sentence);
    return is_good;
}

/* Plays with the bot. False: that could not be done. */
static bool check(Work *work, TurfPlayer *bot, const char *main, char sentence[600],
                  TurfError *error)
{
    const Plan   *plan = &work->league.plan;
    char          program[PATH_MAX + 300];
    BotCheckTerms terms = {.seed = plan->seed,
                           .time_ms = (int64_t)plan->time_ms,
                           .move_cap_ms = (int64_t)plan->move_cap_ms,
                           .starts = plan->starts,
                           .n_starts = plan->n_starts,
                           .max_turns = CHECK_TURNS,
                           .stop = work->terms->stop};
    BotFindings  *findings = calloc(1, sizeof *findings);
    if (!findings)
        return error_no_memory(error);
    (void)snprintf(program, sizeof program, "%s/%s", work->draft, main);
    findings->program = program;
    bool is_good = bot_check(findings, bot, &terms, error);
    if (is_good && !note_findings(work, findings, &terms, sentence))
        is_good = error_no_memory(error);
    bot_findings_release(findings);
    free(findings);
    return is_good;
}

/* Removes the files of the team's versions that play no more. A round that was begun with one may
 * still be played, so they stay for a while. */
static void tidy(const Work *work)
{
    enum { KEPT_S = 3600 };
    int64_t   now = (int64_t)time(NULL);
    char      begin[PATH_MAX], name[32];
    TurfError unused;
    for (size_t i = 0; i < work->league.n_versions; i++) {
        const LeagueVersion *version = &work->league.versions[i];
        bool                 is_team = !strcmp(work->league.teams[version->team].name, work->team);
        if (!is_team || !version->submission || !version->folder || version->retired == 0 ||
            version->retired > now - KEPT_S)
            continue;
        (void)snprintf(name, sizeof name, "%lld-", (long long)version->submission);
        if (bots_path(work->store, name, begin, &unused) &&
            !strncmp(version->folder, begin, strlen(begin)) &&
            !strchr(version->folder + strlen(begin), '/'))
            bot_folder_remove(version->folder);
    }
}

/* The bot is good: it enters the league. */
static bool accept(Work *work, const TurfPlayer *bot, TurfError *error)
{
    TurfError why;
    if (!bot_folder_remove(work->folder) || rename(work->draft, work->folder) != 0)
        return error_system(error, errno, "the folder '%s' cannot be made: %s", work->folder,
                            strerror(errno));
    if (league_add_submitted(&work->league, bot, work->folder, work->submission, &why)) {
        tidy(work);
        if (work->terms->changed)
            work->terms->changed(work->terms->context, work->submission);
        return true;
    }
    work->submission->status = SUBMISSION_CHECKING;
    work->submission->version = 0;
    bot_folder_remove(work->folder);
    if (why.code == TURF_ERROR_INVALID) /* frozen meanwhile, or too many versions */
        return refuse(work, why.text, error);
    return error_set(error, why.code, "%s", why.text);
}

static bool check_and_accept(Work *work, const BuiltBot *built, TurfError *error)
{
    char sentence[600];
    work->submission->status = SUBMISSION_CHECKING;
    if (!save(work, error))
        return false;
    TurfPlayer *bot = open_bot(work, built->command, error);
    if (!bot)
        return error->code != TURF_ERROR_NO_MEMORY && refuse(work, error->text, error);
    bool is_good = check(work, bot, built->main, sentence, error);
    if (is_good)
        is_good = *sentence ? refuse(work, sentence, error) : accept(work, bot, error);
    turf_player_free(bot);
    return is_good;
}

static bool find_team(Work *work, TurfError *error)
{
    for (size_t i = 0; i < work->league.n_teams; i++)
        if (work->league.teams[i].id == work->submission->team)
            work->team = work->league.teams[i].name;
    work->team = work->team ? strdup(work->team) : NULL; /* the teams are read again later */
    return work->team || store_damage(work->store, "a submission belongs to no team", error);
}

/* Stopped, or short of something: as if it had not been begun. */
static void put_back(Work *work)
{
    TurfError unused;
    work->submission->status = SUBMISSION_WAITING;
    work->submission->n_tries--;
    (void)save(work, &unused);
}

static bool work_on(Work *work, TurfError *error)
{
    SubmissionRecord *submission = work->submission;
    BuiltBot          built;
    for (int i = 0; i < N_SUBMISSION_STEPS; i++) {
        free(submission->steps[i]);
        submission->steps[i] = NULL;
    }
    submission->status = SUBMISSION_BUILDING;
    if (submission->n_tries == MAX_TRIES)
        return refuse(work,
                      "turf was stopped again and again while this was built and checked; "
                      "hand it in again",
                      error);
    submission->n_tries++;
    if (!save(work, error))
        return false;
    bool is_good = build(work, &built, error);
    if (!is_good && error->code == TURF_ERROR_NOT_FOUND) /* no sandbox */
        return refuse(work, error->text, error);
    if (is_good) {
        is_good = built.is_good ? check_and_accept(work, &built, error)
                                : refuse(work, built.sentence, error);
        built_bot_release(&built);
    }
    if (!is_good && error->code == TURF_ERROR_INTERRUPTED)
        put_back(work);
    return is_good;
}

/* With the lock. */
static bool process_locked(Store *store, int64_t id, const SubmissionTerms *terms, TurfError *error)
{
    SubmissionRecord submission;
    if (!submissions_find(store, id, &submission, error))
        return false;
    Work *work = calloc(1, sizeof *work);
    bool  is_good = work || error_no_memory(error);
    if (work) {
        work->store = store;
        work->terms = terms;
        work->submission = &submission;
        work->is_stored = true;
        work->league.store = store;
    }
    bool is_over =
        submission.status == SUBMISSION_ACCEPTED || submission.status == SUBMISSION_REFUSED;
    if (is_good && !is_over) {
        is_good = league_reload(&work->league, error) && find_team(work, error) &&
                  draft_path(store, &submission, work->draft, error) &&
                  version_path(store, &submission, work->folder, error) && work_on(work, error);
        if (*work->draft)
            bot_folder_remove(work->draft);
        free((char *)(uintptr_t)work->team);
        league_release(&work->league);
    }
    free(work);
    submission_record_release(&submission);
    return is_good;
}

bool submission_process(Store *store, int64_t id, const SubmissionTerms *terms, TurfError *error)
{
    int lock = lock_bots(store, terms->stop, error);
    if (lock < 0)
        return false;
    bool is_good = process_locked(store, id, terms, error);
    close(lock);
    return is_good;
}

bool submission_process_next(Store *store, const SubmissionTerms *terms, int64_t *id,
                             TurfError *error)
{
    if (!submissions_next(store, id, error))
        return false;
    return *id == 0 || submission_process(store, *id, terms, error);
}

/* ---- versions without files ------------------------------------------------------------------ */

/* Builds a version again. What it plays by is its row, which was signed: the command is the same.
 */
static bool restore(Store *store, const LeagueVersion *version, const SubmissionTerms *terms,
                    TurfError *error)
{
    SubmissionRecord submission;
    char             folder[PATH_MAX], draft[PATH_MAX];
    struct stat      about;
    if (!submissions_find(store, version->submission, &submission, error))
        return false;
    bool is_good = version_path(store, &submission, folder, error) &&
                   draft_path(store, &submission, draft, error);
    bool is_ours = is_good && version->folder && !strcmp(folder, version->folder);
    int  lock = is_ours && stat(folder, &about) != 0 ? lock_bots(store, terms->stop, error) : -1;
    if (lock >= 0 && stat(folder, &about) != 0) {
        BuiltBot      built;
        void         *bytes = NULL;
        size_t        n_bytes;
        Work          work = {.store = store, .submission = &submission};
        BotBuildTerms build_terms = {.turf = terms->turf, .stop = terms->stop};
        is_good =
            read_archive(&work, &bytes, &n_bytes, error) &&
            bot_build(&build_terms, submission.file_name, bytes, n_bytes, draft, &built, error);
        free(bytes);
        if (is_good && built.is_good && rename(draft, folder) != 0)
            is_good = error_system(error, errno, "the folder '%s' cannot be made: %s", folder,
                                   strerror(errno));
        if (is_good)
            built_bot_release(&built);
    }
    if (lock >= 0)
        close(lock);
    submission_record_release(&submission);
    return is_good;
}

bool submissions_restore(const League *league, const SubmissionTerms *terms, TurfError *error)
{
    for (size_t i = 0; i < league->n_versions; i++) {
        const LeagueVersion *version = &league->versions[i];
        TurfError            why = {.code = TURF_OK};
        if (version->retired || version->submission == 0)
            continue;
        bool is_strange = league_is_strange(league, version, &why);
        if (why.code == TURF_ERROR_NO_MEMORY)
            return error_no_memory(error);
        if (!is_strange && !restore(league->store, version, terms, error))
            return false;
    }
    return true;
}

bool league_has_submissions(const League *league)
{
    for (size_t i = 0; i < league->n_versions; i++)
        if (league->versions[i].submission > 0)
            return true;
    return false;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static const char *status_of_step(const SubmissionRecord *submission, SubmissionStep step)
{
    bool is_last =
        submission->steps[step] && (step + 1 == N_SUBMISSION_STEPS || !submission->steps[step + 1]);
    if (submission->status == SUBMISSION_REFUSED && is_last)
        return "failed";
    if (submission->steps[step])
        return "ok";
    bool is_running =
        submission->status == SUBMISSION_BUILDING || submission->status == SUBMISSION_CHECKING;
    return is_running && step_of(submission) == step ? "running" : "waiting";
}

json_t *submission_json(const SubmissionRecord *submission, bool has_texts)
{
    json_t *steps = json_array();
    for (int i = 0; i < N_SUBMISSION_STEPS; i++)
        json_add(&steps, json_pack("{s:s,s:s,s:s}", "name", submission_step_names[i], "status",
                                   status_of_step(submission, (SubmissionStep)i), "text",
                                   has_texts && submission->steps[i] ? submission->steps[i] : ""));
    char      created[32] = "";
    time_t    seconds = (time_t)submission->created;
    struct tm parts;
    if (gmtime_r(&seconds, &parts))
        (void)strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &parts);
    json_t *version = submission->version ? json_integer(submission->version) : json_null();
    return json_pack("{s:I,s:s,s:s,s:I,s:s,s:o,s:o,s:s?}", "id", (json_int_t)submission->id,
                     "created_at", created, "file_name", submission->file_name, "size",
                     (json_int_t)submission->n_bytes, "status",
                     submission_status_names[submission->status], "version", version, "steps",
                     steps, "sentence", submission->sentence);
}
