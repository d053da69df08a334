/* Puts and gets of parts that begin and end anywhere: before, in, across and after the pages
 * that lie wholly in the area. */
#include "areas.h"

void situation_parts_across_the_pages(void)
{
    static const size_t cuts[] = { 0, 1, 100, 3995, 3996, 3997, 4100, 8091, 8092, 8093,
                                   12188, 12189, 13000 };
    enum { CUTS = sizeof cuts / sizeof *cuts, SIZE = 13000, START = 100 };
    unsigned char *block = aligned_alloc(4096, 16384), *area = block + START;
    unsigned char *from = malloc(SIZE), *back = malloc(SIZE), *expected = malloc(SIZE);
    memset(block, 0, 16384);
    bsp_push_reg(area, SIZE);
    bsp_sync();
    memset(expected, 0, SIZE);
    for (int i = 0; i < CUTS; i++)
        for (int k = i + 1; k < CUTS; k++) {
            size_t offset = cuts[i], length = cuts[k] - cuts[i];
            unsigned seed = 100 * i + k;
            fill(from, length, seed + me());
            bsp_put(right(), from, area, offset, length);
            bsp_sync();
            fill(expected + offset, length, seed + left());
            CHECK(memcmp(area, expected, SIZE) == 0);
            bsp_get(right(), area, offset, back, length);
            bsp_sync();
            CHECK(memcmp(back, from, length) == 0);
        }
    CHECK(all_are(block, START, 0) && all_are(area + SIZE, 16384 - START - SIZE, 0));
    bsp_pop_reg(area);
    bsp_sync();
    free(block);
    free(from);
    free(back);
    free(expected);
}
