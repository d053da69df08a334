/* bsp_move is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_move at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_move(NULL, 0); /* here */
    return 0;
}
