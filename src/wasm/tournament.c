/* Tournaments: the house takes games from the run, workers play them, and the house commits them.
 *
 * The house asks {"kind":"play","plan","pairing","first","n"}; a worker answers {"results":[...]},
 * as many games as it played in a moment, from the first on, or {"error"}. `scripts` names the bots
 * of the pairing. A run is held here while its tournament is running. */
#include "wasm/house.h"

#include "arena/commit.h"
#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "games/totals.h"
#include "wasm/work.h"
#include "web/tournaments.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

enum { PUBLISH_EVERY_MS = 250, MAX_OUT = 8, WORK_MS = 150, MAX_RESTS = 64 };

typedef struct Playing {
    struct Playing *next;
    Tournament     *tournament;
    Run             run;
    char           *plan;
    GameIterator    left;
    GameRange       rests[MAX_RESTS]; /* that came back unplayed */
    size_t          n_rests;
    int             n_out; /* jobs */
    bool            has_ended;
    uint64_t        n_published;
    int64_t         publish_ns;
} Playing;

typedef struct Errand {
    Playing  *playing;
    GameRange games;
} Errand;

static Playing *all_playing;
static int      n_workers = 2;

/* How many workers the page has for games. */
EXPORT("set_workers") void house_set_workers(int n) { n_workers = n < MAX_OUT ? n : MAX_OUT; }

/* ---- totals and records as JSON ------------------------------------------------------------ */

static json_t *totals_json(const TurfTotals *totals)
{
    json_t *list = json_array();
    json_add(&list, json_integer((json_int_t)totals->n_games));
    for (int i = 0; i < TURF_N_ENDINGS; i++)
        json_add(&list, json_integer((json_int_t)totals->endings[i]));
    for (int i = 0; i < 2 * TURF_N_FORFEITS; i++)
        json_add(
            &list,
            json_integer((json_int_t)totals->forfeits[i / TURF_N_FORFEITS][i % TURF_N_FORFEITS]));
    json_add(&list, json_integer((json_int_t)totals->length_sum));
    json_add(&list, json_integer((json_int_t)totals->length_square_sum));
    json_add(&list, json_integer(totals->shortest));
    json_add(&list, json_integer(totals->longest));
    json_add(&list, json_real(totals->seconds));
    return list;
}

static TurfTotals totals_of_json(const json_t *list)
{
    size_t     at = 0;
    TurfTotals totals = {0};
    totals.n_games = (uint64_t)json_integer_value(json_array_get(list, at++));
    for (int i = 0; i < TURF_N_ENDINGS; i++)
        totals.endings[i] = (uint64_t)json_integer_value(json_array_get(list, at++));
    for (int i = 0; i < 2 * TURF_N_FORFEITS; i++)
        totals.forfeits[i / TURF_N_FORFEITS][i % TURF_N_FORFEITS] =
            (uint64_t)json_integer_value(json_array_get(list, at++));
    totals.length_sum = (uint64_t)json_integer_value(json_array_get(list, at++));
    totals.length_square_sum = (uint64_t)json_integer_value(json_array_get(list, at++));
    totals.shortest = (uint32_t)json_integer_value(json_array_get(list, at++));
    totals.longest = (uint32_t)json_integer_value(json_array_get(list, at++));
    totals.seconds = json_number_value(json_array_get(list, at++));
    return totals;
}

static json_t *game_json(const GameRecord *game)
{
    return json_pack("{s:I,s:b,s:b,s:i,s:I,s:i,s:i,s:s?,s:s?,s:f,s:s?,s:s?,s:s?}", "game",
                     (json_int_t)game->game, "is_swapped", game->is_swapped, "is_sample",
                     game->is_sample, "ending", (int)game->ending, "length",
                     (json_int_t)game->length, "forfeiter", game->forfeiter, "reason",
                     (int)game->reason, "explanation", game->explanation, "last_words",
                     game->last_words, "seconds", game->seconds, "start", game->start, "moves",
                     game->moves, "times", game->times);
}

/* The texts of the record are those of the JSON. */
static bool game_of_json(const json_t *json, size_t pairing, GameRecord *game)
{
    json_int_t number, length;
    int        is_swapped, is_sample, ending, reason, forfeiter;
    double     seconds;
    if (json_unpack((json_t *)(uintptr_t)json, "{s:I,s:b,s:b,s:i,s:I,s:i,s:i,s:F}", "game", &number,
                    "is_swapped", &is_swapped, "is_sample", &is_sample, "ending", &ending, "length",
                    &length, "forfeiter", &forfeiter, "reason", &reason, "seconds", &seconds))
        return false;
    *game = (GameRecord){
        .pairing = pairing,
        .game = (uint64_t)number,
        .is_swapped = is_swapped,
        .is_sample = is_sample,
        .ending = (TurfEnding)ending,
        .length = (uint32_t)length,
        .forfeiter = forfeiter,
        .reason = (TurfForfeit)reason,
        .seconds = seconds,
        .explanation = json_string_value(json_object_get(json, "explanation")),
        .last_words = json_string_value(json_object_get(json, "last_words")),
        .start = json_string_value(json_object_get(json, "start")),
        .moves = json_string_value(json_object_get(json, "moves")),
        .times = json_string_value(json_object_get(json, "times")),
    };
    return true;
}

