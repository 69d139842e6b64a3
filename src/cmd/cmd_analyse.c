/* turf analyse: every move of recorded games with what it cost, as a table that grows while the
 * analyst works, or as a line of JSON for each game. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/recorded_input.h"
#include "live/analysis_view.h"
#include "live/replay.h"

#include <string.h>

typedef struct Task {
    const TurfGame *game;
    AnalystLimits   limits;
    Analyst        *analyst;
    bool            wants_json;
} Task;

static int percent(double chance) { return (int)(chance * 100 + 0.5); }

/* ---- as text ------------------------------------------------------------------------------ */

static void print_title(const Task *task, const Replay *replay)
{
    const TurfGame *game = task->game;
    int             n_exact = analyst_exact_squares(game, &replay->history.start, &task->limits);
    printf("%s: %s is %s, %s is %s\n", game->title, replay->names[0], game->side_names[0],
           replay->names[1], game->side_names[1]);
    if (n_exact > 0)
        printf("Exact from %d empty squares on; before that, estimated.\n", n_exact);
    printf("\n%5s  %-7s %-12s %-11s %9s %9s  %s\n", "move", "side", "played", "mark", "loss",
           game->side_names[0], "better was");
}

static void print_line(const TurfGame *game, const TurfState *state, const AnalystLine *line)
{
    enum { MAX_SHOWN = 4 };
    TurfState at = *state;
    char      text[32];
    for (size_t i = 0; i < line->n_moves && i < MAX_SHOWN; i++) {
        turf_move_to_text(game, &at, line->moves[i], text);
        printf("%s%s", i ? ", " : "", text);
        game->apply(&at, line->moves[i]);
    }
}

static void print_ply(const Analysis *analysis, size_t ply)
{
    const TurfGame  *game = analysis->history.game;
    const Verdict   *verdict = &analysis->verdicts[ply];
    const Judgement *before = &analysis->positions[ply];
    TurfState        state;
    char             text[32], loss[16] = "";
    history_position_at(&analysis->history, ply, &state);
    turf_move_to_text(game, &state, analysis->history.plies[ply].ply.move, text);
    if (verdict->is_exact && verdict->mark == MARK_GOOD)
        snprintf(loss, sizeof loss, "%d %s", before->lines[0].value - before->played.value,
                 game->unit ? game->unit : "points");
    else if (verdict->mark != MARK_BEST)
        snprintf(loss, sizeof loss, "%d %%", percent(verdict->loss));
    printf("%5zu  %-7s %-12s %-11s %9s %7d %%%s ", ply + 1, game->side_names[verdict->side], text,
           mark_name(verdict->mark), loss, percent(analysis->positions[ply + 1].chance),
           verdict->is_exact ? "=" : " ");
    if (verdict->mark != MARK_BEST)
        print_line(game, &state, &before->lines[0]);
    puts(verdict->is_turning_point ? "  (turning point)" : "");
    fflush(stdout);
}

static void print_summary(const Task *task, const Analysis *analysis, const Replay *replay)
{
    AnalysisSummary summary;
    char            ending[400];
    analysis_sum_up(analysis, &summary);
    replay_ending_text(replay, ending, sizeof ending);
    printf("\n%s.\n\n", ending);
    for (int side = 0; side < 2; side++) {
        if (summary.n_moves[side] == 0)
            continue;
        printf("%-8s accuracy %5.1f %%:", task->game->side_names[side], summary.accuracy[side]);
        for (int mark = 0; mark < N_MARKS; mark++)
            printf("%s %d %s", mark ? "," : "", summary.n_marks[side][mark], mark_name((Mark)mark));
        putchar('\n');
    }
}

/* ---- as JSON ------------------------------------------------------------------------------ */

static json_t *analysis_json(const Task *task, const Analysis *analysis, const Replay *replay)
{
    json_t *plies = json_array(), *json = analysis_summary_json(analysis);
    for (size_t i = 0; i < analysis_n_verdicts(analysis); i++)
        json_array_append_new(plies, or_die(analysis_ply_json(analysis, i)));
    or_die(json);
    json_object_set_new(json, "game", json_string(task->game->name));
    json_object_set_new(json, "first", json_string(replay->names[0]));
    json_object_set_new(json, "second", json_string(replay->names[1]));
    json_object_set_new(json, "end",
                        or_die(judgement_json(task->game, &analysis->history.state,
                                              &analysis->positions[analysis->n_plies])));
    json_object_set_new(json, "plies", plies);
    return json;
}

/* ---- the command -------------------------------------------------------------------------- */

static void analyse(const Task *task, const json_t *record, size_t number)
{
    Replay    replay;
    Analysis  analysis;
    TurfError error;
    if (!replay_init(&replay, record, &error))
        die("game %zu cannot be read: %s", number, error.text);
    if (replay.history.game != task->game)
        die("that is a game of %s; type: turf analyse %s", replay.history.game->title,
            replay.history.game->name);
    if (!analysis_init(&analysis, &replay.history, &task->limits, &error))
        die("%s", error.text);
    if (!task->wants_json)
        print_title(task, &replay);
    while (!analysis_is_done(&analysis)) {
        (void)analysis_step(&analysis, task->analyst, NULL);
        if (!task->wants_json && analysis.n_judged > 1)
            print_ply(&analysis, analysis.n_judged - 2);
    }
    if (task->wants_json)
        print_json(analysis_json(task, &analysis, &replay), JSON_COMPACT);
    else
        print_summary(task, &analysis, &replay);
    analysis_release(&analysis);
    replay_release(&replay);
}

int cmd_analyse(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Task            task = {.game = read_game(arguments->words[0]),
                            .limits = {settings->n_nodes, (int64_t)settings->time_ms},
                            .wants_json = settings->wants_json};
    if (settings->n_nodes && settings->time_ms)
        die("--nodes and --time exclude each other; remove one");
    if (!(task.analyst = analyst_new(task.game, &task.limits, &error)))
        die("%s", error.text);
    json_t *records = recorded_input(settings, arguments->words[1]);
    for (size_t i = 0; i < json_array_size(records); i++) {
        if (i > 0 && !task.wants_json)
            putchar('\n');
        analyse(&task, json_array_get(records, i), i + 1);
    }
    json_decref(records);
    analyst_free(task.analyst);
    return EXIT_FINE;
}
