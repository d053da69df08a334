/* The size bounds access to the block of the processor that gave it; sizes may differ. */
#include "situation.h"

void situation_sizes_may_differ(void)
{
    unsigned char block[256];
    int size = 8 + 4 * me(), there = 8 + 4 * right();
    memset(block, 0, sizeof block);
    bsp_push_reg(block, size);
    bsp_sync();
    unsigned char from[256];
    fill(from, sizeof from, me());
    bsp_put(right(), from, block, 0, there); /* all of it, and no more */
    bsp_sync();
    CHECK(is_filled(block, size, left()));
    CHECK(all_are(block + size, sizeof block - size, 0));
    unsigned char got = 0;
    bsp_get(right(), block, there - 1, &got, 1);
    bsp_sync();
    CHECK_EQUAL(got, pattern(me(), there - 1));
    bsp_pop_reg(block);
    bsp_sync();
}
