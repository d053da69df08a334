/*
 * openmp_loops.c: heat flowing in an N x N plate, the loop nest shared among
 * the threads.
 *
 * Shows: P in a formula. One sweep costs its share of the work, N*N/P, and the
 * start and the barrier of a parallel loop, the constant sweep[0]; the model is
 * run with one thread and with two.
 *
 *   cll model examples/openmp_loops/openmp_loops.c --hold-out N=1630,1833 --predict N=3000,P=2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel OpenMP procs = 1,2

enum { LARGEST = 2000, SWEEPS = 8 };

static void sweep(double *restrict to, const double *restrict from, int N)
{
    int i, j;
#pragma cll sweep sweep[0] + sweep[1]*N*N/P
#pragma omp parallel for private(j) schedule(static)
    for (i = 1; i < N - 1; i++)
        for (j = 1; j < N - 1; j++) {
            const double *c = from + (size_t)i * N + j;
            to[(size_t)i * N + j] = 0.25 * (c[-N] + c[-1] + c[1] + c[N]);
        }
#pragma cll end sweep
}

/* u = i + 2j solves the equation: a sweep must leave it as it is. */
static void fill(double *a, double *b, int N)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[(size_t)i * N + j] = b[(size_t)i * N + j] = i + 2 * j;
}

static int is_right(const double *a, int N)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            if (fabs(a[(size_t)i * N + j] - (i + 2 * j)) > 1e-9 * N)
                return 0;
    return 1;
}

int main(void)
{
    size_t elements = (size_t)LARGEST * LARGEST;
    double *a = malloc(sizeof *a * elements);
    double *b = malloc(sizeof *b * elements);
    int N = 500, r, right = 1;
    if (a == NULL || b == NULL) {
        perror("openmp_loops");
        return 2;
    }

#pragma cll for (N = 100; N < LARGEST; N += N / 8)
    fill(a, b, N);
    for (r = 0; r < SWEEPS; r++) {
        sweep(b, a, N);
        sweep(a, b, N);
    }
    right &= is_right(a, N);
#pragma cll end for

    free(a);
    free(b);
    puts(right ? "openmp_loops: the plate is at rest" : "openmp_loops: WRONG");
    return right ? 0 : 1;
}
