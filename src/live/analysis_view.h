/* Judgements and analyses as JSON, the same at the command line, from the server and in a browser
 * without one. Values and chances are of the first side. docs/analysis.md describes the members. */
#ifndef TURF_LIVE_ANALYSIS_VIEW_H
#define TURF_LIVE_ANALYSIS_VIEW_H

#include "live/analysis.h"

/* All return NULL without memory. */

/* A position: its chance, lead and lines. */
json_t *judgement_json(const TurfGame *game, const TurfState *state, const Judgement *judgement);
/* One of its lines. */
json_t *analyst_line_json(const TurfGame *game, const TurfState *state, const Judgement *judgement,
                          size_t index);
/* A ply with its verdict, and the judgement of the position before it. */
json_t *analysis_ply_json(const Analysis *analysis, size_t ply);
/* A move with its verdict, in any position. */
json_t *verdict_json(const TurfGame *game, const TurfState *state, TurfMove move,
                     const Judgement *before, const Judgement *after, const Verdict *verdict);
json_t *analysis_summary_json(const Analysis *analysis);

#endif
