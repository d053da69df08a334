/* An offset that was negative before its conversion is also reported in the size_t dialect. */
// dialect: size_t
// expect: bsp_get at {here}: .. offset .. -4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    char area[16], got[8];
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_get(0, area, (bsp_size_t)-4, got, 8); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
