/*
 * product.c: the product of two N x N matrices by the three loops of the textbook; the second one
 * is read by columns.
 */
#include <stdio.h>
#include <stdlib.h>

enum { VOLUME = 32000000, FEWEST = 10 };

static void product(double *restrict c, const double *restrict a, const double *restrict b, long n)
{
    long i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double sum = 0;
            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

/* a[i][j] = i + 1, b[i][j] = j + 1: so c[i][j] = n*(i + 1)*(j + 1), exactly. */
static int is_right(const double *c, long n)
{
    long i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (c[i * n + j] != (double)n * (double)(i + 1) * (double)(j + 1))
                return 0;
    return 1;
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, i, r;
    size_t elements = (size_t)N * (size_t)N;
    double *a, *b, *c;
    int right = 1;
    if (N < 2 || (a = malloc(3 * elements * sizeof *a)) == NULL) {
        fputs("usage: product N\n", stderr);
        return 2;
    }
    b = a + elements;
    c = b + elements;
    for (i = 0; i < N * N; i++) {
        a[i] = (double)(i / N + 1);
        b[i] = (double)(i % N + 1);
        c[i] = 0;
    }
    for (r = 0; r < FEWEST + VOLUME / (N * N * N); r++) {
#pragma cll product product[0] + product[1]*N*N + product[2]*N*N*N
        product(c, a, b, N);
#pragma cll end product
    }
    right = is_right(c, N);
    free(a);
    puts(right ? "right" : "WRONG");
    return right ? 0 : 1;
}
