/* The tables, as a list of migrations. A database stores in user_version how many of them it has
 * had. To change a table, append a migration; never edit one that was in a release.
 *
 * Databases of earlier versions must keep working, so tables keep the names they were created
 * with, even where the code has a better word: a row of `chunks` is a batch (half of one, if sides
 * are swapped), a row of `sittings` is a live game, and `sitting_moves` has its moves. */
#ifndef TURF_STORE_SCHEMA_H
#define TURF_STORE_SCHEMA_H

enum { STORE_APPLICATION_ID = 0x54757266 }; /* "Turf" */

static const char *const store_migrations[] = {
    /* Runs with their plans; their entrants; their pairings, in the order of the schedule. */
    "CREATE TABLE runs("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " game TEXT NOT NULL,"
    " plan TEXT NOT NULL,"
    " plan_hash TEXT NOT NULL,"
    " shard INTEGER NOT NULL," /* from 1 */
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
    " round INTEGER NOT NULL," /* from 1 */
    " first INTEGER NOT NULL,"
    " second INTEGER NOT NULL,"
    " n_games INTEGER NOT NULL,"
    " swaps_sides INTEGER NOT NULL,"
    " PRIMARY KEY(run, pairing)) WITHOUT ROWID;"
    /* Single games. "first" is the side that moved first. */
    "CREATE TABLE games("
    " id INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL REFERENCES runs,"
    " pairing INTEGER NOT NULL,"
    " game INTEGER NOT NULL,"       /* in its pairing, from 0 */
    " is_swapped INTEGER NOT NULL," /* the pairing's first entrant moved second */
    " is_sample INTEGER NOT NULL,"  /* counted in a chunk; recorded as an example */
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
    /* Totals of a batch: games first_game to first_game + n_games - 1 of a pairing. If sides are
     * swapped in every other game, the batch has a second row, with is_swapped set, for the games
     * in which the pairing's first entrant moved second. "first" is the pairing's first entrant. */
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

    /* Live games and their moves. */
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

    /* Signatures of plans with bots; see arena/plan_signature.h. */
    "CREATE TABLE signatures("
    " run INTEGER PRIMARY KEY REFERENCES runs,"
    " signature TEXT NOT NULL);",

    /* A league: one in a file. A team has versions of its bot, of which the last plays unless it is
     * retired. The plan has everything but players and pairs. A round is a run. */
    "CREATE TABLE leagues("
    " id INTEGER PRIMARY KEY CHECK(id=1),"
    " plan TEXT NOT NULL,"
    " audience TEXT NOT NULL,"   /* what visitors may see: nothing, table, games */
    " created INTEGER NOT NULL," /* seconds since 1970 */
    " is_frozen INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE league_teams("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " token_hash TEXT," /* NULL: nobody was invited */
    " created INTEGER NOT NULL);"
    "CREATE TABLE league_versions("
    " id INTEGER PRIMARY KEY,"
    " team INTEGER NOT NULL REFERENCES league_teams,"
    " version INTEGER NOT NULL," /* of the team, from 1 */
    " spec TEXT NOT NULL,"
    " folder TEXT,"    /* where a bot is started */
    " signature TEXT," /* of the league's plan with this version as its only entrant */
    " created INTEGER NOT NULL,"
    " retired INTEGER," /* NULL: it plays */
    " UNIQUE(team, version));"
    "CREATE TABLE league_rounds("
    " run INTEGER PRIMARY KEY REFERENCES runs,"
    " round INTEGER NOT NULL UNIQUE," /* from 1 */
    " is_final INTEGER NOT NULL);",

    /* Bots that teams handed in. Of what was refused only the words stay. */
    "CREATE TABLE league_submissions("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " team INTEGER NOT NULL REFERENCES league_teams,"
    " created INTEGER NOT NULL," /* seconds since 1970 */
    " file_name TEXT NOT NULL,"
    " n_bytes INTEGER NOT NULL,"
    " hash TEXT NOT NULL,"   /* SHA-256 of the archive */
    " status TEXT NOT NULL," /* waiting, building, checking, accepted, refused */
    " n_tries INTEGER NOT NULL DEFAULT 0,"
    " version INTEGER," /* of the team, once accepted */
    " sentence TEXT,"   /* why it was refused */
    " unpacked TEXT,"   /* what each step said; NULL: not reached */
    " built TEXT,"
    " checked TEXT,"
    " archive BLOB);" /* NULL once refused */
    "CREATE INDEX league_submissions_by_team ON league_submissions(team, id);",

    /* What the server adds to a league: may visitors play against the bot of a team, should the
     * server go on playing when it starts (0 no, 1 rounds, 2 the final), and the ratings after each
     * round. */
    "ALTER TABLE league_teams ADD COLUMN allows_practice INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE leagues ADD COLUMN wish INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE league_ratings("
    " version INTEGER NOT NULL REFERENCES league_versions,"
    " round INTEGER NOT NULL,"
    " elo REAL NOT NULL,"
    " low REAL," /* NULL: no bound */
    " high REAL,"
    " n_games INTEGER NOT NULL,"
    " created INTEGER NOT NULL," /* seconds since 1970 */
    " PRIMARY KEY(version, round)) WITHOUT ROWID;",
};

enum {
    N_MIGRATIONS = sizeof store_migrations / sizeof store_migrations[0],
    N_MIGRATIONS_TO_READ = 2 /* for those who only read: they do without what came later */
};

#endif
