/* A pop of NULL, too, is the most recent registration of NULL there. */
#include "situation.h"

void situation_several_nulls_are_popped_youngest_first(void)
{
    int a = -1, b = -1, s = me(), takes_part = s != 0 || procs() == 1;
    bsp_push_reg(takes_part ? &a : NULL, takes_part ? sizeof a : 0);
    bsp_push_reg(takes_part ? &b : NULL, takes_part ? sizeof b : 0);
    bsp_sync();
    bsp_pop_reg(takes_part ? &b : NULL);
    bsp_sync();
    if (takes_part)
        bsp_put(procs() - 1, &s, &a, 0, sizeof s); /* a is still there */
    bsp_sync();
    CHECK_EQUAL(a, s == procs() - 1 ? s : -1);
    bsp_pop_reg(takes_part ? &a : NULL);
    bsp_sync();
}
