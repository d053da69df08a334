/* bsp_sync is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_sync at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_sync(); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
