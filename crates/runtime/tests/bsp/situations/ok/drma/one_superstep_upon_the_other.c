/* Supersteps directly after each other: data of one is never seen in another. */
#include "situation.h"

void situation_one_superstep_upon_the_other(void)
{
    int slots[3] = { -1, -1, -1 };
    bsp_push_reg(slots, sizeof slots);
    bsp_sync();
    for (int i = 0; i < 500; i++) {
        int value = 1000 * i + me();
        bsp_put((me() + i) % procs(), &value, slots, i % 3 * sizeof value, sizeof value);
        bsp_sync();
        int from = ((me() - i) % procs() + procs()) % procs();
        CHECK_EQUAL(slots[i % 3], 1000 * i + from);
        if (i > 0)
            CHECK_EQUAL(slots[(i + 2) % 3] / 1000, i - 1);
    }
    bsp_pop_reg(slots);
    bsp_sync();
}
