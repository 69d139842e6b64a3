/* Slots of external players; see bot_slots.h. */
#include "web/bot_slots.h"

#include "base/clock.h"

void bot_slots_init(BotSlots *slots, size_t n_slots, const atomic_bool *is_leaving)
{
    pthread_condattr_t monotonic;
    *slots = (BotSlots){.n_slots = n_slots, .is_leaving = is_leaving};
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&slots->lock, NULL);
    pthread_cond_init(&slots->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void bot_slots_release(BotSlots *slots)
{
    pthread_cond_destroy(&slots->changed);
    pthread_mutex_destroy(&slots->lock);
}

/* For a moment; the lock is held. */
static void wait_for_change(BotSlots *slots)
{
    enum { LOOK_AGAIN_MS = 50 };
    int64_t         until_ns = clock_ns() + LOOK_AGAIN_MS * INT64_C(1000000);
    struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
    pthread_cond_timedwait(&slots->changed, &slots->lock, &until);
}

/* There are at least as many slots as threads that think for bots. So while all are taken, one of
 * their bots is idle or leaving. */
bool bot_slots_take(BotSlots *slots, void (*make_room)(void *context), void *context)
{
    pthread_mutex_lock(&slots->lock);
    slots->n_waiting++;
    while (slots->n_taken >= slots->n_slots && !atomic_load(slots->is_leaving)) {
        if (slots->n_leaving < slots->n_waiting) {
            pthread_mutex_unlock(&slots->lock);
            make_room(context);
            pthread_mutex_lock(&slots->lock);
        }
        if (slots->n_taken >= slots->n_slots)
            wait_for_change(slots);
    }
    bool is_taken = slots->n_taken < slots->n_slots;
    slots->n_taken += is_taken;
    slots->n_waiting--;
    pthread_mutex_unlock(&slots->lock);
    return is_taken;
}

void bot_slots_note_leaving(BotSlots *slots)
{
    pthread_mutex_lock(&slots->lock);
    slots->n_leaving++;
    pthread_mutex_unlock(&slots->lock);
}

void bot_slots_give_back(BotSlots *slots, bool was_leaving)
{
    pthread_mutex_lock(&slots->lock);
    slots->n_taken--;
    slots->n_leaving -= was_leaving;
    pthread_cond_broadcast(&slots->changed);
    pthread_mutex_unlock(&slots->lock);
}

size_t bot_slots_n_taken(BotSlots *slots)
{
    pthread_mutex_lock(&slots->lock);
    size_t n_taken = slots->n_taken;
    pthread_mutex_unlock(&slots->lock);
    return n_taken;
}
