/* Games of a bot at home; see join_games.h.
 *
 * A slot's thread takes orders from the main thread, in their order: begin, ask, end. While
 * one to end waits, `stop` is set, so that a bot that thinks is not waited for. One lock and one
 * condition for all slots guard the orders and counts; everything else in a slot belongs to its
 * thread. */
#include "cmd/join_games.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "cmd/console.h"
#include "players/bot_player.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef enum OrderKind { ORDER_BEGIN, ORDER_ASK, ORDER_END, ORDER_LEAVE } OrderKind;

typedef struct Order {
    struct Order *next;
    OrderKind     kind;
    json_int_t    game;
    char         *text;   /* a question, or why the game was lost */
    int           number; /* of the game, for people */
} Order;

typedef struct Slot {
    struct JoinGames *games;
    TurfPlayer       *bot;
    pthread_t         thread;
    atomic_bool       stop;
    json_int_t        game;     /* 0: free, or about to be; of the main thread */
    int               n_ending; /* orders to end */
    Order            *first, **last;

    bool    is_running, has_failed, is_new; /* is_new: no question yet */
    int     n_turns, number;                /* number: of the game, for people */
    int64_t slowest_ns;
} Slot;

struct JoinGames {
    JoinHttp       *http;
    bool            is_quiet;
    pthread_mutex_t lock;
    pthread_cond_t  ordered;
    int             n_playing;
    uint64_t        n_begun, n_over;
    int             n_slots;
    Slot            slots[];
};

/* ---- orders ----------------------------------------------------------------------------- */

/* Takes its text over. The lock is held. */
static void order(Slot *slot, Order what)
{
    Order *made = or_die(malloc(sizeof *made));
    *made = what;
    *slot->last = made;
    slot->last = &made->next;
    pthread_cond_broadcast(&slot->games->ordered);
}

static Order *next_order(Slot *slot)
{
    JoinGames *games = slot->games;
    pthread_mutex_lock(&games->lock);
    while (!slot->first)
        pthread_cond_wait(&games->ordered, &games->lock);
    Order *taken = slot->first;
    if (!(slot->first = taken->next))
        slot->last = &slot->first;
    pthread_mutex_unlock(&games->lock);
    return taken;
}

/* ---- the thread of a slot --------------------------------------------------------------- */

static void say_fault(Slot *slot, json_int_t game, TurfForfeit reason, const char *text)
{
    slot->has_failed = true;
    join_say_fault(slot->games->http, game, reason, text);
    if (!slot->games->is_quiet)
        fprintf(stderr, "turf join: game %d: %s\n", slot->number, text);
}

static void begin(Slot *slot, const Order *order)
{
    TurfError error;
    slot->number = order->number;
    slot->n_turns = 0;
    slot->slowest_ns = 0;
    slot->has_failed = false;
    slot->is_new = true;
    slot->is_running = player_begin_game(slot->bot, NULL, &error);
    if (slot->is_running)
        join_say_ready(slot->games->http, order->game);
    else
        say_fault(slot, order->game, TURF_CRASH, error.text);
}

/* A bot that plays many games in one process is told of each, as in a run; see docs/protocol.md. */
static char *with_preface(const Slot *slot, const char *line)
{
    const TurfGame *game = slot->bot->game;
    TurfError       unused;
    if (!slot->is_new || !slot->bot->terms.is_reused || game->question)
        return format_text("%s\n", line);
    json_t     *question = json_read(line, 0, &unused);
    const char *side = json_string_value(json_object_get(question, "you"));
    char *text = format_text("{\"new_game\":{\"game\":\"%s\",\"you\":\"%s\"}}\n%s\n", game->name,
                             side ? side : "", line);
    json_decref(question);
    return text;
}

/* It does not answer any more: stops it, and says why. */
static void report_exit(Slot *slot, json_int_t game, ProcessAnswer answer)
{
    char last_line[BOT_LAST_LINE_BYTES], text[HOME_FAULT_BYTES];
    player_end_game(slot->bot, "it does not answer");
    slot->is_running = false;
    const char *errors = player_error_output(slot->bot);
    bot_last_line(errors, last_line);
    if (answer == PROCESS_FLOODED)
        (void)snprintf(text, sizeof text, "the bot wrote a line of more than %d bytes",
                       MAX_LINE_BYTES);
    else
        (void)snprintf(text, sizeof text, "the bot ended without an answer%s%.150s",
                       *last_line ? ": " : "", last_line);
    say_fault(slot, game, answer == PROCESS_FLOODED ? TURF_FLOOD : TURF_CRASH, text);
}

static void ask(Slot *slot, const Order *order)
{
    Process *process = bot_process(slot->bot);
    if (!slot->is_running)
        return;
    process_ask(process, with_preface(slot, order->text), INT64_MAX, &slot->stop);
    slot->is_new = false;
    process_wait(&process, 1);
    if (process->answer == PROCESS_TIMED_OUT) /* stopped: the game is over */
        return;
    if (process->answer != PROCESS_ANSWERED) {
        report_exit(slot, order->game, process->answer);
        return;
    }
    size_t      length;
    const char *line = process_line(process, &length);
    join_say_answer(slot->games->http, order->game, line, length);
    int64_t used_ns = process->answered_ns - process->asked_ns;
    if (used_ns > slot->slowest_ns)
        slot->slowest_ns = used_ns;
    slot->n_turns++;
}

