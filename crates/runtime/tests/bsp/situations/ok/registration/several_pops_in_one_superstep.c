/* Several registrations may be popped in one superstep, in any order that all agree on. */
#include "situation.h"

void situation_several_pops_in_one_superstep(void)
{
    double a, b, c = -1, s = me();
    bsp_push_reg(&a, sizeof a);
    bsp_push_reg(&b, sizeof b);
    bsp_push_reg(&c, sizeof c);
    bsp_sync();
    bsp_pop_reg(&b);
    bsp_pop_reg(&a);
    bsp_sync();
    bsp_put(right(), &s, &c, 0, sizeof s);
    bsp_pop_reg(&c);
    bsp_sync();
    CHECK(c == left());
}
