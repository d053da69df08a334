/* Areas of all sizes side by side in one block, without gaps, all registered at the same time. */
#include "areas.h"

void situation_all_at_once(void)
{
    size_t total = 0, at = 0;
    for (int i = 0; i < AREA_SIZES; i++)
        total += area_sizes[i];
    unsigned char *block = malloc(total), *from = malloc(total), *back = malloc(total);
    fill(from, total, me());
    for (int i = 0; i < AREA_SIZES; at += area_sizes[i++])
        bsp_push_reg(block + at, area_sizes[i]);
    bsp_sync();
    at = 0;
    for (int i = 0; i < AREA_SIZES; at += area_sizes[i++])
        bsp_put(right(), from + at, block + at, 0, area_sizes[i]);
    bsp_sync();
    CHECK(is_filled(block, total, left()));
    at = 0;
    for (int i = 0; i < AREA_SIZES; at += area_sizes[i++]) {
        bsp_get(right(), block + at, 0, back + at, area_sizes[i]);
        bsp_pop_reg(block + at);
    }
    bsp_sync();
    CHECK(is_filled(back, total, me()));
    free(block);
    free(from);
    free(back);
}
