/* A run: pairings, cut into stretches of games, played by as many threads as are wanted. What a game
 * becomes depends on the seed, its players and its number alone, and totals add up in any order, so
 * the number of threads and the luck of who plays what change nothing but the time. */
#include "arena/match.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "games/game.h"
#include "games/totals.h"
#include "players/player.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRETCHES_PER_PAIRING = 64, LONGEST_STRETCH = 1 << 16, PROGRESS_EVERY_MS = 100 };

/* The families of random streams: the same starts for every pairing of a seed, so that all players
 * face the same boards; and each side's own draws. */
enum { FAMILY_OF_STARTS = 1, FAMILY_OF_SIDES = 2 };

typedef struct Stretch {
    size_t   pairing;
    uint64_t first_game, n_games;
} Stretch;

typedef struct Run {
    const TurfGame       *game;
    const TurfPairing    *pairings;
    size_t                n_pairings;
    const TurfRunOptions *options;
    bool                  starts_vary;  /* a start of its own for every game */
    TurfState             common_start; /* otherwise */
    uint64_t              n_stretches;
    _Atomic uint64_t      next_stretch;
    atomic_bool           is_stopped;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t  changed;
    TurfTotals     *totals;
    int             n_working;
    bool            has_failed;
    TurfError       error;
} Run;

static uint64_t text_word(const char *text)
{
    uint64_t word = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *text; text++)
        word = (word ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return word;
}

static uint64_t start_family(const Run *run) { return rng_family(run->options->seed, FAMILY_OF_STARTS); }

/* The streams of whoever plays `side` in a game of `first` against `second`. */
static uint64_t side_family(const Run *run, const TurfPlayer *first, const TurfPlayer *second, TurfSide side)
{
    uint64_t family = rng_family(run->options->seed, FAMILY_OF_SIDES);
    family = rng_family(family, text_word(first->spec));
    family = rng_family(family, text_word(second->spec));
    return rng_family(family, side);
}

static bool is_stopped(const Run *run) { return atomic_load_explicit(&run->is_stopped, memory_order_relaxed); }

static TurfEnding with_sides_changed(TurfEnding ending)
{
    return ending == TURF_WON_BY_FIRST ? TURF_WON_BY_SECOND : ending == TURF_WON_BY_SECOND ? TURF_WON_BY_FIRST : ending;
}

/* Writes down a finished game. `is_swapped`: players[0] of the pairing was the second side. */
static void write_down(Run *run, size_t pairing_index, uint64_t index, bool is_swapped, const MatchResult *result,
                       TurfTotals *totals)
{
    const TurfRunOptions *options = run->options;
    TurfEnding            ending = is_swapped ? with_sides_changed(result->ending) : result->ending;
    int                   loser = result->forfeiter >= 0 ? result->forfeiter ^ is_swapped : -1;
    totals_add_game(totals, ending, result->length);
    if (loser >= 0)
        totals->forfeits[loser][result->forfeit.reason]++;
    if (!options->finished && !(options->forfeited && loser >= 0))
        return;
    pthread_mutex_lock(&run->lock);
    if (options->forfeited && loser >= 0)
        options->forfeited(options->context, run->pairings[pairing_index].players[loser], index, result->forfeit.reason,
                           result->forfeit.text, result->errors);
    if (options->finished)
        options->finished(options->context, pairing_index, index, ending, result->length);
    pthread_mutex_unlock(&run->lock);
}

/* Game number `index` of a pairing, whatever was played before it. `entrants` are the pairing's
 * players or copies of them. */
