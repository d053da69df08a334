/* Supersteps may end in either way, one after the other. */
#include "situation.h"

void situation_both_kinds_of_supersteps_alternate(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 60; i++) {
        for (int to = 0; to < p; to++)
            send_int(all, to, 100 * i + me);
        if (i % 3 == 0)
            bsp_sync(all);
        else
            bsp_oblsync(all, p);
        CHECK_EQUAL(bsp_nmsgs(all), p);
        for (int from = 0; from < p; from++)
            CHECK_EQUAL(got_int(all, from), 100 * i + from);
    }
}
