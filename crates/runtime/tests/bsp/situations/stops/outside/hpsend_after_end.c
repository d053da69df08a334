/* bsp_hpsend is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_hpsend at {here}: .. ended
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_hpsend(0, NULL, &x, sizeof x); /* here */
    return 0;
}
