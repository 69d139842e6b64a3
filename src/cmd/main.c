/* turf: the table of commands, and nothing else. */
#include "base/error.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int cmd_help(const Arguments *arguments);

static const Command commands[] = {
    {"games", "", "the games, how they start, and who can play them", "json", NULL, 0, 0,
     cmd_games},
    {"play", "GAME [P1 P2]", "one game at the terminal; a person where no player is named",
     "seed start size delay move-cap " BOT_OPTIONS " json quiet",
     "P1 moves first. A player is 'human', a strategy or a bot (see 'turf games'). In the game, "
     "type a move\n"
     "such as 3 8 2 7, or: moves, hint, undo, board, save FILE, quit, help (no moves, hint and "
     "undo in AI\n"
     "Battleground). Without --seed every game is another.\n",
     1, 3, cmd_play},
    MATCH_COMMAND(RUN_OPTIONS " sprt", "With --sprt E0,E1 or E0,E1,ALPHA,BETA the match ends as "
                                       "soon as the test is settled; see docs/ratings.md.\n"),
    TOURNAMENT_COMMAND,
    RESUME_COMMAND,
    {"merge", "-o FILE SHARD...", "puts the parts of a run together, and prints its result",
     "output strict no-times json quiet",
     "The parts are databases that 'turf match' or 'turf tournament' wrote with --shard. If games "
     "are missing\n"
     "they are listed, and the exit status is 1; 'turf resume --db FILE' plays them.\n",
     1, 100000, cmd_merge},
    {"worksheet", "", "the War of Life coursework, questions 1 to 7 answered with measured figures",
     "games seed jobs output format no-times quiet",
     "The formats are markdown (default) and html.\n", 0, 0, cmd_worksheet},
    {"step", "GAME", "positions with a move in, the next positions out, as JSON lines", "",
     "Reads lines such as {\"board\":[...],\"to_move\":\"b\",\"moves_made\":0,\"move\":[3,8,2,7]} "
     "from standard\n"
     "input. In War of Life and AI Battleground a line without a move turns the crank once. A bad "
     "line gives\n"
     "{\"error\":...,\"line\":N} in its place, and the exit status is 2 at the end.\n",
     1, 1, cmd_step},
    {"choose", "GAME PLAYER", "positions in, the player's move and its value out, as JSON lines",
     "all explain start size seed json",
     "The value is the player's own measure; higher is better for the side to move. With --start "
     "or --size the\n"
     "position is that one, and --explain answers in words unless there is --json.\n",
     2, 2, cmd_choose},
    {"perft", "GAME DEPTH", "how many positions there are at each depth, counted move by move",
     "start size seed json", NULL, 2, 2, cmd_perft},
    {"solve", "squirrel-war [FILE]", "the exact value of a position, the best line, nodes and time",
     "start seed hash jobs json quiet",
     "The position is FILE's, or that of --start, or the empty board with the values of --seed. "
     "Ctrl-C\n"
     "prints the bounds reached. The value is the mover's points minus the other's under perfect "
     "play.\n",
     1, 2, cmd_solve},
    {"squirrel", "INPUT", "the SquirrelWar coursework's files", "output crlf",
     "Reads tasks 1 to 4 and writes next_state.txt, traverse_log.txt or trace_state.txt into the "
     "current\n"
     "folder, or that of -o.\n",
     1, 1, cmd_squirrel},
    {"bot", "GAME PLAYER", "a built-in player as a bot on standard input and output", "seed",
     "Reads a line of JSON for each turn and answers with one, as docs/protocol.md says.\n", 2, 2,
     cmd_bot},
    {"check-bot", "GAME -- COMMAND",
     "numbered checks that a bot speaks the protocol, and what to mend",
     "seed move-cap " BOT_OPTIONS " json",
     "Plays a few games with it against a random player. Exits with 1 if a check failed.\n", 2, 64,
     cmd_check_bot},
    {"run", "CONFIG.json", "an AI Battleground config file as it stands",
     "games seed jobs time move-cap " BOT_OPTIONS
     " reuse listen strict db no-times json json-lines quiet",
     "Plays one game, or as many as -n says. Players are of the type dummy, process or tcp.\n", 1,
     1, cmd_run},
    {"runs", "", "the runs in the database: what they are and how far they have come", "db json",
     NULL, 0, 0, cmd_runs},
    {"report", "[RUN]", "a run as one page of charts (the last run, if none is named)",
     "output db no-times quiet",
     "The page is one file of HTML without scripts. 'turf runs' lists the runs.\n", 0, 1,
     cmd_report},
    {"export", "[RUN]", "games, standings, pairings or runs as CSV, JSON lines or Markdown",
     "what format output db no-times quiet",
     "The formats are csv, jsonl (default) and md. A line of JSON of a game is what 'turf replay' "
     "reads.\n",
     0, 1, cmd_export},
    {"replay", "[FILE|ID]", "step through a recorded game (the last one, if none is named)", "db",
     "K or the right arrow goes forward, J or the left arrow back, Home and End to the ends, n and "
     "p to the next and\n"
     "the previous game of a file, q leaves. Not at a terminal, the whole game is printed.\n",
     0, 1, cmd_replay},
    {"serve", "", "the arena in the browser",
     "port listen host db allow config sandbox allow-write bot-memory bot-processes bot-cpu "
     "max-games max-streams "
     "max-bots patience page quiet",
     "Games, moves and tournaments are in docs/api.md. Browsers may choose the built-in players, "
     "and those of "
     "--allow:\n"
     "  turf serve --allow \"mine=bot:python3 my_bot.py\" --allow wol/deep=minimax:depth=3\n"
     "Ctrl-C or SIGTERM ends it; games that are not over go on when it is started again.\n",
     0, 0, cmd_serve},
    {"completion", "bash|zsh|fish",
     "the script that teaches a shell to complete turf's command lines", "",
     "For bash: eval \"$(turf completion bash)\". The scripts ask 'turf completion answer -- "
     "WORD...', which prints\n"
     "what the last word may become.\n",
     1, INT_MAX, cmd_completion},
    {"help", "[COMMAND]", "this list, or a command and its options", "man", NULL, 0, 1, cmd_help},
};