/* ---- a worker ----------------------------------------------------------------------------- */

typedef struct Moment {
    json_t     *results;
    int64_t     until_ns;
    atomic_bool is_over;
} Moment;

static bool deliver(void *context, BatchResult *result)
{
    Moment *moment = context;
    json_t *games = json_array();
    for (size_t i = 0; i < result->n_played; i++)
        json_add(&games, game_json(&result->played[i].record));
    json_add(&moment->results,
             json_pack("{s:I,s:b,s:[o,o],s:o}", "n", (json_int_t)result->games.n, "is_single",
                       result->is_single, "totals", totals_json(&result->totals[0]),
                       totals_json(&result->totals[1]), "games", games));
    batch_result_free(result);
    return clock_ns() < moment->until_ns;
}

static bool play(Run *run, GameRange games, json_t **results, TurfError *error)
{
    Moment moment = {.results = json_array(), .until_ns = clock_ns() + WORK_MS * INT64_C(1000000)};
    BatchContext context = {.run = run,
                            .logs_games = true,
                            .stop = &moment.is_over,
                            .deliver = deliver,
                            .context = &moment};
    bool         is_good = run_begin(run, NULL, error) && batch_context_init(&context, error);
    if (is_good && games.pairing >= run->n_pairings)
        is_good = error_invalid(error, "there is no such pairing");
    is_good = is_good && batch_play(&context, games, error);
    batch_context_release(&context);
    *results = moment.results;
    return is_good;
}

json_t *work_play(const json_t *question)
{
    const char *text;
    json_int_t  pairing, first, n;
    Plan        plan;
    Run         run;
    json_t     *results = NULL;
    TurfError   error = {.code = TURF_ERROR_INVALID, .text = "the question cannot be read"};
    bool is_good = !json_unpack((json_t *)(uintptr_t)question, "{s:s,s:I,s:I,s:I}", "plan", &text,
                                "pairing", &pairing, "first", &first, "n", &n) &&
                   plan_from_json(&plan, text, &error) && run_init(&run, &plan, true, &error);
    if (is_good) {
        GameRange games = {(size_t)pairing, (uint64_t)first, (uint64_t)n};
        is_good = play(&run, games, &results, &error);
        run_release(&run);
    }
    if (is_good)
        return json_pack("{s:o}", "results", results);
    json_decref(results);
    return json_pack("{s:o}", "error", json_sentence(error.text));
}

/* ---- the house ---------------------------------------------------------------------------- */

static void publish(Playing *playing)
{
    Tournament *tournament = playing->tournament;
    TurfError   unused;
    json_t *list = tournament_entries(house(), house()->reader, MAX_LISTED_TOURNAMENTS, &unused);
    if (list)
        channel_publish(house()->live, "tournaments", json_pack("{s:o}", "tournaments", list));
    json_t *json = tournament_whole(house(), house()->reader, tournament->run_id, &unused);
    if (json)
        channel_publish(tournament->channel, "tournament", json);
    playing->n_published = run_n_played(&playing->run);
    playing->publish_ns = clock_ns() + PUBLISH_EVERY_MS * INT64_C(1000000);
}

static void end(Playing *playing, const TurfError *error)
{
    Tournament *tournament = playing->tournament;
    if (playing->has_ended)
        return;
    playing->has_ended = true;
    tournament->is_running = false;
    if (error)
        tournament->error = *error;
    house()->tournaments->n_running--;
    publish(playing);
    tournament->n_users--;
}

void tournament_end(Tournament *tournament)
{
    for (Playing *each = all_playing; each; each = each->next)
        if (each->tournament == tournament)
            end(each, NULL);
}

bool tournament_start(Tournament *tournament, TurfError *error)
{
    RunRecord record = {.id = 0};
    Playing  *playing = calloc(1, sizeof *playing);
    bool      is_good = playing || error_no_memory(error);
    is_good = is_good && runs_find(house()->reader, tournament->run_id, &record, error) &&
              run_resume(&playing->run, house()->reader, &record, true, error);
    if (is_good && !(playing->plan = strdup(record.plan))) {
        run_release(&playing->run);
        is_good = error_no_memory(error);
    }
    run_record_release(&record);
    if (!is_good) {
        free(playing);
        return false;
    }
    playing->tournament = tournament;
    playing->next = all_playing;
    playing->left = run_games_left(&playing->run, ALL_GAMES);
    all_playing = playing;
    tournament->error = (TurfError){0};
    tournament->is_running = true;
    tournament->n_users++;
    house()->tournaments->n_running++;
    return true;
}

