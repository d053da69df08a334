/* Popping the most recent registration of an address exposes the one before, with the partners
 * that it had. */
#include "situation.h"

void situation_an_older_registration_comes_back(void)
{
    /* The same name at 0 both times; the others' differ. */
    int a = -1, b = -1, zero = me() == 0, value = 7;
    bsp_push_reg(&a, sizeof a);
    bsp_push_reg(zero ? &a : &b, sizeof a);
    bsp_sync();
    if (zero)
        for (int q = 0; q < procs(); q++)
            bsp_put(q, &value, &a, 0, sizeof value);
    bsp_sync();
    CHECK_EQUAL(a, zero ? 7 : -1);
    CHECK_EQUAL(b, zero ? -1 : 7);
    bsp_pop_reg(zero ? &a : &b);
    bsp_sync();
    value = 8;
    if (zero)
        for (int q = 0; q < procs(); q++)
            bsp_put(q, &value, &a, 0, sizeof value);
    bsp_sync();
    CHECK_EQUAL(a, 8);
    CHECK_EQUAL(b, zero ? -1 : 7);
    bsp_pop_reg(&a);
    bsp_sync();
}
