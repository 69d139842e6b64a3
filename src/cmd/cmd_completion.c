/* turf completion: the shells' scripts, and the answers to their questions. At each Tab a script
 * runs `turf completion answer`, and the candidates are found here, in the tables of commands,
 * options, games and players. */
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/options.h"
#include "players/player.h"
#include "players/player_options.h"
#include "texts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The word that is being typed, and what is known from those before it. */
typedef struct Question {
    const Command  *command;
    const TurfGame *game; /* NULL: not yet known */
    const char     *word;
    size_t          n_kept; /* bytes of the word before the part that is completed */
} Question;

/* ---- answers ------------------------------------------------------------------------------ */

/* Prints a candidate if the word is a prefix of it. */
static void offer(const Question *question, const char *text, const char *summary)
{
    const char *part = question->word + question->n_kept;
    if (strncmp(part, text, strlen(part)))
        return;
    printf("%.*s%s", (int)question->n_kept, question->word, text);
    if (summary)
        printf("\t%s", summary);
    putchar('\n');
}

static void offer_commands(const Question *question)
{
    for (size_t i = 0; command_at(i); i++)
        offer(question, command_at(i)->name, command_at(i)->summary);
}

static void offer_games(const Question *question)
{
    for (size_t i = 0; turf_game_at(i); i++)
        offer(question, turf_game_at(i)->name, turf_game_at(i)->summary);
}

static void offer_options(const Question *question)
{
    const Option *option;
    char          text[64];
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!option_is_taken(option, question->command))
            continue;
        snprintf(text, sizeof text, "--%s", option->name);
        offer(question, text, option->help);
    }
    offer(question, "--help", "what the command does, and its options");
}

/* ---- players ------------------------------------------------------------------------------ */

/* The option as it is typed: with each of its values if they have names, else up to the '='. */
static void offer_player_option(const Question *question, const PlayerOption *option)
{
    const char *const *names = player_option_names(option, question->game);
    char               text[64];
    if (!names[0]) {
        snprintf(text, sizeof text, "%s=", option->name);
        offer(question, text, option->help);
    }
    for (; names[0]; names++) {
        snprintf(text, sizeof text, "%s=%s", option->name, names[0]);
        offer(question, text, option->help);
    }
}

static void offer_levels(const Question *question, const PlayerOption *option)
{
    for (int64_t level = option->min; level <= option->max; level++) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)level);
        offer(question, text, NULL);
    }
}

static void offer_player_options(const Question *question, const PlayerKind *kind)
{
    const PlayerOption *option;
    for (size_t i = 0; (option = player_kind_option(kind, &i));) {
        if (option->id == OPTION_LEVEL)
            offer_levels(question, option);
        else
            offer_player_option(question, option);
    }
}

static void offer_kinds(const Question *question)
{
    const PlayerKind *kind;
    char              text[64];
    for (size_t i = 0; (kind = player_kind_at(i)); i++) {
        if (question->game && !player_kind_plays(kind, question->game))
            continue;
        bool needs_value = kind->is_external || kind->options == OPTION_LEVEL;
        snprintf(text, sizeof text, "%s%s", kind->name, needs_value ? ":" : "");
        offer(question, text, kind->summary);
    }
    if (question->command->run == cmd_play)
        offer(question, "human", "a person at the terminal");
}

/* A player is NAME=KIND:option=value,option=value or bot:COMMAND, with or without the name. */
static void offer_players(const Question *question)
{
    Question    rest = *question;
    const char *spec = question->word + question->n_kept;
    size_t      length = strcspn(spec, ":=");
    if (spec[length] == '=')
        spec += length + 1;
    const char *colon = strchr(spec, ':');
    rest.n_kept = (size_t)(spec - question->word);
    if (!colon) {
        offer_kinds(&rest);
        return;
    }
    TurfError         error;
    const PlayerKind *kind = player_kind_named(NULL, spec, &error);
    if (!kind)
        return;
    if (kind->starts_process)
        puts(":files");
    const char *comma = strrchr(colon, ',');
    rest.n_kept = (size_t)((comma ? comma : colon) + 1 - question->word);
    offer_player_options(&rest, kind);
}

/* ---- what a word stands for --------------------------------------------------------------- */

static void offer_starts(const Question *question)
{
    for (const NamedStart *start = question->game ? question->game->starts : NULL;
         start && start->name; start++)
        offer(question, start->name, start->summary);
    puts(":files");
}

/* One word of a usage line or of an option's argument, such as GAME. A word in lower case stands
 * for itself. */
static void offer_meaning(const Question *question, const char *meaning)
{
    static const struct {
        const char *meaning;
        void (*offer)(const Question *question);
        const char *line; /* an instruction for the shell, such as completing file names */
    } meanings[] = {
        {"GAME", offer_games, NULL},     {"P", offer_players, NULL},
        {"P1", offer_players, NULL},     {"P2", offer_players, NULL},
        {"PLAYER", offer_players, NULL}, {"COMMAND", offer_commands, NULL},
        {"START", offer_starts, NULL},   {"FILE", NULL, ":files"},
        {"SHARD", NULL, ":files"},       {"INPUT", NULL, ":files"},
        {"CONFIG.json", NULL, ":files"}, {"DIR", NULL, ":folders"},
        {"PROGRAM", NULL, ":programs"},  {"POSITION", offer_starts, NULL},
    };
    if (islower((unsigned char)meaning[0]) || meaning[0] == '-')
        offer(question, meaning, NULL);
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(meaning, meanings[i].meaning))
            continue;
        if (meanings[i].offer)
            meanings[i].offer(question);
        else
            puts(meanings[i].line);
    }
}

