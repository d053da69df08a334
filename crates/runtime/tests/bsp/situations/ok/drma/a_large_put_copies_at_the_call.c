/* bsp_put copies large sources at the call, too: they may be freed after it. */
#include "situation.h"

void situation_a_large_put_copies_at_the_call(void)
{
    enum { SIZE = 300000 };
    unsigned char *area = calloc(2, SIZE), *from = malloc(SIZE);
    bsp_push_reg(area, 2 * SIZE);
    bsp_sync();
    fill(from, SIZE, me());
    bsp_put(right(), from, area, 0, SIZE);
    fill(from, SIZE, 50 + me());
    bsp_put(right(), from, area, SIZE, SIZE);
    memset(from, 0, SIZE);
    free(from);
    CHECK(all_are(area, 2 * SIZE, 0));
    bsp_sync();
    CHECK(is_filled(area, SIZE, left()) && is_filled(area + SIZE, SIZE, 50 + left()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
}
