/* A processor that expects nothing continues; what it sends waits in its superstep. */
#include "situation.h"

void situation_processors_run_ahead(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    /* A pipeline without a way back: the first processor may be done when the last begins. */
    for (int i = 0; i < 300; i++) {
        if (me + 1 < p)
            send_int(all, me + 1, i);
        bsp_oblsync(all, me > 0);
        if (me > 0)
            CHECK_EQUAL(got_int(all, 0), i);
    }
}
