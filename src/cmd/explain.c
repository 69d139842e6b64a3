/* Prints what a search found, as JSON and in words. */
#include "cmd/explain.h"

#include "base/stats.h"
#include "search/alphabeta.h"

/* NULL if the search did not see the end of the game. */
static const char *outcome(const SearchInfo *info, int value)
{
    int won = info->is_exact ? 1 : GAME_DECIDED;
    if (value >= won)
        return "won";
    if (value <= -won)
        return "lost";
    return info->is_exact ? "drawn" : NULL;
}

static double in_units(const SearchInfo *info, int value) { return (double)value / info->unit; }

static json_t *moves_json(const TurfGame *game, const TurfState *state, const SearchInfo *info)
{
    json_t *list = json_array();
    for (size_t i = 0; i < info->n_moves; i++) {
        const SearchInfoMove *at = &info->moves[i];
        const char           *how = outcome(info, at->value);
        json_t *item = json_pack("{s:o}", "move", game->move_to_json(state, at->move));
        json_object_set_new(item, "value", json_real(in_units(info, at->value)));
        if (how)
            json_object_set_new(item, "outcome", json_string(how));
        json_array_append_new(list, item);
    }
    return list;
}

void explain_json(const TurfGame *game, const TurfState *state, const SearchInfo *info,
                  json_t *answer)
{
    TurfState at = *state;
    json_t   *line = json_array();
    for (size_t i = 0; i < info->n_line; i++) {
        json_array_append_new(line, game->move_to_json(&at, info->line[i]));
        game->apply(&at, info->line[i]);
    }
    json_object_set_new(answer, "depth", json_integer(info->depth));
    if (info->n_sims)
        json_object_set_new(answer, "sims", json_integer((json_int_t)info->n_sims));
    else
        json_object_set_new(answer, "nodes", json_integer((json_int_t)info->nodes));
    json_object_set_new(answer, "exact", json_boolean(info->is_exact));
    json_object_set_new(answer, "line", line);
    json_object_set_new(answer, "best", moves_json(game, state, info));
}

static void print_value(const SearchInfo *info, int value, FILE *out)
{
    const char *how = outcome(info, value);
    if (info->is_percent)
        fprintf(out, "%d %% to win", value);
    else if (how && info->is_exact)
        fprintf(out, "%s, %+d under perfect play", how, value);
    else if (how)
        fputs(how, out);
    else
        fprintf(out, "%+.2f", stats_shown(in_units(info, value), 2));
}

void explain_text(const TurfGame *game, const TurfState *state, TurfMove move,
                  const SearchInfo *info, FILE *out)
{
    TurfState at = *state;
    char      text[32];
    turf_move_to_text(game, state, move, text);
    fprintf(out, "%s to move: %s\n", game->side_names[game->to_move(state)], text);
    if (info->n_moves == 0) {
        fputs("  This player does not look ahead.\n", out);
        return;
    }
    fputs("  value   ", out);
    print_value(info, info->moves[0].value, out);
    fprintf(out, "\n  depth   %d move%s\n", info->depth, info->depth == 1 ? "" : "s");
    if (info->n_sims)
        fprintf(out, "  sims    %llu\n", (unsigned long long)info->n_sims);
    else if (info->nodes)
        fprintf(out, "  nodes   %llu\n", (unsigned long long)info->nodes);
    if (info->n_line > 0)
        fputs("  line   ", out);
    for (size_t i = 0; i < info->n_line; i++) {
        turf_move_to_text(game, &at, info->line[i], text);
        fprintf(out, " %s", text);
        game->apply(&at, info->line[i]);
    }
    if (info->n_line > 0)
        fputc('\n', out);
    for (size_t i = 1; i < info->n_moves; i++) {
        turf_move_to_text(game, state, info->moves[i].move, text);
        fprintf(out, "  %-7s %-12s ", i == 1 ? "then" : "", text);
        print_value(info, info->moves[i].value, out);
        fputc('\n', out);
    }
}
