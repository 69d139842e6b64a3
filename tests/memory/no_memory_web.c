/* Short of memory, the server shows something whole, or says that it cannot (surviving.h). */
#include "support.h"
#include "surviving.h"

#include "arena/workers.h"
#include "base/error.h"
#include "base/checked_json.h"
#include "web/record.h"
#include "web/registry.h"
#include "web/server.h"
#include "web/tournaments.h"
#include "web/web.h"
#include "web/hosted_game.h"
#include "web/tournament_view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_LIVE_GAMES = 4 };

struct Place {
    char        folder[64], path[96];
    WebOptions  options;
    Server     *server;
    HostedGame *live_games[N_LIVE_GAMES]; /* one of each game */
};

/* Takes `json` over. */
static bool write_json(json_t *json, FILE *out, TurfError *error)
{
    char *text = json_checked_text(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        return error_invalid(error, "NULL is what it promises");
    fprintf(out, "%s\n", text);
    free(text);
    return true;
}

/* ---- live games ---------------------------------------------------------------------------------
 */

static bool show_live_game(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    HostedGame     *hosted = place->live_games[*(const size_t *)detail];
    const TurfGame *game = hosted->setup.game;
    return write_json(hosted_game_json(hosted), out, error) &&
           write_json(hosted_game_summary(hosted), out, error) &&
           write_json(history_frames_view(&hosted->history, NULL, 0, 10), out, error) &&
           write_json(game_is_simultaneous(game) ? view_of_reach(game, &hosted->history.state)
                                                 : view_of_moves(game, &hosted->history.state),
                      out, error);
}

static void live_games_are_shown(void **state)
{
    for (size_t i = 0; i < N_LIVE_GAMES; i++)
        survives(show_live_game, *state, &i, 60);
}

static bool load_live_game(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    Server *server = place->server;
    Store  *default_ = server->store;
    server->store = store_open(place->path, STORE_WRITE, error);
    HostedGame *hosted =
        server->store
            ? hosted_game_load(server, place->live_games[*(const size_t *)detail]->id, error)
            : NULL;
    store_close(server->store);
    server->store = default_;
    json_t *json = hosted ? hosted_game_json(hosted) : NULL;
    json_object_del(json, "event"); /* of a channel of its own */
    bool is_good = hosted && write_json(json, out, error);
    hosted_game_release(hosted);
    return is_good;
}

static void live_games_are_loaded(void **state)
{
    failing_spare_json(true);
    for (size_t i = 0; i < N_LIVE_GAMES; i++)
        survives(load_live_game, *state, &i, 60);
    failing_spare_json(false);
}

/* ---- players, games and tournaments ------------------------------------------------------------
 */

static bool show_catalogue(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    const TurfGame        *game = detail;
    const PlayerCatalogue *catalogue = &place->server->catalogue;
    const CatalogueEntry  *entry = catalogue_find(catalogue, game, "alphabeta");
    json_t                *options = json_pack("{s:i}", "depth", 2);
    char *spec = entry && options ? catalogue_spec(entry, game, options, error) : NULL;
    bool  is_good = spec || (options && entry) || error_invalid(error, "NULL is what it promises");
    if (spec)
        fprintf(out, "%s\n", spec);
    is_good = is_good && spec && write_json(catalogue_json(catalogue, game), out, error);
    json_decref(options);
    free(spec);
    return is_good;
}

static void players_are_listed(void **state)
{
    survives(show_catalogue, *state, &war_of_life, 60);
    survives(show_catalogue, *state, &squirrel_war, 60);
}

typedef struct Showing {
    FILE      *out;
    TurfError *error;
    bool       is_good;
} Showing;

static bool show_game(void *context, const HistoryGame *game)
{
    Showing *showing = context;
    Record   record;
    showing->is_good = record_of_game(game, &record, showing->error);
    if (showing->is_good) {
        showing->is_good = write_json(record_json(&record), showing->out, showing->error);
        record_release(&record);
    }
    return showing->is_good;
}

static bool show_history(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    Showing       showing = {out, error, true};
    HistoryFilter filter = {.limit = 3};
    TurfError     why;
    Store        *store = store_open(place->path, STORE_READ, error);
    bool          is_read = store && history_each(store, &filter, show_game, &showing, &why);
    if (store && !is_read)
        *error = why;
    store_close(store);
    return is_read && showing.is_good;
}

static bool show_tournaments(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)detail;
    Store  *store = store_open(place->path, STORE_READ, error);
    json_t *list = store ? tournament_entries(place->server, store, 10, error) : NULL;
    json_t *whole = list ? tournament_whole(place->server, store, 1, error) : NULL;
    bool    is_good = whole && write_json(json_incref(list), out, error) &&
                   write_json(json_incref(whole), out, error);
    json_decref(list);
    json_decref(whole);
    store_close(store);
    return is_good;
}

