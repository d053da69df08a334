/* Messages are sorted by sender, then in the order in which they were sent. */
#include "situation.h"

void situation_messages_are_in_order(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 3; i++)
        for (int to = p - 1; to >= 0; to--)
            send_int(all, to, 10 * me + i);
    bsp_sync(all);
    CHECK_EQUAL(bsp_nmsgs(all), 3 * p);
    for (int i = 0; i < 3 * p; i++) {
        CHECK_EQUAL(bspmsg_src(bsp_getmsg(all, i)), i / 3);
        CHECK_EQUAL(got_int(all, i), 10 * (i / 3) + i % 3);
    }
}
