/* Where a get over many pages and puts into the middle of it meet, the puts stay. */
#include "situation.h"

void situation_where_large_gets_and_puts_meet(void)
{
    enum { SIZE = 100000 };
    unsigned char *a = malloc(SIZE), *b = calloc(SIZE, 1), *from = malloc(SIZE);
    fill(a, SIZE, me());
    fill(from, SIZE, 100 + me());
    bsp_push_reg(a, SIZE);
    bsp_push_reg(b, SIZE);
    bsp_sync();
    bsp_put(right(), from + 10, b, 10, 5);
    bsp_put(right(), from + 30000, b, 30000, 40000);
    bsp_get(right(), a, 0, b, SIZE);
    bsp_sync();
    unsigned char *expected = malloc(SIZE);
    fill(from, SIZE, 100 + left());
    fill(expected, SIZE, right());
    memcpy(expected + 10, from + 10, 5);
    memcpy(expected + 30000, from + 30000, 40000);
    CHECK(memcmp(b, expected, SIZE) == 0);
    bsp_pop_reg(a);
    bsp_pop_reg(b);
    bsp_sync();
    free(a);
    free(b);
    free(from);
    free(expected);
}
