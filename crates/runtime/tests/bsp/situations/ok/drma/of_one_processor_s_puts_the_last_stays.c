/* Overlapping puts of one processor are written in the order of their issue. */
#include "situation.h"

void situation_of_one_processor_s_puts_the_last_stays(void)
{
    unsigned char area[64], expected[64];
    memset(area, 0, sizeof area);
    memset(expected, 0, sizeof expected);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int i = 0; i < 200; i++) {
        int offset = i * 7 % 60, length = 1 + i % 4;
        unsigned char from[4];
        memset(from, i, sizeof from);
        bsp_put(right(), from, area, offset, length);
        memset(expected + offset, i, length);
    }
    bsp_sync();
    CHECK(memcmp(area, expected, sizeof area) == 0);
    bsp_pop_reg(area);
    bsp_sync();
}
