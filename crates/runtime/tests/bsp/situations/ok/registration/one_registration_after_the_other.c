/* Slots are used again: a program may register in each round for ever. */
#include "situation.h"

void situation_one_registration_after_the_other(void)
{
    for (int round = 0; round < 200; round++) {
        int x = -1, value = 1000 * round + me();
        bsp_push_reg(&x, sizeof x);
        bsp_sync();
        bsp_put(right(), &value, &x, 0, sizeof value);
        bsp_pop_reg(&x);
        bsp_sync();
        CHECK_EQUAL(x, 1000 * round + left());
    }
}
