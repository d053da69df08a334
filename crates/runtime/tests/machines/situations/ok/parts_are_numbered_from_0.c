/* A part has its own number and its own numbering, in the order of its parent. */
#include "situation.h"

void situation_parts_are_numbered_from_0(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    halve(all, &half);
    int first = me < p / 2;
    CHECK_EQUAL(bsp_nprocs(&half), first ? p / 2 : p - p / 2);
    CHECK_EQUAL(bsp_pid(&half), first ? me : me - p / 2);
    CHECK_EQUAL(bsp_nprocs(all), p);
    CHECK_EQUAL(bsp_pid(all), me);
    bsp_done(&half);
    CHECK_EQUAL(bsp_nprocs(all), p);
}
