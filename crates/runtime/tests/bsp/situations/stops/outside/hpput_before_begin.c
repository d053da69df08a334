/* bsp_hpput is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_hpput at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_hpput(0, &x, &x, 0, sizeof x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
