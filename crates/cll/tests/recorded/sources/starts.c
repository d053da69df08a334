#include <mpi.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, x = 3, codes[3];
    char *words[] = { "as", "child", 0 };
    MPI_Comm parent, other;
    if (argc > 1)
        usleep(300000);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], words, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, codes);
        if (rank == 0) {
            MPI_Send(&x, 1, MPI_INT, 1, 5, other);
            MPI_Recv(&x, 1, MPI_INT, 1, 6, other, MPI_STATUS_IGNORE);
        }
        MPI_Comm_disconnect(&other);
        MPI_Finalize();
        return rank == 0 && x != 4;
    }
    if (argc != 3 || strcmp(argv[2], "child"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 5, parent, MPI_STATUS_IGNORE);
        x++;
        MPI_Send(&x, 1, MPI_INT, 0, 6, parent);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}
