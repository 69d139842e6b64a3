/* The files of --config: options of 'turf serve'. */
#include "cmd/config.h"
#include "cmd/options.h"
#include "fuzz.h"

#include <stdlib.h>

static const Command serve = {
    .name = "serve",
    .options = "listen port db host allow page patience max-games max-streams max-bots config "
               "sandbox allow-write "
               "bot-memory quiet",
};

/* Claims: numbers are in range and lists end with NULL. */
static void check_settings(const Settings *settings)
{
    const Option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        const char *at = (const char *)settings + option->offset;
        if (option->kind == NUMBER && option_is_taken(option, &serve) &&
            option_is_given(option, settings)) {
            uint64_t number = *(const uint64_t *)(const void *)at;
            claim(number >= option->min && number <= option->max, "%s is %llu", option->name,
                  (unsigned long long)number);
        }
        if (option->kind == LIST)
            claim(!((const char *const *)(const void *)at)[MAX_LIST], "the list of %s has no end",
                  option->name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char     *text = fuzz_text(data, size);
    json_t   *config = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    Settings  settings = {.seed = 1};
    TurfError error = {0};
    if (config && config_apply(&serve, &settings, config, &error))
        check_settings(&settings);
    else if (config)
        fuzz_check_line(error.text);
    json_decref(config);
    free(text);
    return 0;
}
