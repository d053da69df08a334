/* A received message can be sent again from its place in memory. */
#include "situation.h"

void situation_a_message_can_be_sent_on(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int value = me;
    bsp_send(all, right_of(all), &value, sizeof value);
    bsp_oblsync(all, 1);
    for (int i = 1; i < p; i++) {
        t_bspmsg *m = bsp_getmsg(all, 0);
        bsp_hpsend(all, right_of(all), bspmsg_data(m), bspmsg_size(m));
        bsp_oblsync(all, 1);
    }
    CHECK_EQUAL(got_int(all, 0), me);
}
