/* The rank of this process in MPI_COMM_WORLD, the number of processes, and `sync` of all of them,
 * for a source of the model MPI that does not itself include mpi.h before its experiments. The
 * translator includes it after the last line of such a source, and after mpi.h. C89 or C++. Before
 * MPI_Init and after MPI_Finalize there is one process. */
#ifndef CLL_MPI_WORLD_H
#define CLL_MPI_WORLD_H
#pragma GCC system_header

#ifdef MPI_VERSION

static int cll_mpi_runs(void)
{
    int on = 0, over = 0;
    MPI_Initialized(&on);
    MPI_Finalized(&over);
    return on && !over;
}

static double __attribute__((__unused__)) cll_mpi_world_size(void)
{
    int size = 1;
    if (cll_mpi_runs())
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static double __attribute__((__unused__)) cll_mpi_world_rank(void)
{
    int rank = 0;
    if (cll_mpi_runs())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

#ifdef CLL_MPI_SYNC_H
static unsigned __attribute__((__unused__)) cll_mpi_world_sync(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    return cll_mpi_runs() ? cll_mpi_sync_at(&world) : 0u;
}
#endif

#endif
#endif
