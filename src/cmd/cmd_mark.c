/* turf mark: does a bot play what a strategy would? Each position is a game of its own, from the
 * seed alone, so that every bot of a class is asked the same questions. */
#include "arena/game_play.h"
#include "base/checked_json.h"
#include "base/clock.h"
#include "base/rng.h"
#include "bots/command_line.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "games/cells.h"
#include "live/choose_ply.h"
#include "report/table.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A bot that forfeits so often in a row is not asked any more. */
enum { DEFAULT_POSITIONS = 100, MAX_FORFEITS = 3, MAX_RANDOM_PLIES = 30 };

/* One position, with what the strategy thinks of its moves. */
typedef struct Question {
    TurfState state;
    TurfMove  moves[TURF_MAX_MOVES];
    int       values[TURF_MAX_MOVES];
    size_t    n_moves;
    int       best; /* the largest value */
} Question;

/* What is marked: the same for all bots. */
typedef struct Paper {
    const TurfGame   *game;
    const TurfPlayer *strategy;
    const Settings   *settings;
    char             *start;
    uint64_t          n_positions;
} Paper;

typedef struct Marks {
    uint64_t n_agreed, n_asked;
    bool     has_failed;   /* there is a first position where it differs */
    uint64_t number;       /* of that position, from 1 */
    Question question;     /* that position */
    size_t   answer;       /* its move there, an index; n_moves: it forfeited */
    char     forfeit[400]; /* why */
} Marks;

/* ---- positions ----------------------------------------------------------------------------- */

static void play_randomly(const TurfGame *game, TurfRng *rng, TurfState *state, uint32_t n_plies)
{
    TurfMove   moves[TURF_MAX_MOVES];
    TurfEnding ending;
    while (n_plies-- > 0) {
        TurfState next = *state;
        size_t    n_moves = game->moves(state, moves);
        game->apply(&next, moves[rng_below(rng, (uint32_t)n_moves)]);
        if (game->is_over(&next, &ending) || game->moves(&next, moves) == 0)
            return;
        *state = next;
    }
}

static void make_question(const Paper *paper, uint64_t number, Question *question)
{
    TurfRng   rng = rng_stream(paper->settings->seed, number);
    TurfError error;
    TurfState none = {{0}};
    question->state = none;
    if (!game_start(paper->game, paper->start, &rng, &question->state, &error))
        die("%s", error.text);
    if (paper->game->to_move(&question->state) == TURF_MOVER_NONE)
        die("the game is over in that position");
    play_randomly(paper->game, &rng, &question->state, rng_below(&rng, MAX_RANDOM_PLIES));
    question->n_moves = paper->game->moves(&question->state, question->moves);
    (void)lookahead_values(paper->strategy, &question->state, question->values);
    question->best = question->values[0];
    for (size_t i = 1; i < question->n_moves; i++)
        if (question->values[i] > question->best)
            question->best = question->values[i];
}

/* ---- asking -------------------------------------------------------------------------------- */

/* The index of the bot's move, or n_moves and why it forfeits. */
static size_t ask(const Paper *paper, TurfPlayer *bot, const Question *question, char *why,
                  size_t room)
{
    uint64_t    cap_ms = paper->settings->move_cap_ms;
    Forfeit     forfeit = {0};
    TurfError   error = {0};
    TurfRng     rng = turf_rng(1);
    int64_t     used_ns = 0;
    TurfCell    unused[1];
    Ply         ply;
    TurnContext turn = {.rng = &rng, .used_ns = &used_ns, .forfeit = &forfeit, .error = &error};
    if (!player_begin_game(bot, NULL, &error)) {
        snprintf(why, room, "it does not start: %.300s", error.text);
        return question->n_moves;
    }
    cap_ms = cap_ms ? cap_ms : DEFAULT_MOVE_CAP_MS;
    turn.deadline_ns = clock_ns() + (int64_t)cap_ms * 1000000;
    TurfSide side =
        paper->game->to_move(&question->state) == TURF_MOVER_FIRST ? TURF_FIRST : TURF_SECOND;
    bool has_answer = choose_ply(bot, &question->state, side, &turn, unused, &ply);
    player_end_game(bot, "marked");
    if (error.code != TURF_OK)
        die("%s", error.text);
    if (!has_answer)
        snprintf(why, room, "%s: %s", turf_forfeit_name(forfeit.reason), forfeit.text);
    for (size_t i = 0; has_answer && i < question->n_moves; i++)
        if (question->moves[i] == ply.move)
            return i;
    return question->n_moves;
}

