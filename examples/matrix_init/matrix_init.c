/*
 * matrix_init.c: sets an N x N matrix to zero, once column by column (the
 * loops of figure 3 of the CALL paper as printed) and once row by row.
 *
 * Shows: one formula, the same number of stores, two orders of the loops; what
 * the exchange does to the constant of N*N and to the size at which it changes.
 * (The paper's two loops had the same instructions too. A compiler of today
 * makes each row a call of memset, so the gain is not locality alone.)
 *
 *   cll model examples/matrix_init/matrix_init.c --predict N=3000
 *
 * N is always odd: with a power of two the elements of a column would share a
 * few sets of the cache, which is another experiment.
 */
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 3600, REPETITIONS = 5 };

static void by_columns(double *a, int N)
{
    int i, j;
#pragma cll columns columns[0] + columns[1]*N + columns[2]*N*N
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++)
            a[(size_t)i * N + j] = 0;
#pragma cll end columns
}

static void by_rows(double *a, int N)
{
    int i, j;
#pragma cll rows rows[0] + rows[1]*N + rows[2]*N*N
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[(size_t)i * N + j] = 0;
#pragma cll end rows
}

/* Also brings the matrix into the caches as far as it fits. */
static void fill(double *a, int N)
{
    size_t k;
    for (k = 0; k < (size_t)N * N; k++)
        a[k] = 1;
}

static int is_zero(const double *a, int N)
{
    size_t k;
    for (k = 0; k < (size_t)N * N; k++)
        if (a[k] != 0)
            return 0;
    return 1;
}

int main(void)
{
    double *a = malloc(sizeof *a * LARGEST * LARGEST);
    int N = 1001, r, right = 1;
    if (a == NULL) {
        perror("matrix_init");
        return 2;
    }
    fill(a, LARGEST); /* every page is touched before anything is timed */

#pragma cll for (N = 41; N < LARGEST; N += N / 32 * 2 + 2)
    for (r = 0; r < REPETITIONS; r++) {
        fill(a, N);
        by_columns(a, N);
        right &= is_zero(a, N);
        fill(a, N);
        by_rows(a, N);
        right &= is_zero(a, N);
    }
#pragma cll end for

    free(a);
    puts(right ? "matrix_init: all zero" : "matrix_init: WRONG");
    return right ? 0 : 1;
}
