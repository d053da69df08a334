/* bsp_init comes before bsp_begin, not after it. */
// expect: processor 0 of {p}: bsp_init at {here}: .. after bsp_begin
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_init(spmd, 0, NULL); /* here */
    bsp_sync();
    bsp_end();
}

int main(void)
{
    spmd();
    return 0;
}
