/* One processor does all puts and gets; the others only synchronise. */
#include "situation.h"

void situation_only_one_processor_communicates(void)
{
    int x = 10 + me(), got[64];
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    for (int who = 0; who < procs(); who++) {
        if (me() == who)
            for (int q = 0; q < procs(); q++) {
                int value = 100 * (who + 1) + q;
                bsp_get(q, &x, 0, &got[q], sizeof x);
                bsp_put(q, &value, &x, 0, sizeof value);
            }
        bsp_sync();
        CHECK_EQUAL(x, 100 * (who + 1) + me());
        if (me() == who)
            for (int q = 0; q < procs(); q++)
                CHECK_EQUAL(got[q], who == 0 ? 10 + q : 100 * who + q);
    }
    bsp_pop_reg(&x);
    bsp_sync();
}
