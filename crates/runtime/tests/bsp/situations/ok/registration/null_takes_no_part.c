/* NULL with size 0: this processor takes no part; the others use the registration. */
#include "situation.h"

void situation_null_takes_no_part(void)
{
    int x = -1, s = me(), last = procs() - 1;
    int takes_part = s != last || last == 0;
    bsp_push_reg(takes_part ? &x : NULL, takes_part ? sizeof x : 0);
    bsp_sync();
    if (takes_part)
        bsp_put(0, &s, &x, 0, sizeof s);
    bsp_sync();
    CHECK_EQUAL(x, s != 0 ? -1 : last == 0 ? 0 : last - 1);
    bsp_pop_reg(takes_part ? &x : NULL);
    bsp_sync();
}
