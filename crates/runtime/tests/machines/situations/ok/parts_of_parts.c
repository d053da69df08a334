/* Parts nest to any depth. */
#include "situation.h"

void situation_parts_of_parts(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp level[12];
    int depth = 0;
    level[0] = *all;
    while (bsp_nprocs(&level[depth]) > 1 && depth < 10) {
        halve(&level[depth], &level[depth + 1]);
        depth++;
        send_int(&level[depth], right_of(&level[depth]), 50 * depth + bsp_pid(&level[depth]));
        bsp_oblsync(&level[depth], 1);
    }
    for (; depth > 0; depth--) {
        int q = bsp_nprocs(&level[depth]);
        CHECK_EQUAL(got_int(&level[depth], 0), 50 * depth + (bsp_pid(&level[depth]) + q - 1) % q);
        bsp_done(&level[depth]);
        CHECK_EQUAL(bsp_nprocs(&level[depth - 1]) > 1, 1);
    }
    CHECK_EQUAL(bsp_pid(all), me);
    CHECK_EQUAL(bsp_nprocs(all), p);
}
