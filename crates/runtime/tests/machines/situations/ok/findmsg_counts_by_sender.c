/* bsp_findmsg gives the i-th message of a sender, or NULL. */
#include "situation.h"

void situation_findmsg_counts_by_sender(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < me; i++)
        send_int(all, right_of(all), 100 * me + i);
    send_int(all, me, -7);
    bsp_sync(all);
    int left = left_of(all);
    for (int i = 0; i < left; i++)
        CHECK_EQUAL(*(int *)bspmsg_data(bsp_findmsg(all, left, i)), 100 * left + i);
    CHECK(bsp_findmsg(all, left, left + (left == me)) == NULL);
    t_bspmsg *own = bsp_findmsg(all, me, left == me ? left : 0);
    CHECK(own != NULL && *(int *)bspmsg_data(own) == -7);
    for (int pid = 0; pid < p; pid++)
        if (pid != me && pid != left)
            CHECK(bsp_findmsg(all, pid, 0) == NULL);
}
