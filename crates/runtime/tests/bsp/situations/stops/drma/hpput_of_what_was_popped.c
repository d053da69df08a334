/* bsp_hpput: after the superstep of its pop an area cannot be used. */
// expect: bsp_hpput at {here}: .. registered
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_pop_reg(area);
    bsp_sync();
    bsp_hpput(0, &x, area, 0, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
