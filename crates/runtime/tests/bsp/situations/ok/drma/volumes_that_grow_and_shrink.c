/* A superstep with much to send, after one with little, and the other way round. */
#include "situation.h"

void situation_volumes_that_grow_and_shrink(void)
{
    enum { LARGEST = 1 << 19 };
    unsigned char *area = calloc(LARGEST, 1), *from = malloc(LARGEST);
    fill(from, LARGEST, me());
    bsp_push_reg(area, LARGEST);
    bsp_sync();
    for (int round = 0; round < 2; round++)
        for (int bits = 0; bits <= 19; bits++) {
            size_t size = (size_t)1 << (round == 0 ? bits : 19 - bits);
            bsp_put(right(), from, area, LARGEST - size, size);
            bsp_sync();
            CHECK(is_filled(area + LARGEST - size, size, left()));
            memset(area, 0, LARGEST);
            bsp_sync();
        }
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
}
