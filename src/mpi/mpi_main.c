/* turf-mpi: 'turf match', 'turf tournament' and 'turf resume' with their games spread over the
 * ranks of an MPI job. */
#include "cmd/console.h"
#include "mpi/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* At exit, from wherever: the other ranks wait for a word. */
static Ranks ranks;

static const Command commands[] = {
    MATCH_COMMAND(RUN_OPTIONS, NULL),
    TOURNAMENT_COMMAND,
    RESUME_COMMAND,
};

static void leave(void)
{
    ranks_dismiss(&ranks);
    MPI_Finalize();
}

static int run(int argc, char **argv)
{
    static const RemoteWorkers elsewhere = {ranks_play, &ranks};
    Arguments                  arguments;
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        console_set_name(commands[i].name);
        options_parse(&commands[i], argc - 1, argv + 1, &arguments);
        arguments.elsewhere = &elsewhere;
        int status = commands[i].run(&arguments);
        console_finish();
        return status;
    }
    die("type: mpiexec -n RANKS turf-mpi tournament GAME [P...], or match, or resume");
}

int main(int argc, char **argv)
{
    int level, rank;
    console_begin("turf");
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return EXIT_USAGE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        ranks_serve();
        MPI_Finalize();
        return EXIT_FINE;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.n_ranks);
    atexit(leave);
    return run(argc, argv);
}
