/* bsp_time is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_time at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    (void)bsp_time(); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
