/* A finished game as the history shows it: a live game, or a recorded game of a run. */
#ifndef TURF_WEB_RECORD_H
#define TURF_WEB_RECORD_H

#include "store/recorded_games.h"
#include "web/history_views.h"

enum { RECORD_ID_BYTES = 32 };

typedef struct Record {
    char        id[RECORD_ID_BYTES]; /* s-LIVE_GAME or r-NUMBER */
    char       *names[2];
    MoveHistory history;
    Finish      finish;
    int64_t     finished_ms; /* since 1970 */
    int64_t     run;         /* 0: a live game */
    bool        is_of_league;
    int64_t     seed; /* -1: not known */
} Record;

void record_release(Record *record);
bool record_set_names(Record *record, const char *first, const char *second, TurfError *error);
bool record_of_game(const RecordedGame *game, Record *record, TurfError *error);
/* For a list. */
json_t *record_summary(const Record *record);
/* With start, moves and scores. */
json_t *record_json(const Record *record);
/* As a line of `turf export`, and read from one: its moves are played again, and must lead to the
 * end that it claims. A record that ends before its game does is "unfinished". */
json_t *record_to_line(const Record *record);
bool    record_from_line(const json_t *line, Record *record, TurfError *error);

#endif
