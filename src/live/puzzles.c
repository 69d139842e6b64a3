/* Making puzzles. Games of weak players are rich in positions where one move decides. */
#include "live/puzzles.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "base/rng.h"
#include "games/squirrel_war.h"
#include "games/streams.h"
#include "games/war_of_life.h"
#include "live/analysis_view.h"
#include "players/player.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 4000, MIN_MOVES = 4, RANDOM_PERCENT = 20, MAX_PUZZLE_SQUARES = 12 };

struct PuzzleMaker {
    const TurfGame *game;
    Analyst        *analyst;
    TurfPlayer     *player; /* of the games that puzzles come from */
};

static const char *const theme_names[N_PUZZLE_THEMES] = {"win", "save", "strike", "quiet"};

const char *puzzle_theme_name(PuzzleTheme theme) { return theme_names[theme]; }

PuzzleMaker *puzzle_maker_new(const TurfGame *game, TurfError *error)
{
    if (!analyst_knows(game, error))
        return NULL;
    PuzzleMaker *maker = calloc(1, sizeof *maker);
    if (!maker) {
        error_no_memory(error);
        return NULL;
    }
    maker->game = game;
    maker->analyst = analyst_new(game, &(AnalystLimits){.nodes = PUZZLE_VERIFY_NODES}, error);
    maker->player = maker->analyst ? turf_player_open(game, "land-grab:ties=random", error) : NULL;
    if (maker->player)
        return maker;
    puzzle_maker_free(maker);
    return NULL;
}

void puzzle_maker_free(PuzzleMaker *maker)
{
    if (!maker)
        return;
    analyst_free(maker->analyst);
    turf_player_free(maker->player);
    free(maker);
}

/* ---- one position ------------------------------------------------------------------------- */

/* Is the best move better than the others by the margin, and not hopeless itself? */
static bool has_one_best(const Judgement *judgement, double margin)
{
    enum { MIN_CHANCE_PERCENT = 45 };
    const AnalystLine *lines = judgement->lines;
    return judgement->n_lines > 1 && lines[0].chance - lines[1].chance >= margin &&
           lines[0].chance * 100 >= MIN_CHANCE_PERCENT;
}

/* Is it proven that the best move wins, or that all others lose? A lead that is only estimated may
 * vanish in a deeper search: of 170 such puzzles of Amoeba Wars four did not last. */
static bool is_proven(const Judgement *judgement)
{
    const AnalystLine *lines = judgement->lines;
    return judgement_is_decided(judgement, &lines[0]) || judgement_is_decided(judgement, &lines[1]);
}

static bool judge(PuzzleMaker *maker, const TurfState *state, uint64_t nodes,
                  const atomic_bool *stop, Judgement *judgement)
{
    return analyst_judge(maker->analyst, state, NULL, &(AnalystLimits){.nodes = nodes}, stop,
                         judgement);
}

/* The smallest depth from which on a search finds the move; the maximum if none does. */
static int grade_of(PuzzleMaker *maker, const TurfState *state, TurfMove solution)
{
    int grade = PUZZLE_MAX_GRADE;
    for (int depth = PUZZLE_MAX_GRADE - 1; depth > 0; depth--) {
        if (analyst_best_to_depth(maker->analyst, state, depth) != solution)
            break;
        grade = depth;
    }
    return grade;
}

/* War of Life: the moves of its side until a proven win, whose value counts the plies. */
static int moves_to_win(const Puzzle *puzzle)
{
    const WolState *state = (const void *)&puzzle->state;
    int             value = puzzle->judgement.lines[0].value;
    if (puzzle->game != &war_of_life || value < GAME_DECIDED)
        return 0;
    return (GAME_WON - value - (int)state->moves_made + 1) / 2;
}

static PuzzleTheme theme_of(const Puzzle *puzzle)
{
    const Judgement   *judgement = &puzzle->judgement;
    const AnalystLine *lines = judgement->lines;
    Ply                ply = {.side = (int)judgement->mover, .move = lines[0].moves[0]};
    const char *kind = puzzle->game->ply_kind ? puzzle->game->ply_kind(&puzzle->state, &ply) : "";
    if (!strcmp(kind, "raid") || !strcmp(kind, "kill"))
        return PUZZLE_STRIKE;
    if (judgement_is_decided(judgement, &lines[0]) && lines[0].chance > 0.5)
        return PUZZLE_WIN;
    if (judgement_is_decided(judgement, &lines[1]))
        return PUZZLE_SAVE;
    return PUZZLE_QUIET;
}

/* ---- finding positions -------------------------------------------------------------------- */

/* Is the position worth a look at all? The solver takes long with many empty squares. */
static bool is_candidate(const PuzzleMaker *maker, const TurfState *state, int n_plies)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (maker->game == &squirrel_war &&
        sw_count(sw_empty(&((const SwPosition *)state)->board)) > MAX_PUZZLE_SQUARES)
        return false;
    return n_plies >= MIN_MOVES && maker->game->moves(state, moves) >= MIN_MOVES;
}