static bool take_result(Playing *playing, GameRange *left, const json_t *json, TurfError *error)
{
    json_t     *list = json_object_get(json, "games"), *sides = json_object_get(json, "totals");
    size_t      n_games = json_array_size(list);
    uint64_t    n = (uint64_t)json_integer_value(json_object_get(json, "n"));
    PlayedGame *played = calloc(n_games + 1, sizeof *played);
    BatchResult result = {.games = {left->pairing, left->first, n},
                          .totals = {totals_of_json(json_array_get(sides, 0)),
                                     totals_of_json(json_array_get(sides, 1))},
                          .is_single = json_is_true(json_object_get(json, "is_single")),
                          .played = played,
                          .n_played = n_games};
    bool        is_good = played || error_no_memory(error);
    for (size_t i = 0; i < n_games && is_good; i++)
        is_good = game_of_json(json_array_get(list, i), left->pairing, &played[i].record) ||
                  error_invalid(error, "a game cannot be read");
    is_good = is_good && n <= left->n && run_commit(&playing->run, &result, error);
    free(played);
    left->first += n;
    left->n -= n;
    return is_good;
}

/* Commits the games of an answer; those that were not played come back. */
static void take_games(void *context, const json_t *answer)
{
    Errand     *errand = context;
    Playing    *playing = errand->playing;
    GameRange   left = errand->games;
    json_t     *results = json_object_get(answer, "results"), *result;
    const char *why = json_string_value(json_object_get(answer, "error"));
    TurfError   error;
    size_t      i;
    bool        is_good = results != NULL;
    if (!results)
        error_invalid(&error, "%.200s", why ? why : "a worker gave no answer");
    json_array_foreach(results, i, result)
    {
        if (is_good && !playing->has_ended)
            is_good = take_result(playing, &left, result, &error);
    }
    if (left.n > 0 && playing->n_rests < MAX_RESTS)
        playing->rests[playing->n_rests++] = left;
    playing->n_out--;
    if (!is_good)
        end(playing, &error);
    free(errand);
}

static const char *script_of(const Playing *playing, size_t entrant)
{
    const TurfPlayer *player = playing->run.plan.players[entrant];
    return player->kind->starts_process ? player->command : NULL;
}

static bool send_out(Playing *playing, GameRange games)
{
    const PairingRecord *pairing = &playing->run.schedule[games.pairing];
    Errand              *errand = malloc(sizeof *errand);
    if (!errand)
        return false;
    bool has_scripts = script_of(playing, pairing->first) || script_of(playing, pairing->second);
    if (has_scripts && games.n > 1 && playing->n_rests < MAX_RESTS) {
        /* One by one: a bot that does not answer loses the game that is being played. */
        playing->rests[playing->n_rests++] =
            (GameRange){games.pairing, games.first + 1, games.n - 1};
        games.n = 1;
    }
    *errand = (Errand){playing, games};
    json_t *question = json_pack(
        "{s:s,s:s,s:I,s:I,s:I,s:[s?,s?]}", "kind", "play", "plan", playing->plan, "pairing",
        (json_int_t)games.pairing, "first", (json_int_t)games.first, "n", (json_int_t)games.n,
        "scripts", script_of(playing, pairing->first), script_of(playing, pairing->second));
    if (!job_add(question, take_games, errand)) {
        free(errand);
        return false;
    }
    playing->n_out++;
    return true;
}

static bool next_range(Playing *playing, GameRange *games)
{
    if (playing->n_rests > 0) {
        *games = playing->rests[--playing->n_rests];
        return true;
    }
    return next_games(&playing->left, games);
}

static void work(Playing *playing)
{
    GameRange games;
    TurfError error;
    while (playing->n_out < n_workers && next_range(playing, &games))
        if (!send_out(playing, games))
            break;
    bool is_time =
        clock_ns() >= playing->publish_ns && playing->n_published != run_n_played(&playing->run);
    if (run_is_whole(&playing->run))
        end(playing, runs_set_finished(house()->reader, playing->tournament->run_id, &error)
                         ? NULL
                         : &error);
    else if (is_time)
        publish(playing);
}

void tournaments_work(void)
{
    for (Playing **at = &all_playing; *at;) {
        Playing *playing = *at;
        if (!playing->has_ended)
            work(playing);
        if (!playing->has_ended || playing->n_out > 0) {
            at = &playing->next;
            continue;
        }
        *at = playing->next;
        run_release(&playing->run);
        free(playing->plan);
        free(playing);
    }
}
