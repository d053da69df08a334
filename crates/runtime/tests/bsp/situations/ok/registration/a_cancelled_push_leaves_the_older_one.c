/* The pop of a superstep that pushed the same address again takes away the new registration,
 * not the one that is in effect. */
#include "situation.h"

void situation_a_cancelled_push_leaves_the_older_one(void)
{
    unsigned char a[8] = { 0 }, byte = 1 + me();
    bsp_push_reg(a, 8);
    bsp_sync();
    bsp_push_reg(a, 4);
    bsp_pop_reg(a);
    bsp_sync();
    bsp_put(right(), &byte, a, 7, 1); /* within 8, beyond 4 */
    bsp_sync();
    CHECK_EQUAL(a[7], 1 + left());
    bsp_push_reg(a, 2);
    bsp_push_reg(a, 6);
    bsp_pop_reg(a); /* that of 6 */
    bsp_pop_reg(a); /* that of 2 */
    bsp_sync();
    bsp_put(right(), &byte, a, 6, 1);
    bsp_sync();
    CHECK_EQUAL(a[6], 1 + left());
    bsp_pop_reg(a);
    bsp_sync();
}
