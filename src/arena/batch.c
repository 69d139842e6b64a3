/* Playing a batch: the start and the random streams of each game, its outcome, and the results
 * that are delivered. Random players may be left to a kernel of the game that plays many games at
 * once, with the same results. Takes no locks: each batch plays with copies of its players. */
#include "arena/batch.h"

#include "arena/game_play.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "games/streams.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

/* A result is delivered at least this often, so a crash loses no more; and with at most this many
 * listed games, so that it stays small. */
enum { MAX_RESULT_MS = 100, MAX_LISTED = 1024 };

/* ---- the context -------------------------------------------------------------------------- */

static bool parse_start(const BatchContext *context, StartPosition *start, TurfError *error)
{
    TurfRng unused = rng_stream(start_streams(context->run->plan.seed), 0), rng = unused;
    if (!game_start(context->run->plan.game, start->text, &rng, &start->state, error))
        return false;
    start->is_random = rng.state != unused.state;
    return true;
}

bool batch_context_init(BatchContext *context, TurfError *error)
{
    const Run  *run = context->run;
    const Plan *plan = &run->plan;
    for (size_t p = 0; p < run->n_pairings; p++)
        for (int i = 0; i < 2; i++) {
            const TurfPlayer *player = run->pairings[p].players[i];
            if (player->game != plan->game)
                return error_invalid(error, "the player %s was opened for %s, not for %s",
                                     player->name, player->game->name, plan->game->name);
        }
    context->n_starts = plan->n_starts > 0 ? plan->n_starts : 1;
    context->starts = calloc(context->n_starts, sizeof *context->starts);
    if (!context->starts)
        return error_no_memory(error);
    for (size_t i = 0; i < context->n_starts; i++) {
        context->starts[i].text = plan->n_starts > 0 ? plan->starts[i] : NULL;
        if (!parse_start(context, &context->starts[i], error)) {
            batch_context_release(context);
            return false;
        }
    }
    return true;
}

void batch_context_release(BatchContext *context)
{
    free(context->starts);
    context->starts = NULL;
    context->n_starts = 0;
}

static bool is_stopped(const BatchContext *context)
{
    return context->stop && atomic_load_explicit(context->stop, memory_order_relaxed);
}

/* Would a game of this pairing be the same if it were played again? */
static bool is_reproducible(const Run *run, size_t pairing)
{
    const TurfPlayer *const *players = run->pairings[pairing].players;
    for (int i = 0; i < 2; i++)
        if (players[i]->kind->is_external || players[i]->time_gain_ms > 0)
            return false;
    return run->plan.time_ms == 0;
}

bool pairing_is_single(const Run *run, size_t pairing)
{
    return (run->plan.has_sprt && run->plan.swaps_sides) || !is_reproducible(run, pairing);
}

/* ---- results ------------------------------------------------------------------------------ */

BatchResult *batch_result_new(GameRange games, TurfError *error)
{
    BatchResult *result = calloc(1, sizeof *result);
    if (!result) {
        error_no_memory(error);
        return NULL;
    }
    result->games = games;
    result->totals[0] = result->totals[1] = TOTALS_NONE;
    return result;
}

void batch_result_free(BatchResult *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->n_played; i++)
        for (size_t t = 0; t < sizeof result->played[i].texts / sizeof(char *); t++)
            free(result->played[i].texts[t]);
    free(result->played);
    free(result);
}

/* Lists a game in the result, with what `log` has if it is not NULL. */
static bool list_game(BatchResult *batch, const GameRecord *record, const GameResult *result,
                      GameLog *log, TurfError *error)
{
    PlayedGame *larger = realloc(batch->played, (batch->n_played + 1) * sizeof *larger);
    if (!larger)
        return error_no_memory(error);
    batch->played = larger;
    PlayedGame *game = &batch->played[batch->n_played++];
    char      **texts = game->texts;
    *game = (PlayedGame){.record = *record};
    if (result->forfeiter >= 0) {
        game->record.explanation = texts[0] = strdup(result->forfeit.text);
        if (*result->errors)
            game->record.last_words = texts[1] = strdup(result->errors);
    }
    if (!log)
        return true;
    game->delay = log->delay;
    game->record.moves = texts[2] = json_dumps(log->moves, JSON_COMPACT);
    game->record.times = texts[3] = json_dumps(log->times, JSON_COMPACT);
    game->record.start = texts[4] = log->start;
    log->start = NULL;
    return (texts[2] && texts[3]) || error_no_memory(error);
}

