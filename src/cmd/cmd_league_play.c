/* turf league play and final: round after round until the time or the games are used up, or Ctrl-C.
 *
 * Every game is in the file before it counts, so a kill at any moment costs only the games that
 * were being played; the next play continues the round. Threads: hooks are called from this thread
 * alone (progress), and from the writer's, under its lock (forfeited). */
#include "cmd/cmd_league.h"

#include "arena/plan_signature.h"
#include "arena/run_play.h"
#include "base/clock.h"
#include "base/error.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/outcome.h"
#include "cmd/plan_options.h"
#include "cmd/run_jobs.h"
#include "cmd/trust.h"
#include "league/league_round.h"
#include "league/submission.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options ------------------------------------------------------------------------------- */

/* A time such as 90s, 30m, 2h or 1h30m; seconds without a letter. */
static int64_t read_duration(const char *text)
{
    static const struct {
        char    letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'\0', 1}};
    enum { MAX_NUMBER = 1000000 };
    int64_t     sum = 0;
    const char *at = text;
    char        quoted[ERROR_QUOTE_BYTES];
    bool        is_good = *at;
    while (*at && is_good) {
        char *end;
        long  number = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : -1;
        is_good = number >= 0 && number <= MAX_NUMBER;
        for (size_t i = 0; is_good; i++) {
            if (i == sizeof units / sizeof *units)
                is_good = false;
            else if (*end == units[i].letter) {
                sum += number * units[i].seconds;
                at = end + (*end != '\0');
                break;
            }
        }
    }
    if (!is_good || sum == 0)
        die("--for must be a time like 90s, 30m or 2h, not '%s'", error_quote(quoted, text));
    return sum;
}

/* ---- trust --------------------------------------------------------------------------------- */

/* Versions that start programs must have been entered by this user, or be trusted. */
static bool check_versions(const League *league, const Settings *settings)
{
    TurfError error = {0};
    bool      is_own = true;
    char      quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < league->n_versions; i++) {
        const LeagueVersion *version = &league->versions[i];
        if (version->retired || !league_is_strange(league, version, &error))
            continue;
        if (error.code == TURF_ERROR_NO_MEMORY)
            die("%s", error.text);
        is_own = false;
        if (!settings->is_trusting)
            die("%s was added by somebody else, and would start a program; nothing was started: if "
                "you trust the bots of '%s', add --trust",
                version->name, error_quote(quoted, store_path(league->store)));
    }
    return is_own;
}

static bool check_round(const League *league, int64_t run_id, const Settings *settings)
{
    RunRecord record;
    TurfError error;
    if (run_id == 0)
        return true;
    if (!runs_find(league->store, run_id, &record, &error))
        die("%s", error.text);
    bool is_own = is_own_run(league->store, &record, settings);
    run_record_release(&record);
    return is_own;
}

/* Bots at home come to a server, not to this program. */
static void say_who_is_left_out(const League *league, const Settings *settings)
{
    size_t n_home = 0;
    for (size_t i = 0; i < league->n_versions; i++)
        n_home += league->versions[i].retired == 0 && version_is_home(&league->versions[i]);
    if (n_home > 0 && !settings->is_quiet)
        fprintf(stderr,
                "turf: %zu bot%s at home cannot play here, only where 'turf serve' plays the "
                "league\n",
                n_home, n_home > 1 ? "s" : "");
}

/* ---- playing ------------------------------------------------------------------------------- */

typedef struct LeagueSession {
    League         *league;
    const Settings *settings;
    int64_t         end_ns;     /* 0: until stopped */
    uint64_t        n_before;   /* games of the league before this round */
    bool            is_own;     /* entered by this user */
    bool            is_shown;   /* a line at the terminal */
    bool            was_warned; /* of what holds for every round */
    pthread_mutex_t lock;       /* guards the last forfeit */
    char            last_forfeit[320];
} LeagueSession;

static bool is_over(void *context)
{
    const LeagueSession *session = context;
    return console_is_interrupted() || (session->end_ns && clock_ns() >= session->end_ns);
}

static bool show_progress(void *context, const TurfTotals *totals, size_t n_pairings)
{
    LeagueSession *session = context;
    uint64_t       n_played = 0;
    for (size_t i = 0; i < n_pairings; i++)
        n_played += totals[i].n_games;
    if (session->is_shown) {
        pthread_mutex_lock(&session->lock);
        fprintf(stderr, "\r\033[Kround %lld: %llu games; %llu in all%s%.60s",
                (long long)session->league->next_round - 1, (unsigned long long)n_played,
                (unsigned long long)(session->n_before + n_played),
                *session->last_forfeit ? "; " : "", session->last_forfeit);
        pthread_mutex_unlock(&session->lock);
    }
    return !is_over(session);
}

static void note_forfeit(void *context, const TurfPlayer *player, uint64_t game, TurfForfeit reason,
                         const char *text, const char *errors)
{
    LeagueSession *session = context;
    (void)game;
    (void)text;
    (void)errors;
    pthread_mutex_lock(&session->lock);
    snprintf(session->last_forfeit, sizeof session->last_forfeit, "%s forfeited (%s)",
             turf_player_name(player), turf_forfeit_name(reason));
    pthread_mutex_unlock(&session->lock);
}

