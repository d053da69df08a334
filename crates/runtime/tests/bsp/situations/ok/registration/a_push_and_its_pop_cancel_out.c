/* A registration may be popped in the superstep of its push: then there was none. */
#include "situation.h"

void situation_a_push_and_its_pop_cancel_out(void)
{
    int x = 0, y = -1, s = me();
    bsp_push_reg(&x, sizeof x);
    bsp_pop_reg(&x);
    bsp_sync();
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_pop_reg(&x);
    bsp_sync();
    bsp_put(right(), &s, &y, 0, sizeof s);
    bsp_sync();
    CHECK_EQUAL(y, left());
    CHECK_EQUAL(x, 0);
    bsp_pop_reg(&y);
    bsp_sync();
}
