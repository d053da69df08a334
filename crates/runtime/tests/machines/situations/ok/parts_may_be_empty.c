/* A bound equal to the one before makes a part without processors. */
#include "situation.h"

void situation_parts_may_be_empty(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int bounds[5] = { 0, p / 2, p / 2, p, p };
    t_bsp part;
    bsp_partition(all, &part, 5, bounds);
    CHECK_EQUAL(bsp_nprocs(&part), me < p / 2 ? p / 2 : p - p / 2);
    bsp_sync(&part);
    bsp_done(&part);
}