/* Makes a puzzle of a position. False if it is none, or if it was stopped. */
static bool examine(PuzzleMaker *maker, const atomic_bool *stop, Puzzle *puzzle)
{
    Judgement quick;
    if (!judge(maker, &puzzle->state, PUZZLE_FIND_NODES, stop, &quick) ||
        !has_one_best(&quick, PUZZLE_MARGIN))
        return false;
    TurfMove solution = quick.lines[0].moves[0];
    /* What a look at the next move finds is no puzzle. */
    if (analyst_best_to_depth(maker->analyst, &puzzle->state, 1) == solution)
        return false;
    if (!judge(maker, &puzzle->state, PUZZLE_VERIFY_NODES, stop, &puzzle->judgement) ||
        !has_one_best(&puzzle->judgement, PUZZLE_MARGIN) || !is_proven(&puzzle->judgement) ||
        puzzle->judgement.lines[0].moves[0] != solution)
        return false;
    puzzle->grade = grade_of(maker, &puzzle->state, solution);
    puzzle->win_in = moves_to_win(puzzle);
    puzzle->theme = theme_of(puzzle);
    return true;
}

static bool find_in_game(PuzzleMaker *maker, TurfRng *rng, const atomic_bool *stop, Puzzle *puzzle,
                         TurfError *error)
{
    const TurfGame *game = maker->game;
    TurfEnding      ending;
    TurfMove        moves[TURF_MAX_MOVES];
    if (!turf_start(game, NULL, rng, &puzzle->state, error))
        return false;
    for (int n_plies = 0; !game->is_over(&puzzle->state, &ending); n_plies++) {
        if (stop && atomic_load(stop))
            return false;
        if (is_candidate(maker, &puzzle->state, n_plies) && examine(maker, stop, puzzle))
            return true;
        TurnContext turn = {.rng = rng};
        moves[0] = game_random_move(game, &puzzle->state, rng);
        if (rng_below(rng, 100) >= RANDOM_PERCENT)
            (void)player_choose_move(maker->player, &puzzle->state, false, &turn, moves);
        game->apply(&puzzle->state, moves[0]);
    }
    return false;
}

bool puzzle_make(PuzzleMaker *maker, uint64_t seed, uint64_t number, const atomic_bool *stop,
                 Puzzle *puzzle, TurfError *error)
{
    TurfRng rng = turf_rng(rng_stream_family(rng_stream_family(seed, STREAM_OF_PUZZLES), number));
    *puzzle = (Puzzle){.game = maker->game, .seed = seed, .number = number};
    for (int i = 0; i < MAX_GAMES && !(stop && atomic_load(stop)); i++)
        if (find_in_game(maker, &rng, stop, puzzle, error))
            return true;
    if (stop && atomic_load(stop))
        return error_set(error, TURF_ERROR_INTERRUPTED, "stopped");
    return error_not_found(error, "no puzzle was found in %d games; try another seed", MAX_GAMES);
}

/* ---- in words ----------------------------------------------------------------------------- */

/* A longer win is announced without its length: to find its first move one need not see the end. */
enum { MAX_COUNTED_WIN = 3 };
static const char *const numbers[MAX_COUNTED_WIN + 1] = {"none", "one", "two", "three"};

static void describe(const Puzzle *puzzle, char *text, size_t room)
{
    const Judgement *judgement = &puzzle->judgement;
    TurfMover        mover = judgement->mover;
    Ply              ply = {.side = (int)mover, .move = judgement->lines[0].moves[0]};
    bool             is_draw = judgement->is_exact && judgement->lines[0].chance <= 0.5;
    int              n_own = puzzle->game->own(&puzzle->state, (TurfSide)mover);
    if (puzzle->win_in > 0 && puzzle->win_in <= MAX_COUNTED_WIN)
        (void)snprintf(text, room, "win in %s", numbers[puzzle->win_in]);
    else if (puzzle->game == &squirrel_war)
        (void)snprintf(text, room, "find the %s that %s",
                       puzzle->game->ply_kind(&puzzle->state, &ply),
                       is_draw ? "saves the draw" : "wins");
    else if (puzzle->theme == PUZZLE_STRIKE)
        (void)snprintf(text, room, "find the kill");
    else if (puzzle->theme == PUZZLE_WIN)
        (void)snprintf(text, room, "win by force");
    else if (puzzle->theme == PUZZLE_SAVE && puzzle->game == &war_of_life && n_own <= 3)
        (void)snprintf(text, room, "save the last %s", n_own == 1 ? "piece" : "pieces");
    else if (puzzle->theme == PUZZLE_SAVE)
        (void)snprintf(text, room, "find the only move that does not lose");
    else
        (void)snprintf(text, room, "find the one strong move");
}

void puzzle_task(const Puzzle *puzzle, char *text, size_t room)
{
    char what[64];
    describe(puzzle, what, sizeof what);
    (void)snprintf(text, room, "%s to move: %s.", puzzle->game->side_names[puzzle->judgement.mover],
                   what);
    text[0] = (char)toupper((unsigned char)text[0]);
}

json_t *puzzle_json(const Puzzle *puzzle)
{
    const TurfGame  *game = puzzle->game;
    const Judgement *judgement = &puzzle->judgement;
    char             task[128];
    puzzle_task(puzzle, task, sizeof task);
    json_t *json =
        json_pack("{s:s,s:I,s:I,s:s,s:s,s:i,s:i,s:b}", "game", game->name, "seed",
                  (json_int_t)puzzle->seed, "number", (json_int_t)puzzle->number, "task", task,
                  "theme", puzzle_theme_name(puzzle->theme), "grade", puzzle->grade, "side",
                  (int)judgement->mover, "exact", judgement->is_exact);
    json_put(&json, "position", game->to_json(&puzzle->state));
    json_put(&json, "solution", analyst_line_json(game, &puzzle->state, judgement, 0));
    json_put(&json, "second", analyst_line_json(game, &puzzle->state, judgement, 1));
    return json;
}
