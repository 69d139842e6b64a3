/* turf league invite and submit: tokens for teams, and handing in a bot at the terminal, with the
 * same steps as over HTTP. */
#include "cmd/cmd_league.h"

#include "base/error.h"
#include "bots/cgroup.h"
#include "bots/process_tree.h"
#include "cmd/console.h"
#include "league/submission.h"
#include "web/tokens.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- invite -------------------------------------------------------------------------------- */

int league_invite_team(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *team = arguments->words[2], *url = settings->url ? settings->url : "";
    League          league;
    TurfError       error;
    char            token[TOKEN_BYTES], hash[TOKEN_HASH_BYTES];
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    const LeagueTeam *there = league_team(&league, team);
    bool              is_new = !there || !there->token_hash;
    token_draw(token);
    token_hash(token, hash);
    if (!league_invite(&league, team, hash, &error))
        die("%s", error.text);
    size_t length = strlen(url);
    while (length > 0 && url[length - 1] == '/')
        length--;
    printf("%.*s/#/league/join/%s\n", (int)length, url, token);
    if (!settings->is_quiet)
        fprintf(stderr, "turf: whoever has this link plays for %s%s\n", team,
                is_new ? "" : "; the link before is worth nothing now");
    league_close(&league);
    return EXIT_FINE;
}

/* ---- submit -------------------------------------------------------------------------------- */

const char *own_path(void)
{
    static char path[PATH_MAX];
    ssize_t     length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        die("the path of this program cannot be found: %s", strerror(errno));
    path[length] = '\0';
    return path;
}

/* The file, with one byte more than may be handed in. */
static SubmittedFile read_submitted(const char *path)
{
    char        quoted[ERROR_QUOTE_BYTES];
    struct stat about;
    FILE       *file = fopen(path, "rb");
    error_quote(quoted, path);
    if (!file)
        die("'%s' cannot be read: %s", quoted, strerror(errno));
    if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode))
        die("'%s' is a folder; hand in a file, a zip or a tar: tar czf bot.tar.gz -C %s .", quoted,
            quoted);
    char  *bytes = or_die(malloc(MAX_SUBMISSION_BYTES + 1));
    size_t n_bytes = fread(bytes, 1, MAX_SUBMISSION_BYTES + 1, file);
    if (ferror(file))
        die("'%s' cannot be read: %s", quoted, strerror(errno));
    fclose(file);
    return (SubmittedFile){.name = path, .bytes = bytes, .n_bytes = n_bytes, .is_of_owner = true};
}

typedef struct Shown {
    bool is_shown[N_SUBMISSION_STEPS];
} Shown;

static void print_text(const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        printf("   %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Prints each step once it is done. */
static void show_steps(void *context, const SubmissionRecord *submission)
{
    Shown *shown = context;
    for (int i = 0; i < N_SUBMISSION_STEPS; i++) {
        bool is_last = i + 1 == N_SUBMISSION_STEPS || !submission->steps[i + 1];
        bool has_failed = submission->status == SUBMISSION_REFUSED && is_last;
        bool is_settled = !is_last || has_failed || submission->status > SUBMISSION_BUILDING;
        if (!submission->steps[i] || shown->is_shown[i] || !is_settled)
            continue;
        shown->is_shown[i] = true;
        printf("%s: %s\n", submission_step_names[i], has_failed ? "FAILED" : "ok");
        print_text(submission->steps[i]);
        fflush(stdout);
    }
}

static int report(League *league, int64_t id, const Settings *settings)
{
    SubmissionRecord submission;
    TurfError        error;
    if (!submissions_find(league->store, id, &submission, &error))
        die("%s", error.text);
    bool is_good = submission.status == SUBMISSION_ACCEPTED;
    if (settings->wants_json)
        print_json(submission_json(&submission, true), JSON_COMPACT);
    else if (!is_good)
        printf("Refused: %s.\n", submission.sentence ? submission.sentence : "");
    if (is_good && !settings->is_quiet && !settings->wants_json)
        printf("Accepted as version %d.\n", submission.version);
    submission_record_release(&submission);
    return is_good ? EXIT_FINE : EXIT_FAULTS;
}

int league_submit(const Arguments *arguments)
{
    const Settings  *settings = &arguments->settings;
    const char      *team = arguments->words[2];
    League           league;
    TurfError        error;
    SubmissionRecord submission;
    Shown            shown = {{false}};
    SubmissionTerms  terms = {.turf = own_path()};
    SubmittedFile    file = read_submitted(arguments->words[3]);
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    (void)cgroups_begin();
    process_tree_adopt(); /* turf has no other children */
    if (!league_team(&league, team) && !league_invite(&league, team, NULL, &error))
        die("%s", error.text);
    if (!submission_hand_in(&league, team, &file, &submission, &error))
        die("%s", error.text);
    if (!settings->wants_json && !settings->is_quiet)
        terms.changed = show_steps;
    terms.context = &shown;
    if (!submission_process(league.store, submission.id, &terms, &error))
        die("%s", error.text);
    int status = report(&league, submission.id, settings);
    submission_record_release(&submission);
    free((char *)(uintptr_t)file.bytes);
    league_close(&league);
    return status;
}
