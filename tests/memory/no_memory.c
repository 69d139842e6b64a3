/* Short of memory, the library does what it is asked to, or says so (surviving.h); this test runs
 * under AddressSanitizer too. */
#include "support.h"
#include "surviving.h"

#include "arena/run_play.h"
#include "arena/merge.h"
#include "base/clock.h"
#include "players/player.h"
#include "report/page.h"
#include "report/results.h"
#include "report/run_view.h"
#include "live/replay.h"
#include "store/record_json.h"
#include "store/live_games.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Place {
    char folder[64], made[96], other[96]; /* a database that is there, and one that is not */
};

/* ---- positions and players ------------------------------------------------------------------- */

static bool read_and_write_position(const Place *place, const void *detail, FILE *out,
                                    TurfError *error)
{
    (void)place;
    const TurfGame *game = detail;
    TurfRng         rng = turf_rng(7);
    TurfState       state, again;
    if (!turf_start(game, NULL, &rng, &state, error))
        return false;
    char *json = turf_position_to_json(game, &state);
    if (!json) {
        (void)snprintf(error->text, sizeof error->text, "NULL is what it promises");
        return false;
    }
    bool is_good = turf_start(game, json, &rng, &again, error);
    if (is_good)
        fprintf(out, "%s %d", json, memcmp(&state, &again, game->state_size) == 0);
    free(json);
    return is_good;
}

static void positions_are_read_and_written(void **state)
{
    for (size_t i = 0; turf_game_at(i); i++)
        survives(read_and_write_position, *state, turf_game_at(i), 1000);
}

static bool step_batch(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    TurfBatchOptions options = {.n_games = 3, .seed = 1, .start = detail};
    TurfBatch       *batch = turf_batch_new(&amoeba_wars, &options, error);
    int32_t          actions[3];
    if (!batch)
        return false;
    bool is_good =
        turf_batch_sample(batch, actions, error) && turf_batch_step(batch, actions, error);
    fprintf(out, "%d", actions[0]);
    turf_batch_free(batch);
    return is_good;
}

static void batches_are_made(void **state)
{
    survives(step_batch, *state, NULL, 1000);
    survives(step_batch, *state, "9x9", 1000);
}

typedef struct Pair {
    const char *game, *specs[2], *start;
    uint64_t    n_games;
} Pair;

/* Near the end, so that there is little to search. */
static const char short_war[] =
    "{\"values\":[[1,2,3,4,5],[5,4,3,2,1],[1,1,1,1,1],[9,8,7,6,5],[2,2,2,2,2]],"
    "\"board\":[\"XOXOX\",\"OXOXO\",\"XXOO*\",\"O*X*O\",\"XOXO*\"],\"to_move\":\"X\"}";
/* Its keys are short: jansson loses a character of a token that is too long for its buffer when
 * that cannot grow. */
static const char short_battle[] = "{\"board\":[\"11....\",\"1.....\",\"......\",\"......\",\"....."
                                   "2\",\"....22\"],\"iteration\":497}";

static const Pair pairs[] = {
    {"war-of-life", {"random", "random"}, NULL, 20},
    {"war-of-life", {"bloodlust", "self-preservation:ties=random"}, NULL, 2},
    {"war-of-life", {"named=minimax", "mcts:sims=4,hash=1"}, NULL, 1},
    {"war-of-life", {"alphabeta:depth=1,hash=1", "alphabeta:depth=1,hash=1,threads=2"}, NULL, 1},
    {"war-of-life", {"level:1", "level:2"}, NULL, 1},
    {"amoeba-wars", {"random", "land-grab"}, "4x4", 2},
    {"amoeba-wars", {"alphabeta:nodes=20,hash=1", "mcts:sims=4,hash=1"}, "4x4", 1},
    {"squirrel-war", {"random", "alphabeta:nodes=20,hash=1"}, NULL, 1},
    {"squirrel-war", {"perfect:hash=1", "bloodlust"}, short_war, 1},
    {"ai-battleground", {"random", "settler"}, short_battle, 1},
    {"ai-battleground", {"conqueror:time=1", "land-grab"}, short_battle, 1},
};

static TurfMove choose_first(void *context, const TurfGame *game, const TurfState *state,
                             TurfRng *rng)
{
    (void)context;
    (void)rng;
    TurfMove moves[TURF_MAX_MOVES];
    turf_moves(game, state, moves);
    return moves[0];
}

