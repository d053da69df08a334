/* A message is moved into an area that others get from in the same superstep: they get it. */
#include "situation.h"

void situation_move_into_a_registered_area(void)
{
    enum { SIZE = 8192 };
    unsigned char *area = calloc(SIZE, 1), payload[SIZE], back[SIZE];
    bsp_push_reg(area, SIZE);
    fill(payload, SIZE, me());
    bsp_send(right(), NULL, payload, SIZE);
    bsp_sync();
    bsp_get(right(), area, 0, back, SIZE);
    bsp_move(area, SIZE);
    bsp_sync();
    CHECK(is_filled(back, SIZE, me()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
}
