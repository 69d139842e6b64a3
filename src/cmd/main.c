/* turf: the table of commands, their help texts, and main(). */
#include "base/error.h"
#include "base/suggest.h"
#include "cmd/bot_terms.h"
#include "cmd/cmd_build_bot.h"
#include "cmd/console.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int cmd_help(const Arguments *arguments);

static const Command commands[] = {
    {"games", "", "list the games, their starts and their players", "json", NULL, 0, 0, cmd_games},
    {"play", "GAME [P1 P2]", "play one game at the terminal (players default to human)",
     "seed start size delay move-cap " BOT_OPTIONS " json quiet",
     "P1 moves first. A player is 'human', a strategy or a bot (see 'turf games').\n"
     "In the game type a move, such as 3 8 2 7, or a command: moves, hint, undo, board,\n"
     "save FILE, quit, help (AI Battleground has no moves, hint and undo).\n"
     "--start FILE continues a saved game with its players, unless others are named.\n"
     "Without --seed every game is different.\n",
     1, 3, cmd_play},
    MATCH_COMMAND(RUN_OPTIONS " sprt",
                  "With --sprt E0,E1 or E0,E1,ALPHA,BETA the match ends as soon as the\n"
                  "sequential test is decided; see docs/ratings.md.\n"),
    TOURNAMENT_COMMAND,
    RESUME_COMMAND,
    {"merge", "-o FILE SHARD...", "merge the shards of a run and print its result",
     "output strict no-times json quiet",
     "Shards are the databases written by 'turf match' and 'turf tournament' with --shard.\n"
     "If games are missing they are listed and the exit status is 1; 'turf resume --db FILE'\n"
     "plays them.\n",
     1, 100000, cmd_merge},
    LEAGUE_COMMAND,
    {"join", "LINK -- COMMAND", "play in a league on somebody's server with a bot on this machine",
     "games jobs reuse token-file cacert " BOT_OPTIONS " quiet",
     "LINK is the link of a team, as the owner of the league gives it out; - reads it from\n"
     "standard input. The bot stays here: questions and answers go through connections to the\n"
     "server, also through proxies. Ctrl-C leaves after the games that are being played.\n"
     "docs/league.md describes it.\n",
     2, 64, cmd_join},
    {"worksheet", "", "answer questions 1 to 7 of the War of Life coursework with measured figures",
     "games seed jobs device output format no-times quiet",
     "Formats: markdown (default), html, and pdf where chromium is installed.\n", 0, 0,
     cmd_worksheet},
    {"step", "GAME", "read positions with moves, write the next positions, as JSON lines", "",
     "Reads lines such as {\"board\":[...],\"to_move\":\"b\",\"moves_made\":0,\"move\":[3,8,2,7]}\n"
     "from standard input. In War of Life and AI Battleground a line without a move turns\n"
     "the crank once. A bad line is answered by {\"error\":...,\"line\":N}, and the exit\n"
     "status is 2.\n",
     1, 1, cmd_step},
    {"choose", "GAME PLAYER",
     "read positions, write a player's moves and their values, as JSON lines",
     "all explain start size seed json",
     "The value is the player's evaluation; higher is better for the side to move. With\n"
     "--start or --size it answers for that position only, and --explain then prints text\n"
     "unless --json is given.\n",
     2, 2, cmd_choose},
    {"selfplay", "GAME PLAYER -o FILE",
     "play a player against itself; write positions, values, moves and results, for learning",
     "games output seed jobs device start size opening random-moves shard format quiet",
     "Formats: binary (default), and jsonl, a line of JSON for each position. Positions where\n"
     "the move was random are left out. The same seed gives the same file for any number of\n"
     "jobs; --shard K/N plays part K. docs/selfplay.md describes both formats.\n",
     2, 2, cmd_selfplay},
    {"perft", "GAME DEPTH", "count the positions at each depth", "start size seed json", NULL, 2, 2,
     cmd_perft},
    {"solve", "squirrel-war|amoeba-wars|war-of-life [POSITION]",
     "compute the exact value of a position, or the shortest forced win, and the best line",
     "start size seed moves hash jobs json quiet",
     "POSITION is what --start takes. In SquirrelWar the default is an empty board with random\n"
     "values (--seed), and the value is the mover's final points minus the opponent's under\n"
     "perfect play, as in Amoeba Wars, where boards of up to 5x5 take seconds. In War of Life it "
     "is the shortest win of the side to move that the\n"
     "opponent cannot prevent, or that there is none within --moves. Ctrl-C prints what was\n"
     "proved so far.\n",
     1, 2, cmd_solve},
    {"squirrel", "INPUT", "solve an input file of the SquirrelWar coursework", "output crlf",
     "Reads a task from 1 to 4 and writes next_state.txt, traverse_log.txt or\n"
     "trace_state.txt to the folder of -o (default: the current one).\n",
     1, 1, cmd_squirrel},
    {"bot", "GAME PLAYER", "run a built-in player as a bot on standard input and output", "seed",
     "Answers each line of JSON with one, as described in docs/protocol.md.\n", 2, 2, cmd_bot},
    {"check-bot", "GAME -- COMMAND", "check that a bot follows the protocol, and say what to fix",
     "seed move-cap reuse " BOT_OPTIONS " json",
     "Plays a few games against a random player, with --reuse all in one process. The exit\n"
     "status is 1 if a check failed.\n",
     2, 64, cmd_check_bot},
    {"mark", "GAME PLAYER -- COMMAND", "say whether a bot plays what a strategy would play",
     "games seed start size move-cap reuse each " BOT_OPTIONS " json quiet",
     "Asks the bot for a move in positions of random games, and compares it with the best\n"
     "moves of bloodlust, self-preservation, land-grab or minimax; any best move counts.\n"
     "Prints the share and the first position where it differs. The exit status is 1 if\n"
     "there is one. With --each DIR the answers of many bots in a table:\n"
     "  turf mark wol bloodlust --each class -- bots/prolog/wol {}/my_wol.pl bloodlust\n",
     3, 64, cmd_mark},
    {"run", "CONFIG.json", "play an AI Battleground config file",
     "games seed jobs time move-cap " BOT_OPTIONS
     " reuse pin listen strict db no-times json json-lines quiet",
     "Plays one game, or as many as -n says. Player types: dummy, process, tcp.\n", 1, 1, cmd_run},
    {"runs", "", "list the runs in the database and their progress", "db json", NULL, 0, 0,
     cmd_runs},
    {"report", "[RUN]", "write a run as a page of charts (default: the last run)",
     "output db no-times quiet",
     "The page is one HTML file without scripts. 'turf runs' lists the runs.\n", 0, 1, cmd_report},
    {"export", "[RUN]", "export games, standings, pairings or runs as CSV, JSON lines or Markdown",
     "what format output db no-times quiet",
     "Formats: csv, jsonl (default) and md. 'turf replay' reads games in jsonl.\n", 0, 1,
     cmd_export},
    {"replay", "[FILE|ID]", "step through a recorded game (default: the last one)", "db",
     "Keys: K or the right arrow for the next move, J or the left arrow for the previous\n"
     "one, Home, End; n and p for the next and the previous game of a file; q to quit.\n"
     "If the output is not a terminal, prints the whole game.\n",
     0, 1, cmd_replay},
    {"analyse", "GAME FILE|ID",
     "say what each move of a recorded game was worth, and what was better", "time nodes db json",
     "FILE has games as 'turf export' and the command save of 'turf play' write them; ID is the\n"
     "number of a game in the database. Every move gets a mark by what it cost in winning\n"
     "chance: best, good, inaccuracy (5 %), mistake (10 %) or blunder (20 %). SquirrelWar is\n"
     "solved from 16 empty squares on, with higher limits from 20. With --nodes, also the\n"
     "default, the result is the same on every machine. See docs/analysis.md.\n",
     2, 2, cmd_analyse},
    {"puzzles", "GAME", "make positions with one best move, and their solutions", "games seed json",
     "Makes 5 puzzles, or as many as -n says; the same seed makes the same ones. A puzzle says\n"
     "how many moves ahead one must look. See docs/analysis.md.\n",
     1, 1, cmd_puzzles},
    {"serve", "", "serve the games and the arena to browsers",
     "port listen host trusted-proxy db allow config sandbox allow-write allow-read bot-env "
     "bot-memory "
     "bot-processes bot-cpu bot-cores "
     "max-games max-streams "
     "max-bots max-history patience page one-file quiet",
     "Browsers may choose the built-in players and those of --allow:\n"
     "  turf serve --allow \"mine=bot:python3 my_bot.py\" --allow wol/deep=minimax:depth=3\n"
     "Ctrl-C or SIGTERM stops the server; unfinished games continue when it is started\n"
     "again. docs/api.md describes the HTTP API.\n",
     0, 0, cmd_serve},
    {"devices", "", "list the processor and the graphics cards that can play, and their speed",
     "json quiet",
     "The speed is that of random games of War of Life, tried for half a second each. See\n"
     "docs/gpu.md.\n",
     0, 0, cmd_devices},
    {"completion", "bash|zsh|fish", "print the completion script for a shell", "",
     "For bash: eval \"$(turf completion bash)\". The scripts call\n"
     "'turf completion answer -- WORD...', which prints the completions of the last word.\n",
     1, INT_MAX, cmd_completion},
    {"help", "[COMMAND]", "list the commands, or describe one and its options", "man", NULL, 0, 1,
     cmd_help},
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
        die("bench is now a separate program; run './do bench' in a clone of turf");
    enum { N_COMMANDS = sizeof commands / sizeof commands[0] };
    const char *names[N_COMMANDS];
    char        quoted[ERROR_QUOTE_BYTES], meant[SUGGESTION_BYTES];
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    suggestion(meant, name, names, N_COMMANDS, "'");
    die("unknown command '%s'%s", error_quote(quoted, name),
        *meant ? meant : "; 'turf help' lists the commands");
}

static void list_commands(FILE *out)
{
    fputs("turf: four territory games, players and an arena for them\n\n", out);
    for (size_t i = 0; command_at(i); i++) {
        char line[128];
        snprintf(line, sizeof line, "turf %s %s", commands[i].name, commands[i].usage);
        enum { WIDTH = 31 };
        if (strlen(line) > WIDTH)
            fprintf(out, "  %s\n  %*s %s\n", line, WIDTH, "", commands[i].summary);
        else
            fprintf(out, "  %-*s %s\n", WIDTH, line, commands[i].summary);
    }
    fputs("\n'turf help COMMAND' lists its options; 'turf play war-of-life' starts a game.\n", out);
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
            die("%s takes no arguments; 'turf help' lists the commands", name);
        puts("turf " TURF_VERSION);
        console_finish();
        return EXIT_FINE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "build-bot") && argc == 2)
        return cmd_build_bot();
    const Command *command = find_command(name);
    console_set_name(command->name);
    Arguments arguments;
    options_parse(command, argc - 1, argv + 1, &arguments);
    int status = command->run(&arguments);
    console_finish();
    return status;
}
