/* bsp_all and bsp_any: 1 or 0, the same everywhere. */
#include "situation.h"

void situation_all_and_any(void)
{
    int last = me() == procs() - 1;
    CHECK_EQUAL(bsp_all(1), 1);
    CHECK_EQUAL(bsp_all(-7), 1);
    CHECK_EQUAL(bsp_all(0), 0);
    CHECK_EQUAL(bsp_all(!last), 0);
    CHECK_EQUAL(bsp_any(0), 0);
    CHECK_EQUAL(bsp_any(42), 1);
    CHECK_EQUAL(bsp_any(last), 1);
}
