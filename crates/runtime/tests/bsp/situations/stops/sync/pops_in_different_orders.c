/* Pops of a superstep are compared in their order. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. bsp_pop_reg
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0, y = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_pop_reg(bsp_pid() == 1 ? &x : &y);
    bsp_pop_reg(bsp_pid() == 1 ? &y : &x);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
