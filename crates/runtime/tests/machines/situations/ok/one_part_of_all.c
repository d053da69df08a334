/* A machine may be divided into one part. */
#include "situation.h"

void situation_one_part_of_all(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp same;
    bsp_partition(all, &same, 1, &p);
    CHECK_EQUAL(bsp_nprocs(&same), p);
    CHECK_EQUAL(bsp_pid(&same), me);
    send_int(&same, right_of(&same), 1);
    bsp_sync(&same);
    CHECK_EQUAL(bsp_nmsgs(&same), 1);
    CHECK_EQUAL(bsp_nmsgs(all), 0);
    bsp_done(&same);
}
