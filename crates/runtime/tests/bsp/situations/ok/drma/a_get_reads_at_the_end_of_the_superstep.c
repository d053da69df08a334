/* A get returns the values that the remote memory has when its processor has finished its computation. */
#include "situation.h"

void situation_a_get_reads_at_the_end_of_the_superstep(void)
{
    int x = -1, got = -2;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_get(right(), &x, 0, &got, sizeof got);
    CHECK_EQUAL(got, -2);
    x = 100 + me();
    CHECK_EQUAL(got, -2);
    bsp_sync();
    CHECK_EQUAL(got, 100 + right());
    x = -3;
    CHECK_EQUAL(got, 100 + right());
    bsp_pop_reg(&x);
    bsp_sync();
}
