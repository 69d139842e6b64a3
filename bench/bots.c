/* The arena's overhead per turn of two bots: AI Battleground turns compared with plain pipes that
 * carry the same bytes to the same processes and back. */
#include "arena/game_play.h"
#include "base/clock.h"
#include "bots/command_line.h"
#include "bots/process.h"
#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, TURNS = 2000, QUESTION_BYTES = 800 /* as long as that of a 24x24 board */ };

static const char nothing[] = "{\"cells\":[]}\n";

int bench_null_bot(void)
{
    static char text[1 << 16];
    for (ssize_t length; (length = read(STDIN_FILENO, text, sizeof text)) > 0;)
        if (text[length - 1] == '\n' && write(STDOUT_FILENO, nothing, sizeof nothing - 1) < 0)
            break;
    return EXIT_FINE;
}

/* Microseconds per turn through plain pipes. */
static double time_pipes(char *const *words)
{
    Process   processes[2];
    TurfError error;
    char      question[QUESTION_BYTES], answer[4096];
    memset(question, ' ', sizeof question);
    question[sizeof question - 1] = '\n';
    for (int i = 0; i < 2; i++) {
        if (!process_start(&processes[i], words, &(ProcessTerms){0}, &error))
            die("%s", error.text);
        fcntl(processes[i].from, F_SETFL, fcntl(processes[i].from, F_GETFL) & ~O_NONBLOCK);
    }
    int64_t begin_ns = clock_ns();
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < 2; i++)
            (void)!write(processes[i].to, question, sizeof question);
        for (int i = 0; i < 2; i++)
            (void)!read(processes[i].from, answer, sizeof answer);
    }
    double seconds = clock_seconds_since(begin_ns);
    for (int i = 0; i < 2; i++) {
        process_stop(&processes[i]);
        free(processes[i].error_text);
    }
    return seconds * 1e6 / TURNS;
}

/* Microseconds per turn of a game in the arena. */
static double time_arena(const char *spec)
{
    static const char start[] = "{\"config\":{\"maxGameIterations\":%d},\"board\":[%s]}";
    const TurfGame   *game = read_game("ai-battleground");
    char              rows[24 * 32] = "", *end = rows, *text = NULL;
    TurfState         state;
    TurfError         error;
    TurfRng           rng = turf_rng(1);
    GameResult        result;
    GamePlay          play = {.game = game,
                              .players = {read_player(game, spec), read_player(game, spec)},
                              .time_ms = 10000};
    for (int row = 0; row < 24; row++)
        end = stpcpy(end, row ? ",\"11..........22..........\"" : "\"11..........22..........\"");
    if (asprintf(&text, start, TURNS, rows) < 0)
        die("out of memory");
    if (!game_start(game, text, &rng, &state, &error))
        die("%s", error.text);
    int64_t begin_ns = clock_ns();
    if (!game_play(&play, &state, &result, &error) || result.forfeiter >= 0)
        die("the null bots could not play: %s",
            result.forfeiter >= 0 ? result.forfeit.text : error.text);
    double seconds = clock_seconds_since(begin_ns);
    turf_player_free(play.players[0]);
    turf_player_free(play.players[1]);
    free(text);
    return seconds * 1e6 / TURNS;
}

void bench_bots(Bench *bench)
{
    char       *words[] = {"/proc/self/exe", BENCH_NULL_BOT, NULL}, self[4096];
    double      pipes = 1e9, arena = 1e9;
    char        spec[5000];
    const char *what = "bots: a turn of two null bots, AI Battleground 24x24";
    ssize_t     length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return; /* no /proc */
    self[length] = '\0';
    char *quoted = command_quote((const char *const[]){self, BENCH_NULL_BOT}, 2);
    if (!quoted)
        die("out of memory");
    snprintf(spec, sizeof spec, "bot:%s", quoted);
    free(quoted);
    words[0] = self;
    /* The two alternate and the best time of each counts. */
    for (int round = 0; round < ROUNDS; round++) {
        double now = time_pipes(words);
        pipes = now < pipes ? now : pipes;
        now = time_arena(spec);
        arena = now < arena ? now : arena;
    }
    bench->slow_rate = 0;
    bench_add(bench, what, "two pipe ping-pongs", "us/turn", pipes);
    bench_add(bench, what, "the arena", "us/turn", arena);
    bench_add(bench, what, "the arena's own part", "us/turn", arena - pipes);
}
