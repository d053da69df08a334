/* bsp_bcast is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_bcast at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_bcast(0, &x, &x, sizeof x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
