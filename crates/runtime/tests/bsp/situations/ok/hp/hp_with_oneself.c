/* The unbuffered calls with oneself as the partner. */
#include "situation.h"

void situation_hp_with_oneself(void)
{
    enum { SIZE = 20000 };
    unsigned char *area = calloc(SIZE, 1), *from = malloc(SIZE), *back = malloc(SIZE);
    fill(from, SIZE, me());
    bsp_push_reg(area, SIZE);
    bsp_sync();
    bsp_hpput(me(), from, area, 0, SIZE);
    bsp_sync();
    CHECK(is_filled(area, SIZE, me()));
    bsp_hpget(me(), area, 0, back, SIZE);
    bsp_sync();
    CHECK(is_filled(back, SIZE, me()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
    free(back);
}
