/* turf match: the coursework's test_strategy, for any two players. */
#include "cmd/plan_options.h"
#include "cmd/session.h"

int cmd_match(const Arguments *arguments)
{
    Plan plan = plan_read(arguments, SCHEDULE_MATCH);
    return session_play(arguments, &plan);
}
