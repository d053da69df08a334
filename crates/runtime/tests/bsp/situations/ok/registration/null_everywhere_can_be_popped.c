/* A registration of NULL on all processors is one, and is popped by NULL. */
#include "situation.h"

void situation_null_everywhere_can_be_popped(void)
{
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_sync();
    bsp_push_reg(NULL, 0);
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_pop_reg(NULL);
    bsp_sync();
    bsp_push_reg(NULL, 0); /* and in the same superstep */
    bsp_pop_reg(NULL);
    bsp_sync();
}
