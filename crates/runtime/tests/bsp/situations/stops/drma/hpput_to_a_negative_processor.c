/* bsp_hpput: processors are numbered from 0. */
// dialect: int
// expect: processor 0 of {p}: bsp_hpput at {here}: .. processor -1
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_hpput(-1, &x, area, 0, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
