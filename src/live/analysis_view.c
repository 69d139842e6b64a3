/* Chances are rounded to a tenth of a percent and leads to a hundredth, so that no machine shows
 * another last digit. */
#include "live/analysis_view.h"

#include "base/checked_json.h"
#include "games/cells.h"
#include "games/ply.h"

#include <math.h>

static json_t *rounded(double value, double parts)
{
    double whole = floor(value * parts + 0.5);
    return json_real(whole == 0 ? 0 : whole / parts);
}

static json_t *chance_json(double chance) { return rounded(chance, 1000); }

static double for_first(TurfMover mover, double chance)
{
    return mover == TURF_MOVER_SECOND ? 1 - chance : chance;
}

/* A move as people read and point at it. */
static json_t *move_json(const TurfGame *game, const TurfState *state, TurfMove move)
{
    TurfCell cells[MAX_MOVE_CELLS];
    size_t   n_cells = game_move_cells(game, state, move, cells);
    char     text[32];
    if (game->move_label)
        game->move_label(state, move, text);
    else
        turf_move_to_text(game, state, move, text);
    return json_pack("{s:o,s:s,s:o}", "move", game->move_to_json(state, move), "text", text,
                     "cells", cells_to_json(cells, n_cells));
}

/* The lead; a proven win that is not on points has none. */
static json_t *lead_json(const Judgement *judgement, const AnalystLine *line)
{
    double lead = (double)line->value / judgement->unit;
    bool   is_number = line->value < GAME_DECIDED && line->value > -GAME_DECIDED;
    if (!is_number)
        return json_null();
    return rounded(judgement->mover == TURF_MOVER_SECOND ? -lead : lead, 100);
}

static json_t *line_json(const TurfGame *game, const TurfState *state, const Judgement *judgement,
                         const AnalystLine *line)
{
    TurfState at = *state;
    json_t   *json = move_json(game, state, line->moves[0]), *list = json_array();
    for (size_t i = 0; i < line->n_moves; i++) {
        json_add(&list, move_json(game, &at, line->moves[i]));
        game->apply(&at, line->moves[i]);
    }
    json_put(&json, "chance", chance_json(for_first(judgement->mover, line->chance)));
    json_put(&json, "lead", lead_json(judgement, line));
    json_put(&json, "decided", json_boolean(judgement_is_decided(judgement, line)));
    json_put(&json, "line", list);
    return json;
}

json_t *analyst_line_json(const TurfGame *game, const TurfState *state, const Judgement *judgement,
                          size_t index)
{
    return line_json(game, state, judgement, &judgement->lines[index]);
}

json_t *judgement_json(const TurfGame *game, const TurfState *state, const Judgement *judgement)
{
    bool    is_over = judgement->mover == TURF_MOVER_NONE;
    json_t *json = json_object(), *lines = json_array();
    for (size_t i = 0; i < judgement->n_lines; i++)
        json_add(&lines, line_json(game, state, judgement, &judgement->lines[i]));
    json_put(&json, "to_move",
             is_over ? json_null() : json_string(game->side_names[judgement->mover]));
    json_put(&json, "chance", chance_json(judgement->chance));
    json_put(&json, "lead",
             is_over ? rounded(judgement->lead, 100) : lead_json(judgement, &judgement->lines[0]));
    json_put(&json, "exact", json_boolean(judgement->is_exact));
    json_put(&json, "depth", json_integer(judgement->depth));
    json_put(&json, "nodes", json_integer((json_int_t)judgement->nodes));
    json_put(&json, "lines", lines);
    return json;
}

json_t *verdict_json(const TurfGame *game, const TurfState *state, TurfMove move,
                     const Judgement *before, const Judgement *after, const Verdict *verdict)
{
    json_t *json = move_json(game, state, move);
    json_put(&json, "side", json_integer(verdict->side));
    json_put(&json, "mark", json_string(mark_name(verdict->mark)));
    json_put(&json, "loss", chance_json(verdict->loss));
    json_put(&json, "exact", json_boolean(verdict->is_exact));
    json_put(&json, "turning_point", json_boolean(verdict->is_turning_point));
    json_put(&json, "played", line_json(game, state, before, &before->played));
    json_put(&json, "before", judgement_json(game, state, before));
    json_put(&json, "chance_after", chance_json(after->chance));
    return json;
}

json_t *analysis_ply_json(const Analysis *analysis, size_t ply)
{
    const TurfGame *game = analysis->history.game;
    TurfState       state;
    history_position_at(&analysis->history, ply, &state);
    json_t *json =
        verdict_json(game, &state, analysis->history.plies[ply].ply.move, &analysis->positions[ply],
                     &analysis->positions[ply + 1], &analysis->verdicts[ply]);
    json_put(&json, "ply", json_integer((json_int_t)ply + 1));
    return json;
}

static json_t *side_json(const TurfGame *game, const AnalysisSummary *summary, int side)
{
    json_t *json =
        json_pack("{s:s,s:i}", "side", game->side_names[side], "moves", summary->n_moves[side]);
    json_put(&json, "accuracy",
             summary->n_moves[side] ? rounded(summary->accuracy[side], 10) : json_null());
    for (int mark = 0; mark < N_MARKS; mark++)
        json_put(&json, mark_name((Mark)mark), json_integer(summary->n_marks[side][mark]));
    return json;
}

json_t *analysis_summary_json(const Analysis *analysis)
{
    const TurfGame *game = analysis->history.game;
    AnalysisSummary summary;
    json_t         *turns = json_array();
    analysis_sum_up(analysis, &summary);
    for (size_t i = 0; i < analysis_n_verdicts(analysis); i++)
        if (analysis->verdicts[i].is_turning_point)
            json_add(&turns, json_integer((json_int_t)i + 1));
    json_t *json = json_pack("{s:[o,o],s:o}", "sides", side_json(game, &summary, 0),
                             side_json(game, &summary, 1), "turning_points", turns);
    json_put(&json, "exact_from",
             summary.exact_from ? json_integer(summary.exact_from) : json_null());
    return json;
}
