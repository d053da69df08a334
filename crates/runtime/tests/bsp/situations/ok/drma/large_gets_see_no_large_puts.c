/* Gets of many pages see nothing of puts of many pages, which may be transported in another way. */
#include "situation.h"

void situation_large_gets_see_no_large_puts(void)
{
    enum { SIZE = 200000 };
    unsigned char *area = malloc(SIZE), *from = malloc(SIZE), *back = malloc(SIZE);
    fill(area, SIZE, me());
    fill(from, SIZE, 100 + me());
    bsp_push_reg(area, SIZE);
    bsp_sync();
    bsp_put(right(), from, area, 0, SIZE);
    bsp_get(right(), area, 0, back, SIZE);
    bsp_sync();
    CHECK(is_filled(back, SIZE, right()));
    CHECK(is_filled(area, SIZE, 100 + left()));
    bsp_get(left(), area, 5, back, SIZE - 5);
    bsp_put(left(), from + 5, area, 5, SIZE - 5);
    bsp_sync();
    fill(from, SIZE, 100 + (left() + procs() - 1) % procs());
    CHECK(memcmp(back, from + 5, SIZE - 5) == 0);
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
    free(back);
}
