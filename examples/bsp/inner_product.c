/*
 * inner_product.c: the inner product of two vectors of n elements, dealt out cyclically.
 *
 * Shows: the shortest useful program of BSP. Each processor adds up its elements, 2 n/p; puts its sum
 * to all, (p-1) g + l; and adds up the p sums, so that all know the result.
 *
 *   cll cc -O2 examples/bsp/inner_product.c -o inner_product
 *   cll run -n 4 ./inner_product 1000000
 *
 * Any number of processors.
 */
#include <bsp.h>
#include <stdint.h>
#include <stdlib.h>

static int n = 1000000; /* on processor 0 until the others have got it */
static int right;

/* Of the vectors' parts here; local elements 0, 1, 2 are s, s + p, s + 2p of the whole. */
static double inner_product(const double *x, const double *y, int count)
{
    int p = bsp_nprocs();
    double sum = 0, *sums = calloc(p, sizeof *sums);
    bsp_push_reg(sums, p * (int)sizeof *sums);
    bsp_sync();
    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    for (int q = 0; q < p; q++)
        bsp_put(q, &sum, sums, bsp_pid() * (int)sizeof sum, sizeof sum);
    bsp_sync();
    sum = 0;
    for (int q = 0; q < p; q++)
        sum += sums[q];
    bsp_pop_reg(sums);
    bsp_sync();
    free(sums);
    return sum;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid();
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();

    int count = (n - s + p - 1) / p;
    double *x = malloc((count + 1) * sizeof *x), *y = malloc((count + 1) * sizeof *y);
    if (x == NULL || y == NULL)
        bsp_abort("inner_product: no memory for %d elements\n", count);
    for (int i = 0; i < count; i++) {
        x[i] = 1 + s + (double)i * p;
        y[i] = 2;
    }
    bsp_sync();
    double begin = bsp_time(), product = inner_product(x, y, count), passed = bsp_time() - begin;
    if (s == 0) {
        /* 2 (1 + 2 + ... + n); sums of integers below 2^53 have no rounding. */
        right = product == (double)n * (n + 1.0);
        printf("inner_product: %d elements, %d processors: %.0f in %.1f us\n", n, p, product,
               1e6 * passed);
        puts(right ? "inner_product: right" : "inner_product: WRONG");
    }
    free(x);
    free(y);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2 || n < 0 || n > 50000000) {
        fputs("usage: inner_product [ELEMENTS], at most 50000000\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
