/* bsp_put: offset and size lie within the area, also where their sum is more than the type
 * holds. */
// expect: bsp_put at {here}: .. offset 2147483647 .. 4 bytes .. 16
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_put(0, &x, area, 2147483647, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
