/* The same variable may hold one part after the other. */
#include "situation.h"

void situation_a_t_bsp_is_used_again(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp part;
    for (int i = 0; i < 5; i++) {
        halve(all, &part);
        bsp_oblsync(&part, 0);
        bsp_done(&part);
        bsp_partition(all, &part, 1, &p);
        bsp_oblsync(&part, 0);
        bsp_done(&part);
    }
    CHECK(me < p);
}
