/* What a page has no use for: everybody at it is the owner, its tokens keep nothing from anybody,
 * plans are not signed, and nobody
 * connects or has a bot elsewhere. */
#include "arena/plan_signature.h"
#include "base/error.h"
#include "bots/home_bots.h"
#include "players/tcp.h"
#include "web/api.h"
#include "web/hosted_game.h"
#include "web/league_practice.h"
#include "web/owner.h"
#include "web/tokens.h"

#include <string.h>

/* The token itself, filled up to the length of a hash. */
void token_hash(const char *token, char hash[TOKEN_HASH_BYTES])
{
    size_t length = strnlen(token, TOKEN_HASH_BYTES - 1);
    memset(hash, '0', TOKEN_HASH_BYTES - 1);
    memcpy(hash, token, length);
    hash[TOKEN_HASH_BYTES - 1] = '\0';
}

bool token_matches(const char *token, const char hash[TOKEN_HASH_BYTES])
{
    char own[TOKEN_HASH_BYTES];
    token_hash(token, own);
    return hash[0] && !strcmp(own, hash);
}

bool owner_has(const Owner *owner, const char *token)
{
    (void)owner;
    (void)token;
    return true;
}

bool plan_sign(const char *plan, char signature[SIGNATURE_BYTES])
{
    (void)plan;
    (void)signature;
    return false;
}

bool plan_has_bots(const Plan *plan)
{
    (void)plan;
    return false;
}

int tcp_listen(const char *place, TurfError *error)
{
    (void)place;
    error_invalid(error, "a page has no network; bots that connect play at 'turf serve'");
    return -1;
}

HomeSeat *home_seat_new(const char *team)
{
    (void)team;
    return NULL;
}

void home_seat_free(HomeSeat *seat) { (void)seat; }

HomePresence home_seats_take(HomeSeat *const *seats, size_t n_seats, int64_t patience_ms,
                             const atomic_bool *stop, TurfError *error)
{
    (void)seats;
    (void)n_seats;
    (void)patience_ms;
    (void)stop;
    (void)error;
    return HOME_ABSENT;
}

bool home_seat_is_taken(const HomeSeat *seat)
{
    (void)seat;
    return false;
}

bool home_seat_begin(HomeSeat *seat, Process *process, TurfError *error)
{
    (void)seat;
    (void)process;
    return error_invalid(error, "a page has no bots elsewhere");
}

void home_seat_ask(HomeSeat *seat, const char *line)
{
    (void)seat;
    (void)line;
}

int64_t home_seat_lag_ns(HomeSeat *seat)
{
    (void)seat;
    return 0;
}

TurfForfeit home_seat_fault(HomeSeat *seat, char text[HOME_FAULT_BYTES])
{
    (void)seat;
    text[0] = '\0';
    return TURF_DISCONNECTED;
}

void home_seat_end(HomeSeat *seat, const char *error)
{
    (void)seat;
    (void)error;
}

bool league_is_hidden(Request *request)
{
    (void)request;
    return false;
}

bool is_practice(const char *id)
{
    (void)id;
    return false;
}

void practice_add(Server *server, const TurfGame *game, json_t **list)
{
    (void)server;
    (void)game;
    (void)list;
}

bool practice_find(Server *server, const TurfGame *game, const char *id, PracticeBot *bot,
                   TurfError *error)
{
    (void)server;
    (void)game;
    (void)id;
    (void)bot;
    return error_not_found(error, "there is no league in a page");
}
