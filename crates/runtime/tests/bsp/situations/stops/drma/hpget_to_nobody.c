/* bsp_hpget: the processor must be one of 0 .. p-1. */
// expect: processor 0 of {p}: bsp_hpget at {here}: .. processor {p}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_hpget(bsp_nprocs(), area, 0, &x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
