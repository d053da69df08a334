/* Half duplex: with size 0 and an address of its own a processor offers nothing, and reaches
 * the blocks of others by that name. */
#include "situation.h"

void situation_size_0_takes_no_part_but_reaches_others(void)
{
    int block[2] = { -1, -1 }, name = 0, value = 1000 + me(), got = -1;
    void *mine = me() == 0 ? (void *)block : (void *)&name;
    bsp_push_reg(mine, me() == 0 ? sizeof block : 0);
    bsp_sync();
    if (me() == procs() - 1)
        bsp_put(0, &value, mine, sizeof value, sizeof value);
    bsp_sync();
    bsp_get(0, mine, sizeof value, &got, sizeof got);
    bsp_sync();
    CHECK_EQUAL(got, 1000 + procs() - 1);
    CHECK_EQUAL(name, 0);
    if (me() == 0)
        CHECK(block[0] == -1 && block[1] == got);
    bsp_pop_reg(mine);
    bsp_sync();
}
