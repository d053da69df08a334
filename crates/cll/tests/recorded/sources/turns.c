#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, left, n = 0;
    MPI_Status s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (i = 0, left = size - 1; left > 0; i++) {
            MPI_Recv(&n, 1, MPI_INT, 1 + i % (size - 1), 1, MPI_COMM_WORLD, &s);
            n = i < 200 ? i : -1;
            left -= n < 0;
            MPI_Send(&n, 1, MPI_INT, s.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
    } else
        while (n >= 0) {
            MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Recv(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    MPI_Finalize();
    return 0;
}
