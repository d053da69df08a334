/* bsp_hpput: it is the size of the remote processor that counts, not the own one. */
// processors: 2 3 8
// expect: processor 0 of {p}: bsp_hpput at {here}: .. offset 8 .. 4 bytes .. 8 bytes .. processor 1
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, bsp_pid() == 1 ? 8 : 16);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_hpput(1, &x, area, 8, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
