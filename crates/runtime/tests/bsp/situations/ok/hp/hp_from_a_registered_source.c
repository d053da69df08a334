/* Source and destination may both be registered areas, of any alignment. */
#include "situation.h"

void situation_hp_from_a_registered_source(void)
{
    enum { SIZE = 50000 };
    unsigned char *a = malloc(SIZE + 3), *b = calloc(SIZE + 5, 1);
    fill(a + 3, SIZE, me());
    bsp_push_reg(a + 3, SIZE);
    bsp_push_reg(b + 5, SIZE);
    bsp_sync();
    bsp_hpput(right(), a + 3, b + 5, 0, SIZE);
    bsp_sync();
    CHECK(is_filled(b + 5, SIZE, left()));
    bsp_hpget(right(), b + 5, 0, a + 3, SIZE);
    bsp_sync();
    CHECK(is_filled(a + 3, SIZE, me()));
    bsp_pop_reg(a + 3);
    bsp_pop_reg(b + 5);
    bsp_sync();
    free(a);
    free(b);
}
