/* The local side of a put or get is any memory: another area, a part of it, a constant, the
 * same area. */
#include "situation.h"

void situation_sources_and_destinations_need_no_registration(void)
{
    static const char text[] = "a constant";
    char area[32] = "", other[32] = "", got[32] = "";
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(other, sizeof other);
    bsp_sync();
    bsp_put(right(), text, area, 0, sizeof text);
    bsp_sync();
    CHECK(strcmp(area, text) == 0);
    bsp_put(right(), area + 2, other, 0, sizeof text - 2); /* from an area into another */
    bsp_get(right(), area, 2, got + 3, 5);
    bsp_sync();
    CHECK(strcmp(other, "constant") == 0 && memcmp(got + 3, "const", 5) == 0);
    bsp_put(me(), area, area, 1, sizeof text); /* overlapping itself */
    bsp_sync();
    CHECK(strcmp(area, "aa constant") == 0);
    bsp_get(me(), area, 1, area, sizeof text);
    bsp_sync();
    CHECK(strcmp(area, "a constant") == 0);
    bsp_pop_reg(area);
    bsp_pop_reg(other);
    bsp_sync();
}
