/* turf build-bot: the part of handing in a bot that happens inside of the sandbox. */
#ifndef TURF_CMD_CMD_BUILD_BOT_H
#define TURF_CMD_CMD_BUILD_BOT_H

/* Returns the exit status. */
int cmd_build_bot(void);

#endif
