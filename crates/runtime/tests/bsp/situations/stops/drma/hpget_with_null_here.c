/* bsp_hpget: the local side must be memory. */
// expect: processor 0 of {p}: bsp_hpget at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    (void)x;
    if (bsp_pid() == 0)
        bsp_hpget(0, area, 0, NULL, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
