/* turf solve amoeba-wars: the exact value of a position; shows the bounds while they close. */
#include "cmd/solve.h"

#include "report/results.h"
#include "search/amoeba_solver.h"

/* The bounds so far, read by the watcher. */
typedef struct Status {
    SolveWatch       *watch;
    char              mover;
    atomic_bool       has_bounds;
    atomic_int        lower, upper;
    _Atomic(uint64_t) nodes;
} Status;

static void show(const void *context, FILE *out)
{
    const Status *status = context;
    if (atomic_load(&status->has_bounds))
        fprintf(out, "for %c between %d and %d; %.1f million nodes, ", status->mover,
                atomic_load(&status->lower), atomic_load(&status->upper),
                (double)atomic_load(&status->nodes) / 1e6);
}

static void note_bounds(void *context, const AsProgress *progress)
{
    Status *status = context;
    atomic_store(&status->lower, progress->lower);
    atomic_store(&status->upper, progress->upper);
    atomic_store(&status->nodes, progress->nodes);
    atomic_store(&status->has_bounds, true);
    solve_watch_show(status->watch);
}

static json_t *line_json(const AwState *state, const AsSolution *solution)
{
    json_t *line = json_array();
    for (int i = 0; i < solution->line_length; i++)
        json_array_append_new(line, amoeba_wars.move_to_json(state, solution->line[i]));
    return line;
}

static void print_json_solution(const AwState *state, const AsSolution *solution)
{
    json_t *json =
        json_pack("{s:b,s:i,s:i,s:o?,s:I,s:f}", "exact", (int)solution->is_exact, "lower",
                  solution->lower, "upper", solution->upper, "line", line_json(state, solution),
                  "nodes", (json_int_t)solution->nodes, "seconds", solution->seconds);
    json_object_set_new(json, "value",
                        solution->is_exact ? json_integer(solution->lower) : json_null());
    print_json(json, JSON_COMPACT);
}

/* The moves of the line, those of a turn joined by commas. */
static void print_line(const AwState *state, const AsSolution *solution)
{
    AwState now = *state;
    for (int i = 0; i < solution->line_length; i++) {
        json_t *move = amoeba_wars.move_to_json(state, solution->line[i]);
        bool    is_new_turn = i == 0 || now.header.moves_left == now.header.steps;
        printf("%s%s", is_new_turn ? (i ? " " : "best line ") : ",", json_string_value(move));
        json_decref(move);
        aw_apply(&now, solution->line[i]);
    }
    if (solution->line_length > 0)
        putchar('\n');
}

static void print_solution(const AwState *state, const AsSolution *solution, char mover)
{
    char time[32];
    bool is_stuck_lost = state->header.rules & AW_STUCK;
    if (solution->is_exact && is_stuck_lost)
        printf("%c %s\n", mover, solution->lower > 0 ? "wins" : "loses");
    else if (solution->is_exact)
        printf("value %d for %c\n", solution->lower, mover);
    else if (is_stuck_lost)
        printf("not decided for %c\n", mover);
    else
        printf("value between %d and %d for %c\n", solution->lower, solution->upper, mover);
    print_line(state, solution);
    results_format_seconds(solution->seconds, time);
    printf("%llu nodes, %s\n", (unsigned long long)solution->nodes, time);
}

int solve_amoeba_wars(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    AwState         state;
    AsSolution      solution;
    TurfError       error;
    solve_read_position(&amoeba_wars, arguments, &state);
    if (!as_solver_takes(&state, &error))
        die("%s", error.text);
    AsSolver *solver = as_solver_new(solve_hash_bytes(settings), solve_threads(settings));
    if (!solver)
        solve_no_memory(settings);
    Status     status = {.mover = state.header.to_move ? 'X' : 'O'};
    SolveWatch watch = {.show = show, .context = &status};
    AsOptions  options = {.stop = &watch.stop, .progress = note_bounds, .context = &status};
    status.watch = &watch;
    solve_watch_begin(&watch, settings);
    as_solver_solve(solver, &state, &options, &solution);
    solve_watch_end(&watch);
    if (settings->wants_json)
        print_json_solution(&state, &solution);
    else
        print_solution(&state, &solution, status.mover);
    as_solver_free(solver);
    return solution.is_exact ? EXIT_FINE : EXIT_INTERRUPTED;
}
