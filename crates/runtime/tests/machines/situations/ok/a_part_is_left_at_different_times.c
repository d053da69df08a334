/* A processor that has left a part can continue in its parent while others are still in the part. */
#include "situation.h"

void situation_a_part_is_left_at_different_times(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    halve(all, &half);
    for (int i = 0; i < 20 * (me < p / 2); i++)
        bsp_sync(&half);
    bsp_done(&half);
    for (int i = 0; i < 10; i++) {
        send_int(all, p - 1 - me, i);
        bsp_oblsync(all, 1);
        CHECK_EQUAL(got_int(all, 0), i);
    }
}
