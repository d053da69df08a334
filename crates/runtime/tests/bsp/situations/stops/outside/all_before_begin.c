/* bsp_all is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_all at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    (void)bsp_all(x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
