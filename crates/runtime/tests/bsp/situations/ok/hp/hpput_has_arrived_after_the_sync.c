/* bsp_hpput: the data has arrived after the bsp_sync; the source is not changed until then. */
#include "situation.h"

void situation_hpput_has_arrived_after_the_sync(void)
{
    static const size_t sizes[] = { 1, 8, 100, 4096, 5000, 100000, 1000003 };
    for (int i = 0; i < 7; i++) {
        size_t size = sizes[i];
        unsigned char *area = calloc(size, 1), *from = malloc(size);
        fill(from, size, me());
        bsp_push_reg(area, size);
        bsp_sync();
        bsp_hpput(right(), from, area, 0, size);
        bsp_sync();
        CHECK(is_filled(area, size, left()));
        CHECK(is_filled(from, size, me()));
        bsp_pop_reg(area);
        bsp_sync();
        free(area);
        free(from);
    }
}
