/* What was put can be changed by its receiver and got from there, again and again. */
#include "situation.h"

void situation_reads_back_and_forth(void)
{
    enum { SIZE = 9000 };
    unsigned char *area = calloc(SIZE, 1), *back = malloc(SIZE);
    bsp_push_reg(area, SIZE);
    bsp_sync();
    for (int round = 0; round < 20; round++) {
        fill(back, SIZE, round);
        bsp_put(right(), back, area, 0, SIZE);
        bsp_sync();
        for (int i = 0; i < SIZE; i++)
            area[i] ^= (unsigned char)(me() + i);
        bsp_get(right(), area, 0, back, SIZE);
        bsp_sync();
        for (int i = 0; i < SIZE; i++)
            back[i] ^= (unsigned char)(right() + i);
        CHECK(is_filled(back, SIZE, round));
    }
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(back);
}
