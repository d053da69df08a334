/* bsp_get: offset and size lie within the area, also where their sum is more than the type
 * holds. */
// expect: bsp_get at {here}: .. offset 2147483647 .. 4 bytes .. 16
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_get(0, area, 2147483647, &x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
