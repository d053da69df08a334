/* A get from a processor that comes late has what it wrote last, even if others wait in their
 * bsp_sync long before. */
#include "situation.h"
#include <time.h>

void situation_a_late_processor_s_memory_is_got_late(void)
{
    struct timespec pause = { 0, 3000000 };
    int small = -1, got = -1;
    unsigned char *large = calloc(100000, 1), back[100] = { 0 };
    bsp_push_reg(&small, sizeof small);
    bsp_push_reg(large, 100000);
    bsp_sync();
    bsp_get(0, &small, 0, &got, sizeof got);
    bsp_get(0, large, 50000, back, sizeof back);
    if (me() == 0)
        nanosleep(&pause, NULL);
    small = 5 + me();
    fill(large + 50000, 100, me());
    bsp_sync();
    CHECK_EQUAL(got, 5);
    CHECK(is_filled(back, 100, 0));
    bsp_pop_reg(&small);
    bsp_pop_reg(large);
    bsp_sync();
    free(large);
}
