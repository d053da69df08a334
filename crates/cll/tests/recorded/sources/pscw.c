#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, other, x = 1, memory = 0;
    MPI_Group all, one;
    MPI_Win w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &one);
    if (rank) {
        MPI_Win_post(one, 0, w);
        MPI_Win_wait(w);
    } else {
        MPI_Win_start(one, 0, w);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
        MPI_Win_complete(w);
    }
    MPI_Win_free(&w);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
