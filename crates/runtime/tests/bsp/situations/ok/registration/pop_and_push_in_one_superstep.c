/* An area that is popped and pushed again in one superstep is registered in the next: with
 * its new size. */
#include "situation.h"

void situation_pop_and_push_in_one_superstep(void)
{
    unsigned char a[64];
    memset(a, 0, sizeof a);
    unsigned char byte = 1 + me();
    bsp_push_reg(a, 4);
    bsp_sync();
    for (int size = 5; size <= 64; size++) {
        bsp_pop_reg(a);
        bsp_push_reg(a, size);
        bsp_put(right(), &byte, a, size - 2, 1); /* by the old one */
        bsp_sync();
        CHECK_EQUAL(a[size - 2], 1 + left());
        bsp_put(right(), &byte, a, size - 1, 1);
        bsp_sync();
        CHECK_EQUAL(a[size - 1], 1 + left());
    }
    bsp_pop_reg(a);
    bsp_sync();
}
