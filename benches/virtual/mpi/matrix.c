/* A matrix product: the root scatters rows and broadcasts a matrix, all compute, the root gathers: `matrix N`. Prints the
 * seconds from the first send on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "whole_cores.h"

int main(int argc, char **argv)
{
    int me, p, n, rows, i, j, k;
    double *a = NULL, *b, *c = NULL, *mine, *part, begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    begin_with_cores();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    n = atoi(argv[1]) / p * p;
    rows = n / p;
    b = malloc((size_t)n * n * sizeof *b);
    mine = malloc((size_t)rows * n * sizeof *mine);
    part = calloc((size_t)rows * n, sizeof *part);
    if (me == 0) {
        a = malloc((size_t)n * n * sizeof *a);
        c = malloc((size_t)n * n * sizeof *c);
        for (i = 0; i < n * n; i++)
            a[i] = b[i] = i % 13;
    }
    MPI_Scatter(a, rows * n, MPI_DOUBLE, mine, rows * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(b, n * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (i = 0; i < rows; i++)
        for (k = 0; k < n; k++)
            for (j = 0; j < n; j++)
                part[i * n + j] += mine[i * n + k] * b[k * n + j];
    MPI_Gather(part, rows * n, MPI_DOUBLE, c, rows * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    report(me, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
