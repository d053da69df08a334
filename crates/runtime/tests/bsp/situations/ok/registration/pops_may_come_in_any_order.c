/* Registrations are no stack: they may be popped first in, first out, and mixed. */
#include "situation.h"

void situation_pops_may_come_in_any_order(void)
{
    int v[5] = { -1, -1, -1, -1, -1 }, s = me();
    static const int order[5] = { 2, 0, 4, 1, 3 };
    int popped[5] = { 0 };
    for (int i = 0; i < 5; i++)
        bsp_push_reg(&v[i], sizeof v[i]);
    bsp_sync();
    for (int k = 0; k < 5; k++) {
        bsp_pop_reg(&v[order[k]]);
        popped[order[k]] = 1;
        bsp_sync();
        for (int i = 0; i < 5; i++) {
            int value = 10 * k + s;
            if (!popped[i])
                bsp_put(right(), &value, &v[i], 0, sizeof value);
        }
        bsp_sync();
        for (int i = 0; i < 5; i++)
            if (!popped[i])
                CHECK_EQUAL(v[i], 10 * k + left());
    }
}
