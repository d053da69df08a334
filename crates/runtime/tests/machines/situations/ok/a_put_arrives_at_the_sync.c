/* A put is written at the end of the superstep. */
#include "situation.h"

void situation_a_put_arrives_at_the_sync(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int x[2] = { -1, -1 }, value = me;
    bsp_push_reg(all, x, sizeof x);
    bsp_sync(all);
    bsp_put(all, right_of(all), &value, x, sizeof(int), sizeof(int));
    value = -5;
    CHECK_EQUAL(x[1], -1);
    bsp_sync(all);
    CHECK_EQUAL(x[0], -1);
    CHECK_EQUAL(x[1], (me + p - 1) % p);
    bsp_pop_reg(all, x);
    bsp_sync(all);
}
