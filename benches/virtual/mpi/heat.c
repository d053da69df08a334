/* The heat equation on rows of a square: `heat SIDE STEPS blocking|overlap`. Prints the seconds of all of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "whole_cores.h"

static void row(double *new, const double *old, int n, int i)
{
    int j;
    for (j = 1; j < n - 1; j++)
        new[i * n + j] =
            0.25 * (old[(i - 1) * n + j] + old[(i + 1) * n + j] + old[i * n + j - 1] + old[i * n + j + 1]);
}

int main(int argc, char **argv)
{
    int me, p, n, rows, s, i, overlaps;
    double *old, *new, *other, begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    begin_with_cores();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    n = atoi(argv[1]);
    overlaps = !strcmp(argv[3], "overlap");
    rows = n / p;
    old = malloc((size_t)(rows + 2) * n * sizeof *old);
    new = malloc((size_t)(rows + 2) * n * sizeof *new);
    for (i = 0; i < (rows + 2) * n; i++)
        old[i] = new[i] = i % 7 + me;
    for (s = 0; s < atoi(argv[2]); s++) {
        int up = me > 0 ? me - 1 : MPI_PROC_NULL, down = me < p - 1 ? me + 1 : MPI_PROC_NULL;
        MPI_Request requests[4];
        if (!overlaps) {
            MPI_Sendrecv(old + n, n, MPI_DOUBLE, up, 0, old + (rows + 1) * n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            MPI_Sendrecv(old + rows * n, n, MPI_DOUBLE, down, 1, old, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            for (i = 1; i <= rows; i++)
                row(new, old, n, i);
        } else {
            MPI_Irecv(old, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Irecv(old + (rows + 1) * n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[1]);
            MPI_Isend(old + n, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[2]);
            MPI_Isend(old + rows * n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
            for (i = 2; i < rows; i++)
                row(new, old, n, i);
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            row(new, old, n, 1);
            row(new, old, n, rows);
        }
        other = old, old = new, new = other;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    report(me, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
