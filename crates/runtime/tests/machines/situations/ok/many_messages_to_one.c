/* A processor that does not look for long gets all of it. */
#include "situation.h"

void situation_many_messages_to_one(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int count = 2000, each = me == 0 ? 0 : count;
    for (int i = 0; i < each; i++)
        send_int(all, 0, i);
    bsp_oblsync(all, me == 0 ? count * (p - 1) : 0);
    for (int i = 0; me == 0 && i < count * (p - 1); i++) {
        CHECK_EQUAL(got_int(all, i), i % count);
        CHECK_EQUAL(bspmsg_src(bsp_getmsg(all, i)), 1 + i / count);
    }
}
