/* bsp_sync is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_sync at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_sync(); /* here */
    return 0;
}
