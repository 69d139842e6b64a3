/* The scores of a match as a sequential test takes them: by pairs of games, where sides change. */
#ifndef TURF_ARENA_TRIAL_H
#define TURF_ARENA_TRIAL_H

#include "arena/event.h"

/* Notes what the first entrant got in a game of a match with changing sides. False when memory is short. */
bool trial_note(Event *event, const GameRecord *record);
/* The scores of a match, by pairs of games where every game was noted. */
ScoreCounts trial_scores(const Event *event);

#endif
