/* bsp_send is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_send at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    int x = 0;
    bsp_send(0, NULL, &x, sizeof x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
