/* The files of --starts ('s' after the game) and --entrants (anything else). */
#include "cmd/plan_options.h"
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Plan      plan = {.game = fuzz_game(&data, &size),
                      .schedule = SCHEDULE_ROUND_ROBIN,
                      .n_games = 1,
                      .n_rounds = 1};
    bool      has_starts = size > 0 && data[0] == 's';
    TurfError error = {0};
    FILE     *file = size > 1 ? fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r") : NULL;
    if (!file)
        return 0;
    if (!(has_starts ? plan_read_starts : plan_read_entrants)(&plan, file, "the list", &error))
        fuzz_check_line(error.text);
    for (size_t i = 0; i < plan.n_entrants; i++)
        fuzz_check_line(plan.entrants[i].name);
    char *text = plan_to_json(&plan);
    claim(text, "a plan that cannot be written");
    free(text);
    plan_release(&plan);
    fclose(file);
    return 0;
}
