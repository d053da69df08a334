/* Puts are written by processor, then in the order of the calls. */
#include "situation.h"

void situation_of_overlapping_puts_the_highest_processor_s_stays(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int x = -1;
    bsp_push_reg(all, &x, sizeof x);
    bsp_sync(all);
    for (int i = 0; i < 5; i++) {
        int value = 10 * me + i;
        for (int to = 0; to < p; to++)
            bsp_put(all, to, &value, &x, 0, sizeof x);
    }
    bsp_sync(all);
    CHECK_EQUAL(x, 10 * (p - 1) + 4);
    bsp_pop_reg(all, &x);
    bsp_sync(all);
}
