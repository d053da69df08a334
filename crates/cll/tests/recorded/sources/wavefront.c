#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 50; i++) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Send(&x, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
