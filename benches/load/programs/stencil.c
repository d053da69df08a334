/*
 * stencil.c: four steps of Jacobi's iteration on a grid of N x N points: sums of neighbours, which
 * the compiler makes into vectors, and memory read in order.
 */
#include <stdio.h>
#include <stdlib.h>

enum { VOLUME = 4000000, FEWEST = 20 };

static void step(double *restrict to, const double *restrict from, long n)
{
    long i, j;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                    from[i * n + j - 1] + from[i * n + j + 1]);
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, i, r;
    double *a, *b;
    int right = 1;
    if (N < 3 || (a = malloc(2 * sizeof *a * (size_t)N * (size_t)N)) == NULL) {
        fputs("usage: stencil N\n", stderr);
        return 2;
    }
    b = a + N * N;
    for (i = 0; i < N * N; i++)
        a[i] = b[i] = (double)(i % N); /* a linear function: each point is its neighbours' mean */
    for (r = 0; r < FEWEST + VOLUME / (N * N); r++) {
#pragma cll stencil stencil[0] + stencil[1]*N + stencil[2]*N*N
        step(b, a, N);
        step(a, b, N);
        step(b, a, N);
        step(a, b, N);
#pragma cll end stencil
    }
    for (i = 0; i < N * N; i++)
        right &= a[i] == (double)(i % N);
    free(a);
    puts(right ? "right" : "WRONG");
    return right ? 0 : 1;
}
