/* bsp_pop_reg is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_pop_reg at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_pop_reg(&x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
