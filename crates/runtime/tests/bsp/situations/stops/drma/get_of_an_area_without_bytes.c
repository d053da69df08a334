/* bsp_get: an area of size 0 offers nothing. */
// processors: 2 3 8
// expect: processor 0 of {p}: bsp_get at {here}: .. 1 bytes .. 0 bytes .. processor 1
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    char area[4] = { 0 }, x = 0;
    bsp_push_reg(area, bsp_pid() == 1 ? 0 : 4);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_get(1, area, 0, &x, 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
