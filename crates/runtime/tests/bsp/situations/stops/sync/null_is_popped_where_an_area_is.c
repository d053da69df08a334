/* Where a processor has an area it pops that, not NULL. */
// processors: 2 3 8
// expect: bsp_sync at {here}:
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_pop_reg(bsp_pid() == 1 ? NULL : &x);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
