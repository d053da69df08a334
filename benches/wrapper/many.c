/* many MESSAGES CALLS: so many messages in rounds of a hundred, as a program with a halo exchange sends them, and then so
 * many calls that do next to nothing; of both ranks together. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long messages = argc > 1 ? atol(argv[1]) : 1000, calls = argc > 2 ? atol(argv[2]) : 0, i, k;
    int rank, x[16] = {0}, sum, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < messages / 100; i++) {
        for (k = 0; k < 50; k++) {
            if (rank == 0) {
                MPI_Send(x, 16, MPI_INT, 1, 1, MPI_COMM_WORLD);
                MPI_Recv(x, 16, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(x, 16, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(x, 16, MPI_INT, 0, 2, MPI_COMM_WORLD);
            }
        }
        MPI_Allreduce(x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    /* To itself: no other rank has to be waited for, so the log of many calls is made soon. */
    for (i = 0; i < calls / 8; i++) {
        MPI_Request request;
        MPI_Irecv(x, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
        MPI_Send(&sum, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Iprobe(rank, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
