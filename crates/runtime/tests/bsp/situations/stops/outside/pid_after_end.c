/* bsp_pid is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_pid at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    (void)bsp_pid(); /* here */
    return 0;
}
