/* A program may free an area right after its pop, and the next block of malloc, perhaps at the
 * same address, may be registered in the same superstep: many programs do, function by function. */
#include "situation.h"

static double sum_over_all(double value, int values)
{
    double *all = malloc(values * sizeof *all), sum = 0;
    bsp_push_reg(all, values * sizeof *all);
    bsp_sync();
    for (int q = 0; q < procs(); q++)
        bsp_put(q, &value, all, me() * sizeof value, sizeof value);
    bsp_sync();
    for (int q = 0; q < procs(); q++)
        sum += all[q];
    bsp_pop_reg(all);
    free(all);
    return sum;
}

void situation_freed_before_the_sync_of_its_pop(void)
{
    static const int sizes[] = { 64, 64, 3000, 64, 3000, 3000, 100000, 100000, 3000, 100000 };
    int p = procs();
    for (int i = 0; i < 10; i++)
        CHECK(sum_over_all(i + me(), sizes[i]) == i * p + p * (p - 1) / 2);
    bsp_sync();
}
