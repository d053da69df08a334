/* Registered memory is freed, and malloc returns it as any other block. */
#include "situation.h"

void situation_freed_and_allocated_again(void)
{
    for (int round = 0; round < 30; round++) {
        size_t size = 3000 + 20011 * (size_t)(round % 10);
        unsigned char *area = malloc(size), last = 1 + me() + round;
        memset(area, 0, size);
        bsp_push_reg(area, size);
        bsp_sync();
        bsp_put(right(), &last, area, size - 1, 1);
        bsp_pop_reg(area);
        bsp_sync();
        CHECK_EQUAL(area[size - 1], 1 + left() + round);
        free(area);
        /* Other sizes, which take what was freed apart and join it. */
        unsigned char *parts[8];
        for (int i = 0; i < 8; i++) {
            parts[i] = malloc(size / (i + 1));
            memset(parts[i], i + me(), size / (i + 1));
        }
        bsp_sync();
        for (int i = 0; i < 8; i++) {
            CHECK(all_are(parts[i], size / (i + 1), i + me()));
            free(parts[i]);
        }
    }
}
