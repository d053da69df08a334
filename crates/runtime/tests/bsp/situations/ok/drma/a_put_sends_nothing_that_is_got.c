/* A put has the value of its call, even if a get of the superstep writes to its source. */
#include "situation.h"

void situation_a_put_sends_nothing_that_is_got(void)
{
    int x = 100 + me(), y = -1, carrier = 50 + me();
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_get(right(), &x, 0, &carrier, sizeof carrier);
    bsp_put(right(), &carrier, &y, 0, sizeof carrier);
    bsp_sync();
    CHECK_EQUAL(carrier, 100 + right());
    CHECK_EQUAL(y, 50 + left());
    bsp_pop_reg(&x);
    bsp_pop_reg(&y);
    bsp_sync();
}
