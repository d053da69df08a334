/* Overlapping puts are written in ascending order of their issuers. */
#include "situation.h"

void situation_of_overlapping_puts_the_highest_processor_s_stays(void)
{
    int x = -1, y[3] = { -1, -1, -1 };
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(y, sizeof y);
    bsp_sync();
    for (int q = 0; q < procs(); q++) {
        int value[2] = { 100 + me(), 200 + me() };
        bsp_put(q, value, &x, 0, sizeof x);
        /* 0 and 2 .. write the first two, 1 and 3 .. the last two */
        bsp_put(q, value, y, me() % 2 * sizeof x, sizeof value);
    }
    bsp_sync();
    int last = procs() - 1;
    CHECK_EQUAL(x, 100 + last);
    CHECK_EQUAL(y[last % 2], 100 + last);
    CHECK_EQUAL(y[last % 2 + 1], 200 + last);
    if (procs() > 1)
        CHECK_EQUAL(y[last % 2 ? 0 : 2], last % 2 ? 100 + last - 1 : 200 + last - 1);
    bsp_pop_reg(&x);
    bsp_pop_reg(y);
    bsp_sync();
}
