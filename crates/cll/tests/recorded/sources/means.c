#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, i, flag, x[1000] = {0}, y[1000] = {0}, rounds = atoi(argv[1]);
    MPI_Request r[2], kept[2];
    MPI_Status s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(x, 10, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &kept[0]);
    MPI_Recv_init(y, 10, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &kept[1]);
    for (i = 0; i < rounds; i++) {
        if (rank == 0) {
            MPI_Send(x, i % 1000, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
            MPI_Recv(y, 1000, MPI_INT, 1, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(y, 1000, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Ssend(x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
        MPI_Sendrecv(x, 5, MPI_INT, 1 - rank, 3, y, 5, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(y, 1000, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(x, 1000, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &r[1]);
        do
            MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
        while (!flag);
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    MPI_Finalize();
    return 0;
}
