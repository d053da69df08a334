/* A partition within a superstep of its parent: requests before and after it belong to that. */
#include "situation.h"

void situation_one_superstep_of_the_parent(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    int x = -1, value = 9;
    bsp_push_reg(all, &x, sizeof x);
    bsp_sync(all);
    send_int(all, right_of(all), 1);
    halve(all, &half);
    bsp_sync(&half);
    bsp_sync(&half);
    bsp_done(&half);
    bsp_put(all, left_of(all), &value, &x, 0, sizeof x);
    send_int(all, right_of(all), 2);
    CHECK_EQUAL(x, -1);
    bsp_sync(all);
    CHECK_EQUAL(x, 9);
    CHECK_EQUAL(bsp_nmsgs(all), 2);
    CHECK_EQUAL(got_int(all, 0), 1);
    CHECK_EQUAL(got_int(all, 1), 2);
    bsp_pop_reg(all, &x);
    bsp_sync(all);
    CHECK(me < p);
}
