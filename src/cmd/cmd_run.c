/* turf run: a config file of the original AI Battleground server, as it stands. */
#include "cmd/console.h"
#include "cmd/plan_options.h"
#include "cmd/run_config.h"
#include "cmd/session.h"

#include <stdlib.h>

int cmd_run(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *path = arguments->words[0];
    Plan            plan = plan_begin(read_game("ai-battleground"), SCHEDULE_MATCH, settings, 1);
    char           *text = read_file(path);
    TurfError       error;
    if (!run_config_read(&plan, text, settings->listen, &error))
        die("%s: %s", path, error.text);
    free(text);
    return session_play(arguments, &plan);
}
