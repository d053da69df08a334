#include <mpi.h>
#include <string.h>
#include <stdlib.h>
static int rank, size;
static double a[20000], b[80000], c[80000];
static void work(int n)
{
    volatile double x = 0;
    for (int i = 0; i < 1000 * n; i++)
        x += i;
}
static void heat(int n, int is_blocking)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < 20; step++) {
        if (is_blocking) {
            MPI_Sendrecv(a, n, MPI_DOUBLE, up, 1, b, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(a, n, MPI_DOUBLE, down, 2, c, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(50 + 20 * rank);
        } else {
            MPI_Request r[4];
            MPI_Irecv(b, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[0]);
            MPI_Irecv(c, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &r[1]);
            MPI_Isend(a, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[2]);
            MPI_Isend(a, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &r[3]);
            work(50 + 20 * rank);
            MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        }
        if (step % 5 == 4)
            MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}
static void pipeline(int n)
{
    for (int step = 0; step < 20; step++) {
        if (rank > 0)
            MPI_Recv(b, n, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(40);
        if (rank + 1 < size)
            MPI_Send(a, n, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD);
    }
}
static void matrix(void)
{
    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            MPI_Send(a, 5000, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
            MPI_Send(b, 20000, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
        }
        work(2000);
        for (int from = 1; from < size; from++)
            MPI_Recv(c, 5000, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(a, 5000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 20000, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(2000);
        MPI_Ssend(a, 5000, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
}
static void farm(void)
{
    int task = 0, open = 0, stop = -1;
    MPI_Status s;
    if (rank > 0) {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                return;
            work(20 * (task % 5 + 1));
            MPI_Send(a, 10 + 300 * (task % 3), MPI_DOUBLE, 0, task, MPI_COMM_WORLD);
        }
    }
    for (int to = 1; to < size; to++, task++, open++)
        MPI_Send(&task, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    while (open > 0) {
        MPI_Recv(b, 20000, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        if (task < 40)
            MPI_Send(&task, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD), task++;
        else
            MPI_Send(&stop, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD), open--;
    }
}
static void collectives(int n)
{
    MPI_Request r;
    work(30 * (rank + 1));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(a, n, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    work(10 * (size - rank));
    MPI_Reduce(a, b, n, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
    MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scatter(b, n, MPI_DOUBLE, a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    work(10 * rank);
    MPI_Gather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall(b, n, MPI_DOUBLE, c, n, MPI_DOUBLE, MPI_COMM_WORLD);
    work(10 * rank);
    MPI_Reduce_scatter_block(b, c, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}
/* Rank i has n * (i + 1) numbers; in an exchange rank i sends n * (1 + (i + to) % size) to each other one. */
static void uneven(int n)
{
    int counts[16], starts[16], sent[16], sent_at[16], all = 0, sum = 0;
    MPI_Request r;
    for (int i = 0; i < size; i++) {
        counts[i] = n * (i + 1), starts[i] = all, all += counts[i];
        sent[i] = n * (1 + (rank + i) % size), sent_at[i] = sum, sum += sent[i];
    }
    for (int step = 0; step < 3; step++) {
        work(20 * (rank + 1));
        MPI_Scatterv(b, counts, starts, MPI_DOUBLE, a, counts[rank], MPI_DOUBLE, step, MPI_COMM_WORLD);
        work(10 * (size - rank));
        MPI_Gatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, step, MPI_COMM_WORLD);
        MPI_Allgatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
        work(10 * rank);
        MPI_Alltoallv(b, sent, sent_at, MPI_DOUBLE, c, sent, sent_at, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Reduce_scatter(b, c, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Iallgatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(name, "blocking") == 0)
        heat(200, 1), heat(2000, 1);
    else if (strcmp(name, "non-blocking") == 0)
        heat(200, 0), heat(2000, 0);
    else if (strcmp(name, "pipeline") == 0)
        pipeline(100), pipeline(3000);
    else if (strcmp(name, "matrix") == 0)
        matrix();
    else if (strcmp(name, "farm") == 0)
        farm();
    else if (strcmp(name, "uneven") == 0)
        uneven(20), uneven(1500);
    else
        collectives(20), collectives(1500);
    MPI_Finalize();
    return 0;
}
