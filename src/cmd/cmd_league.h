/* What the files of 'turf league' share. */
#ifndef TURF_CMD_CMD_LEAGUE_H
#define TURF_CMD_CMD_LEAGUE_H

#include "cmd/command.h"
#include "league/league.h"

/* Opens the file and its league, or ends the program. */
Store *league_open_or_die(League *league, const char *path, StoreMode mode);
/* Closes both. */
void league_close(League *league);
/* The table on standard output, as text or with --json. */
void league_print(const League *league, const Settings *settings);

/* cmd_league_play.c */
int league_play(const Arguments *arguments);
int league_play_final(const Arguments *arguments);

/* cmd_league_submit.c */
int league_invite_team(const Arguments *arguments);
int league_submit(const Arguments *arguments);
/* The path of this program, which builds bots. */
const char *own_path(void);

#endif
