/*
 * matrix_product.c: the product of two N x N matrices by the three loops of the
 * textbook.
 *
 * Shows: a polynomial with four constants, in which only the one of N*N*N can
 * be seen at large N; the second matrix is read by columns, so that constant
 * grows where a column's lines no longer fit into a cache.
 *
 *   cll model examples/matrix_product/matrix_product.c --predict N=1000
 *
 * N is odd, as in matrix_init.c.
 */
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 640, REPETITIONS = 2 };

static void product(double *restrict c, const double *restrict a, const double *restrict b, int N)
{
    int i, j, k;
#pragma cll product product[0] + product[1]*N + product[2]*N*N + product[3]*N*N*N
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            double sum = 0;
            for (k = 0; k < N; k++)
                sum += a[(size_t)i * N + k] * b[(size_t)k * N + j];
            c[(size_t)i * N + j] = sum;
        }
#pragma cll end product
}

/* a[i][j] = i + 1, b[i][j] = j + 1: so c[i][j] = N*(i + 1)*(j + 1), exactly. */
static void fill(double *a, double *b, int N)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            a[(size_t)i * N + j] = i + 1;
            b[(size_t)i * N + j] = j + 1;
        }
}

static int is_right(const double *c, int N)
{
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            if (c[(size_t)i * N + j] != (double)N * (i + 1) * (j + 1))
                return 0;
    return 1;
}

int main(void)
{
    size_t elements = (size_t)LARGEST * LARGEST;
    double *a = malloc(sizeof *a * elements);
    double *b = malloc(sizeof *b * elements);
    double *c = calloc(elements, sizeof *c);
    int N = 301, r, right = 1;
    if (a == NULL || b == NULL || c == NULL) {
        perror("matrix_product");
        return 2;
    }

#pragma cll for (N = 25; N < LARGEST; N += N / 32 * 2 + 2)
    fill(a, b, N);
    product(c, a, b, N); /* touches c, and wakes the processor up */
    for (r = 0; r < REPETITIONS; r++) {
        product(c, a, b, N);
        right &= is_right(c, N);
    }
#pragma cll end for

    free(a);
    free(b);
    free(c);
    puts(right ? "matrix_product: every element right" : "matrix_product: WRONG");
    return right ? 0 : 1;
}
