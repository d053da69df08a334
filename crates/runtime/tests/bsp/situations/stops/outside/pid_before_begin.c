/* bsp_pid is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_pid at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    (void)bsp_pid(); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
