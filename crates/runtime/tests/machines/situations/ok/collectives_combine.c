/* Reduction and prefix from the lowest processor on, also if the order matters. */
#include "situation.h"

/* Multiplication of 2x2 matrices: not commutative. */
static void times(double *c, double *a, double *b, int *size)
{
    CHECK_EQUAL(*size, 4 * sizeof(double));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[2 * i + j] = a[2 * i] * b[j] + a[2 * i + 1] * b[2 + j];
}

void situation_collectives_combine(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);
    double x[4] = { 1, me, me, 1 }, y[4], to_me[4] = { 1, 0, 0, 1 }, to_all[4] = { 1, 0, 0, 1 };
    for (int i = 0; i < p; i++) {
        double next[4] = { 1, i, i, 1 }, product[4];
        int size = sizeof product;
        times(product, to_all, next, &size);
        memcpy(to_all, product, sizeof product);
        if (i == me)
            memcpy(to_me, product, sizeof product);
    }
    bsp_scan(all, times, x, y, sizeof x);
    CHECK(memcmp(y, to_me, sizeof y) == 0);
    bsp_reduce(all, times, x, x, sizeof x);
    CHECK(memcmp(x, to_all, sizeof x) == 0);
}
