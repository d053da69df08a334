/* Results of gets are written before anything that was put. */
#include "situation.h"

void situation_where_a_get_and_a_put_meet_the_put_stays(void)
{
    int x = 100 + me(), y[2] = { -1, -1 }, put = 200 + me();
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(y, sizeof y);
    bsp_sync();
    bsp_get(left(), &x, 0, &y[0], sizeof x);
    bsp_put(right(), &put, y, 0, sizeof put);
    bsp_put(right(), &put, y, sizeof put, sizeof put);
    bsp_get(left(), &x, 0, &y[1], sizeof x);
    bsp_sync();
    CHECK_EQUAL(y[0], 200 + left());
    CHECK_EQUAL(y[1], 200 + left());
    bsp_pop_reg(&x);
    bsp_pop_reg(y);
    bsp_sync();
}
