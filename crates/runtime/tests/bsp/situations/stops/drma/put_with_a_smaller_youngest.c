/* bsp_put: of several registrations of an address the youngest bounds the access. */
// expect: bsp_put at {here}: .. offset 8 .. 4 bytes .. 8
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, 16);
    bsp_sync();
    bsp_push_reg(area, 8);
    bsp_sync();
    bsp_put(0, &x, area, 8, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
