/* bsp_move is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_move at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_move(NULL, 0); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
