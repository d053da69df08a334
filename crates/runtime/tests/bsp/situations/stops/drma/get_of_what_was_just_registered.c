/* bsp_get: a registration holds from the next superstep on. */
// expect: bsp_get at {here}: .. registered in this superstep
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_get(0, area, 0, &x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
