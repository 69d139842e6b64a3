/* Players in hosted games: waiting for a slot is not thinking time, and an undo frees a player that
 * would remember the moves. Without memory a change is made as a whole or not at all. */
#include "support.h"

#include "base/clock.h"
#include "web/registry.h"
#include "web/server.h"
#include "web/web.h"
#include "web/hosted_game.h"

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
    TurfError error = {0};
    Place    *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/turf-thinking-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/turf.db", place->folder);
    place->options =
        (WebOptions){.database = place->path, .patience_ms = WEB_PATIENCE_MS, .max_bots = 1};
    place->server = web_start(&place->options, &error);
    if (!place->server)
        fail_msg("%s", error.text);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm", ".owner"};
    Place                   *place = *state;
    web_stop(place->server);
    for (size_t i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", place->path, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    free(place);
    return 0;
}

/* A live game with seats that are all taken. */
static HostedGame *sit(Place *place, const char *game, Seat seats[2])
{
    TurfError error = {0};
    Setup     setup = {.game = turf_game_find(game, &error)};
    TurfRng   rng = turf_rng(1);
    char      id[TOKEN_NAME_BYTES];
    assert_true(turf_start(setup.game, NULL, &rng, &setup.start, &error));
    for (int side = 0; side < 2; side++)
        seats[side].is_taken = true;
    token_name(id);
    HostedGame *hosted = hosted_game_new(place->server, id, &setup, seats);
    assert_non_null(hosted);
    ApiError api_error;
    assert_true(hosted_game_save(hosted, SAVE_STATE, &api_error));
    registry_add(place->server, hosted);
    return hosted;
}

static json_t *move_first(HostedGame *hosted, ApiError *api_error)
{
    TurfMove moves[TURF_MAX_MOVES];
    (void)hosted->setup.game->moves(&hosted->live.history.state, moves);
    Ply ply = {.side = (int)hosted->setup.game->to_move(&hosted->live.history.state),
               .move = moves[0]};
    return hosted_game_play(hosted, &ply, api_error);
}

/* ---- players ---- */

static HostedGame *host_with_player(Place *place, int side, const char *spec, bool is_external)
{
    Seat seats[2] = {{.is_person = true}, {.is_person = true}};
    seats[side] = (Seat){.is_external = is_external, .player = strdup("it"), .spec = strdup(spec)};
    return sit(place, "squirrel-war", seats);
}

