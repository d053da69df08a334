/* New memory at the address of an area that was popped and unmapped is a new area. */
#include "situation.h"
#include <sys/mman.h>

void situation_unmapped_and_mapped_again(void)
{
    enum { SIZE = 5 * 4096 };
    unsigned char *at = NULL;
    for (int round = 0; round < 10; round++) {
        unsigned char *area = mmap(at, SIZE, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
        CHECK(area != MAP_FAILED && all_are(area, SIZE, 0));
        at = area;
        unsigned char first = 1 + me() + round;
        bsp_push_reg(area, SIZE);
        bsp_sync();
        bsp_put(right(), &first, area, 3 * 4096, 1);
        bsp_sync();
        CHECK_EQUAL(area[3 * 4096], 1 + left() + round);
        CHECK(all_are(area, 3 * 4096, 0));
        bsp_pop_reg(area);
        bsp_sync();
        if (round % 2) /* else it is replaced in place */
            CHECK(munmap(area, SIZE) == 0);
    }
}
