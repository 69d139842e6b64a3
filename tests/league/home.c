/* Bots that teams keep at home, in a league: who is there plays, who is not loses nothing. The
 * connection is a thread with a queue of events. */
#include "bots/home_bots.h"

#include "arena/run_play.h"
#include "base/clock.h"
#include "base/checked_json.h"
#include "league/league_round.h"
#include "league_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a bot at home ------------------------------------------------------------------------- */

typedef struct Event {
    struct Event *next;
    char          type[16];
    json_t       *data;
    int64_t       due_ns; /* it travels for so long */
} Event;

typedef struct Home {
    HomeBot        *bot;
    pthread_t       thread;
    pthread_mutex_t lock;
    pthread_cond_t  arrived;
    Event          *first, **last;
    bool            is_ending;

    int  lag_ms;
    int  dies_at; /* the question at which it disconnects; 0: never */
    int  n_begun, n_questions, n_ended, n_lost, n_playing, max_playing;
    bool never_ready, cannot_start, floods;
} Home;

static void send_event(void *context, const char *type, json_t *data)
{
    Home  *home = context;
    Event *event = calloc(1, sizeof *event);
    assert_non_null(event);
    assert_non_null(data);
    (void)snprintf(event->type, sizeof event->type, "%s", type);
    event->data = data;
    event->due_ns = clock_ns() + home->lag_ms * INT64_C(1000000);
    pthread_mutex_lock(&home->lock);
    *home->last = event;
    home->last = &event->next;
    pthread_cond_signal(&home->arrived);
    pthread_mutex_unlock(&home->lock);
}

