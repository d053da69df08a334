/* bsp_put copies its source during the call: it may be used for something else after it. */
#include "situation.h"

static void put_from_a_frame_of_its_own(int to, int *area, int at)
{
    int value = 100 * at + me();
    bsp_put(to, &value, area, at * sizeof value, sizeof value);
    value = -7;
}

void situation_a_put_copies_at_the_call(void)
{
    int area[20], value;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int i = 0; i < 10; i++) {
        value = 100 * i + me();
        bsp_put(right(), &value, area, i * sizeof value, sizeof value);
    }
    value = -5;
    for (int i = 10; i < 20; i++)
        put_from_a_frame_of_its_own(right(), area, i);
    bsp_sync();
    for (int i = 0; i < 20; i++)
        CHECK_EQUAL(area[i], 100 * i + left());
    bsp_pop_reg(area);
    bsp_sync();
}
