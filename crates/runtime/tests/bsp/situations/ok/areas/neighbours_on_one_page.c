/* Two areas that share a page, with a private variable between them. */
#include "areas.h"

void situation_neighbours_on_one_page(void)
{
    enum { SIZE = 10000 };
    unsigned char *block = malloc(2 * SIZE + 8), *from = malloc(SIZE);
    unsigned char *first = block, *between = block + SIZE, *second = between + 8;
    fill(between, 8, 50 + me());
    fill(from, SIZE, me());
    bsp_push_reg(first, SIZE);
    bsp_push_reg(second, SIZE);
    bsp_sync();
    bsp_put(right(), from, first, 0, SIZE);
    bsp_put(left(), from, second, 0, SIZE);
    fill(between, 8, 90 + me());
    bsp_sync();
    CHECK(is_filled(first, SIZE, left()));
    CHECK(is_filled(between, 8, 90 + me()));
    CHECK(is_filled(second, SIZE, right()));
    bsp_pop_reg(second);
    bsp_pop_reg(first);
    bsp_sync();
    free(block);
    free(from);
}
