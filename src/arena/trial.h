/* A match that ends as soon as a sequential test is settled.
 *
 * The test is looked at after fixed numbers of games, which depend on nothing but themselves, and no game beyond a look
 * is begun before it: so the answer, and the games it rests on, are the same for any number of threads and after any
 * interruption. */
#ifndef TURF_ARENA_TRIAL_H
#define TURF_ARENA_TRIAL_H

#include "arena/event.h"

/* After how many games the test is looked at next, if so many have been played: 64, and then an eighth more each time
 * but at least 64 more. The same number if it is one; never more than n_most. */
uint64_t trial_look(uint64_t n_played, uint64_t n_most);

/* Notes what the first entrant got in a game of a match with changing sides. False when memory is short. */
bool trial_note(Event *event, const GameRecord *record);
/* The scores of a match, by pairs of games where every game was noted. */
ScoreCounts trial_scores(const Event *event);

#endif
