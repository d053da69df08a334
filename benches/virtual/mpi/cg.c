/* Conjugate gradients on a matrix of random sparsity whose rows are spread: `cg ROWS NONZEROS ITERATIONS`. The matrix of
 * a process is read once in each iteration. Prints the seconds of all of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "whole_cores.h"

static double dot(const double *a, const double *b, int n)
{
    double own = 0, all;
    int i;
    for (i = 0; i < n; i++)
        own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int me, p, i, k, s, n, rows, *at;
    double *value, *x, *r, *d, *all, *q, rho, begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    begin_with_cores();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    n = atoi(argv[1]) / p * p;
    k = atoi(argv[2]);
    rows = n / p;
    at = malloc((size_t)rows * k * sizeof *at);
    value = malloc((size_t)rows * k * sizeof *value);
    x = calloc(rows, sizeof *x);
    r = malloc(rows * sizeof *r);
    d = malloc(rows * sizeof *d);
    q = malloc(rows * sizeof *q);
    all = malloc(n * sizeof *all);
    srand(7 + me);
    for (i = 0; i < rows * k; i++) {
        at[i] = i % k ? rand() % n : me * rows + i / k;
        value[i] = i % k ? 1e-3 : 2;
    }
    for (i = 0; i < rows; i++)
        r[i] = d[i] = 1;
    rho = dot(r, r, rows);
    for (s = 0; s < atoi(argv[3]); s++) {
        double alpha, next;
        MPI_Allgather(d, rows, MPI_DOUBLE, all, rows, MPI_DOUBLE, MPI_COMM_WORLD);
        for (i = 0; i < rows; i++) {
            double sum = 0;
            int j;
            for (j = i * k; j < (i + 1) * k; j++)
                sum += value[j] * all[at[j]];
            q[i] = sum;
        }
        alpha = rho / (dot(d, q, rows) + 1e-300);
        for (i = 0; i < rows; i++) {
            x[i] += alpha * d[i];
            r[i] -= alpha * q[i];
        }
        next = dot(r, r, rows);
        for (i = 0; i < rows; i++)
            d[i] = r[i] + next / (rho + 1e-300) * d[i];
        rho = next;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    report(me, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
