/* turf replay: a recorded game, step by step at a terminal or all at once in a pipe. At a terminal
 * it draws on the alternate screen in raw mode; atexit and signal handlers restore the terminal. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/recorded_input.h"
#include "games/cells.h"
#include "live/replay.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* The games to step through: one from the database, or all of a file. */
typedef struct Album {
    json_t *records;
    size_t  at;
    Replay  replay; /* records[at], at the position shown */
    int     scroll; /* lines above the window */
} Album;

static void open_game(Album *album, size_t index)
{
    TurfError error;
    replay_release(&album->replay);
    if (!replay_init(&album->replay, json_array_get(album->records, index), &error))
        die("game %zu cannot be shown: %s", index + 1, error.text);
    history_seek(&album->replay.history, 0);
    album->at = index;
    album->scroll = 0;
}

/* ---- words and pictures -------------------------------------------------------------------- */

static void write_title(const Album *album, FILE *out)
{
    const Replay   *replay = &album->replay;
    const TurfGame *game = replay->history.game;
    json_int_t      id = json_integer_value(json_object_get(replay->record, "id"));
    fprintf(out, "%s: %s is %s, %s is %s", game->title, replay->names[0], game->side_names[0],
            replay->names[1], game->side_names[1]);
    if (id > 0)
        fprintf(out, " (game %lld)", (long long)id);
    if (json_array_size(album->records) > 1)
        fprintf(out, ", %zu of %zu", album->at + 1, json_array_size(album->records));
    fputc('\n', out);
}

/* Which move led here, and whose turn it is or how it ended. */
static void write_caption(const Replay *replay, const TurfState *before, FILE *out)
{
    const MoveHistory *history = &replay->history;
    const TurfGame    *game = history->game;
    const TurfState   *now = &history->state;
    TurfEnding         ending;
    char               text[500];
    fprintf(out, "Move %zu of %zu: ", history->n_plies, history->n_kept);
    if (history->n_plies == 0) {
        fputs("the start", out);
    } else if (game_is_simultaneous(game)) {
        fputs("both moved", out);
    } else {
        const Ply *last = &history->plies[history->n_plies - 1].ply;
        turf_move_to_text(game, before, last->move, text);
        fprintf(out, "%s (%s) moved %s", game->side_names[last->side], replay->names[last->side],
                text);
    }
    fprintf(out, "; %s %d, %s %d\n", game->side_names[0], game->own(now, TURF_FIRST),
            game->side_names[1], game->own(now, TURF_SECOND));
    TurfMover next = game->is_over(now, &ending) ? TURF_MOVER_NONE : game->to_move(now);
    if (history->n_plies == history->n_kept) {
        replay_ending_text(replay, text, sizeof text);
        fprintf(out, "%s.\n", text);
    } else if (next <= TURF_MOVER_SECOND) {
        fprintf(out, "%s (%s) is to move.\n", game->side_names[next], replay->names[next]);
    } else {
        fputs("Both are to move.\n", out);
    }
}

static void write_position(const Album *album, FILE *out)
{
    const MoveHistory *history = &album->replay.history;
    const TurfGame    *game = history->game;
    size_t             n_plies = history->n_plies;
    DrawStyle          style = console_draw_style(stdout);
    TurfState          before;
    history_position_at(history, n_plies ? n_plies - 1 : 0, &before);
    write_caption(&album->replay, &before, out);
    fputc('\n', out);
    if (n_plies > 0 && !game_is_simultaneous(game))
        game_draw_move(game, &before, history->plies[n_plies - 1].ply.move, &style, out);
    else
        game_draw(game, &history->state, &style, out);
}

static void print_games(Album *album)
{
    for (size_t i = 0; i < json_array_size(album->records); i++) {
        if (i > 0)
            putchar('\n');
        open_game(album, i);
        write_title(album, stdout);
        MoveHistory *history = &album->replay.history;
        for (size_t n_plies = 0; n_plies <= history->n_kept; n_plies++) {
            history_seek(history, n_plies);
            putchar('\n');
            write_position(album, stdout);
        }
    }
}

/* ---- the terminal -------------------------------------------------------------------------- */

/* The settings of the terminal before, for atexit and signal handlers. */
static struct termios terminal_before;

static void restore_terminal(void)
{
    static const char normal_screen[] = "\033[?25h\033[?1049l";
    (void)!write(STDOUT_FILENO, normal_screen, sizeof normal_screen - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

static void leave(int signal_number)
{
    restore_terminal();
    _exit(128 + signal_number);
}

/* Interrupts the wait for a key, so that the screen is redrawn. */
static void note_new_size(int signal_number) { (void)signal_number; }

static void take_terminal(void)
{
    static const char alternate_screen[] = "\033[?1049h\033[?25l";
    struct termios    raw = terminal_before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    (void)!write(STDOUT_FILENO, alternate_screen, sizeof alternate_screen - 1);
}

/* Gives the terminal back to the shell until the process is continued. */
static void suspend(int signal_number)
{
    /* Not SIGSTOP: without a shell that could continue the process, SIGTSTP has no effect. */
    struct sigaction mine;
    sigset_t         this_one;
    restore_terminal();
    sigaction(signal_number, &(struct sigaction){.sa_handler = SIG_DFL}, &mine);
    sigemptyset(&this_one);
    sigaddset(&this_one, signal_number);
    kill(getpid(), signal_number);
    sigprocmask(SIG_UNBLOCK, &this_one, NULL);
    sigaction(signal_number, &mine, NULL);
    take_terminal();
}

static void prepare_terminal(void)
{
    if (tcgetattr(STDIN_FILENO, &terminal_before) != 0)
        die("the terminal cannot be used: %s", strerror(errno));
    atexit(restore_terminal);
    static const int ends[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaction(ends[i], &(struct sigaction){.sa_handler = leave}, NULL);
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = suspend}, NULL);
    sigaction(SIGWINCH, &(struct sigaction){.sa_handler = note_new_size}, NULL);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16); /* one write per frame: no flicker */
    take_terminal();
}

