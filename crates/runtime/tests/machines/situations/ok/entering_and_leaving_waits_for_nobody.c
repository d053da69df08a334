/* Neither bsp_partition nor bsp_done waits for another processor. */
#include "situation.h"

void situation_entering_and_leaving_waits_for_nobody(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    /* Processor 0 is in and out of its part before the others are told to go there. */
    if (me == 0) {
        halve(all, &half);
        bsp_done(&half);
        for (int to = 1; to < p; to++)
            send_int(all, to, to);
        bsp_oblsync(all, 0);
    } else {
        halve(all, &half);
        bsp_done(&half);
        bsp_oblsync(all, 1);
        CHECK_EQUAL(got_int(all, 0), me);
        CHECK_EQUAL(p, bsp_nprocs(all));
    }
}