const Command *command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? &commands[index] : NULL;
}

static const Command *find_command(const char *name)
{
    for (size_t i = 0; command_at(i); i++)
        if (!strcmp(name, commands[i].name))
            return &commands[i];
    if (!strcmp(name, "bench"))
        die("bench is a program of its own now: type './do bench' in a clone of turf");
    char quoted[ERROR_QUOTE_BYTES];
    die("there is no command '%s'; 'turf help' lists them", error_quote(quoted, name));
}

static void list_commands(FILE *out)
{
    fputs("turf: four wars over territory, and the arena for them\n\n", out);
    for (size_t i = 0; command_at(i); i++) {
        char line[64];
        snprintf(line, sizeof line, "turf %s %s", commands[i].name, commands[i].usage);
        fprintf(out, "  %-31s %s\n", line, commands[i].summary);
    }
    fputs("\n'turf help COMMAND' has the options; 'turf play war-of-life' starts a game.\n", out);
}

static int cmd_help(const Arguments *arguments)
{
    if (arguments->settings.wants_manual)
        manual_write(stdout);
    else if (arguments->n_words == 0)
        list_commands(stdout);
    else
        options_help(find_command(arguments->words[0]), stdout);
    return EXIT_FINE;
}

int main(int argc, char **argv)
{
    console_begin("turf");
    if (argc < 2) {
        list_commands(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        if (argc > 2)
            die("%s stands alone; 'turf help' lists the commands", name);
        puts("turf " TURF_VERSION);
        console_finish();
        return EXIT_FINE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    const Command *command = find_command(name);
    console_set_name(command->name);
    Arguments arguments;
    options_parse(command, argc - 1, argv + 1, &arguments);
    int status = command->run(&arguments);
    console_finish();
    return status;
}
