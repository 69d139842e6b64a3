/* Commands: what they are, and the arguments they get. The tables in options.c and main.c are the
 * one source of parsing, help and usage messages. */
#ifndef TURF_CMD_COMMAND_H
#define TURF_CMD_COMMAND_H

#include "games/game.h"
#include "turf.h"

enum { EXIT_FINE = 0, EXIT_FAULTS = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* An option that may be given several times. */
enum { MOST_TEXTS = 64 };
typedef struct TextList {
    const char *texts[MOST_TEXTS];
    size_t      n_texts;
} TextList;

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
    const char *db;      /* a file, or none */
    const char *schedule;
    const char *starts, *entrants;     /* files */
    const char *shard;                 /* k/N, as typed */
    const char *what;                  /* to export */
    bool        has_n_games, has_seed; /* given, not the default */
    uint64_t    port, patience_s;
    bool        has_port;
    const char *listen, *page;
    TextList    allowed, hosts;
    bool        wants_json, is_quiet, wants_swap, wants_all, hides_times, wants_crlf, is_strict, wants_json_lines;
} Settings;

typedef struct Arguments {
    const struct Command *command;
    Settings              settings;
    const char *const    *words; /* what is not an option */
    int                   n_words;
} Arguments;

typedef struct Command {
    const char *name, *usage, *summary;
    const char *options; /* names of options, separated by spaces */
    const char *details; /* more help, whole lines; may be NULL */
    int         least_words, most_words;
    int (*run)(const Arguments *arguments); /* returns the exit status */
} Command;

/* main.c: NULL past the last */
const Command *command_at(size_t index);

/* options.c */
void options_parse(const Command *command, int argc, char **argv, Arguments *arguments);
void options_help(const Command *command, FILE *out);

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
int cmd_report(const Arguments *arguments);
int cmd_runs(const Arguments *arguments);
int cmd_export(const Arguments *arguments);
int cmd_replay(const Arguments *arguments);
int cmd_serve(const Arguments *arguments);
int cmd_bench(const Arguments *arguments);

#endif
