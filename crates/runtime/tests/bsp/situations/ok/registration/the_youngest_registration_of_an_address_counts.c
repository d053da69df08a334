/* An address may be registered again, with another size: the most recent one is used. */
#include "situation.h"

void situation_the_youngest_registration_of_an_address_counts(void)
{
    unsigned char a[64];
    memset(a, 0, sizeof a);
    unsigned char byte = 1 + me();
    bsp_push_reg(a, 16);
    bsp_sync();
    bsp_push_reg(a, sizeof a);
    bsp_put(right(), &byte, a, 15, 1); /* still the old one */
    bsp_sync();
    CHECK_EQUAL(a[15], 1 + left());
    bsp_put(right(), &byte, a, 63, 1);
    bsp_sync();
    CHECK_EQUAL(a[63], 1 + left());
    bsp_pop_reg(a); /* the large one goes; the small one is back */
    bsp_sync();
    byte = 101 + me();
    bsp_put(right(), &byte, a, 14, 1);
    bsp_sync();
    CHECK_EQUAL(a[14], 101 + left());
    bsp_pop_reg(a);
    bsp_sync();
}
