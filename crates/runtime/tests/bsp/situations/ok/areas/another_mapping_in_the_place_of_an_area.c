/* After the pop and the free another size may lie at the same address, on some processors only. */
#include "situation.h"
#include <sys/mman.h>

void situation_another_mapping_in_the_place_of_an_area(void)
{
    enum { PAGE = 4096, PAGES = 16 };
    unsigned char *room = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(room != MAP_FAILED);
    for (int round = 1; round <= 12; round++) {
        /* Each processor has its area elsewhere in the room, and of another length. */
        size_t start = (size_t)((round * 3 + me() * 5) % 8) * PAGE;
        size_t size = (size_t)(2 + (round + me()) % 6) * PAGE;
        size_t there = (size_t)(2 + (round + right()) % 6) * PAGE;
        if (round % 3 == me() % 3)
            CHECK(mmap(room, PAGES * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == room);
        unsigned char byte = round + me();
        room[start + size - 1] = 0;
        bsp_push_reg(room + start, size);
        bsp_sync();
        bsp_put(right(), &byte, room + start, there - 1, 1);
        bsp_sync();
        CHECK_EQUAL(room[start + size - 1], round + left());
        bsp_pop_reg(room + start);
        bsp_sync();
    }
    CHECK(munmap(room, PAGES * PAGE) == 0);
}
