/* bsp_time counts seconds; its argument may be left out. */
#include "situation.h"

void situation_time_goes_forward(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    double before = bsp_time(all), after = bsp_time();
    CHECK(before >= 0 && after >= before);
    CHECK(me < p);
}
