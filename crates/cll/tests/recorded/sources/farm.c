#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, x = 0, done = 0;
    MPI_Status s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (i = 1; i < size; i++)
            MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
        for (i = 0; done < size - 1; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
            done += i >= 200;
            MPI_Send(&i, 1, MPI_INT, s.MPI_SOURCE, i >= 200, MPI_COMM_WORLD);
        }
    } else {
        do {
            MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
            if (s.MPI_TAG == 0)
                MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        } while (s.MPI_TAG == 0);
    }
    MPI_Finalize();
    return 0;
}