static void mark(const Paper *paper, TurfPlayer *bot, Marks *marks)
{
    int n_forfeits = 0;
    for (uint64_t i = 0; i < paper->n_positions && n_forfeits < MAX_FORFEITS; i++) {
        Question question;
        char     why[400] = "";
        make_question(paper, i, &question);
        size_t answer = ask(paper, bot, &question, why, sizeof why);
        bool   is_forfeit = answer == question.n_moves;
        bool   is_best = !is_forfeit && question.values[answer] == question.best;
        n_forfeits = is_forfeit ? n_forfeits + 1 : 0;
        marks->n_asked++;
        marks->n_agreed += is_best;
        if (is_best || marks->has_failed)
            continue;
        marks->has_failed = true;
        marks->number = i + 1;
        marks->question = question;
        marks->answer = answer;
        memcpy(marks->forfeit, why, sizeof why);
    }
}

/* Opens the bot, marks it, and closes it. */
static void mark_command(const Paper *paper, const char *const *words, size_t n_words, Marks *marks)
{
    char       *command = or_die(command_quote(words, n_words));
    char       *spec = format_text("bot:%s", command);
    TurfError   error;
    TurfPlayer *bot = turf_player_open(paper->game, spec, &error);
    if (bot) {
        set_bot_terms(&bot, 1, paper->settings);
        mark(paper, bot, marks);
        turf_player_free(bot);
    } else {
        make_question(paper, 0, &marks->question);
        *marks = (Marks){.has_failed = true,
                         .number = 1,
                         .question = marks->question,
                         .answer = marks->question.n_moves};
        snprintf(marks->forfeit, sizeof marks->forfeit, "%s", error.text);
    }
    free(spec);
    free(command);
}

/* ---- output -------------------------------------------------------------------------------- */

static json_t *best_json(const Paper *paper, const Question *question)
{
    json_t *list = json_array();
    for (size_t i = 0; i < question->n_moves; i++)
        if (question->values[i] == question->best)
            json_add(&list, paper->game->move_to_json(&question->state, question->moves[i]));
    return list;
}

static json_t *first_json(const Paper *paper, const Marks *marks)
{
    const Question *question = &marks->question;
    if (!marks->has_failed)
        return json_null();
    bool    is_forfeit = marks->answer == question->n_moves;
    json_t *move = json_null(), *value = json_null();
    if (!is_forfeit) {
        move = paper->game->move_to_json(&question->state, question->moves[marks->answer]);
        value = json_integer(question->values[marks->answer]);
    }
    return json_pack("{s:I,s:o,s:o,s:o,s:o,s:i,s:s?}", "number", (json_int_t)marks->number,
                     "position", paper->game->to_json(&question->state), "move", move, "value",
                     value, "best", best_json(paper, question), "best_value", question->best,
                     "forfeit", is_forfeit ? marks->forfeit : NULL);
}

static json_t *marks_json(const Paper *paper, const Marks *marks)
{
    return json_pack(
        "{s:s,s:s,s:I,s:I,s:f,s:o}", "game", paper->game->name, "strategy", paper->strategy->spec,
        "positions", (json_int_t)paper->n_positions, "agreed", (json_int_t)marks->n_agreed, "share",
        (double)marks->n_agreed / (double)paper->n_positions, "first", first_json(paper, marks));
}

/* "3 8 2 7, worth -11; bloodlust plays 1 2 2 3 (or 2 others), worth -9" */
static void describe_first(const Paper *paper, const Marks *marks, char *text, size_t room)
{
    const Question *question = &marks->question;
    char            played[32], best[32], others[48] = "";
    size_t          n_best = 0, first = 0;
    for (size_t i = question->n_moves; i-- > 0;)
        if (question->values[i] == question->best) {
            n_best++;
            first = i;
        }
    turf_move_to_text(paper->game, &question->state, question->moves[first], best);
    if (n_best > 1)
        snprintf(others, sizeof others, " (or %zu other%s)", n_best - 1, n_best == 2 ? "" : "s");
    if (marks->answer == question->n_moves) {
        snprintf(text, room, "%.300s; %s plays %s%s, worth %d", marks->forfeit,
                 paper->strategy->name, best, others, question->best);
        return;
    }
    turf_move_to_text(paper->game, &question->state, question->moves[marks->answer], played);
    snprintf(text, room, "%s, worth %d; %s plays %s%s, worth %d", played,
             question->values[marks->answer], paper->strategy->name, best, others, question->best);
}

static void print_marks(const Paper *paper, const Marks *marks)
{
    char text[1200];
    printf("It plays as %s in %llu of %llu positions (%.1f %%).\n", paper->strategy->name,
           (unsigned long long)marks->n_agreed, (unsigned long long)paper->n_positions,
           100 * (double)marks->n_agreed / (double)paper->n_positions);
    if (!marks->has_failed)
        return;
    describe_first(paper, marks, text, sizeof text);
    printf("It differs first in position %llu:\n\n", (unsigned long long)marks->number);
    DrawStyle style = console_draw_style(stdout);
    game_draw(paper->game, &marks->question.state, &style, stdout);
    printf("\nIt played %s.\nThe position, for 'turf choose %s %s --all':\n",
           marks->answer < marks->question.n_moves ? text : "nothing", paper->game->name,
           paper->strategy->spec);
    print_json(paper->game->to_json(&marks->question.state), JSON_COMPACT);
    if (marks->answer == marks->question.n_moves)
        printf("%s.\n", text);
}

