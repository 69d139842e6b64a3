#include "arena/event.h"

#include "arena/schedule.h"
#include "arena/trial.h"
#include "base/error.h"
#include "games/totals.h"
#include "store/records.h"

#include <stdlib.h>
#include <string.h>

/* Somebody who bears a name and is not there. */
static TurfMove choose_nothing(void *context, const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)context;
    (void)game;
    (void)state;
    (void)rng;
    return 0;
}

static TurfPlayer *open_player(const Event *event, size_t entrant, bool will_play, TurfError *error)
{
    const Plan *plan = &event->plan;
    return will_play ? plan_open_player(plan, entrant, event->players, error)
                     : turf_player_custom(plan->game, plan->entrants[entrant].name, choose_nothing, NULL, error);
}

bool event_init(Event *event, Plan *plan, bool will_play, TurfError *error)
{
    *event = (Event){.plan = *plan, .shard = 1, .n_shards = 1};
    *plan = (Plan){0};
    event->players = calloc(event->plan.n_entrants + 1, sizeof(TurfPlayer *));
    size_t n_most = schedule_check(&event->plan, error) ? schedule_n_pairings(&event->plan) : 0;
    if (n_most == 0) {
        event_release(event);
        return false;
    }
    event->schedule = calloc(n_most, sizeof *event->schedule);
    event->pairings = calloc(n_most, sizeof *event->pairings);
    event->totals = calloc(n_most, sizeof *event->totals);
    bool is_good =
        (event->players && event->schedule && event->pairings && event->totals) || error_set(error, "out of memory");
    for (size_t i = 0; i < event->plan.n_entrants && is_good; i++)
        is_good = (event->players[i] = open_player(event, i, will_play, error)) != NULL;
    if (!is_good)
        event_release(event);
    return is_good;
}

void event_release(Event *event)
{
    for (size_t i = 0; event->players && i < event->plan.n_entrants; i++)
        turf_player_free(event->players[i]);
    free(event->players);
    free(event->schedule);
    free(event->pairings);
    free(event->totals);
    free(event->points);
    spans_release(&event->played);
    plan_release(&event->plan);
    *event = (Event){0};
}

/* ---- the test ----------------------------------------------------------------------------- */

/* Between looks the test says nothing new: games may be missing in the middle. */
static void look_at_test(Event *event)
{
    uint64_t    n_played = event_n_played(event);
    ScoreCounts scores = trial_scores(event);
    event->test = sprt_standing(&event->plan.sprt, &scores);
    if (sprt_look(n_played, event->plan.n_games) != n_played)
        event->test.state = SPRT_GOES_ON;
}

/* Can the games of this plan be taken in pairs? */
static bool plan_is_paired(const Plan *plan) { return plan->schedule == SCHEDULE_MATCH && plan->swaps_sides; }

/* ---- the store ---------------------------------------------------------------------------- */

/* The next pairings, from the schedule or from the store. */
static void append_pairings(Event *event, const StoredPairing *pairings, size_t n_pairings)
{
    for (size_t i = 0; i < n_pairings; i++) {
        size_t at = event->n_pairings++;
        event->schedule[at] = pairings[i];
        event->pairings[at] =
            (TurfPairing){.players = {event->players[pairings[i].first], event->players[pairings[i].second]},
                          .n_games = pairings[i].n_games,
                          .swap_sides = pairings[i].swaps_sides};
        event->totals[at][0] = event->totals[at][1] = TOTALS_NONE;
    }
}

/* Decides on the pairings of a round, unless the store has them already. */
static bool prepare_round(Event *event, uint64_t round, TurfError *error)
{
    size_t         n_before = event->n_pairings;
    StoredPairing *next = NULL;
    if (n_before > 0 && (uint64_t)event->schedule[n_before - 1].round >= round)
        return true;
    next = calloc(schedule_n_pairings(&event->plan), sizeof *next);
    size_t n = next ? schedule_round(&event->plan, round, event->schedule, event->totals, n_before, next) : 0;
    bool   is_good = n > 0 || error_set(error, "out of memory");
    if (is_good && event->store)
        is_good = runs_add_pairings(event->store, event->run, n_before, next, n, error);
    if (is_good)
        append_pairings(event, next, n);
    free(next);
    return is_good;
}

