/* How a game ended, in a fixed buffer: ending a game allocates nothing, so it cannot fail. */
#include "live/finish.h"

static int winner_of(TurfEnding ending)
{
    if (ending == TURF_WON_BY_FIRST)
        return 0;
    return ending == TURF_WON_BY_SECOND ? 1 : -1;
}

bool finish_by_rules(const TurfGame *game, const TurfState *state, Finish *finish)
{
    TurfEnding ending;
    if (!game->is_over(state, &ending))
        return false;
    int scores[2] = {game->own(state, TURF_FIRST), game->own(state, TURF_SECOND)};
    *finish = (Finish){.winner = winner_of(ending), .reason = "rules"};
    (void)snprintf(finish->outcome, sizeof finish->outcome, "%s", game->ending_names[ending]);
    const char *why = game->why_won ? game->why_won(state) : NULL;
    if (finish->winner >= 0 && why)
        (void)snprintf(finish->text, sizeof finish->text, "%s wins: %s",
                       game->side_names[finish->winner], why);
    else if (finish->winner >= 0)
        (void)snprintf(finish->text, sizeof finish->text, "%s wins, %d to %d",
                       game->side_names[finish->winner], scores[finish->winner],
                       scores[!finish->winner]);
    else
        (void)snprintf(finish->text, sizeof finish->text, "%s, %d to %d", finish->outcome,
                       scores[0], scores[1]);
    return true;
}

Finish finish_by_loss(const TurfGame *game, int side, const char *reason, const char *text)
{
    Finish finish = finish_without_winner(reason, text);
    finish.winner = !side;
    (void)snprintf(finish.outcome, sizeof finish.outcome, "%s",
                   game->ending_names[side ? TURF_WON_BY_FIRST : TURF_WON_BY_SECOND]);
    return finish;
}

Finish finish_without_winner(const char *reason, const char *text)
{
    Finish finish = {.winner = -1};
    (void)snprintf(finish.reason, sizeof finish.reason, "%s", reason);
    (void)snprintf(finish.text, sizeof finish.text, "%s", text);
    return finish;
}