/* ---- a folder of bots ---------------------------------------------------------------------- */

static int is_folder(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* A word of the command with `{}` replaced. */
static char *fill_in(const char *word, const char *folder)
{
    const char *place = strstr(word, "{}");
    if (!place)
        return or_die(strdup(word));
    char *rest = fill_in(place + 2, folder);
    char *text = format_text("%.*s%s%s", (int)(place - word), word, folder, rest);
    free(rest);
    return text;
}

static void mark_folder(const Paper *paper, const Arguments *arguments, const char *folder,
                        Marks *marks)
{
    size_t n_words = (size_t)arguments->n_words - 2;
    char **words = or_die(calloc(n_words + 1, sizeof *words));
    for (size_t i = 0; i < n_words; i++)
        words[i] = fill_in(arguments->words[2 + i], folder);
    mark_command(paper, (const char *const *)words, n_words, marks);
    for (size_t i = 0; i < n_words; i++)
        free(words[i]);
    free(words);
}

static void add_row(Table *table, const Paper *paper, const char *name, const Marks *marks)
{
    char text[1200] = "";
    if (marks->has_failed && marks->answer == marks->question.n_moves)
        snprintf(text, sizeof text, "nothing: %s", marks->forfeit);
    else if (marks->has_failed)
        describe_first(paper, marks, text, sizeof text);
    table_add(table, "%s", name);
    table_add(table, "%llu", (unsigned long long)marks->n_agreed);
    table_add(table, "%.1f %%", 100 * (double)marks->n_agreed / (double)paper->n_positions);
    if (marks->has_failed)
        table_add(table, "%llu", (unsigned long long)marks->number);
    else
        table_add(table, "%s", "");
    table_add(table, "%s", text);
}

static int mark_all(const Paper *paper, const Arguments *arguments)
{
    static const char *const titles[] = {"bot", "best moves", "share", "first", "it played"};
    const Settings          *settings = &arguments->settings;
    struct dirent          **entries;
    bool                     has_place = false, has_failed = false;
    for (int i = 2; i < arguments->n_words; i++)
        has_place |= strstr(arguments->words[i], "{}") != NULL;
    if (!has_place)
        die("with --each, {} in COMMAND stands for the folder of each bot, as in: -- python3 "
            "{}/my_bot.py");
    int n_entries = scandir(settings->each, &entries, is_folder, alphasort);
    if (n_entries < 0)
        die("--each %s: %s", settings->each, strerror(errno));
    Table  *table = table_new("lrrrl", titles);
    json_t *list = json_array();
    for (int i = 0; i < n_entries; i++) {
        struct stat about;
        char       *folder = format_text("%s/%s", settings->each, entries[i]->d_name);
        Marks       marks = {0};
        if (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) {
            mark_folder(paper, arguments, folder, &marks);
            json_t *row = marks_json(paper, &marks);
            json_put(&row, "bot", json_sentence(entries[i]->d_name));
            json_add(&list, row);
            add_row(table, paper, entries[i]->d_name, &marks);
            has_failed |= marks.has_failed;
        }
        free(folder);
        free(entries[i]);
    }
    free(entries);
    if (table_n_rows(table) == 0)
        die("--each %s: there are no folders in it", settings->each);
    if (settings->wants_json)
        print_json(list, JSON_COMPACT);
    else
        table_print(table, TABLE_TEXT, stdout);
    if (!settings->wants_json)
        json_decref(list);
    table_free(table);
    return has_failed ? EXIT_FAULTS : EXIT_FINE;
}

int cmd_mark(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    int             unused[TURF_MAX_MOVES];
    TurfState       state = {{0}};
    TurfRng         rng = turf_rng(1);
    TurfError       error;
    if (game_is_simultaneous(game))
        die("turf mark works where sides move in turn; in %s both move at once", game->name);
    TurfPlayer *strategy = read_player(game, arguments->words[1]);
    if (!game_start(game, NULL, &rng, &state, &error))
        die("%s", error.text);
    if (!lookahead_values(strategy, &state, unused))
        die("turf mark needs bloodlust, self-preservation, land-grab or minimax, not %s",
            strategy->name);
    Paper paper = {.game = game,
                   .strategy = strategy,
                   .settings = settings,
                   .start = read_start(game, settings),
                   .n_positions = settings->has_n_games ? settings->n_games : DEFAULT_POSITIONS};
    int   status;
    if (settings->each) {
        status = mark_all(&paper, arguments);
    } else {
        Marks marks = {0};
        mark_command(&paper, arguments->words + 2, (size_t)arguments->n_words - 2, &marks);
        if (settings->wants_json)
            print_json(marks_json(&paper, &marks), JSON_COMPACT);
        else
            print_marks(&paper, &marks);
        status = marks.has_failed ? EXIT_FAULTS : EXIT_FINE;
    }
    free(paper.start);
    turf_player_free(strategy);
    return status;
}
