/* Everybody gets the next one's array into their own, of many pages. */
#include "situation.h"

void situation_large_rotations_in_place(void)
{
    enum { SIZE = 150001 };
    unsigned char *area = malloc(SIZE);
    fill(area, SIZE, me());
    bsp_push_reg(area, SIZE);
    bsp_sync();
    for (int i = 1; i <= procs(); i++) {
        bsp_get(right(), area, 0, area, SIZE);
        bsp_sync();
        CHECK(is_filled(area, SIZE, (me() + i) % procs()));
    }
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
}
