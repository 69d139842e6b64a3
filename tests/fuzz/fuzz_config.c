/* The config files of 'turf run'. Opens no ports. */
#include "cmd/run_config.h"
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char     *text = fuzz_text(data, size);
    TurfError error = {0};
    Plan      plan = {.game = turf_game_find("ai-battleground", NULL),
                      .schedule = SCHEDULE_MATCH,
                      .n_games = 1,
                      .n_rounds = 1};
    if (run_config_read(&plan, text, NULL, &error)) {
        TurfState state = {{0}};
        TurfRng   rng = turf_rng(1);
        claim(plan.n_entrants == 2 && plan.n_starts == 1, "%zu players, %zu starts",
              plan.n_entrants, plan.n_starts);
        claim(turf_start(plan.game, plan.starts[0], &rng, &state, &error),
              "its start cannot be read: %s", error.text);
        fuzz_check_position(plan.game, &state);
    } else {
        fuzz_check_line(error.text);
    }
    plan_release(&plan);
    free(text);
    return 0;
}
