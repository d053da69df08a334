/* The bounds are those that were registered, also if the area has whole pages. */
// expect: processor 0 of {p}: bsp_put at {here}: .. offset 20000 .. 1 bytes .. 20000
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    static char area[24000];
    bsp_push_reg(area, 20000);
    bsp_sync();
    if (bsp_pid() == 0)
        bsp_put(0, "x", area, 20000, 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
