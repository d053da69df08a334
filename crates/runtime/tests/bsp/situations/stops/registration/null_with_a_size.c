/* NULL has no bytes to register. */
// expect: processor 0 of {p}: bsp_push_reg at {here}: .. null pointer .. 8
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_push_reg(NULL, 8); /* here */
    else
        bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_end();
    return 0;
}
