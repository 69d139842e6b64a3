/* The thread that plays the league. It has a connection of its own, which holds the lock of the
 * league while it plays; what it commits, the service finds in the file like the work of any other
 * program. It and its workers run at a lower priority than requests. */
#include "web/league_player.h"

#include "arena/workers.h"
#include "base/background_thread.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "league/league_terms.h"
#include "league/submission.h"
#include "web/league_service.h"
#include "web/server.h"
#include "web/web.h"

#include <string.h>
#include <sys/resource.h>

enum { LEAGUE_NICENESS = 5, RETRY_S = 2 };

void league_player_init(LeaguePlayer *player)
{
    *player = (LeaguePlayer){.is_playing = false};
    pthread_mutex_init(&player->lock, NULL);
    pthread_cond_init(&player->changed, NULL);
}

void league_player_release(LeaguePlayer *player)
{
    store_close(player->store);
    pthread_cond_destroy(&player->changed);
    pthread_mutex_destroy(&player->lock);
}

/* ---- one session --------------------------------------------------------------------------- */

/* What the thread owns. */
typedef struct LeagueSession {
    Server     *server;
    LeagueTerms terms; /* of the round being played */
    League      league;
    PlayWish    wish;
    int64_t     end_ns;
} LeagueSession;

/* Says why it waits, or that it does not. */
static void set_error(Server *server, const TurfError *error)
{
    LeaguePlayer *player = &server->league->player;
    pthread_mutex_lock(&player->lock);
    bool is_new = player->error.code != error->code || strcmp(player->error.text, error->text) != 0;
    player->error = *error;
    pthread_mutex_unlock(&player->lock);
    if (is_new)
        league_service_touch(server);
}

static bool is_over(void *context)
{
    const LeagueSession *session = context;
    return atomic_load(&session->server->league->player.stop) ||
           (session->end_ns && clock_ns() >= session->end_ns);
}

static bool go_on(void *context, const TurfTotals *totals, size_t n_pairings)
{
    (void)totals;
    (void)n_pairings;
    return !is_over(context);
}

static bool check(void *context, const League *league, TurfError *error)
{
    const LeagueSession *session = context;
    Server              *server = session->server;
    SubmissionTerms terms = {.turf = server->options->turf, .stop = &server->league->player.stop};
    return league_check_trust(
               league, session->wish.is_final ? league->unfinished_final : league->unfinished,
               error) &&
           (!league_has_submissions(league) || submissions_restore(league, &terms, error));
}

static bool prepare(void *context, Run *run, TurfError *error)
{
    LeagueSession *session = context;
    int            n_processors = cpu_count();
    run->n_jobs = n_processors > 2 ? n_processors - 1 : n_processors;
    set_error(session->server, &(TurfError){0});
    return league_terms_set(&session->terms, run, &session->server->options->bot_terms, error);
}

static void finish(void *context)
{
    LeagueSession *session = context;
    league_terms_release(&session->terms);
}

static RoundsTerms terms_of(LeagueSession *session)
{
    return (RoundsTerms){.max_games = session->wish.max_games,
                         .is_over = is_over,
                         .check = check,
                         .prepare = prepare,
                         .finish = finish,
                         .hooks = {.progress = go_on, .context = session},
                         .context = session};
}

/* Notes in the file what a server that is started goes on with; if that fails, with nothing. */
static void set_wish(Store *store, LeagueWish wish)
{
    TurfError unused;
    if (store_begin(store, &unused) &&
        (!leagues_set_wish(store, wish, &unused) || !store_commit(store, &unused)))
        store_undo(store);
}

static bool is_endless(const PlayWish *wish)
{
    return !wish->is_final && wish->max_games == 0 && wish->for_s == 0;
}

/* It has begun: from now on a restart goes on with it. */
static void note_begin(const LeagueSession *session)
{
    LeaguePlayer *player = &session->server->league->player;
    LeagueWish    kept = is_endless(&session->wish) ? WISH_ROUNDS : WISH_NOTHING;
    set_wish(player->store, session->wish.is_final ? WISH_FINAL : kept);
    pthread_mutex_lock(&player->lock);
    player->has_begun = true;
    pthread_cond_broadcast(&player->changed);
    pthread_mutex_unlock(&player->lock);
}

static bool play_final(LeagueSession *session, TurfError *error)
{
    RoundsTerms terms = terms_of(session);
    LeagueRound round;
    TurfError   unused;
    uint64_t    n_played = 0;
    if (!check(session, &session->league, error) ||
        !league_begin_final(&session->league, &session->wish.final, &round, error))
        return false;
    note_begin(session);
    bool is_good = league_play_round(&round, &terms, &n_played, error);
    is_good = league_end_round(&session->league, &round, is_good ? error : &unused) && is_good;
    finish(session);
    return is_good;
}

/* Plays with a league that was just opened. */
static bool play_once(LeagueSession *session, uint64_t *n_played, TurfError *error)
{
    Store *store = session->server->league->player.store;
    if (!league_open(&session->league, store, error))
        return false;
    RoundsTerms terms = terms_of(session);
    bool        is_good = session->wish.is_final
                              ? play_final(session, error)
                              : league_play_rounds(&session->league, &terms, n_played, error);
    league_release(&session->league);
    return is_good;
}

/* Waits a little, or until it is stopped. */
static void wait_a_little(LeaguePlayer *player)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += RETRY_S;
    pthread_mutex_lock(&player->lock);
    while (!atomic_load(&player->stop) &&
           !pthread_cond_timedwait(&player->changed, &player->lock, &until))
        ;
    pthread_mutex_unlock(&player->lock);
}

