/* All gets are read before anything that was put is written. */
#include "situation.h"

void situation_a_get_sees_no_put_of_its_superstep(void)
{
    int x = 100 + me(), put = 200 + me(), got = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(right(), &put, &x, 0, sizeof put);
    bsp_get(right(), &x, 0, &got, sizeof got);
    bsp_sync();
    CHECK_EQUAL(got, 100 + right());
    CHECK_EQUAL(x, 200 + left());
    bsp_get(left(), &x, 0, &got, sizeof got);
    bsp_put(left(), &put, &x, 0, sizeof put);
    bsp_sync();
    CHECK_EQUAL(got, 200 + (left() + procs() - 1) % procs());
    CHECK_EQUAL(x, 200 + right());
    bsp_pop_reg(&x);
    bsp_sync();
}
