/* bsp_pop_reg is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_pop_reg at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_pop_reg(&x); /* here */
    return 0;
}
