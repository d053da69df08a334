/* bsp_hpget is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_hpget at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_hpget(0, &x, 0, &x, sizeof x); /* here */
    return 0;
}
