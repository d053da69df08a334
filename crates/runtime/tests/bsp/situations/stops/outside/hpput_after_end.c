/* bsp_hpput is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_hpput at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_hpput(0, &x, &x, 0, sizeof x); /* here */
    return 0;
}
