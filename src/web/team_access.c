/* Whose token is it? The league stores hashes of the teams' tokens alone, and they are compared in
 * constant time, all of them, so that the time of an answer tells nothing. */
#include "web/team_access.h"

#include "base/error.h"
#include "web/tokens.h"

#include <string.h>

void league_leave(LeagueAsker *asker)
{
    if (asker->league)
        league_service_unlock(asker->request->server);
    asker->league = NULL;
    asker->own = NULL;
}

bool league_refuse(LeagueAsker *asker, const TurfError *error)
{
    league_leave(asker);
    return respond_turf_error(asker->request, error);
}

static const LeagueTeam *team_of_token(const League *league, const char *token)
{
    const LeagueTeam *found = NULL;
    for (size_t i = 0; i < league->n_teams; i++) {
        const char *hash = league->teams[i].token_hash;
        if (hash && strlen(hash) == TOKEN_HASH_BYTES - 1 && token_matches(token, hash))
            found = &league->teams[i];
    }
    return found;
}

bool league_enter(Request *request, LeagueAsker *asker)
{
    const char *token = request_token(request);
    TurfError   error;
    *asker = (LeagueAsker){.request = request, .role = ROLE_VISITOR};
    if (!league_service_lock(request->server, &error)) {
        if (error.code == TURF_ERROR_NOT_FOUND) /* the store's text names the database */
            error_not_found(&error, "there is no league on this server");
        return respond_turf_error(request, &error);
    }
    asker->league = &request->server->league->watch.league;
    if (!token)
        return true;
    if (is_owner(request))
        asker->role = ROLE_OWNER;
    else if ((asker->own = team_of_token(asker->league, token)))
        asker->role = ROLE_TEAM;
    else {
        league_leave(asker);
        return respond_error(request, MHD_HTTP_FORBIDDEN, "bad-token",
                             "this is the token of no team, or of an invitation that was replaced; "
                             "ask the owner for another link");
    }
    return true;
}

bool league_check_audience(LeagueAsker *asker, LeagueAudience least)
{
    if (asker->role != ROLE_VISITOR || asker->league->audience >= least)
        return true;
    bool sees_table = asker->league->audience == AUDIENCE_TABLE;
    league_leave(asker);
    return respond_error(asker->request, MHD_HTTP_FORBIDDEN, "no-audience",
                         sees_table ? "the games of this league are for its teams alone"
                                    : "this league is for its teams alone; a team says "
                                      "Authorization: Bearer TOKEN");
}

/* 401 without a token, 403 with that of somebody else. */
static bool refuse_role(LeagueAsker *asker, const char *who)
{
    LeagueRole role = asker->role;
    TurfError  text;
    league_leave(asker);
    error_invalid(&text, "only %s may do this; say Authorization: Bearer TOKEN", who);
    if (role == ROLE_VISITOR)
        return respond_no_token(asker->request, text.text);
    return respond_error(asker->request, MHD_HTTP_FORBIDDEN, "bad-token",
                         "only %s may do this, and this is the token of another", who);
}

bool league_check_owner(LeagueAsker *asker)
{
    return asker->role == ROLE_OWNER || refuse_role(asker, "the owner");
}

bool league_check_team(LeagueAsker *asker, const LeagueTeam *team)
{
    return asker->role == ROLE_OWNER || (asker->role == ROLE_TEAM && asker->own == team) ||
           refuse_role(asker, "this team or the owner");
}

const LeagueTeam *league_find_team(LeagueAsker *asker, const char *name)
{
    const LeagueTeam *team = league_team(asker->league, name);
    if (!team) {
        league_leave(asker);
        respond_error(asker->request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such team");
    }
    return team;
}

bool league_is_hidden(Request *request)
{
    TurfError   error;
    const char *token = request_token(request);
    if (is_owner(request))
        return false;
    if (!league_service_lock(request->server, &error))
        return error.code != TURF_ERROR_NOT_FOUND; /* a league that cannot be read now */
    const League *league = &request->server->league->watch.league;
    bool is_hidden = league->audience != AUDIENCE_GAMES && !(token && team_of_token(league, token));
    league_service_unlock(request->server);
    return is_hidden;
}