static bool play(LeagueSession *session, TurfError *error)
{
    uint64_t n_played = 0;
    if (!session->wish.is_final)
        note_begin(session);
    while (!is_over(session)) {
        if (play_once(session, &n_played, error))
            return true;
        /* A league that is open to newcomers waits for them; a busy file for another program. */
        bool may_wait = error->code == TURF_ERROR_INVALID || error->code == TURF_ERROR_BUSY;
        if (!is_endless(&session->wish) || !may_wait)
            return false;
        set_error(session->server, error);
        wait_a_little(&session->server->league->player);
    }
    return true;
}

static void *play_in_thread(void *context)
{
    Server       *server = context;
    LeaguePlayer *player = &server->league->player;
    TurfError     error = {0};
    /* On Linux for this thread and those it starts. */
    (void)setpriority(PRIO_PROCESS, 0, LEAGUE_NICENESS);
    pthread_mutex_lock(&player->lock);
    LeagueSession session = {.server = server, .wish = player->wish, .end_ns = player->end_ns};
    pthread_mutex_unlock(&player->lock);
    bool is_good = play(&session, &error);
    if (!atomic_load(&player->stop)) /* else the file keeps what the one who stopped it wants */
        set_wish(player->store, WISH_NOTHING);
    store_unlock_league(player->store);
    pthread_mutex_lock(&player->lock);
    player->is_playing = false;
    player->error = is_good ? (TurfError){0} : error;
    league_service_touch(server);
    pthread_cond_broadcast(&player->changed);
    pthread_mutex_unlock(&player->lock);
    return NULL;
}

/* ---- starting and stopping ----------------------------------------------------------------- */

/* The lock is held. */
static bool start_thread(Server *server, TurfError *error)
{
    LeaguePlayer  *player = &server->league->player;
    pthread_t      thread;
    pthread_attr_t alone;
    if (!player->store &&
        !(player->store = store_open(server->options->database, STORE_WRITE, error)))
        return false;
    if (!store_lock_league(player->store, error))
        return false;
    pthread_attr_init(&alone);
    pthread_attr_setdetachstate(&alone, PTHREAD_CREATE_DETACHED);
    player->is_playing = !pthread_create(&thread, &alone, play_in_thread, server);
    pthread_attr_destroy(&alone);
    if (player->is_playing)
        return true;
    store_unlock_league(player->store);
    return error_set(error, TURF_ERROR_NO_MEMORY, "no thread could be started");
}

bool league_player_start(Server *server, const PlayWish *wish, ApiError *api_error)
{
    LeaguePlayer *player = &server->league->player;
    TurfError     error = {0};
    bool          is_good = true;
    pthread_mutex_lock(&player->lock);
    if (player->is_playing) {
        is_good = api_error_set(api_error, MHD_HTTP_CONFLICT, "busy",
                                "this server plays the league already; stop it first");
    } else if (atomic_load(&server->is_leaving)) {
        is_good = api_error_set(api_error, MHD_HTTP_SERVICE_UNAVAILABLE, "full", SERVER_IS_LEAVING);
    } else {
        player->wish = *wish;
        player->end_ns = wish->for_s ? clock_ns() + wish->for_s * 1000000000 : 0;
        player->error = (TurfError){0};
        atomic_store(&player->stop, false);
        player->has_begun = false;
        is_good = start_thread(server, &error);
        while (is_good && player->is_playing && !player->has_begun)
            pthread_cond_wait(&player->changed, &player->lock);
        if (is_good && !player->has_begun && player->error.code) {
            error = player->error;
            is_good = false;
        }
        if (!is_good && error.code == TURF_ERROR_BUSY)
            api_error_set(api_error, MHD_HTTP_CONFLICT, "busy",
                          "another program plays this league now, as 'turf league play'; stop it "
                          "first");
        else if (!is_good)
            api_error_from(api_error, &error);
    }
    pthread_mutex_unlock(&player->lock);
    league_service_touch(server);
    return is_good;
}

bool league_player_stop(Server *server)
{
    LeaguePlayer *player = &server->league->player;
    pthread_mutex_lock(&player->lock);
    bool was_playing = player->is_playing;
    atomic_store(&player->stop, true);
    pthread_cond_broadcast(&player->changed);
    while (player->is_playing)
        pthread_cond_wait(&player->changed, &player->lock);
    pthread_mutex_unlock(&player->lock);
    return was_playing;
}

bool league_player_state(Server *server, TurfError *error)
{
    LeaguePlayer *player = &server->league->player;
    pthread_mutex_lock(&player->lock);
    *error = player->error;
    bool is_playing = player->is_playing;
    pthread_mutex_unlock(&player->lock);
    return is_playing;
}

void league_player_resume(Server *server)
{
    LeaguePlayer *player = &server->league->player;
    TurfError     error;
    ApiError      api_error;
    if (!league_service_lock(server, &error))
        return;
    LeagueWish wish = server->league->watch.league.wish;
    bool       has_final = server->league->watch.league.unfinished_final != 0;
    league_service_unlock(server);
    if (wish == WISH_NOTHING || (wish == WISH_FINAL && !has_final))
        return;
    PlayWish again = {.is_final = wish == WISH_FINAL};
    if (league_player_start(server, &again, &api_error))
        return;
    pthread_mutex_lock(&player->lock);
    player->error = api_error.message;
    pthread_mutex_unlock(&player->lock);
}
