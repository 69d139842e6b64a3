/* The analysis of a whole game: every move judged by what it cost in winning chance.
 *
 * It goes forward one position at a time (analysis_step), so that those who wait can be shown how
 * far it is. A ply's verdict is ready once the position after it has been judged.
 *
 * It knows no server, file or terminal; analysis_view.h writes it as JSON. */
#ifndef TURF_LIVE_ANALYSIS_H
#define TURF_LIVE_ANALYSIS_H

#include "live/analyst.h"
#include "live/move_history.h"

typedef enum Mark {
    MARK_BEST,
    MARK_GOOD,
    MARK_INACCURACY, /* cost 5 % of winning chance or more */
    MARK_MISTAKE,    /* 10 % */
    MARK_BLUNDER,    /* 20 % */
    N_MARKS
} Mark;

const char *mark_name(Mark mark);

/* What a move cost. Chances are of the side that made it. */
typedef struct Verdict {
    int    side;
    double best, after; /* with the best move, and with the one that was played */
    double loss;        /* of chance, not below 0 */
    Mark   mark;
    bool   is_exact;         /* the loss is proven */
    bool   is_turning_point; /* a mistake after which its side was no longer ahead, or was behind */
} Verdict;

typedef struct Analysis {
    MoveHistory   history; /* a copy */
    AnalystLimits limits;
    size_t        n_plies;
    Judgement    *positions; /* n_plies + 1 */
    Verdict      *verdicts;  /* n_plies */
    size_t        n_judged;  /* positions; verdicts: one less */
} Analysis;

typedef struct AnalysisSummary {
    double accuracy[2]; /* in percent: the mean of (1 - loss)^4 over a side's moves; -1: no moves */
    int    n_moves[2];
    int    n_marks[2][N_MARKS];
    int    exact_from; /* empty squares from which on it is exact; 0: no such number */
} AnalysisSummary;

/* Of the plies up to the history's current position. */
bool   analysis_init(Analysis *analysis, const MoveHistory *history, const AnalystLimits *limits,
                     TurfError *error);
void   analysis_release(Analysis *analysis);
bool   analysis_is_done(const Analysis *analysis);
size_t analysis_n_verdicts(const Analysis *analysis);
/* Judges the next position. False if `stop` was set; then the step can be repeated. */
bool analysis_step(Analysis *analysis, Analyst *analyst, const atomic_bool *stop);
void analysis_sum_up(const Analysis *analysis, AnalysisSummary *summary);

/* The verdict on a move from the judgements of the positions before and after it, and the best move
 * that was verified. For single moves; analysis_step does the same. */
bool verdict_of_move(Analyst *analyst, const TurfState *state, const AnalystLimits *limits,
                     const atomic_bool *stop, Judgement *before, const Judgement *after,
                     Verdict *verdict);

#endif
