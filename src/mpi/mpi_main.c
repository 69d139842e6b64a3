/* turf-mpi: 'turf match', 'turf tournament' and 'turf resume' with their games spread over the
 * ranks of an MPI job. */
#include "cmd/console.h"
#include "mpi/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const Command commands[] = {
    MATCH_COMMAND(RUN_OPTIONS, NULL),
    TOURNAMENT_COMMAND,
    RESUME_COMMAND,
};

/* At exit, also after an error: the other ranks wait for a message. */
static void leave(void)
{
    ranks_dismiss();
    MPI_Finalize();
}

static int run(int argc, char **argv)
{
    Arguments arguments;
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        console_set_name(commands[i].name);
        options_parse(&commands[i], argc - 1, argv + 1, &arguments);
        arguments.remote = &ranks_workers;
        int status = commands[i].run(&arguments);
        console_finish();
        return status;
    }
    die("type: mpiexec -n RANKS turf-mpi tournament GAME [P...], or match, or resume");
}

int main(int argc, char **argv)
{
    int level, rank, n_ranks;
    console_begin("turf");
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return EXIT_USAGE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        rank_work();
        MPI_Finalize();
        return EXIT_FINE;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    ranks_init(n_ranks);
    atexit(leave);
    return run(argc, argv);
}