/* Through the public interface alone. */
static bool play_pair(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    const Pair     *pair = detail;
    const TurfGame *game = turf_game_find(pair->game, error);
    TurfPlayer     *players[3] = {NULL};
    bool            is_good = game != NULL;
    for (int i = 0; i < 2 && is_good; i++)
        is_good = (players[i] = turf_player_open(game, pair->specs[i], error)) != NULL;
    if (is_good && !game_is_simultaneous(game))
        is_good =
            (players[2] = turf_player_custom(game, "mine", choose_first, NULL, error)) != NULL;
    TurfPairing    pairings[] = {{{players[0], players[1]}, pair->n_games, false},
                                 {{players[2], players[1]}, pair->n_games, false}};
    TurfTotals     totals[2];
    TurfRunOptions options = {.seed = 5, .start = pair->start, .n_jobs = 1};
    size_t         n_pairings = players[2] ? 2 : 1;
    is_good = is_good && turf_run(game, pairings, n_pairings, &options, totals, error);
    for (size_t i = 0; i < n_pairings && is_good; i++)
        fprintf(out, "%llu games, %llu moves\n", (unsigned long long)totals[i].n_games,
                (unsigned long long)(totals[i].length_sum * !players[0]->kind->uses_clock));
    for (int i = 0; i < 3; i++)
        turf_player_free(players[i]);
    return is_good;
}

static bool open_bot(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    TurfPlayer *bot = turf_player_open(&war_of_life, detail, error),
               *copy = bot ? player_copy(bot, error) : NULL;
    if (copy)
        fprintf(out, "%s", turf_player_name(copy));
    turf_player_free(copy);
    turf_player_free(bot);
    return copy != NULL;
}

/* Asks a bot that is running already; `detail` is the player. */
static bool ask_bot(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    const TurfPlayer *bot = detail;
    TurfRng           rng = turf_rng(1);
    TurfState         state = {{0}};
    TurfCell          cells[TURF_MAX_CELLS];
    TurfMove          moves[TURF_MAX_MOVES];
    Forfeit           forfeit = {.text = ""};
    int64_t           used_ns;
    TurnContext       turn = {.deadline_ns = clock_ns() + INT64_C(60000000000),
                              .used_ns = &used_ns,
                              .forfeit = &forfeit,
                              .error = error};
    if (!turf_start(bot->game, NULL, &rng, &state, error) ||
        !player_ask(bot, &state, TURF_FIRST, &turn))
        return false;
    if (game_is_simultaneous(bot->game))
        player_choose_cells(bot, &state, TURF_FIRST, &turn, cells);
    else
        player_choose_move(bot, &state, false, &turn, moves);
    fprintf(out, "%s", forfeit.text);
    return error->code == TURF_OK;
}

/* If a question cannot be sent or an answer cannot be read for lack of memory, that is an error of
 * the run and no forfeit of the bot. (But Jansson reports a string for which there is no memory as
 * a syntax error.) */
static void bots_do_not_forfeit_for_lack_of_memory(void **state)
{
    static const char *const answers[] = {"nonsense", "{}"};
    char                     spec[128];
    TurfError                error;
    for (size_t g = 0; turf_game_at(g); g++)
        for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
            snprintf(spec, sizeof spec, "bot:sh -c 'while read q; do echo \"$0\"; done' '%s'",
                     answers[i]);
            TurfPlayer *bot = turf_player_open(turf_game_at(g), spec, &error);
            assert_non_null(bot);
            bot->terms.is_reused = true;
            assert_true(player_begin_game(bot, NULL, &error));
            /* The first reason of a game names its new-game line, the others do not. */
            FILE *ignored = fopen("/dev/null", "w");
            assert_non_null(ignored);
            (void)ask_bot(*state, bot, ignored, &error);
            fclose(ignored);
            survives(ask_bot, *state, bot, 1000);
            player_end_game(bot, NULL);
            turf_player_free(bot);
        }
}

static void bots_are_opened(void **state)
{
    survives(open_bot, *state, "me=bot:true \"a b\" c", 1000);
}

static void games_are_played(void **state)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        survives(play_pair, *state, &pairs[i], 40);
}

/* ---- events, the store and reports ------------------------------------------------------------
 */

typedef struct EventDetail {
    ScheduleKind schedule;
    const char  *test; /* of a match */
    bool         is_kept;
    int          shard, n_shards;
} EventDetail;

static bool make_plan(Plan *plan, const EventDetail *detail, TurfError *error)
{
    static const char *const specs[] = {"one=random", "bloodlust", "two=land-grab",
                                        "self-preservation"};
    *plan = (Plan){.game = &war_of_life,
                   .schedule = detail->schedule,
                   .n_games = 4,
                   .n_rounds = detail->schedule == SCHEDULE_SWISS ? 2 : 1,
                   .swaps_sides = true,
                   .seed = 3,
                   .n_recorded = 1};
    bool is_good = true;
    if (detail->test) {
        plan->has_sprt = true;
        is_good = sprt_parse(detail->test, &plan->sprt, error);
    }
    for (size_t i = 0; i < (detail->schedule == SCHEDULE_MATCH ? 2 : 4) && is_good; i++) {
        TurfPlayer *player = turf_player_open(plan->game, specs[i], error);
        is_good = player &&
                  (plan_add_player(plan, player) ||
                   !snprintf(error->text, sizeof error->text, "%s", "false is what it promises"));
    }
    return is_good;
}

