/* Commands and their arguments. The tables in main.c (commands) and options.c (options) are the
 * only source of parsing, help, manual page and completion. */
#ifndef TURF_CMD_COMMAND_H
#define TURF_CMD_COMMAND_H

#include "games/game.h"
#include "turf.h"

enum {
    EXIT_FINE = 0,
    EXIT_FAULTS = 1,
    EXIT_USAGE = 2,
    EXIT_INTERRUPTED = 130,
    EXIT_PIPE_CLOSED = 141
};

/* How often a repeatable option may be given. */
enum { MAX_LIST = 31 };

/* The values of all options; an option means the same for every command that takes it. Numbers are
 * 0 and texts NULL where the default applies. */
typedef struct Settings {
    uint64_t    n_games;
    uint64_t    seed;
    uint64_t    n_jobs;
    uint64_t    delay_ms;
    uint64_t    size;
    uint64_t    time_ms, move_cap_ms;
    uint64_t    n_nodes;
    uint64_t    n_rounds;
    uint64_t    n_moves;    /* of a forced win */
    uint64_t    n_recorded; /* per pairing */
    uint64_t    max_opening, random_percent;
    const char *start;  /* see read_start */
    const char *output; /* a file, or NULL for standard output */
    const char *format;
    const char *sandbox; /* off, auto or require */
    const char *hash;    /* a size such as 512M */
    const char *device;  /* auto, cpu, gpu, or a name */
    const char *allow_write[MAX_LIST + 1], *allow_read[MAX_LIST + 1], *bot_env[MAX_LIST + 1];
    const char *bot_logs;
    uint64_t    bot_mib, bot_processes, bot_cpu_seconds, bot_cores, bot_log_mib;
    const char *listen;
    bool        wants_manual;
    const char *db; /* a file, or "none" */
    const char *schedule;
    const char *starts, *entrants;   /* files */
    const char *shard;               /* K/N */
    const char *duration;            /* such as 2h */
    const char *each;                /* a folder */
    const char *token_file, *cacert; /* files */
    uint64_t    n_best;
    const char *url;                   /* of a server */
    const char *audience;              /* of a league */
    const char *sprt;                  /* ELO0,ELO1[,ALPHA,BETA] */
    const char *what;                  /* to export: games, standings ... */
    bool        has_n_games, has_seed; /* given on the command line */
    uint64_t    port, patience_s;
    uint64_t    max_games, max_streams, max_bots, max_history;
    const char *config; /* a JSON file with more options */
    bool        has_port;
    const char *page; /* a folder */
    const char *one_file;
    const char *allowed[MAX_LIST + 1], *hosts[MAX_LIST + 1];
    const char *trusted_proxies[MAX_LIST + 1];
    bool        wants_explanation;
    bool        wants_json, is_quiet, wants_swap, wants_all, hides_times, wants_crlf, is_strict,
        wants_json_lines, is_reusing, is_trusting, is_pinning;
} Settings;

enum { MAX_PERFT_DEPTH = 12 };

/* Options of the commands that start bots, and of those that play runs. */
#define BOT_OPTIONS                                                                                \
    "sandbox allow-write allow-read bot-env bot-memory bot-processes bot-cpu bot-cores "           \
    "bot-logs bot-log-size"
#define RUN_OPTIONS                                                                                \
    "games seed jobs start starts size swap time move-cap " BOT_OPTIONS                            \
    " reuse pin strict db record shard device no-times json json-lines quiet"

typedef struct Arguments {
    const struct Command *command;
    Settings              settings;
    const char *const    *words; /* the arguments that are not options */
    int                   n_words;
    /* Other machines that play the games of runs; NULL: none. */
    const struct RemoteWorkers *remote;
} Arguments;

typedef struct Command {
    const char *name, *usage, *summary;
    const char *options; /* names, separated by spaces */
    const char *details; /* more help, complete lines; may be NULL */
    int         min_words, max_words;
    int (*run)(const Arguments *arguments); /* returns the exit status */
} Command;

/* The commands of both turf and turf-mpi. */
#define MATCH_COMMAND(options, details)                                                            \
    {                                                                                              \
        "match", "GAME P1 P2",                                                                     \
            "play many games between two players; report wins, draws, lengths and times", options, \
            details, 3, 3, cmd_match                                                               \
    }