/* The run, and its first pairings, in one go. */
static bool write_run(Event *event, StoredRun *run, TurfError *error)
{
    Store *store = event->store;
    if (!store_begin(store, error))
        return false;
    bool is_good = runs_add(store, run, event->plan.entrants, event->plan.n_entrants, error);
    event->run = run->id;
    is_good = is_good && prepare_round(event, 1, error);
    if (is_good)
        return store_commit(store, error);
    store_undo(store);
    return false;
}

bool event_begin(Event *event, Store *store, TurfError *error)
{
    char      hash[17], *json = plan_to_json(&event->plan);
    StoredRun run = {.game = (char *)(uintptr_t)event->plan.game->name,
                     .plan = json,
                     .plan_hash = hash,
                     .version = (char *)(uintptr_t)TURF_VERSION,
                     .shard = event->shard,
                     .n_shards = event->n_shards};
    if (!json)
        return error_set(error, "out of memory");
    plan_hash(json, hash);
    event->store = store;
    bool is_good = write_run(event, &run, error) && store_lock_run(store, run.id, error);
    free(json);
    return is_good;
}

static bool read_pairings(Event *event, TurfError *error)
{
    StoredPairing *pairings;
    size_t         n_pairings;
    if (!runs_pairings(event->store, event->run, &pairings, &n_pairings, error))
        return false;
    bool is_good = n_pairings <= schedule_n_pairings(&event->plan);
    for (size_t i = 0; i < n_pairings; i++)
        is_good &= pairings[i].first < event->plan.n_entrants && pairings[i].second < event->plan.n_entrants;
    if (is_good)
        append_pairings(event, pairings, n_pairings);
    else
        error_set(error, "the pairings of run %lld do not fit its plan", (long long)event->run);
    free(pairings);
    return is_good;
}

static bool note_game(void *context, const GameRecord *record) { return trial_note(context, record); }

bool event_resume(Event *event, Store *store, const StoredRun *run, bool will_play, TurfError *error)
{
    Plan plan;
    if (!plan_from_json(&plan, run->plan, error) || !event_init(event, &plan, will_play, error))
        return false;
    event->store = store;
    event->run = run->id;
    event->shard = run->shard;
    event->n_shards = run->n_shards;
    bool is_good =
        (!will_play || store_lock_run(store, run->id, error)) && read_pairings(event, error) &&
        records_add_totals(store, run->id, event->totals, event->n_pairings, error) &&
        records_played(store, run->id, &event->played, error) &&
        (plan_is_paired(&event->plan) ? records_each_game(store, run->id, 0, note_game, event, error) : true);
    if (is_good && event->plan.has_sprt)
        look_at_test(event);
    event->n_before = event_n_played(event);
    if (!is_good)
        event_release(event);
    return is_good;
}

/* ---- keeping ------------------------------------------------------------------------------ */

typedef struct Keeper {
    Event            *event;
    const EventHooks *hooks;
} Keeper;

static bool keep_part(Event *event, const Part *part, TurfError *error)
{
    ChunkRecord chunk = {part->games.pairing, part->games.first, part->games.n, {part->totals[0], part->totals[1]}};
    for (size_t i = 0; i < part->n_logged; i++)
        if (!records_add_game(event->store, event->run, &part->logged[i].record, error))
            return false;
    return part->is_single || records_add_chunk(event->store, event->run, &chunk, error);
}

