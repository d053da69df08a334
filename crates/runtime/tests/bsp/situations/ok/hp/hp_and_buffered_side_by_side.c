/* Unbuffered and buffered calls in one superstep, on parts that do not meet. */
#include "situation.h"

void situation_hp_and_buffered_side_by_side(void)
{
    enum { PART = 6000 };
    unsigned char *area = malloc(5 * PART), *from = malloc(5 * PART), *back = malloc(2 * PART);
    fill(area, 5 * PART, me());
    fill(from, 5 * PART, 100 + me());
    bsp_push_reg(area, 5 * PART);
    bsp_sync();
    bsp_put(right(), from, area, 0, PART);
    bsp_hpput(right(), from + PART, area, PART, PART);
    bsp_hpget(right(), area, 2 * PART, back, PART);
    bsp_get(right(), area, 3 * PART, back + PART, PART);
    bsp_hpput(left(), from + 4 * PART, area, 4 * PART, PART);
    bsp_sync();
    unsigned char *expected = malloc(5 * PART);
    fill(expected, 5 * PART, 100 + left());
    CHECK(memcmp(area, expected, 2 * PART) == 0);
    fill(expected, 5 * PART, 100 + right());
    CHECK(memcmp(area + 4 * PART, expected + 4 * PART, PART) == 0);
    fill(expected, 5 * PART, right());
    CHECK(memcmp(back, expected + 2 * PART, 2 * PART) == 0);
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
    free(back);
    free(expected);
}
