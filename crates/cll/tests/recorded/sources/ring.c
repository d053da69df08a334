#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, i, in = 0, sum = 0;
    MPI_Comm half;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (i = 0; i < 10; i++) {
        MPI_Irecv(&in, 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (rank + size - 1) % size, i,
                  MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &r[1]);
        usleep(1000);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 99, &in, 1, MPI_INT,
                     (rank + size - 1) % size, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    }
    MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
