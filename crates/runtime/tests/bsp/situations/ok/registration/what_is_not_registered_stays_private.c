/* Others see only what is put or got: global variables and the neighbours of an area are private. */
#include "situation.h"

static unsigned char private_before[5000], private_area[30000], private_after[5000];

void situation_what_is_not_registered_stays_private(void)
{
    fill(private_before, sizeof private_before, me());
    fill(private_area, sizeof private_area, me() + 100);
    fill(private_after, sizeof private_after, me() + 200);
    bsp_push_reg(private_area, sizeof private_area);
    bsp_sync();
    fill(private_area, sizeof private_area, me() + 300); /* the area, too, is each one's own */
    fill(private_before, sizeof private_before, me() + 400);
    fill(private_after, sizeof private_after, me() + 500);
    bsp_sync();
    CHECK(is_filled(private_area, sizeof private_area, me() + 300));
    CHECK(is_filled(private_before, sizeof private_before, me() + 400));
    CHECK(is_filled(private_after, sizeof private_after, me() + 500));
    bsp_pop_reg(private_area);
    bsp_sync();
    fill(private_area, sizeof private_area, me() + 600);
    bsp_sync();
    CHECK(is_filled(private_area, sizeof private_area, me() + 600));
}
