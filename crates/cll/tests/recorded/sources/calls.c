#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, i;
    double a[1000] = {0}, b[4000] = {0}, *m;
    MPI_Comm half;
    MPI_Win w;
    MPI_Request r[2], p[2];
    MPI_Status s[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (i = 0; i < 10; i++) {
        MPI_Irecv(b, 1000, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(a, 100, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, s);
    }
    if (rank == 0)
        for (i = 1; i < size; i++)
            MPI_Send(a, 5 * i, MPI_INT, i, i, MPI_COMM_WORLD);
    else
        MPI_Recv(b, 1000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    for (i = 0; i < 3; i++)
        MPI_Allreduce(a, b, 10, MPI_DOUBLE, MPI_SUM, half);
    MPI_Bcast(a, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Alltoall(a, 4, MPI_DOUBLE, b, 4, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
    MPI_Win_fence(0, w);
    MPI_Put(a, 3, MPI_DOUBLE, 0, 0, 3, MPI_DOUBLE, w);
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
    MPI_Comm_free(&half);
    MPI_Send_init(a, 6, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &p[0]);
    MPI_Recv_init(b, 6, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, &p[1]);
    for (i = 0; i < 4; i++) {
        MPI_Startall(2, p);
        MPI_Waitall(2, p, s);
    }
    MPI_Request_free(&p[0]);
    MPI_Request_free(&p[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
