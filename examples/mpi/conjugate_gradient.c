/* Conjugate gradients in MPI for the matrix with 4 on its diagonal and -1 beside it: each process has rows
 * of it, asks its neighbours for one element, and all add up two scalar products in every step. The right
 * side is that of the solution 1, 1, 1, ..., by which the result is checked.
 *
 * Shows: collectives beside computation: heart of many solvers, N/P and log(P) in one formula.
 *
 *   cll model examples/mpi/conjugate_gradient.c --libs=-lm --predict N=1500000,P=4
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1:8:2

enum { STEPS = 12, LARGEST = 1 << 19 };

static double product(const double *a, const double *b, int n)
{
    double sum = 0, all;
    int i;
    for (i = 1; i <= n; i++)
        sum += a[i] * b[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* y = A x; what the neighbours have is put beside x. */
static void multiply(double *x, double *y, int n, int left, int right)
{
    int i;
    x[0] = x[n + 1] = 0;
    MPI_Sendrecv(&x[1], 1, MPI_DOUBLE, left, 0, &x[n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x[n], 1, MPI_DOUBLE, right, 1, &x[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (i = 1; i <= n; i++)
        y[i] = 4 * x[i] - x[i - 1] - x[i + 1];
}

int main(int argc, char **argv)
{
    int N = 4096, me, p, wrong = 0, all, size;
    double *x, *r, *d, *q;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    size = LARGEST / p + 3;
    x = malloc(sizeof *x * size);
    r = malloc(sizeof *r * size);
    d = malloc(sizeof *d * size);
    q = malloc(sizeof *q * size);

#pragma cll for (N = 4096; N <= LARGEST; N *= 2)
    {
        int from = (int)((long long)N * me / p);
        int n = (int)((long long)N * (me + 1) / p) - from, s, i;
        int left = me > 0 ? me - 1 : MPI_PROC_NULL;
        int right = me < p - 1 ? me + 1 : MPI_PROC_NULL;

        for (i = 1; i <= n; i++) {
            x[i] = 0;
            d[i] = r[i] = from + i == 1 || from + i == N ? 3 : 2;
            q[i] = 0;
        }
#pragma cll sync cg cg[0] + cg[1]*N/P + cg[2]*log2(P)
        {
            double old = product(r, r, n), new, step;
            for (s = 0; s < STEPS; s++) {
                multiply(d, q, n, left, right);
                step = old / product(d, q, n);
                for (i = 1; i <= n; i++) {
                    x[i] += step * d[i];
                    r[i] -= step * q[i];
                }
                new = product(r, r, n);
                for (i = 1; i <= n; i++)
                    d[i] = r[i] + new / old * d[i];
                old = new;
            }
        }
#pragma cll end cg
        for (i = 1; i <= n; i++)
            wrong |= fabs(x[i] - 1) > 1e-4;
    }
#pragma cll end for
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (me == 0)
        printf("conjugate gradient: %s\n", all ? "WRONG" : "the solution is right");
    MPI_Finalize();
    return all;
}
