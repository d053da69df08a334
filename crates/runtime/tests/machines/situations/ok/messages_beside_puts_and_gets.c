/* A superstep may have all of them. */
#include "situation.h"

void situation_messages_beside_puts_and_gets(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int x = me, y = -1, z = 1000 + me;
    bsp_push_reg(all, &x, sizeof x);
    bsp_sync(all);
    send_int(all, right_of(all), 5 + me);
    bsp_get(all, right_of(all), &x, 0, &y, sizeof y);
    bsp_put(all, right_of(all), &z, &x, 0, sizeof x);
    send_int(all, left_of(all), 6 + me);
    bsp_sync(all);
    CHECK_EQUAL(bsp_nmsgs(all), 2);
    CHECK_EQUAL(y, (me + 1) % p);
    CHECK_EQUAL(x, 1000 + (me + p - 1) % p);
    bsp_pop_reg(all, &x);
    bsp_sync(all);
}
