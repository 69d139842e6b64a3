/* How many external players (processes of bots, connections) live games may have at a time.
 *
 * A slot is taken before one is opened and given back once it is freed. Freeing may take a while;
 * `n_leaving` counts those on the way, so that no more are sent away than there are waiters.
 * Thread safety: all functions may be called from any thread; `lock` is held for moments only. */
#ifndef TURF_WEB_BOT_SLOTS_H
#define TURF_WEB_BOT_SLOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct BotSlots {
    pthread_mutex_t    lock;
    pthread_cond_t     changed;
    size_t             n_slots, n_taken, n_leaving, n_waiting;
    const atomic_bool *is_leaving; /* of the server: waiting threads give up */
} BotSlots;

void bot_slots_init(BotSlots *slots, size_t n_slots, const atomic_bool *is_leaving);
void bot_slots_release(BotSlots *slots);
/* Waits for a slot. While all are taken, `make_room` is asked to send an idle bot away. False: the
 * server is leaving. */
bool   bot_slots_take(BotSlots *slots, void (*make_room)(void *context), void *context);
void   bot_slots_note_leaving(BotSlots *slots);
void   bot_slots_give_back(BotSlots *slots, bool was_leaving);
size_t bot_slots_n_taken(BotSlots *slots);

#endif
