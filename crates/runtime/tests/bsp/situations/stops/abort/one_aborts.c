/* Any one processor may stop all, without the others taking part. */
// expect: the last one gives up: {last}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_abort("the last one gives up: %d\n", (int)bsp_pid());
    bsp_sync();
    puts("not reached");
    bsp_end();
    return 0;
}
