/* bsp_get is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_get at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_get(0, &x, 0, &x, sizeof x); /* here */
    return 0;
}
