#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, i, in[2] = { 0, 0 };
    MPI_Request r[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv_init(in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Ssend_init(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Recv_init(in + 1, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[3]);
    for (i = 0; i < 20; i++) {
        MPI_Startall(4, r);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    for (i = 0; i < 4; i++)
        MPI_Request_free(&r[i]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 2, in, 1, MPI_INT, (rank + size - 1) % size, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
