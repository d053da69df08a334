/* Access to 0 bytes does nothing, whatever its arguments are. */
#include "situation.h"

void situation_nothing_of_0_bytes_has_an_effect(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    bsp_put(all, -3, NULL, NULL, -1, 0);
    bsp_get(all, p + 7, NULL, -1, NULL, 0);
    bsp_hpput(all, -3, NULL, NULL, -1, 0);
    bsp_hpget(all, p + 7, NULL, -1, NULL, 0);
    bsp_oblsync(all, 0);
    CHECK(me < p);
}
