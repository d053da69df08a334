/* The same without a barrier. */
#include "situation.h"

void situation_a_message_is_there_after_the_oblsync(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 100; i++) {
        send_int(all, right_of(all), 1000 * i + me);
        bsp_oblsync(all, 1);
        CHECK_EQUAL(bsp_nmsgs(all), 1);
        CHECK_EQUAL(got_int(all, 0), 1000 * i + (me + p - 1) % p);
    }
}
