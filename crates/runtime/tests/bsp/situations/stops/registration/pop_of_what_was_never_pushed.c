/* Only registered addresses can be popped. */
// expect: processor {last} of {p}: bsp_pop_reg at {here}: .. registered
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0, y = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_pop_reg(&y); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
