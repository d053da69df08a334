/* bsp_oblsync with 0 ends a superstep immediately. */
#include "situation.h"

void situation_a_superstep_without_messages(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 50; i++) {
        bsp_oblsync(all, 0);
        CHECK_EQUAL(bsp_nmsgs(all), 0);
    }
    CHECK(me < p);
}
