#include "arena/stretch.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

enum { STRETCHES_PER_PAIRING = 64, LONGEST_STRETCH = 1 << 16 };

/* Slow games are handed over this often, so that no more than that is lost when the lights go out. */
enum { LONGEST_PART_MS = 100 };

/* The families of random streams: the same starts for every pairing of a seed, so that all players
 * face the same boards; and each side's own draws. */
enum { FAMILY_OF_STARTS = 1, FAMILY_OF_SIDES = 2 };

static uint64_t text_word(const char *text) { return hash_bytes(text, strlen(text)); }

static uint64_t start_family(const Ground *ground) { return rng_family(ground->seed, FAMILY_OF_STARTS); }

/* The streams of whoever plays `side` in a game of `first` against `second`. */
static uint64_t side_family(const Ground *ground, const TurfPlayer *first, const TurfPlayer *second, TurfSide side)
{
    uint64_t family = rng_family(ground->seed, FAMILY_OF_SIDES);
    family = rng_family(family, text_word(first->spec));
    family = rng_family(family, text_word(second->spec));
    return rng_family(family, side);
}

static bool is_stopped(const Ground *ground)
{
    return ground->stop && atomic_load_explicit(ground->stop, memory_order_relaxed);
}

/* ---- the ground --------------------------------------------------------------------------- */

static bool read_start(const Ground *ground, GroundStart *start, TurfError *error)
{
    TurfRng unused = rng_stream(start_family(ground), 0), rng = unused;
    if (!game_start(ground->game, start->text, &rng, &start->state, error))
        return false;
    start->varies = rng.state != unused.state;
    return true;
}

bool ground_init(Ground *ground, const char *const *starts, size_t n_starts, TurfError *error)
{
    for (size_t p = 0; p < ground->n_pairings; p++)
        for (int i = 0; i < 2; i++) {
            const TurfPlayer *player = ground->pairings[p].players[i];
            if (player->game != ground->game)
                return error_set(error, "the player %s was opened for %s, not for %s", player->name,
                                 player->game->name, ground->game->name);
        }
    ground->n_starts = n_starts > 0 ? n_starts : 1;
    ground->starts = calloc(ground->n_starts, sizeof *ground->starts);
    if (!ground->starts)
        return error_set(error, "out of memory");
    for (size_t i = 0; i < ground->n_starts; i++) {
        ground->starts[i].text = n_starts > 0 ? starts[i] : NULL;
        if (!read_start(ground, &ground->starts[i], error)) {
            ground_release(ground);
            return false;
        }
    }
    return true;
}

void ground_release(Ground *ground)
{
    free(ground->starts);
    ground->starts = NULL;
    ground->n_starts = 0;
}

static bool is_unique(const Ground *ground, size_t pairing)
{
    const TurfPlayer *const *players = ground->pairings[pairing].players;
    for (int i = 0; i < 2; i++)
        if (players[i]->kind->is_bot || players[i]->time_gain_ms > 0)
            return true;
    return ground->time_ms > 0;
}

bool pairing_is_single(const Ground *ground, size_t pairing)
{
    return ground->counts_singly || is_unique(ground, pairing);
}

/* ---- cutting ------------------------------------------------------------------------------ */

/* How many games of a pairing are played in one go: few enough to share the work out evenly. */
static uint64_t stretch_length(const TurfPairing *pairing)
{
    uint64_t length = (pairing->n_games + STRETCHES_PER_PAIRING - 1) / STRETCHES_PER_PAIRING;
    return length > LONGEST_STRETCH ? LONGEST_STRETCH : length > 0 ? length : 1;
}

/* A pairing that has fewer than others gets empty ones at the end. */
Span stretch_at(const Ground *ground, uint64_t index)
{
    size_t             number = (size_t)(index % ground->n_pairings);
    const TurfPairing *pairing = &ground->pairings[number];
    uint64_t           length = stretch_length(pairing), first = index / ground->n_pairings * length;
    uint64_t           left = first < pairing->n_games ? pairing->n_games - first : 0;
    return (Span){number, first, left < length ? left : length};
}

uint64_t stretch_count(const Ground *ground)
{
    uint64_t most = 0;
    for (size_t p = 0; p < ground->n_pairings; p++) {
        uint64_t length = stretch_length(&ground->pairings[p]), n = (ground->pairings[p].n_games + length - 1) / length;
        most = n > most ? n : most;
    }
    return most * ground->n_pairings;
}