static void breathe(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* Waits until nobody thinks, and returns with the live game locked. */
static void lock_when_idle(HostedGame *hosted)
{
    pthread_mutex_lock(&hosted->lock);
    while (hosted->is_thinking[0] || hosted->is_thinking[1]) {
        pthread_mutex_unlock(&hosted->lock);
        breathe();
        pthread_mutex_lock(&hosted->lock);
    }
}

static void set_taken_slots(Server *server, size_t n_bots)
{
    pthread_mutex_lock(&server->bot_slots.lock);
    server->bot_slots.n_taken = n_bots;
    pthread_cond_broadcast(&server->bot_slots.changed);
    pthread_mutex_unlock(&server->bot_slots.lock);
}

static void wait_for_a_waiter(Server *server)
{
    size_t n_waiting;
    do {
        breathe();
        pthread_mutex_lock(&server->bot_slots.lock);
        n_waiting = server->bot_slots.n_waiting;
        pthread_mutex_unlock(&server->bot_slots.lock);
    } while (n_waiting == 0);
}

static void a_bot_that_waited_long_for_a_slot_still_plays(void **state)
{
    Place      *place = *state;
    const char *bot =
        "bot:sh -c 'while read -r line; do sleep 0.3; echo \"{\\\"move\\\":\\\"A1\\\"}\"; done'";
    HostedGame *hosted = host_with_player(place, 0, bot, true);
    set_taken_slots(place->server, 1); /* all that may be */
    pthread_mutex_lock(&hosted->lock);
    hosted_game_continue(hosted);
    pthread_mutex_unlock(&hosted->lock);
    wait_for_a_waiter(place->server);
    pthread_mutex_lock(&hosted->lock);
    hosted->thinks_since_ns[0] -=
        (MAX_THINK_MS + 1000) * INT64_C(1000000); /* as if it had waited that long */
    hosted_game_tick(hosted);
    pthread_mutex_unlock(&hosted->lock);
    set_taken_slots(place->server, 0);
    lock_when_idle(hosted);
    Finish finish = hosted->live.finish;
    size_t n_turns = hosted->live.history.n_plies;
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
    assert_string_equal(finish.text, "");
    assert_int_equal(n_turns, 1);
}

static void an_undo_frees_a_kept_player_whose_job_has_not_begun(void **state)
{
    Place      *place = *state;
    HostedGame *hosted = host_with_player(place, 1, "alphabeta:depth=1,hash=1", false);
    ApiError    unused;
    pthread_mutex_lock(&hosted->lock);
    json_decref(move_first(hosted, &unused));
    pthread_mutex_unlock(&hosted->lock);
    lock_when_idle(hosted);
    bool was_kept = hosted->kept[1] != NULL;
    json_decref(move_first(
        hosted, &unused)); /* makes a job, which cannot begin before the live game is unlocked */
    size_t n_before = hosted->live.history.n_plies;
    json_decref(hosted_game_undo(hosted, 0, false, &unused));
    size_t n_after = hosted->live.history.n_plies;
    pthread_mutex_unlock(&hosted->lock);
    lock_when_idle(hosted);
    bool is_kept = hosted->kept[1] != NULL, is_to_go = hosted->is_dismissed[1];
    pthread_mutex_unlock(&hosted->lock);
    hosted_game_release(hosted);
    assert_true(was_kept);
    assert_int_equal(n_before, 3);
    assert_int_equal(n_after, 2);
    assert_false(is_kept);
    assert_false(is_to_go);
}

/* ---- short of memory ---- */

static int n_left; /* allocations before the one that fails */

static void *fail_once(size_t n_bytes) { return n_left-- == 0 ? NULL : malloc(n_bytes); }

typedef json_t *Doing(HostedGame *hosted, ApiError *api_error);

/* The first turn of Amoeba Wars is one move, and the next has several. */
static json_t *move_into_turn(HostedGame *hosted, ApiError *api_error)
{
    json_decref(move_first(hosted, api_error));
    return move_first(hosted, api_error);
}

static json_t *undo(HostedGame *hosted, ApiError *api_error)
{
    return hosted_game_undo(hosted, 1, false, api_error);
}
static json_t *resign(HostedGame *hosted, ApiError *api_error)
{
    return hosted_game_resign(hosted, 0, api_error);
}
static json_t *commit(HostedGame *hosted, ApiError *api_error)
{
    return hosted_game_commit(hosted, 1, &(TurfAction){NULL, 0}, api_error);
}

/* What a live game has come to, as one number. */
static size_t standing(const HostedGame *hosted)
{
    return hosted->live.history.n_plies + 100 * (size_t)hosted->live.is_over +
           1000 * (size_t)hosted->live.pending[1].is_in;
}

/* Allocations of JSON fail in turn: each of the first, then ever fewer. */
static void assert_done_or_rejected(Place *place, const char *game, Doing *prepare, Doing *doing)
{
    bool is_done = false, has_failed = true;
    for (int n = 0; has_failed; n += 1 + n / 16) {
        Seat        seats[2] = {{.is_person = true}, {.is_person = true}};
        ApiError    api_error = {.status = 0};
        HostedGame *hosted = sit(place, game, seats);
        if (prepare)
            json_decref(prepare(hosted, &api_error));
        size_t before = standing(hosted);
        n_left = n;
        json_set_alloc_funcs(fail_once, free);
        json_t *data = doing(hosted, &api_error);
        json_set_alloc_funcs(malloc, free);
        has_failed = n_left < 0;
        is_done = data != NULL;
        assert_int_equal(is_done, standing(hosted) != before);
        assert_int_equal(is_done, api_error.status == 0);
        json_decref(data);
        hosted_game_release(hosted);
    }
    assert_true(is_done);
}

static void without_memory_a_change_is_made_or_rejected_as_a_whole(void **state)
{
    assert_done_or_rejected(*state, "war-of-life", NULL, move_first);
    assert_done_or_rejected(*state, "amoeba-wars", move_into_turn, undo);
    assert_done_or_rejected(*state, "squirrel-war", NULL, resign);
    assert_done_or_rejected(*state, "ai-battleground", NULL, commit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bot_that_waited_long_for_a_slot_still_plays, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(an_undo_frees_a_kept_player_whose_job_has_not_begun,
                                        make_place, remove_place),
        cmocka_unit_test_setup_teardown(without_memory_a_change_is_made_or_rejected_as_a_whole,
                                        make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
