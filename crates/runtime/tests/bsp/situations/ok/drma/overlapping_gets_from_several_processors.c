/* Gets into one place are written in ascending order of the processors they come from. */
#include "situation.h"

void situation_overlapping_gets_from_several_processors(void)
{
    int x = 100 + me(), up = -1, down = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    for (int q = 0; q < procs(); q++)
        bsp_get(q, &x, 0, &up, sizeof up);
    for (int q = procs() - 1; q >= 0; q--)
        bsp_get(q, &x, 0, &down, sizeof down);
    bsp_sync();
    CHECK_EQUAL(up, 100 + procs() - 1);
    CHECK_EQUAL(down, 100 + procs() - 1);
    bsp_pop_reg(&x);
    bsp_sync();
}
