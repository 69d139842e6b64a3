#include "arena/batch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

enum { BATCHES_PER_PAIRING = 64, MAX_BATCH = 1 << 16 };

/* Slow games are handed over this often, so that no more than that is lost when the lights go out.
 */
enum { MAX_BATCH_MS = 100 };

/* The families of random streams: the same starts for every pairing of a seed, so that all players
 * face the same boards; and each side's own draws. */
enum { STREAM_OF_STARTS = 1, STREAM_OF_SIDES = 2 };

static uint64_t text_word(const char *text) { return hash_bytes(text, strlen(text)); }

static uint64_t start_streams(const BatchContext *batch_context)
{
    return rng_stream_family(batch_context->seed, STREAM_OF_STARTS);
}

/* The streams of whoever plays `side` in a game of `first` against `second`. */
static uint64_t side_streams(const BatchContext *batch_context, const TurfPlayer *first,
                             const TurfPlayer *second, TurfSide side)
{
    uint64_t streams = rng_stream_family(batch_context->seed, STREAM_OF_SIDES);
    streams = rng_stream_family(streams, text_word(first->spec));
    streams = rng_stream_family(streams, text_word(second->spec));
    return rng_stream_family(streams, side);
}

static bool is_stopped(const BatchContext *batch_context)
{
    return batch_context->stop && atomic_load_explicit(batch_context->stop, memory_order_relaxed);
}

/* ---- the ground --------------------------------------------------------------------------- */

static bool read_start(const BatchContext *batch_context, StartPosition *start, TurfError *error)
{
    TurfRng unused = rng_stream(start_streams(batch_context), 0), rng = unused;
    if (!game_start(batch_context->game, start->text, &rng, &start->state, error))
        return false;
    start->varies = rng.state != unused.state;
    return true;
}

bool batch_context_init(BatchContext *batch_context, const char *const *starts, size_t n_starts,
                        TurfError *error)
{
    for (size_t p = 0; p < batch_context->n_pairings; p++)
        for (int i = 0; i < 2; i++) {
            const TurfPlayer *player = batch_context->pairings[p].players[i];
            if (player->game != batch_context->game)
                return error_invalid(error, "the player %s was opened for %s, not for %s",
                                     player->name, player->game->name, batch_context->game->name);
        }
    batch_context->n_starts = n_starts > 0 ? n_starts : 1;
    batch_context->starts = calloc(batch_context->n_starts, sizeof *batch_context->starts);
    if (!batch_context->starts)
        return error_no_memory(error);
    for (size_t i = 0; i < batch_context->n_starts; i++) {
        batch_context->starts[i].text = n_starts > 0 ? starts[i] : NULL;
        if (!read_start(batch_context, &batch_context->starts[i], error)) {
            batch_context_release(batch_context);
            return false;
        }
    }
    return true;
}

void batch_context_release(BatchContext *batch_context)
{
    free(batch_context->starts);
    batch_context->starts = NULL;
    batch_context->n_starts = 0;
}

static bool is_unique(const BatchContext *batch_context, size_t pairing)
{
    const TurfPlayer *const *players = batch_context->pairings[pairing].players;
    for (int i = 0; i < 2; i++)
        if (players[i]->kind->is_bot || players[i]->time_gain_ms > 0)
            return true;
    return batch_context->time_ms > 0;
}

bool pairing_is_single(const BatchContext *batch_context, size_t pairing)
{
    return batch_context->counts_singly || is_unique(batch_context, pairing);
}

/* ---- cutting ------------------------------------------------------------------------------ */

/* How many games of a pairing are played in one go: few enough to share the work out evenly. */
static uint64_t batch_length(const TurfPairing *pairing)
{
    uint64_t length = (pairing->n_games + BATCHES_PER_PAIRING - 1) / BATCHES_PER_PAIRING;
    return length > MAX_BATCH ? MAX_BATCH : length > 0 ? length : 1;
}

/* A pairing that has fewer than others gets empty ones at the end. */
GameRange batch_at(const BatchContext *batch_context, uint64_t index)
{
    size_t             number = (size_t)(index % batch_context->n_pairings);
    const TurfPairing *pairing = &batch_context->pairings[number];
    uint64_t length = batch_length(pairing), first = index / batch_context->n_pairings * length;
    uint64_t left = first < pairing->n_games ? pairing->n_games - first : 0;
    return (GameRange){number, first, left < length ? left : length};
}

uint64_t batch_count(const BatchContext *batch_context)
{
    uint64_t max = 0;
    for (size_t p = 0; p < batch_context->n_pairings; p++) {
        uint64_t length = batch_length(&batch_context->pairings[p]),
                 n = (batch_context->pairings[p].n_games + length - 1) / length;
        max = n > max ? n : max;
    }
    return max * batch_context->n_pairings;
}

/* Shifted by one from row to row, so that no shard gets all the slow pairings. */
int batch_shard(const BatchContext *batch_context, uint64_t index, int n_shards)
{
    return (int)((index % batch_context->n_pairings + index / batch_context->n_pairings) %
                 (uint64_t)n_shards) +
           1;
}