/* Takes `json` over. */
static bool write_json(json_t *json, FILE *out, TurfError *error)
{
    bool is_good = json && json_dumpf(json, out, JSON_SORT_KEYS) == 0;
    json_decref(json);
    if (!is_good)
        (void)snprintf(error->text, sizeof error->text, "NULL is what it promises");
    return is_good;
}

static bool play_into(Store *store, const EventDetail *detail, FILE *out, TurfError *error)
{
    Plan     plan;
    Run      event;
    RunHooks hooks = {0};
    if (!make_plan(&plan, detail, error) || !run_init(&event, &plan, true, error)) {
        plan_release(&plan);
        return false;
    }
    event.shard = detail->n_shards ? detail->shard : 1;
    event.n_shards = detail->n_shards ? detail->n_shards : 1;
    event.n_jobs = 1;
    bool is_good = run_begin(&event, store, error) && run_play(&event, &hooks, error);
    for (size_t p = 0; p < event.n_pairings && is_good; p++)
        is_good = write_json(results_json(&war_of_life, &event.pairings[p], event.totals[p],
                                          &(ResultStyle){.hides_times = true}),
                             out, error);
    run_release(&event);
    return is_good;
}

static void remove_database(const char *path)
{
    for (size_t i = 0; i < 3; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", path, (const char *[]){"", "-wal", "-shm"}[i]);
        (void)unlink(name);
    }
}

static bool play_event(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    const EventDetail *wanted = detail;
    if (!wanted->is_kept)
        return play_into(NULL, wanted, out, error);
    remove_database(place->other);
    Store *store = store_open(place->other, STORE_MAKE, error);
    bool   is_good = store && play_into(store, wanted, out, error);
    store_close(store);
    return is_good;
}

static void events_are_played(void **state)
{
    survives(play_event, *state, &(EventDetail){.schedule = SCHEDULE_ROUND_ROBIN}, 40);
    survives(play_event, *state, &(EventDetail){.schedule = SCHEDULE_SWISS}, 40);
    survives(play_event, *state, &(EventDetail){.schedule = SCHEDULE_MATCH, .test = "0,400"}, 40);
}

static void events_are_kept(void **state)
{
    survives(play_event, *state, &(EventDetail){.schedule = SCHEDULE_GAUNTLET, .is_kept = true},
             20);
}

/* A run that is there: without memory to play it with, it stays what it was. */
static bool resume_event(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    Run       event;
    RunRecord run;
    RunHooks  hooks = {0};
    Store    *store = store_open(place->made, STORE_WRITE, error);
    bool      is_good = store && runs_find(store, 1, &run, error);
    if (is_good) {
        is_good = run_resume(&event, store, &run, true, error);
        run_record_release(&run);
        if (is_good) {
            event.n_jobs = 1;
            is_good = run_play(&event, &hooks, error);
            if (is_good)
                fprintf(out, "%llu games", (unsigned long long)run_n_played(&event));
            run_release(&event);
        }
    }
    store_close(store);
    return is_good;
}

static void events_are_resumed(void **state) { survives(resume_event, *state, NULL, 20); }

static bool report_run(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    RunView view;
    Store  *store = store_open(place->made, STORE_READ, error);
    if (!store)
        return false;
    bool is_good = run_view_load(&view, store, 0, RUN_VIEW_ALL, error);
    if (is_good) {
        Table *table = standings_table(view.standings);
        Table *cross = standings_cross_table(view.standings, view.results, view.n_pairings);
        table_print(table, TABLE_TEXT, out);
        table_print(cross, TABLE_MARKDOWN, out);
        table_free(table);
        table_free(cross);
        is_good = write_json(run_view_json(&view), out, error) &&
                  write_json(standings_json(view.standings, view.game), out, error) &&
                  write_json(standings_fit_json(view.standings), out, error) &&
                  page_write(&view, store, true, out, error);
        run_view_release(&view);
    }
    store_close(store);
    return is_good;
}

static void runs_are_reported(void **state) { survives(report_run, *state, NULL, 20); }

typedef struct Replaying {
    FILE      *out;
    TurfError *error;
    bool       is_good;
} Replaying;

