/* bsp_hpget: the data has arrived after the bsp_sync; nobody uses either side until then. */
#include "situation.h"

void situation_hpget_has_arrived_after_the_sync(void)
{
    static const size_t sizes[] = { 1, 8, 100, 4096, 5000, 100000, 1000003 };
    for (int i = 0; i < 7; i++) {
        size_t size = sizes[i];
        unsigned char *area = malloc(size), *back = calloc(size, 1);
        fill(area, size, me());
        bsp_push_reg(area, size);
        bsp_sync();
        bsp_hpget(right(), area, 0, back, size);
        bsp_sync();
        CHECK(is_filled(back, size, right()));
        CHECK(is_filled(area, size, me()));
        bsp_pop_reg(area);
        bsp_sync();
        free(area);
        free(back);
    }
}
