/* Some mebibytes, put and got whole. */
#include "situation.h"

void situation_large_areas(void)
{
    size_t size = (2 << 20) + 12345;
    unsigned char *area = malloc(size), *from = malloc(size), *back = malloc(size);
    memset(area, 0, size);
    fill(from, size, me());
    bsp_push_reg(area, size);
    bsp_sync();
    bsp_put(right(), from, area, 0, size);
    memset(from, 0, size); /* has been copied */
    bsp_sync();
    CHECK(is_filled(area, size, left()));
    bsp_get(right(), area, 0, back, size);
    bsp_sync();
    CHECK(is_filled(back, size, me()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
    free(back);
}
