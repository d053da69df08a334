/* A few bytes on one processor, several pages on another, in one registration. */
#include "situation.h"

void situation_sizes_may_differ_by_much(void)
{
    enum { LARGE = 50000, SMALL = 24 };
    int mine = me() % 2 ? LARGE : SMALL, there = right() % 2 ? LARGE : SMALL;
    unsigned char *block = malloc(mine), *from = malloc(LARGE), *back = malloc(LARGE);
    memset(block, 0, mine);
    fill(from, LARGE, me());
    bsp_push_reg(block, mine);
    bsp_sync();
    bsp_put(right(), from, block, 0, there);
    bsp_sync();
    CHECK(is_filled(block, mine, left()));
    bsp_get(right(), block, 0, back, there);
    bsp_sync();
    CHECK(is_filled(back, there, me()));
    bsp_pop_reg(block);
    bsp_sync();
    free(block);
    free(from);
    free(back);
}
