/* Waits of a known place and cause: what rank 0 or 1 does too late by 300 ms, as the argument says. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static char data[1 << 20];

static void slow(void)
{
    usleep(300000);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    int rank, flag = 0;
    MPI_Request request;
    MPI_Win window;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Barrier(world);
    if (!strcmp(how, "sender")) {
        if (rank == 0) {
            slow();
            MPI_Send(data, 8, MPI_CHAR, 1, 1, world);
        }
        if (rank == 1)
            MPI_Recv(data, 8, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE);
    }
    if (!strcmp(how, "receiver")) {
        if (rank == 0)
            MPI_Send(data, 1 << 20, MPI_CHAR, 1, 1, world);
        if (rank == 1) {
            slow();
            MPI_Recv(data, 1 << 20, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE);
        }
    }
    /* Rank 2 waits for a rank that is two messages away. */
    if (!strcmp(how, "chain")) {
        if (rank == 0) {
            slow();
            MPI_Ssend(data, 8, MPI_CHAR, 1, 1, world);
        }
        if (rank == 1) {
            MPI_Recv(data, 8, MPI_CHAR, 0, 1, world, MPI_STATUS_IGNORE);
            MPI_Rsend(data, 8, MPI_CHAR, 2, 1, world);
        }
        if (rank == 2)
            MPI_Recv(data, 8, MPI_CHAR, 1, 1, world, MPI_STATUS_IGNORE);
    }
    if (!strcmp(how, "poll")) {
        if (rank == 0) {
            slow();
            MPI_Send(data, 8, MPI_CHAR, 1, 1, world);
        }
        if (rank == 1) {
            MPI_Irecv(data, 8, MPI_CHAR, 0, 1, world, &request);
            while (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
    }
    if (!strcmp(how, "fence")) {
        MPI_Win_create(data, 1024, 1, MPI_INFO_NULL, world, &window);
        MPI_Win_fence(0, window);
        if (rank == 0) {
            slow();
            MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        }
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    /* Late before a part that takes all equally long: while the others wait, it is in that part. */
    if (!strcmp(how, "earlier")) {
        if (rank == 0)
            slow();
        MPI_Iprobe(MPI_ANY_SOURCE, 9, world, &flag, MPI_STATUS_IGNORE);
        usleep(30000);
        MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_SUM, world);
    }
    MPI_Finalize();
    return 0;
}
