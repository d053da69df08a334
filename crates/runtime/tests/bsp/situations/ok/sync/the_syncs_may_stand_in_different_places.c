/* One bsp_sync meets another wherever they stand in the text. */
#include "situation.h"

static void sync_deep_inside(int depth)
{
    if (depth > 0)
        sync_deep_inside(depth - 1);
    else
        bsp_sync();
}

void situation_the_syncs_may_stand_in_different_places(void)
{
    int x = -1, s = me();
    if (s == 0) {
        bsp_push_reg(&x, sizeof x);
        bsp_sync();
    } else {
        bsp_push_reg(&x, sizeof x);
        sync_deep_inside(s);
    }
    bsp_put(right(), &s, &x, 0, sizeof s);
    if (s % 2)
        bsp_sync();
    else
        sync_deep_inside(3);
    CHECK_EQUAL(x, left());
    bsp_pop_reg(&x);
    bsp_sync();
}
