/* Commands: what they are, and the arguments they get. The tables in options.c and main.c are the
 * one source of parsing, help and usage messages. */
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

/* How often an option may be given that may be given more than once. */
enum { LIST_ROOM = 31 };

/* The values of all options of all commands; an option means the same wherever it is taken. */
typedef struct Settings {
    uint64_t    n_games;
    uint64_t    seed;
    uint64_t    n_jobs;
    uint64_t    delay_ms;
    uint64_t    size; /* 0: not given */
    uint64_t    time_ms, move_cap_ms;
    uint64_t    n_rounds;   /* 0: as many as are usual */
    uint64_t    n_recorded; /* games of a pairing */
    const char *start;      /* as typed; see read_start */
    const char *output;     /* a file, or NULL for standard output */
    const char *format;
    const char *sandbox; /* off, auto or require; NULL is auto */
    const char *hash;    /* a size, as typed */
    const char *allow_write[LIST_ROOM + 1], *bot_logs;
    uint64_t    bot_mib, bot_processes, bot_cpu_seconds; /* 0: as usual */
    const char *listen;
    bool        wants_manual;
    const char *db; /* a file, or none */
    const char *schedule;
    const char *starts, *entrants;     /* files */
    const char *shard;                 /* k/N, as typed */
    const char *sprt;                  /* elo0,elo1[,alpha,beta], as typed */
    const char *what;                  /* to export */
    bool        has_n_games, has_seed; /* given, not the default */
    uint64_t    port, patience_s;
    uint64_t    max_games, max_streams, max_bots; /* 0: as usual */
    const char *config;                           /* a file with more options */
    bool        has_port;
    const char *page; /* a folder */
    const char *allowed[LIST_ROOM + 1], *hosts[LIST_ROOM + 1];
    bool        wants_explanation;
    bool        wants_json, is_quiet, wants_swap, wants_all, hides_times, wants_crlf, is_strict,
        wants_json_lines, is_reusing;
} Settings;

/* What commands with bots take, and those with runs. */
#define BOT_OPTIONS "sandbox allow-write bot-memory bot-processes bot-cpu bot-logs"
#define RUN_OPTIONS                                                                                \
    "games seed jobs start starts size swap time move-cap " BOT_OPTIONS                            \
    " reuse strict db record shard no-times json json-lines quiet"

typedef struct Arguments {
    const struct Command *command;
    Settings              settings;
    const char *const    *words; /* what is not an option */
    int                   n_words;
    /* Other machines that play the games of runs; NULL: none. */
    const struct RemoteWorkers *remote;
} Arguments;

typedef struct Command {
    const char *name, *usage, *summary;
    const char *options; /* names of options, separated by spaces */
    const char *details; /* more help, whole lines; may be NULL */
    int         min_words, max_words;
    int (*run)(const Arguments *arguments); /* returns the exit status */
} Command;

/* The commands that turf and turf-mpi both have. */
#define MATCH_COMMAND(options, details)                                                            \
    {                                                                                              \
        "match", "GAME P1 P2",                                                                     \
            "many games between two players: wins, draws by kind, lengths and times", options,     \
            details, 3, 3, cmd_match                                                               \
    }
#define TOURNAMENT_COMMAND                                                                         \
    {                                                                                              \
        "tournament", "GAME [P...]",                                                               \
            "every ordered pair of players (the simple built-in strategies by default), and the "  \
            "table",                                                                               \
            RUN_OPTIONS " schedule rounds entrants",                                               \
            "A player may be given a name of its own: deep=minimax:depth=3. docs/arena.md has "    \
            "the schedules.\n",                                                                    \
            1, 1025, cmd_tournament                                                                \
    }
#define RESUME_COMMAND                                                                             \
    {                                                                                              \
        "resume", "[RUN]",                                                                         \
            "plays what is missing of a run that was interrupted, and prints its result",          \
            "db jobs " BOT_OPTIONS " strict no-times json json-lines quiet",                       \
            "RUN is the number that the interrupted run gave, or else the last that is not "       \
            "finished. One that is\n"                                                              \
            "finished is shown again.\n",                                                          \
            0, 1, cmd_resume                                                                       \
    }

/* main.c: NULL past the last */
const Command *command_at(size_t index);

/* options.c */
void options_parse(const Command *command, int argc, char **argv, Arguments *arguments);
void options_help(const Command *command, FILE *out);

/* manual.c: the manual page, in roff. */
void manual_write(FILE *out);

/* One file a command. */
int cmd_games(const Arguments *arguments);
int cmd_play(const Arguments *arguments);
int cmd_match(const Arguments *arguments);
int cmd_tournament(const Arguments *arguments);
int cmd_resume(const Arguments *arguments);
int cmd_merge(const Arguments *arguments);
int cmd_worksheet(const Arguments *arguments);
int cmd_step(const Arguments *arguments);
int cmd_choose(const Arguments *arguments);
int cmd_perft(const Arguments *arguments);
int cmd_solve(const Arguments *arguments);
int cmd_squirrel(const Arguments *arguments);
int cmd_check_bot(const Arguments *arguments);
int cmd_bot(const Arguments *arguments);
int cmd_run(const Arguments *arguments);
int cmd_report(const Arguments *arguments);
int cmd_runs(const Arguments *arguments);
int cmd_export(const Arguments *arguments);
int cmd_replay(const Arguments *arguments);
int cmd_serve(const Arguments *arguments);
int cmd_completion(const Arguments *arguments);

#endif