/* ---- parts -------------------------------------------------------------------------------- */

static BatchResult *batch_result_new(GameRange games, TurfError *error)
{
    BatchResult *batch = calloc(1, sizeof *batch);
    if (batch) {
        batch->games = games;
        batch->totals[0] = batch->totals[1] = TOTALS_NONE;
    } else {
        error_no_memory(error);
    }
    return batch;
}

void batch_result_free(BatchResult *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; i < batch->n_logged; i++) {
        log_release(&batch->logged[i].log);
        for (size_t t = 0; t < sizeof batch->logged[i].texts / sizeof batch->logged[i].texts[0];
             t++)
            free(batch->logged[i].texts[t]);
    }
    free(batch->logged);
    free(batch);
}

/* Puts a game's record into the part, with what its log has. The log is the part's from then on. */
static bool keep_log(BatchResult *batch, GameLog *log, const GameRecord *record,
                     const GameResult *result, TurfError *error)
{
    LoggedGame *larger = realloc(batch->logged, (batch->n_logged + 1) * sizeof *larger);
    if (!larger) {
        log_release(log);
        return error_no_memory(error);
    }
    batch->logged = larger;
    LoggedGame *logged = &batch->logged[batch->n_logged++];
    *logged = (LoggedGame){.record = *record, .log = *log};
    bool is_forfeit = result->forfeiter >= 0;
    logged->texts[0] = json_dumps(log->moves, JSON_COMPACT);
    logged->texts[1] = json_dumps(log->times, JSON_COMPACT);
    logged->texts[2] = is_forfeit ? strdup(result->forfeit.text) : NULL;
    logged->texts[3] = is_forfeit && *result->errors ? strdup(result->errors) : NULL;
    logged->record.start = log->start;
    logged->record.moves = logged->texts[0];
    logged->record.times = logged->texts[1];
    logged->record.explanation = logged->texts[2];
    logged->record.last_words = logged->texts[3];
    return (logged->texts[0] && logged->texts[1]) || error_no_memory(error);
}

/* ---- playing ------------------------------------------------------------------------------ */

static TurfEnding with_sides_changed(TurfEnding ending)
{
    return ending == TURF_WON_BY_FIRST    ? TURF_WON_BY_SECOND
           : ending == TURF_WON_BY_SECOND ? TURF_WON_BY_FIRST
                                          : ending;
}

/* The position that game `index` of a pairing begins from. With changing sides, two games share
 * one. */
static bool make_start(const BatchContext *batch_context, const TurfPairing *pairing,
                       uint64_t index, TurfState *state, TurfError *error)
{
    uint64_t             number = pairing->swap_sides ? index / 2 : index;
    const StartPosition *start = &batch_context->starts[number % batch_context->n_starts];
    TurfRng              rng = rng_stream(start_streams(batch_context), number);
    if (start->varies)
        return game_start(batch_context->game, start->text, &rng, state, error);
    *state = start->state;
    return true;
}

static void count(BatchResult *batch, bool is_swapped, const GameResult *result, double seconds)
{
    TurfTotals *totals = &batch->totals[is_swapped];
    totals_add_game(totals, is_swapped ? with_sides_changed(result->ending) : result->ending,
                    result->length);
    totals->seconds += seconds;
    if (result->forfeiter >= 0)
        totals->forfeits[result->forfeiter ^ is_swapped][result->forfeit.reason]++;
}

/* Game number `index` of a pairing, whatever was played before it. `entrants` are copies of the
 * pairing's players. A game that was stopped is not counted, and `is_whole` is false then. */
static bool play_numbered(const BatchContext *batch_context, BatchResult *batch,
                          TurfPlayer *const entrants[2], uint64_t index, bool wants_log,
                          bool *is_whole, TurfError *error)
{
    const TurfPairing *pairing = &batch_context->pairings[batch->games.pairing];
    bool               is_swapped = pairing->swap_sides && index % 2;
    GamePlay           play = {.game = batch_context->game,
                               .players = {entrants[is_swapped], entrants[!is_swapped]},
                               .stop = batch_context->stop,
                               .time_ms = batch_context->time_ms,
                               .move_cap_ms = batch_context->move_cap_ms};
    TurfState          state;
    GameResult         result;
    GameLog            log = {.waits = -1};
    for (int side = 0; side < 2; side++)
        play.rng[side] = rng_stream(
            side_streams(batch_context, play.players[0], play.players[1], (TurfSide)side), index);
    if (!make_start(batch_context, pairing, index, &state, error))
        return false;
    if (wants_log) {
        if (!log_init(&log, batch_context->game, &state))
            return error_no_memory(error);
        play.log = &log;
    }
    int64_t begin_ns = clock_ns();
    bool    is_good = game_play(&play, &state, &result, error);
    log_end(play.log);
    *is_whole = is_good && result.is_whole;
    if (!*is_whole) {
        log_release(&log);
        return is_good;
    }
    double seconds = clock_seconds_since(begin_ns);
    count(batch, is_swapped, &result, seconds);
    if (batch_context->finished)
        batch_context->finished(batch_context->context, batch->games.pairing, index, is_swapped,
                                &result);
    GameRecord record = {.pairing = batch->games.pairing,
                         .game = index,
                         .is_swapped = is_swapped,
                         .is_sample = !batch->is_single,
                         .ending = result.ending,
                         .length = result.length,
                         .forfeiter = result.forfeiter,
                         .reason = result.forfeit.reason,
                         .seconds = seconds};
    return !wants_log || keep_log(batch, &log, &record, &result, error);
}