/* Shifted by one from row to row, so that no shard gets all the slow pairings. */
int stretch_shard(const Ground *ground, uint64_t index, int n_shards)
{
    return (int)((index % ground->n_pairings + index / ground->n_pairings) % (uint64_t)n_shards) + 1;
}

/* ---- parts -------------------------------------------------------------------------------- */

static Part *part_new(Span games, TurfError *error)
{
    Part *part = calloc(1, sizeof *part);
    if (part) {
        part->games = games;
        part->totals[0] = part->totals[1] = TOTALS_NONE;
    } else {
        error_set(error, "out of memory");
    }
    return part;
}

void part_free(Part *part)
{
    if (!part)
        return;
    for (size_t i = 0; i < part->n_logged; i++) {
        log_release(&part->logged[i].log);
        for (size_t t = 0; t < sizeof part->logged[i].texts / sizeof part->logged[i].texts[0]; t++)
            free(part->logged[i].texts[t]);
    }
    free(part->logged);
    free(part);
}

/* Puts a game's record into the part, with what its log has. The log is the part's from then on. */
static bool keep_log(Part *part, GameLog *log, const GameRecord *record, const MatchResult *result, TurfError *error)
{
    LoggedGame *larger = realloc(part->logged, (part->n_logged + 1) * sizeof *larger);
    if (!larger) {
        log_release(log);
        return error_set(error, "out of memory");
    }
    part->logged = larger;
    LoggedGame *logged = &part->logged[part->n_logged++];
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
    return (logged->texts[0] && logged->texts[1]) || error_set(error, "out of memory");
}

/* ---- playing ------------------------------------------------------------------------------ */

static TurfEnding with_sides_changed(TurfEnding ending)
{
    return ending == TURF_WON_BY_FIRST ? TURF_WON_BY_SECOND : ending == TURF_WON_BY_SECOND ? TURF_WON_BY_FIRST : ending;
}

/* The position that game `index` of a pairing begins from. With changing sides, two games share one. */
static bool make_start(const Ground *ground, const TurfPairing *pairing, uint64_t index, TurfState *state,
                       TurfError *error)
{
    uint64_t           number = pairing->swap_sides ? index / 2 : index;
    const GroundStart *start = &ground->starts[number % ground->n_starts];
    TurfRng            rng = rng_stream(start_family(ground), number);
    if (start->varies)
        return game_start(ground->game, start->text, &rng, state, error);
    *state = start->state;
    return true;
}

static void count(Part *part, bool is_swapped, const MatchResult *result, double seconds)
{
    TurfTotals *totals = &part->totals[is_swapped];
    totals_add_game(totals, is_swapped ? with_sides_changed(result->ending) : result->ending, result->length);
    totals->seconds += seconds;
    if (result->forfeiter >= 0)
        totals->forfeits[result->forfeiter ^ is_swapped][result->forfeit.reason]++;
}

/* Game number `index` of a pairing, whatever was played before it. `entrants` are copies of the pairing's players. A
 * game that was stopped is not counted, and `is_whole` is false then. */
static bool play_numbered(const Ground *ground, Part *part, TurfPlayer *const entrants[2], uint64_t index,
                          bool wants_log, bool *is_whole, TurfError *error)
{
    const TurfPairing *pairing = &ground->pairings[part->games.pairing];
    bool               is_swapped = pairing->swap_sides && index % 2;
    Match              match = {.game = ground->game,
                                .players = {entrants[is_swapped], entrants[!is_swapped]},
                                .stop = ground->stop,
                                .time_ms = ground->time_ms,
                                .move_cap_ms = ground->move_cap_ms};
    TurfState          state;
    MatchResult        result;
    GameLog            log = {.waits = -1};
    for (int side = 0; side < 2; side++)
        match.rng[side] = rng_stream(side_family(ground, match.players[0], match.players[1], (TurfSide)side), index);
    if (!make_start(ground, pairing, index, &state, error))
        return false;
    if (wants_log) {
        if (!log_init(&log, ground->game, &state))
            return error_set(error, "out of memory");
        match.log = &log;
    }
    int64_t begin_ns = clock_ns();
    bool    is_good = match_play(&match, &state, &result, error);
    log_end(match.log);
    *is_whole = is_good && result.is_whole;
    if (!*is_whole) {
        log_release(&log);
        return is_good;
    }
    double seconds = clock_seconds_since(begin_ns);
    count(part, is_swapped, &result, seconds);
    if (ground->finished)
        ground->finished(ground->context, part->games.pairing, index, is_swapped, &result);
    GameRecord record = {.pairing = part->games.pairing,
                         .game = index,
                         .is_swapped = is_swapped,
                         .is_sample = !part->is_single,
                         .ending = result.ending,
                         .length = result.length,
                         .forfeiter = result.forfeiter,
                         .reason = result.forfeit.reason,
                         .seconds = seconds};
    return !wants_log || keep_log(part, &log, &record, &result, error);
}

