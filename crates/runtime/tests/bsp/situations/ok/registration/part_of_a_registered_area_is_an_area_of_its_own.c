/* Areas may overlap; each is known by its own base address. */
#include "situation.h"

void situation_part_of_a_registered_area_is_an_area_of_its_own(void)
{
    enum { SIZE = 20000 };
    unsigned char *a = calloc(SIZE, 1), from[100];
    fill(from, sizeof from, me());
    bsp_push_reg(a, SIZE);
    bsp_push_reg(a + 5000, 9000);
    bsp_push_reg(a + 5001, 100);
    bsp_sync();
    bsp_put(right(), from, a + 5000, 8950, 50);
    bsp_put(right(), from, a + 5001, 0, 100);
    bsp_put(right(), from, a, 0, 100);
    bsp_put(right(), from, a, 19900, 100);
    bsp_sync();
    CHECK(is_filled(a, 100, left()) && is_filled(a + 5001, 100, left()));
    CHECK(is_filled(a + 13950, 50, left()) && is_filled(a + 19900, 100, left()));
    CHECK(all_are(a + 100, 4901, 0) && all_are(a + 5101, 8849, 0) && all_are(a + 14000, 5900, 0));
    unsigned char got[3][100];
    bsp_get(right(), a, 5001, got[0], 100);
    bsp_get(right(), a + 5000, 1, got[1], 100);
    bsp_get(right(), a + 5001, 0, got[2], 100);
    bsp_pop_reg(a);
    bsp_sync();
    for (int i = 0; i < 3; i++)
        CHECK(is_filled(got[i], 100, me()));
    bsp_put(right(), from + 50, a + 5001, 0, 50); /* the parts are still there */
    bsp_pop_reg(a + 5000);
    bsp_pop_reg(a + 5001);
    bsp_sync();
    CHECK(memcmp(a + 5001, a + 50, 50) == 0);
    free(a);
}
