/* All sources of gets are read before a destination is written: chains and swaps work. */
#include "situation.h"

void situation_gets_are_read_before_any_is_written(void)
{
    int a = 100 + me(), b = 200 + me(), c = 300 + me();
    bsp_push_reg(&a, sizeof a);
    bsp_push_reg(&b, sizeof b);
    bsp_sync();
    bsp_get(right(), &a, 0, &b, sizeof b);
    bsp_get(right(), &b, 0, &c, sizeof c); /* the old b there */
    bsp_sync();
    CHECK_EQUAL(b, 100 + right());
    CHECK_EQUAL(c, 200 + right());
    bsp_get(me(), &a, 0, &b, sizeof b); /* a swap at home */
    bsp_get(me(), &b, 0, &a, sizeof a);
    bsp_sync();
    CHECK_EQUAL(a, 100 + right());
    CHECK_EQUAL(b, 100 + me());
    bsp_get(right(), &a, 0, &a, sizeof a); /* a rotation in place */
    bsp_sync();
    CHECK_EQUAL(a, 100 + (me() + 2) % procs());
    bsp_pop_reg(&a);
    bsp_pop_reg(&b);
    bsp_sync();
}
