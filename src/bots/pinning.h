/* Processors for bots (--pin): each running bot has one that no other bot has.
 *
 * Thread safety: all functions may be called by any thread. */
#ifndef TURF_BOTS_PINNING_H
#define TURF_BOTS_PINNING_H

#include <stdbool.h>

/* How many processors this program may use. */
int pinning_count(void);

/* Keeps `n_bots` processors for bots. This thread, and those that it starts later, keep to the
 * others, if there are any. */
void pinning_begin(int n_bots);

/* A free one of the processors for bots; -1: all are taken. */
int  pinning_take(void);
void pinning_give_back(int processor); /* -1 is fine */

/* In the child of a bot: this processor only. */
bool pinning_apply(int processor);

#endif