static TurfEnding with_sides_swapped(TurfEnding ending)
{
    if (ending == TURF_WON_BY_FIRST)
        return TURF_WON_BY_SECOND;
    if (ending == TURF_WON_BY_SECOND)
        return TURF_WON_BY_FIRST;
    return ending;
}

static void count_game(BatchResult *batch, bool is_swapped, const GameResult *result,
                       double seconds)
{
    TurfTotals *totals = &batch->totals[is_swapped];
    TurfEnding  ending = is_swapped ? with_sides_swapped(result->ending) : result->ending;
    totals_add_game(totals, ending, result->length);
    totals->seconds += seconds;
    if (result->forfeiter >= 0)
        totals->forfeits[result->forfeiter ^ is_swapped][result->forfeit.reason]++;
}

/* ---- playing ------------------------------------------------------------------------------ */

/* The position that game `index` of a pairing begins from. With swapped sides, two games share
 * one. */
static bool make_start(const BatchContext *context, const TurfPairing *pairing, uint64_t index,
                       TurfState *state, TurfError *error)
{
    uint64_t             number = pairing->swap_sides ? index / 2 : index;
    const StartPosition *start = &context->starts[number % context->n_starts];
    TurfRng              rng = rng_stream(start_streams(context->run->plan.seed), number);
    if (start->is_random)
        return game_start(context->run->plan.game, start->text, &rng, state, error);
    *state = start->state;
    return true;
}

/* Plays game `index` of a pairing with copies of its players and adds it to `batch`. A game that
 * was stopped is not counted, and `is_whole` is false then. */
static bool play_game(const BatchContext *context, BatchResult *batch, TurfPlayer *const copies[2],
                      uint64_t index, bool is_logged, bool *is_whole, TurfError *error)
{
    const Plan        *plan = &context->run->plan;
    const TurfPairing *pairing = &context->run->pairings[batch->games.pairing];
    bool               is_swapped = pairing->swap_sides && index % 2;
    GamePlay           play = {.game = plan->game,
                               .players = {copies[is_swapped], copies[!is_swapped]},
                               .stop = context->stop,
                               .absent_loses = context->run->is_league_final,
                               .time_ms = (int64_t)plan->time_ms,
                               .move_cap_ms = (int64_t)plan->move_cap_ms};
    GameLog            log = {.schedstat_fd = -1};
    TurfState          state;
    GameResult         result;
    *is_whole = false;
    for (int side = 0; side < 2; side++)
        play.rng[side] = rng_stream(side_streams(plan->seed, copies[is_swapped]->spec,
                                                 copies[!is_swapped]->spec, (TurfSide)side),
                                    index);
    if (!make_start(context, pairing, index, &state, error))
        return false;
    if (is_logged) {
        if (!log_init(&log, plan->game, &state))
            return error_no_memory(error);
        play.log = &log;
    }
    int64_t begin_ns = clock_ns();
    bool    is_good = game_play(&play, &state, &result, error);
    *is_whole = is_good && result.is_whole;
    if (is_good && result.is_absent && context->has_absent)
        atomic_store(context->has_absent, true);
    if (*is_whole) {
        GameRecord record = {.pairing = batch->games.pairing,
                             .game = index,
                             .is_swapped = is_swapped,
                             .is_sample = !batch->is_single,
                             .ending = result.ending,
                             .length = result.length,
                             .forfeiter = result.forfeiter,
                             .reason = result.forfeit.reason,
                             .seconds = clock_seconds_since(begin_ns)};
        count_game(batch, is_swapped, &result, record.seconds);
        if (is_logged || context->lists_games || result.forfeiter >= 0)
            is_good = list_game(batch, &record, &result, play.log, error);
    }
    log_release(&log);
    return is_good;
}

/* Has a kernel of the game play all games of the batch. False: there is none for them. */
static bool play_with_kernel(const BatchContext *context, BatchResult *batch)
{
    const TurfGame    *game = context->run->plan.game;
    const TurfPairing *pairing = &context->run->pairings[batch->games.pairing];
    const TurfPlayer  *first = pairing->players[0], *second = pairing->players[1];
    if (!game->play_random_games || pairing->swap_sides || context->lists_games ||
        context->n_starts > 1 || !player_is_random(first) || !player_is_random(second) ||
        pairing_is_single(context->run, batch->games.pairing))
        return false;
    const StartPosition *start = &context->starts[0];
    RandomGames          games = {.first_game = batch->games.first,
                                  .n_games = batch->games.n,
                                  .start = start->is_random ? NULL : &start->state,
                                  .start_streams = start_streams(context->run->plan.seed)};
    for (int side = 0; side < 2; side++)
        games.side_streams[side] =
            side_streams(context->run->plan.seed, first->spec, second->spec, (TurfSide)side);
    int64_t begin_ns = clock_ns();
    if (!game->play_random_games(&games, &batch->totals[0]))
        return false;
    batch->totals[0].seconds = clock_seconds_since(begin_ns);
    return true;
}

