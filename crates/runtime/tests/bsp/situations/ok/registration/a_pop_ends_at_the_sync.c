/* A pop takes effect at the end of the superstep: puts and gets beside it still go. */
#include "situation.h"

void situation_a_pop_ends_at_the_sync(void)
{
    int x = 100 + me(), y = -1, s = me();
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    int got = -1;
    bsp_pop_reg(&x);
    bsp_get(right(), &x, 0, &got, sizeof got); /* after the pop */
    bsp_put(right(), &s, &y, 0, sizeof s);     /* before the pop */
    bsp_pop_reg(&y);
    bsp_sync();
    CHECK_EQUAL(got, 100 + right());
    CHECK_EQUAL(y, left());
}
