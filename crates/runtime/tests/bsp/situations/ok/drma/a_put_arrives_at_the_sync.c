/* What is put is written at the end of the superstep, not before. */
#include "situation.h"

void situation_a_put_arrives_at_the_sync(void)
{
    volatile int x = -1;
    int s = me();
    bsp_push_reg((void *)&x, sizeof x);
    bsp_sync();
    bsp_put(right(), &s, (void *)&x, 0, sizeof s);
    for (int i = 0; i < 2000; i++)
        CHECK_EQUAL(x, -1);
    bsp_sync();
    CHECK_EQUAL(x, left());
    bsp_pop_reg((void *)&x);
    bsp_sync();
}
