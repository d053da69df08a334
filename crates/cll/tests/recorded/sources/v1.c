#include <mpi.h>
#include <unistd.h>
static int data[1000];

static void step(int rank)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(1000);
        MPI_Send(data, 10, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else
        MPI_Recv(data, 10, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    step(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