/* The same for several with '|' between them. */
static void offer_meanings(const Question *question, const char *meanings)
{
    char *copy = strdup(meanings), *rest = copy;
    for (char *meaning; (meaning = strsep(&rest, "|"));)
        offer_meaning(question, meaning);
    free(copy);
}

/* The `index`-th word of the usage that is no option, without brackets, in `word`; the last may be
 * repeated ("P..."). False if there is none. */
static bool usage_word(const Command *command, int index, char *word, size_t room)
{
    bool was_option = false;
    for (const char *at = command->usage; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        size_t      length = strcspn(at, " ");
        const char *begin = at + (*at == '['), *dots = strstr(begin, "...");
        bool        is_option = *at == '-' && at[1] != '-', is_word = !is_option && !was_option;
        was_option = is_option;
        if (!is_word)
            continue;
        bool repeats = dots && dots < at + length;
        snprintf(word, room, "%.*s", (int)strcspn(begin, repeats ? "." : "] "), begin);
        if (index-- == 0 || (repeats && index >= 0))
            return true;
    }
    return false;
}

/* ---- the words before --------------------------------------------------------------------- */

static const Option *find_option(const Command *command, const char *name, size_t length,
                                 char letter)
{
    const Option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option_is_taken(option, command) &&
            (name ? strlen(option->name) == length && !strncmp(option->name, name, length)
                  : option->letter == letter))
            return option;
    return NULL;
}

/* The option whose value is the next word; NULL if this one has its value already, or takes none.
 */
static const Option *option_waiting(const Command *command, const char *word)
{
    const Option *option = NULL;
    if (word[0] == '-' && word[1] == '-') {
        option = strchr(word, '=') ? NULL : find_option(command, word + 2, strlen(word + 2), 0);
        return option && option->kind != FLAG ? option : NULL;
    }
    for (const char *letter = word + 1; *letter; letter++) {
        option = find_option(command, NULL, 0, *letter);
        if (option && option->kind != FLAG)
            return letter[1] ? NULL : option;
    }
    return NULL;
}

/* What the word after all others may be; `n_plain` of those were no options. */
static void answer_plain(const Question *question, int n_plain)
{
    char meaning[64];
    if (usage_word(question->command, n_plain, meaning, sizeof meaning))
        offer_meanings(question, meaning);
}

static void answer_option(Question *question)
{
    const char   *equals = strchr(question->word, '=');
    const Option *option = equals ? find_option(question->command, question->word + 2,
                                                (size_t)(equals - question->word - 2), 0)
                                  : NULL;
    if (!equals) {
        offer_options(question);
    } else if (option && option->argument) {
        question->n_kept = (size_t)(equals + 1 - question->word);
        offer_meanings(question, option->argument);
    }
}

/* `words` are those after 'turf'; the last is being typed. */
static void answer(const char *const *words, int n_words)
{
    Question      question = {.word = words[n_words - 1]};
    const Option *waiting = NULL;
    int           n_plain = 0, n_after = -1; /* words after "--" */
    TurfError     error;
    if (n_words == 1) {
        offer_commands(&question);
        return;
    }
    for (size_t i = 0; command_at(i); i++)
        if (!strcmp(command_at(i)->name, words[0]))
            question.command = command_at(i);
    if (!question.command)
        return;
    for (int i = 1; i < n_words - 1; i++) {
        if (waiting) {
            waiting = NULL;
        } else if (n_after >= 0) {
            n_after++;
        } else if (!strcmp(words[i], "--")) {
            n_after = 0;
        } else if (words[i][0] == '-' && words[i][1]) {
            waiting = option_waiting(question.command, words[i]);
        } else if (n_plain++ == 0) {
            question.game = turf_game_find(words[i], &error);
        }
    }
    if (n_after >= 0)
        offer_meaning(&question, n_after == 0 ? "PROGRAM" : "FILE");
    else if (waiting)
        offer_meanings(&question, waiting->argument);
    else if (question.word[0] == '-')
        answer_option(&question);
    else
        answer_plain(&question, n_plain);
}

int cmd_completion(const Arguments *arguments)
{
    static const struct {
        const char *shell, *script;
    } scripts[] = {{"bash", COMPLETION_BASH}, {"zsh", COMPLETION_ZSH}, {"fish", COMPLETION_FISH}};
    const char *what = arguments->words[0];
    char        quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (!strcmp(what, scripts[i].shell) && arguments->n_words == 1) {
            fputs(scripts[i].script, stdout);
            return EXIT_FINE;
        }
    if (strcmp(what, "answer") || arguments->n_words == 1)
        die("SHELL must be bash, zsh or fish, not '%s'", error_quote(quoted, what));
    answer(arguments->words + 1, arguments->n_words - 1);
    return EXIT_FINE;
}
