/* Gets from one processor into one place: the last one issued stays. */
#include "situation.h"

void situation_overlapping_gets_from_one_processor(void)
{
    enum { SIZE = 60000 };
    unsigned char *area = malloc(SIZE), *into = calloc(SIZE, 1), *expected = calloc(SIZE, 1);
    unsigned char *there = malloc(SIZE);
    fill(area, SIZE, me());
    fill(there, SIZE, right());
    bsp_push_reg(area, SIZE);
    bsp_sync();
    for (int i = 0; i < 60; i++) {
        size_t length = i % 3 == 0 ? 3 + i : i % 3 == 1 ? 500 + 97 * i : 300 * i;
        size_t offset = i * 7919 % (SIZE - length), to = i * 3571 % (SIZE - length);
        bsp_get(right(), area, offset, into + to, length);
        memcpy(expected + to, there + offset, length);
    }
    bsp_sync();
    CHECK(memcmp(into, expected, SIZE) == 0);
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(into);
    free(expected);
    free(there);
}
