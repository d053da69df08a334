#include <mpi.h>
int main(int argc, char **argv)
{
    int i, x = 1;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 5; i++)
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
