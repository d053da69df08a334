/* What was sent in a machine is not of its part, and is there when that is done. */
#include "situation.h"

void situation_messages_of_the_parent_wait(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    send_int(all, right_of(all), 7 + me);
    halve(all, &half);
    send_int(&half, bsp_pid(&half), 1000);
    bsp_oblsync(&half, 1);
    CHECK_EQUAL(bsp_nmsgs(&half), 1);
    CHECK_EQUAL(got_int(&half, 0), 1000);
    CHECK_EQUAL(bsp_nmsgs(all), 0);
    bsp_done(&half);
    send_int(all, left_of(all), 1000 + me);
    bsp_oblsync(all, 2);
    CHECK_EQUAL(*(int *)bspmsg_data(bsp_findmsg(all, left_of(all), p == 1 ? 0 : 0)), 7 + (me + p - 1) % p);
    CHECK_EQUAL(bsp_nmsgs(all), 2);
}
