#include "cmd/explain.h"

#include "search/alphabeta.h"

/* The end of the game is in sight: "won" or "lost", else NULL. */
static const char *outcome(const Insight *insight, int value)
{
    if (insight->is_exact)
        return value > 0 ? "won" : value < 0 ? "lost" : "drawn";
    return value >= AB_DECIDED ? "won" : value <= -AB_DECIDED ? "lost" : NULL;
}

static double in_units(const Insight *insight, int value) { return (double)value / insight->unit; }

static json_t *moves_json(const TurfGame *game, const TurfState *state, const Insight *insight)
{
    json_t *list = json_array();
    for (size_t i = 0; i < insight->n_moves; i++) {
        const InsightMove *at = &insight->moves[i];
        const char        *how = outcome(insight, at->value);
        json_t            *item = json_pack("{s:o}", "move", game->move_to_json(state, at->move));
        json_object_set_new(item, "value", json_real(in_units(insight, at->value)));
        if (how)
            json_object_set_new(item, "outcome", json_string(how));
        json_array_append_new(list, item);
    }
    return list;
}

void explain_json(const TurfGame *game, const TurfState *state, const Insight *insight, json_t *answer)
{
    TurfState at = *state;
    json_t   *line = json_array();
    for (size_t i = 0; i < insight->n_line; i++) {
        json_array_append_new(line, game->move_to_json(&at, insight->line[i]));
        game->apply(&at, insight->line[i]);
    }
    json_object_set_new(answer, "depth", json_integer(insight->depth));
    if (insight->n_sims)
        json_object_set_new(answer, "sims", json_integer((json_int_t)insight->n_sims));
    else
        json_object_set_new(answer, "nodes", json_integer((json_int_t)insight->nodes));
    json_object_set_new(answer, "exact", json_boolean(insight->is_exact));
    json_object_set_new(answer, "line", line);
    json_object_set_new(answer, "best", moves_json(game, state, insight));
}

static void print_value(const Insight *insight, int value, FILE *out)
{
    const char *how = outcome(insight, value);
    if (insight->is_percent)
        fprintf(out, "%d %% to win", value);
    else if (how && insight->is_exact)
        fprintf(out, "%s, %+d under perfect play", how, value);
    else if (how)
        fputs(how, out);
    else
        fprintf(out, "%+.2f", in_units(insight, value));
}

void explain_text(const TurfGame *game, const TurfState *state, TurfMove move, const Insight *insight, FILE *out)
{
    TurfState at = *state;
    char      text[32];
    turf_move_to_text(game, state, move, text);
    fprintf(out, "%s to move: %s\n", game->side_names[game->to_move(state)], text);
    if (insight->n_moves == 0) {
        fputs("  This player does not look ahead.\n", out);
        return;
    }
    fputs("  value   ", out);
    print_value(insight, insight->moves[0].value, out);
    fprintf(out, "\n  depth   %d move%s\n", insight->depth, insight->depth == 1 ? "" : "s");
    if (insight->n_sims)
        fprintf(out, "  sims    %llu\n", (unsigned long long)insight->n_sims);
    else if (insight->nodes)
        fprintf(out, "  nodes   %llu\n", (unsigned long long)insight->nodes);
    for (size_t i = 0; i < insight->n_line; i++) {
        turf_move_to_text(game, &at, insight->line[i], text);
        fprintf(out, "%s %s%s", i ? "" : "  line   ", text, i + 1 == insight->n_line ? "\n" : "");
        game->apply(&at, insight->line[i]);
    }
    for (size_t i = 1; i < insight->n_moves; i++) {
        turf_move_to_text(game, state, insight->moves[i].move, text);
        fprintf(out, "  %-7s %-12s ", i == 1 ? "then" : "", text);
        print_value(insight, insight->moves[i].value, out);
        fputc('\n', out);
    }
}