static int by_games(const void *left, const void *right)
{
    const Span *a = &(*(Part *const *)left)->games, *b = &(*(Part *const *)right)->games;
    if (a->pairing != b->pairing)
        return a->pairing < b->pairing ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Parts that follow each other are kept as one, since each row has its price. */
static bool keep_parts(Event *event, Part *const *parts, size_t n_parts, TurfError *error)
{
    Part **sorted = malloc(n_parts * sizeof(Part *));
    bool   is_good = sorted || error_set(error, "out of memory");
    for (size_t i = 0; i < n_parts && is_good; i++)
        sorted[i] = parts[i];
    if (is_good)
        qsort(sorted, n_parts, sizeof(Part *), by_games);
    for (size_t i = 0, next; i < n_parts && is_good; i = next) {
        Part joined = *sorted[i];
        for (next = i + 1; next < n_parts && !joined.is_single; next++) {
            const Part *more = sorted[next];
            if (more->n_logged > 0 || more->games.pairing != joined.games.pairing ||
                more->games.first != joined.games.first + joined.games.n)
                break;
            joined.games.n += more->games.n;
            for (int side = 0; side < 2; side++)
                totals_add(&joined.totals[side], &more->totals[side]);
        }
        is_good = keep_part(event, &joined, error);
    }
    free(sorted);
    return is_good;
}

static bool keep(void *context, Part *const *parts, size_t n_parts, TurfError *error)
{
    Keeper *keeper = context;
    Event  *event = keeper->event;
    if (event->store) {
        if (!store_begin(event->store, error))
            return false;
        if (!keep_parts(event, parts, n_parts, error)) {
            store_undo(event->store);
            return false;
        }
        if (!store_commit(event->store, error))
            return false;
    }
    for (size_t i = 0; i < n_parts; i++)
        for (size_t g = 0; parts[i]->is_single && g < parts[i]->n_logged; g++)
            if (!trial_note(event, &parts[i]->logged[g].record))
                return error_set(error, "out of memory");
    if (keeper->hooks->kept)
        keeper->hooks->kept(keeper->hooks->context, parts, n_parts);
    return true;
}

/* ---- playing ------------------------------------------------------------------------------ */

static bool play_round(Event *event, const EventHooks *hooks, TurfError *error)
{
    const Plan           *plan = &event->plan;
    Keeper                keeper = {event, hooks};
    TurfRunOptions        options = {.seed = plan->seed,
                                     .n_jobs = hooks->n_jobs,
                                     .time_ms = (int64_t)plan->time_ms,
                                     .move_cap_ms = (int64_t)plan->move_cap_ms,
                                     .progress = hooks->progress,
                                     .forfeited = hooks->forfeited,
                                     .context = hooks->context};
    bool                  has_keeper = event->store || hooks->kept || hooks->elsewhere || plan_is_paired(plan);
    RunJob                job = {.game = plan->game,
                                 .pairings = event->pairings,
                                 .n_pairings = event->n_pairings,
                                 .options = &options,
                                 .starts = (const char *const *)plan->starts,
                                 .n_starts = plan->n_starts,
                                 .played = &event->played,
                                 .shard = event->shard,
                                 .n_shards = event->n_shards > 1 ? event->n_shards : 0,
                                 .n_recorded = plan->n_recorded,
                                 .counts_singly = plan->has_sprt && plan->swaps_sides,
                                 .keep = has_keeper ? keep : NULL,
                                 .keep_context = &keeper,
                                 .delay = &event->delay};
    const EventElsewhere *elsewhere = hooks->elsewhere;
    return elsewhere ? elsewhere->play(elsewhere->context, event, &job, event->totals, error)
                     : run_play(&job, event->totals, error);
}

/* Those that have been played need not be played in the next round. */
static bool mark_played(Event *event, TurfError *error)
{
    for (size_t p = 0; p < event->n_pairings; p++)
        if (!spans_add(&event->played, (Span){p, 0, event->pairings[p].n_games}))
            return error_set(error, "out of memory");
    return true;
}

/* Decides on a round, and keeps what was decided. */
static bool decide_round(Event *event, uint64_t round, TurfError *error)
{
    if (event->store && !store_begin(event->store, error))
        return false;
    bool is_good = prepare_round(event, round, error);
    if (is_good && event->store)
        return store_commit(event->store, error);
    if (event->store)
        store_undo(event->store);
    return is_good;
}

bool event_prepare(Event *event, TurfError *error) { return decide_round(event, 1, error); }

/* How many games there are in what has been decided. */
static uint64_t count_decided(const Event *event)
{
    uint64_t n_games = 0;
    if (event->n_shards > 1)
        return event_n_games(event);
    for (size_t p = 0; p < event->n_pairings; p++)
        n_games += event->pairings[p].n_games;
    return n_games;
}

/* Plays from look to look until the test is settled or there are no more games. No game beyond a look is begun before
 * it: so the answer, and the games it rests on, are the same for any number of threads and after any interruption. */
static bool play_test(Event *event, const EventHooks *hooks, TurfError *error)
{
    uint64_t n_most = event->plan.n_games;
    while (event->test.state == SPRT_GOES_ON && event_n_played(event) < n_most) {
        uint64_t n_played = event_n_played(event), look = sprt_look(n_played, n_most);
        if (look == n_played)
            look = sprt_look(n_played + 1, n_most);
        event->pairings[0].n_games = look;
        if (!play_round(event, hooks, error))
            return false;
        if (event_n_played(event) < look)
            return true; /* stopped early */
        if (!spans_add(&event->played, (Span){0, 0, look}))
            return error_set(error, "out of memory");
        look_at_test(event);
    }
    return !event->store || runs_set_finished(event->store, event->run, error);
}

bool event_play(Event *event, const EventHooks *hooks, TurfError *error)
{
    uint64_t n_rounds = event->plan.schedule == SCHEDULE_SWISS ? event->plan.n_rounds : 1;
    for (uint64_t round = 1; round <= n_rounds; round++) {
        if (!decide_round(event, round, error))
            return false;
        if (hooks->paired)
            hooks->paired(hooks->context, event);
        if (event->plan.has_sprt)
            return play_test(event, hooks, error);
        uint64_t n_decided = count_decided(event);
        if (event_n_played(event) < n_decided && !play_round(event, hooks, error))
            return false;
        if (event_n_played(event) < n_decided)
            return true; /* stopped early */
        if (round < n_rounds && !mark_played(event, error))
            return false;
    }
    return !event->store || runs_set_finished(event->store, event->run, error);
}

/* ---- counting ----------------------------------------------------------------------------- */

/* The ground as far as cutting into stretches needs it. */
static Ground ground_of(const Event *event)
{
    return (Ground){.pairings = event->pairings, .n_pairings = event->n_pairings};
}

uint64_t event_n_games(const Event *event)
{
    if (event->plan.has_sprt && event->test.state != SPRT_GOES_ON)
        return event_n_played(event);
    if (event->n_shards == 1)
        return schedule_n_pairings(&event->plan) * event->plan.n_games;
    Ground   ground = ground_of(event);
    uint64_t n_games = 0, n_stretches = stretch_count(&ground);
    for (uint64_t i = 0; i < n_stretches; i++)
        if (stretch_shard(&ground, i, event->n_shards) == event->shard)
            n_games += stretch_at(&ground, i).n;
    return n_games;
}

uint64_t event_n_played(const Event *event)
{
    uint64_t n_played = 0;
    for (size_t p = 0; p < event->n_pairings; p++)
        n_played += event->totals[p][0].n_games + event->totals[p][1].n_games;
    return n_played;
}

bool event_is_whole(const Event *event)
{
    return event->n_pairings > 0 && event_n_played(event) >= event_n_games(event);
}

bool event_missing(const Event *event, Spans *missing)
{
    Ground   ground = ground_of(event);
    uint64_t n_stretches = event->n_pairings ? stretch_count(&ground) : 0;
    for (uint64_t i = 0; i < n_stretches; i++) {
        Span stretch = stretch_at(&ground, i);
        if (event->n_shards > 1 && stretch_shard(&ground, i, event->n_shards) != event->shard)
            continue;
        while (stretch.n > 0) {
            Span part = spans_first_missing(&event->played, stretch);
            if (!spans_add(missing, part))
                return false;
            uint64_t behind = part.first + part.n;
            stretch.n = part.n > 0 ? stretch.first + stretch.n - behind : 0;
            stretch.first = behind;
        }
    }
    return true;
}
