/* bsp_hpget is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_hpget at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_hpget(0, &x, 0, &x, sizeof x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
