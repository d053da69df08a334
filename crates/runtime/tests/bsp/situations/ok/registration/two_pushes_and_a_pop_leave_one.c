/* Of two pushes of one address in a superstep a pop takes the second. */
#include "situation.h"

void situation_two_pushes_and_a_pop_leave_one(void)
{
    unsigned char a[8] = { 0 }, byte = 1 + me();
    bsp_push_reg(a, 8);
    bsp_push_reg(a, 1);
    bsp_pop_reg(a);
    bsp_sync();
    bsp_put(right(), &byte, a, 7, 1);
    bsp_sync();
    CHECK_EQUAL(a[7], 1 + left());
    bsp_pop_reg(a);
    bsp_sync();
}
