/* A thousand areas at the same time, popped in another order. */
#include "situation.h"

void situation_there_may_be_many_registrations(void)
{
    enum { COUNT = 1000, STEP = 617 }; /* coprime: k * STEP visits all */
    int *v = malloc(COUNT * sizeof *v);
    for (int i = 0; i < COUNT; i++) {
        v[i] = -1;
        bsp_push_reg(&v[i], sizeof v[i]);
    }
    bsp_sync();
    for (int i = 0; i < COUNT; i++) {
        int value = i * 100 + me();
        bsp_put(right(), &value, &v[i], 0, sizeof value);
    }
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        CHECK_EQUAL(v[i], i * 100 + left());
    for (int k = 0; k < COUNT; k++)
        bsp_pop_reg(&v[k * STEP % COUNT]);
    bsp_sync();
    free(v);
}
