/* The handlers of /api/league/teams/NAME/submissions: handing in a bot, and how far it is. They run
 * in the pool of readers. A file is written through a connection of its own, so that the others do
 * not wait for it. */
#include "web/api_league.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "league/submission.h"
#include "web/submission_worker.h"
#include "web/team_access.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 20, RETRY_AFTER_S = 10 };

/* The team of the path, if its token or the owner's came; NULL: answered with an error. */
static const LeagueTeam *enter(Request *request, LeagueAsker *asker)
{
    if (!league_enter(request, asker))
        return NULL;
    const LeagueTeam *team = league_find_team(asker, request->parts[0]);
    return team && league_check_team(asker, team) ? team : NULL;
}

static bool hand_in(const Server *server, const char *team, const SubmittedFile *file,
                    SubmissionRecord *submission, TurfError *error)
{
    Store *store = store_open(server->options->database, STORE_WRITE, error);
    if (!store)
        return false;
    store_set_max_wait(store, STORE_WAIT_MS);
    League league = {.store = store};
    bool   is_good = submission_hand_in(&league, team, file, submission, error);
    league_release(&league);
    store_close(store);
    return is_good;
}

static void respond_submission(Request *request, unsigned status,
                               const SubmissionRecord *submission)
{
    respond_json(request, status,
                 json_pack("{s:o}", "submission", submission_json(submission, true)));
}

void api_submissions_make(Request *request)
{
    LeagueAsker      asker;
    TurfError        error;
    SubmissionRecord submission;
    const Server    *server = request->server;
    SubmittedFile    file = {.name = request_parameter(request, "name")};
    if (!server->submissions) {
        respond_error(request, MHD_HTTP_FORBIDDEN, "no-submissions",
                      "no bots can be handed in at this server");
        return;
    }
    const LeagueTeam *team = enter(request, &asker);
    if (!team)
        return;
    char *name = strdup(team->name);
    file.is_of_owner = asker.role == ROLE_OWNER;
    league_leave(&asker);
    file.bytes = request_file(request, &file.n_bytes);
    if (!name) {
        respond_no_memory(request);
    } else if (hand_in(server, name, &file, &submission, &error)) {
        submission_worker_wake(server->submissions);
        respond_submission(request, MHD_HTTP_ACCEPTED, &submission);
        submission_record_release(&submission);
    } else if (error.code == TURF_ERROR_BUSY) {
        respond_retry(request, MHD_HTTP_TOO_MANY_REQUESTS, "too-fast", RETRY_AFTER_S, "%s",
                      error.text);
    } else {
        respond_turf_error(request, &error);
    }
    free(name);
}

void api_submissions_list(Request *request)
{
    LeagueAsker       asker;
    TurfError         error;
    SubmissionRecord *list;
    size_t            n;
    const LeagueTeam *team = enter(request, &asker);
    if (!team)
        return;
    if (!submissions_of_team(asker.league->store, team->id, MAX_LISTED, &list, &n, &error)) {
        league_refuse(&asker, &error);
        return;
    }
    league_leave(&asker);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&items, submission_json(&list[i], false));
    submissions_free(list, n);
    respond_json(request, MHD_HTTP_OK, json_pack("{s:o}", "submissions", items));
}

void api_submission(Request *request)
{
    LeagueAsker       asker;
    TurfError         error;
    SubmissionRecord  submission;
    char             *end;
    const LeagueTeam *team = enter(request, &asker);
    if (!team)
        return;
    int64_t id = strtoll(request->parts[1], &end, 10);
    if (*end || id <= 0 || !submissions_find(asker.league->store, id, &submission, &error)) {
        if (*end || id <= 0)
            error_not_found(&error, "there is no such submission");
        league_refuse(&asker, &error);
        return;
    }
    bool is_own = submission.team == team->id;
    league_leave(&asker);
    if (is_own)
        respond_submission(request, MHD_HTTP_OK, &submission);
    else
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such submission");
    submission_record_release(&submission);
}
