/* The k-th pops of a superstep belong to one registration. */
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
    bsp_pop_reg(bsp_pid() == 0 ? &x : &y);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
