/* What visitors may read of commands: the owner's folders are private. */
#ifndef TURF_WEB_PUBLIC_NAMES_H
#define TURF_WEB_PUBLIC_NAMES_H

#include "report/run_view.h"

/* Shortens a bot's command, in place, to the last part of every path in it; a bot without a name of
 * its own is called by its command. Other names stay as they are. */
void hide_folders(char *name);
/* The same for all entrants of a run. */
void hide_folders_of_run(RunView *view);

#endif
