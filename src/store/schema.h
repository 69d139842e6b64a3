/* The tables, as they have grown: a database has had the first so many of these done to it, and
 * says how many. To change a table, add a step; never touch one that was in a release. */
#ifndef TURF_STORE_SCHEMA_H
#define TURF_STORE_SCHEMA_H

enum { STORE_APPLICATION_ID = 0x54757266 }; /* "Turf" */

static const char *const store_steps[] = {
    /* A run and its plan; who takes part; who meets whom, in the order in which it was decided. */
    "CREATE TABLE runs("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " game TEXT NOT NULL,"
    " plan TEXT NOT NULL,"
    " plan_hash TEXT NOT NULL,"
    " shard INTEGER NOT NULL," /* 1 of 1: all of it */
    " n_shards INTEGER NOT NULL,"
    " created INTEGER NOT NULL," /* seconds since 1970 */
    " version TEXT NOT NULL,"    /* of turf */
    " is_finished INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE entrants("
    " run INTEGER NOT NULL REFERENCES runs,"
    " entrant INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " spec TEXT NOT NULL,"
    " PRIMARY KEY(run, entrant)) WITHOUT ROWID;"
    "CREATE TABLE pairings("
    " run INTEGER NOT NULL REFERENCES runs,"
    " pairing INTEGER NOT NULL,"
    " round INTEGER NOT NULL," /* from 1; 1 where there are no rounds */
    " first INTEGER NOT NULL,"
    " second INTEGER NOT NULL,"
    " n_games INTEGER NOT NULL,"
    " swaps_sides INTEGER NOT NULL,"
    " PRIMARY KEY(run, pairing)) WITHOUT ROWID;"
    /* Games one by one. What is said of sides is said of the board: "first" moved first. */
    "CREATE TABLE games("
    " id INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL REFERENCES runs,"
    " pairing INTEGER NOT NULL,"
    " game INTEGER NOT NULL,"       /* in its pairing, from 0 */
    " is_swapped INTEGER NOT NULL," /* the pairing's first entrant moved second */
    " is_sample INTEGER NOT NULL,"  /* counted in a chunk, and kept to be looked at */
    " ending TEXT NOT NULL,"        /* first, second, draw, stalemate, exhausted */
    " length INTEGER NOT NULL,"
    " forfeiter TEXT," /* first, second */
    " reason TEXT,"
    " explanation TEXT,"
    " last_words TEXT," /* of the forfeiter, on standard error */
    " seconds REAL NOT NULL,"
    " start TEXT NOT NULL," /* a position, JSON */
    " moves TEXT NOT NULL," /* JSON: a list of moves, or of both sides' actions */
    " times TEXT NOT NULL," /* JSON: microseconds for each move, or a pair of them */
    " UNIQUE(run, pairing, game));"
    /* Sums over the games number first_game to first_game + n_games - 1 of a pairing; with sides
     * changed in every other game, one row for those where the pairing's first entrant moved first
     * and one for the others. In the sums, "first" is the pairing's first entrant. */
    "CREATE TABLE chunks("
    " run INTEGER NOT NULL REFERENCES runs,"
    " pairing INTEGER NOT NULL,"
    " first_game INTEGER NOT NULL,"
    " is_swapped INTEGER NOT NULL,"
    " n_games INTEGER NOT NULL,"
    " n_counted INTEGER NOT NULL,"
    " won_by_first INTEGER NOT NULL,"
    " won_by_second INTEGER NOT NULL,"
    " drawn INTEGER NOT NULL,"
    " stalemate INTEGER NOT NULL,"
    " exhausted INTEGER NOT NULL,"
    " length_sum INTEGER NOT NULL,"
    " length_square_sum INTEGER NOT NULL,"
    " shortest INTEGER NOT NULL,"
    " longest INTEGER NOT NULL,"
    " seconds REAL NOT NULL,"
    " PRIMARY KEY(run, pairing, first_game, is_swapped)) WITHOUT ROWID;",

    /* Games that people play, or watch being played: what was agreed on, how it stands, and every
       move. */
    "CREATE TABLE sittings("
    " id TEXT NOT NULL PRIMARY KEY,"
    " game TEXT NOT NULL,"
    " created INTEGER NOT NULL," /* milliseconds since 1970 */
    " updated INTEGER NOT NULL,"
    " is_over INTEGER NOT NULL,"
    " is_listed INTEGER NOT NULL,"
    " first TEXT NOT NULL," /* the players, as shown */
    " second TEXT NOT NULL,"
    " winner INTEGER," /* 0, 1, or NULL */
    " outcome TEXT,"
    " reason TEXT,"
    " n_moves INTEGER NOT NULL,"
    " first_score INTEGER NOT NULL,"
    " second_score INTEGER NOT NULL,"
    " setup TEXT NOT NULL," /* JSON, and never changes */
    " live TEXT NOT NULL)"  /* JSON: seats, clocks, how it ended */
    " WITHOUT ROWID;"
    "CREATE INDEX sittings_by_time ON sittings(is_over, updated, id);"
    "CREATE TABLE sitting_moves("
    " sitting TEXT NOT NULL REFERENCES sittings,"
    " ply INTEGER NOT NULL," /* from 1 */
    " side INTEGER NOT NULL,"
    " move TEXT NOT NULL," /* JSON */
    " ms INTEGER NOT NULL,"
    " PRIMARY KEY(sitting, ply)) WITHOUT ROWID;",
};

enum { N_STORE_STEPS = sizeof store_steps / sizeof store_steps[0] };

#endif
