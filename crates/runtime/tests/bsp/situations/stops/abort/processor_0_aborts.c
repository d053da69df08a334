/* Processor 0 may stop all the others. */
// expect: zero gives up
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_abort("zero gives up");
    bsp_sync();
    puts("not reached");
    bsp_end();
    return 0;
}