/* Bots that were handed in play in the sandbox, or not at all. */
static void set_terms(const League *league, Run *run, const Settings *settings, bool is_own)
{
    Settings for_bots = bot_settings(settings, &run->plan, is_own);
    if (league_has_submissions(league))
        for_bots.sandbox = "require";
    set_bot_terms(run->plan.players, run->plan.n_entrants, &for_bots);
}

/* Builds again what was handed in, where the files are gone. */
static void restore_bots(const League *league)
{
    TurfError       error;
    SubmissionTerms terms = {.turf = own_path()};
    if (league_has_submissions(league) && !submissions_restore(league, &terms, &error))
        die("%s", error.text);
}

static bool check_trust(void *context, const League *league, TurfError *error)
{
    LeagueSession *session = context;
    (void)error;
    session->is_own = check_versions(league, session->settings) && session->is_own;
    restore_bots(league);
    return true;
}

static bool prepare(void *context, Run *run, TurfError *error)
{
    LeagueSession *session = context;
    Settings       settings = *session->settings;
    (void)error;
    settings.is_quiet |= session->was_warned;
    settings.db = store_path(session->league->store);
    set_terms(session->league, run, &settings, session->is_own);
    run->n_jobs = jobs_for_run(run, &settings);
    session->was_warned = true;
    session->n_before = league_n_games(session->league);
    return true;
}

static void clear_line(void *context)
{
    const LeagueSession *session = context;
    if (session->is_shown)
        fputs("\r\033[K", stderr);
}

static RoundsTerms terms_of(LeagueSession *session)
{
    const Settings *settings = session->settings;
    return (RoundsTerms){
        .max_games = settings->has_n_games ? settings->n_games : 0,
        .is_over = is_over,
        .check = check_trust,
        .prepare = prepare,
        .finish = clear_line,
        .hooks = {.progress = show_progress, .forfeited = note_forfeit, .context = session},
        .context = session};
}

static _Noreturn void die_playing(const LeagueSession *session, uint64_t n_played,
                                  const TurfError *error)
{
    if (n_played == 0)
        die("%s", error->text);
    die("%s; everything played so far is in the file, and 'turf league play %s' continues",
        error->text, store_path(session->league->store));
}

static LeagueSession session_begin(League *league, const Settings *settings)
{
    return (LeagueSession){.league = league,
                           .settings = settings,
                           .is_shown = !settings->is_quiet && isatty(STDERR_FILENO),
                           .lock = PTHREAD_MUTEX_INITIALIZER};
}

static void open_to_play(League *league, const char *path, const Settings *settings)
{
    TurfError error;
    Store    *store = store_open(path, STORE_WRITE, &error);
    if (!store && error.code == TURF_ERROR_NOT_FOUND)
        die("%s; type: turf league new %s GAME", error.text, path);
    if (!store || !store_lock_league(store, &error) || !league_open(league, store, &error))
        die("%s", error.text);
    say_who_is_left_out(league, settings);
}

/* ---- shards -------------------------------------------------------------------------------- */

/* "cup.db" and 2/8: "cup-2-of-8.db", here. */
static char *shard_name(const char *path, int shard, int n_shards)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t      length = strlen(name);
    if (length > 3 && !strcmp(name + length - 3, ".db"))
        length -= 3;
    return format_text("%.*s-%d-of-%d.db", (int)length, name, shard, n_shards);
}

/* Decides the next round from the file, which stays as it is, and plays a part of it into another.
 * Every machine with the same file decides the same round. */
static int play_shard(const Arguments *arguments)
{
    Settings  settings = arguments->settings;
    League    league;
    Plan      plan;
    Run       run;
    TurfError error;
    RoundSize size = {.max_games = settings.n_games, .is_filled = true};
    if (!settings.has_n_games)
        die("a round in shards needs its number of games, the same for all shards: add -n 1000");
    if (settings.duration)
        die("--for and --shard do not go together: shards play a round of -n games");
    (void)league_open_or_die(&league, arguments->words[1], STORE_READ);
    if (league.unfinished)
        die("round %lld is not finished; 'turf league play %s' finishes it",
            (long long)league.next_round - 1, arguments->words[1]);
    bool is_own = check_versions(&league, &settings);
    restore_bots(&league);
    if (!league_plan_round(&league, &size, &plan, &error) || !run_init(&run, &plan, true, &error))
        die("%s", error.text);
    read_shard(&settings, &run.shard, &run.n_shards);
    char  *name = shard_name(arguments->words[1], run.shard, run.n_shards);
    Store *store = store_open(name, STORE_MAKE, &error);
    if (!store || (!attach_shard(store, &run) && !run_begin(&run, store, &error)))
        die("%s", error.text);
    LeagueSession session = session_begin(&league, &arguments->settings);
    settings.db = name;
    set_terms(&league, &run, &settings, is_own);
    run.n_jobs = jobs_for_run(&run, &settings);
    RunHooks hooks = {.progress = show_progress, .forfeited = note_forfeit, .context = &session};
    console_catch_interrupt();
    if (!run_play(&run, &hooks, &error))
        die("%s; the same command plays the rest", error.text);
    bool is_whole = run_is_whole(&run);
    if (!settings.is_quiet)
        fprintf(stderr, "%sturf: shard %d/%d: %llu games are in %s\n",
                session.is_shown ? "\r\033[K" : "", run.shard, run.n_shards,
                (unsigned long long)run_n_played(&run), name);
    run_release(&run);
    store_close(store);
    free(name);
    league_close(&league);
    return is_whole ? EXIT_FINE : EXIT_INTERRUPTED;
}

