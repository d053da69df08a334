/* A part's synchronisations leave its parent's messages alone. */
#include "situation.h"

void situation_messages_of_the_parent_stay_readable(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    unsigned char bytes[300], *data;
    fill(bytes, sizeof bytes, (unsigned)me);
    bsp_send(all, right_of(all), bytes, sizeof bytes);
    bsp_oblsync(all, 1);
    data = bspmsg_data(bsp_getmsg(all, 0));
    halve(all, &half);
    for (int i = 0; i < 100; i++) {
        bsp_send(&half, right_of(&half), bytes, sizeof bytes);
        bsp_oblsync(&half, 1);
    }
    CHECK_EQUAL(bsp_nmsgs(all), 1);
    CHECK(data == bspmsg_data(bsp_getmsg(all, 0)));
    CHECK(is_filled(data, sizeof bytes, (unsigned)((me + p - 1) % p)));
    bsp_done(&half);
    CHECK(is_filled(data, sizeof bytes, (unsigned)((me + p - 1) % p)));
}
