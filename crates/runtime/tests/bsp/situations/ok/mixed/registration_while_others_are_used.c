/* Areas come and go in each superstep while others are put to and got from. */
#include "situation.h"

void situation_registration_while_others_are_used(void)
{
    enum { AREAS = 6 };
    int v[AREAS], s = me();
    for (int i = 0; i < AREAS; i++)
        v[i] = -1;
    bsp_push_reg(&v[0], sizeof v[0]);
    bsp_sync();
    for (int step = 0; step < 60; step++) {
        int now = step % AREAS, next = (step + 1) % AREAS, got = -2, value = 100 * step + s;
        bsp_push_reg(&v[next], sizeof v[next]);
        bsp_pop_reg(&v[now]);
        bsp_put(right(), &value, &v[now], 0, sizeof value);
        bsp_get(right(), &v[now], 0, &got, sizeof got);
        v[now] = 7 * step + s;
        bsp_sync();
        CHECK_EQUAL(got, 7 * step + right());
        CHECK_EQUAL(v[now], 100 * step + left());
    }
    bsp_pop_reg(&v[60 % AREAS]);
    bsp_sync();
}
