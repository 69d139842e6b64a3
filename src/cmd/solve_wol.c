/* turf solve war-of-life: the shortest forced win of the side to move. */
#include "cmd/solve.h"

#include "report/results.h"
#include "search/wol_win.h"

enum { DEFAULT_MOVES = 4 };

/* What has been refuted so far, read by the watcher. */
typedef struct Status {
    SolveWatch       *watch;
    const char       *side;
    atomic_int        refuted; /* plies */
    _Atomic(uint64_t) nodes;
} Status;

static const char *plural(int n) { return n == 1 ? "" : "s"; }

static void show(const void *context, FILE *out)
{
    const Status *status = context;
    int           refuted = atomic_load(&status->refuted);
    fprintf(out, "no forced win for %s within %d pl%s; %.1f million nodes, ", status->side, refuted,
            refuted == 1 ? "y" : "ies", (double)atomic_load(&status->nodes) / 1e6);
}

static void note_length(void *context, const WolWin *so_far)
{
    Status *status = context;
    atomic_store(&status->refuted, so_far->refuted);
    atomic_store(&status->nodes, so_far->nodes);
    solve_watch_show(status->watch);
}

static json_t *moves_json(const TurfMove *moves, size_t n_moves)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_moves; i++)
        json_array_append_new(list, war_of_life.move_to_json(NULL, moves[i]));
    return list;
}

static void print_json_win(const WolWin *win)
{
    json_t *json =
        json_pack("{s:b,s:b,s:o?,s:i,s:o?,s:o?,s:I,s:f}", "exact", (int)win->is_complete, "win",
                  win->plies > 0, "plies", win->plies ? json_integer(win->plies) : json_null(),
                  "refuted", win->refuted, "moves", moves_json(win->moves, win->n_moves), "line",
                  moves_json(win->line, (size_t)win->line_length), "nodes", (json_int_t)win->nodes,
                  "seconds", win->seconds);
    print_json(json, JSON_COMPACT);
}

static void print_moves(const char *title, const TurfMove *moves, size_t n_moves)
{
    if (n_moves == 0)
        return;
    fputs(title, stdout);
    for (size_t i = 0; i < n_moves; i++) {
        char text[32];
        turf_move_to_text(&war_of_life, NULL, moves[i], text);
        printf(" %s", text);
    }
    putchar('\n');
}

static void print_win(const WolWin *win, const char *side)
{
    char time[32];
    int  n_moves = (win->plies + 1) / 2, n_refuted = win->refuted / 2;
    if (win->plies)
        printf("%s wins in %d move%s\n", side, n_moves, plural(n_moves));
    else
        printf("no forced win for %s within %d move%s\n", side, n_refuted, plural(n_refuted));
    print_moves(win->is_complete ? "first move" : "first move, among others", win->moves,
                win->n_moves);
    print_moves("best line", win->line, (size_t)win->line_length);
    results_format_seconds(win->seconds, time);
    printf("%llu nodes, %s\n", (unsigned long long)win->nodes, time);
}

int solve_war_of_life(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    WolState        state;
    TurfEnding      ending;
    if (arguments->n_words < 2 && !settings->start)
        die("which position? type: turf solve war-of-life POSITION [--moves N]");
    solve_read_position(&war_of_life, arguments, &state);
    if (wol_is_over(&state, &ending))
        die("the game is over (%s), so there is nothing to win", war_of_life.ending_names[ending]);
    WolWinSolver *solver = wol_win_solver_new(solve_hash_bytes(settings), solve_threads(settings));
    if (!solver)
        solve_no_memory(settings);

    int        n_moves = settings->n_moves ? (int)settings->n_moves : DEFAULT_MOVES;
    Status     status = {.side = war_of_life.side_names[state.to_move]};
    SolveWatch watch = {.show = show, .context = &status};
    WolWinPlan plan = {.attacker = (TurfSide)state.to_move,
                       .max_plies = 2 * n_moves,
                       .stop = &watch.stop,
                       .progress = note_length,
                       .context = &status};
    WolWin     win;
    status.watch = &watch;
    solve_watch_begin(&watch, settings);
    wol_win_search(solver, &state, &plan, &win);
    solve_watch_end(&watch);
    if (settings->wants_json)
        print_json_win(&win);
    else
        print_win(&win, status.side);
    wol_win_solver_free(solver);
    return win.is_complete ? EXIT_FINE : EXIT_INTERRUPTED;
}
