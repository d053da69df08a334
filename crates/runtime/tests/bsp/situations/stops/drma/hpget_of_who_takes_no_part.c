/* bsp_hpget: who registered NULL takes no part. */
// processors: 2 3 8
// expect: processor 0 of {p}: bsp_hpget at {here}: .. processor 1 .. no part
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    char area[4] = { 0 }, x = 0;
    bsp_push_reg(bsp_pid() == 1 ? NULL : area, bsp_pid() == 1 ? 0 : 4);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_hpget(1, area, 0, &x, 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
