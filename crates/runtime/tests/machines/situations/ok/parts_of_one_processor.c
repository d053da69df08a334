/* A part may have one processor, also all may. */
#include "situation.h"

void situation_parts_of_one_processor(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int bounds[64];
    t_bsp alone;
    for (int i = 0; i < p; i++)
        bounds[i] = i + 1;
    bsp_partition(all, &alone, p, bounds);
    CHECK_EQUAL(bsp_nprocs(&alone), 1);
    CHECK_EQUAL(bsp_pid(&alone), 0);
    send_int(&alone, 0, me);
    bsp_sync(&alone);
    CHECK_EQUAL(got_int(&alone, 0), me);
    bsp_done(&alone);
}
