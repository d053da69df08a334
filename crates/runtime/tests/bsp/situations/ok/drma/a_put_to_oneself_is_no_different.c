/* Putting to and getting from oneself has the same delays as with others. */
#include "situation.h"

void situation_a_put_to_oneself_is_no_different(void)
{
    int x = 1, y = 2, got = 3, three = 30;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_put(me(), &three, &x, 0, sizeof three);
    bsp_get(me(), &y, 0, &got, sizeof got);
    CHECK(x == 1 && got == 3);
    y = 22; /* a get reads at the end of the superstep */
    three = 31;
    bsp_sync();
    CHECK_EQUAL(x, 30);
    CHECK_EQUAL(got, 22);
    bsp_pop_reg(&x);
    bsp_pop_reg(&y);
    bsp_sync();
}