/* ---- play ---------------------------------------------------------------------------------- */

int league_play(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    if (settings->shard)
        return play_shard(arguments);
    League    league;
    TurfError error;
    int64_t   seconds = settings->duration ? read_duration(settings->duration) : 0;
    open_to_play(&league, arguments->words[1], settings);
    LeagueSession session = session_begin(&league, settings);
    if (seconds)
        session.end_ns = clock_ns() + seconds * 1000000000;
    session.is_own = check_round(&league, league.unfinished, settings);
    console_catch_interrupt();
    uint64_t    n_played = 0;
    RoundsTerms terms = terms_of(&session);
    if (!league_play_rounds(&league, &terms, &n_played, &error))
        die_playing(&session, n_played, &error);
    bool is_cut = console_is_interrupted() &&
                  (session.end_ns || (settings->has_n_games && n_played < settings->n_games));
    if (*session.last_forfeit && !settings->is_quiet)
        fprintf(stderr, "turf: %s\n", session.last_forfeit);
    console_let_interrupt();
    league_print(&league, settings);
    league_close(&league);
    return is_cut ? EXIT_INTERRUPTED : EXIT_FINE;
}

/* ---- the final ----------------------------------------------------------------------------- */

static ScheduleKind read_schedule(const Settings *settings)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (!settings->schedule || !strcmp(settings->schedule, "knock-out"))
        return SCHEDULE_KNOCK_OUT;
    if (!strcmp(settings->schedule, "swiss"))
        return SCHEDULE_SWISS;
    if (!strcmp(settings->schedule, "round-robin"))
        return SCHEDULE_PAIRS;
    die("the --schedule of a final must be knock-out, swiss or round-robin, not '%s'",
        error_quote(quoted, settings->schedule));
}

/* Nobody can have seen the starts: they are drawn with a new seed, or come from a file. */
static FinalTerms read_final(const Arguments *arguments, const League *league, Plan *starts)
{
    enum { DEFAULT_BEST = 8, DEFAULT_GAMES = 4 };
    const Settings *settings = &arguments->settings;
    uint64_t        seed = settings->seed;
    starts->game = league->plan.game;
    if (settings->starts)
        plan_read_all_starts(starts, settings);
    else if (!plan_has_random_start(&league->plan))
        die("every start of this league has been seen; give others with --starts FILE");
    if (!settings->has_seed && getentropy(&seed, sizeof seed) != 0)
        die("no random numbers are to be had; give a --seed");
    FinalTerms terms = {.schedule = read_schedule(settings),
                        .n_best = settings->n_best ? settings->n_best : DEFAULT_BEST,
                        .n_games = settings->has_n_games ? settings->n_games : DEFAULT_GAMES,
                        .starts = starts->starts,
                        .n_starts = starts->n_starts,
                        .seed = seed & INT64_MAX};
    if (terms.n_games % 2)
        die("a final plays each start from both sides, so -n must be even: try -n %llu",
            (unsigned long long)terms.n_games + 1);
    return terms;
}

int league_play_final(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    League          league;
    LeagueRound     round;
    TurfError       error;
    Plan            starts = {0};
    FinalTerms      terms = {0};
    open_to_play(&league, arguments->words[1], settings);
    if (league.unfinished_final) {
        if (!settings->is_quiet)
            fprintf(stderr, "turf: the final that was begun goes on\n");
    } else {
        terms = read_final(arguments, &league, &starts);
    }
    LeagueSession session = session_begin(&league, settings);
    session.is_own = check_round(&league, league.unfinished_final, settings);
    session.is_own =
        (league.unfinished_final || check_versions(&league, settings)) && session.is_own;
    restore_bots(&league);
    RoundsTerms rounds = terms_of(&session);
    uint64_t    n_played = 0;
    console_catch_interrupt();
    if (!league_begin_final(&league, &terms, &round, &error))
        die("%s", error.text);
    if (!league_play_round(&round, &rounds, &n_played, &error))
        die_playing(&session, n_played, &error);
    clear_line(&session);
    if (!run_is_whole(&round.run) && !settings->is_quiet)
        fprintf(stderr, "turf: interrupted; 'turf league final %s' goes on\n", arguments->words[1]);
    console_let_interrupt();
    outcome_print(&round.run, settings);
    int status = outcome_status(&round.run, settings);
    if (!league_end_round(&league, &round, &error))
        die("%s", error.text);
    plan_release(&starts);
    league_close(&league);
    return status;
}
