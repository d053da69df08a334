/* Sizes of 1 to 40 bytes from and to any address. */
#include "situation.h"

void situation_every_small_size_at_every_alignment(void)
{
    unsigned char from[64], area[41 * 64], back[41 * 64];
    fill(from, sizeof from, me());
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int shift = 0; shift < 9; shift++) {
        memset(area, 0xEE, sizeof area);
        memset(back, 0xDD, sizeof back);
        bsp_sync();
        for (int size = 1; size <= 40; size++)
            bsp_put(right(), from + shift % 5, area, size * 64 + shift, size);
        bsp_sync();
        for (int size = 1; size <= 40; size++)
            bsp_get(right(), area, size * 64 + shift, back + size * 64 + shift / 2, size);
        bsp_sync();
        fill(from, sizeof from, left());
        for (int size = 1; size <= 40; size++) {
            unsigned char *at = area + size * 64;
            CHECK(memcmp(at + shift, from + shift % 5, size) == 0);
            CHECK(all_are(at, shift, 0xEE) && all_are(at + shift + size, 64 - shift - size, 0xEE));
        }
        fill(from, sizeof from, me());
        for (int size = 1; size <= 40; size++) {
            unsigned char *at = back + size * 64;
            CHECK(memcmp(at + shift / 2, from + shift % 5, size) == 0);
            CHECK(all_are(at + shift / 2 + size, 64 - shift / 2 - size, 0xDD));
        }
    }
    bsp_pop_reg(area);
    bsp_sync();
}
