/* Stored plans of runs, which come from other machines when shards are merged. */
#include "arena/plan.h"
#include "arena/schedule.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_plan(const Plan *plan)
{
    char     *text = plan_to_json(plan), *same = NULL, hash[17], difference[200];
    Plan      again;
    TurfError error = {0};
    claim(text && plan_from_json(&again, text, &error), "a plan that cannot be read again: %s",
          error.text);
    same = plan_to_json(&again);
    claim(same && !strcmp(text, same), "another plan when read again:\n%s\n%s", text, same);
    claim(!plan_difference(text, same, difference, sizeof difference),
          "a plan differs from itself: %s", difference);
    plan_hash(text, hash);
    claim(strlen(hash) == 16, "a hash of another length");
    if (!schedule_check(plan, &error))
        fuzz_check_line(error.text);
    plan_release(&again);
    free(same);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char     *text = fuzz_text(data, size);
    Plan      plan;
    TurfError error = {0};
    if (plan_from_json(&plan, text, &error)) {
        check_plan(&plan);
        plan_release(&plan);
    } else {
        fuzz_check_line(error.text);
    }
    free(text);
    return 0;
}
