#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 7;
    MPI_Comm half, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    if (rank % 2)
        MPI_Send(&x, 1, MPI_INT, rank / 2, 4, inter);
    else
        MPI_Recv(&x, 1, MPI_INT, rank / 2, 4, inter, MPI_STATUS_IGNORE);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
