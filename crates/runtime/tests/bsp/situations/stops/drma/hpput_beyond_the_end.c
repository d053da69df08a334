/* bsp_hpput: offset and size lie within the area of the remote processor. */
// expect: processor 0 of {p}: bsp_hpput at {here}: .. offset 14 .. 4 bytes .. 16
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_hpput(bsp_nprocs() - 1, &x, area, 14, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
