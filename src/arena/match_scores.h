/* The scores of a match as a sequential test takes them: by pairs of games, where sides change. */
#ifndef TURF_ARENA_MATCH_SCORES_H
#define TURF_ARENA_MATCH_SCORES_H

#include "arena/run.h"

/* Notes what the first entrant got in a game of a match with changing sides. False when memory is
 * short. */
bool match_scores_note(Run *run, const GameRecord *record);
/* The scores of a match, by pairs of games where every game was noted. */
ScoreCounts match_scores(const Run *run);

#endif
