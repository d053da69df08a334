/* bsp_pid is in 0 .. p-1, and no two processors have the same. */
#include "situation.h"

void situation_pids_are_0_to_p_minus_1(void)
{
    int p = procs(), s = me(), seen[64] = { 0 }, one = 1;
    CHECK(0 <= s && s < p);
    bsp_push_reg(seen, sizeof seen);
    bsp_sync();
    bsp_put(0, &one, seen, s * sizeof one, sizeof one);
    bsp_sync();
    for (int q = 0; q < p; q++)
        CHECK_EQUAL(seen[q], s == 0);
    CHECK_EQUAL(me(), s);
    bsp_pop_reg(seen);
    bsp_sync();
}