static bool play_numbered(Run *run, size_t pairing_index, TurfPlayer *const entrants[2], uint64_t index,
                          TurfTotals *totals, TurfError *error)
{
    const TurfPairing *pairing = &run->pairings[pairing_index];
    bool               is_swapped = pairing->swap_sides && index % 2;
    Match              match = {.game = run->game,
                                .players = {entrants[is_swapped], entrants[!is_swapped]},
                                .stop = &run->is_stopped,
                                .time_ms = run->options->time_ms,
                                .move_cap_ms = run->options->move_cap_ms};
    for (int side = 0; side < 2; side++)
        match.rng[side] = rng_stream(side_family(run, match.players[0], match.players[1], (TurfSide)side), index);

    TurfState state = run->common_start;
    if (run->starts_vary) {
        TurfRng start_rng = rng_stream(start_family(run), pairing->swap_sides ? index / 2 : index);
        if (!game_start(run->game, run->options->start, &start_rng, &state, error))
            return false;
    }
    MatchResult result;
    if (!match_play(&match, &state, &result, error))
        return false;
    if (result.is_whole)
        write_down(run, pairing_index, index, is_swapped, &result, totals);
    return true;
}

/* Leaves a stretch of random games to the game's own fast path, if it has one for them. */
static bool play_batch(const Run *run, const Stretch *stretch, TurfTotals *totals)
{
    const TurfPairing *pairing = &run->pairings[stretch->pairing];
    const TurfPlayer  *first = pairing->players[0], *second = pairing->players[1];
    if (!run->game->play_random_games || pairing->swap_sides || run->options->finished || !player_is_random(first) ||
        !player_is_random(second))
        return false;
    RandomGames games = {.first_game = stretch->first_game,
                         .n_games = stretch->n_games,
                         .start = run->starts_vary ? NULL : &run->common_start,
                         .start_family = start_family(run)};
    for (int side = 0; side < 2; side++)
        games.side_family[side] = side_family(run, first, second, (TurfSide)side);
    return run->game->play_random_games(&games, totals);
}

/* One by one. A player with a memory is used by one thread at a time, so each stretch gets copies. */
static bool play_singly(Run *run, const Stretch *stretch, TurfTotals *totals, TurfError *error)
{
    const TurfPairing *pairing = &run->pairings[stretch->pairing];
    TurfPlayer        *copies[2];
    bool               is_good = true;
    for (int i = 0; i < 2; i++) {
        copies[i] = player_copy(pairing->players[i], error);
        is_good &= copies[i] != NULL;
    }
    for (uint64_t i = 0; i < stretch->n_games && is_good && !is_stopped(run); i++)
        is_good = play_numbered(run, stretch->pairing, copies, stretch->first_game + i, totals, error);
    turf_player_free(copies[0]);
    turf_player_free(copies[1]);
    return is_good;
}

static bool play_stretch(Run *run, const Stretch *stretch, TurfTotals *totals, TurfError *error)
{
    int64_t begin_ns = clock_ns();
    *totals = TOTALS_NONE;
    if (!play_batch(run, stretch, totals) && !play_singly(run, stretch, totals, error))
        return false;
    totals->seconds = clock_seconds_since(begin_ns);
    return true;
}

/* How many games of a pairing are played in one go: few enough to share the work out evenly. */
static uint64_t stretch_length(const TurfPairing *pairing)
{
    uint64_t length = (pairing->n_games + STRETCHES_PER_PAIRING - 1) / STRETCHES_PER_PAIRING;
    return length > LONGEST_STRETCH ? LONGEST_STRETCH : length > 0 ? length : 1;
}

/* Stretch number `index`. They take all pairings in turns, so that every row of a table grows at the
 * same time; a pairing that has fewer than others gets empty ones at the end. */
static Stretch stretch_at(const Run *run, uint64_t index)
{
    size_t   pairing = (size_t)(index % run->n_pairings);
    uint64_t length = stretch_length(&run->pairings[pairing]), first = index / run->n_pairings * length;
    uint64_t n_games = run->pairings[pairing].n_games, left = first < n_games ? n_games - first : 0;
    return (Stretch){pairing, first, left < length ? left : length};
}

static uint64_t count_stretches(const Run *run)
{
    uint64_t most = 0;
    for (size_t p = 0; p < run->n_pairings; p++) {
        uint64_t length = stretch_length(&run->pairings[p]), n = (run->pairings[p].n_games + length - 1) / length;
        most = n > most ? n : most;
    }
    return most * run->n_pairings;
}

