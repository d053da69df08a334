/* What was put into an area that is freed is not found in a fresh block of zeros. */
#include "situation.h"

void situation_calloc_gives_zeros_after_a_free(void)
{
    static const size_t sizes[] = { 1000, 9000, 70000, 300000, 3000000 };
    for (int i = 0; i < 5; i++) {
        size_t size = sizes[i];
        unsigned char *area = malloc(size), *from = malloc(size);
        memset(from, 0xFF, size);
        bsp_push_reg(area, size);
        bsp_sync();
        bsp_put(right(), from, area, 0, size);
        bsp_pop_reg(area);
        bsp_sync();
        CHECK(all_are(area, size, 0xFF));
        free(from);
        free(area);
        unsigned char *zeros = calloc(size, 1);
        CHECK(all_are(zeros, size, 0));
        free(zeros);
    }
}
