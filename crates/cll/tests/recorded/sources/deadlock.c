#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x[2];
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&x[0], 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &r);
    MPI_Recv(&x[1], 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