static void *work(void *argument)
{
    Run *run = argument;
    while (!is_stopped(run)) {
        uint64_t index = atomic_fetch_add(&run->next_stretch, 1);
        if (index >= run->n_stretches)
            break;
        Stretch    stretch = stretch_at(run, index);
        TurfTotals totals;
        TurfError  error;
        bool       is_good = play_stretch(run, &stretch, &totals, &error);
        pthread_mutex_lock(&run->lock);
        if (is_good) {
            totals_add(&run->totals[stretch.pairing], &totals);
        } else if (!run->has_failed) {
            run->has_failed = true;
            run->error = error;
            atomic_store(&run->is_stopped, true);
        }
        pthread_mutex_unlock(&run->lock);
    }
    pthread_mutex_lock(&run->lock);
    run->n_working--;
    pthread_cond_signal(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Waits for the workers, and tells how things stand every now and then. */
static void watch(Run *run, TurfTotals *snapshot)
{
    pthread_mutex_lock(&run->lock);
    while (run->n_working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += PROGRESS_EVERY_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&run->changed, &run->lock, &until);
        if (!run->options->progress || run->n_working == 0)
            continue;
        memcpy(snapshot, run->totals, run->n_pairings * sizeof *snapshot);
        pthread_mutex_unlock(&run->lock);
        if (!run->options->progress(run->options->context, snapshot, run->n_pairings))
            atomic_store(&run->is_stopped, true);
        pthread_mutex_lock(&run->lock);
    }
    pthread_mutex_unlock(&run->lock);
}

static bool prepare(Run *run, TurfError *error)
{
    for (size_t p = 0; p < run->n_pairings; p++)
        for (int i = 0; i < 2; i++)
            if (run->pairings[p].players[i]->game != run->game)
                return error_set(error, "the player %.40s was opened for %s, not for %s",
                                 run->pairings[p].players[i]->name, run->pairings[p].players[i]->game->name,
                                 run->game->name);
    /* A start that draws on its stream is made anew for each game. */
    TurfRng unused = rng_stream(start_family(run), 0), rng = unused;
    if (!game_start(run->game, run->options->start, &rng, &run->common_start, error))
        return false;
    run->starts_vary = rng.state != unused.state;
    for (size_t p = 0; p < run->n_pairings; p++)
        run->totals[p] = TOTALS_NONE;
    run->n_stretches = count_stretches(run);
    return true;
}

bool turf_run(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings, const TurfRunOptions *options,
              TurfTotals *totals, TurfError *error)
{
    Run run = {.game = game, .pairings = pairings, .n_pairings = n_pairings, .options = options, .totals = totals};
    if (!prepare(&run, error))
        return false;

    bool is_alone = false;
    for (size_t p = 0; p < n_pairings; p++)
        is_alone |= pairings[p].players[0]->kind->plays_alone || pairings[p].players[1]->kind->plays_alone;
    long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    int  n_jobs = is_alone ? 1 : options->n_jobs > 0 ? options->n_jobs : n_processors > 0 ? (int)n_processors : 1;
    TurfTotals        *snapshot = calloc(n_pairings ? n_pairings : 1, sizeof *snapshot);
    pthread_t         *threads = calloc((size_t)n_jobs, sizeof *threads);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, &monotonic);

    bool is_good = snapshot && threads;
    int  n_threads = 0;
    if (is_good) {
        pthread_mutex_lock(&run.lock);
        while (n_threads < n_jobs && !pthread_create(&threads[n_threads], NULL, work, &run))
            n_threads++;
        run.n_working = n_threads;
        pthread_mutex_unlock(&run.lock);
        watch(&run, snapshot);
    }
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    if (n_threads == 0)
        is_good = error_set(error, is_good ? "no thread could be started" : "out of memory");
    else if (run.has_failed)
        is_good = error_set(error, "%s", run.error.text);

    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    pthread_condattr_destroy(&monotonic);
    free(threads);
    free(snapshot);
    return is_good;
}
