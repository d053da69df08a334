/* Unbuffered puts and gets that begin and end at any place of an area. */
#include "situation.h"

void situation_hp_in_parts_across_the_pages(void)
{
    static const size_t cuts[] = { 0, 1, 77, 4000, 4019, 4020, 4096, 8116, 12000, 12212, 13000 };
    enum { CUTS = sizeof cuts / sizeof *cuts, SIZE = 13000 };
    unsigned char *area = calloc(SIZE, 1), *from = malloc(SIZE), *back = malloc(SIZE);
    bsp_push_reg(area, SIZE);
    bsp_sync();
    for (int step = 1; step < CUTS; step++) {
        fill(from, SIZE, 100 * step + me());
        memset(area, 0, SIZE);
        memset(back, 0, SIZE);
        bsp_sync();
        for (int i = 0; i + step < CUTS; i += step)
            bsp_hpput(right(), from + cuts[i], area, cuts[i], cuts[i + step] - cuts[i]);
        bsp_sync();
        size_t end = cuts[(CUTS - 1) / step * step];
        CHECK(is_filled(area, end, 100 * step + left()) && all_are(area + end, SIZE - end, 0));
        for (int i = 0; i + step < CUTS; i += step)
            bsp_hpget(right(), area, cuts[i], back + cuts[i], cuts[i + step] - cuts[i]);
        bsp_sync();
        CHECK(is_filled(back, end, 100 * step + me()) && all_are(back + end, SIZE - end, 0));
    }
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
    free(back);
}
