/* A machine may be divided again and again, each time otherwise. */
#include "situation.h"

void situation_parts_one_after_the_other(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 40; i++) {
        t_bsp part;
        int bounds[2] = { i % (p + 1), p };
        bsp_partition(all, &part, 2, bounds);
        send_int(&part, right_of(&part), 1000 * i + me);
        bsp_oblsync(&part, 1);
        int q = bsp_nprocs(&part), left = me - bsp_pid(&part) + (bsp_pid(&part) + q - 1) % q;
        CHECK_EQUAL(got_int(&part, 0), 1000 * i + left);
        bsp_done(&part);
    }
}
