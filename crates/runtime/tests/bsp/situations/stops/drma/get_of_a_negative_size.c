/* bsp_get: a size is not negative. */
// dialect: int
// expect: bsp_get at {here}: .. size .. -1
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_get(0, area, 0, &x, -1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
