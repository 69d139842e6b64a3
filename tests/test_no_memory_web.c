/* Short of memory, the server shows something whole, or says that it cannot (surviving.h). */
#include "support.h"
#include "surviving.h"

#include "arena/event.h"
#include "base/error.h"
#include "base/whole_json.h"
#include "web/record.h"
#include "web/server.h"
#include "web/sitting.h"
#include "web/tournament_view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_SITTINGS = 4 };

struct Place {
    char       folder[64], path[96];
    WebOptions options;
    Server    *server;
    Sitting   *sittings[N_SITTINGS]; /* one of each game */
};

/* Takes `json` over. */
static bool write_json(json_t *json, FILE *out, TurfError *error)
{
    char *text = json_whole_text(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        return error_set(error, "NULL is what it promises");
    fprintf(out, "%s\n", text);
    free(text);
    return true;
}

/* ---- sittings --------------------------------------------------------------------------------- */

static bool show_sitting(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    (void)place;
    Sitting        *sitting = place->sittings[*(const size_t *)detail];
    const TurfGame *game = sitting->setup.game;
    return write_json(sitting_json(sitting), out, error) && write_json(sitting_summary(sitting), out, error) &&
           write_json(line_frames(&sitting->line, NULL, 0, 10), out, error) &&
           write_json(game_is_simultaneous(game) ? view_of_reach(&sitting->line.state)
                                                 : view_of_moves(game, &sitting->line.state),
                      out, error);
}

static void sittings_are_shown(void **state)
{
    for (size_t i = 0; i < N_SITTINGS; i++)
        survives(show_sitting, *state, &i, 60);
}

static bool load_sitting(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    Server *server = place->server;
    Store  *usual = server->store;
    server->store = store_open(place->path, STORE_WRITE, error);
    Sitting *sitting = server->store ? sitting_load(server, place->sittings[*(const size_t *)detail]->id, error) : NULL;
    store_close(server->store);
    server->store = usual;
    json_t *json = sitting ? sitting_json(sitting) : NULL;
    json_object_del(json, "event"); /* of a channel of its own */
    bool is_good = sitting && write_json(json, out, error);
    sitting_release(sitting);
    return is_good;
}

static void sittings_are_loaded(void **state)
{
    failing_spare_json(true);
    for (size_t i = 0; i < N_SITTINGS; i++)
        survives(load_sitting, *state, &i, 60);
    failing_spare_json(false);
}

/* ---- players, games and tournaments ------------------------------------------------------------ */

static bool show_roster(const Place *place, const void *detail, FILE *out, TurfError *error)
{
    const TurfGame    *game = detail;
    const Roster      *roster = &place->server->roster;
    const RosterEntry *entry = roster_find(roster, game, "alphabeta");
    json_t            *options = json_pack("{s:i}", "depth", 2);
    char              *spec = entry && options ? roster_spec(entry, game, options, error) : NULL;
    bool               is_good = spec || (options && entry) || error_set(error, "NULL is what it promises");
    if (spec)
        fprintf(out, "%s\n", spec);
    is_good = is_good && spec && write_json(roster_json(roster, game), out, error);
    json_decref(options);
    free(spec);
    return is_good;
}

static void players_are_listed(void **state)
{
    survives(show_roster, *state, &war_of_life, 60);
    survives(show_roster, *state, &squirrel_war, 60);
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
    bool    is_good = whole && write_json(json_incref(list), out, error) && write_json(json_incref(whole), out, error);
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

/* ---- the place -------------------------------------------------------------------------------- */

static void move(Sitting *sitting, int side)
{
    Refusal         refusal;
    TurfMove        moves[TURF_MOST_MOVES];
    const TurfGame *game = sitting->setup.game;
    json_t         *data;
    if (game_is_simultaneous(game)) {
        data = sitting_commit(sitting, side, NULL, 0, &refusal);
    } else {
        (void)game->moves(&sitting->line.state, moves);
        Deed deed = {.side = (int)game->to_move(&sitting->line.state), .move = moves[0]};
        data = sitting_do(sitting, &deed, &refusal);
    }
    assert_non_null(data);
    json_decref(data);
}

static Sitting *sit(Server *server, const TurfGame *game)
{
    TurfError error = {""};
    Refusal   refusal;
    Setup     setup = {.game = game, .is_listed = true};
    Seat      seats[2] = {{.is_person = true, .is_taken = true, .name = "Ann"},
                          {.is_person = true, .is_taken = true, .name = "Bob"}};
    TurfRng   rng = turf_rng(1);
    char      id[TOKEN_NAME_BYTES];
    assert_true(turf_start(game, NULL, &rng, &setup.start, &error));
    token_name(id);
    Sitting *sitting = sitting_new(server, id, &setup, seats);
    assert_non_null(sitting);
    assert_true(sitting_save(sitting, SAVE_STANDING, &refusal));
    for (int i = 0; i < 6; i++)
        move(sitting, i % 2);
    return sitting;
}

static void play_tournament(Store *store)
{
    static const char *const specs[] = {"one=random", "two=bloodlust"};
    TurfError                error = {""};
    Event                    event;
    EventHooks               hooks = {.n_jobs = 1};
    Plan plan = {.game = &squirrel_war, .schedule = SCHEDULE_ROUND_ROBIN, .n_games = 2, .n_rounds = 1, .n_recorded = 2};
    for (size_t i = 0; i < 2; i++) {
        TurfPlayer *player = turf_player_open(plan.game, specs[i], &error);
        assert_true(player && plan_add_entrant(&plan, player));
        turf_player_free(player);
    }
    if (!event_init(&event, &plan, true, &error) || !event_begin(&event, store, &error) ||
        !event_play(&event, &hooks, &error))
        fail_msg("%s", error.text);
    event_release(&event);
}

static int make_place(void **state)
{
    static Place place;
    TurfError    error = {""};
    (void)snprintf(place.folder, sizeof place.folder, "%s/turf-memory-XXXXXX",
                   access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(place.folder))
        return -1;
    (void)snprintf(place.path, sizeof place.path, "%s/turf.db", place.folder);
    place.options = (WebOptions){.database = place.path, .patience_ms = WEB_PATIENCE_MS};
    place.server = web_start(&place.options, &error);
    if (!place.server)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < N_SITTINGS; i++)
        place.sittings[i] = sit(place.server, turf_game_at(i));
    play_tournament(place.server->reader);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    Place                   *place = *state;
    for (size_t i = 0; i < N_SITTINGS; i++)
        sitting_release(place->sittings[i]);
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
        cmocka_unit_test(sittings_are_shown),
        cmocka_unit_test(sittings_are_loaded),
        cmocka_unit_test(players_are_listed),
        cmocka_unit_test(games_and_tournaments_are_shown),
    };
    failing_install();
    return cmocka_run_group_tests_name("the server short of memory", tests, make_place, remove_place);
}
