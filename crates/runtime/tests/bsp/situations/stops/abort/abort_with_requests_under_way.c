/* bsp_abort ends a superstep that has requests under way. */
// expect: in the middle
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    static char area[100000];
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(0, area, area, 0, sizeof area);
    bsp_hpput(0, area, area, 0, sizeof area);
    bsp_send(0, NULL, area, sizeof area);
    if (bsp_pid() == bsp_nprocs() / 2)
        bsp_abort("in the middle");
    bsp_sync();
    bsp_end();
    return 0;
}
