/* The table of command-line options, for help, the manual, completion and config files. */
#ifndef TURF_CMD_OPTIONS_H
#define TURF_CMD_OPTIONS_H

#include "cmd/command.h"

typedef enum OptionKind { FLAG, NUMBER, TEXT, LIST } OptionKind;

typedef struct Option {
    const char *name;
    char        letter; /* 0: none */
    OptionKind  kind;
    const char *argument; /* the name of the value in help, or all its values: a|b */
    size_t      offset;   /* in Settings */
    size_t      given;    /* offset of a flag that says it was typed; 0: none */
    uint64_t    min, max;
    const char *help;
} Option;

/* NULL past the last. */
const Option *option_at(size_t index);
bool          option_is_taken(const Option *option, const Command *command);
/* Was it typed? */
bool option_is_given(const Option *option, const Settings *settings);
/* Sets it, or adds to a list. `typed` is its name in messages. */
bool option_set(const Option *option, Settings *settings, const char *typed, const char *value,
                TurfError *error);

/* What an option is called now, if this was its name before, without the dashes; else NULL. */
const char *option_new_name(const char *old);

#endif
