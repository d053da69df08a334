/* A block that was registered may grow and shrink, keeps its content, and may be registered
 * again at its new size. */
#include "situation.h"

void situation_realloc_after_a_pop(void)
{
    static const size_t sizes[] = { 100, 5000, 200000, 1000000, 4000000, 300000, 20000, 10 };
    size_t before = 1;
    unsigned char *area = malloc(before);
    *area = 0;
    for (int i = 0; i < 8; i++) {
        size_t size = sizes[i], kept = before < size ? before : size;
        area = realloc(area, size);
        CHECK(i == 0 || is_filled(area, kept, 10 * (i - 1) + left()));
        unsigned char *from = malloc(size);
        fill(from, size, 10 * i + me());
        memset(area, 0, size);
        bsp_push_reg(area, size);
        bsp_sync();
        bsp_put(right(), from, area, 0, size);
        bsp_sync();
        CHECK(is_filled(area, size, 10 * i + left()));
        bsp_pop_reg(area);
        bsp_sync();
        free(from);
        before = size;
    }
    free(area);
}
