/* bsp_push_reg is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_push_reg at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_push_reg(&x, sizeof x); /* here */
    return 0;
}
