/* bsp_put: offsets count from the beginning of the area. */
// dialect: int
// expect: processor {last} of {p}: bsp_put at {here}: .. offset .. -4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_put(0, &x, area, -4, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
