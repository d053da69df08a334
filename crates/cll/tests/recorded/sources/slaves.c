#include <mpi.h>
#include <unistd.h>
static void serve(int *x)
{
    MPI_Recv(x, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(1000);
    MPI_Send(x, 4, MPI_INT, 0, 2, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    int rank, size, i, round, x[4] = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(x, 2, MPI_INT, 0, MPI_COMM_WORLD);
    for (round = 0; round < 5; round++) {
        if (rank == 0) {
            for (i = 1; i < size; i++)
                MPI_Send(x, 4, MPI_INT, i, 1, MPI_COMM_WORLD);
            for (i = 1; i < size; i++)
                MPI_Recv(x, 4, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            serve(x);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
