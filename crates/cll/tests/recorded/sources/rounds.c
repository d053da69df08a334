#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, i, k, n = 7, x[64] = {0}, sum;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        n = atoi(argv[1]);
    for (i = 0; i < n; i++) {
        MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            for (k = 0; k < size - 1; k++)
                MPI_Recv(x, 64, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        } else {
            usleep(1000 * x[0] + 2000);
            for (k = 0; k < i + 1 - i; k++)
                MPI_Send(x, 2 * rank, MPI_INT, 0, 3, MPI_COMM_WORLD);
        }
        if (i % 3 == 2)
            MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