bool batch_for_device(const BatchContext *context, size_t pairing_index, bool is_swapped,
                      DeviceGames *games)
{
    const Plan          *plan = &context->run->plan;
    const TurfPairing   *pairing = &context->run->pairings[pairing_index];
    const StartPosition *start = &context->starts[0];
    const TurfPlayer *first = pairing->players[is_swapped], *second = pairing->players[!is_swapped];
    if (context->lists_games || context->n_starts > 1 ||
        pairing_is_single(context->run, pairing_index))
        return false;
    *games = (DeviceGames){.game = plan->game,
                           .start = start->is_random ? NULL : &start->state,
                           .start_streams = start_streams(plan->seed),
                           .step = pairing->swap_sides ? 2 : 1,
                           .offset = is_swapped};
    for (int side = 0; side < 2; side++)
        games->side_streams[side] =
            side_streams(plan->seed, first->spec, second->spec, (TurfSide)side);
    return player_for_device(first, &games->players[0]) &&
           player_for_device(second, &games->players[1]) && device_plays(games);
}

/* Plays the first of `games`, as many as go into one result, and delivers them. `n_played` is their
 * number, or 0 if no more are to be played. */
static bool play_some(const BatchContext *context, GameRange games, TurfPlayer *const copies[2],
                      bool is_logged, uint64_t *n_played, TurfError *error)
{
    const Run   *run = context->run;
    int64_t      latest_ns = clock_ns() + MAX_RESULT_MS * INT64_C(1000000);
    bool         is_whole = true;
    BatchResult *batch = batch_result_new(games, error);
    *n_played = 0;
    if (!batch)
        return false;
    batch->is_single = context->logs_games && pairing_is_single(run, games.pairing);
    batch->must_commit_first = batch->is_single && !is_reproducible(run, games.pairing);
    while (*n_played < games.n && is_whole && !is_stopped(context)) {
        if (!play_game(context, batch, copies, games.first + *n_played,
                       is_logged || batch->is_single, &is_whole, error)) {
            batch_result_free(batch);
            return false;
        }
        *n_played += is_whole;
        if (batch->is_single || batch->n_played >= MAX_LISTED || clock_ns() > latest_ns)
            break;
    }
    batch->games.n = *n_played;
    if (*n_played == 0)
        batch_result_free(batch);
    else if (!context->deliver(context->context, batch) || !is_whole)
        *n_played = 0;
    return true;
}

/* Plays games one by one. A player may have a memory, which one thread at a time may use, so each
 * batch plays with copies. */
static bool play_one_by_one(const BatchContext *context, GameRange games, bool is_logged,
                            TurfError *error)
{
    const TurfPairing *pairing = &context->run->pairings[games.pairing];
    TurfPlayer        *copies[2] = {player_copy(pairing->players[0], error), NULL};
    if (copies[0])
        copies[1] = player_copy(pairing->players[1], error);
    bool is_good = copies[0] && copies[1];
    while (games.n > 0 && is_good && !is_stopped(context)) {
        uint64_t n_played;
        is_good = play_some(context, games, copies, is_logged, &n_played, error);
        if (n_played == 0)
            break;
        games.first += n_played;
        games.n -= n_played;
    }
    turf_player_free(copies[0]);
    turf_player_free(copies[1]);
    return is_good;
}

bool batch_play(const BatchContext *context, GameRange games, TurfError *error)
{
    uint64_t n_recorded = context->logs_games ? context->run->plan.n_recorded : 0;
    if (games.first < n_recorded) {
        GameRange recorded = games;
        if (recorded.n > n_recorded - games.first)
            recorded.n = n_recorded - games.first;
        if (!play_one_by_one(context, recorded, true, error))
            return false;
        games.first += recorded.n;
        games.n -= recorded.n;
        if (games.n == 0)
            return true;
    }
    BatchResult *batch = batch_result_new(games, error);
    if (!batch)
        return false;
    if (play_with_kernel(context, batch)) {
        (void)context->deliver(context->context, batch);
        return true;
    }
    batch_result_free(batch);
    return play_one_by_one(context, games, false, error);
}