/* Leaves games to the game's own fast path, if it has one for them. */
static bool play_batch(const BatchContext *batch_context, BatchResult *batch)
{
    const TurfPairing *pairing = &batch_context->pairings[batch->games.pairing];
    const TurfPlayer  *first = pairing->players[0], *second = pairing->players[1];
    if (!batch_context->game->play_random_games || pairing->swap_sides ||
        batch_context->tells_games || batch_context->n_starts > 1 || !player_is_random(first) ||
        !player_is_random(second) || pairing_is_single(batch_context, batch->games.pairing))
        return false;
    RandomGames games = {.first_game = batch->games.first,
                         .n_games = batch->games.n,
                         .start = batch_context->starts[0].varies ? NULL
                                                                  : &batch_context->starts[0].state,
                         .start_streams = start_streams(batch_context)};
    for (int side = 0; side < 2; side++)
        games.side_streams[side] = side_streams(batch_context, first, second, (TurfSide)side);
    int64_t begin_ns = clock_ns();
    if (!batch_context->game->play_random_games(&games, &batch->totals[0]))
        return false;
    batch->totals[0].seconds = clock_seconds_since(begin_ns);
    return true;
}

/* Hands a part over that has its first so many games. */
static bool hand_over(const BatchContext *batch_context, BatchResult *batch, uint64_t n_played)
{
    batch->games.n = n_played;
    if (n_played > 0)
        return batch_context->receive(batch_context->context, batch);
    batch_result_free(batch);
    return true;
}

/* As many games as go into one part. `n_played` says how many they were: fewer when it was stopped.
 */
static bool play_part(const BatchContext *batch_context, GameRange games,
                      TurfPlayer *const players[2], uint64_t *n_played, TurfError *error)
{
    bool is_single = batch_context->logs_singles && pairing_is_single(batch_context, games.pairing);
    bool wants_log = is_single || games.first < batch_context->n_recorded;
    int64_t      latest_ns = clock_ns() + MAX_BATCH_MS * INT64_C(1000000);
    bool         is_good = true, is_whole = true;
    BatchResult *batch = batch_result_new(games, error);
    *n_played = 0;
    if (!batch)
        return false;
    batch->is_single = is_single;
    batch->is_unique = is_single && is_unique(batch_context, games.pairing);
    while (*n_played < games.n && !is_stopped(batch_context)) {
        is_good = play_numbered(batch_context, batch, players, games.first + *n_played, wants_log,
                                &is_whole, error);
        if (!is_good || !is_whole)
            break;
        ++*n_played;
        if (is_single || clock_ns() > latest_ns)
            break;
    }
    if (!is_good) {
        batch_result_free(batch);
        return false;
    }
    bool is_wanted = hand_over(batch_context, batch, *n_played);
    if (!is_wanted || !is_whole)
        *n_played = 0; /* and that is all */
    return true;
}

/* One by one. A player with a memory is used by one thread at a time, so each batch gets copies. */
static bool play_singly(const BatchContext *batch_context, GameRange games, TurfError *error)
{
    const TurfPairing *pairing = &batch_context->pairings[games.pairing];
    TurfPlayer        *copies[2];
    bool               is_good = true;
    for (int i = 0; i < 2; i++) {
        copies[i] = player_copy(pairing->players[i], error);
        is_good &= copies[i] != NULL;
    }
    while (games.n > 0 && is_good && !is_stopped(batch_context)) {
        uint64_t n_played;
        is_good = play_part(batch_context, games, copies, &n_played, error);
        if (n_played == 0)
            break;
        games.first += n_played;
        games.n -= n_played;
    }
    turf_player_free(copies[0]);
    turf_player_free(copies[1]);
    return is_good;
}

bool batch_play(const BatchContext *batch_context, GameRange games, TurfError *error)
{
    /* Those that are to be recorded are played by themselves. */
    if (games.first < batch_context->n_recorded &&
        games.n > batch_context->n_recorded - games.first) {
        GameRange recorded = {games.pairing, games.first, batch_context->n_recorded - games.first};
        if (!batch_play(batch_context, recorded, error))
            return false;
        games.n -= recorded.n;
        games.first += recorded.n;
    }
    if (games.first < batch_context->n_recorded)
        return play_singly(batch_context, games, error);
    BatchResult *batch = batch_result_new(games, error);
    if (!batch)
        return false;
    if (play_batch(batch_context, batch)) {
        (void)batch_context->receive(batch_context->context, batch);
        return true;
    }
    batch_result_free(batch);
    return play_singly(batch_context, games, error);
}