static void nap(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static void answer(Home *home, int64_t game, const char *line)
{
    TurfError error;
    char      text[256];
    json_t   *question = json_read(line, 0, &error);
    json_t   *move = json_array_get(json_object_get(question, "moves"), 0);
    (void)snprintf(text, sizeof text, "{\"move\":\"%s\"}", json_string_value(move));
    json_decref(question);
    home->n_questions++;
    if (home->n_questions == home->dies_at) {
        home_bot_disconnect(home->bot);
        home->bot = NULL;
        return;
    }
    if (home->floods)
        while (home_bot_answer(home->bot, game, text, strlen(text)))
            ;
    else
        (void)home_bot_answer(home->bot, game, text, strlen(text));
}

static void handle(Home *home, const Event *event)
{
    int64_t game = json_integer_value(json_object_get(event->data, "game"));
    if (!home->bot)
        return;
    if (!strcmp(event->type, "ping")) {
        (void)home_bot_pong(home->bot, json_integer_value(json_object_get(event->data, "ping")));
    } else if (!strcmp(event->type, "begin")) {
        home->n_begun++;
        home->n_playing++;
        if (home->n_playing > home->max_playing)
            home->max_playing = home->n_playing;
        if (home->cannot_start)
            assert_true(home_bot_fault(home->bot, game, TURF_CRASH, "no such program"));
        else if (!home->never_ready)
            (void)home_bot_ready(home->bot, game);
    } else if (!strcmp(event->type, "question")) {
        answer(home, game, json_string_value(json_object_get(event->data, "line")));
    } else if (!strcmp(event->type, "end")) {
        home->n_ended++;
        home->n_playing--;
        home->n_lost += json_is_string(json_object_get(event->data, "error"));
    }
}

static void *live(void *context)
{
    Home *home = context;
    pthread_mutex_lock(&home->lock);
    while (home->first || !home->is_ending) {
        Event *event = home->first;
        if (!event) {
            pthread_cond_wait(&home->arrived, &home->lock);
            continue;
        }
        if (!(home->first = event->next))
            home->last = &home->first;
        pthread_mutex_unlock(&home->lock);
        while (clock_ns() < event->due_ns)
            nap(1);
        handle(home, event);
        json_decref(event->data);
        free(event);
        pthread_mutex_lock(&home->lock);
    }
    pthread_mutex_unlock(&home->lock);
    return NULL;
}

/* Connects, and waits until the lag is known. */
static void join_at(Home *home, const char *team, int n_games)
{
    home->last = &home->first;
    pthread_mutex_init(&home->lock, NULL);
    pthread_cond_init(&home->arrived, NULL);
    home->bot = home_bot_connect(team, n_games, send_event, home);
    assert_non_null(home->bot);
    assert_int_equal(pthread_create(&home->thread, NULL, live, home), 0);
    while (!home_is_connected(team))
        nap(1);
}

static void leave(Home *home)
{
    pthread_mutex_lock(&home->lock);
    home->is_ending = true;
    pthread_cond_signal(&home->arrived);
    pthread_mutex_unlock(&home->lock);
    pthread_join(home->thread, NULL);
    home_bot_disconnect(home->bot);
    home->bot = NULL;
    for (Event *event = home->first, *next; event; event = next) {
        next = event->next;
        json_decref(event->data);
        free(event);
    }
    home->first = NULL;
}

/* ---- a league ------------------------------------------------------------------------------ */

/* Plays a round; false: there is none to be played. */
static bool play_round(Fixture *fixture, uint64_t max_games, int n_jobs)
{
    LeagueRound round;
    TurfError   error = {0};
    if (!league_begin_round(&fixture->league, &(RoundSize){.max_games = max_games}, &round, &error))
        return false;
    round.run.n_jobs = n_jobs;
    assert_true(run_play(&round.run, &(RunHooks){0}, &error));
    assert_true(league_end_round(&fixture->league, &round, &error));
    return true;
}

static TurfTotals totals_of(Fixture *fixture, const char *name)
{
    const LeagueVersion *version = league_version(&fixture->league, name);
    assert_non_null(version);
    return league_totals(&fixture->league, (size_t)(version - fixture->league.versions));
}

/* ---- tests --------------------------------------------------------------------------------- */

static void a_bot_at_home_plays_while_it_is_connected(void **state)
{
    Fixture *fixture = *state;
    Home     home = {0};
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    assert_false(play_round(fixture, 4, 2));
    join_at(&home, "anna", 1);
    assert_true(play_round(fixture, 4, 2));
    assert_int_equal(totals_of(fixture, "anna").n_games, 4);
    for (int f = 0; f < TURF_N_FORFEITS; f++)
        assert_int_equal(totals_of(fixture, "anna").forfeits[0][f], 0);
    leave(&home);
    assert_int_equal(home.n_begun, 4);
    assert_int_equal(home.n_ended, 4);
    assert_int_equal(home.max_playing, 1);
    assert_false(play_round(fixture, 4, 2));
}

static void a_bot_that_goes_loses_only_the_game_it_was_in(void **state)
{
    Fixture *fixture = *state;
    Home     home = {.dies_at = 18}; /* in the second game */
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    join_at(&home, "anna", 1);
    assert_true(play_round(fixture, 8, 1));
    leave(&home);
    TurfTotals totals = totals_of(fixture, "anna");
    assert_int_equal(totals.forfeits[0][TURF_DISCONNECTED], 1);
    assert_int_equal(totals.n_games, 2);
    assert_int_equal(fixture->league.unfinished, 0); /* the round is over nevertheless */
    Home again = {0};
    join_at(&again, "anna", 1);
    assert_true(play_round(fixture, 4, 1));
    leave(&again);
    totals = totals_of(fixture, "anna");
    assert_int_equal(totals.n_games, 6);
    assert_int_equal(totals.forfeits[0][TURF_DISCONNECTED], 1);
}

/* Games of two bots that play one game at a time must not wait for each other. */
static void two_bots_at_home_play_each_other_on_many_threads(void **state)
{
    Fixture *fixture = *state;
    Home     anna = {0}, bert = {0};
    add(fixture, "anna=home:anna");
    add(fixture, "bert=home:bert");
    join_at(&anna, "anna", 1);
    join_at(&bert, "bert", 1);
    assert_true(play_round(fixture, 16, 8));
    assert_int_equal(totals_of(fixture, "anna").n_games, 16);
    leave(&anna);
    leave(&bert);
    assert_int_equal(anna.max_playing, 1);
    assert_int_equal(bert.max_playing, 1);
}

static void a_bot_whose_program_does_not_start_forfeits(void **state)
{
    Fixture *fixture = *state;
    Home     home = {.cannot_start = true};
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    join_at(&home, "anna", 2);
    assert_true(play_round(fixture, 2, 1));
    leave(&home);
    assert_int_equal(totals_of(fixture, "anna").forfeits[0][TURF_CRASH], 2);
}

static void answers_without_end_are_a_flood(void **state)
{
    Fixture *fixture = *state;
    Home     home = {.floods = true};
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    join_at(&home, "anna", 1);
    assert_true(play_round(fixture, 2, 1));
    leave(&home);
    assert_int_equal(totals_of(fixture, "anna").n_games, 2);
}

/* With the lag, twelve turns would take more than this clock gives. */
static void lag_does_not_count(void **state)
{
    Fixture *fixture = *state;
    Home     home = {.lag_ms = 300};
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    join_at(&home, "anna", 1);
    assert_true(home_bot_lag_ns(home.bot) >= 300 * INT64_C(1000000));
    fixture->league.plan.time_ms = 150;
    assert_true(play_round(fixture, 2, 1));
    leave(&home);
    assert_int_equal(totals_of(fixture, "anna").n_games, 2);
    assert_int_equal(totals_of(fixture, "anna").forfeits[0][TURF_TIMEOUT], 0);
}

static void lag_counts_beyond_the_bound(void **state)
{
    Fixture *fixture = *state;
    Home     home = {.lag_ms = 2 * MAX_HOME_LAG_MS};
    add(fixture, "anna=home:anna");
    add(fixture, "b=random");
    join_at(&home, "anna", 1);
    assert_int_equal(home_bot_lag_ns(home.bot), MAX_HOME_LAG_MS * INT64_C(1000000));
    fixture->league.plan.move_cap_ms = MAX_HOME_LAG_MS / 5;
    assert_true(play_round(fixture, 2, 1));
    leave(&home);
    assert_int_equal(totals_of(fixture, "anna").forfeits[0][TURF_TIMEOUT], 2);
}

static void unknown_games_and_pings_are_nothing(void **state)
{
    (void)state;
    Home home = {0};
    join_at(&home, "nobody", 1);
    assert_false(home_bot_answer(home.bot, 12345678, "{}", 2));
    assert_false(home_bot_ready(home.bot, -1));
    assert_false(home_bot_fault(home.bot, 0, TURF_CRASH, "no"));
    assert_false(home_bot_pong(home.bot, 0));
    assert_false(home_bot_pong(home.bot, INT64_MIN));
    assert_false(home_bot_pong(home.bot, INT64_MAX));
    assert_int_equal(home_bot_leave(home.bot), 0);
    assert_false(home_is_connected("nobody"));
    leave(&home);
}

static void nobody_can_choose_a_bot_at_home(void **state)
{
    (void)state;
    TurfError error;
    assert_null(turf_player_open(turf_game_find("wol", NULL), "home:anna", &error));
    assert_non_null(strstr(error.text, "turf join"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bot_at_home_plays_while_it_is_connected, begin, end),
        cmocka_unit_test_setup_teardown(a_bot_that_goes_loses_only_the_game_it_was_in, begin, end),
        cmocka_unit_test_setup_teardown(two_bots_at_home_play_each_other_on_many_threads, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_bot_whose_program_does_not_start_forfeits, begin, end),
        cmocka_unit_test_setup_teardown(answers_without_end_are_a_flood, begin, end),
        cmocka_unit_test_setup_teardown(lag_does_not_count, begin, end),
        cmocka_unit_test_setup_teardown(lag_counts_beyond_the_bound, begin, end),
        cmocka_unit_test(unknown_games_and_pings_are_nothing),
        cmocka_unit_test(nobody_can_choose_a_bot_at_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
