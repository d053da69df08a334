/* Offsets are bytes of the remote area, from its first to its last. */
#include "situation.h"

void situation_every_byte_up_to_the_last(void)
{
    unsigned char area[40], back[40];
    memset(area, 0, sizeof area);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int i = 0; i < 40; i++) {
        unsigned char byte = pattern(me(), i);
        bsp_put(right(), &byte, area, i, 1);
    }
    bsp_sync();
    CHECK(is_filled(area, 40, left()));
    for (int i = 0; i < 40; i++)
        bsp_get(right(), area, 39 - i, &back[39 - i], 1);
    bsp_sync();
    CHECK(is_filled(back, 40, me()));
    bsp_pop_reg(area);
    bsp_sync();
}
