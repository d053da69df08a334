/* Supersteps of a part are its own; parts may have different numbers of them. */
#include "situation.h"

void situation_parts_communicate_by_themselves(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    halve(all, &half);
    int rounds = me < p / 2 ? 5 : 23, q = bsp_nprocs(&half);
    for (int i = 0; i < rounds; i++) {
        send_int(&half, right_of(&half), 10 * i + bsp_pid(&half));
        if (i % 2)
            bsp_sync(&half);
        else
            bsp_oblsync(&half, 1);
        CHECK_EQUAL(got_int(&half, 0), 10 * i + (bsp_pid(&half) + q - 1) % q);
    }
    bsp_done(&half);
}