/* Leaves games to the game's own fast path, if it has one for them. */
static bool play_batch(const Ground *ground, Part *part)
{
    const TurfPairing *pairing = &ground->pairings[part->games.pairing];
    const TurfPlayer  *first = pairing->players[0], *second = pairing->players[1];
    if (!ground->game->play_random_games || pairing->swap_sides || ground->tells_games || ground->n_starts > 1 ||
        !player_is_random(first) || !player_is_random(second) || pairing_is_single(ground, part->games.pairing))
        return false;
    RandomGames games = {.first_game = part->games.first,
                         .n_games = part->games.n,
                         .start = ground->starts[0].varies ? NULL : &ground->starts[0].state,
                         .start_family = start_family(ground)};
    for (int side = 0; side < 2; side++)
        games.side_family[side] = side_family(ground, first, second, (TurfSide)side);
    int64_t begin_ns = clock_ns();
    if (!ground->game->play_random_games(&games, &part->totals[0]))
        return false;
    part->totals[0].seconds = clock_seconds_since(begin_ns);
    return true;
}

/* Hands a part over that has its first so many games. */
static bool hand_over(const Ground *ground, Part *part, uint64_t n_played)
{
    part->games.n = n_played;
    if (n_played > 0)
        return ground->receive(ground->context, part);
    part_free(part);
    return true;
}

/* As many games as go into one part. `n_played` says how many they were: fewer when it was stopped. */
static bool play_part(const Ground *ground, Span games, TurfPlayer *const players[2], uint64_t *n_played,
                      TurfError *error)
{
    bool    is_single = ground->logs_singles && pairing_is_single(ground, games.pairing);
    bool    wants_log = is_single || games.first < ground->n_recorded;
    int64_t latest_ns = clock_ns() + LONGEST_PART_MS * INT64_C(1000000);
    bool    is_good = true, is_whole = true;
    Part   *part = part_new(games, error);
    *n_played = 0;
    if (!part)
        return false;
    part->is_single = is_single;
    part->is_unique = is_single && is_unique(ground, games.pairing);
    while (*n_played < games.n && !is_stopped(ground)) {
        is_good = play_numbered(ground, part, players, games.first + *n_played, wants_log, &is_whole, error);
        if (!is_good || !is_whole)
            break;
        ++*n_played;
        if (is_single || clock_ns() > latest_ns)
            break;
    }
    if (!is_good) {
        part_free(part);
        return false;
    }
    bool is_wanted = hand_over(ground, part, *n_played);
    if (!is_wanted || !is_whole)
        *n_played = 0; /* and that is all */
    return true;
}

/* One by one. A player with a memory is used by one thread at a time, so each stretch gets copies. */
static bool play_singly(const Ground *ground, Span games, TurfError *error)
{
    const TurfPairing *pairing = &ground->pairings[games.pairing];
    TurfPlayer        *copies[2];
    bool               is_good = true;
    for (int i = 0; i < 2; i++) {
        copies[i] = player_copy(pairing->players[i], error);
        is_good &= copies[i] != NULL;
    }
    while (games.n > 0 && is_good && !is_stopped(ground)) {
        uint64_t n_played;
        is_good = play_part(ground, games, copies, &n_played, error);
        if (n_played == 0)
            break;
        games.first += n_played;
        games.n -= n_played;
    }
    turf_player_free(copies[0]);
    turf_player_free(copies[1]);
    return is_good;
}

bool stretch_play(const Ground *ground, Span games, TurfError *error)
{
    /* Those that are to be recorded are played by themselves. */
    if (games.first < ground->n_recorded && games.n > ground->n_recorded - games.first) {
        Span recorded = {games.pairing, games.first, ground->n_recorded - games.first};
        if (!stretch_play(ground, recorded, error))
            return false;
        games.n -= recorded.n;
        games.first += recorded.n;
    }
    if (games.first < ground->n_recorded)
        return play_singly(ground, games, error);
    Part *part = part_new(games, error);
    if (!part)
        return false;
    if (play_batch(ground, part)) {
        (void)ground->receive(ground->context, part);
        return true;
    }
    part_free(part);
    return play_singly(ground, games, error);
}
