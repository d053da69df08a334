/* What was sent can be read in the next superstep, not before. */
#include "situation.h"

void situation_a_message_is_there_after_the_sync(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    send_int(all, right_of(all), 100 + me);
    CHECK_EQUAL(bsp_nmsgs(all), 0);
    bsp_sync(all);
    CHECK_EQUAL(bsp_nmsgs(all), 1);
    CHECK_EQUAL(got_int(all, 0), 100 + (me + p - 1) % p);
    CHECK_EQUAL(bspmsg_src(bsp_getmsg(all, 0)), left_of(all));
    bsp_sync(all);
    CHECK_EQUAL(bsp_nmsgs(all), 0);
}
