/* Frames of long games: how many plies are replayed for them, and the cache of finished games. */
#include "support.h"

#include "games/battleground.h"
#include "web/record_cache.h"

#include <stdlib.h>

enum { N_PLIES = 10000 };

extern const TurfGame ai_battleground;
static TurfGame       counting; /* AI Battleground that counts its turns */
static size_t         n_turns;

static void count_turn(void *state, const TurfAction actions[2])
{
    n_turns++;
    ai_battleground.apply_both(state, actions);
}

/* A game in which both sides pass. */
static void make_long_game(MoveHistory *history, size_t n_plies)
{
    TurfRng   rng = turf_rng(1);
    TurfState start;
    TurfError error;
    Ply       pass = {.side = SIDE_BOTH};
    counting = ai_battleground;
    counting.apply_both = count_turn;
    if (!turf_start(&counting, "128x128", &rng, &start, &error))
        fail_msg("%s", error.text);
    history_init(history, &counting, &start);
    for (size_t i = 0; i < n_plies; i++)
        assert_true(history_add(history, &pass, 0));
    n_turns = 0;
}

static json_t *frames_of(const MoveHistory *history, int64_t from, int64_t n)
{
    Frames frames;
    assert_true(frames_copy(&frames, history, NULL, from, n));
    json_t *json = frames_view(&frames);
    assert_non_null(json);
    frames_release(&frames);
    return json;
}

static void the_last_frames_of_a_long_game_replay_few_plies(void **state)
{
    (void)state;
    MoveHistory history;
    make_long_game(&history, N_PLIES);
    json_decref(frames_of(&history, 9950, 50));
    /* From a checkpoint to the first; then each to copy it, to show it and to see its effect. */
    assert_true(n_turns < CHECKPOINT_PLIES + 4 * 50);
    history_release(&history);
}

static void copying_a_long_game_replays_nothing(void **state)
{
    (void)state;
    MoveHistory history, copy;
    make_long_game(&history, N_PLIES);
    assert_true(history_copy(&copy, &history));
    assert_int_equal(n_turns, 0);
    TurfState original, copied;
    for (size_t n_plies = 0; n_plies <= N_PLIES; n_plies += 777) {
        history_position_at(&history, n_plies, &original);
        history_position_at(&copy, n_plies, &copied);
        assert_memory_equal(&original, &copied, counting.state_size);
    }
    history_release(&history);
    history_release(&copy);
}

static void every_range_of_frames_has_the_frames_of_the_whole(void **state)
{
    (void)state;
    MoveHistory history;
    make_long_game(&history, 9);
    json_t *whole = frames_of(&history, 0, 200), *all = json_object_get(whole, "frames");
    assert_int_equal(json_array_size(all), 10);
    for (int64_t from = 0; from <= 12; from++)
        for (int64_t n = 1; n <= 12; n++) {
            json_t *part = frames_of(&history, from, n), *list = json_object_get(part, "frames");
            int64_t n_left = from <= 9 ? 10 - from : 0;
            assert_int_equal(json_array_size(list), n < n_left ? n : n_left);
            assert_int_equal(json_integer_value(json_object_get(part, "n_frames")), 10);
            for (size_t i = 0; i < json_array_size(list); i++)
                assert_true(
                    json_equal(json_array_get(list, i), json_array_get(all, (size_t)from + i)));
            json_decref(part);
        }
    json_decref(whole);
    history_release(&history);
}

static CachedRecord *add(RecordCache *cache, int number)
{
    Record record = {.run = number};
    snprintf(record.id, sizeof record.id, "r-%d", number);
    make_long_game(&record.history, 1);
    CachedRecord *cached = record_cache_add(cache, &record);
    assert_non_null(cached);
    return cached;
}

static void a_finished_game_is_read_once_and_the_least_used_ones_are_dropped(void **state)
{
    (void)state;
    RecordCache cache;
    record_cache_init(&cache);
    CachedRecord *first = add(&cache, 0), *again = add(&cache, 0);
    assert_ptr_equal(first, again);
    cached_record_release(again);
    for (int i = 1; i < MAX_CACHED_RECORDS; i++) {
        cached_record_release(add(&cache, i));
        cached_record_release(record_cache_find(&cache, "r-0"));
    }
    cached_record_release(add(&cache, 1000));
    assert_null(record_cache_find(&cache, "r-1"));
    again = record_cache_find(&cache, "r-0");
    assert_ptr_equal(first, again);
    cached_record_release(again);
    assert_int_equal(cache.n, MAX_CACHED_RECORDS);
    record_cache_release(&cache);
    assert_int_equal(first->record.run, 0); /* its user still has it */
    cached_record_release(first);
}

static void the_cache_keeps_to_its_budget(void **state)
{
    (void)state;
    RecordCache cache;
    size_t      n_bytes = 0;
    record_cache_init(&cache);
    for (int i = 0; i < 3; i++) {
        Record record = {.run = i};
        snprintf(record.id, sizeof record.id, "r-%d", i);
        make_long_game(&record.history, 1);
        /* As if it had them; an analysis would have them again. */
        record.history.n_cells = MAX_CACHED_BYTES / 3 / sizeof(TurfCell);
        cached_record_release(record_cache_add(&cache, &record));
        assert_true(cache.n_bytes <= MAX_CACHED_BYTES && cache.n_bytes > 0);
        n_bytes = cache.n_bytes;
    }
    assert_int_equal(cache.n, 1);
    assert_true(n_bytes > MAX_CACHED_BYTES / 2);
    record_cache_release(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_frames_of_a_long_game_replay_few_plies),
        cmocka_unit_test(copying_a_long_game_replays_nothing),
        cmocka_unit_test(every_range_of_frames_has_the_frames_of_the_whole),
        cmocka_unit_test(a_finished_game_is_read_once_and_the_least_used_ones_are_dropped),
        cmocka_unit_test(the_cache_keeps_to_its_budget),
    };
    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