/* One line of text, cut at the right edge by the terminal. */
static void show_line(const char *line, size_t length)
{
    fwrite(line, 1, length, stdout);
    fputs("\033[0m\033[K\r\n", stdout);
}

static int window_rows(void)
{
    struct winsize window = {0};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 3 ? window.ws_row : 24;
}

/* The title, as much of the position as fits, and the keys at the bottom. */
static void show(Album *album)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = or_die(open_memstream(&text, &length));
    write_title(album, out);
    write_position(album, out);
    fclose(out);
    int n_lines = 0, room = window_rows() - 1;
    for (const char *at = text; *at; at++)
        n_lines += *at == '\n';
    int max = n_lines > room ? n_lines - room : 0;
    if (album->scroll > max)
        album->scroll = max;
    if (album->scroll < 0)
        album->scroll = 0;
    fputs("\033[?7l\033[H", stdout);
    const char *line = text;
    for (int i = 0; i < n_lines && i < album->scroll + room; i++) {
        size_t bytes = strcspn(line, "\n");
        if (i >= album->scroll)
            show_line(line, bytes);
        line += bytes + 1;
    }
    printf("\033[J\033[%dH%s", window_rows(), max > 0 ? "Up Down scroll  " : "");
    fputs("J back  K forward  Home End", stdout);
    fputs(json_array_size(album->records) > 1 ? "  n p other games  q quit\033[?7h"
                                              : "  q quit\033[?7h",
          stdout);
    console_finish();
    free(text);
}

typedef enum Key {
    KEY_NONE,
    KEY_BACK,
    KEY_FORWARD,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_NEXT,
    KEY_PREVIOUS,
    KEY_SUSPEND,
    KEY_QUIT
} Key;

/* The rest of an escape sequence. */
static Key read_escape(void)
{
    char           bytes[8] = "";
    int            n = 0;
    struct termios raw;
    /* The Escape key alone sends nothing more. */
    tcgetattr(STDIN_FILENO, &raw);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    while (n < 7 && read(STDIN_FILENO, &bytes[n], 1) == 1) {
        n++;
        if (n > 1 && (isalpha((unsigned char)bytes[n - 1]) || bytes[n - 1] == '~'))
            break;
    }
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    if (n < 2)
        return n == 0 ? KEY_QUIT : KEY_NONE;
    switch (bytes[n - 1]) {
    case 'A': return KEY_UP;
    case 'B': return KEY_DOWN;
    case 'C': return KEY_FORWARD;
    case 'D': return KEY_BACK;
    case 'H': return KEY_HOME;
    case 'F': return KEY_END;
    case '~':
        if (bytes[1] == '1' || bytes[1] == '7')
            return KEY_HOME;
        return bytes[1] == '4' || bytes[1] == '8' ? KEY_END : KEY_NONE;
    default: return KEY_NONE;
    }
}

static Key read_key(void)
{
    char    letter;
    ssize_t n = read(STDIN_FILENO, &letter, 1);
    if (n != 1)
        return n < 0 && errno == EINTR ? KEY_NONE : KEY_QUIT;
    switch (letter) {
    case '\033': return read_escape();
    case 'j':
    case 'J': return KEY_BACK;
    case 'k':
    case 'K':
    case ' ': return KEY_FORWARD;
    case 'n': return KEY_NEXT;
    case 'p': return KEY_PREVIOUS;
    case 'g': return KEY_HOME;
    case 'G': return KEY_END;
    case 'q':
    case 'Q':
    case 3: /* Ctrl-C */
    case 4: return KEY_QUIT;
    case 26: return KEY_SUSPEND; /* Ctrl-Z */
    default: return KEY_NONE;
    }
}

static void step(Album *album, Key key)
{
    MoveHistory *history = &album->replay.history;
    size_t       at = history->n_plies;
    switch (key) {
    case KEY_BACK: history_seek(history, at > 0 ? at - 1 : 0); break;
    case KEY_FORWARD: history_seek(history, at < history->n_kept ? at + 1 : at); break;
    case KEY_UP: album->scroll--; break;
    case KEY_DOWN: album->scroll++; break;
    case KEY_HOME: history_seek(history, 0); break;
    case KEY_END: history_seek(history, history->n_kept); break;
    case KEY_NEXT:
        if (album->at + 1 < json_array_size(album->records))
            open_game(album, album->at + 1);
        break;
    case KEY_PREVIOUS:
        if (album->at > 0)
            open_game(album, album->at - 1);
        break;
    case KEY_SUSPEND: raise(SIGTSTP); break;
    default: break;
    }
}

int cmd_replay(const Arguments *arguments)
{
    Album album = {.records = recorded_input(&arguments->settings,
                                             arguments->n_words ? arguments->words[0] : NULL)};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        print_games(&album);
    } else {
        open_game(&album, 0);
        prepare_terminal();
        Key key = KEY_NONE;
        do {
            step(&album, key);
            show(&album);
        } while ((key = read_key()) != KEY_QUIT);
    }
    replay_release(&album.replay);
    json_decref(album.records);
    return EXIT_FINE;
}
