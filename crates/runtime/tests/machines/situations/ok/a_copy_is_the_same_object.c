/* A t_bsp may be copied. */
#include "situation.h"

void situation_a_copy_is_the_same_object(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half, copy;
    halve(all, &half);
    copy = half;
    send_int(&copy, bsp_pid(&copy), 3);
    bsp_oblsync(&half, 1);
    CHECK_EQUAL(got_int(&copy, 0), 3);
    bsp_done(&copy);
    CHECK_EQUAL(p, bsp_nprocs(all));
    CHECK_EQUAL(me, bsp_pid(all));
}
