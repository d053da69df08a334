/* bsp_set_tagsize returns the size set last, in effect or not. */
#include "situation.h"

void situation_set_tagsize_returns_the_last_request(void)
{
    CHECK_EQUAL(set_tagsize(1), 0);
    CHECK_EQUAL(set_tagsize(2), 1);
    CHECK_EQUAL(set_tagsize(3), 2);
    bsp_sync();
    CHECK_EQUAL(set_tagsize(4), 3);
    bsp_sync();
    bsp_sync();
    CHECK_EQUAL(set_tagsize(4), 4);
    bsp_sync();
    CHECK_EQUAL(set_tagsize(0), 4);
    bsp_sync();
}
