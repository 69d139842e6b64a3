/* turf solve squirrel-war: the exact value of a position; shows the bounds while they close. */
#include "cmd/solve.h"

#include "games/squirrel_war.h"
#include "report/results.h"
#include "search/squirrel_solver.h"

/* The bounds so far, read by the watcher. */
typedef struct Status {
    SolveWatch       *watch;
    char              mover;
    atomic_int        lower, upper;
    _Atomic(uint64_t) nodes;
} Status;

static void show(const void *context, FILE *out)
{
    const Status *status = context;
    fprintf(out, "for %c between %d and %d; %.1f million nodes, ", status->mover,
            atomic_load(&status->lower), atomic_load(&status->upper),
            (double)atomic_load(&status->nodes) / 1e6);
}

static void note_bounds(void *context, const SwProgress *progress)
{
    Status *status = context;
    atomic_store(&status->lower, progress->lower);
    atomic_store(&status->upper, progress->upper);
    atomic_store(&status->nodes, progress->nodes);
    solve_watch_show(status->watch);
}

static json_t *line_json(const SwPosition *position, const SwSolution *solution)
{
    json_t *line = json_array();
    for (int i = 0; i < solution->pv_length; i++)
        json_array_append_new(line, squirrel_war.move_to_json(position, (TurfMove)solution->pv[i]));
    return line;
}

static void print_solution(const SwPosition *position, const SwSolution *solution, char mover,
                           bool wants_json)
{
    json_t *line = line_json(position, solution);
    char    time[32];
    if (wants_json) {
        json_t *json =
            json_pack("{s:b,s:i,s:i,s:o?,s:I,s:f}", "exact", (int)solution->exact, "lower",
                      solution->lower, "upper", solution->upper, "line", line, "nodes",
                      (json_int_t)solution->nodes, "seconds", solution->seconds);
        json_object_set_new(json, "value",
                            solution->exact ? json_integer(solution->lower) : json_null());
        print_json(json, JSON_COMPACT);
        return;
    }
    if (solution->exact)
        printf("value %d for %c\n", solution->lower, mover);
    else
        printf("value between %d and %d for %c\n", solution->lower, solution->upper, mover);
    if (solution->pv_length > 0)
        printf("best line");
    for (size_t i = 0; i < json_array_size(line); i++)
        printf(" %s", json_string_value(json_array_get(line, i)));
    results_format_seconds(solution->seconds, time);
    printf("%s%llu nodes, %s\n", solution->pv_length > 0 ? "\n" : "",
           (unsigned long long)solution->nodes, time);
    json_decref(line);
}

int solve_squirrel_war(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    SwPosition      position;
    solve_read_position(&squirrel_war, arguments, &position);
    if (!sw_is_five(&position))
        die("boards of 5x5 can be solved, and this one is %dx%d; 'turf choose squirrel-war "
            "alphabeta' "
            "searches it",
            sw_side(&position), sw_side(&position));
    SwSolver *solver = sw_solver_new(solve_hash_bytes(settings), solve_threads(settings));
    if (!solver)
        solve_no_memory(settings);

    int    total = sw_sum(&position.values, SW_ALL);
    Status status = {.mover = position.board.to_move ? 'O' : 'X', .lower = -total, .upper = total};
    SolveWatch     watch = {.show = show, .context = &status};
    SwSolveOptions options = {.stop = &watch.stop, .progress = note_bounds, .context = &status};
    SwSolution     solution;
    status.watch = &watch;
    solve_watch_begin(&watch, settings);
    sw_solver_solve(solver, &position.values, &position.board, &options, &solution);
    solve_watch_end(&watch);
    print_solution(&position, &solution, status.mover, settings->wants_json);
    sw_solver_free(solver);
    return solution.exact ? EXIT_FINE : EXIT_INTERRUPTED;
}
