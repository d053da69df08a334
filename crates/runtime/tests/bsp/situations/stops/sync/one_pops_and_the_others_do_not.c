/* All processors pop equally often, or none does. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. bsp_pop_reg
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_pop_reg(&x);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
