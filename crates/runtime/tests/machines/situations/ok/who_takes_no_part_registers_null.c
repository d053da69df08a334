/* NULL with 0 bytes: a processor takes no part, and pops NULL. */
#include "situation.h"

void situation_who_takes_no_part_registers_null(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int x[8] = { 0 }, value = me + 1;
    bsp_push_reg(all, me == 0 ? (void *)x : (void *)&value, me == 0 ? (int)sizeof x : 0);
    bsp_sync(all);
    if (me < 8 && me > 0)
        bsp_put(all, 0, &value, &value, 4 * me, 4);
    bsp_sync(all);
    for (int i = 1; me == 0 && i < p && i < 8; i++)
        CHECK_EQUAL(x[i], i + 1);
    bsp_pop_reg(all, me == 0 ? (void *)x : (void *)&value);
    bsp_push_reg(all, me % 2 ? NULL : x, me % 2 ? 0 : 4);
    bsp_sync(all);
    bsp_pop_reg(all, me % 2 ? NULL : x);
    bsp_sync(all);
}
