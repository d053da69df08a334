/* All processors register equally often in a superstep. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. bsp_push_reg
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0, y = 0;
    bsp_push_reg(&x, sizeof x);
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_push_reg(&y, sizeof y);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
