/* The order of overlapping puts does not depend on their sizes. */
#include "situation.h"

void situation_small_and_large_puts_keep_their_order(void)
{
    enum { SIZE = 120000, PUTS = 40 };
    unsigned char *area = calloc(SIZE, 1), *expected = calloc(SIZE, 1), *from = malloc(SIZE);
    bsp_push_reg(area, SIZE);
    bsp_sync();
    /* All processors put to all, overlapping; what is expected is the same everywhere. */
    for (int s = 0; s < procs(); s++)
        for (int i = 0; i < PUTS; i++) {
            size_t random = (size_t)(s * 7919 + i * 104729);
            size_t length = i % 3 == 0 ? 1 + random % 64 : i % 3 == 1 ? random % 9000 : random % 90000;
            size_t offset = random * 31 % (SIZE - length);
            memset(from, 1 + s * PUTS + i, length);
            memcpy(expected + offset, from, length);
            for (int q = 0; s == me() && q < procs(); q++)
                bsp_put(q, from, area, offset, length);
        }
    bsp_sync();
    CHECK(memcmp(area, expected, SIZE) == 0);
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(expected);
    free(from);
}
