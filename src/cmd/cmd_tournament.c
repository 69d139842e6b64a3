/* turf tournament: every ordered pair, as in the coursework's table, or another schedule. */
#include "cmd/plan_options.h"
#include "cmd/session.h"

int cmd_tournament(const Arguments *arguments)
{
    Plan plan = plan_read(arguments, SCHEDULE_ROUND_ROBIN);
    return session_play(arguments, &plan);
}
