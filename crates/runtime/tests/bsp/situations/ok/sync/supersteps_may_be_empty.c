/* A superstep may have no request, and there may be many of them. */
#include "situation.h"

void situation_supersteps_may_be_empty(void)
{
    for (int i = 0; i < 300; i++)
        bsp_sync();
    int x = -1, s = me();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    for (int i = 0; i < 50; i++)
        bsp_sync();
    bsp_put(right(), &s, &x, 0, sizeof s);
    bsp_sync();
    CHECK_EQUAL(x, left());
    for (int i = 0; i < 50; i++)
        bsp_sync();
    CHECK_EQUAL(x, left());
    bsp_pop_reg(&x);
    bsp_sync();
}
