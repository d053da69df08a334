#include <mpi.h>
#include <unistd.h>
static MPI_Comm inter;
static void give(int rank, int x)
{
    usleep(80000);
    MPI_Send(&x, 1, MPI_INT, rank / 2, 4, inter);
}
static void take(int rank)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, rank / 2, 4, inter, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank, i;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    for (i = 0; i < 3; i++)
        rank % 2 ? give(rank, i) : take(rank);
    MPI_Barrier(inter);
    MPI_Finalize();
    return 0;
}
