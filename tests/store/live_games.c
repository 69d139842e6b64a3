/* LiveGames in the store: moves come back in order, what was taken back is gone, lists go on where
 * they stopped; and a lock on a run can be given back. */
#include "support.h"

#include "store/recorded_games.h"
#include "store/live_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Place {
    char   folder[64], path[96];
    Store *store;
} Place;

static int make_place(void **state)
{
    TurfError error = {0};
    Place    *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/turf-live-games-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/turf.db", place->folder);
    place->store = store_open(place->path, STORE_MAKE, &error);
    assert_non_null(place->store);
    assert_true(live_games_prepare(place->store, &error));
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    Place *place = *state;
    store_close(place->store);
    unlink(place->path);
    assert_int_equal(rmdir(place->folder), 0);
    free(place);
    return 0;
}

static StoredLiveGame example(const char *id, int64_t updated_ms)
{
    return (StoredLiveGame){.id = id,
                            .game = "squirrel-war",
                            .created_ms = 1000,
                            .updated_ms = updated_ms,
                            .is_listed = true,
                            .names = {"Ann", "Bob \"b\""},
                            .winner = -1,
                            .setup = "{}",
                            .live = "{}"};
}

/* Everything that was visited, as text. */
static bool note_move(void *context, int64_t ply, int side, const char *move, int64_t ms)
{
    char *text = context;
    sprintf(text + strlen(text), "%d.%d %s %d; ", (int)ply, side, move, (int)ms);
    return true;
}

static bool note_live_game(void *context, const StoredLiveGame *live_game)
{
    char *text = context;
    sprintf(text + strlen(text), "%s %s %s %d %s; ", live_game->id, live_game->names[1],
            live_game->is_over ? "over" : "open", live_game->winner, live_game->live);
    return true;
}

static void save_move(Store *store, StoredLiveGame *live_game, int side, const char *move)
{
    TurfError error = {0};
    live_game->n_moves++;
    assert_true(
        live_games_save_move(store, live_game, side, move, 10 * live_game->n_moves, &error));
}

static void moves_are_read_in_order_without_undone_ones(void **state)
{
    Place         *place = *state;
    TurfError      error = {0};
    char           text[400] = "";
    StoredLiveGame live_game = example("abc", 1);
    assert_true(live_games_save(place->store, &live_game, &error));
    save_move(place->store, &live_game, 0, "\"A1\"");
    save_move(place->store, &live_game, 1, "\"B1\"");
    save_move(place->store, &live_game, 0, "\"C1\"");
    live_game.n_moves = 1;
    assert_true(live_games_save_undo(place->store, &live_game, &error));
    save_move(place->store, &live_game, 1, "\"E5\"");
    assert_true(live_games_each_move(place->store, "abc", note_move, text, &error));
    assert_string_equal(text, "1.0 \"A1\" 10; 2.1 \"E5\" 20; ");
    /* The same move twice is an error, and leaves everything as it was. */
    assert_false(live_games_save_move(place->store, &live_game, 1, "\"E4\"", 1, &error));
    text[0] = '\0';
    assert_true(live_games_each_move(place->store, "abc", note_move, text, &error));
    assert_string_equal(text, "1.0 \"A1\" 10; 2.1 \"E5\" 20; ");
}

static void saving_updates_the_state_but_not_the_setup(void **state)
{
    Place         *place = *state;
    TurfError      error = {0};
    char           text[400] = "";
    StoredLiveGame live_game = example("abc", 1);
    assert_true(live_games_save(place->store, &live_game, &error));
    live_game.is_over = true;
    live_game.winner = 1;
    live_game.outcome = "win";
    live_game.reason = "resigned";
    live_game.names[1] = "Robert";
    live_game.live = "{\"over\":1}";
    assert_true(live_games_save(place->store, &live_game, &error));
    assert_true(live_games_find(place->store, "abc", note_live_game, text, &error));
    assert_string_equal(text, "abc Robert over 1 {\"over\":1}; ");
    text[0] = '\0';
    assert_true(
        live_games_save_live(place->store, "abc", "{\"left\":7}", &error)); /* and nothing else */
    assert_true(live_games_find(place->store, "abc", note_live_game, text, &error));
    assert_string_equal(text, "abc Robert over 1 {\"left\":7}; ");
    assert_false(live_games_find(place->store, "xyz", note_live_game, text, &error));
    assert_int_equal(error.code, TURF_ERROR_NOT_FOUND);
}

static void lists_are_latest_first_and_continue_at_the_cursor(void **state)
{
    Place            *place = *state;
    TurfError         error = {0};
    char              text[800] = "";
    const char *const ids[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        StoredLiveGame live_game =
            example(ids[i], i < 2 ? 5 : 6); /* two at a time at the same moment */
        assert_true(live_games_save(place->store, &live_game, &error));
    }
    LiveGameFilter filter = {.limit = 3, .player = "BOB"};
    assert_true(live_games_each(place->store, &filter, note_live_game, text, &error));
    filter.before_ms = 5;
    filter.before_id = "b";
    assert_true(live_games_each(place->store, &filter, note_live_game, text, &error));
    assert_string_equal(text,
                        "d Bob \"b\" open -1 {}; c Bob \"b\" open -1 {}; b Bob \"b\" open -1 {}; "
                        "a Bob \"b\" open -1 {}; ");
    text[0] = '\0';
    filter = (LiveGameFilter){.limit = 3, .game = "war-of-life"};
    assert_true(live_games_each(place->store, &filter, note_live_game, text, &error));
    filter = (LiveGameFilter){.limit = 3, .player = "Zoe"};
    assert_true(live_games_each(place->store, &filter, note_live_game, text, &error));
    filter = (LiveGameFilter){.limit = 3, .is_over = true};
    assert_true(live_games_each(place->store, &filter, note_live_game, text, &error));
    assert_string_equal(text, "");
}

static void an_unlocked_run_can_be_locked_by_another(void **state)
{
    Place    *place = *state;
    TurfError error = {0};
    Store    *other = store_open(place->path, STORE_WRITE, &error);
    assert_non_null(other);
    assert_true(store_lock_run(place->store, 3, &error));
    assert_true(store_lock_run(place->store, 4, &error));
    assert_false(store_lock_run(other, 3, &error));
    store_unlock_run(place->store, 3);
    assert_true(store_lock_run(other, 3, &error));
    assert_false(store_lock_run(other, 4, &error));
    store_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(moves_are_read_in_order_without_undone_ones, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(saving_updates_the_state_but_not_the_setup, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(lists_are_latest_first_and_continue_at_the_cursor,
                                        make_place, remove_place),
        cmocka_unit_test_setup_teardown(an_unlocked_run_can_be_locked_by_another, make_place,
                                        remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
