/* bsp_done removes the registrations of the part. */
#include "situation.h"

void situation_registrations_of_a_part_end_with_it(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    for (int i = 0; i < 20; i++) {
        t_bsp half;
        int x = -1, value = i;
        halve(all, &half);
        bsp_push_reg(&half, &x, sizeof x);
        bsp_sync(&half);
        bsp_put(&half, right_of(&half), &value, &x, 0, sizeof x);
        bsp_sync(&half);
        CHECK_EQUAL(x, i);
        bsp_done(&half);
    }
    CHECK(me < p);
}