#define TOURNAMENT_COMMAND                                                                         \
    {                                                                                              \
        "tournament", "GAME [P...]", "play every ordered pair of players and print the table",     \
            RUN_OPTIONS " schedule rounds entrants",                                               \
            "The default players are the simple built-in strategies. To name a player, type\n"     \
            "NAME=PLAYER, such as deep=minimax:depth=3. docs/arena.md describes the schedules.\n", \
            1, 1025, cmd_tournament                                                                \
    }
#define RESUME_COMMAND                                                                             \
    {                                                                                              \
        "resume", "[RUN]", "play the remaining games of an interrupted run and print its result",  \
            "db jobs pin device " BOT_OPTIONS " trust strict no-times json json-lines quiet",      \
            "RUN is the number printed when the run was interrupted; the default is the last\n"    \
            "unfinished run. A finished run is printed again. Bots of a run that was begun\n"      \
            "elsewhere are started only with --trust, or if you agree, and in the sandbox.\n",     \
            0, 1, cmd_resume                                                                       \
    }

#define LEAGUE_COMMAND                                                                             \
    {                                                                                              \
        "league",                                                                                  \
            "new|add|retire|invite|submit|play|merge|table|freeze|thaw|audience|final FILE ...",   \
            "run a contest that never stops: bots come, are replaced and go while it plays",       \
            "seed start starts size time move-cap sandbox allow-write allow-read bot-env "         \
            "bot-memory bot-processes bot-cpu reuse entrants for games jobs shard "                \
            "trust all "                                                                           \
            "best schedule url audience no-times format output json quiet",                        \
            "turf league new FILE GAME      make a league: its starts, clock and limits\n"         \
            "turf league add FILE NAME=P    add a team, or a new version of its bot\n"             \
            "turf league retire FILE NAME   a team plays no more; its games stay\n"                \
            "turf league invite FILE TEAM   a link with which the team hands in its bots\n"        \
            "turf league submit FILE TEAM PATH  hand in a bot: build and check it in the "         \
            "sandbox\n"                                                                            \
            "turf league play FILE          play until stopped, --for a time, or -n games\n"       \
            "turf league merge FILE SHARD   add a round that machines played with --shard\n"       \
            "turf league table FILE         the table; --json; --format csv for grades\n"          \
            "turf league freeze FILE        no version may come or go; thaw opens it again\n"      \
            "turf league audience FILE WHAT what visitors see: nothing, the table, or games\n"     \
            "turf league final FILE         the --best N on starts nobody has seen\n"              \
            "A league is one file: it can be killed at any moment and played on. docs/league.md\n" \
            "describes it.\n",                                                                     \
            2, 1026, cmd_league                                                                    \
    }

/* main.c; NULL past the last command */
const Command *command_at(size_t index);

/* options.c */
void options_parse(const Command *command, int argc, char **argv, Arguments *arguments);
void options_help(const Command *command, FILE *out);

/* cmd_manual.c: writes the manual page in roff. */
void manual_write(FILE *out);

/* One file per command. */
int cmd_games(const Arguments *arguments);
int cmd_play(const Arguments *arguments);
int cmd_match(const Arguments *arguments);
int cmd_tournament(const Arguments *arguments);
int cmd_resume(const Arguments *arguments);
int cmd_league(const Arguments *arguments);
int cmd_mark(const Arguments *arguments);
int cmd_join(const Arguments *arguments);
int cmd_merge(const Arguments *arguments);
int cmd_worksheet(const Arguments *arguments);
int cmd_step(const Arguments *arguments);
int cmd_choose(const Arguments *arguments);
int cmd_perft(const Arguments *arguments);
int cmd_selfplay(const Arguments *arguments);
int cmd_solve(const Arguments *arguments);
int cmd_squirrel(const Arguments *arguments);
int cmd_check_bot(const Arguments *arguments);
int cmd_bot(const Arguments *arguments);
int cmd_run(const Arguments *arguments);
int cmd_report(const Arguments *arguments);
int cmd_runs(const Arguments *arguments);
int cmd_export(const Arguments *arguments);
int cmd_replay(const Arguments *arguments);
int cmd_analyse(const Arguments *arguments);
int cmd_puzzles(const Arguments *arguments);
int cmd_serve(const Arguments *arguments);
int cmd_devices(const Arguments *arguments);
int cmd_completion(const Arguments *arguments);

#endif
