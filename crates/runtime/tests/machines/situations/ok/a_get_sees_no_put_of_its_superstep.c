/* Gets read before puts are written; if both write, the put remains. */
#include "situation.h"

void situation_a_get_sees_no_put_of_its_superstep(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int x = me, y = -1, z = 100 + me;
    bsp_push_reg(all, &x, sizeof x);
    bsp_push_reg(all, &y, sizeof y);
    bsp_sync(all);
    bsp_get(all, left_of(all), &x, 0, &y, sizeof y);
    bsp_put(all, right_of(all), &z, &x, 0, sizeof x);
    bsp_sync(all);
    CHECK_EQUAL(y, (me + p - 1) % p);
    CHECK_EQUAL(x, 100 + (me + p - 1) % p);
    bsp_get(all, left_of(all), &x, 0, &y, sizeof y);
    bsp_put(all, right_of(all), &z, &y, 0, sizeof y);
    bsp_sync(all);
    CHECK_EQUAL(y, 100 + (me + p - 1) % p);
    bsp_pop_reg(all, &x);
    bsp_pop_reg(all, &y);
    bsp_sync(all);
}
