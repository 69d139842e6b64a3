/* The moves of players in a sitting: waiting to begin is not thinking, and who remembers what has been taken back does
 * not play on. */
#include "support.h"

#include "base/clock.h"
#include "web/server.h"
#include "web/sitting.h"
#include "web/think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Place {
    char       folder[64], path[96];
    WebOptions options;
    Server    *server;
} Place;

static int make_place(void **state)
{
    TurfError error = {""};
    Place    *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/turf-thinking-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/turf.db", place->folder);
    place->options = (WebOptions){.database = place->path, .patience_ms = WEB_PATIENCE_MS, .most_bots = 1};
    place->server = web_start(&place->options, &error);
    if (!place->server)
        fail_msg("%s", error.text);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    Place                   *place = *state;
    web_stop(place->server);
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", place->path, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    free(place);
    return 0;
}

/* A sitting of SquirrelWar between a player on `side` and a person. */
static Sitting *sit(Place *place, int side, const char *spec, bool is_bot)
{
    TurfError error = {""};
    Setup     setup = {.game = turf_game_find("squirrel-war", &error)};
    Seat      seats[2] = {{.is_person = true, .is_taken = true}, {.is_person = true, .is_taken = true}};
    TurfRng   rng = turf_rng(1);
    assert_true(turf_start(setup.game, NULL, &rng, &setup.start, &error));
    seats[side] = (Seat){.is_taken = true, .is_bot = is_bot, .player = strdup("it"), .spec = strdup(spec)};
    Sitting *sitting = sitting_new(place->server, "abcdefghijkl", &setup, seats);
    assert_non_null(sitting);
    assert_true(sitting_save(sitting, SAVE_STANDING, &error));
    registry_add(place->server, sitting);
    return sitting;
}

static void breathe(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* Waits until nobody thinks, and returns with the sitting locked. */
static void lock_when_quiet(Sitting *sitting)
{
    pthread_mutex_lock(&sitting->lock);
    while (sitting->is_thinking[0] || sitting->is_thinking[1]) {
        pthread_mutex_unlock(&sitting->lock);
        breathe();
        pthread_mutex_lock(&sitting->lock);
    }
}

static void set_bots(Server *server, size_t n_bots)
{
    pthread_mutex_lock(&server->bots_lock);
    server->n_bots = n_bots;
    pthread_cond_broadcast(&server->bots_changed);
    pthread_mutex_unlock(&server->bots_lock);
}

static void wait_for_who_waits(Server *server)
{
    size_t n_waiting;
    do {
        breathe();
        pthread_mutex_lock(&server->bots_lock);
        n_waiting = server->n_waiting_for_bots;
        pthread_mutex_unlock(&server->bots_lock);
    } while (n_waiting == 0);
}

static void test_a_bot_that_waits_long_for_its_place_still_plays(void **state)
{
    Place   *place = *state;
    Sitting *sitting =
        sit(place, 0, "bot:sh -c 'while read -r line; do sleep 0.3; echo \"{\\\"move\\\":\\\"A1\\\"}\"; done'", true);
    set_bots(place->server, 1); /* all that may be */
    pthread_mutex_lock(&sitting->lock);
    sitting_continue(sitting);
    pthread_mutex_unlock(&sitting->lock);
    wait_for_who_waits(place->server);
    pthread_mutex_lock(&sitting->lock);
    sitting->thinks_since_ns[0] -= (THINK_MOST_MS + 1000) * INT64_C(1000000); /* as if it had waited that long */
    sitting_tick(sitting);
    pthread_mutex_unlock(&sitting->lock);
    set_bots(place->server, 0);
    lock_when_quiet(sitting);
    Finish finish = sitting->finish;
    size_t n_turns = sitting->line.n_turns;
    pthread_mutex_unlock(&sitting->lock);
    sitting_release(sitting);
    assert_string_equal(finish.text, "");
    assert_int_equal(n_turns, 1);
}

static void move_first(Sitting *sitting)
{
    Refusal  unused;
    TurfMove moves[TURF_MOST_MOVES];
    (void)sitting->setup.game->moves(&sitting->line.state, moves);
    json_decref(sitting_do(sitting, &(Deed){.side = 0, .move = moves[0]}, &unused));
}

static void test_who_remembers_what_was_taken_back_goes_though_it_had_not_begun(void **state)
{
    Place   *place = *state;
    Sitting *sitting = sit(place, 1, "alphabeta:depth=1,hash=1", false);
    Refusal  unused;
    pthread_mutex_lock(&sitting->lock);
    move_first(sitting);
    pthread_mutex_unlock(&sitting->lock);
    lock_when_quiet(sitting);
    bool was_kept = sitting->kept[1] != NULL;
    move_first(sitting); /* which makes a job, that cannot begin before the sitting is unlocked */
    size_t n_before = sitting->line.n_turns;
    json_decref(sitting_undo(sitting, 0, &unused));
    size_t n_after = sitting->line.n_turns;
    pthread_mutex_unlock(&sitting->lock);
    lock_when_quiet(sitting);
    bool is_kept = sitting->kept[1] != NULL, is_to_go = sitting->is_dismissed[1];
    pthread_mutex_unlock(&sitting->lock);
    sitting_release(sitting);
    assert_true(was_kept);
    assert_int_equal(n_before, 3);
    assert_int_equal(n_after, 2);
    assert_false(is_kept);
    assert_false(is_to_go);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_bot_that_waits_long_for_its_place_still_plays, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_who_remembers_what_was_taken_back_goes_though_it_had_not_begun, make_place,
                                        remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
