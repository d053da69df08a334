/* All processors give the same size. */
// processors: 2 3 8
// expect: bsp_bcast at {here}:
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x[2] = { 0 };
    bsp_bcast(0, x, x, bsp_pid() == 1 ? 8 : 4); /* here */
    bsp_end();
    return 0;
}
