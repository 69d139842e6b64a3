/* Judging games. The moves of a position are compared as one search saw them. Proofs go further:
 * if the next position turns out to be won or lost, that is what the move was worth; then the moves
 * that seemed better are looked at as deeply, one by one, before a player is blamed. */
#include "live/analysis.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double      min_loss;
} marks[N_MARKS] = {[MARK_BEST] = {"best", 0},
                    [MARK_GOOD] = {"good", 0},
                    [MARK_INACCURACY] = {"inaccuracy", 0.05},
                    [MARK_MISTAKE] = {"mistake", 0.10},
                    [MARK_BLUNDER] = {"blunder", 0.20}};

const char *mark_name(Mark mark) { return marks[mark].name; }

/* ---- one move ----------------------------------------------------------------------------- */

/* What the position after a move proves about it: 1 won, -1 lost, 0 nothing. */
static int proof_of(const Judgement *after, int side)
{
    bool is_over = after->mover == TURF_MOVER_NONE;
    if (!is_over && (after->is_exact || !judgement_is_decided(after, &after->lines[0])))
        return 0;
    double chance = side == 0 ? after->chance : 1 - after->chance;
    return (chance > 0.5) - (chance < 0.5);
}

/* Is the move among the lines? */
static AnalystLine *line_of(Judgement *judgement, TurfMove move)
{
    for (size_t i = 0; i < judgement->n_lines; i++)
        if (judgement->lines[i].moves[0] == move)
            return &judgement->lines[i];
    return NULL;
}

static void prove(Judgement *judgement, TurfMove move, int result)
{
    AnalystLine *line = line_of(judgement, move);
    if (judgement->played.n_moves > 0 && judgement->played.moves[0] == move)
        judgement_prove(&judgement->played, result);
    if (line)
        judgement_prove(line, result);
    judgement_settle(judgement);
}

/* The move lost. Did the others that seemed better lose too? */
static bool verify_others(Analyst *analyst, const TurfGame *game, const TurfState *state,
                          const AnalystLimits *limits, const atomic_bool *stop, Judgement *before)
{
    for (size_t n = 0; n < ANALYST_LINES; n++) {
        const AnalystLine *best = &before->lines[0];
        Judgement          after;
        TurfState          child = *state;
        TurfMove           move = best->moves[0];
        if (judgement_is_decided(before, best))
            return true;
        game->apply(&child, move);
        if (!analyst_judge(analyst, &child, NULL, limits, stop, &after))
            return false;
        int proof = proof_of(&after, (int)before->mover);
        if (proof == 0)
            return true;
        prove(before, move, proof);
    }
    return true;
}

static Mark mark_of(const Judgement *before, double loss)
{
    if (loss <= 0 && before->played.value >= before->lines[0].value)
        return MARK_BEST;
    Mark mark = MARK_GOOD;
    while (mark < MARK_BLUNDER && loss >= marks[mark + 1].min_loss)
        mark++;
    return mark;
}

bool verdict_of_move(Analyst *analyst, const TurfState *state, const AnalystLimits *limits,
                     const atomic_bool *stop, Judgement *before, const Judgement *after,
                     Verdict *verdict)
{
    int side = (int)before->mover;
    int proof = before->is_exact ? 0 : proof_of(after, side);
    if (proof != 0)
        prove(before, before->played.moves[0], proof);
    if (proof < 0 && !verify_others(analyst, analyst_game(analyst), state, limits, stop, before))
        return false;
    double best = before->lines[0].chance, played = before->played.chance;
    *verdict = (Verdict){.side = side,
                         .best = best > played ? best : played,
                         .after = played,
                         .is_exact = before->is_exact};
    verdict->loss = verdict->best - played;
    verdict->mark = mark_of(before, verdict->loss);
    verdict->is_turning_point =
        verdict->mark >= MARK_MISTAKE && ((verdict->best > 0.5 && verdict->after <= 0.5) ||
                                          (verdict->best >= 0.5 && verdict->after < 0.5));
    return true;
}

/* ---- a game ------------------------------------------------------------------------------- */

bool analysis_init(Analysis *analysis, const MoveHistory *history, const AnalystLimits *limits,
                   TurfError *error)
{
    size_t n_plies = history->n_plies;
    *analysis = (Analysis){.limits = *limits, .n_plies = n_plies};
    if (!analyst_knows(history->game, error))
        return false;
    analysis->positions = calloc(n_plies + 1, sizeof *analysis->positions);
    analysis->verdicts = calloc(n_plies + 1, sizeof *analysis->verdicts);
    if (analysis->positions && analysis->verdicts && history_copy(&analysis->history, history))
        return true;
    analysis_release(analysis);
    return error_no_memory(error);
}

void analysis_release(Analysis *analysis)
{
    history_release(&analysis->history);
    free(analysis->positions);
    free(analysis->verdicts);
    *analysis = (Analysis){.n_plies = 0};
}

bool analysis_is_done(const Analysis *analysis) { return analysis->n_judged > analysis->n_plies; }

size_t analysis_n_verdicts(const Analysis *analysis)
{
    return analysis->n_judged > 0 ? analysis->n_judged - 1 : 0;
}

bool analysis_step(Analysis *analysis, Analyst *analyst, const atomic_bool *stop)
{
    size_t     at = analysis->n_judged;
    Judgement *judgement = &analysis->positions[at];
    TurfState  state;
    const Ply *ply = at < analysis->n_plies ? &analysis->history.plies[at].ply : NULL;
    if (analysis_is_done(analysis))
        return true;
    history_position_at(&analysis->history, at, &state);
    if (!analyst_judge(analyst, &state, ply ? &ply->move : NULL, &analysis->limits, stop,
                       judgement))
        return false;
    if (at > 0) {
        Judgement before = analysis->positions[at - 1];
        history_position_at(&analysis->history, at - 1, &state);
        if (!verdict_of_move(analyst, &state, &analysis->limits, stop, &before, judgement,
                             &analysis->verdicts[at - 1]))
            return false;
        analysis->positions[at - 1] = before;
    }
    analysis->n_judged++;
    return true;
}

void analysis_sum_up(const Analysis *analysis, AnalysisSummary *summary)
{
    *summary =
        (AnalysisSummary){.exact_from = analyst_exact_squares(
                              analysis->history.game, &analysis->history.start, &analysis->limits)};
    for (size_t i = 0; i < analysis_n_verdicts(analysis); i++) {
        const Verdict *verdict = &analysis->verdicts[i];
        double         kept = (1 - verdict->loss) * (1 - verdict->loss);
        summary->accuracy[verdict->side] += 100 * kept * kept;
        summary->n_moves[verdict->side]++;
        summary->n_marks[verdict->side][verdict->mark]++;
    }
    for (int side = 0; side < 2; side++)
        if (summary->n_moves[side] > 0)
            summary->accuracy[side] /= summary->n_moves[side];
        else
            summary->accuracy[side] = -1;
}