static bool replay_game(void *context, const GameRecord *record)
{
    Replaying  *replaying = context;
    const char *names[2] = {"one", "two"};
    json_t     *json = record_to_json(record, &war_of_life, names);
    Replay      replay;
    if (!json) {
        (void)snprintf(replaying->error->text, sizeof replaying->error->text,
                       "NULL is what it promises");
        return false;
    }
    if ((replaying->is_good = replay_init(&replay, json, replaying->error))) {
        char ending[200];
        replay_ending_text(&replay, ending, sizeof ending);
        fprintf(replaying->out, "%u moves, %s, %d", (unsigned)replay.history.n_plies, ending,
                turf_own(replay.history.game, &replay.history.state, TURF_FIRST));
        replay_release(&replay);
    }
    json_decref(json);
    return false;
}

static bool replay_first_game(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    Replaying replaying = {out, error, false};
    Store    *store = store_open(place->made, STORE_READ, error);
    bool      is_read =
        store && records_each_game(store, 1, RECORDS_ALL, replay_game, &replaying, error);
    store_close(store);
    return is_read && replaying.is_good;
}

static void games_are_replayed(void **state) { survives(replay_first_game, *state, NULL, 20); }

static bool merge_two(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    const char *paths[] = {place->made, place->made};
    MergeShards shards = {0};
    int64_t     run = 0;
    remove_database(place->other);
    Store *store = store_open(place->other, STORE_MAKE, error);
    bool   is_good = store && merge_runs(paths, 2, store, &run, &shards, error);
    if (is_good)
        fprintf(out, "run %lld of %d shards", (long long)run, shards.n_shards);
    free(shards.is_there);
    store_close(store);
    return is_good;
}

static void databases_are_merged(void **state) { survives(merge_two, *state, NULL, 20); }

/* What could not be undone for want of memory would stay in the way of everything that comes later.
 */
static void a_store_goes_on_when_there_is_memory_again(void **state)
{
    const Place   *place = *state;
    TurfError      error = {0};
    bool           has_failed = true;
    StoredLiveGame live_game = {
        .id = "abc", .game = "war-of-life", .names = {"", ""}, .winner = -1, .setup = "{}"};
    live_game.live = "{}";
    for (uint64_t nth = 1; has_failed; nth++) {
        remove_database(place->other);
        Store *store = store_open(place->other, STORE_MAKE, &error);
        assert_non_null(store);
        live_game.n_moves = 1;
        failing_begin(nth, FAILING_ON);
        live_game.n_moves += live_games_save_move(store, &live_game, 0, "[1,2]", 3, &error);
        has_failed = failing_end();
        error = (TurfError){0};
        if (!live_games_save_move(store, &live_game, 1, "[3,4]", 5, &error))
            fail_msg("after allocation %llu had failed: %s", (unsigned long long)nth, error.text);
        store_close(store);
    }
}

/* ---- the place --------------------------------------------------------------------------------
 */

static int make_place(void **state)
{
    static Place place;
    /* Where files need no disk: these databases are made some thousand times. */
    (void)snprintf(place.folder, sizeof place.folder, "%s/turf-memory-XXXXXX",
                   access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(place.folder))
        return -1;
    (void)snprintf(place.made, sizeof place.made, "%s/made.db", place.folder);
    (void)snprintf(place.other, sizeof place.other, "%s/other.db", place.folder);
    *state = &place;
    TurfError   error = {0};
    EventDetail detail = {.schedule = SCHEDULE_ROUND_ROBIN};
    Store      *store = store_open(place.made, STORE_MAKE, &error);
    FILE       *nowhere = fopen("/dev/null", "w");
    bool        is_good = store && nowhere && play_into(store, &detail, nowhere, &error);
    if (nowhere)
        fclose(nowhere);
    store_close(store);
    return is_good ? 0 : -1;
}

static int remove_place(void **state)
{
    Place *place = *state;
    remove_database(place->made);
    remove_database(place->other);
    return rmdir(place->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_read_and_written),
        cmocka_unit_test(batches_are_made),
        cmocka_unit_test(bots_are_opened),
        cmocka_unit_test(bots_do_not_forfeit_for_lack_of_memory),
        cmocka_unit_test(games_are_played),
        cmocka_unit_test(events_are_played),
        cmocka_unit_test(events_are_kept),
        cmocka_unit_test(events_are_resumed),
        cmocka_unit_test(runs_are_reported),
        cmocka_unit_test(games_are_replayed),
        cmocka_unit_test(databases_are_merged),
        cmocka_unit_test(a_store_goes_on_when_there_is_memory_again),
    };
    failing_install();
    return cmocka_run_group_tests_name("short of memory", tests, make_place, remove_place);
}