static void end(Slot *slot, const Order *order)
{
    JoinGames *games = slot->games;
    if (slot->is_running) {
        bool owes_an_answer = bot_process(slot->bot)->answer == PROCESS_TIMED_OUT;
        player_end_game(slot->bot,
                        !order->text && owes_an_answer ? "the game is over" : order->text);
    }
    slot->is_running = false;
    if (!games->is_quiet && order->text)
        fprintf(stderr, "turf join: game %d is lost: %s\n", slot->number, order->text);
    else if (!games->is_quiet)
        fprintf(stderr, "turf join: game %d is over: %d turns, the slowest took %.1f ms\n",
                slot->number, slot->n_turns, (double)slot->slowest_ns / 1e6);
    pthread_mutex_lock(&games->lock);
    games->n_playing--;
    games->n_over++;
    atomic_store(&slot->stop, --slot->n_ending > 0);
    pthread_mutex_unlock(&games->lock);
}

static void *work(void *context)
{
    Slot *slot = context;
    for (bool is_leaving = false; !is_leaving;) {
        Order *taken = next_order(slot);
        switch (taken->kind) {
        case ORDER_BEGIN: begin(slot, taken); break;
        case ORDER_ASK: ask(slot, taken); break;
        case ORDER_END: end(slot, taken); break;
        default: is_leaving = true;
        }
        free(taken->text);
        free(taken);
    }
    return NULL;
}

/* ---- the main thread -------------------------------------------------------------------- */

JoinGames *join_games_new(const TurfPlayer *bot, int n_slots, JoinHttp *http, bool is_quiet)
{
    TurfError  error;
    JoinGames *games = or_die(calloc(1, sizeof *games + (size_t)n_slots * sizeof(Slot)));
    games->http = http;
    games->is_quiet = is_quiet;
    pthread_mutex_init(&games->lock, NULL);
    pthread_cond_init(&games->ordered, NULL);
    for (; games->n_slots < n_slots; games->n_slots++) {
        Slot *slot = &games->slots[games->n_slots];
        slot->games = games;
        slot->last = &slot->first;
        slot->bot = player_copy(bot, &error);
        if (!slot->bot)
            die("%s", error.text);
        if (pthread_create(&slot->thread, NULL, work, slot) != 0)
            die("no thread could be started; try fewer --jobs");
    }
    return games;
}

void join_games_free(JoinGames *games)
{
    if (!games)
        return;
    join_games_drop(games);
    pthread_mutex_lock(&games->lock);
    for (int i = 0; i < games->n_slots; i++)
        order(&games->slots[i], (Order){.kind = ORDER_LEAVE});
    pthread_mutex_unlock(&games->lock);
    for (int i = 0; i < games->n_slots; i++) {
        pthread_join(games->slots[i].thread, NULL);
        turf_player_free(games->slots[i].bot);
    }
    pthread_cond_destroy(&games->ordered);
    pthread_mutex_destroy(&games->lock);
    free(games);
}

static Slot *find(JoinGames *games, json_int_t game)
{
    for (int i = 0; i < games->n_slots; i++)
        if (games->slots[i].game == game)
            return &games->slots[i];
    return NULL;
}

void join_games_begin(JoinGames *games, json_int_t game)
{
    pthread_mutex_lock(&games->lock);
    Slot *slot =
        game != 0 ? find(games, 0) : NULL; /* the server asks for no more than we offered */
    if (slot) {
        slot->game = game;
        games->n_playing++;
        order(slot, (Order){.kind = ORDER_BEGIN, .game = game, .number = (int)++games->n_begun});
    }
    pthread_mutex_unlock(&games->lock);
    if (!slot)
        join_say_fault(games->http, game, TURF_CRASH, "is in as many games as it may");
}

void join_games_ask(JoinGames *games, json_int_t game, const char *line)
{
    pthread_mutex_lock(&games->lock);
    Slot *slot = game != 0 ? find(games, game) : NULL;
    if (slot)
        order(slot, (Order){.kind = ORDER_ASK, .game = game, .text = or_die(strdup(line))});
    pthread_mutex_unlock(&games->lock);
}

void join_games_end(JoinGames *games, json_int_t game, const char *error)
{
    pthread_mutex_lock(&games->lock);
    Slot *slot = game != 0 ? find(games, game) : NULL;
    if (slot) {
        order(
            slot,
            (Order){.kind = ORDER_END, .game = game, .text = error ? or_die(strdup(error)) : NULL});
        slot->game = 0;
        slot->n_ending++;
        atomic_store(&slot->stop, true);
    }
    pthread_mutex_unlock(&games->lock);
}

void join_games_drop(JoinGames *games)
{
    for (int i = 0; i < games->n_slots; i++) {
        pthread_mutex_lock(&games->lock);
        json_int_t game = games->slots[i].game;
        pthread_mutex_unlock(&games->lock);
        if (game != 0)
            join_games_end(games, game, "the connection was lost");
    }
}

int join_games_n_playing(JoinGames *games)
{
    pthread_mutex_lock(&games->lock);
    int n = games->n_playing;
    pthread_mutex_unlock(&games->lock);
    return n;
}

uint64_t join_games_n_begun(JoinGames *games)
{
    pthread_mutex_lock(&games->lock);
    uint64_t n = games->n_begun;
    pthread_mutex_unlock(&games->lock);
    return n;
}

uint64_t join_games_n_over(JoinGames *games)
{
    pthread_mutex_lock(&games->lock);
    uint64_t n = games->n_over;
    pthread_mutex_unlock(&games->lock);
    return n;
}