static bool export_tournament(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    Store *store = store_open(place->path, STORE_READ, error);
    char  *text = store ? tournament_export(store, 1, *(const ExportFormat *)detail, error) : NULL;
    if (text)
        fputs(text, out);
    free(text);
    store_close(store);
    return text != NULL;
}

static void games_and_tournaments_are_shown(void **state)
{
    failing_spare_json(true);
    survives(show_history, *state, NULL, 30);
    survives(show_tournaments, *state, NULL, 30);
    for (ExportFormat format = EXPORT_JSON; format < N_EXPORTS; format++)
        survives(export_tournament, *state, &format, 30);
    failing_spare_json(false);
}

/* ---- the place --------------------------------------------------------------------------------
 */

static void move(HostedGame *hosted, int side)
{
    ApiError        refusal;
    TurfMove        moves[TURF_MAX_MOVES];
    const TurfGame *game = hosted->setup.game;
    json_t         *data;
    if (game_is_simultaneous(game)) {
        data = hosted_game_commit(hosted, side, NULL, 0, &refusal);
    } else {
        (void)game->moves(&hosted->history.state, moves);
        Ply ply = {.side = (int)game->to_move(&hosted->history.state), .move = moves[0]};
        data = hosted_game_do(hosted, &ply, &refusal);
    }
    assert_non_null(data);
    json_decref(data);
}

static HostedGame *sit(Server *server, const TurfGame *game)
{
    TurfError error = {0};
    ApiError  refusal;
    Setup     setup = {.game = game, .is_listed = true};
    Seat      seats[2] = {{.is_person = true, .is_taken = true, .name = "Ann"},
                          {.is_person = true, .is_taken = true, .name = "Bob"}};
    TurfRng   rng = turf_rng(1);
    char      id[TOKEN_NAME_BYTES];
    assert_true(turf_start(game, NULL, &rng, &setup.start, &error));
    token_name(id);
    HostedGame *hosted = hosted_game_new(server, id, &setup, seats);
    assert_non_null(hosted);
    assert_true(hosted_game_save(hosted, SAVE_STANDING, &refusal));
    for (int i = 0; i < 6; i++)
        move(hosted, i % 2);
    return hosted;
}

static void play_tournament(Store *store)
{
    static const char *const specs[] = {"one=random", "two=bloodlust"};
    TurfError                error = {0};
    Run                      event;
    RunHooks                 hooks = {0};
    Plan                     plan = {.game = &squirrel_war,
                                     .schedule = SCHEDULE_ROUND_ROBIN,
                                     .n_games = 2,
                                     .n_rounds = 1,
                                     .n_recorded = 2};
    for (size_t i = 0; i < 2; i++) {
        TurfPlayer *player = turf_player_open(plan.game, specs[i], &error);
        assert_true(player && plan_add_entrant(&plan, player));
        turf_player_free(player);
    }
    if (!run_init(&event, &plan, true, &error))
        fail_msg("%s", error.text);
    event.n_jobs = 1;
    if (!run_begin(&event, store, &error) || !run_play(&event, &hooks, &error))
        fail_msg("%s", error.text);
    run_release(&event);
}

static int make_place(void **state)
{
    static Place place;
    TurfError    error = {0};
    (void)snprintf(place.folder, sizeof place.folder, "%s/turf-memory-XXXXXX",
                   access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(place.folder))
        return -1;
    (void)snprintf(place.path, sizeof place.path, "%s/turf.db", place.folder);
    place.options = (WebOptions){.database = place.path, .patience_ms = WEB_PATIENCE_MS};
    place.server = web_start(&place.options, &error);
    if (!place.server)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < N_LIVE_GAMES; i++)
        place.live_games[i] = sit(place.server, turf_game_at(i));
    play_tournament(place.server->reader);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    Place                   *place = *state;
    for (size_t i = 0; i < N_LIVE_GAMES; i++)
        hosted_game_release(place->live_games[i]);
    web_stop(place->server);
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", place->path, endings[i]);
        (void)unlink(path);
    }
    return rmdir(place->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_games_are_shown),
        cmocka_unit_test(live_games_are_loaded),
        cmocka_unit_test(players_are_listed),
        cmocka_unit_test(games_and_tournaments_are_shown),
    };
    failing_install();
    return cmocka_run_group_tests_name("the server short of memory", tests, make_place,
                                       remove_place);
}
