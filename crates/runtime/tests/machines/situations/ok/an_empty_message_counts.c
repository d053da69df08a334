/* A message without bytes is a message; its data may be NULL. */
#include "situation.h"

void situation_an_empty_message_counts(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    (void)me;
    for (int to = 0; to < p; to++)
        bsp_send(all, to, NULL, 0);
    bsp_oblsync(all, p);
    CHECK_EQUAL(bsp_nmsgs(all), p);
    for (int i = 0; i < p; i++) {
        CHECK_EQUAL(bspmsg_size(bsp_getmsg(all, i)), 0);
        CHECK_EQUAL(bspmsg_src(bsp_getmsg(all, i)), i);
    }
}
